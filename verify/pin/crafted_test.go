package pin

import (
	"fmt"
	"strings"
	"testing"

	"github.com/replay-gate/replay-gate/verify"
)

// Statements that were made to look green while the result or an input is another one
// (DESIGN, section 2: never green by accident). Each is judged over files that are not
// the pinned ones: nothing may be intact, and what was not checked must be told.
func TestCrafted(t *testing.T) {
	t.Parallel()
	sum := func(text string) string { return sumsOf([]byte(text)).sha256 }
	entry := func(name, text string) string {
		return fmt.Sprintf(`{"name": %q, "digest": {"sha256": %q}}`, name, sum(text))
	}
	link := func(subjects, materials string) string {
		return `{"_type": "https://in-toto.io/Statement/v1", "subject": [` + subjects + `], "predicateType": "` + linkType + `",
			"predicate": {"name": "x", "command": ["make"], "materials": [` + materials + `]}}`
	}
	const name = "out/r.md.pin.json"
	files := map[string]string{"out/r.md": "edited", "in/p.md": "edited", "in/ok.md": "ok", "out/ok.md": "ok", "r.md": "was"}
	ok := entry("in/ok.md", "ok")
	for _, tc := range []struct{ name, text, want string }{
		{"a subject with a dot before it", link(entry("./out/r.md", "was"), ok), "FAIL subject:./out/r.md edited"},
		{"a subject with a way back", link(entry("in/../out/r.md", "was"), ok), "FAIL subject:in/../out/r.md edited"},
		{"a subject with two slashes", link(entry("out//r.md", "was"), ok), "FAIL subject:out//r.md edited"},
		{"a subject that ends in a slash", link(entry("out/r.md/", "was"), ok), "FAIL subject:out/r.md/ edited"},
		{"a subject from the root of a machine", link(entry("/out/r.md", "was"), ok),
			"warn subject:/out/r.md not-local\nwarn subject not-named\nFAIL subject no-local-subject"},
		{"a subject above the root", link(entry("../out/r.md", "was"), ok),
			"warn subject:../out/r.md not-local\nwarn subject not-named\nFAIL subject no-local-subject"},
		{"a subject without a name", link(entry("", "was"), ok), "warn subject: not-local\nwarn subject not-named\nFAIL subject no-local-subject"},
		{"a subject in a registry", link(entry("pkg:oci/r", "was"), ok), "info subject:pkg:oci/r not-local\nwarn subject not-named\nFAIL subject no-local-subject"},
		{"a subject encoded for a URL", link(entry("out%2Fr.md", "was"), ok), "FAIL subject:out%2Fr.md subject-missing"},
		{"a subject with a backslash", link(entry(`out\r.md`, "was"), ok), `FAIL subject:out\r.md subject-missing`},
		{"a subject in capitals", link(entry("OUT/R.MD", "was"), ok), "FAIL subject:OUT/R.MD subject-missing"},
		{"a subject with a scheme", link(entry("file:out/r.md", "was"), ok), "info subject:file:out/r.md.name relocated\nFAIL subject:file:out/r.md edited"},
		{"a folder", link(entry("out", "was"), ok), "FAIL subject:out unreadable"},
		{"the root", link(entry(".", "was"), ok), "warn subject:. not-local\nwarn subject not-named\nFAIL subject no-local-subject"},
		{"itself", link(entry("out/r.md.pin.json", "was"), ok), "FAIL subject:out/r.md.pin.json names-itself"},
		{"itself, spelled another way", link(entry("./out//r.md.pin.json", "was"), ok), "FAIL subject:./out//r.md.pin.json names-itself"},
		{"another file than the one it lies beside", link(entry("out/ok.md", "ok"), ok), "warn subject not-named"},
		{"one name in two spellings", link(entry("out/ok.md", "ok")+","+entry("./out/ok.md", "other"), ok),
			"FAIL subject:./out/ok.md name-twice"},
		{"no input", link(entry("out/ok.md", "ok"), ""), "warn subject not-named\nwarn materials no-inputs"},
		{"an input with a dot before it", link(entry("out/ok.md", "ok"), entry("./in/p.md", "was")), "warn subject not-named\nFAIL input:./in/p.md hash-differs"},
		{"an input above the root", link(entry("out/ok.md", "ok"), entry("../in/p.md", "was")), "warn subject not-named\nwarn input:../in/p.md not-local"},
		{"an input from the root of a machine", link(entry("out/ok.md", "ok"), entry("/in/p.md", "was")), "warn subject not-named\nwarn input:/in/p.md not-local"},
		{"a digest that nobody knows", link(`{"name": "out/r.md", "digest": {"SHA256": "`+sum("was")+`"}}`, ok), "FAIL subject:out/r.md.digest unknown-digest"},
		{"a digest in capitals", link(`{"name": "out/r.md", "digest": {"sha256": "`+strings.ToUpper(sum("was"))+`"}}`, ok), "FAIL subject:out/r.md.digest malformed-digest"},
		{"a digest with a prefix", link(`{"name": "out/r.md", "digest": {"sha256": "sha256:`+sum("was")+`"}}`, ok), "FAIL subject:out/r.md.digest malformed-digest"},
		{"a digest twice", link(`{"name": "out/ok.md", "digest": {"sha256": "`+sum("ok")+`", "sha256": "`+sum("was")+`"}}`, ok), "FAIL subject[0].digest.sha256 duplicate-key\nFAIL subject:out/ok.md edited"},
		{"the value of a result", link(`{"name": "out/r.md", "digest": {"sha256": "`+sum("was")+`"}, "annotations": {"replayGate": {"canonical": {"sha256": "`+sum("edited")+`"}}}}`, ok),
			"FAIL subject:out/r.md edited"},
		{"keys that are not there", link(entry("out/ok.md", "ok"), `{"name": "in/p.md", "digest": {"sha256": "`+sum("was")+`"}, "annotations": {"replayGate": {"keys": ["nope"], "canonical": {"sha256": "`+sum("{}")+`"}}}}`),
			"warn subject not-named\nFAIL input:in/p.md#nope not-valid"},
		{"no keys at all", link(entry("out/ok.md", "ok"), `{"name": "in/p.md", "digest": {"sha256": "`+sum("was")+`"}, "annotations": {"replayGate": {"keys": [], "canonical": {"sha256": "`+sum("{}")+`"}}}}`),
			"warn subject not-named\nFAIL input:in/p.md.keys wrong-type"},
		{"inputs under another predicate", strings.Replace(link(entry("out/ok.md", "ok"), entry("in/p.md", "was")), "link/v0.3", "link/v9", 1),
			"warn subject not-named\nFAIL predicateType unsupported-version"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			fsys := write(tree(files), map[string]string{name: tc.text})
			r := checkAt(t, fsys, name)
			if s := said(r); s != tc.want {
				t.Errorf("it says\n%s\nwant\n%s", s, tc.want)
			}
			if r.Count(verify.Fail)+r.Count(verify.Warn) == 0 {
				t.Error("it is green")
			}
		})
	}
}

// A config whose value every reader of JSON takes for the same may be another one to the
// program that reads it.
func TestCraftedValues(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, pinned, edited string }{
		{"c.yml", "model: !!omap [name: m-1]\n", "model: !!omap [name: m-2]\n"},
		{"c.yml", "models: !!set {m-1}\n", "models: !!set {m-2}\n"},
		{"c.yml", "tools: no\n", "tools: \"no\"\n"},
		{"c.yml", "limit: .inf\n", "limit: null\n"},
		{"c.json", `{"seed": 12345678901234567}`, `{"seed": 12345678901234568}`},
		{"c.json", `{"a": 1, "__proto__": {"model": "m-1"}}`, `{"a": 1, "__proto__": {"model": "m-2"}}`},
		{"c.toml", "day = 2026-05-01\n", "day = \"2026-05-01\"\n"},
		{"c.toml", "limit = inf\n", "limit = \"+Inf\"\n"},
		{"c.md", "# a\n", "# b\n"},
		{"c.txt", "no $Id$\n", "no $Id: 50 of 50 $\n"},
	} {
		req := Request{Subjects: []string{reportPath}, Inputs: []string{tc.name}}
		fsys := pinned(t, write(repo(), map[string]string{tc.name: tc.pinned}), req)
		r := check(t, write(fsys, map[string]string{tc.name: tc.edited}))
		if c := row(t, r, "input:"+tc.name); c.Status != verify.Fail {
			t.Errorf("%q to %q: %+v", tc.pinned, tc.edited, c)
		}
	}
}
