//go:build unix

package repo

import (
	"fmt"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/cache"
)

// Packs are opened anew after many reads, and nobody notices.
func TestPacksAreOpenedAnew(t *testing.T) {
	t.Parallel()
	g := newGitRepo(t)
	g.Write("a", "1\n")
	g.Commit("one")
	g.Write("a", "2\n")
	g.Commit("two")
	g.Git("repack", "-adq")
	r := g.open()
	for _, reads := range []int{0, maxReads - 3, maxReads - 2, maxReads - 1, maxReads} {
		r.objects.reads = reads
		for _, id := range []string{g.Git("rev-parse", "HEAD:a"), g.Git("rev-parse", "HEAD~:a"), g.Git("rev-parse", "HEAD:a")} {
			if content, err := r.Blob(id); err != nil || len(content) != 2 {
				t.Errorf("after %d reads: %q, %v", reads, content, err)
			}
		}
	}
	if r.objects.reads <= maxReads {
		t.Errorf("%d reads were counted", r.objects.reads)
	}
}

// DESIGN, "untrusted input": counts are bounded, also of objects that are next to nothing.
func TestObjectsAreKeptInNumbers(t *testing.T) {
	t.Parallel()
	c := &objectLRU{ObjectLRU: cache.NewObjectLRU(objectCache)}
	ids := make([]plumbing.Hash, cachedObjects+10)
	for i := range ids {
		o := &plumbing.MemoryObject{}
		o.SetType(plumbing.BlobObject)
		if _, err := fmt.Fprint(o, i); err != nil {
			t.Fatal(err)
		}
		ids[i] = o.Hash()
		c.Put(o)
	}
	kept := 0
	for _, id := range ids {
		if _, ok := c.Get(id); ok {
			kept++
		}
	}
	if kept != 10 {
		t.Errorf("%d are kept", kept)
	}
}
