package dvc

import (
	"encoding/base64"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/replay-gate/replay-gate/verify"
)

// treeOf is a tree of texts.
func treeOf(files map[string]string) *verify.Tree {
	fsys := make(fstest.MapFS)
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return verify.NewTree(fsys)
}

// judged judges the lock at name.
func judged(t *testing.T, files map[string]string, name string) verify.Result {
	t.Helper()
	return Format{}.Verify(t.Context(), &verify.Evidence{Path: name, Tree: treeOf(files)})
}

// rowOf is the check of a field; the zero Check if there is none.
func rowOf(r verify.Result, field string) verify.Check {
	for _, c := range r.Checks {
		if c.Field == field {
			return c
		}
	}
	return verify.Check{}
}

// told writes the rows that are not ok, one a line, as "FAIL field code".
func told(r verify.Result) string {
	var b strings.Builder
	for _, c := range r.Checks {
		if c.Status != verify.OK {
			b.WriteString(string(c.Status) + " " + c.Field + " " + c.Code + "\n")
		}
	}
	return b.String()
}

// blob is the content of a file in a vector: a text, or {"base64": …}.
type blob string

func (b *blob) UnmarshalJSON(data []byte) error {
	var text string
	if err := json.Unmarshal(data, &text); err == nil {
		*b = blob(text)
		return nil
	}
	var packed struct{ Base64 []byte }
	if err := json.Unmarshal(data, &packed); err != nil {
		return err
	}
	*b = blob(packed.Base64)
	return nil
}

var _ = base64.StdEncoding // the encoding of []byte in JSON

// vector is a repository that the real DVC made, and what it says of edits to it.
type vector struct {
	name  string
	DVC   string
	Files map[string]blob
	Cases []struct {
		Name   string
		Write  map[string]blob
		Remove []string
		Status json.RawMessage
	}
}

func vectors(t testing.TB) []vector {
	t.Helper()
	names, err := filepath.Glob("../../testdata/dvc/*.json")
	if err != nil || len(names) == 0 {
		t.Fatal("no vectors", err)
	}
	var all []vector
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		v := vector{name: strings.TrimSuffix(filepath.Base(name), ".json")}
		if err := json.Unmarshal(data, &v); err != nil {
			t.Fatal(err)
		}
		all = append(all, v)
	}
	return all
}
