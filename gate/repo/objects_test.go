//go:build unix

package repo

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"
)

// Many goroutines ask at a time, for loose and for packed objects, while folders are added:
// each gets what it asked for, and no more readers are made than there is room for.
func TestObjectsAreReadSideBySide(t *testing.T) {
	t.Parallel()
	g := newGitRepo(t)
	for i := range 50 {
		g.Write(fmt.Sprintf("f%d", i), strings.Repeat(fmt.Sprintf("line of %d\n", i), 20))
	}
	g.Git("add", ".")
	g.Commit("loose")
	g.Git("repack", "-adq")
	g.Write("f0", "loose now\n")
	g.Commit("on top")
	other := newGitRepo(t)
	other.Write("elsewhere", "in another folder\n")
	other.Git("add", ".")
	other.Commit("other")
	elsewhere := strings.TrimSpace(other.Git("rev-parse", "HEAD:elsewhere"))

	o := g.open().objects
	room := o.room + len(o.idle)
	ids := make(map[string]string) // name -> blob
	for line := range strings.Lines(g.Git("ls-tree", "HEAD")) {
		id, name, _ := strings.Cut(strings.Fields(line)[2]+" "+strings.Fields(line)[3], " ")
		ids[name] = id
	}
	var wg sync.WaitGroup
	for n := range 16 {
		wg.Go(func() {
			for name, id := range ids {
				content, err := o.readAs(plumbing.BlobObject, plumbing.NewHash(id))
				want := strings.Repeat("line of "+name[1:]+"\n", 20)
				if name == "f0" {
					want = "loose now\n"
				}
				if err != nil || string(content) != want {
					t.Errorf("%s: %q, %v", name, content, err)
				}
				if size, err := o.size(plumbing.NewHash(id)); err != nil || size != int64(len(want)) {
					t.Errorf("%s: %d bytes, %v", name, size, err)
				}
			}
			if n == 0 {
				o.add(t.TempDir())
			}
		})
	}
	wg.Wait()
	if o.room+len(o.idle) != room || o.room < 0 {
		t.Errorf("%d readers and room for %d, of %d", len(o.idle), o.room, room)
	}
	if _, err := o.readAs(plumbing.BlobObject, plumbing.NewHash(elsewhere)); err == nil {
		t.Error("it was read before its folder was there")
	}
	o.add(other.Dir + "/.git")
	o.temporary = o.temporary[:len(o.temporary)-1] // it is not ours
	if content, err := o.readAs(plumbing.BlobObject, plumbing.NewHash(elsewhere)); err != nil || string(content) != "in another folder\n" {
		t.Errorf("%q, %v", content, err)
	}
}

// A reader that has read much is replaced, and nobody notices.
func TestReadersAreReplaced(t *testing.T) {
	t.Parallel()
	g := newGitRepo(t)
	g.Write("a", "1\n")
	g.Commit("one")
	g.Write("a", "2\n")
	g.Commit("two")
	g.Git("repack", "-adq")
	o := g.open().objects
	o.put(o.take())
	first := o.idle[0]
	first.reads = maxReads - 3
	for i, rev := range []string{"HEAD:a", "HEAD~:a", "HEAD:a", "HEAD~:a"} {
		id := plumbing.NewHash(strings.TrimSpace(g.Git("rev-parse", rev)))
		if content, err := o.readAs(plumbing.BlobObject, id); err != nil || len(content) != 2 {
			t.Errorf("%q, %v", content, err)
		}
		if len(o.idle) == 1 && (o.idle[0] == first) != (i < 2) {
			t.Errorf("after %d reads the reader has read %d", i+1, o.idle[0].reads)
		}
	}
}
