// Package config reads .replay-gate.yml, the repository's own settings of the
// gate.
//
// The file is optional. It says where evidence lies, what its tools were told that
// evidence does not record, and how strict to be about each kind:
//
//	evidence:
//	  evalkit: ["evals/**/.eval-fixtures/**/*.jsonl"]
//	fail-on:
//	  decision: never
//	fixtures:
//	  suites:
//	    - name: smoke
//	      target-version: v2.0.0
//
// A setting that is misspelt would silently not be one, so keys that nobody knows
// are refused, with the key that was probably meant. Which version of the file
// counts, the base's or the head's, is not decided here.
package config

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"gopkg.in/yaml.v3"

	"github.com/replay-gate/replay-gate/verify/aos"
	"github.com/replay-gate/replay-gate/verify/decision"
	"github.com/replay-gate/replay-gate/verify/evalkit"
)

// Name is the file's path, from the root of the repository.
const Name = ".replay-gate.yml"

// MaxSize bounds the file, in bytes.
const MaxSize = 256 << 10

// Settings are what the file says. The zero value is that of a repository
// without one.
type Settings struct {
	// Evidence replaces the globs of a kind, by its name.
	Evidence map[string][]string
	// FailOn replaces the policy for a kind: introduced, any or never.
	FailOn map[string]string
	// The kinds' own settings.
	Evalkit  evalkit.Config
	AOS      aos.Config
	Decision decision.Config
	// Keys are the settings that the file makes, such as "fail-on.decision", sorted.
	Keys []string
}

// Error says what is wrong with the file, and where.
type Error struct {
	Line, Column int
	Reason       string
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %s", Name, e.Reason)
	}
	return fmt.Sprintf("%s:%d:%d: %s", Name, e.Line, e.Column, e.Reason)
}

// file is the file's shape.
type file struct {
	Evidence map[string][]string `yaml:"evidence"`
	FailOn   map[string]string   `yaml:"fail-on"`
	Fixtures struct {
		Folder string  `yaml:"folder"`
		Strict bool    `yaml:"strict"`
		Suites []suite `yaml:"suites"`
	} `yaml:"fixtures"`
	AOS struct {
		Budgets []int64 `yaml:"budgets"`
	} `yaml:"aos"`
	Decision struct {
		Policies []string `yaml:"policies"`
	} `yaml:"decision"`
}

type suite struct {
	Name          string   `yaml:"name"`
	TargetVersion *string  `yaml:"target-version"`
	TTLDays       int      `yaml:"ttl-days"`
	StripRaw      *bool    `yaml:"strip-raw"`
	Cases         []string `yaml:"cases"`
}

// Parse reads the file's content. kinds are the names of the kinds of evidence
// that there are. Every error is an *[Error].
func Parse(data []byte, kinds []string) (Settings, error) {
	var s Settings
	if len(data) > MaxSize {
		return s, &Error{Reason: fmt.Sprintf("is larger than %d KiB", MaxSize>>10)}
	}
	var doc yaml.Node
	dec := yaml.NewDecoder(strings.NewReader(string(data)))
	if err := dec.Decode(&doc); errors.Is(err, io.EOF) {
		return s, nil
	} else if err != nil {
		return s, &Error{Reason: "is not valid YAML: " + strings.TrimPrefix(err.Error(), "yaml: ")}
	}
	if err := dec.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return s, &Error{Reason: "must be one YAML document"}
	}
	root := doc.Content[0]
	if err := checkKeys(root, "", shapeOf(kinds), &s.Keys); err != nil {
		return s, err
	}
	var f file
	if err := root.Decode(&f); err != nil {
		return s, &Error{Reason: strings.TrimPrefix(strings.ReplaceAll(err.Error(), "\n", ";"), "yaml: ")}
	}
	slices.Sort(s.Keys)
	if err := f.validate(root); err != nil {
		return s, err
	}
	s.Evidence, s.FailOn = f.Evidence, f.FailOn
	s.AOS.Budgets = f.AOS.Budgets
	s.Decision.PinnedIdentities = f.Decision.Policies
	s.Evalkit.FixtureDir, s.Evalkit.StrictFixtures = f.Fixtures.Folder, f.Fixtures.Strict
	for _, su := range f.Fixtures.Suites {
		s.Evalkit.Suites = append(s.Evalkit.Suites, evalkit.Suite(su))
	}
	return s, nil
}

func (f *file) validate(root *yaml.Node) error {
	for _, kind := range slices.Sorted(maps.Keys(f.Evidence)) {
		for _, g := range f.Evidence[kind] {
			if !doublestar.ValidatePattern(g) {
				return at(root, fmt.Sprintf("evidence.%s: %q is not a valid glob", kind, g))
			}
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(f.FailOn)) {
		if v := f.FailOn[kind]; !slices.Contains([]string{"introduced", "any", "never"}, v) {
			return at(root, fmt.Sprintf("fail-on.%s: %q is not known; use introduced, any or never", kind, v))
		}
	}
	for i, su := range f.Fixtures.Suites {
		if su.Name == "" {
			return at(root, fmt.Sprintf("fixtures.suites[%d]: a suite needs a name", i))
		}
		if su.TTLDays < 0 {
			return at(root, fmt.Sprintf("fixtures.suites[%d]: ttl-days must not be negative", i))
		}
	}
	for _, p := range f.Decision.Policies {
		if len(p) != 71 || !strings.HasPrefix(p, "sha256:") || strings.Trim(p[7:], "0123456789abcdef") != "" {
			return at(root, fmt.Sprintf("decision.policies: %q is not sha256: and 64 lower-case hex digits", p))
		}
	}
	return nil
}

func at(n *yaml.Node, reason string) *Error {
	return &Error{Line: n.Line, Column: n.Column, Reason: reason}
}
