package config_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/replay-gate/replay-gate/gate"
	"github.com/replay-gate/replay-gate/gate/config"
	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/evalkit"
)

var kinds = gate.Formats()

// configured is the kind of a name, with what the settings say of it.
func configured[F verify.Format](t *testing.T, s config.Settings) F {
	t.Helper()
	for _, f := range s.Formats {
		if f, ok := f.(F); ok {
			return f
		}
	}
	t.Fatal("there is no such kind")
	panic("unreachable")
}

func TestParse(t *testing.T) {
	t.Parallel()
	s, err := config.Parse([]byte(`
# what the gate of this repository checks
evidence:
  evalkit: ["evals/**/*.jsonl"]
fail-on: {decision: never}
fixtures:
  strict: true
  suites:
    - name: smoke
      target-version: v2.0.0
      ttl-days: 30
    - name: bare
aos: {budgets: [500]}
decision:
  policies: ["sha256:`+strings.Repeat("a", 64)+`"]
`), kinds)
	if err != nil {
		t.Fatal(err)
	}
	if got := s.Evidence["evalkit"]; !slices.Equal(got, []string{"evals/**/*.jsonl"}) || s.FailOn["decision"] != "never" {
		t.Errorf("%+v", s)
	}
	kit := configured[evalkit.Format](t, s)
	su := kit.Suites
	if len(su) != 2 || *su[0].TargetVersion != "v2.0.0" || su[0].TTLDays != 30 || !kit.StrictFixtures {
		t.Errorf("suites: %+v", su)
	}
	// A suite without a target version is not one with an empty one
	// (agent-eval-kit, configHash).
	if su[1].TargetVersion != nil {
		t.Errorf("bare has the target version %q", *su[1].TargetVersion)
	}
	if want := []string{"aos.budgets", "decision.policies", "evidence.evalkit", "fail-on.decision", "fixtures.strict", "fixtures.suites"}; !slices.Equal(s.Keys, want) {
		t.Errorf("keys: %q, want %q", s.Keys, want)
	}
}

func TestAFileThatSaysNothingIsNoFile(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "# nothing\n", "{}"} {
		if s, err := config.Parse([]byte(text), kinds); err != nil || !reflect.DeepEqual(s, config.Settings{Formats: kinds}) {
			t.Errorf("%q: %+v, %v", text, s, err)
		}
	}
}

// Unknown keys are refused with a suggestion (issue 6, for all).
func TestRefused(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ text, want string }{
		{"evidnce: {}", `.replay-gate.yml:1:1: unknown key "evidnce"; did you mean "evidence"?`},
		{"fail-on:\n  evalkits: any", `.replay-gate.yml:2:3: unknown key "fail-on.evalkits"; did you mean "evalkit"?`},
		{"fixtures:\n  suites:\n    - name: a\n      ttldays: 3", `did you mean "ttl-days"?`},
		{"zzzzzzzzzz: 1", "known are"},
		{"fail-on: {ahd: sometimes}", "use introduced, any or never"},
		{"evidence: {ahd: ['[']}", "not a valid glob"},
		{"evidence: [a]", "evidence must be a mapping"},
		{"- a", "must be a mapping"},
		{"fixtures: {suites: {name: a}}", "must be a list"},
		{"fixtures: {suites: [{ttl-days: 3}]}", "a suite needs a name"},
		{"fixtures: {strict: perhaps}", "cannot unmarshal"},
		{"decision: {policies: [sha256:ABC]}", "64 lower-case hex digits"},
		{"fixtures: {suites: [{name: a, ttl-days: -1}]}", "ttl-days must not be negative"},
		{"fail-on: {bundle: b, decision: d, ahd: a, evalkit: e}", `fail-on.ahd: "a" is not known`}, // always the same one
		{"a: [", "is not valid YAML"},
		{"fail-on: {ahd: any}\n---\nfail-on: {ahd: never}", "must be one YAML document"},
		{"a: &a [*a]", ""},
		{"moved: {../a: b}", "no path from the root"},
		// What a glob may stand for grows with each brace (issue 10, Nothing hangs).
		{"evidence: {ahd: ['" + strings.Repeat("{*,*}", 30) + "']}", "more than 8 braces"},
		{strings.Repeat("#", config.MaxSize+1), "is larger than 256 KiB"},
	} {
		if _, err := config.Parse([]byte(tc.text), kinds); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%.40q: %v, want %q", tc.text, err, tc.want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("evidence: {ahd: ['**']}\nfixtures: {suites: [{name: a, cases: [b]}]}"))
	f.Add([]byte("a: &a [*a]"))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := config.Parse(data, kinds)
		if err == nil {
			for kind := range s.Evidence {
				if !slices.ContainsFunc(kinds, func(f verify.Format) bool { return f.Kind() == kind }) {
					t.Errorf("unknown kind %q", kind)
				}
			}
		}
	})
}
