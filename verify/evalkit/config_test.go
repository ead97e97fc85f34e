package evalkit

import (
	"fmt"
	"strings"
	"testing"

	"github.com/replay-gate/replay-gate/verify"
)

// Without a declaration the targetVersion is recovered by hash from the text of
// eval.config, which is never run. The greeting was recorded for "v2.0.0".
func TestRecovery(t *testing.T) {
	for _, tc := range []struct {
		name, config string
		want         string // status, code and a part of the reason
	}{
		{"by the suite's name", "suites: [\n{ name: 'smoke', cases: [{ id: 'a' }],\n  targetVersion: `v2.0.0` }]",
			"ok : eval.config.ts, line 3 gives the suite targetVersion \"v2.0.0\""},
		{"escaped", `[{ name: "smo\u006be", targetVersion: "\x762.0\u{2e}0" }]`, "ok : eval.config.ts, line "},
		{"quoted names", `[{ "name": "smoke", "targetVersion": "v2.0.0" }]`, "ok : eval.config.ts, line "},
		{"of another suite", `[{ name: "smoke", targetVersion: "v3" }, { name: "x", targetVersion: "v2.0.0" }]`,
			"FAIL config-differs: recorded for another targetVersion: eval.config.ts, line 1 gives the suite targetVersion \"v3\", expected " +
				configHash("smoke", ptr("v3")) + ", recorded aa6a2f5ddd9e5d98, which is targetVersion \"v2.0.0\""},
		{"bumped", `[{ name: "smoke", targetVersion: "v3" }]`, "FAIL config-differs: recorded for another targetVersion: eval.config.ts, line 1 gives"},
		{"taken away", `[{ name: "smoke" }]`, "FAIL config-differs: recorded for another targetVersion: eval.config.ts gives the suite no targetVersion, expected"},
		{"the only one", `[{ name: SMOKE, targetVersion: "v2.0.0" }]`, "ok : matches targetVersion \"v2.0.0\" found in eval.config.ts, line 1"},
		{"one of two", `[{ name: A, targetVersion: "v2.0.0" }, { name: B, targetVersion: "v3" }]`, "info not-by-name: matches targetVersion \"v2.0.0\" found in"},
		{"somewhere else", `const V = "v2.0.0"; [{ name: "smoke", targetVersion: V }]`, "ok : eval.config.ts, line 1 gives the suite targetVersion \"v2.0.0\""},
		{"shorthand", `const targetVersion = "v2.0.0"; [{ name: "smoke", targetVersion }]`, "ok : eval.config.ts, line 1 gives"},
		{"part of an expression", `[{ name: "smoke", targetVersion: "v2.0.0" + tail }]`, "info not-by-name"},
		{"spread", `[{ name: "smoke", targetVersion: "v2.0.0", ...more }]`, "ok : matches targetVersion"},
		{"named twice", `[{ name: "smoke", targetVersion: "v3" }, { name: "smoke", targetVersion: "v2.0.0" }]`, "info not-by-name"},
		{"in a comment", "// targetVersion: 'v2.0.0'\n/* 'v2.0.0' */ [{ name: A }]", "info cannot-verify: cannot be verified: nothing in eval.config.ts gives this hash"},
		{"in a template", "[`v2.0.0${x}`, { name: A }]", "info cannot-verify"},
		{"behind regular expressions", "[{ name: 'smoke', graders: [\n{ grader: regex(/don't/) },\n" +
			"{ grader: (s) => /[/\"]\\/{/.test(s) }, { scale: a / b / 'c'.length }],\n targetVersion: 'v2.0.0' }]", "ok : eval.config.ts, line 4 gives the suite"},
		{"behind what can't be read", "[{ name: 'smoke', graders: [\n{ grader: f() / don't },\n],\n targetVersion: 'v2.0.0' }]", "info not-by-name: matches targetVersion"},
		{"behind a quote in a regular expression", "[/\"'`/,\n{ name: 'smoke', targetVersion: 'v2.0.0' }]", "ok : eval.config.ts, line "},
	} {
		files := map[string]string{"a/" + greetingPath: greeting, "eval.config.ts": "export default " + tc.config}
		r := judgeTree(Format{}, files, "a/"+greetingPath)
		c := row(t, r, "_meta.configHash")
		if got := fmt.Sprintf("%s %s: %s", c.Status, c.Code, c.Reason); !strings.HasPrefix(got, tc.want) {
			t.Errorf("%s: got\n%s\nwant\n%s", tc.name, got, tc.want)
		}
		if len(r.Inputs) != 1 || r.Inputs[0] != (verify.Input{Role: "config", Path: "eval.config.ts", Place: verify.PlaceInputs}) {
			t.Errorf("%s: inputs %+v", tc.name, r.Inputs)
		}
	}
}

func ptr(s string) *string { return &s }

// A suite without a targetVersion.
func TestRecoveryOfNone(t *testing.T) {
	text := edited(t, "aa6a2f5ddd9e5d98", "3384755057a07ac4")
	for config, want := range map[string]string{
		"":                                       "info not-compared: recorded without a targetVersion; no eval.config found to compare with",
		`[{ name: "smoke" }]`:                    "ok : eval.config.ts gives the suite no targetVersion",
		`[{ name: S }]`:                          "ok : matches no targetVersion",
		`[{ name: S }, { targetVersion: "v2" }]`: "info not-by-name: matches no targetVersion, which may not",
		`[{ name: "smoke", ...more }]`:           "info not-by-name",
		`[{ name: "smoke", targetVersion: "v2" }]`:          "FAIL config-differs",
		`[{ name: "smoke", targetVersion: process.env.V }]`: "info not-by-name",
	} {
		files := map[string]string{greetingPath: text}
		if config != "" {
			files["eval.config.ts"] = config
		}
		c := row(t, judgeTree(Format{}, files, greetingPath), "_meta.configHash")
		if got := fmt.Sprintf("%s %s: %s", c.Status, c.Code, c.Reason); !strings.HasPrefix(got, want) {
			t.Errorf("%s: got %s, want %s", config, got, want)
		}
	}
}

// The nearest eval.config above the folder of fixtures counts; .ts comes first.
func TestNearestConfig(t *testing.T) {
	files := map[string]string{
		"p/q/" + greetingPath:   greeting,
		"eval.config.ts":        `[{ name: "smoke", targetVersion: "v1" }]`,
		"p/eval.config.mjs":     `[{ name: "smoke", targetVersion: "v2" }]`,
		"p/eval.config.mts":     `[{ name: "smoke", targetVersion: "v2.0.0" }]`,
		"p/q/r/eval.config.ts":  `[{ name: "smoke", targetVersion: "v4" }]`,
		"p/q/eval.config.ts/no": "a folder",
	}
	if got := judgeTree(Format{}, files, "p/q/"+greetingPath).Inputs; len(got) != 1 || got[0].Path != "p/eval.config.mts" {
		t.Errorf("%+v", got)
	}
}

// A case file beside the suite's name lists all its cases (case loader).
func TestCaseFiles(t *testing.T) {
	for _, tc := range []struct{ name, text, want string }{
		{"c.jsonl", "\ufeff// a comment\n# another\n\n{\"id\": \"greeting\", \"input\": {}}\r\n", ""},
		{"c.jsonl", "{\"id\": \"other\"}\n", "no such case in c.jsonl: the fixture is never replayed"},
		{"c.jsonl", "// a comment\n# another\n{\"id\": \"other\"}\n", "no such case in c.jsonl: the fixture is never replayed"},
		{"c.jsonl", "{\"id\": \"other\"}\n{\n", ""}, // the tool refuses the file
		{"c.yaml", "- id: other\n- id: greeting\n", ""},
		{"c.YML", "- id: other\n", "no such case in c.YML: the fixture is never replayed"},
		{"c.yaml", "cases:\n- id: other\n", ""},
		{"c.yaml", "- id: 1\n", ""},
		{"c.json", `[{"id": "other"}]`, ""},
		{"../c.yaml", "- id: other\n", ""},
	} {
		files := map[string]string{
			greetingPath:     greeting,
			"eval.config.ts": `[{ name: "smoke", targetVersion: "v2.0.0", cases: "` + tc.name + `" }]`,
		}
		if !strings.HasPrefix(tc.name, "..") {
			files[tc.name] = tc.text
		}
		r := judgeTree(Format{}, files, greetingPath)
		if c := row(t, r, "_meta.caseId"); c.Reason != tc.want || (c.Status == verify.Warn) != (tc.want != "") {
			t.Errorf("%s %q: %+v", tc.name, tc.text, c)
		}
		inputs := 2
		if strings.HasPrefix(tc.name, "..") {
			inputs = 1
		}
		if len(r.Inputs) != inputs {
			t.Errorf("%s: inputs %+v", tc.name, r.Inputs)
		}
	}
}

// A fixture that is gone while its case is still listed is one that replay asks for.
func TestAwaited(t *testing.T) {
	config := func(cases string) map[string]string {
		return map[string]string{"eval.config.ts": `[{ name: "smoke", cases: ` + cases + ` }]`, "c.jsonl": `{"id": "greeting"}`}
	}
	none := Format{}
	listed := Format{Config{Suites: []Suite{{Name: "smoke", Cases: []string{"greeting"}}}}}
	unlisted := Format{Config{Suites: []Suite{{Name: "smoke", Cases: []string{"other"}}}}}
	for _, tc := range []struct {
		name  string
		f     Format
		files map[string]string
		path  string
		want  string
	}{
		{"nothing known", none, nil, greetingPath, ""},
		{"declared", listed, nil, greetingPath, "the declaration"},
		{"declared without it", unlisted, config(`[{ id: "greeting" }]`), greetingPath, ""},
		{"inline", none, config(`[{ id: "greeting" }]`), greetingPath, "eval.config.ts"},
		{"inline without it", none, config(`[{ id: "other" }]`), greetingPath, ""},
		{"in a case file", none, config(`"c.jsonl"`), greetingPath, "c.jsonl"},
		{"in a case file that is gone", none, config(`"d.jsonl"`), greetingPath, ""},
		{"another suite's", none, config(`[{ id: "greeting" }]`), ".eval-fixtures/other-00000000/greeting-18f6b020.jsonl", ""},
		{"a file of no case", none, config(`[{ id: "greeting" }]`), ".eval-fixtures/smoke-04d588cb/greeting.jsonl", ""},
	} {
		if got := tc.f.Awaited(tc.path, tree(tc.files)); got != tc.want {
			t.Errorf("%s: %q", tc.name, got)
		}
	}
}
