package repo

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-git/go-git/v5/plumbing"
)

// FuzzNode reads any commit object for a walk: one that is taken has a tree, and is the same
// however much stands behind its headers.
func FuzzNode(f *testing.F) {
	const id = "51f1422e82fb9ffdb71700b72079b09ae3e75b1a"
	f.Add([]byte("tree " + id + "\nparent " + id + "\nauthor A <a@b> 1 +0000\ncommitter A <a@b> 2 +0000\n\nwords\n"))
	f.Add([]byte("tree " + id + "\ncommitter > 99999999999999999999 +0000\n\n"))
	f.Add([]byte("parent x\n"))
	f.Fuzz(func(t *testing.T, content []byte) {
		n, err := parseNode(content)
		if err != nil {
			return
		}
		if n.tree == plumbing.ZeroHash && !bytes.Contains(content, []byte(strings.Repeat("0", 40))) {
			t.Error("no tree")
		}
		if _, _, inHeaders := bytes.Cut(content, []byte("\n\n")); !inHeaders {
			return
		}
		again, err := parseNode(append(bytes.Clone(content), "\nmore\n"...))
		if err != nil || again.tree != n.tree || len(again.parents) != len(n.parents) {
			t.Errorf("with more words: %+v, %v, not %+v", again, err, n)
		}
	})
}

var keyword = regexp.MustCompile(`\$Id:[^\n$]*\$`)

// FuzzStoredForm: keywords are collapsed as the manual says (gitattributes, "ident"), a pointer
// is its own pointer, and a text that was decoded is one. What git collapsed it may collapse
// once more, as in "$Id:$Id:$".
func FuzzStoredForm(f *testing.F) {
	f.Add("UTF-16", []byte("\xff\xfea\x00\r\x00\n\x00"))
	f.Add("latin1", []byte("$Id: x $ \xe9 $Id: y\n$"))
	f.Add("UTF-16BE", []byte("\xd8\x3d\xde\x00"))
	f.Add("", []byte("version https://git-lfs.github.com/spec/v1\n"))
	f.Fuzz(func(t *testing.T, encoding string, data []byte) {
		if text, ok := decodeText(encoding, data); ok && !utf8.Valid(text) && !strings.HasPrefix(strings.ToUpper(encoding), "UTF") {
			t.Errorf("%q: %q is no text", encoding, text)
		}
		if got, want := collapseIdent(data), keyword.ReplaceAll(data, []byte("$$Id$$")); !bytes.Equal(got, want) {
			t.Errorf("%q became %q, want %q", data, got, want)
		}
		pointer := lfsPointer(data)
		if again := lfsPointer(pointer); !bytes.Equal(pointer, again) {
			t.Errorf("the pointer of a pointer: %q and %q", pointer, again)
		}
	})
}

// FuzzGitConfig reads any configuration: what git takes for false is one of four words, and
// an upstream has a name.
func FuzzGitConfig(f *testing.F) {
	f.Add([]byte("[branch \"main\"]\n\tremote = origin\n\tmerge = refs/heads/main\n[remote \"origin\"]\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n"), "main")
	f.Add([]byte("[branch \"x\"]\nremote=.\nmerge=refs/heads/y\n[core]\n\tfilemode = off\n"), "x")
	f.Add([]byte("[a \"\\\"]\n"), "")
	f.Fuzz(func(t *testing.T, text []byte, branch string) {
		cfg := decodeConfig(text)
		if cfg == nil {
			return
		}
		if to := tracking(cfg, branch); to != "" && !bytes.Contains(text, []byte("merge")) && !bytes.Contains(bytes.ToLower(text), []byte("merge")) {
			t.Errorf("%q follows %q", branch, to)
		}
	})
}
