package bundle

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// Comparison is how two bundles differ.
type Comparison struct {
	// Manifest lists the members of the manifests that differ, by path, without
	// those about single files.
	Manifest []ValueChange `json:"manifest"`
	// Members lists the files that only one bundle has, and those that differ.
	Members []MemberChange `json:"members"`
	// Checks lists the parts of the recorded verdicts that differ.
	Checks []Difference `json:"checks"`
	// Note says why the verdicts were not compared, or is empty.
	Note string `json:"note,omitempty"`
}

// Same reports whether nothing differs.
func (c *Comparison) Same() bool {
	return len(c.Manifest)+len(c.Members)+len(c.Checks) == 0
}

// ValueChange is a member of the manifest that differs. A side that lacks it is
// empty; else it is JSON.
type ValueChange struct {
	Path   string `json:"path"`
	Before string `json:"before,omitempty"`
	After  string `json:"after,omitempty"`
}

// MemberChange is a file that differs. A side that lacks it has no digest.
type MemberChange struct {
	Name   string `json:"name"`
	Op     string `json:"op"` // added, removed, changed
	Before string `json:"before,omitempty"`
	After  string `json:"after,omitempty"`
}

// Compare says how bundle b differs from a: manifest, files, and the verdicts
// recorded in them.
func Compare(a, b *Archive, records Records) (*Comparison, error) {
	c := &Comparison{Manifest: []ValueChange{}, Members: []MemberChange{}, Checks: []Difference{}}
	before, err := flatten(&a.Manifest)
	if err != nil {
		return nil, err
	}
	after, err := flatten(&b.Manifest)
	if err != nil {
		return nil, err
	}
	for path := range sorted(union(before, after)) {
		if before[path] != after[path] {
			c.Manifest = append(c.Manifest, ValueChange{path, before[path], after[path]})
		}
	}
	was, is := digests(a), digests(b)
	for name := range sorted(union(was, is)) {
		switch {
		case was[name] == "":
			c.Members = append(c.Members, MemberChange{name, "added", "", is[name]})
		case is[name] == "":
			c.Members = append(c.Members, MemberChange{name, "removed", was[name], ""})
		case was[name] != is[name]:
			c.Members = append(c.Members, MemberChange{name, "changed", was[name], is[name]})
		}
	}
	first, err := (&replay{archive: a}).record(records)
	if err != nil {
		return nil, err
	}
	second, err := (&replay{archive: b}).record(records)
	switch {
	case err != nil:
		return nil, err
	case first == nil || second == nil:
		c.Note = "the verdicts are not compared: not both bundles hold one of replay-gate"
	default:
		c.Checks = append(c.Checks, compare(first, second)...)
	}
	return c, nil
}

func digests(a *Archive) map[string]string {
	m := make(map[string]string, len(a.Entries))
	for _, e := range a.Entries {
		m[e.Name] = e.SHA256
	}
	return m
}

func union[V any](a, b map[string]V) map[string]V {
	m := make(map[string]V, len(a))
	for _, from := range []map[string]V{a, b} {
		for k, v := range from {
			m[k] = v
		}
	}
	return m
}

// flatten gives the members of a manifest by path, without "files": what is to be
// said about files, their digests say. A list is one value.
func flatten(m *Manifest) (map[string]string, error) {
	whole := *m
	whole.Files = nil
	member := make(map[string]bool)
	for _, f := range m.Files {
		member[f.SHA256] = true
	}
	for _, d := range []*string{&whole.ConfigDigest, &whole.PolicyDigest, &whole.BaselineDigest, &whole.TraceDigest} {
		if member[*d] {
			*d = ""
		}
	}
	if m.ReplayGate != nil {
		g := *m.ReplayGate
		if g.Inputs = maps.Clone(g.Inputs); member[g.EvidenceDigest] {
			g.EvidenceDigest = ""
		}
		maps.DeleteFunc(g.Inputs, func(_, d string) bool { return member[d] })
		whole.ReplayGate = &g
	}
	text, err := whole.encode()
	if err != nil {
		return nil, fmt.Errorf("encoding the manifest: %w", err)
	}
	flat := make(map[string]string)
	return flat, flattenInto(flat, "", text)
}

// keyed are the members of the manifest whose own members have names of anybody's.
var keyed = []string{
	"paths", "replay_coverage.reason", "replay_gate.inputs", "replay_gate.unreadable", "replay_gate.base.unreadable", "replay_gate.base.renamed",
}

func flattenInto(flat map[string]string, path string, text json.RawMessage) error {
	if text[0] != '{' {
		flat[path] = string(text)
		return nil
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(text, &members); err != nil {
		return fmt.Errorf("decoding the manifest: %w", err)
	}
	for name, member := range members {
		at := join(path, name)
		if slices.Contains(keyed, path) {
			at = fmt.Sprintf("%s[%q]", path, name)
		}
		if err := flattenInto(flat, at, member); err != nil {
			return err
		}
	}
	return nil
}
