package dvc

import (
	"io/fs"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/replay-gate/replay-gate/verify"
)

// FuzzVerify judges any lock with any pipeline, parameters, .dvc file and .dvcignore:
// nothing panics, and every row and input can be shown and found.
func FuzzVerify(f *testing.F) {
	for _, v := range vectors(f) {
		f.Add(string(v.Files["dvc.lock"]), string(v.Files["dvc.yaml"]), string(v.Files["params.yaml"]), "outs:\n- path: a\n", "*.log\n!x\n")
	}
	f.Add("a:\n  cmd: x\n  deps:\n  - path: src\n    md5: "+strings.Repeat("0", 32)+".dir\n", "stages: {a: {cmd: x, deps: [src]}}", "<<: *a", "", "[")
	f.Add("schema: '2.0'\nstages: {a@b: {cmd: x}}", "stages: {a: {foreach: [b], do: {cmd: '${item}'}}}", "{a: {<<: {b: 1}}}", "", "**/")
	f.Fuzz(func(t *testing.T, lockText, pipelineText, params, tracked, ignore string) {
		r := judged(t, map[string]string{
			"dvc.lock": lockText, "dvc.yaml": pipelineText, "params.yaml": params, "p.json": params, "p.toml": params,
			"a.dvc": tracked, "src/a.txt": params, "src/x.dvc": tracked, ".dvcignore": ignore, ".gitignore": ignore, "other/dvc.lock": lockText,
		}, lockName)
		if len(r.Checks) == 0 {
			t.Error("no rows")
		}
		fields := make(map[string]bool)
		for _, c := range r.Checks {
			fields[c.Field] = true
			if (c.Status == verify.OK) != (c.Code == "") || c.Reason == "" || c.Field == "" {
				t.Errorf("%+v does not say why", c)
			}
			for _, s := range []string{c.Field, c.Reason, c.Recorded, c.Observed} {
				if len(s) > verify.MaxValue || utf8.ValidString(lockText+pipelineText+params) && !utf8.ValidString(s) {
					t.Errorf("%q can't be shown", s)
				}
			}
		}
		for _, in := range r.Inputs {
			if !fs.ValidPath(in.Path) || in.Field != "" && len(in.Field) < verify.MaxValue && !fields[in.Field] {
				t.Errorf("%+v leads nowhere", in)
			}
		}
		isLock(lockName, []byte(lockText))
	})
}

// FuzzParams reads any text as each kind of parameters: what is read equals itself, unless
// a NaN is in it, and can be looked up and shown.
func FuzzParams(f *testing.F) {
	f.Add(numbersText(f))
	f.Add(`{"a": [1, 2.5, {"b": null}], "c": 1e999}`)
	f.Add("a = 1\n[b.c]\nd = [1, [2]]\ne = 2020-01-02T03:04:05Z\nf = 03:04:05\n")
	f.Add("? [a, b]\n: &x {<<: [{a: 1}, {b: 2}], c: !!int '3'}\ny: *x\n")
	f.Fuzz(func(t *testing.T, text string) {
		for _, ending := range []string{".yaml", ".json", ".toml"} {
			v, err := parseParams([]byte(text), ending)
			if err != nil {
				continue
			}
			steps, more := maxSteps, maxSteps
			if !equal(v, v, &steps) && !holdsNaN(v, &more) && steps > 0 {
				t.Errorf("%s: not equal to itself: %s", ending, show(v))
			}
			lookup(v, "a.0.b")
			if text := masked("a", v); len(text) > verify.MaxValue {
				t.Errorf("%d bytes are shown", len(text))
			}
		}
	})
}

func numbersText(t testing.TB) string {
	for _, v := range vectors(t) {
		if v.name == "numbers" {
			return string(v.Files["params.yaml"])
		}
	}
	return ""
}

// FuzzIgnore compiles any pattern and asks it about any path.
func FuzzIgnore(f *testing.F) {
	for _, text := range []string{"*.log", "!a/**/b/", "[!a-z]", "[[:alpha:]]", `\`, "a/[", "**", "é?", "[]-a]", "[a\\]"} {
		f.Add(text, "a/b/c.log")
	}
	f.Fuzz(func(_ *testing.T, text, name string) {
		if !fs.ValidPath(name) {
			return
		}
		g := newIgnorer(treeOf(map[string]string{ignoreFile: text}), ".", ignoreFile)
		g.file(name)
		g.dir(name)
	})
}

// FuzzTemplate resolves any text: what has no ${…} stays as it is.
func FuzzTemplate(f *testing.F) {
	for _, text := range []string{"${a}", "x ${a.b[0]} y", `\${a}`, "${a", "${}", "${a\n}", "${a}${a}", "$${a}"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		inner := new(dict)
		inner.set("b", []value{"v"})
		root := new(dict)
		root.set("a", inner)
		room := maxText
		v, err := (&scope{root: root, room: &room}).text(text)
		if err == nil && !strings.Contains(text, "${") && v != value(text) {
			t.Errorf("%q became %v", text, v)
		}
	})
}
