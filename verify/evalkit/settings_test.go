package evalkit

import (
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"gopkg.in/yaml.v3"

	"github.com/replay-gate/replay-gate/verify"
)

// What the format reads of its settings is what its schema allows.
func TestConfigure(t *testing.T) {
	_, text := Format{}.Settings()
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("settings.json", doc); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("settings.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct{ text, want string }{
		{"{}", ""},
		{"folder: evals/fixtures\nstrict: true\nsuites:\n- {name: smoke, target-version: '', ttl-days: 7, strip-raw: false, cases: [a, b]}\n", ""},
		{"suites: [{name: ''}]", "suites[0]: a suite needs a name"},
		{"suites: [{name: a}, {name: b, ttl-days: -1}]", "suites[1]: ttl-days must not be negative"},
		{"strict: [1]", "yaml: unmarshal errors:\n  line 1: cannot unmarshal !!seq into bool"},
	} {
		f, err := Format{}.Configure(func(into any) error { return yaml.Unmarshal([]byte(tc.text), into) })
		if err != nil && err.Error() != tc.want || err == nil && tc.want != "" {
			t.Errorf("%q: %v", tc.text, err)
		}
		var v any
		if err := yaml.Unmarshal([]byte(tc.text), &v); err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(v); (err == nil) != (tc.want == "") {
			t.Errorf("%q: the schema says %v", tc.text, err)
		}
		if tc.want != "" {
			continue
		}
		if got := f.(Format); len(got.Suites) == 1 {
			s := got.Suites[0]
			if got.FixtureDir != "evals/fixtures" || !got.StrictFixtures || s.Name != "smoke" || *s.TargetVersion != "" || s.TTLDays != 7 || *s.StripRaw || len(s.Cases) != 2 {
				t.Errorf("%+v", got)
			}
		}
	}
	strict := Format{Config{StrictFixtures: true}}
	f, err := strict.Configure(func(any) error { return nil })
	if err != nil || !f.(Format).StrictFixtures {
		t.Errorf("what was strict is so no more: %+v, %v", f, err)
	}
	var _ verify.Configurable = Format{}
}

// As for a sidecar: see issue 10.
func TestMarks(t *testing.T) {
	for name, tc := range map[string]struct {
		text string
		want bool
	}{
		"a fixture":           {greeting, true},
		"a byte order mark":   {"\ufeff" + greeting, true},
		"swapped lines":       {`{"output":{"latencyMs":1}}` + "\n" + greetingMeta, true},
		"no meta line":        {`{"output":{"latencyMs":1}}` + "\n", true},
		"conflict markers":    {"<<<<<<< HEAD\n" + greeting, true},
		"empty":               {"", true},
		"a pointer of LFS":    {"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n", true},
		"cases of a suite":    {`{"id":"greeting","input":{}}` + "\n", false},
		"a chat's transcript": {`{"role":"user","content":"hi"}` + "\n", false},
	} {
		if got := (Format{}).Marks(greetingPath, []byte(tc.text)); got != tc.want {
			t.Errorf("%s: %t", name, got)
		}
	}
	for n := range len(greeting) {
		if !(Format{}).Marks(greetingPath, []byte(greeting[:n])) {
			t.Fatalf("a fixture that breaks off after %d bytes is passed over", n)
		}
	}
}
