//go:build unix

package repo

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// utf16le writes ASCII as git checks it out with UTF-16LE-BOM.
func utf16le(text string) string {
	var b strings.Builder
	b.WriteString("\xff\xfe")
	for _, c := range []byte(text) {
		b.WriteByte(c)
		b.WriteByte(0)
	}
	return b.String()
}

// The stored form is what git itself would add, for each way in which it changes files.
func TestStoredIsWhatGitStores(t *testing.T) {
	t.Parallel()
	crlf, text := "one\r\ntwo\r\n", "one\ntwo\n"
	files := map[string]string{
		"crlf.txt": crlf, "lf.txt": text, "mixed.txt": "one\r\ntwo\n", "lone.txt": "one\rtwo\r\n", "empty.txt": "", "dos.txt": crlf + "\x1a",
		"nul.bin": "a\x00\r\n", "odd.bin": "\x01\x02\r\n", "id.c": "/* $Id: 0123abc $ $Id$ $Id:\n$ $Id:$Id:$ $Idea: x $ */\r\n", "utf16.ps1": utf16le(crlf), "be.ps2": "\xfe\xff\x00a\x00\r\x00\n",
		"latin.ps3": "caf\xe9\r\n", "dir/crlf.txt": crlf, "dir/deep/crlf.md": crlf, "a b.txt": crlf,
	}
	for name, setup := range map[string]struct{ attributes, inDir, info, config string }{
		"nothing":          {},
		"autocrlf":         {config: "[core]\n\tautocrlf = true\n"},
		"autocrlf=input":   {config: "[core]\n\tautocrlf = input\n"},
		"autocrlf, -text":  {attributes: "*.txt -text\n", config: "[core]\n\tautocrlf = true\n"},
		"text":             {attributes: "* text\n"},
		"text=auto":        {attributes: "* text=auto\n"},
		"auto, eol=crlf":   {attributes: "* text=auto eol=crlf\n"},
		"eol=crlf":         {attributes: "*.txt eol=crlf\n"},
		"eol=lf":           {attributes: "dir/**/*.md eol=lf\n/crlf.txt eol=lf\n"},
		"crlf=input":       {attributes: "* crlf=input\n"},
		"-crlf":            {attributes: "* text=auto\n*.txt -crlf\n"},
		"ident":            {attributes: "*.c ident\n"},
		"ident and text":   {attributes: "*.c ident text\n"},
		"encodings":        {attributes: "*.ps1 working-tree-encoding=UTF-16LE-BOM eol=crlf\n*.ps2 text working-tree-encoding=UTF-16\n*.ps3 working-tree-encoding=ISO-8859-1 text\n"},
		"a nearer file":    {attributes: "*.txt text\n", inDir: "*.txt !text\ndeep/* text\n"},
		"info decides":     {attributes: "*.txt text\n", info: "*.txt -text\n"},
		"macro":            {attributes: "[attr]mine text eol=crlf\n*.txt mine\ncrlf.txt binary\n"},
		"quoted, comments": {attributes: "# *.txt text\n\"a b.txt\" text\n!*.md text\ndir/ text\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := newGitRepo(t)
			for name, content := range files {
				g.Write(name, content)
			}
			for file, content := range map[string]string{".gitattributes": setup.attributes, "dir/.gitattributes": setup.inDir, ".git/info/attributes": setup.info} {
				if content != "" {
					g.Write(file, content)
				}
			}
			user := ""
			if setup.config != "" {
				g.Write("../user.config", setup.config)
				user = g.Path("../user.config")
				g.Git("config", "include.path", user)
			}
			r := g.open()
			c := converter(t, r, UserConfig{})
			for name, content := range files {
				got, err := c.Stored(name, []byte(content))
				if err != nil {
					t.Fatal(err)
				}
				want := g.Git("hash-object", "--path", name, name)
				if got.Blob != want || got.Note != "" || blobID(got.Data) != want {
					t.Errorf("%s: %s %q %s, git says %s", name, got.Blob, got.Data, got.Note, want)
				}
			}
		})
	}
}

func converter(t *testing.T, r *Repository, user UserConfig) *Converter {
	t.Helper()
	tree, err := r.WorkTree()
	if err != nil {
		t.Fatal(err)
	}
	c, err := r.Converter(tree, user)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// What the index calls unchanged has the index's blob; text that was committed with CRLF
// keeps it under autocrlf.
func TestStoredOfCommittedFiles(t *testing.T) {
	t.Parallel()
	g := newGitRepo(t)
	g.Write("old.txt", "one\r\n")
	g.Write("touched.txt", "one\r\n")
	g.Commit("with CRLF")
	g.Git("config", "core.autocrlf", "true")
	g.Write("touched.txt", "two\r\n")
	c := converter(t, g.open(), UserConfig{})
	for name, content := range map[string]string{"old.txt": "one\r\n", "touched.txt": "two\r\n"} {
		got, err := c.Stored(name, []byte(content))
		g.Git("add", name)
		want := strings.Fields(g.Git("ls-files", "-s", name))[1]
		if err != nil || got.Blob != want || string(got.Data) != content {
			t.Errorf("%s: %s %q, %v; git says %s", name, got.Blob, got.Data, err, want)
		}
	}
}

// Git LFS is known; any other filter is told of and never run.
func TestStoredRunsNoFilter(t *testing.T) {
	t.Parallel()
	g := newGitRepo(t)
	g.Write(".gitattributes", "*.bin filter=lfs -text\n*.x filter=mine\n*.y filter=nobodys\n")
	g.Git("config", "filter.mine.clean", "touch ran; cat")
	g.Write("a.bin", "hello world\n")
	g.Write("a.x", "x\n")
	g.Write("a.y", "y\n")
	c := converter(t, g.open(), UserConfig{})
	const pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:a948904f2f0f479b8f8197694b30184b0d2ed1c1cd2a1ec0fb85d299a192a447\nsize 12\n"
	for name, want := range map[string]Stored{
		"a.bin": {Data: []byte(pointer)}, "a.x": {Data: []byte("x\n"), Note: "git stores what the filter mine makes of it, which was not run; pinned as it is on disk"}, "a.y": {Data: []byte("y\n")},
	} {
		content := map[string]string{"a.bin": "hello world\n", "a.x": "x\n", "a.y": "y\n"}[name]
		got, err := c.Stored(name, []byte(content))
		if err != nil || string(got.Data) != string(want.Data) || got.Note != want.Note {
			t.Errorf("%s: %q %q, %v", name, got.Data, got.Note, err)
		}
	}
	if _, err := g.Try("ls-files", "--error-unmatch", "--others", "ran"); err == nil {
		t.Error("a filter ran")
	}
}

// FuzzAttributes parses and applies any file of attributes.
func FuzzAttributes(f *testing.F) {
	f.Add("[attr]m text\n*.txt m -diff eol=lf\n\"a\\tb\" !x\n", "dir/a.txt")
	f.Add("**/a/**/b text=auto\n[[:alpha:]]* ident\n", "x/a/y/b")
	f.Fuzz(func(t *testing.T, text, name string) {
		attributesOf([]attributeFile{parseAttributes(".", text)}, name)
		for _, e := range []string{"UTF-16", "utf-16le", "latin1", text} {
			decodeText(e, []byte(name))
		}
		collapseIdent([]byte(text))
	})
}

// The user's configuration counts as it does for git: includes, in their place and on
// their conditions, and the attributes for all repositories (git-config, Includes).
func TestStoredByTheUsersConfig(t *testing.T) {
	t.Parallel()
	const crlf = "one\r\ntwo\r\n"
	for name, files := range map[string]map[string]string{
		"attributes by default":      {".config/git/attributes": "*.txt text\n"},
		"attributes that are named":  {".gitconfig": "[core]\n\tattributesFile = ~/all\n", "all": "*.txt text\n", ".config/git/attributes": "*.txt -text\n"},
		"attributes beside":          {".gitconfig": "[core] attributesfile = sub/all\n", "work/sub/all": "*.txt text\n"},
		"an include":                 {".gitconfig": "[include]\n\tpath = more\n", "more": "[core]\n\tautocrlf = input\n"},
		"an include of an include":   {".gitconfig": "[include]\n\tpath = sub/one\n", "sub/one": "[include]\n\tpath = two\n", "sub/two": "[core]\n\tautocrlf = yes\n"},
		"an include from home":       {".config/git/config": "[include]\n\tpath = ~/more\n", "more": "[core]\n\tautocrlf = true\n"},
		"an include that is not":     {".gitconfig": "[include]\n\tpath = gone\n[core]\n\tautocrlf = true\n"},
		"an include before":          {".gitconfig": "[include]\n\tpath = more\n[core]\n\tautocrlf = false\n", "more": "[core]\n\tautocrlf = true\n"},
		"an include between":         {".gitconfig": "[core]\n\tautocrlf = true\n[include]\n\tpath = more\n[core]\n\tautocrlf = true\n", "more": "[core]\n\tautocrlf = false\n"},
		"an include behind":          {".gitconfig": "[core]\n\tautocrlf = false\n[include]\n\tpath = more\n", "more": "[core]\n\tautocrlf = true\n"},
		"on a condition":             {".gitconfig": "[includeIf \"gitdir:**/.git\"]\n\tpath = more\n", "more": "[core]\n\tautocrlf = true\n"},
		"on a folder":                {".gitconfig": "[includeIf \"gitdir:work/\"]\n\tpath = more\n", "more": "[core]\n\tautocrlf = true\n"},
		"on a folder of home":        {".gitconfig": "[includeIf \"gitdir:~/work/\"]\n\tpath = more\n", "more": "[core]\n\tautocrlf = true\n"},
		"on a folder in capitals":    {".gitconfig": "[includeIf \"gitdir:WORK/\"]\n\tpath = more\n", "more": "[core]\n\tautocrlf = true\n"},
		"on a folder in any case":    {".gitconfig": "[includeIf \"gitdir/i:WORK/\"]\n\tpath = more\n", "more": "[core]\n\tautocrlf = true\n"},
		"on another folder":          {".gitconfig": "[includeIf \"gitdir:~/home/\"]\n\tpath = more\n", "more": "[core]\n\tautocrlf = true\n"},
		"the stronger of two":        {".config/git/config": "[core]\n\tautocrlf = true\n", ".gitconfig": "[core]\n\tautocrlf = false\n"},
		"the repository's own wins":  {".gitconfig": "[core]\n\tautocrlf = true\n", "work/.git/local": "[core]\n\tautocrlf = false\n"},
		"the repository's own files": {".config/git/attributes": "*.txt text\n", "work/.gitattributes": "*.txt -text\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := newGitRepo(t)
			home := filepath.Dir(g.Dir)
			for file, text := range files {
				g.Write(filepath.Join("..", file), text)
			}
			if _, ok := files["work/.git/local"]; ok {
				g.Git("config", "include.path", "local")
			}
			g.Write("a.txt", crlf)
			g.Env = slices.DeleteFunc(g.Env, func(v string) bool { return strings.HasPrefix(v, "GIT_CONFIG_GLOBAL=") })
			g.Env = append(g.Env, "HOME="+home, "XDG_CONFIG_HOME=")
			want := g.Git("hash-object", "--path", "a.txt", "a.txt")
			c := converter(t, g.open(), UserConfig{
				Files: []string{filepath.Join(home, ".config/git/config"), filepath.Join(home, ".gitconfig")}, Home: home,
				Attributes: filepath.Join(home, ".config/git/attributes"),
			})
			if got, err := c.Stored("a.txt", []byte(crlf)); err != nil || got.Blob != want {
				t.Errorf("%q is stored, %v; git says %s", got.Data, err, want)
			}
		})
	}
}

// Files that include each other end.
func TestIncludesEnd(t *testing.T) {
	t.Parallel()
	g := newGitRepo(t)
	g.Write("../loop", "[include]\n\tpath = loop\n")
	tree, err := g.open().WorkTree()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := g.open().Converter(tree, UserConfig{Files: []string{g.Path("../loop")}}); err == nil || !strings.Contains(err.Error(), "too deep") {
		t.Error(err)
	}
}
