package dvc

import (
	"math/big"
	"strings"
	"testing"

	"github.com/replay-gate/replay-gate/verify"
)

// valueOf reads one YAML value.
func valueOf(t *testing.T, text string) (value, error) {
	t.Helper()
	d, err := readYAML([]byte(text))
	if err != nil {
		return nil, err
	}
	return d.value()
}

// Python's datetime: an offset is part of the instant, one without is another than one with,
// and there is no 24:00 and no second 60.
func TestInstants(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		a, b string
		want bool
	}{
		{"2020-01-02T03:04:05Z", "2020-01-02 04:04:05+01:00", true},
		{"2020-01-02T03:04:05Z", "2020-01-02 02:34:05 -00:30", true},
		{"2020-01-02T03:04:05Z", "2020-01-02 02:04:05+01:00", false},
		{"2020-01-02T03:04:05Z", "2020-01-02T03:04:05", false},
		{"2020-01-02T03:04:05+00:00", "2020-01-02T03:04:05", false},
		{"2020-01-02T03:04:05.5", "2020-01-02T03:04:05.500", true},
		{"2020-01-02T00:00:00", "2020-01-02", false},
		{"2020-01-02T23:59:59", "2020-01-02T23:59:59", true},
	} {
		a, err := valueOf(t, tc.a)
		b, err2 := valueOf(t, tc.b)
		steps := maxSteps
		if err != nil || err2 != nil || equal(a, b, &steps) != tc.want {
			t.Errorf("%s (%v, %v) == %s (%v, %v) is not %t", tc.a, a, err, tc.b, b, err2, tc.want)
		}
	}
	for _, text := range []string{"2020-01-02T24:00:00", "2020-01-02T00:60:00", "2020-01-02T00:00:60", "2020-02-30", "2020-13-01T00:00:00"} {
		if v, err := valueOf(t, text); err == nil {
			t.Errorf("%s is %v", text, v)
		}
	}
}

// Tags, as ruamel.yaml's round trip reads them; what is not what its tag says is refused.
func TestTags(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]value{
		"!!int '12'": big.NewInt(12), "!!float '1.5'": 1.5, "!!binary aGk=": `b"hi"`, "!!str 12": "12", "!!null x": nil, "!!bool yes": true,
	} {
		if got, err := valueOf(t, text); err != nil || show(got) != show(want) {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"!!int ''", "!!float ''", "!!int '" + strings.Repeat("1", maxDigits+1) + "'", "!!float '" + strings.Repeat("1", maxDigits+1) + "'",
		"!!binary '*'", "!!bool 2", "!x 1", "!x [1]", "!x {a: 1}", "!!map [1]", "!!seq {a: 1}", "a\n---\nb"} {
		if v, err := valueOf(t, text); err == nil {
			t.Errorf("%.20s is read as %v", text, v)
		}
	}
	for _, text := range []string{"!!seq [1]", "!!map {a: 1}"} {
		if _, err := valueOf(t, text); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// The directive stands before the document's first line, comments and other directives apart.
func TestYAML11(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]value{
		"%YAML 1.1\n---\nyes": true, "# c\n\n%YAML 1.1\n---\nyes": true, "%TAG ! tag:x,2000:\n%YAML 1.1\n---\nyes": true, "yes": "yes",
		"%YAML 1.2\n---\nyes": "yes", "# 1.1\n%YAML 1.2 # later\r\n---\nno": "no",
		"a: |\n  %YAML 1.1\n": "|",
	} {
		got, err := valueOf(t, text)
		if d, ok := got.(*dict); ok {
			got = "|"
			if v, _ := d.text("a"); v != value("%YAML 1.1\n") {
				t.Errorf("%q: %v", text, v)
			}
		}
		if err != nil || got != want {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
	if got := (&parseError{0, "why"}).Error() + (&parseError{2, "why"}).Error(); got != "whyline 2: why" {
		t.Error(got)
	}
}

// Python's "value or {}".
func TestOrEmpty(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{"": true, "''": true, "[]": true, "{}": true, "0": true, "0.0": true, "false": true, "x": false, "[0]": false, "1": false, "true": false, "{a: 1}": false} {
		v, err := valueOf(t, text)
		if err != nil || isEmpty(v) != want {
			t.Errorf("%q: %v, %v", text, v, err)
		}
	}
}

// What is shown of a value is JSON, and bounded.
func TestShow(t *testing.T) {
	t.Parallel()
	v, err := valueOf(t, "[1, {a: x, 2: ~}, [], {}, true, 1.5, 2020-01-02]")
	if got := show(v); err != nil || got != `[1, {"a": "x", 2: null}, [], {}, true, 1.5, 2020-01-02]` {
		t.Errorf("%v, %s", err, got)
	}
	long := make([]value, 100_000)
	for i := range long {
		long[i] = "word"
	}
	if got := show(long); len(got) > 3*len(long) || len(got) < verify.MaxValue {
		t.Errorf("%d bytes of a long list", len(got))
	}
	huge := new(big.Int).Lsh(big.NewInt(1), 8*verify.MaxValue)
	if got := show(huge); !strings.HasPrefix(got, "(an integer of ") {
		t.Errorf("%.40s", got)
	}
	if got := show(new(big.Int).Lsh(big.NewInt(1), 64)); got != "18446744073709551616" {
		t.Error(got)
	}
	hidden, _ := hide(long[:maxShown+50], new(int)).([]value)
	if len(hidden) != maxShown || hidden[0] != value("word") || hidden[maxShown-1] != value("…") || hidden[maxShown-2] != value("word") {
		t.Errorf("%d values, the last %v", len(hidden), hidden[len(hidden)-1])
	}
}

// A file named dvc.lock is one, unless it is long, whole, and has no mark; another needs a mark.
func TestMarks(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("#\n", shortest)
	for _, tc := range []struct {
		name, text string
		want       bool
	}{
		{"a/dvc.lock", "", true}, {"dvc.lock", long[:shortest], true}, {"dvc.lock", long[:shortest+2], false},
		{"dvc.lock", "<<<<<<< a\n" + long, true}, {"dvc.lock", long + "stages:\n", true},
		{"x.lock", "", false}, {"x.lock", "<<<<<<< a\n", false}, {"x.lock", "schema: '2.0'\n", true},
	} {
		if got := isLock(tc.name, []byte(tc.text)); got != tc.want {
			t.Errorf("%s, %.20q: %t", tc.name, tc.text, got)
		}
	}
	for name, want := range map[string]string{"dvc.lock": "dvc", "a/dvc.lock": "a", "a/b/dvc.lock": "b", "/dvc.lock": "dvc"} {
		if got := runName(name); got != want {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// A lock of version 1 has its stages at the top, one called "stages" among them; a lock of
// version 2 without its schema is refused, and read.
func TestVersionOne(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"stages:\n  cmd: run\n":                             "stages",
		"stages:\n  cmd: [run]\n":                           "stages",
		"stages:\n  a: {cmd: run}\n":                        "a!",
		"stages:\n  cmd: {cmd: run}\n":                      "cmd!", // a stage called "cmd"
		"stages:\n  cmd: run\nb:\n  cmd: run\n":             "stages b",
		"a:\n  cmd: run\n":                                  "a",
		"schema: '2.0'\nstages:\n  stages: {cmd: run}\n":    "stages",
		"stages:\n  deps: []\n  cmd: run\n":                 "stages",
		"stages:\n  b: {cmd: run}\n  cmd: {cmd: run}\n":     "b cmd!",
		"schema: '2.0'\nstages:\n  a: {cmd: run}\nother: 1": "a!",
	} {
		l, err := readLock([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, s := range l.stages {
			names = append(names, s.name)
		}
		got := strings.Join(names, " ")
		if len(l.problems) > 0 {
			got += "!"
		}
		if got != want {
			t.Errorf("%q: %s, want %s (%v)", text, got, want, l.problems)
		}
	}
}

// The last entry breaks off where it lacks what all others have.
func TestCutOff(t *testing.T) {
	t.Parallel()
	const head = "schema: '2.0'\nstages:\n  a:\n    cmd: run\n    deps:\n"
	with := func(size bool) string {
		text := "    - path: x\n      md5: " + sum("") + "\n"
		if size {
			text += "      size: 0\n"
		}
		return text
	}
	for _, tc := range []struct {
		text string
		want bool
	}{
		{with(true) + with(true), false}, {with(true) + with(false), true}, {with(false) + with(false), false}, {with(false) + with(true), false},
		{with(false) + with(true) + with(false), false}, {with(false), true},
		{strings.Replace(with(true), sum(""), sum("")+".dir", 1), true},
		{strings.Replace(with(true), sum(""), sum("")+".dir", 1) + "      nfiles: 1\n", false},
	} {
		l, err := readLock([]byte(head + tc.text))
		if err != nil || (len(l.problems) > 0) != tc.want || tc.want && l.problems[0].code != "truncated" {
			t.Errorf("%s: %v, %v", tc.text, err, l.problems)
		}
	}
}

// DVC 3 writes a path as it is spelled; what is no path of the repository stays as it is.
func TestClean(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{"": "", "./a//b": "a/b", `a\b`: "a/b", "s3://b//k": "s3://b//k", `C:\a\..\b`: `C:\a\..\b`, "a/..": "."} {
		if got := clean(name); got != want {
			t.Errorf("%q: %q", name, got)
		}
	}
}

// dvc/parsing/context.py: names come from params.yaml and vars, in files, selected keys, and
// mappings; what is defined twice, or not there, can't be told.
func TestNames(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ vars, cmd, want string }{
		{"", "run ${p}", "run 1"},
		{"vars: [v.yaml]\n", "run ${l[0]} ${l[-1]} ${d.k}", "run a b c"},
		{"vars: [v.yaml]\n", "run ${l[2]}", ""},
		{"vars: [v.yaml]\n", "run ${l[-3]}", ""},
		{"vars: [v.yaml]\n", "run ${l[x]}", ""},
		{"vars: [v.yaml]\n", "run ${l}", ""},
		{"vars: ['v.yaml:s,d']\n", "run ${s} ${d.k}", "run t c"},
		{"vars: ['v.yaml:s,,d']\n", "run ${s} ${d.k}", "run t c"},
		{"vars: ['v.yaml:s']\n", "run ${d.k}", ""},
		{"vars: ['v.yaml:none']\n", "run ${p}", ""},
		{"vars: [v.yaml, v.yaml]\n", "run ${s}", "run t"},
		{"vars: ['v.yaml:s', 'v.yaml:s']\n", "run ${s}", ""},
		{"vars: [{q: 2}, {d: {e: 3}}, v.yaml]\n", "run ${q} ${d.e} ${d.k}", "run 2 3 c"},
		{"vars: [{d: {k: 3}}, v.yaml]\n", "run ${p}", ""},
		{"vars: [{p: 2}]\n", "run ${p}", ""},
		{"vars: [none.yaml, {q: 2}]\n", "run ${q}", ""},
		{"vars: [1]\n", "run ${p}", ""},
		{"vars: x\n", "run ${p}", ""},
		{"", "${p}", ""}, // a command that is a number
		{"vars: [v.yaml]\n", "${s} ${s}", "t t"},
	} {
		files := map[string]string{
			"params.yaml": "p: 1\n", "v.yaml": "l: [a, b]\ns: t\nd: {k: c}\n",
			"dvc.yaml": tc.vars + "stages:\n  a:\n    cmd: " + tc.cmd + "\n    deps: [x]\n",
		}
		p := readPipeline(treeOf(files), pipelineName)
		if p.err != nil {
			t.Fatal(p.err)
		}
		st := p.byName["a"]
		if got, _ := st.cmd.(string); got != tc.want || st.cmdErr != nil && tc.want != "" {
			t.Errorf("%s%s: %v, %v; want %q", tc.vars, tc.cmd, st.cmd, st.cmdErr, tc.want)
		}
	}
	// A stage's own vars come on top, and are of no other stage.
	p := readPipeline(treeOf(map[string]string{
		"sub/v.yaml": "q: 5\n",
		"dvc.yaml":   "stages:\n  a:\n    wdir: sub\n    vars: [v.yaml, {r: 6}]\n    cmd: run ${q} ${r}\n  b:\n    cmd: run ${q}\n",
	}), pipelineName)
	if a, b := p.byName["a"], p.byName["b"]; a.cmd != value("run 5 6") || a.wdir != "sub" || b.cmdErr == nil || strings.Join(p.vars, " ") != "sub/v.yaml" {
		t.Errorf("%+v\n%+v\n%v", a, b, p.vars)
	}
}

// A folder's files that fill the bounds are told, and no verdict is guessed.
func TestFolderBounds(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"dvc.yaml": "stages:\n  a:\n    cmd: run\n    deps: [src]\n    outs: [out: {cache: false}]\n",
		"dvc.lock": "schema: '2.0'\nstages:\n  a:\n    cmd: run\n    deps:\n    - {path: src, hash: md5, md5: " + sum("") + ".dir, size: 1, nfiles: 1}\n" +
			"    outs:\n    - {path: out, hash: md5, md5: " + sum("") + ".dir, size: 1, nfiles: 1}\n",
		"src/a": "", "out/a": "",
	}
	e := &verify.Evidence{Path: lockName, Tree: treeOf(files)}
	l, err := readLock([]byte(files[lockName]))
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		left int
		want string
	}{
		{0, "warn stages.a.deps.src too-large\nwarn stages.a.outs.out too-large\n"},
		{1, "FAIL stages.a.deps.src folder-differs\nwarn stages.a.outs.out too-large\n"},
		{2, "FAIL stages.a.deps.src folder-differs\nFAIL stages.a.outs.out folder-differs\n"},
	} {
		j := newJudge(t.Context(), e)
		j.lock, j.files = l, tc.left
		j.all()
		r := verify.Result{Checks: j.rows.Checks}
		if got := told(r); got != tc.want {
			t.Errorf("%d files: %s", tc.left, got)
		}
		if tc.left == 2 {
			dep, out := rowOf(r, "stages.a.deps.src").Reason, rowOf(r, "stages.a.outs.out").Reason
			if !strings.HasPrefix(dep, "changed, 1 file in git, 1 file recorded and at least one is another: a has not been run again") ||
				out != "not what a wrote: 1 file in git, 1 file recorded, and at least one is another" {
				t.Errorf("%s\n%s", dep, out)
			}
			for _, in := range j.in.sorted() {
				if in.Role == "member" && in.Subject != strings.HasPrefix(in.Path, "out") {
					t.Errorf("%+v", in)
				}
			}
		}
	}
	// Where the lock says no number of files, none is worded.
	r := judged(t, map[string]string{"dvc.yaml": files["dvc.yaml"], "src/a": "", "dvc.lock": strings.ReplaceAll(files["dvc.lock"], ", nfiles: 1", "")}, lockName)
	if c := rowOf(r, "stages.a.deps.src"); c.Code != "folder-differs" || strings.Contains(c.Reason, "recorded") || !strings.Contains(c.Reason, "1 file in git;") {
		t.Errorf("%+v", c)
	}
}

// Stages that dvc.yaml no longer has: their results belong to whoever wrote them first, and
// those of a loop whose items can't be told may still be there.
func TestGoneStages(t *testing.T) {
	t.Parallel()
	out := "    outs:\n" + entryOf("m.bin", "1")
	for _, tc := range []struct{ pipe, lock, want string }{
		{"stages:\n  n:\n    cmd: run\n    outs: [m.bin]\n", "  a:\n    cmd: run\n" + out + "  b:\n    cmd: run\n" + out,
			"never run, but its output m.bin is recorded of stage a"},
		{"stages:\n  n:\n    cmd: run\n    outs: [m.bin]\n  a:\n    cmd: run\n    outs: [m.bin]\n", "  a:\n    cmd: run\n" + out, "never run: the lock does not have it"},
		{"stages:\n  n:\n    wdir: '${no}'\n    cmd: run\n    outs: [m.bin]\n", "  a:\n    cmd: run\n" + out, ""},
	} {
		r := judged(t, map[string]string{"dvc.yaml": tc.pipe, "dvc.lock": "schema: '2.0'\nstages:\n" + tc.lock}, lockName)
		if c := rowOf(r, "stages.n"); tc.want != "" && c.Reason != tc.want || tc.want == "" && c.Code != "templated" {
			t.Errorf("%s: %+v", tc.pipe, c)
		}
	}
	r := judged(t, map[string]string{
		"dvc.yaml": "stages:\n  g:\n    foreach: ${no}\n    do: {cmd: run}\n  g@x:\n    foreach: ${none}\n    do: {cmd: run}\n",
		"dvc.lock": "schema: '2.0'\nstages:\n  g@1: {cmd: run}\n  g@x@1: {cmd: run}\n  h@1: {cmd: run}\n",
	}, lockName)
	if got := told(r); got != "info stages.g@1 templated\ninfo stages.g@x@1 templated\ninfo stages.h@1 no-longer-listed\n" {
		t.Error(got)
	}
	if c := rowOf(r, "stages.g@x@1"); !strings.Contains(c.Reason, `"none" is not`) {
		t.Error(c.Reason)
	}
}

// Nothing to depend on is run every time, unless what it depends on can't be told.
func TestAlways(t *testing.T) {
	t.Parallel()
	for rest, want := range map[string]bool{"": true, "    deps: ['${no}']\n": false, "    outs: ['${no}']\n": false, "    params: ['${no}']\n": false, "    deps: [x]\n": false} {
		r := judged(t, map[string]string{"dvc.yaml": "stages:\n  a:\n    cmd: run\n" + rest, "dvc.lock": "schema: '2.0'\nstages:\n  a: {cmd: run}\n"}, lockName)
		if got := rowOf(r, "stages.a.always_changed").Code != ""; got != want {
			t.Errorf("%q: %t", rest, got)
		}
	}
}

// Where each stage stands, and nothing of another key.
func TestLines(t *testing.T) {
	t.Parallel()
	d, err := readYAML([]byte("vars: {a: 1}\nstages:\n  a: 1\n\n  b: 2\n"))
	if err != nil {
		t.Fatal(err)
	}
	if at := lines(d.root); len(at) != 2 || at["a"] != 3 || at["b"] != 5 {
		t.Errorf("%v", at)
	}
	if d, err = readYAML([]byte("stages: [a]\n")); err != nil || len(lines(d.root)) != 0 || len(lines(nil)) != 0 {
		t.Errorf("%v", err)
	}
}
