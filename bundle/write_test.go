package bundle

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

func openRoot(t *testing.T, dir string) *os.Root {
	t.Helper()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	return root
}

func TestWriteFile(t *testing.T) {
	dir := t.TempDir()
	root := openRoot(t, dir)
	b := mustBuild(t, fixtureSource(fixtureFiles()))
	w, err := b.WriteFile(root, ".assay/bundles")
	if err != nil {
		t.Fatal(err)
	}
	want := Written{Path: ".assay/bundles/" + b.RunID + ".tar.gz", SHA256: b.SHA256(), Size: int64(len(b.Bytes()))}
	if w != want {
		t.Errorf("written %+v, want %+v", w, want)
	}
	path := filepath.Join(dir, filepath.FromSlash(w.Path))
	if data, err := os.ReadFile(path); err != nil || !bytes.Equal(data, b.Bytes()) {
		t.Errorf("on disk: %d bytes, %v", len(data), err)
	}

	// An identical file is left alone: its time does not change.
	old := time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC)
	if err := os.Chtimes(path, old, old); err != nil {
		t.Fatal(err)
	}
	if _, err := b.WriteFile(root, ".assay/bundles"); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || !info.ModTime().Equal(old) {
		t.Errorf("an identical file was written again: %v, %v", info.ModTime(), err)
	}
	// Another one of the same length is replaced.
	other := bytes.Clone(b.Bytes())
	other[len(other)-1] ^= 1
	if err := os.WriteFile(path, other, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := b.WriteFile(root, "./.assay//bundles/"); err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(path); err != nil || !bytes.Equal(data, b.Bytes()) {
		t.Errorf("a different file was left alone: %v", err)
	}
	onlyFile(t, filepath.Dir(path), filepath.Base(path))
}

// What comes in pieces is written by the rules of what is at hand: whole or not at all, and
// not at all where it is there already.
func TestWriteStream(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	root, path, old := openRoot(t, dir), filepath.Join(dir, "a", "report.json"), time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC)
	write := func(pieces ...string) error {
		return WriteStream(root, "a/report.json", func(w io.Writer) error {
			for _, p := range pieces {
				if p == "fail" {
					return errors.New("fail")
				}
				if _, err := io.WriteString(w, p); err != nil {
					return err
				}
			}
			return nil
		})
	}
	long := strings.Repeat("x", 1<<17)
	for _, step := range []struct {
		name   string
		pieces []string
		want   string
		kept   bool
		fails  bool
	}{
		{"new", []string{"one", " two"}, "one two", false, false},
		{"the same", []string{"one t", "wo"}, "one two", true, false},
		{"shorter", []string{"one"}, "one", false, false},
		{"longer", []string{"one", long}, "one" + long, false, false},
		{"the same, and long", []string{"one" + long}, "one" + long, true, false},
		{"half, and an error", []string{"two", long, "fail"}, "one" + long, true, true},
		{"of that length", []string{"two" + long}, "two" + long, false, false},
		{"nothing", nil, "", false, false},
	} {
		if err := os.Chtimes(path, old, old); err != nil && step.name != "new" {
			t.Fatal(err)
		}
		if err := write(step.pieces...); (err != nil) != step.fails {
			t.Errorf("%s: %v", step.name, err)
		}
		data, err := os.ReadFile(path)
		if err != nil || string(data) != step.want {
			t.Errorf("%s: %d bytes, %v", step.name, len(data), err)
		}
		if info, err := os.Stat(path); err != nil || info.ModTime().Equal(old) != step.kept {
			t.Errorf("%s: left alone is not %t: %v, %v", step.name, step.kept, info, err)
		}
		onlyFile(t, filepath.Dir(path), "report.json")
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(path, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := write("one"); err == nil || !strings.Contains(err.Error(), "is a folder") {
		t.Errorf("over a folder: %v", err)
	}
}

func onlyFile(t *testing.T, dir, name string) {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil || len(list) != 1 || list[0].Name() != name {
		t.Errorf("in %s: %v, %v", dir, list, err)
	}
}

// The target is never outside of the root.
func TestWriteFileStaysInside(t *testing.T) {
	b := mustBuild(t, fixtureSource(fixtureFiles()))
	outside := t.TempDir()
	dir := t.TempDir()
	for _, link := range []struct{ target, name string }{
		{outside, "out"}, {"..", "up"}, {"real", "in"}, {"/", "top"}, {"missing", "dangling"},
	} {
		if err := os.Symlink(link.target, filepath.Join(dir, link.name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "real"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	root := openRoot(t, dir)
	for _, bad := range []string{"..", "../x", "a/../../x", "/abs", outside, "out", "out/x", "up", "up/x", "top/x", "dangling/x", "file/x", "in", "in/x"} {
		if w, err := b.WriteFile(root, bad); err == nil {
			t.Errorf("%s: written to %s", bad, w.Path)
		}
	}
	for _, good := range []string{".", "real", "a/../real"} {
		if _, err := b.WriteFile(root, good); err != nil {
			t.Errorf("%s: %v", good, err)
		}
	}
	if list, err := os.ReadDir(outside); err != nil || len(list) > 0 {
		t.Errorf("outside: %v, %v", list, err)
	}
	// The last step is no way out either: a link at the file's own name is replaced.
	path := filepath.Join(dir, "real", b.RunID+".tar.gz")
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	victim := filepath.Join(outside, "victim")
	if err := os.WriteFile(victim, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(victim, path); err != nil {
		t.Fatal(err)
	}
	if _, err := b.WriteFile(root, "real"); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
		t.Errorf("the link is still there: %v, %v", info.Mode(), err)
	}
	// A folder at the file's name is an error, and nothing is left behind.
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(path, 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := b.WriteFile(root, "real"); err == nil {
		t.Error("a folder was replaced")
	}
	onlyFile(t, filepath.Join(dir, "real"), filepath.Base(path))
}

// The gate writes bundles concurrently, into folders that none has made yet.
func TestWriteFileConcurrently(t *testing.T) {
	dir := t.TempDir()
	root := openRoot(t, dir)
	b := mustBuild(t, fixtureSource(fixtureFiles()))
	errs := make([]error, 8)
	var wg sync.WaitGroup
	for i := range errs {
		wg.Go(func() { _, errs[i] = b.WriteFile(root, "a/b/c") })
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			t.Error(err)
		}
	}
	onlyFile(t, filepath.Join(dir, "a/b/c"), b.RunID+".tar.gz")
}
