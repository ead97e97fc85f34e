package summary

import (
	"fmt"
	"strings"

	"github.com/replay-gate/replay-gate/summary/visible"
	"github.com/replay-gate/replay-gate/verify"
)

// Bounds of a terminal's first screen; Verbose lifts them.
const (
	maxClaims = 10 // results of a cause
	maxCauses = 8  // causes
	maxOld    = 10 // results that failed before
	maxShown  = 10 // lines of a difference, and accepted fields
)

// body is what stands before everything below the headline.
const body = "       "

// story writes what happened: a sentence, then each cause with the ways out of it.
func (s *screen) story(r *Report) {
	verdict := string(r.Verdict)
	sentence := plainWords(r.sentence())
	first := verdict + "  "
	if r.Verdict == Intact && r.Accepted > 0 && r.Counts.Fail == 0 {
		first = verdict + " · "
	}
	s.wrapped(verify.Status(verdict), first, sentence)
	if s.Quiet {
		return
	}
	if len(r.Evidence) == 0 && !r.Incomplete() {
		s.wrapped("", body, whyNothing(r))
	}
	brought := r.failing(true)
	for i, c := range brought {
		if i == s.most(maxCauses) {
			s.line("", "")
			s.wrapped("", body, count(len(brought)-i, "more cause")+"; --verbose shows them")
			break
		}
		s.line("", "")
		if len(brought) > 1 {
			s.wrapped("", body, plainWords(c.title(r)))
		}
		s.cause(r, c)
	}
	s.old(r, len(brought) > 0)
	s.accepted(r)
	s.asides(r)
}

// most is n, or no bound with Verbose.
func (s *screen) most(n int) int {
	if s.Verbose {
		return 1 << 30
	}
	return n
}

func (s *screen) cause(r *Report, c *Cause) {
	words, v := c.by()
	if v != nil {
		words += " " + shortID(v.Commit) + ", " + whoAndWhat(v, !c.Introduced)
	}
	for _, w := range []string{words, c.note()} {
		if w != "" {
			s.wrapped("", body, w)
		}
	}
	lines := c.difference(r)
	s.told.before(c.Path, lines, "above")
	cut := max(0, len(lines)-s.most(maxShown))
	for _, l := range lines[:len(lines)-cut] {
		var sign verify.Status
		if strings.HasPrefix(l, "+ ") || strings.HasPrefix(l, "- ") {
			sign = verify.Status(l[:1])
		}
		s.wrapped(sign, body+"  ", l)
	}
	if cut > 0 {
		s.wrapped("", body+"  ", count(cut, "more line")+"; --verbose shows them")
	}
	for _, follows := range c.Follows[:min(len(c.Follows), s.most(maxShown))] {
		s.wrapped("", body, follows)
	}
	s.claims(r, c)
	if still := c.still(r); still != "" {
		s.wrapped("", body, still)
	}
	if older := c.older(); older != nil {
		s.wrapped("", body, plainWords(older))
	}
	s.way("meant it?", c.Meant)
	s.way("did not?", c.Undo)
}

// whoAndWhat is the author and the subject of a commit, and its day if that matters.
func whoAndWhat(v *verify.Version, day bool) string {
	words := commitWords(v)
	if !day {
		_, words, _ = strings.Cut(words, ", ")
	}
	return words
}

// claims lists the results that a cause affects, with what each is the newest word on.
func (s *screen) claims(r *Report, c *Cause) {
	head := c.listed(r)
	if head == "" {
		return
	}
	s.wrapped("", body, head)
	widest := 0
	for i := range c.Claims {
		widest = max(widest, displayWidth(visible.Text(c.Claims[i].Report)))
	}
	for i := range c.Claims {
		if i == s.most(maxClaims) {
			s.wrapped("", body+"  ", thousands(len(c.Claims)-i)+" more"+"; --verbose shows them")
			return
		}
		a := &c.Claims[i]
		path := visible.Text(a.Report)
		if names := namesOf(a); names != "" && widest < s.width()-len(body)-16 {
			path += strings.Repeat(" ", widest-displayWidth(path)+4) + names
		}
		s.wrapped("", body+"  ", path)
	}
}

// way writes one way out: what to do, and the commands for it.
func (s *screen) way(label string, steps []Step) {
	const labels, verbs = 12, 12
	for i, step := range steps {
		if i > 0 {
			label = ""
		}
		command, ok := shellWords(step.Command, step.Into)
		if !ok {
			s.wrapped("", fmt.Sprintf("%s%-*s", body, labels, label), step.Text)
			continue
		}
		prefix := fmt.Sprintf("%s%-*s", body, labels, label)
		if len(steps) > 1 {
			verb := shortVerb(step.Text, i)
			if i > 0 && step.Text == steps[i-1].Text {
				verb = ""
			}
			prefix += fmt.Sprintf("%-*s", verbs, verb)
		}
		if step.Discards != "" {
			command = append(command, " (discards "+step.Discards+")")
		}
		s.command(prefix, command)
	}
}

// shortVerb is a step's text where there are several, in front of its command.
func shortVerb(text string, i int) string {
	switch {
	case text == "run again":
		return "run again:"
	case text == "accept it" && i > 0:
		return "or accept:"
	case text == "accept it":
		return "accept:"
	}
	return ""
}

// command writes the words of a command, broken between words alone, with the backslash by
// which a shell reads on.
func (s *screen) command(prefix string, words []string) {
	margin := strings.Repeat(" ", len(prefix))
	line := prefix
	for i, w := range words {
		remark := i == len(words)-1 && strings.HasPrefix(w, " (")
		fits := displayWidth(line)+displayWidth(w)+3 <= s.width()
		switch {
		case i == 0:
			line += w
		case fits:
			line += " " + w
		case remark:
			s.line("", line)
			line = margin + strings.TrimLeft(w, " ")
		default:
			s.line("", line+` \`)
			line = margin + w
		}
	}
	s.line("", line)
}

// old lists what failed before this change, by what brought it.
func (s *screen) old(r *Report, brief bool) {
	old := r.failing(false)
	if len(old) == 0 {
		return
	}
	s.line("", "")
	if brief {
		results, _ := r.results(old)
		s.wrapped("", body, results+" did not hold before this change either")
	}
	n, total := 0, 0
	for _, c := range old {
		total += len(c.Claims)
	}
	for _, c := range old {
		changed := c.Path + " is not what was recorded"
		if c.Why != nil && c.Why.Since != nil {
			changed = c.Path + " changed in " + shortID(c.Why.Since.Commit)
		}
		drifted := c.Kind == "input" && c.code(r) == "hash-differs"
		together := drifted && len(c.Claims) > 1
		if together && n < s.most(maxOld) {
			s.wrapped("", body, changed+", and these do not describe it:")
		}
		for i := range c.Claims {
			if n++; n > s.most(maxOld) {
				continue
			}
			name := c.Claims[i].Report
			switch {
			case together:
				s.wrapped("", body+"  ", name)
			case drifted:
				s.wrapped("", body, name+": "+changed)
			default:
				s.wrapped("", body, name+": "+firstReason(r, &c.Claims[i]))
			}
		}
	}
	if more := total - s.most(maxOld); more > 0 {
		s.wrapped("", body, thousands(more)+" more"+"; --verbose shows them")
	}
}

// firstReason is why the first field of a result fails.
func firstReason(r *Report, a *Affected) string {
	if e := r.piece(a.Evidence); e != nil {
		for i := range e.Fields {
			if f := &e.Fields[i]; f.Status == verify.Fail && len(a.Fields) > 0 && f.Field == a.Fields[0] {
				return f.Field + ": " + shortHashes(f.Reason)
			}
		}
	}
	return strings.Join(a.Fields, ", ")
}

// accepted lists what fails and was accepted: who, why, until when.
func (s *screen) accepted(r *Report) {
	n := 0
	for i := range r.Evidence {
		for k := range r.Evidence[i].Fields {
			f := &r.Evidence[i].Fields[k]
			if !f.Accepted {
				continue
			}
			if n++; n == 1 {
				s.line("", "")
			}
			if n <= s.most(maxShown) {
				s.wrapped("", body, r.Evidence[i].Path+", "+f.Field+": "+f.Acceptance)
			}
		}
	}
	if more := n - s.most(maxShown); more > 0 {
		s.wrapped("", body, thousands(more)+" more"+"; --verbose shows them")
	}
}

// asides lists what a reader may want to know besides what fails.
func (s *screen) asides(r *Report) {
	for i, sentence := range r.asides() {
		switch {
		case i == 0:
			s.line("", "")
		case i == s.most(maxShown):
			s.wrapped("", body, thousands(len(r.asides())-i)+" more; --verbose shows them")
			return
		}
		s.wrapped("", body, plainWords(sentence))
	}
}
