//go:build unix

package repo

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/packfile"
)

// packed is a repository whose objects lie in a pack, with long chains of deltas.
func packed(t testing.TB, settings ...string) *gitRepo {
	t.Helper()
	g := edited(t)
	g.Git(append(settings, "repack", "-adfq", "--depth=50")...)
	g.Git("prune-packed")
	return g
}

// edited is a repository with a dozen versions of a file, each object in a file of its own.
func edited(t testing.TB) *gitRepo {
	t.Helper()
	g := newGitRepo(t)
	text := strings.SplitAfter(lines("report", 8000), "\n") // over 64 KiB, which one instruction copies
	for i := range 12 {
		text[i*600] = fmt.Sprintf("edit %d\n", i)
		g.Write("docs/report.md", strings.Join(text, ""))
		g.Write(fmt.Sprintf("docs/%d.md", i), fmt.Sprint(i))
		g.Commit(fmt.Sprint("commit ", i))
	}
	g.Git("tag", "-a", "-m", "first", "v1")
	return g
}

// objectIDs are those of all objects of a repository, by git.
func (g *gitRepo) objectIDs() []plumbing.Hash {
	g.T.Helper()
	var ids []plumbing.Hash
	for line := range strings.Lines(g.Git("cat-file", "--batch-all-objects", "--batch-check=%(objectname)")) {
		ids = append(ids, plumbing.NewHash(strings.TrimSpace(line)))
	}
	return ids
}

// Each object reads as go-git reads it, whatever form its deltas have, by several goroutines
// at a time.
func TestObjectFiles(t *testing.T) {
	t.Parallel()
	for name, make := range map[string]func() *gitRepo{
		"a pack":                     func() *gitRepo { return packed(t) },
		"a pack, with bases by name": func() *gitRepo { return packed(t, "-c", "repack.useDeltaBaseOffset=false") },
		"files of their own":         func() *gitRepo { return edited(t) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := make()
			o := g.open().objects
			ids := g.objectIDs()
			var wg sync.WaitGroup
			for range 4 {
				wg.Go(func() {
					for _, id := range ids {
						kind, content, ok := o.files.read(id, maxObject)
						if !ok {
							t.Errorf("%s was left to go-git", id)
							continue
						}
						if n, ok := o.files.size(id); !ok || n != int64(len(content)) {
							t.Errorf("%s: size %d, of %d bytes", id, n, len(content))
						}
						o.mu.Lock()
						was, bytesOf, err := readFrom(o.stores[0], id, maxObject)
						o.mu.Unlock()
						if err != nil || was != kind || !bytes.Equal(bytesOf, content) {
							t.Errorf("%s: %s of %d bytes; go-git: %s of %d bytes, %v", id, kind, len(content), was, len(bytesOf), err)
						}
					}
				})
			}
			wg.Wait()
			if name == "files of their own" {
				return
			}
			if deltas := g.Git("verify-pack", "-v", packOf(t, g, ".idx")); !strings.Contains(deltas, "chain length = 5:") {
				t.Errorf("no long chains: %s", deltas)
			}
		})
	}
}

// What is read can be written to: it is nobody else's.
func TestObjectFilesAreCopies(t *testing.T) {
	t.Parallel()
	g := packed(t)
	o := g.open().objects
	for range 2 {
		for _, id := range g.objectIDs() {
			_, content, ok := o.files.read(id, maxObject)
			if !ok {
				t.Fatalf("%s changed with another", id)
			}
			clear(content)
		}
	}
}

// A file that is damaged anywhere gives what has the right id, or nothing.
func TestDamagedObjectFiles(t *testing.T) {
	t.Parallel()
	g, loose := packed(t), newGitRepo(t)
	loose.Write("a", "a")
	loose.Commit("a")
	id := loose.objectIDs()[0].String()
	for _, at := range []struct {
		*gitRepo
		name string
	}{{g, packOf(t, g, ".pack")}, {g, packOf(t, g, ".idx")}, {loose, loose.Path(".git/objects/" + id[:2] + "/" + id[2:])}} {
		g, name := at.gitRepo, at.name
		ids := g.objectIDs()
		whole, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(name, 0o600); err != nil {
			t.Fatal(err)
		}
		missed := 0
		for at := 0; at < len(whole); at += 1 + len(whole)/60 {
			damaged := bytes.Clone(whole)
			damaged[at] ^= 0x55
			if err := os.WriteFile(name, damaged, 0o600); err != nil {
				t.Fatal(err)
			}
			var p files
			p.add(g.Path(".git/objects"))
			for _, id := range ids {
				kind, content, ok := p.read(id, maxObject)
				if ok && plumbing.ComputeHash(kind, content) != id {
					t.Fatalf("%s damaged at %d: %s has another content", name, at, id)
				}
				if !ok {
					missed++
				}
			}
			p.close()
		}
		if missed == 0 {
			t.Errorf("%s: damage that nobody noticed", name)
		}
		if err := os.WriteFile(name, whole, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// An object over the limit is not read, and one that the repository lacks is nobody's.
func TestObjectFilesAtMost(t *testing.T) {
	t.Parallel()
	for _, g := range []*gitRepo{packed(t), edited(t)} {
		o := g.open().objects
		id := plumbing.NewHash(strings.TrimSpace(g.Git("rev-parse", "HEAD:docs/report.md")))
		n, ok := o.files.size(id)
		if !ok {
			t.Fatal("no size")
		}
		if _, _, ok := o.files.read(id, n-1); ok {
			t.Error("read although it is too large")
		}
		if _, _, ok := o.files.read(id, n); !ok {
			t.Error("not read although it is not too large")
		}
		if _, _, ok := o.files.read(plumbing.NewHash(strings.Repeat("12", 20)), maxObject); ok {
			t.Error("read an object that is not there")
		}
	}
}

// packOf is the only file of a kind in the folder of packs.
func packOf(t *testing.T, g *gitRepo, ending string) string {
	t.Helper()
	names, err := filepath.Glob(g.Path(".git/objects/pack/*" + ending))
	if err != nil || len(names) != 1 {
		t.Fatalf("%q, %v", names, err)
	}
	return names[0]
}

func TestBaseCacheIsBounded(t *testing.T) {
	t.Parallel()
	var c baseCache
	k := new(pack)
	for i := range 100 {
		c.put(basePlace{k, int64(i)}, base{plumbing.BlobObject, make([]byte, maxBase/2)})
	}
	c.put(basePlace{k, 1000}, base{plumbing.BlobObject, make([]byte, maxBase+1)})
	total := 0
	for at, b := range c.kept {
		total += len(b.content)
		if !slices.Contains(c.order, at) {
			t.Errorf("%v is never let go of", at)
		}
	}
	if total != c.bytes || total > maxBases || total < maxBases-maxBase || len(c.order) != len(c.kept) {
		t.Errorf("%d bytes of %d entries, %d by its own count, %d in order", total, len(c.kept), c.bytes, len(c.order))
	}
}

// applyDelta gives what go-git gives, or nothing.
func FuzzDelta(f *testing.F) {
	f.Add([]byte("some content"), []byte("\x0c\x05\x90\x04\x01!"))
	f.Add([]byte("some content"), []byte("\x0c\x04\x91\x05\x04"))
	f.Add([]byte("some content"), []byte("\x0c\xff\xff\xff\xff\x0f\x90\x04"))
	f.Fuzz(func(t *testing.T, base, delta []byte) {
		const limit = 1 << 20
		got, err := applyDelta(base, delta, limit)
		if err != nil {
			return
		}
		want, err := packfile.PatchDelta(base, delta)
		if len(base) > 0 && len(got) > 0 && (err != nil || !bytes.Equal(got, want)) {
			t.Errorf("%q, not %q (%v)", got, want, err)
		}
		if len(got) > limit {
			t.Errorf("%d bytes", len(got))
		}
	})
}
