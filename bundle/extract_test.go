package bundle

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func extractTo(t *testing.T, a *Archive, dir string) (int, error) {
	t.Helper()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	return a.Extract(root)
}

// Issue "replay": --extract lays the files out as a tree.
func TestExtract(t *testing.T) {
	a := mustRead(t, mustBuild(t, fixtureSource(fixtureFiles())).Bytes())
	dir := t.TempDir()
	n, err := extractTo(t, a, dir)
	if err != nil || n != 4 {
		t.Fatalf("%d, %v", n, err)
	}
	var got []string
	err = fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			got = append(got, name)
		}
		return err
	})
	if want := []string{briefPath, reportPath, sidecarPath, tokenPath}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v", got, err)
	}
	for name, f := range fixtureFiles() {
		if data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name))); err != nil || string(data) != string(f.Data) {
			t.Errorf("%s: %q, %v", name, data, err)
		}
	}
	if _, err := extractTo(t, a, dir); !errors.Is(err, ErrNotEmpty) {
		t.Errorf("into what is not empty: %v", err)
	}
}

// Nothing that a bundle says leaves the folder, or becomes git's.
func TestExtractRefuses(t *testing.T) {
	for _, name := range []string{
		"files/inputs/%2E%2E/x", "files/inputs/a/%2E%2E/%2E%2E/x", "files/inputs/%2Fetc/x", "files/inputs/.git/config", "files/inputs/a/.GIT/hooks/x",
		"files/inputs/.git%20/x", "files/inputs/.git./x", "files/inputs/git%7E1/x", "files/inputs/.g\u200cit/x", "files/inputs/.git%3A%3A$INDEX_ALLOCATION/x", "files/inputs/.git",
	} {
		a := mustRead(t, archiveOf(t, file(manifestName, adequate), file(name, "x")))
		dir := t.TempDir()
		n, err := extractTo(t, a, filepath.Clean(dir))
		var fe *FormatError
		if !errors.As(err, &fe) || n != 0 {
			t.Errorf("%q: %d, %v", name, n, err)
		}
		if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
			t.Errorf("%q left %v, %v", name, left, err)
		}
	}
	// What only looks like it is fine.
	a := mustRead(t, archiveOf(t, file(manifestName, adequate), file("files/inputs/.github/x", "x"), file("files/inputs/.gitignore", "y")))
	if n, err := extractTo(t, a, t.TempDir()); n != 2 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
}
