package summary

import (
	"slices"

	"github.com/replay-gate/replay-gate/verify"
)

// htmlGroup is the evidence of one cause on the page, or what belongs to none.
type htmlGroup struct {
	ID       string
	Title    string // empty on the page of a single piece of evidence
	Cause    *htmlCause
	Evidence []htmlEvidence
}

// htmlCause is a cause in words. Nothing in it is escaped.
type htmlCause struct {
	By     string
	Lines  []htmlLine
	Claims []htmlClaim
	Notes  []string
	Ways   []htmlWay
}

// htmlClaim is a result that the cause affects, and where on the page its evidence is.
type htmlClaim struct{ ID, Report, Names string }

// htmlWay is one way out of a cause.
type htmlWay struct {
	Label string
	Steps []htmlStep
}

// HTMLReport is a run as one page to open in a browser: report.html beside the bundles. It
// is [HTML] with what happened in a sentence, and the evidence grouped by cause.
func HTMLReport(r *Report, t *verify.Timeline) []byte {
	p := newHTMLPage(r.Evidence, r.Tool, t)
	p.Sentence = plainWords(r.sentence())
	p.Groups = groups(r, p.Groups)
	return p.bytes()
}

// groups puts evidence under the first cause that it fails for. What fails for none comes
// last.
func groups(r *Report, all []htmlGroup) []htmlGroup {
	var rest []htmlEvidence
	for _, g := range all {
		rest = append(rest, g.Evidence...)
	}
	at := make(map[string][]int) // path -> where in rest
	for i := range rest {
		at[rest[i].Path] = append(at[rest[i].Path], i)
	}
	ids, taken := make(map[string]string), make([]bool, len(rest))
	var out []htmlGroup
	for _, brought := range []bool{true, false} {
		for _, c := range r.failing(brought) {
			g := htmlGroup{Title: plainWords(c.title(r)), Cause: newHTMLCause(r, c)}
			var here []int
			for i := range c.Claims {
				for _, k := range at[c.Claims[i].Evidence] {
					if !taken[k] {
						here, taken[k] = append(here, k), true
					}
				}
			}
			slices.Sort(here)
			for _, k := range here {
				g.Evidence = append(g.Evidence, rest[k])
				ids[rest[k].Path] = rest[k].ID
			}
			for i := range c.Claims {
				a := &c.Claims[i]
				g.Cause.Claims = append(g.Cause.Claims, htmlClaim{ids[a.Evidence], a.Report, namesOf(a)})
			}
			out = append(out, g)
		}
	}
	title := "Evidence"
	if len(out) > 0 {
		title = "Other evidence"
	}
	var others []htmlEvidence
	for k := range rest {
		if !taken[k] {
			others = append(others, rest[k])
		}
	}
	if len(others) > 0 {
		out = append(out, htmlGroup{Title: title, Evidence: others})
	}
	for i := range out {
		out[i].ID = "c" + thousands(i+1)
	}
	return out
}

func newHTMLCause(r *Report, c *Cause) *htmlCause {
	h := &htmlCause{}
	words, v := c.by()
	if v != nil {
		words += " " + shortID(v.Commit) + ", " + whoAndWhat(v, !c.Introduced)
	}
	h.By = joined(nonEmpty(words, c.note()))
	for _, l := range c.difference(r) {
		class := ""
		switch {
		case len(l) > 0 && l[0] == '+':
			class = "added"
		case len(l) > 0 && l[0] == '-':
			class = "removed"
		}
		h.Lines = append(h.Lines, htmlLine{class, l})
	}
	for _, note := range []string{c.still(r), plainWords(c.older())} {
		if note != "" {
			h.Notes = append(h.Notes, note)
		}
	}
	for _, way := range []struct {
		label string
		steps []Step
	}{{"Meant it?", c.Meant}, {"Did not?", c.Undo}} {
		w := htmlWay{Label: way.label}
		for _, s := range way.steps {
			step := htmlStep{Intro: s.Text}
			if s.Discards != "" {
				step.Intro += " (discards " + s.Discards + ")"
			}
			if command, ok := ShellCommand(s.Command, s.Into); ok {
				step.Lines = []string{command}
			}
			w.Steps = append(w.Steps, step)
		}
		if len(w.Steps) > 0 {
			h.Ways = append(h.Ways, w)
		}
	}
	return h
}
