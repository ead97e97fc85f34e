//go:build unix

package repo

import (
	"strconv"
	"testing"
)

// manyFiles is a repository with 10,000 tracked files of some 8 KB in 100 folders, packed.
func manyFiles(b *testing.B) *gitRepo {
	g := newGitRepo(b)
	for i := range 10_000 {
		g.Write("dir"+strconv.Itoa(i%100)+"/sub/file"+strconv.Itoa(i)+".json", lines("file "+strconv.Itoa(i*7919), 330))
	}
	g.Commit("files")
	g.Git("gc", "-q")
	settle(g)
	return g
}

func BenchmarkWorkTree(b *testing.B) {
	g := manyFiles(b)
	for b.Loop() {
		r := g.open()
		work, err := r.WorkTree()
		if err != nil {
			b.Fatal(err)
		}
		if n := len(work.Files()); n != 10_000 {
			b.Fatal(n)
		}
	}
}

func BenchmarkClean(b *testing.B) {
	g := manyFiles(b)
	for b.Loop() {
		if !g.workTree().Clean() {
			b.Fatal("not clean")
		}
	}
}

func BenchmarkReadCommit(b *testing.B) {
	g := manyFiles(b)
	for b.Loop() {
		head := g.commitTree("HEAD")
		for _, name := range head.Files() {
			if _, err := head.ReadFile(name); err != nil {
				b.Fatal(err)
			}
		}
	}
}

func BenchmarkReadWorkTree(b *testing.B) {
	g := manyFiles(b)
	for b.Loop() {
		work := g.workTree()
		for _, name := range work.Files() {
			if _, err := work.ReadFile(name); err != nil {
				b.Fatal(err)
			}
		}
	}
}

func BenchmarkBlobIDs(b *testing.B) {
	g := manyFiles(b)
	for b.Loop() {
		work := g.workTree()
		for _, name := range work.Files() {
			if _, ok := work.BlobID(name); !ok {
				b.Fatal(name)
			}
		}
	}
}
