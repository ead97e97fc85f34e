package evalkit

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/replay-gate/replay-gate/verify"
)

// in is a tree with the greeting, an eval.config and further files, by name and text.
func in(config string, more ...string) map[string]string {
	files := map[string]string{greetingPath: greeting, "eval.config.ts": config}
	for i := 0; i+1 < len(more); i += 2 {
		files[more[i]] = more[i+1]
	}
	return files
}

// "Record & Replay": "If you change your target's behavior (prompt, model, tools), bump
// targetVersion to invalidate fixtures". Where the new one can be told without running the
// config, fixtures of the old one fail, as they do in the tool, with exit 3.
func TestBumpedTargetVersion(t *testing.T) {
	const suite = `export default { suites: [{ name: "smoke", targetVersion: VERSION }] }`
	for _, tc := range []struct {
		name   string
		config string
		more   []string
	}{
		{"literal", strings.Replace(suite, "VERSION", `"X"`, 1), nil},
		{"template without holes", strings.Replace(suite, "VERSION", "`X`", 1), nil},
		{"const", "const VERSION = 'X';\n" + suite, nil},
		{"typed const", "export const VERSION: string = \"X\" as const\n" + suite, nil},
		{"const template", "const VERSION = `X`\n" + suite, nil},
		{"const behind a comment", "// const VERSION = 'no'\n/* const VERSION = 'no' */ const VERSION = 'X'; // 1\n" + suite, nil},
		{"shorthand", "const targetVersion = 'X';\n" + strings.Replace(suite, "targetVersion: VERSION", "targetVersion", 1), nil},
		{"the name a const too", "const S = 'smoke', T = 1;\nconst VERSION = 'X'\n" + strings.Replace(suite, `"smoke"`, "S", 1), nil},
		{"JSON file", "import pkg from './package.json' with { type: 'json' }\n" + strings.Replace(suite, "VERSION", "pkg.agent.version", 1),
			[]string{"package.json", `{"agent": {"version": "X"}}`}},
		{"a name of a JSON file", "import { version as VERSION } from \"./package.json\";\n" + suite, []string{"package.json", `{"version": "X"}`}},
		{"required JSON", "const pkg = require('./package.json');\n" + strings.Replace(suite, "VERSION", "pkg.version", 1), []string{"package.json", `{"version": "X"}`}},
		{"module", "import { VERSION } from './src/version'\n" + suite, []string{"src/version.ts", "// the target\nexport const VERSION = 'X';\n"}},
		{"module by its compiled name", "import { V as VERSION } from './src/version.js'\n" + suite, []string{"src/version.ts", "export const V = 'X'\n"}},
		{"all of a module", "import * as v from './src'\n" + strings.Replace(suite, "VERSION", "v.target", 1), []string{"src/index.ts", "export const target = \"X\"\n"}},
		{"default of a module", "import VERSION from './version.mjs'\n" + suite, []string{"version.mjs", "export default 'X';\n"}},
	} {
		for version, want := range map[string]string{"v2.0.0": "ok ", "v3": "FAIL config-differs"} {
			more := slices.Clone(tc.more)
			for i := range more {
				more[i] = strings.Replace(more[i], "X", version, 1)
			}
			files := in(strings.Replace(tc.config, "X", version, 1), more...)
			r := judgeTree(Format{}, files, greetingPath)
			c := row(t, r, "_meta.configHash")
			if got := string(c.Status) + " " + c.Code; got != want {
				t.Errorf("%s, %s: %+v", tc.name, version, c)
			}
			if want != "ok " && (len(c.Command) != 3 || c.Command[2] != "--suite=smoke") {
				t.Errorf("%s: next step %q", tc.name, c.Command)
			}
			if len(r.Inputs) != 1+len(more)/2 {
				t.Errorf("%s: inputs %+v", tc.name, r.Inputs)
			}
		}
	}
}

// What has to be run to be known is not guessed at.
func TestUnknownTargetVersion(t *testing.T) {
	for _, tc := range []struct {
		config string
		more   []string
	}{
		{"let V = 'v3'; [{ name: 'smoke', targetVersion: V }]", nil},
		{"const V = 'v3' + tail; [{ name: 'smoke', targetVersion: V }]", nil},
		{"const V = `v3${x}`; [{ name: 'smoke', targetVersion: V }]", nil},
		{"const V = 'v3'; { const V = 'v4' } [{ name: 'smoke', targetVersion: V }]", nil},
		{"[{ name: 'smoke', targetVersion: process.env.V }]", nil},
		{"import V from 'package'; [{ name: 'smoke', targetVersion: V }]", nil},
		{"import V from './gone'; [{ name: 'smoke', targetVersion: V }]", nil},
		{"import V from '../../out.json'; [{ name: 'smoke', targetVersion: V }]", nil},
		{"import p from './p.json'; [{ name: 'smoke', targetVersion: p.version }]", []string{"p.json", `{"version": 3}`}},
		{"const V = 'v3'; [{ name: 'smoke', targetVersion: V ?? 'v4' }]", nil},
	} {
		c := row(t, judgeTree(Format{}, in(tc.config, tc.more...), greetingPath), "_meta.configHash")
		if c.Status != verify.Info {
			t.Errorf("%s: %+v", tc.config, c)
		}
	}
}

// Issue 11: "also when .replay-gate.yml declares another".
func TestDeclarationAgainstConfig(t *testing.T) {
	bumped := in(`export default { suites: [{ name: "smoke", targetVersion: "v3" }] }`)
	c := row(t, judgeTree(smoke(), bumped, greetingPath), "_meta.configHash")
	if c.Status != verify.Fail || c.Code != "config-differs" ||
		c.Reason != `matches the declared targetVersion "v2.0.0", but eval.config.ts, line 1 gives the suite targetVersion "v3": the tool refuses the fixture` {
		t.Errorf("%+v", c)
	}
	same := in(`export default { suites: [{ name: "smoke", targetVersion: "v2.0.0" }] }`)
	if c := row(t, judgeTree(smoke(), same, greetingPath), "_meta.configHash"); c.Status != verify.OK {
		t.Errorf("%+v", c)
	}
}

// "Record & Replay": "Fixtures have a configurable TTL (default: 14 days). Stale fixtures
// generate warnings", "Use --strict-fixtures to fail on stale fixtures", "Re-record all
// fixtures".
func TestStale(t *testing.T) {
	strict := Format{Config{StrictFixtures: true}}
	for _, tc := range []struct {
		config string
		f      Format
		days   int
		want   string
	}{
		{"", Format{}, 14, "ok "},
		{"", Format{}, 15, "warn stale"},
		{"", strict, 15, "FAIL stale"},
		{`suites: [{ name: "smoke", replay: { ttlDays: 7 } }]`, Format{}, 8, "warn stale"},
		{`suites: [{ name: "smoke", replay: { ttlDays: 7 } }]`, Format{}, 7, "ok "},
		{`suites: [{ name: "smoke" }], replay: { ttlDays: 30, stripRaw: false }`, Format{}, 29, "ok "},
		{`suites: [{ name: "smoke", replay: { ttlDays: 3 } }], replay: { ttlDays: 30 }`, Format{}, 4, "warn stale"},
		{`suites: [{ name: "other", replay: { ttlDays: 3 } }]`, Format{}, 4, "ok "},
		{`suites: [{ name: "smoke", replay: { ttlDays: days() } }]`, Format{}, 15, "warn stale"},
		{`suites: [{ name: "smoke", judge: { ttlDays: 3 } }]`, Format{}, 4, "ok "},
		{`suites: [{ name: "smoke", replay: { ttlDays: 3 } }]`, Format{Config{Suites: []Suite{{Name: "smoke", TTLDays: 9}}}}, 8, "ok "},
	} {
		at := time.Date(2026, 2, 28, 12, 0, 0, 0, time.UTC).AddDate(0, 0, tc.days).Add(-time.Second)
		if strings.Contains(tc.want, "stale") {
			at = at.Add(2*time.Second).AddDate(0, 0, 0)
		}
		e := &verify.Evidence{Path: greetingPath, Tree: tree(in("export default { " + tc.config + " }")), Now: verify.At(at)}
		c := row(t, tc.f.Verify(t.Context(), e), "age")
		if got := string(c.Status) + " " + c.Code; got != tc.want {
			t.Errorf("%s after %d days: %+v", tc.config, tc.days, c)
		}
		if want := []string{"agent-eval-kit", "record", "--suite=smoke"}; c.Code == "stale" &&
			(!slices.Equal(c.Command, want) || !strings.Contains(c.Hint, "--update-fixtures")) {
			t.Errorf("next step %q, %q", c.Hint, c.Command)
		}
	}
}

// "Record & Replay": "By default, the raw field is stripped … Set to false to preserve the
// full raw API response in fixtures".
func TestStripRaw(t *testing.T) {
	for config, want := range map[string]string{
		`suites: [{ name: "smoke", replay: { stripRaw: false } }]`:                             "ok kept on purpose: eval.config.ts, line 1 sets stripRaw false",
		`suites: [{ name: "smoke" }], replay: { stripRaw: false }`:                             "ok kept on purpose: eval.config.ts, line 1 sets stripRaw false",
		`suites: [{ name: "smoke", replay: { stripRaw: true } }], replay: { stripRaw: false }`: "warn raw response kept; may hold secrets",
		`suites: [{ name: "smoke", replay: { stripRaw: keep } }]`:                              "warn raw response kept; may hold secrets",
		`suites: [{ name: "smoke" }]`:                                                          "warn raw response kept; may hold secrets",
	} {
		files := in("export default { " + config + " }")
		files[greetingPath] = edited(t, `"latencyMs":150,`, `"latencyMs":150,"raw":{"id":1},`)
		c := row(t, judgeTree(Format{}, files, greetingPath), "output.raw")
		if got := string(c.Status) + " " + c.Reason; got != want {
			t.Errorf("%s: %s", config, got)
		}
	}
}

// The config's fixtureDir is where the tool looks, so evidence lies there too (issue 11).
func TestPatternsIn(t *testing.T) {
	got := Format{}.PatternsIn(tree(map[string]string{
		"eval.config.ts":     `export default { fixtureDir: "evals/[fix]", suites: [] }`,
		"a/eval.config.mjs":  "const DIR = './recorded'\nexport default { fixtureDir: DIR }",
		"b/eval.config.js":   `export default { fixtureDir: "../../out" }`,
		"c/eval.config.js":   `export default { fixtureDir: "." }`,
		"d/eval.config.mts":  `export default { fixtureDir: process.env.DIR }`,
		"d/x/eval.config.ts": `export default {}`,
	}))
	var _ verify.Placer = Format{}
	var _ verify.Awaiter = Format{}
	if want := []string{`evals/\[fix]/**/*.jsonl`, "a/recorded/**/*.jsonl"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// Issue 11: "A suite renamed … without a fixture: warn, FAIL with strict-fixtures".
func TestRenamedSuite(t *testing.T) {
	for config, want := range map[string]string{
		`suites: [{ name: "smoke2" }]`:                         "warn unlisted-suite",
		`suites: [{ name: "smoke2" }, { name: "smoke" }]`:      "ok ",
		`suites: [{ name: NAME }]`:                             "ok ", // may be it
		`suites: [{ name: "smoke2" }, ...more]`:                "ok ",
		`suites: [{ name: "smoke2" }, load("./suites")]`:       "ok ",
		`suites: [{ name: "smoke2", cases: "./cases.jsonl" }]`: "warn unlisted-suite",
		`suites: all`: "ok ",
		`suites: [{ name: "smoke2", grader: () => { return 'smoke' } }]`: "ok ",
	} {
		c := row(t, judgeTree(Format{}, in("export default { "+config+" }"), greetingPath), "_meta.suiteId")
		if got := string(c.Status) + " " + c.Code; got != want {
			t.Errorf("%s: %+v", config, c)
		}
	}
	strict := Format{Config{StrictFixtures: true}}
	c := row(t, judgeTree(strict, in(`export default { suites: [{ name: "smoke2" }] }`), greetingPath), "_meta.suiteId")
	if c.Status != verify.Fail {
		t.Errorf("strict: %+v", c)
	}
}

// Issue 11: "a case added without a fixture: warn, FAIL with strict-fixtures". It is said
// once for the suite.
func TestCaseWithoutFixture(t *testing.T) {
	files := suiteOf("a v1 20", "b v1 20")
	a, _ := fixtureOf("a", "v1", 20)
	b, _ := fixtureOf("b", "v1", 20)
	inline := func(cases string) string {
		return `export default { suites: [{ name: "smoke", targetVersion: "v1", graders: [{ id: "z" }], cases: [` + cases + `] }] }`
	}
	for _, tc := range []struct{ config, list, want string }{
		{inline(`{ id: "a" }, { id: "b" }`), "", "ok all 2 have a fixture"},
		{inline(`{ id: "a", input: { id: "y" } }, { id: "b" }, { id: "c" }, more`), "", `warn no fixture for "c" of eval.config.ts: replay will stop with "No fixture found"`},
		{`export default { suites: [{ name: "smoke", targetVersion: "v1", cases: "c.jsonl" }] }`, "{\"id\": \"a\"}\n{\"id\": \"c\"}\n{\"id\": \"d\"}\n",
			`warn no fixture for "c", "d" of c.jsonl: replay will stop with "No fixture found"`},
		{inline(""), "", " "},
	} {
		files["eval.config.ts"], files["c.jsonl"] = tc.config, tc.list
		got := " "
		for _, c := range judgeTree(Format{}, files, a).Checks {
			if c.Field == "suite.cases" {
				got = string(c.Status) + " " + c.Reason
			}
		}
		if got != tc.want {
			t.Errorf("%s:\ngot  %s\nwant %s", tc.config, got, tc.want)
		}
		for _, c := range judgeTree(Format{}, files, b).Checks {
			if c.Field == "suite.cases" {
				t.Errorf("%s: said twice", tc.config)
			}
		}
	}
	strict := Format{Config{StrictFixtures: true, Suites: []Suite{{Name: "smoke", TargetVersion: ptr("v1"), Cases: []string{"a", "c"}}}}}
	c := row(t, judgeTree(strict, files, a), "suite.cases")
	if c.Status != verify.Fail || c.Code != "case-without-fixture" || len(c.Command) == 0 {
		t.Errorf("strict: %+v", c)
	}
}
