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
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"gopkg.in/yaml.v3"

	"github.com/replay-gate/replay-gate/verify"
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
	// Moved says where inputs lie now, by the path that evidence recorded.
	Moved map[string]string
	// Formats are the kinds of evidence, each with its own settings.
	Formats []verify.Format
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

// file is the part of the file that is the same for every kind.
type file struct {
	Evidence map[string][]string `yaml:"evidence"`
	FailOn   map[string]string   `yaml:"fail-on"`
	Moved    map[string]string   `yaml:"moved"`
}

// Parse reads the file's content. formats are the kinds of evidence that there are; they
// say which settings of their own they have. Every error is an *[Error].
func Parse(data []byte, formats []verify.Format) (Settings, error) {
	s := Settings{Formats: slices.Clone(formats)}
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
	sh, err := shapeOf(formats)
	if err != nil {
		return s, err
	}
	if err := checkKeys(root, "", sh, &s.Keys); err != nil {
		return s, err
	}
	var f file
	if err := root.Decode(&f); err != nil {
		return s, malformed(root, "", err)
	}
	slices.Sort(s.Keys)
	if err := f.validate(root); err != nil {
		return s, err
	}
	s.Evidence, s.FailOn, s.Moved = f.Evidence, f.FailOn, f.Moved
	for i, format := range s.Formats {
		if s.Formats[i], err = configure(format, root); err != nil {
			return s, err
		}
	}
	return s, nil
}

// configure gives a kind its own settings.
func configure(format verify.Format, root *yaml.Node) (verify.Format, error) {
	c, ok := format.(verify.Configurable)
	if !ok {
		return format, nil
	}
	key, _ := c.Settings()
	for i := 0; i+1 < len(root.Content); i += 2 {
		if root.Content[i].Value != key {
			continue
		}
		with, err := c.Configure(root.Content[i+1].Decode)
		if err != nil {
			return format, malformed(root.Content[i], key, err)
		}
		return with, nil
	}
	return format, nil
}

// malformed words an error of decoding.
func malformed(n *yaml.Node, key string, err error) *Error {
	reason := strings.TrimPrefix(strings.ReplaceAll(err.Error(), "\n", ";"), "yaml: ")
	if key != "" {
		reason = key + ": " + reason
	}
	return at(n, reason)
}

func (f *file) validate(root *yaml.Node) error {
	for _, kind := range slices.Sorted(maps.Keys(f.Evidence)) {
		for _, g := range f.Evidence[kind] {
			if why := BadGlob(g); why != "" {
				return at(root, fmt.Sprintf("evidence.%s: %q %s", kind, g, why))
			}
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(f.FailOn)) {
		if v := f.FailOn[kind]; !slices.Contains([]string{"introduced", "any", "never"}, v) {
			return at(root, fmt.Sprintf("fail-on.%s: %q is not known; use introduced, any or never", kind, v))
		}
	}
	for _, old := range slices.Sorted(maps.Keys(f.Moved)) {
		for _, p := range []string{old, f.Moved[old]} {
			if !fs.ValidPath(p) || p == "." {
				return at(root, fmt.Sprintf("moved: %q is no path from the root of the repository", p))
			}
		}
	}
	return nil
}

// Bounds for one glob: what it may stand for grows with each alternative in braces.
const (
	maxGlob   = 1024
	maxBraces = 8
)

// BadGlob says why a glob is refused, in words that follow it; empty for a good one.
func BadGlob(g string) string {
	switch {
	case len(g) > maxGlob:
		return fmt.Sprintf("is longer than %d bytes", maxGlob)
	case strings.Count(g, "{") > maxBraces || strings.Count(g, "**") > maxBraces || strings.Count(g, "*") > 4*maxBraces:
		return fmt.Sprintf("has more than %d braces or double stars, or %d stars", maxBraces, 4*maxBraces)
	case !doublestar.ValidatePattern(g):
		return "is not a valid glob"
	}
	return ""
}

// Literal is the glob that matches the path alone.
func Literal(path string) string { return meta.ReplaceAllString(path, `\$0`) }

var meta = regexp.MustCompile(`[*?\[\]{}\\]`)

func at(n *yaml.Node, reason string) *Error {
	return &Error{Line: n.Line, Column: n.Column, Reason: reason}
}
