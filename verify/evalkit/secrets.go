package evalkit

import (
	"fmt"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/jsondoc"
	"github.com/replay-gate/replay-gate/verify/secrets"
)

// holdsSecret reports whether s holds a credential that is recognised by its form.
// Names and generic keys are no reason here: recorded answers are full of examples.
func holdsSecret(s string) bool { return secrets.Has(s, secrets.Forms) }

// redact replaces what holdsSecret finds.
func redact(s string) string { return secrets.Redact(s, secrets.Forms, "[possible secret]") }

// secrets looks for secrets in every string and name of both lines, and in the
// text that the tool would not read.
func (j *checker) secrets() {
	var hits secretHits
	for i := range j.lines {
		l := &j.lines[i]
		if l.doc.Err != nil && holdsSecret(string(l.text)) {
			hits.add(fmt.Sprintf("line %d", l.number), l.at(nil))
			continue
		}
		hits.visit(l, l.root(), nil)
	}
	if holdsSecret(string(j.rest)) {
		hits.add(fmt.Sprintf("the text from line %d on", j.restLine), verify.Spot{Line: j.restLine, Column: 1})
	}
	const field = "secrets"
	if len(hits.paths) == 0 {
		j.OK(field, start, "")
		return
	}
	j.Fail(field, hits.first, "possible-secret", "possible secret in "+list(hits.paths))
}

// secretHits are the places at which a secret was found.
type secretHits struct {
	paths []string
	first verify.Spot
}

func (h *secretHits) add(path string, at verify.Spot) {
	if len(h.paths) == 0 {
		h.first = at
	}
	h.paths = append(h.paths, path)
}

// step is one link of the path to a value; paths are spelled only when needed.
type step struct {
	up    *step
	name  string
	index int // of an element; -1 for a member
}

func (s *step) String() string {
	switch {
	case s == nil:
		return ""
	case s.index >= 0:
		return fmt.Sprintf("%s[%d]", s.up, s.index)
	case s.up == nil:
		return shown(s.name, longest)
	}
	return s.up.String() + "." + shown(s.name, longest)
}

func (h *secretHits) visit(l *line, n *jsondoc.Node, path *step) {
	if len(h.paths) >= maxFindings {
		return
	}
	switch n.Kind() {
	case jsondoc.String:
		if holdsSecret(n.Text()) {
			h.add(path.String(), l.at(n))
		}
	case jsondoc.Array:
		for i, item := range n.Items() {
			h.visit(l, item, &step{path, "", i})
		}
	case jsondoc.Object:
		for _, m := range n.Members() {
			if holdsSecret(m.Name) {
				h.add("a name in "+path.String(), l.atMember(m))
			}
			h.visit(l, m.Value, &step{path, m.Name, -1})
		}
	}
}
