package evalkit

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/replay-gate/replay-gate/verify"
)

// The fixture that most tests vary: one that the tool wrote.
const (
	greetingPath = ".eval-fixtures/smoke-04d588cb/greeting-18f6b020.jsonl"
	greetingMeta = `{"_meta":{"caseId":"greeting","configHash":"aa6a2f5ddd9e5d98","frameworkVersion":"0.1.0","recordedAt":"2026-02-28T12:00:00.000Z","schemaVersion":"1.0.0","suiteId":"smoke"}}` + "\n"
	greeting     = greetingMeta + `{"output":{"latencyMs":150,"text":"Agent response","toolCalls":[]}}` + "\n"
)

// now is five days after the fixtures were recorded.
var now = time.Date(2026, 3, 5, 0, 0, 0, 0, time.UTC)

// smoke declares the suite of the greeting.
func smoke() Format {
	v := "v2.0.0"
	return Format{Config{Suites: []Suite{{Name: "smoke", TargetVersion: &v}}}}
}

func tree(files map[string]string) *verify.Tree {
	fsys := make(fstest.MapFS)
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return verify.NewTree(fsys)
}

// edited is the greeting with one replacement.
func edited(t *testing.T, old, with string) string {
	t.Helper()
	if strings.Count(greeting, old) != 1 {
		t.Fatalf("the greeting holds %q %d times", old, strings.Count(greeting, old))
	}
	return strings.Replace(greeting, old, with, 1)
}

// judgeText judges text in the greeting's place.
func judgeText(f Format, text string) verify.Result {
	return judgeTree(f, map[string]string{greetingPath: text}, greetingPath)
}

func judgeTree(f Format, files map[string]string, path string) verify.Result {
	return f.Verify(context.Background(), &verify.Evidence{Path: path, Tree: tree(files), Now: verify.At(now)})
}

// bad writes the checks that are not ok, one a line, as
// "FAIL field code line:column".
func bad(r verify.Result) string {
	var lines []string
	for _, c := range r.Checks {
		if c.Status != verify.OK {
			lines = append(lines, fmt.Sprintf("%s %s %s %d:%d", c.Status, c.Field, c.Code, c.Location.Line, c.Location.Column))
		}
	}
	return strings.Join(lines, "\n")
}

// row is the check of a field.
func row(t *testing.T, r verify.Result, field string) verify.Check {
	t.Helper()
	for _, c := range r.Checks {
		if c.Field == field {
			return c
		}
	}
	t.Fatalf("no check of %s in %+v", field, r.Checks)
	return verify.Check{}
}

func readJSON(t *testing.T, name string, into any) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatal(err)
	}
}
