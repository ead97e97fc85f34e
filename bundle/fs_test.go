package bundle

import (
	"bytes"
	"io/fs"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/replay-gate/replay-gate/verify"
)

// A replay sees the repository's own paths, and only those.
func TestArchiveFS(t *testing.T) {
	a := mustRead(t, mustBuild(t, fixtureSource(fixtureFiles())).Bytes())
	names := []string{briefPath, reportPath, sidecarPath, tokenPath}
	if err := fstest.TestFS(a.FS(), names...); err != nil {
		t.Error(err)
	}
	tree := verify.NewTree(a.FS())
	if got := tree.Files(); !slices.Equal(got, names) {
		t.Errorf("files %v", got)
	}
	for name, f := range fixtureFiles() {
		if data, err := tree.ReadFile(name, 1<<20); err != nil || !bytes.Equal(data, f.Data) {
			t.Errorf("%s: %q, %v", name, data, err)
		}
	}
}

// Evidence goes before what else claims its path; a path that is none, or needs
// a folder where a file is, is left out. Check says so.
func TestArchiveFSConflicts(t *testing.T) {
	data := archiveOf(t, file("manifest.json", adequate),
		file("cassettes/e.json", "other"), file("files/evidence/e.json", "evidence"), file("files/inputs/e.json/below", "x"),
		file("files/inputs/%2E%2E/up", "x"), file("files/inputs/%2Fabs", "x"), file("files/inputs/%00", "x"), file("files/inputs/100%", "kept"),
		file("files/inputs/same", "s"), file("outputs/report/same", "s"), file("outputs/reports/no", "x"))
	a := mustRead(t, data)
	fsys := a.FS()
	var names []string
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			names = append(names, name)
		}
		return err
	})
	if want := []string{"\x00", "100%", "e.json", "same"}; err != nil || !slices.Equal(names, want) {
		t.Errorf("files %q, %v; want %q", names, err, want)
	}
	if got, err := fs.ReadFile(fsys, "e.json"); err != nil || string(got) != "evidence" {
		t.Errorf("the evidence is %q, %v", got, err)
	}
	misplaced := 0
	for _, f := range a.Findings {
		if f.Field == "repository paths" && f.Status == verify.Fail {
			misplaced++
		}
	}
	if misplaced != 4 {
		t.Errorf("%d misplaced: %s", misplaced, show(a.Findings))
	}
}
