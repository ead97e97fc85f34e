package evalkit

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/replay-gate/replay-gate/verify"
)

// fixtureOf is a fixture of suite smoke and its path, recorded for a version on
// a day of February 2026; an empty version is none.
func fixtureOf(id, targetVersion string, day int) (path, text string) {
	var v *string
	if targetVersion != "" {
		v = &targetVersion
	}
	text = strings.NewReplacer(
		`"caseId":"greeting"`, `"caseId":"`+id+`"`,
		"aa6a2f5ddd9e5d98", configHash("smoke", v),
		"2026-02-28", fmt.Sprintf("2026-02-%02d", day),
	).Replace(greeting)
	return ".eval-fixtures/smoke-04d588cb/" + fixtureName(id) + fixtureEnding, text
}

// suiteOf makes the files of suite smoke from "case version day" lines.
func suiteOf(fixtures ...string) map[string]string {
	files := make(map[string]string)
	for _, f := range fixtures {
		var id, v string
		var day int
		if _, err := fmt.Sscan(f, &id, &v, &day); err != nil {
			panic(err)
		}
		path, text := fixtureOf(id, v, day)
		files[path] = text
	}
	return files
}

// All fixtures of one suite carry the same hash. A change that re-records some
// of them leaves the others dead, and both say so.
func TestSuiteHash(t *testing.T) {
	config := `export default { suites: [{ name: "smoke", targetVersion: "v1" }] }`
	for _, tc := range []struct {
		name   string
		files  map[string]string
		config string
		want   map[string]string // case -> code and a part of the reason
	}{
		{"one hash", suiteOf("a v1 1", "b v1 2"), "", map[string]string{"a": "", "b": ""}},
		{"re-recorded in part", suiteOf("a v1 20", "b v2 21", "c v2 22", "d v1 20"), "", map[string]string{
			"a": "dead: dead: the suite has two hashes, and its current one is that of \"c-2e7d2c03.jsonl\"",
			"b": "suite-split: the suite has two hashes: 2 fixtures are dead: a-ca978112.jsonl, d-18ac3e73.jsonl",
			"c": "suite-split: the suite has two hashes: 2 fixtures are dead",
			"d": "dead: dead",
		}},
		{"at the same time", suiteOf("a v1 20", "b v2 20"), "", map[string]string{
			"a": `suite-split: the suite has two hashes, recorded at the same time: "b-3e23e816.jsonl" has another`,
			"b": `suite-split: the suite has two hashes, recorded at the same time: "a-ca978112.jsonl" has another`,
		}},
		{"eval.config knows which is current", suiteOf("a v1 20", "b v2 21"), config, map[string]string{
			"a": "suite-split: the suite has two hashes: 1 fixture is dead: b-3e23e816.jsonl",
			"b": "dead: dead",
		}},
	} {
		if tc.config != "" {
			tc.files["eval.config.ts"] = tc.config
		}
		for id, want := range tc.want {
			path, _ := fixtureOf(id, "", 1)
			c := row(t, judgeTree(Format{}, tc.files, path), "suite.configHash")
			got := ""
			if c.Code != "" {
				got = c.Code + ": " + c.Reason
			}
			if !strings.HasPrefix(got, want) || (got == "") != (want == "") || (c.Status == verify.Fail) != (want != "") {
				t.Errorf("%s: %s: got\n%s %s\nwant\n%s", tc.name, id, c.Status, got, want)
			}
		}
	}
}

// What does not belong to the suite says nothing about it.
func TestStrangersInTheFolder(t *testing.T) {
	files := suiteOf("a v1 20")
	dir := ".eval-fixtures/smoke-04d588cb/"
	files[dir+"other-00000000.jsonl"] = strings.Replace(greeting, `"suiteId":"smoke"`, `"suiteId":"other"`, 1)
	files[dir+"deeper/b.jsonl"] = greeting
	files[dir+"b.json"] = greeting
	files[dir+"broken.jsonl"] = greeting[:60]
	files[dir+"malformed.jsonl"] = strings.Replace(greeting, "aa6a2f5ddd9e5d98", "x", 1)
	path, _ := fixtureOf("a", "v1", 20)
	if c := row(t, judgeTree(Format{}, files, path), "suite.configHash"); c.Status != verify.OK {
		t.Errorf("%+v", c)
	}
}

// A verdict rests on the fixture and its inputs alone: with them and nothing
// else, as in a bundle, it is the same.
func TestVerdictRestsOnInputs(t *testing.T) {
	many := suiteOf("live v2 28", "old-live v2 3", "third v3 27")
	for i := range 2 * maxDead {
		path, text := fixtureOf(fmt.Sprintf("dead-%03d", i), "v1", 4+i%20)
		many[path] = text
	}
	listed := suiteOf("a v1 20", "b v2 21", "c v1 19")
	listed["eval.config.mjs"] = `export default {suites: [{name: "smoke", cases: "cases.jsonl", targetVersion: "v2"}]}`
	listed["cases.jsonl"] = `{"id": "a", "input": {}}` + "\n"
	for _, files := range []map[string]string{
		suiteOf("a v1 20", "b v1 20"), suiteOf("a v1 20", "b v2 20"), suiteOf("a v1 20", "b v2 20", "c v3 20", "d v3 19"), many, listed,
	} {
		whole := tree(files)
		for path := range files {
			if !strings.HasPrefix(path, ".eval-fixtures/") {
				continue
			}
			e := &verify.Evidence{Path: path, Tree: whole, Now: verify.At(now)}
			r := Format{}.Verify(t.Context(), e)
			only := map[string]string{path: files[path]}
			paths := []string{}
			for _, in := range r.Inputs {
				if in.Path == path || files[in.Path] == "" {
					t.Fatalf("%s rests on %s", path, in.Path)
				}
				only[in.Path] = files[in.Path]
				paths = append(paths, in.Path)
			}
			if len(paths) > maxDead+3 {
				t.Fatalf("%s rests on %d files", path, len(paths))
			}
			again := judgeTree(Format{}, only, path)
			if !reflect.DeepEqual(r.Checks, again.Checks) {
				t.Fatalf("%s alone with its inputs:\n%s\nin the tree:\n%s", path, bad(again), bad(r))
			}
		}
	}
}

func TestMaxDead(t *testing.T) {
	files := suiteOf("live v2 28")
	for i := range maxDead + 1 {
		path, text := fixtureOf(fmt.Sprintf("dead-%03d", i), "v1", 1)
		files[path] = text
	}
	path, _ := fixtureOf("live", "v2", 28)
	c := row(t, judgeTree(Format{}, files, path), "suite.configHash")
	if !strings.Contains(c.Reason, "100 fixtures or more are dead: dead-000-") || !strings.HasSuffix(c.Reason, "…") {
		t.Error(c.Reason)
	}
}

// A declaration says which hash is current, whatever was recorded last.
func TestDeclarationNamesTheLiveHash(t *testing.T) {
	v := "v1"
	f := Format{Config{Suites: []Suite{{Name: "smoke", TargetVersion: &v}}}}
	files := suiteOf("a v1 20", "b v2 21")
	path, _ := fixtureOf("a", "v1", 20)
	if got := bad(judgeTree(f, files, path)); got != "FAIL suite.configHash suite-split 1:37" {
		t.Error(got)
	}
	path, _ = fixtureOf("b", "v2", 21)
	if got := bad(judgeTree(f, files, path)); got != "FAIL _meta.configHash hash-differs 1:37\nFAIL suite.configHash dead 1:37" {
		t.Error(got)
	}
}

// A suite whose cases are listed and that has no fixture at all can't be replayed. Nothing
// of it is there to say so: the first fixture of the first suite that has some does.
func TestSuitesWithoutFixtures(t *testing.T) {
	t.Parallel()
	const said = `warn no fixture at all for suite "late", "later", whose cases are listed: replay will stop with "No fixture found"`
	suite := func(name, cases string) string {
		return `{ name: "` + name + `", targetVersion: "v1", cases: [` + cases + `] }`
	}
	files := suiteOf("a v1 20", "b v1 20")
	other, text := otherFixture()
	for _, tc := range []struct {
		name, config string
		with         string // another file
		want         map[string]string
	}{
		{"one suite", suite("smoke", `{ id: "a" }, { id: "b" }`), "", nil},
		{"two without", suite("smoke", `{ id: "a" }, { id: "b" }`) + "," + suite("late", `{ id: "x" }`) + "," + suite("later", `{ id: "y" }`), "", map[string]string{"a": said}},
		{"without comes first", suite("late", `{ id: "x" }`) + "," + suite("smoke", `{ id: "a" }, { id: "b" }`) + "," + suite("later", `{ id: "y" }`), "", map[string]string{"a": said}},
		{"cases that can't be told", suite("smoke", `{ id: "a" }, { id: "b" }`) + "," + suite("late", `...more`), "", nil},
		{"cases of this one that can't be told", suite("smoke", `...more`) + "," + suite("late", `{ id: "x" }`), "", nil},
		{"another suite with fixtures", suite("smoke", `{ id: "a" }, { id: "b" }`) + "," + suite("other", `{ id: "o" }`), other, nil},
		{"another suite with fixtures, and two without", suite("other", `{ id: "o" }`) + "," + suite("late", `{ id: "x" }`) + "," + suite("smoke", `{ id: "a" }, { id: "b" }`) + "," + suite("later", `{ id: "y" }`), other,
			map[string]string{"o": said}},
	} {
		all := map[string]string{"eval.config.ts": "export default { suites: [" + tc.config + "] }"}
		for name, text := range files {
			all[name] = text
		}
		if tc.with != "" {
			all[tc.with] = text
		}
		for _, id := range []string{"a", "b", "o"} {
			name, _ := fixtureOf(id, "v1", 20)
			if id == "o" {
				if name = other; tc.with == "" {
					continue
				}
			}
			got := ""
			for _, c := range judgeTree(Format{}, all, name).Checks {
				if c.Field == "suite.fixtures" {
					got = string(c.Status) + " " + c.Reason
				}
			}
			if got != tc.want[id] {
				t.Errorf("%s: %s: got  %q\nwant %q", tc.name, id, got, tc.want[id])
			}
		}
	}
	strict := Format{Config{StrictFixtures: true, Suites: []Suite{{Name: "smoke", TargetVersion: ptr("v1"), Cases: []string{"a", "b"}}, {Name: "late", Cases: []string{"x"}}}}}
	first, _ := fixtureOf("a", "v1", 20)
	c := row(t, judgeTree(strict, files, first), "suite.fixtures")
	if c.Status != verify.Fail || c.Code != "suite-without-fixture" || c.Command[2] != "--suite=late" {
		t.Errorf("strict: %+v", c)
	}
}

// otherFixture is a fixture of suite other.
func otherFixture() (path, text string) {
	_, text = fixtureOf("o", "v1", 20)
	text = strings.Replace(strings.Replace(text, `"suiteId":"smoke"`, `"suiteId":"other"`, 1), configHash("smoke", ptr("v1")), configHash("other", ptr("v1")), 1)
	return ".eval-fixtures/" + fixtureName("other") + "/" + fixtureName("o") + fixtureEnding, text
}
