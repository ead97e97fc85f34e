package aos

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/replay-gate/replay-gate/verify"
)

// vectors is the folder of the vectors as a tree.
func vectors() *verify.Tree { return verify.NewTree(os.DirFS("../../testdata/aos/vectors")) }

// read is the text of a vector.
func read(t testing.TB, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("../../testdata/aos/vectors", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// edit makes one replacement in a text that holds old exactly once.
func edit(t testing.TB, text, old, with string) string {
	t.Helper()
	if strings.Count(text, old) != 1 {
		t.Fatalf("the text holds %q %d times", old, strings.Count(text, old))
	}
	return strings.Replace(text, old, with, 1)
}

// tree holds files by name.
func tree(files map[string]string) *verify.Tree {
	fsys := make(fstest.MapFS)
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return verify.NewTree(fsys)
}

// judged is the result for one file of a tree.
func judged(t *verify.Tree, name string) verify.Result {
	return Format{}.Verify(context.Background(), &verify.Evidence{Path: name, Tree: t})
}

// alone is the result for a text with nothing beside it.
func alone(name, text string) verify.Result { return judged(tree(map[string]string{name: text}), name) }

// bad writes the checks that are neither ok nor info, one a line, as
// "FAIL field code line:column".
func bad(r verify.Result) string {
	var b strings.Builder
	for _, c := range r.Checks {
		if c.Status == verify.Fail || c.Status == verify.Warn {
			fmt.Fprintf(&b, "%s %s %s %d:%d\n", c.Status, c.Field, c.Code, c.Location.Line, c.Location.Column)
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// faults is bad without the places.
func faults(r verify.Result) string {
	lines := strings.Split(bad(r), "\n")
	for i, l := range lines {
		if k := strings.LastIndexByte(l, ' '); k >= 0 {
			lines[i] = l[:k]
		}
	}
	return strings.Join(lines, "\n")
}

// row is the check of a field.
func row(t testing.TB, r verify.Result, field string) verify.Check {
	t.Helper()
	for _, c := range r.Checks {
		if c.Field == field {
			return c
		}
	}
	t.Fatalf("no check of %s in %+v", field, r.Checks)
	return verify.Check{}
}

// says fails the test unless the check has the status and speaks of the words.
func says(t testing.TB, c verify.Check, status verify.Status, words ...string) {
	t.Helper()
	for _, w := range words {
		if !strings.Contains(c.Reason, w) {
			t.Errorf("%s: reason %q, want one with %q", c.Field, c.Reason, w)
		}
	}
	if c.Status != status {
		t.Errorf("%s is %s, want %s: %+v", c.Field, c.Status, status, c)
	}
}
