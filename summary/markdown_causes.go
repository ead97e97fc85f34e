package summary

import (
	"fmt"
	"strings"

	"github.com/replay-gate/replay-gate/summary/visible"
)

// story is what a page begins with: each cause with the ways out of it, then what failed
// before, and what was accepted.
func (p *page) story(r *Report) {
	brought := r.failing(true)
	for i, c := range brought {
		if i == maxCauses {
			p.add("And ", count(len(brought)-i, "more cause"), ", which ", where(r), " names.\n\n")
			break
		}
		if len(brought) > 1 {
			p.add("### ", markdownWords(c.title(r)), "\n\n")
		}
		p.cause(r, c)
	}
	p.old(r, len(brought) > 0)
	p.accepted(r)
	p.asides(r)
}

func (p *page) cause(r *Report, c *Cause) {
	if head := c.markdownBy(r); head != "" {
		p.add(head, "\n\n")
	}
	lines := c.difference(r)
	p.told.before(c.Path, lines, "above")
	switch {
	case len(lines) > openDifference:
		p.add("<details><summary>", count(len(lines), "line"), "</summary>\n\n", block("diff", lines), "</details>\n\n")
	case len(lines) > 0:
		p.add(block("diff", lines))
	}
	for _, follows := range c.Follows[:min(len(c.Follows), maxShown)] {
		p.add(text(follows), ".\n\n")
	}
	p.claims(r, c)
	var rest []string
	if still := c.still(r); still != "" {
		rest = append(rest, still+".")
	}
	if older := c.older(); older != nil {
		rest = append(rest, markdownWords(older)+".")
	}
	if len(rest) > 0 {
		p.add(strings.Join(rest, " "), "\n\n")
	}
	p.way("Meant it?", c.Meant)
	p.way("Did not?", c.Undo)
}

// markdownBy says who changed the input, with a link to the commit.
func (c *Cause) markdownBy(r *Report) string {
	words, v := c.by()
	if v != nil {
		words += " " + link(commitSpan(v.Commit), r.Links.CommitURL(v.Commit)) + ", " + text(whoAndWhat(v, !c.Introduced))
	}
	if c.Here != "" && r.Links.BlobURL(c.Path, 0) != "" && c.Kind == "input" && c.Line > 0 {
		words += " · " + link(fmt.Sprintf("line %d", c.Line), r.Links.BlobURL(c.Path, c.Line))
	}
	if note := c.note(); note != "" {
		words = joined(nonEmpty(words, text(note)))
	}
	if words == "" {
		return ""
	}
	return strings.ToUpper(words[:1]) + words[1:]
}

func nonEmpty(parts ...string) []string {
	var all []string
	for _, p := range parts {
		if p != "" {
			all = append(all, p)
		}
	}
	return all
}

// claims lists the results that a cause affects.
func (p *page) claims(r *Report, c *Cause) {
	head := c.listed(r)
	if head == "" {
		return
	}
	line := func(a *Affected) string {
		return joined(nonEmpty(link(code(a.Report, maxTitle), r.Links.BlobURL(a.Report, 0)), namesOf(a)))
	}
	head = strings.ToUpper(head[:1]) + head[1:] + ":"
	if len(c.Claims) == 1 {
		p.add(head, " ", line(&c.Claims[0]), "\n\n")
		return
	}
	p.add(head, "\n\n")
	for i := range c.Claims {
		if i == maxClaims {
			p.add("- ", thousands(len(c.Claims)-i)+" more", "\n")
			break
		}
		p.add("- ", line(&c.Claims[i]), "\n")
	}
	p.add("\n")
}

// way is one way out: its words, and its commands in one block.
func (p *page) way(label string, steps []Step) {
	if len(steps) == 0 {
		return
	}
	var lines, words []string
	for i, s := range steps {
		if _, ok := ShellCommand(s.Command, s.Into); !ok {
			words = append(words, text(s.Text))
			continue
		}
		if len(steps) > 1 && (i == 0 || steps[i-1].Text != s.Text) {
			comment := strings.TrimSuffix(shortVerb(s.Text, i), ":")
			if comment == "" {
				comment = s.Text
			}
			lines = append(lines, "# "+visible.Text(comment))
		}
		lines = append(lines, brokenCommand(s)...)
		if s.Discards != "" {
			words = append(words, "(discards "+text(s.Discards)+")")
		}
	}
	p.add(strings.Join(append([]string{"**" + label + "**"}, words...), " "), "\n\n")
	if len(lines) > 0 {
		p.add(fenced(lines))
	}
}

// old is what failed before this change: in the open where there is nothing else to say.
func (p *page) old(r *Report, folded bool) {
	old := r.failing(false)
	if len(old) == 0 {
		return
	}
	if folded {
		results, _ := r.results(old)
		p.add("<details><summary>", results, " did not hold before this change either</summary>\n\n")
	}
	n := 0
	for _, c := range old {
		changed := code(c.Path, maxTitle) + " is not what was recorded"
		if c.Why != nil && c.Why.Since != nil {
			v := c.Why.Since
			changed = code(c.Path, maxTitle) + " changed in " + link(commitSpan(v.Commit), r.Links.CommitURL(v.Commit)) + ", " + text(commitWords(v))
		}
		drifted := c.Kind == "input" && c.code(r) == "hash-differs"
		together := drifted && len(c.Claims) > 1
		if together && n < maxOld {
			p.add("- ", changed, "; these do not describe it:\n")
		}
		for i := range c.Claims {
			if n++; n > maxOld {
				continue
			}
			a := &c.Claims[i]
			name := link(code(a.Report, maxTitle), r.Links.BlobURL(a.Report, 0))
			switch {
			case together:
				p.add("  - ", name, "\n")
			case drifted:
				p.add("- ", name, ": ", changed, "\n")
			default:
				p.add("- ", name, ": ", text(firstReason(r, a)), "\n")
			}
		}
	}
	if more := n - maxOld; more > 0 {
		p.add("- ", thousands(more)+" more", "\n")
	}
	p.add("\n")
	if folded {
		p.add("</details>\n\n")
	}
}

// accepted lists what fails and was accepted.
func (p *page) accepted(r *Report) {
	n := 0
	for i := range r.Evidence {
		e := &r.Evidence[i]
		for k := range e.Fields {
			if f := &e.Fields[k]; f.Accepted {
				if n++; n <= maxShown {
					p.add("- ", code(e.Path, maxTitle), ", ", code(f.Field, maxCell), ": ", text(f.Acceptance), "\n")
				}
			}
		}
	}
	if more := n - maxShown; more > 0 {
		p.add("- ", thousands(more)+" more", "\n")
	}
	if n > 0 {
		p.add("\n")
	}
}

// asides lists what a reader may want to know besides what fails.
func (p *page) asides(r *Report) {
	for i, sentence := range r.asides() {
		if i == maxShown {
			p.add(thousands(len(r.asides())-i), " more, which ", where(r), " names.\n\n")
			return
		}
		p.add(markdownWords(sentence), ".\n\n")
	}
}

// commandWidth is where a command on a page goes on below, so that it is read whole.
const commandWidth = 96

// brokenCommand is a command on lines of a page, broken between its words alone, with the
// backslash by which a shell reads on.
func brokenCommand(s Step) []string {
	words, _ := shellWords(s.Command, s.Into)
	var lines []string
	line := ""
	for i, w := range words {
		switch {
		case i == 0:
			line = w
		case displayWidth(line)+displayWidth(w)+3 > commandWidth:
			lines = append(lines, line+` \`)
			line = "  " + w
		default:
			line += " " + w
		}
	}
	return append(lines, line)
}
