package evalkit

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/jsondoc"
)

// secretPattern is a pattern and a word without which it can't match: most texts
// are ruled out by the word.
type secretPattern struct {
	word    string
	pattern *regexp.Regexp
	prose   bool // the word, in lower case, is one of prose, in any case
	digit   bool // a match without a digit is prose
}

// secretPatterns are those of Assay's scrubber, with white space as Unicode has
// it, and the forms of widely used credentials. Recorded prose speaks of bearers
// and of risk-taking too, so all but the first start at a word boundary, and a
// bearer token looks like one.
var secretPatterns = func() []secretPattern {
	var (
		github = regexp.MustCompile(`\b(?:gh[pousr]|github_pat)_[A-Za-z0-9_]{30,}`)
		aws    = regexp.MustCompile(`\b(?:AKIA|ASIA)[A-Z0-9]{16}\b`)
		// The first line alone is prose about keys. Its line breaks may be escaped.
		pem = regexp.MustCompile(`(?s)-----BEGIN [A-Z ]*PRIVATE KEY-----(?:\s|\\[nr])*(?:Proc-Type:|[A-Za-z0-9+/=]{16}).*?(?:-----END|$)`)
	)
	return []secretPattern{
		{word: "authorization", prose: true, pattern: regexp.MustCompile(`(?im)^[\s\pZ\x{85}\v]*authorization[\s\pZ\x{85}\v]*:.+`)},
		{word: "bearer", prose: true, digit: true, pattern: regexp.MustCompile(`(?i)\bbearer[\s\pZ\x{85}\v]+[a-z0-9._~+/=-]{8,}`)},
		{word: "sk-", pattern: regexp.MustCompile(`\bsk-[A-Za-z0-9_-]{20,}`)},
		{word: "sk_", pattern: regexp.MustCompile(`\bsk_[A-Za-z0-9_-]{20,}`)},
		{word: "ghp_", pattern: github}, {word: "gho_", pattern: github}, {word: "ghu_", pattern: github},
		{word: "ghs_", pattern: github}, {word: "ghr_", pattern: github}, {word: "github_pat_", pattern: github},
		{word: "AKIA", pattern: aws}, {word: "ASIA", pattern: aws},
		{word: "xox", digit: true, pattern: regexp.MustCompile(`\bxox[abprs]-[A-Za-z0-9-]{10,}`)},
		{word: "AIza", pattern: regexp.MustCompile(`\bAIza[A-Za-z0-9_-]{35}`)},
		{word: "eyJ", pattern: regexp.MustCompile(`\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]*`)},
		{word: "PRIVATE KEY-----", pattern: pem},
	}
}()

// canMatch rules out most texts.
func (p secretPattern) canMatch(s string) bool {
	if p.prose {
		return containsFold(s, p.word)
	}
	return strings.Contains(s, p.word)
}

// isSecret reports whether a match is more than prose, and not a key of a
// provider's own documentation, which answers like to quote.
func (p secretPattern) isSecret(match string) bool {
	if p.digit && !strings.ContainsAny(match, "0123456789") {
		return false
	}
	return len(match) != len("AKIAIOSFODNN7EXAMPLE") || !strings.HasSuffix(match, "EXAMPLE")
}

// containsFold is strings.Contains for any case of a lower-case ASCII word.
func containsFold(s, word string) bool {
	for i := 0; i+len(word) <= len(s); i++ {
		if s[i]|0x20 == word[0] && strings.EqualFold(s[i:i+len(word)], word) {
			return true
		}
	}
	return false
}

func holdsSecret(s string) bool {
	for _, p := range secretPatterns {
		if p.canMatch(s) && slices.ContainsFunc(p.pattern.FindAllString(s, -1), p.isSecret) {
			return true
		}
	}
	return false
}

// redact replaces what holdsSecret finds.
func redact(s string) string {
	for _, p := range secretPatterns {
		if !p.canMatch(s) {
			continue
		}
		s = p.pattern.ReplaceAllStringFunc(s, func(match string) string {
			if p.isSecret(match) {
				return "[possible secret]"
			}
			return match
		})
	}
	return s
}

// secrets looks for secrets in every string and name of both lines, and in the
// text that the tool would not read.
func (j *judge) secrets() {
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
		hits.add(fmt.Sprintf("the text from line %d on", j.restLine), verify.Location{Line: j.restLine, Column: 1})
	}
	const field = "secrets"
	if len(hits.paths) == 0 {
		j.check(verify.OK, field, start, "", "")
		return
	}
	j.check(verify.Fail, field, hits.first, "possible-secret", "possible secret in "+list(hits.paths))
}

// secretHits are the places at which a secret was found.
type secretHits struct {
	paths []string
	first verify.Location
}

func (h *secretHits) add(path string, at verify.Location) {
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
