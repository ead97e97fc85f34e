package config_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"gopkg.in/yaml.v3"

	"github.com/replay-gate/replay-gate/gate/config"
)

func schema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	s, err := jsonschema.NewCompiler().Compile("../../docs/schema/replay-gate.settings.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// valid judges a text by the published schema.
func valid(t *testing.T, text string) error {
	t.Helper()
	var v any
	if err := yaml.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(string(data)))
	if err != nil {
		t.Fatal(err)
	}
	return schema(t).Validate(doc)
}

// The schema and the reader agree (issue 6, for all): on this repository's own
// file, on the example in docs/settings.md, and on what is refused.
func TestSchemaAgreesWithParse(t *testing.T) {
	t.Parallel()
	own, err := os.ReadFile("../../" + config.Name)
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("../../docs/settings.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(page), "```yaml\n")
	example, _, ok := strings.Cut(rest, "```")
	if !ok {
		t.Fatal("docs/settings.md shows no settings")
	}
	for name, tc := range map[string]struct {
		text string
		ok   bool
	}{
		"own": {string(own), true}, "docs": {example, true},
		"unknown key":        {"evidnce: {}", false},
		"unknown kind":       {"fail-on: {evalkits: any}", false},
		"unknown suite key":  {"fixtures: {suites: [{name: a, ttldays: 3}]}", false},
		"suite without name": {"fixtures: {suites: [{ttl-days: 3}]}", false},
		"unknown policy":     {"fail-on: {ahd: sometimes}", false},
		"identity":           {"decision: {policies: [sha256:abc]}", false},
		"all keys": {"evidence: {ahd: [], evalkit: [], aos: [], decision: [], bundle: []}\nfail-on: {ahd: any, evalkit: any, aos: any, decision: any, bundle: any}\n" +
			"fixtures: {folder: a, strict: true, suites: [{name: a, target-version: '', ttl-days: 1, strip-raw: false, cases: [b]}]}\nmoved: {a: b}\naos: {budgets: [1]}\ndecision: {policies: []}", true},
	} {
		if _, err := config.Parse([]byte(tc.text), kinds); (err == nil) != tc.ok {
			t.Errorf("%s: the reader says %v", name, err)
		}
		if err := valid(t, tc.text); (err == nil) != tc.ok {
			t.Errorf("%s: the schema says %v", name, err)
		}
	}
}

// The published schema follows from what each kind says of its settings (issue 10, The
// contract of a kind).
func TestSchemaIsThePublishedOne(t *testing.T) {
	t.Parallel()
	const file = "../../docs/schema/replay-gate.settings.schema.json"
	want, err := config.Schema(kinds)
	if err != nil {
		t.Fatal(err)
	}
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(file, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Errorf("%s is not what the kinds say; UPDATE_GOLDEN=1 go test ./gate/config writes it", file)
	}
}
