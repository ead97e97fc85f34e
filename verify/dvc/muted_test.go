package dvc

import (
	"strings"
	"testing"

	"github.com/replay-gate/replay-gate/verify"
)

// proofs writes the rows that are not ok, one a line, as [told] does, with "?" behind one
// that can't tell.
func proofs(r verify.Result) string {
	var b strings.Builder
	for _, c := range r.Checks {
		if c.Status == verify.OK {
			continue
		}
		b.WriteString(string(c.Status) + " " + c.Field + " " + c.Code)
		if c.Unproven {
			b.WriteString("?")
		}
		b.WriteString("\n")
	}
	return b.String()
}

// What DVC does not look at any more is said, and is proven only where it would hold: a
// change that edits an input and mutes it at once has run nothing.
func TestMuted(t *testing.T) {
	t.Parallel()
	lock := func(params string) string {
		return "schema: '2.0'\nstages:\n  a:\n    cmd: run\n    params:\n" + params
	}
	pipeline := func(rest string) string { return "stages:\n  a:\n    cmd: run\n    deps: [x]\n" + rest }
	const (
		none   = ""
		frozen = "    frozen: true\n    params: [lr]\n"
		twoKey = "      params.yaml: {lr: 1, n: 2}\n"
		oneKey = "      params.yaml: {lr: 1}\n"
		x      = "FAIL stages.a.deps.x not-recorded\n"
	)
	for _, tc := range []struct {
		name, rest, recorded, params, want string
	}{
		{"unlisted, holds", none, oneKey, "lr: 1.0\n", "info stages.a.params.params.yaml no-longer-listed\n"},
		{"unlisted, differs", none, oneKey, "lr: 2\n", "info stages.a.params.params.yaml no-longer-listed?\n"},
		{"unlisted, gone", none, oneKey, "n: 2\n", "info stages.a.params.params.yaml no-longer-listed?\n"},
		{"unlisted, broken", none, oneKey, "lr: [\n", "info stages.a.params.params.yaml no-longer-listed?\n"},
		{"unlisted, no file", none, oneKey, "", "info stages.a.params.params.yaml no-longer-listed?\n"},
		{"unlisted, the second of two differs", none, twoKey, "lr: 1\nn: 3\n", "info stages.a.params.params.yaml no-longer-listed?\n"},
		{"unlisted, a file without keys", none, "      params.yaml: {}\n", "lr: 2\n", "info stages.a.params.params.yaml no-longer-listed\n"},
		{"unlisted, Python", none, "      p.py: {lr: 1}\n", "-", "info stages.a.params.p.py no-longer-listed\n"},
		{"unlisted, outside", none, "      ../p.yaml: {lr: 1}\n", "-", "info stages.a.params.../p.yaml no-longer-listed\n"},
		{"listed by another spelling", "    params: [{./params.yaml: [lr]}]\n", oneKey, "lr: 1\n", ""},
		{"another file is listed", "    params: [{q.yaml: [lr]}]\n", oneKey, "lr: 1\n",
			"FAIL stages.a.params.q.yaml not-recorded\ninfo stages.a.params.params.yaml no-longer-listed\n"},
		{"a key no longer listed, holds", "    params: [lr]\n", twoKey, "lr: 1\nn: 2\n", "info stages.a.params.params.yaml:n no-longer-listed\n"},
		{"a key no longer listed, differs", "    params: [lr]\n", twoKey, "lr: 1\nn: 3\n", "info stages.a.params.params.yaml:n no-longer-listed?\n"},
		{"the whole file", "    params: [{params.yaml: }]\n", twoKey, "lr: 1\nn: 2\n", ""},
		{"the whole file, a key gone", "    params: [{params.yaml: }]\n", twoKey, "lr: 1\n", "FAIL stages.a.params.params.yaml:n key-gone\n"},
		{"the whole file, a key more", "    params: [{params.yaml: }]\n", oneKey, "lr: 1\nn: 2\n", "FAIL stages.a.params.params.yaml:n not-recorded\n"},
		{"the whole file and keys", "    params: [lr, {params.yaml: }]\n", twoKey, "lr: 1\nn: 3\n", "FAIL stages.a.params.params.yaml:n value-differs\n"},
		{"frozen, holds", frozen, oneKey, "lr: 1\n", "info stages.a.params.params.yaml frozen\n"},
		{"frozen, differs", frozen, oneKey, "lr: 2\n", "info stages.a.params.params.yaml frozen?\n"},
		{"frozen, broken", frozen, oneKey, "lr: [\n", "info stages.a.params.params.yaml frozen?\n"},
		{"frozen, no file", frozen, oneKey, "", "info stages.a.params.params.yaml frozen?\n"},
		{"frozen, not recorded", frozen, "      q.yaml: {lr: 1}\n", "lr: 1\n",
			"info stages.a.params.params.yaml frozen\ninfo stages.a.params.q.yaml no-longer-listed?\n"},
		{"listed, no file", "    params: [lr]\n", oneKey, "", "info stages.a.params.params.yaml not-in-git?\n"},
		{"listed, a folder there", "    params: [{d: [lr]}]\n", "      d: {lr: 1}\n", "-", "FAIL stages.a.params.d unreadable\n"},
		{"NaN there, NaN recorded", "    params: [lr]\n", "      params.yaml: {lr: .nan}\n", "lr: .nan\n", "info stages.a.params.params.yaml:lr not-a-number\n"},
		{"NaN recorded alone", "    params: [lr]\n", "      params.yaml: {lr: .nan}\n", "lr: 1\n", "FAIL stages.a.params.params.yaml:lr value-differs\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			files := map[string]string{"dvc.yaml": pipeline(tc.rest), "dvc.lock": lock(tc.recorded), "d/x": "", "p.py": "lr = 1\n"}
			if tc.params != "" {
				files["params.yaml"] = tc.params
			}
			r := judged(t, files, lockName)
			want := x + tc.want
			if strings.Contains(tc.rest, "frozen: true") {
				want = "info stages.a.frozen frozen\n" + want
			}
			if got := proofs(r); got != want {
				t.Errorf("\n%swant\n%s", got, want)
			}
			for _, in := range r.Inputs {
				if in.Role == "params" && in.Key == "" && in.Missing != (in.Path != "d" && files[in.Path] == "") {
					t.Errorf("%+v", in)
				}
			}
			for _, c := range r.Checks {
				if strings.HasSuffix(c.Field, "params.yaml:lr") && c.Code == "value-differs" && (c.Observed == "" || c.Recorded == "" || len(c.Command) == 0) {
					t.Errorf("%+v", c)
				}
				if c.Status == verify.OK && len(c.Command) != 0 {
					t.Errorf("a step for what holds: %+v", c)
				}
			}
		})
	}
}

// The same of dependencies: a frozen one that would fail, warn, or not be told is unproven,
// and nothing of the judgement aside stays in the rows.
func TestMutedDependencies(t *testing.T) {
	t.Parallel()
	pipe := "stages:\n  a:\n    cmd: run a\n    frozen: true\n    deps: [in.csv]\n    outs: [m.json: {cache: false}]\n"
	for _, tc := range []struct {
		name, path, text, recorded string
		unproven                   bool
	}{
		{"holds", "in.csv", "1\n", entryOf("in.csv", "1\n"), false},
		{"holds with CRLF", "in.csv", "1\n", entryOf("in.csv", "1\r\n"), false},
		{"differs", "in.csv", "1\n", entryOf("in.csv", "2\n"), true},
		{"not in git", "x", "", entryOf("in.csv", "1\n"), true},
		{"a folder of fewer files", "in.csv/a", "1", "    - {path: in.csv, hash: md5, md5: " + sum("") + ".dir, size: 1, nfiles: 2}\n", true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			lock := lockA(tc.recorded, entryOf("m.json", "{}\n"))
			r := judged(t, map[string]string{"dvc.yaml": pipe, lockName: lock, "m.json": "{}\n", tc.path: tc.text}, lockName)
			want := "info stages.a.frozen frozen\ninfo stages.a.deps.in.csv frozen"
			if tc.unproven {
				want += "?"
			}
			if got := proofs(r); got != want+"\n" {
				t.Errorf("\n%swant\n%s", got, want)
			}
			// The same entry, no longer listed.
			gone := strings.Replace(strings.Replace(pipe, "    frozen: true\n", "", 1), "    deps: [in.csv]\n", "", 1)
			r = judged(t, map[string]string{"dvc.yaml": gone, lockName: lock, "m.json": "{}\n", tc.path: tc.text}, lockName)
			if c := rowOf(r, "stages.a.deps.in.csv"); c.Code != "no-longer-listed" || c.Unproven != tc.unproven || len(r.Checks) != 3 {
				t.Errorf("%+v", r.Checks)
			}
		})
	}
}

// A stage whose folder can't be told leaves all of it open, and the commands of several are
// told apart by the file that they stand in.
func TestCommandRow(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"sub/dvc.yaml": "stages:\n  a:\n    cmd: run  a\n    deps: [x]\n  b:\n    cmd: run ${no}\n    deps: [x]\n  c:\n    cmd: run c\n    deps: [x]\n",
		"sub/dvc.lock": "schema: '2.0'\nstages:\n  a: {cmd: run a}\n  b: {cmd: run b}\n  c: {cmd: run c}\n",
	}
	r := judged(t, files, "sub/dvc.lock")
	a, b, c := rowOf(r, "stages.a.cmd"), rowOf(r, "stages.b.cmd"), rowOf(r, "stages.c.cmd")
	if a.Code != "command-layout" || a.Observed != "run  a" || a.Recorded != "run a" || strings.Join(a.Command, " ") != "dvc commit sub/dvc.yaml:a" {
		t.Errorf("%+v", a)
	}
	if b.Code != "templated" || !b.Unproven || b.Observed != "" || b.Recorded != "run b" {
		t.Errorf("%+v", b)
	}
	if c.Status != verify.OK || c.Observed != "" || c.Recorded != "run c" {
		t.Errorf("%+v", c)
	}
	files = map[string]string{"dvc.yaml": files["sub/dvc.yaml"], "dvc.lock": files["sub/dvc.lock"]}
	if a := rowOf(judged(t, files, lockName), "stages.a.cmd"); strings.Join(a.Command, " ") != "dvc commit a" {
		t.Errorf("%+v", a)
	}
}
