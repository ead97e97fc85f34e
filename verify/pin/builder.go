package pin

import (
	"errors"
	"fmt"
	"strings"

	"github.com/replay-gate/replay-gate/verify"
)

// builder makes artifacts; taken are the names that have one.
type builder struct {
	tree   *verify.Tree
	stored Storer
	taken  map[string]bool
	notes  []string
}

// specs makes the artifacts of specs, and lists those specs that are globs.
func (b *builder) specs(specs []string) (all []Artifact, globs []string, err error) {
	for _, spec := range specs {
		refs, glob, err := b.expand(spec)
		if err != nil {
			return nil, nil, &SpecError{spec, err}
		}
		if glob {
			globs = append(globs, spec)
		}
		for _, ref := range refs {
			if b.taken[ref.Path] {
				if glob {
					continue // named before, or a result
				}
				return nil, nil, &SpecError{spec, errors.New("is named twice, or is a result and an input")}
			}
			a, err := b.artifact(ref)
			if err != nil {
				return nil, nil, &SpecError{spec, err}
			}
			b.taken[ref.Path] = true
			all = append(all, a)
		}
		if len(all) > maxArtifacts-100 { // room for results and notes
			return nil, nil, &SpecError{spec, fmt.Errorf("more than %d files", maxArtifacts)}
		}
	}
	return all, globs, nil
}

// notesOf makes the artifacts of notes, of which some are no files.
func (b *builder) notesOf(specs []string) (all []Artifact, err error) {
	var files []string
	for _, spec := range specs {
		if name, text, ok := b.fact(spec); ok {
			all = append(all, Artifact{Name: name, Value: text})
		} else {
			files = append(files, spec)
		}
	}
	more, _, err := b.specs(files)
	return append(all, more...), err
}

// fact is a note of the form name=value that names no file.
func (b *builder) fact(spec string) (name, text string, ok bool) {
	name, text, ok = strings.Cut(spec, "=")
	return name, text, ok && name != "" && !IsGlob(name) && !b.tree.Exists(spec)
}

// expand finds the files that a spec names.
func (b *builder) expand(spec string) (refs []Ref, glob bool, err error) {
	if b.tree.Exists(spec) {
		return []Ref{{Path: spec}}, false, nil // whatever characters are in its name
	}
	pattern, keys := SplitSpec(spec)
	if strings.Contains(spec, "#") && len(keys) == 0 {
		return nil, false, errors.New("there is no key after the #")
	}
	if !IsGlob(pattern) || b.tree.Exists(pattern) {
		return []Ref{{pattern, keys}}, false, nil
	}
	g, err := ParseGlob(pattern)
	if err != nil {
		return nil, true, err
	}
	for _, name := range b.tree.Under(g.Dir()) {
		if g.Match(name) && !strings.HasSuffix(name, Ending) {
			refs = append(refs, Ref{name, keys})
		}
	}
	if len(refs) == 0 {
		return nil, true, ErrNoMatch
	}
	return refs, true, nil
}

// source adds what a configuration names. What a person named before stays as it is.
func (b *builder) source(p *Pin, s Source) error {
	p.From = append(p.From, s.Spec)
	p.NotPinned = append(p.NotPinned, s.NotPinned...)
	p.FromGlobs = sortedKeys(append(p.FromGlobs, s.Globs...))
	for _, ref := range s.Inputs {
		if b.taken[ref.Path] {
			continue
		}
		a, err := b.artifact(ref)
		if err != nil {
			return &SpecError{s.Spec, fmt.Errorf("%s: %w", ref.Path, err)}
		}
		b.taken[ref.Path] = true
		a.From = s.Spec
		p.Inputs = append(p.Inputs, a)
	}
	return nil
}

// artifact pins one file.
func (b *builder) artifact(ref Ref) (Artifact, error) {
	a := Artifact{Name: ref.Path, Keys: sortedKeys(ref.Keys)}
	if pathOf(ref.Path) != ref.Path {
		return a, errors.New("is no path below the root of the repository")
	}
	data, err := b.tree.ReadFile(ref.Path, verify.MaxInput)
	if err != nil {
		return a, errors.New(verify.ReadReason(err))
	}
	form, err := b.stored(ref.Path, data)
	if err != nil {
		return a, err
	}
	if form.Note != "" {
		b.notes = append(b.notes, ref.Path+": "+form.Note)
	}
	a.SHA256, a.Blob = sumsOf(form.Data).sha256, form.Blob
	if !IsStructured(ref.Path) && len(a.Keys) == 0 {
		return a, nil
	}
	// The values are those of the content, also where git stores a pointer to it.
	sum, err := ValueHash(ref.Path, data, a.Keys)
	if err != nil && len(a.Keys) > 0 {
		return a, err
	}
	if err == nil {
		a.Canonical = sum
	}
	return a, nil
}
