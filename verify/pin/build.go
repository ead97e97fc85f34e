package pin

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/replay-gate/replay-gate/verify"
)

// Request asks for a pin. Paths count from the root of the tree.
type Request struct {
	// Subjects are the results to vouch for; at least one.
	Subjects []string
	// Inputs and Notes are specs: a path or a glob, and after a # the keys that are
	// pinned in place of the whole file: "evals/*.md", "config.yml#model,sampling.n". A
	// note that is no file has a value: "model=gpt-4.1".
	Inputs, Notes []string
	// Sources are what configurations name.
	Sources []Source
	// Command and StartedOn are the run; none for a pin without one.
	Command   []string
	StartedOn time.Time
	Tool      string
}

// Source is what a configuration says that a run reads.
type Source struct {
	// Spec is how the configuration was named: "promptfooconfig.yaml", "dvc.yaml:train".
	Spec string
	// Inputs are the files that it names, each with keys or whole.
	Inputs []Ref
	// Globs are the patterns by which it names some of them.
	Globs []string
	// NotPinned are what it names that is no file of the tree.
	NotPinned []string
}

// Ref is a file, or keys of a file.
type Ref struct {
	Path string
	Keys []string
}

// Stored is the form of a file that git stores.
type Stored struct {
	Data []byte
	Blob string // its name in git, in hex
	// Note says why Data may not be what git stores; empty when it is.
	Note string
}

// Storer finds the stored form of the file of a tree, whose content is data.
type Storer func(name string, data []byte) (Stored, error)

// asIs is the Storer for a tree that shows what git stores.
func asIs(_ string, data []byte) (Stored, error) {
	return Stored{Data: data, Blob: sumsOf(data).blob}, nil
}

// SpecError says what is wrong with a spec, or with the file that it names.
type SpecError struct {
	Spec string
	Err  error
}

func (e *SpecError) Error() string { return e.Spec + ": " + e.Err.Error() }

// Unwrap gives the reason.
func (e *SpecError) Unwrap() error { return e.Err }

// ErrNoMatch says that no file matches a glob.
var ErrNoMatch = errors.New("no file matches")

// SplitSpec cuts the keys off a spec.
func SplitSpec(spec string) (pattern string, keys []string) {
	pattern, list, ok := strings.Cut(spec, "#")
	if !ok {
		return spec, nil
	}
	for key := range strings.SplitSeq(list, ",") {
		if key = strings.TrimSpace(key); key != "" {
			keys = append(keys, key)
		}
	}
	return pattern, sortedKeys(keys)
}

// Build pins the files of a tree as they are. With a nil stored, the tree shows what git
// stores, as a commit does. Its errors are *[SpecError], or what stored fails with.
func Build(tree *verify.Tree, stored Storer, req Request) (Pin, error) {
	p, b, err := buildInputs(tree, stored, req)
	for _, name := range req.Subjects {
		if err != nil {
			return p, err
		}
		var a Artifact
		if a, err = b.artifact(Ref{Path: name}); err != nil {
			return p, &SpecError{name, err}
		}
		a.Canonical = "" // a result is its bytes
		p.Subjects = append(p.Subjects, a)
	}
	p.NotPinned = sortedKeys(append(p.NotPinned, b.notes...))
	return p, err
}

// BuildInputs is Build before the results are there: the pin has no subjects.
func BuildInputs(tree *verify.Tree, stored Storer, req Request) (Pin, error) {
	p, b, err := buildInputs(tree, stored, req)
	p.NotPinned = sortedKeys(append(p.NotPinned, b.notes...))
	return p, err
}

func buildInputs(tree *verify.Tree, stored Storer, req Request) (Pin, *builder, error) {
	if stored == nil {
		stored = asIs
	}
	b := &builder{tree: tree, stored: stored, taken: make(map[string]bool)}
	p := Pin{Command: req.Command, StartedOn: req.StartedOn, Tool: req.Tool}
	if len(req.Subjects) == 0 {
		return p, b, errors.New("a pin has at least one subject")
	}
	for _, name := range req.Subjects {
		if b.taken[name] {
			return p, b, &SpecError{name, errors.New("is named twice")}
		}
		b.taken[name] = true
	}
	var err error
	b.taken[PathFor(req.Subjects[0])] = true
	if p.Inputs, p.Globs, err = b.specs(req.Inputs); err != nil {
		return p, b, err
	}
	for _, s := range req.Sources {
		if err := b.source(&p, s); err != nil {
			return p, b, err
		}
	}
	// A new file under a glob of notes is nobody's business.
	if p.Notes, err = b.notesOf(req.Notes); err != nil {
		return p, b, err
	}
	byName := func(a, b Artifact) int { return cmp.Compare(a.Name, b.Name) }
	slices.SortFunc(p.Inputs, byName)
	slices.SortFunc(p.Notes, byName)
	return p, b, nil
}
