package summary

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/replay-gate/replay-gate/summary/visible"
	"github.com/replay-gate/replay-gate/verify"
)

// phrase is a part of a sentence: our own words, or a name from the tree.
type phrase struct {
	text string
	name bool
}

func say(format string, args ...any) phrase { return phrase{text: fmt.Sprintf(format, args...)} }
func name(path string) phrase               { return phrase{path, true} }

// plainWords is a sentence without markup.
func plainWords(sentence []phrase) string {
	var b strings.Builder
	for _, p := range sentence {
		b.WriteString(visible.Text(p.text))
	}
	return b.String()
}

// markdownWords is a sentence as markdown.
func markdownWords(sentence []phrase) string {
	var b strings.Builder
	for _, p := range sentence {
		if p.name {
			b.WriteString(code(p.text, maxTitle))
		} else {
			b.WriteString(p.text)
		}
	}
	return b.String()
}

// sentence is what happened, in one sentence without a full stop.
func (r *Report) sentence() []phrase {
	if r.Incomplete() {
		return []phrase{say("the run could not be completed")}
	}
	return append(r.happened(), r.limits()...)
}

func (r *Report) happened() []phrase {
	brought, old := r.failing(true), r.failing(false)
	switch {
	case len(brought) == 1:
		return brought[0].title(r)
	case len(brought) > 1:
		n := count(len(brought), "change")
		if !slices.ContainsFunc(brought, func(c *Cause) bool { return c.Kind != "input" }) {
			n = count(len(brought), "input") + " changed"
		}
		results, one := r.results(brought)
		return []phrase{say("%s, and %s no longer %s", n, results, verb(one, "holds", "hold"))}
	case r.Counts.Fail > r.Counts.PreExisting:
		return []phrase{say("%s", joined(r.Counts.failures()))}
	case len(old) > 0 && r.ExitCode != 0:
		// The policy charges it all the same: fail-on any, or what is stale.
		results, one := r.results(old)
		return []phrase{say("%s %s not hold, and did not before this change either", results, verb(one, "does", "do"))}
	case len(old) > 0:
		results, _ := r.results(old)
		return []phrase{say("nothing new: %s did not hold before this change either", results)}
	case r.Counts.Fail > 0:
		return []phrase{say("nothing new: %s", joined(r.Counts.failures()))}
	case len(r.Evidence) == 0:
		return []phrase{say("nothing affected")}
	case r.Accepted > 0:
		return []phrase{say("%d accepted", r.Accepted)}
	}
	if c := r.formOnly(); c != nil {
		return c.formWords(r)
	}
	n := len(r.Evidence)
	return []phrase{say("%s of evidence %s", count(n, "piece"), verb(n == 1, "holds", "hold"))}
}

// formWords say that an input changed and the evidence holds all the same.
func (c *Cause) formWords(r *Report) []phrase {
	return []phrase{name(c.Path), say(" changed, and nothing in it that evidence rests on: %s still %s",
		r.noun(c.Holds), verb(len(c.Holds) == 1, "holds", "hold"))}
}

// asides are what a reader may want to know besides what fails, a sentence each.
func (r *Report) asides() [][]phrase {
	var all [][]phrase
	only := r.formOnly()
	for i := range r.Causes {
		c := &r.Causes[i]
		if len(c.Claims) > 0 {
			continue
		}
		if len(c.Holds) > 0 && (c != only || r.Counts.Fail > 0 || r.Accepted > 0) {
			all = append(all, c.formWords(r))
		}
		if older := c.older(); older != nil {
			all = append(all, append([]phrase{name(c.Path), say(": ")}, older...))
		}
	}
	if n := r.Counts.Fixed; n > 0 {
		all = append(all, []phrase{say("%s that failed before %s now", count(n, "field"), verb(n == 1, "holds", "hold"))})
	}
	return all
}

// formOnly is the one input that the change touched, if what evidence rests on in it is
// what it was.
func (r *Report) formOnly() *Cause {
	var only *Cause
	for i := range r.Causes {
		if c := &r.Causes[i]; len(c.Holds) > 0 {
			if only != nil {
				return nil
			}
			only = c
		}
	}
	return only
}

// limits says what the verdict does not rest on.
func (r *Report) limits() []phrase {
	switch c := r.Change; {
	case r.Scope.Named:
		return []phrase{say(" (only %s that %s named)", count(r.Scope.Checked, "piece")+" of evidence", verb(r.Scope.Checked == 1, "was", "were"))}
	case c.Base == "" && c.BaseNote != "" && r.Scope.Mode != "named":
		return []phrase{say(" (with no base to compare with)")}
	}
	return nil
}

// failing are the causes that this change brought and that have evidence which fails, or
// those that were there before it.
func (r *Report) failing(brought bool) []*Cause {
	var all []*Cause
	for i := range r.Causes {
		if c := &r.Causes[i]; len(c.Claims) > 0 && c.Introduced == brought {
			all = append(all, c)
		}
	}
	return all
}

// offersWays reports whether a cause says what to do.
func (r *Report) offersWays() bool {
	return slices.ContainsFunc(r.failing(true), func(c *Cause) bool { return len(c.Meant)+len(c.Undo) > 0 })
}

// results counts the evidence of causes, and says whether it is one piece.
func (r *Report) results(causes []*Cause) (words string, one bool) {
	var paths []string
	for _, c := range causes {
		for _, a := range c.Claims {
			paths = append(paths, a.Evidence)
		}
	}
	slices.Sort(paths)
	paths = slices.Compact(paths)
	return r.noun(paths), len(paths) == 1
}

// noun counts evidence in a word for what it is: what AHD records are published results.
func (r *Report) noun(paths []string) string {
	noun := "published result"
	for _, p := range paths {
		if e := r.piece(p); e != nil && e.Kind != "ahd" {
			noun = "recorded result"
			break
		}
	}
	return count(len(paths), noun)
}

func verb(one bool, singular, plural string) string {
	if one {
		return singular
	}
	return plural
}

// piece is the evidence at path; nil if it is not shown.
func (r *Report) piece(path string) *Entry {
	if i, ok := r.places[path]; ok && i < len(r.Evidence) && r.Evidence[i].Path == path {
		return &r.Evidence[i]
	}
	r.places = make(map[string]int, len(r.Evidence))
	for i := range r.Evidence {
		r.places[r.Evidence[i].Path] = i
	}
	if i, ok := r.places[path]; ok {
		return &r.Evidence[i]
	}
	return nil
}

// fields are the rows that fail because of a cause, in the order of its evidence.
func (c *Cause) fields(r *Report) []*Field {
	var all []*Field
	for _, a := range c.Claims {
		e := r.piece(a.Evidence)
		if e == nil {
			continue
		}
		for i := range e.Fields {
			if f := &e.Fields[i]; f.Status == verify.Fail && slices.Contains(a.Fields, f.Field) {
				all = append(all, f)
			}
		}
	}
	return all
}

// code is the reason code that all rows of a cause have; empty if they differ.
func (c *Cause) code(r *Report) string {
	code := ""
	for _, f := range c.fields(r) {
		switch {
		case f.Code == "not-compared", f.Code == code:
		case code != "":
			return ""
		default:
			code = f.Code
		}
	}
	return code
}

// changedCodes are what rows fail with whose input is another one than was recorded; empty
// for several of them.
var changedCodes = []string{"", "hash-differs", "folder-differs", "value-differs", "command-differs", "chain-broken"}

// title is what happened to one thing, in a sentence.
func (c *Cause) title(r *Report) []phrase {
	results, one := r.results([]*Cause{c})
	code := c.code(r)
	path := name(c.Path)
	switch {
	case c.Kind == "removal":
		return []phrase{path, say(" is gone, and what it vouches for is still there")}
	case c.Kind == "evidence":
		return c.ownTitle(r, code)
	case code == "input-missing":
		if to, ok := strings.CutPrefix(c.Here, c.Path+" was renamed to "); ok {
			return []phrase{path, say(" is now "), name(to), say(", and %s still %s the old name", results, verb(one, "has", "have"))}
		}
		return []phrase{path, say(" is not there, and %s %s on it", results, verb(one, "rests", "rest"))}
	case c.Here != "" && slices.Contains(changedCodes, code):
		return []phrase{path, say(" changed, and %s no longer %s it", results, verb(one, "describes", "describe"))}
	case code == "hash-differs":
		return []phrase{path, say(" is not what %s recorded", results)}
	}
	return []phrase{path, say(" no longer is what %s %s on", results, verb(one, "rests", "rest"))}
}

// ownTitle is what happened to evidence itself.
func (c *Cause) ownTitle(r *Report, code string) []phrase {
	path := name(c.Path)
	if e := r.piece(c.Path); e != nil && e.Unchecked != "" {
		return []phrase{path, say(" could not be checked")}
	}
	switch code {
	case "rewritten":
		return []phrase{path, say(" was edited: its run is the same, and what was recorded of it is not")}
	case "redated":
		return []phrase{path, say(" was edited: it names another run, with the traces of the old one")}
	case "report-edited":
		return []phrase{say("the report of "), path, say(" was edited, and its run is the same")}
	case "contradicts":
		return []phrase{path, say(" and its report no longer say the same")}
	case "secret", "possible-secret":
		return []phrase{path, say(" holds what looks like a secret")}
	case "unusable-path":
		return []phrase{path, say(" has a name that it can't have")}
	}
	n := len(c.fields(r))
	return []phrase{path, say(": %s %s not hold", count(n, "field"), verb(n == 1, "does", "do"))}
}

// by says who changed an input, in words and the commit; v is nil when no commit did.
func (c *Cause) by() (words string, v *verify.Version) {
	switch w := c.Why; {
	case w == nil:
		return "", nil
	case w.Case == verify.CaseUncommitted:
		return "changed here, and not committed", nil
	case w.Since != nil && c.Introduced:
		return "changed here by", w.Since
	case w.Since != nil:
		return "since", w.Since
	}
	return "", nil
}

// note is what a reader must know about the search through history; empty when it found
// who did it.
func (c *Cause) note() string {
	if c.Why == nil || c.Why.Case == "" || c.Why.Case == verify.CaseUncommitted {
		return ""
	}
	first, _, _ := strings.Cut(c.Why.Note, "; ")
	return first
}

// difference is what changed by meaning: in an input, or of what evidence recorded.
func (c *Cause) difference(r *Report) []string {
	if c.Kind == "input" {
		if c.Why == nil {
			return nil
		}
		return DifferenceLines(c.Why)
	}
	var lines []string
	for _, f := range c.fields(r) {
		field := verify.Clip(visible.Text(f.Field), maxEdit)
		recorded, observed := shown(f.Check)
		if f.Code != "rewritten" && f.Code != "report-edited" || recorded == "" && observed == "" {
			lines = append(lines, verify.Clip(field+": "+shortHashes(visible.Text(f.Reason)), maxText))
			continue
		}
		if recorded != "" {
			lines = append(lines, "- "+field+": "+verify.Clip(visible.Text(recorded), maxEdit+40))
		}
		if observed != "" {
			lines = append(lines, "+ "+field+": "+verify.Clip(visible.Text(observed), maxEdit+40))
		}
	}
	if n := len(lines) - maxDifference; n > 0 {
		lines = append(lines[:maxDifference], fmt.Sprintf("… %s in the report", count(n, "more line")))
	}
	return lines
}

// listed is what stands above the evidence that a cause affects; empty when the evidence is
// the cause.
func (c *Cause) listed(r *Report) string {
	one := len(c.Claims) == 1
	switch {
	case c.Kind != "input":
		return ""
	case c.code(r) == "input-missing":
		return verb(one, "rests on it", "rest on it")
	}
	return verb(one, "no longer describes it", "no longer describe it")
}

// namesOf says what a result is the newest word on, such as "5 models".
func namesOf(a *Affected) string {
	if len(a.Names) == 0 {
		return ""
	}
	return count(len(a.Names), "model")
}

// plainRole is a role that needs no escaping anywhere.
var plainRole = regexp.MustCompile(`^[a-z]+$`)

// older is what became of the superseded results of a cause.
func (c *Cause) older() []phrase {
	n := len(c.Records)
	if n == 0 {
		return nil
	}
	role := c.Role
	if !plainRole.MatchString(role) {
		role = "input"
	}
	words := []phrase{say("%s %s superseded", count(n, "older report"), verb(n == 1, "is", "are"))}
	switch at := c.RecordsAt; {
	case len(at) == 1:
		words = append(words, say("; %s %s is that of ", verb(n == 1, "its", "their"), role), name(shortID(at[0])))
	case len(at) > 1:
		words = append(words, say("; they describe %d older versions of the %s", len(at), role))
	}
	return words
}

// still is what holds although its input was touched.
func (c *Cause) still(r *Report) string {
	if len(c.Holds) == 0 || len(c.Claims) == 0 {
		return ""
	}
	return r.noun(c.Holds) + " still " + verb(len(c.Holds) == 1, "holds", "hold")
}
