package dvc

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/replay-gate/replay-gate/verify"
)

// A judgement that does not get to its end fails: cut off, or of more rows than a lock may have.
func TestNotToTheEnd(t *testing.T) {
	t.Parallel()
	var pipe, lock strings.Builder
	pipe.WriteString("stages:\n  a:\n    cmd: run\n    deps:\n")
	lock.WriteString("schema: '2.0'\nstages:\n  a:\n    cmd: run\n    deps:\n")
	for i := range maxRows + 5 {
		fmt.Fprintf(&pipe, "    - f%d\n", i)
		fmt.Fprintf(&lock, "    - {path: f%d, md5: %s, size: 1}\n", i, sum(""))
	}
	tree := treeOf(map[string]string{"dvc.yaml": pipe.String(), lockName: lock.String()})
	r := Format{}.Verify(t.Context(), &verify.Evidence{Path: lockName, Tree: tree})
	if c := r.Checks[len(r.Checks)-1]; c.Status != verify.Fail || c.Code != "too-many" || len(r.Checks) != maxRows+1 {
		t.Errorf("%d rows, the last %+v", len(r.Checks), c)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r = Format{}.Verify(ctx, &verify.Evidence{Path: lockName, Tree: tree})
	if c := r.Checks[len(r.Checks)-1]; c.Status != verify.Fail || c.Code != "interrupted" || len(r.Checks) != 1 {
		t.Errorf("%d rows, the last %+v", len(r.Checks), c)
	}
}

// What had a say in a verdict is among its inputs: each .dvcignore on the way to a folder's
// files, an output that is no longer listed, a dependency that is not recorded.
func TestInputsOfAll(t *testing.T) {
	t.Parallel()
	listing := treeHash([]member{{"a", sum("1"), true}, {"d/.dvcignore", sum("z\n"), true}})
	r := judged(t, map[string]string{
		".dvcignore": "*.pyc\n", "src/a": "1", "src/d/.dvcignore": "z\n", "src/d/z": "", "other/.dvcignore": "x\n", "old.json": "{}\n", "new.csv": "",
		"dvc.yaml": "stages:\n  a:\n    cmd: run\n    deps: [src, new.csv, gone.csv]\n",
		"dvc.lock": "schema: '2.0'\nstages:\n  a:\n    cmd: run\n    deps:\n    - {path: src, hash: md5, md5: " + listing + ", size: 2, nfiles: 2}\n    outs:\n" + entryOf("old.json", "{}\n"),
	}, lockName)
	var got []string
	for _, in := range r.Inputs {
		s := in.Role + " " + in.Path
		if in.Subject {
			s += " (subject)"
		}
		if in.Missing {
			s += " (missing)"
		}
		got = append(got, s)
	}
	want := []string{
		"pipeline dvc.yaml", "pipeline dvc.yaml", "dvcignore .dvcignore", "dvcignore src/d/.dvcignore", "dep gone.csv (missing)", "dep new.csv",
		"out old.json (subject)", "member src/a", "member src/d/.dvcignore",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%s\nwant\n%s\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"), told(r))
	}
}

// Which line ends hold is said: those of Windows that were hashed, or those that git holds.
func TestWhichLineEnds(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ text, recorded, want string }{
		{"1\n", "1\r\n", "1 recorded path hold with CRLF line ends only, those of a Windows checkout: "},
		{"1\r\n", "1\n", "1 recorded path hold with LF line ends only, and git holds CRLF: "},
	} {
		for _, name := range []string{"in.csv", "in.csv/x"} {
			entry := entryOf("in.csv", tc.recorded)
			if name != "in.csv" {
				entry = "    - {path: in.csv, hash: md5, md5: " + treeHash([]member{{"x", sum(tc.recorded), true}}) + ", size: 1, nfiles: 1}\n"
			}
			r := judged(t, map[string]string{"dvc.yaml": pipelineA, lockName: lockA(entry, entryOf("m.json", "{}\n")), "m.json": "{}\n", name: tc.text}, lockName)
			if c := rowOf(r, "line-ends"); c.Reason != tc.want+"in.csv" {
				t.Errorf("%s: %q", name, c.Reason)
			}
		}
	}
}

// An entry with an md5 is compared, whatever else identifies it.
func TestOtherIdentities(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ entry, want string }{
		{"    - {path: in.csv, etag: x, size: 2}\n", "info stages.a.deps.in.csv external\n"},
		{"    - {path: in.csv, etag: x, hash: md5, md5: " + sum("1\n") + ", size: 2}\n", ""},
		{"    - {path: in.csv, etag: x, hash: md5, md5: " + sum("2\n") + ", size: 2}\n", "FAIL stages.a.deps.in.csv hash-differs\n"},
	} {
		r := judged(t, map[string]string{"dvc.yaml": pipelineA, lockName: lockA(tc.entry, entryOf("m.json", "{}\n")), "m.json": "{}\n", "in.csv": "1\n"}, lockName)
		if got := told(r); got != tc.want {
			t.Errorf("%s: %s", tc.entry, got)
		}
	}
}

// The names of stages hold dots: a field belongs to the longest.
func TestRecallOfTheLongestName(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"dvc.yaml": "stages:\n  a:\n    cmd: run\n    deps: [x]\n  a.cmd:\n    cmd: other\n    deps: [x]\n",
		"dvc.lock": "schema: '2.0'\nstages:\n  a.cmd:\n    cmd: was\n  a:\n    cmd: run\n",
	}
	e := &verify.Evidence{Path: lockName, Tree: treeOf(files)}
	holds := Format{}.Recall(e, verify.Input{Role: "pipeline", Path: pipelineName, Field: "stages.a.cmd.cmd"})
	if holds == nil || !holds([]byte("stages:\n  a.cmd:\n    cmd: was\n")) || holds([]byte(files["dvc.yaml"])) {
		t.Error("a.cmd")
	}
	if holds = (Format{}).Recall(e, verify.Input{Role: "pipeline", Path: pipelineName, Field: "stages.a.cmd"}); holds == nil || !holds([]byte(files["dvc.yaml"])) {
		t.Error("a")
	}
}

// gitignore's brackets: one that is not closed, or is empty, is none.
func TestBracketEnd(t *testing.T) {
	t.Parallel()
	for segment, want := range map[string]int{"[a]": 2, "[!a]": 3, "[^a]": 3, "[]a]": 3, "[!]a]": 4, "[a": -1, "[": -1, "[!": -1, "[]": -1, "[!]": -1, "[^]": -1, "[^]]": 3} {
		if got := bracketEnd(segment, 1); got != want {
			t.Errorf("%s: %d, want %d", segment, got, want)
		}
	}
}
