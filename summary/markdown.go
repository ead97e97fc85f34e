package summary

import (
	"strings"
	"unicode"

	"github.com/replay-gate/replay-gate/verify"
)

// Sizes that GitHub enforces, in bytes.
const (
	// CheckRunLimit bounds a check run's summary, and its text. The server counts
	// characters; bytes are never fewer.
	CheckRunLimit = 65535
	// StepSummaryLimit bounds the summary of a step. A longer one is dropped as
	// a whole.
	StepSummaryLimit = 1 << 20
)

// DocsURL is where the documentation lies.
const DocsURL = "https://github.com/replay-gate/replay-gate"

// rung says which fields a page shows. Each one shows less than the one before;
// below the last of them come firstRows and verdictOnly.
type rung int

const (
	full     rung = iota // every field of all evidence
	folded               // ok and info fields only as counts
	failures             // FAIL fields only
)

// Markdown is r as a page of at most limit bytes of GitHub Flavored Markdown.
//
// A report that is too large loses detail in steps, and the page says at each
// how many fields it omits: first the fields that hold become counts, then only
// failures are left, then only the first failures, then only the verdict. It is
// cut between rows, never inside one, and everything that was opened is closed.
func Markdown(r *Report, limit int) string {
	return climb(r, limit, title(r), (*page).introduction, (*page).ending)
}

// CheckSummary is the page of a check run without the tables, which [CheckText] has.
func CheckSummary(r *Report, limit int) string {
	p := &page{limit: limit}
	p.add(title(r))
	p.introduction(r)
	p.ending(r)
	if p.over {
		return Markdown(r, limit)
	}
	return p.String()
}

// title is the headline of a page.
func title(r *Report) string {
	sentence := []rune(markdownWords(r.sentence()))
	if len(sentence) > 0 {
		sentence[0] = unicode.ToUpper(sentence[0])
	}
	return "## " + icon(r) + " " + string(sentence) + "\n\n"
}

// Headline is what happened in a sentence, as a line of markdown.
func Headline(r *Report) string { return icon(r) + " " + markdownWords(r.sentence()) + "\n" }

// CheckText is the tables of r alone, one for each piece of evidence, in at
// most limit bytes by the same steps as [Markdown].
func CheckText(r *Report, limit int) string {
	nothing := func(*page, *Report) {}
	return climb(r, limit, "", nothing, nothing)
}

// CheckTitle is what happened in a sentence without markup, in at most 255 bytes.
func CheckTitle(r *Report) string { return verify.ClipBytes(plainWords(r.sentence()), 255) }

// climb renders r on the first rung that fits. A page is its title, what comes
// before the evidence, the evidence, and what comes after it.
func climb(r *Report, limit int, title string, before, after func(*page, *Report)) string {
	for g := full; g <= failures; g++ {
		p := &page{limit: limit}
		p.add(title)
		before(p, r)
		if n := g.omits(r); n > 0 {
			p.add("> ", omitted(r, n, 0), "\n\n")
		}
		p.evidence(r, g)
		after(p, r)
		if !p.over {
			return p.String()
		}
	}
	// The end is made first, so that the rows know what is left for them.
	end := &page{limit: limit}
	after(end, r)
	if p := (&page{limit: limit - end.Len()}); !end.over {
		p.add(title)
		before(p, r)
		if p.firstRows(r) {
			return p.String() + end.String()
		}
	}
	return verdictOnly(r, limit, title)
}

// omits counts the fields that rung g does not show.
func (g rung) omits(r *Report) int {
	switch g {
	case folded:
		return r.Counts.OK + r.Counts.Info
	case failures:
		return r.Counts.OK + r.Counts.Info + r.Counts.Warn
	}
	return 0
}

// verdictOnly is the last rung: what fits of the title and the omission.
func verdictOnly(r *Report, limit int, title string) string {
	p := &page{limit: limit}
	p.add(title)
	p.add(omitted(r, r.Counts.total(), r.Counts.Fail), "\n")
	if !p.over {
		return p.String()
	}
	for _, s := range []string{title, string(r.Verdict) + "\n"} {
		if len(s) <= limit {
			return s
		}
	}
	return ""
}

// page is markdown that knows its limit. What is added beyond it is dropped,
// and over says so.
type page struct {
	strings.Builder
	limit int
	over  bool
	told  told
}

// add appends parts together or not at all.
func (p *page) add(parts ...string) {
	n := p.Len()
	for _, s := range parts {
		n += len(s)
	}
	if p.over = p.over || n > p.limit; p.over {
		return
	}
	for _, s := range parts {
		p.WriteString(s)
	}
}

// omitted says how many fields are not on the page, how many of them fail, and
// where they are.
func omitted(r *Report, fields, fails int) string {
	what := count(fields, "field")
	if fails > 0 {
		what += ", " + thousands(fails) + " of them FAIL,"
	}
	return "**" + what + " omitted** because of the size of this page; see " + where(r) + "."
}

// where names the place of the whole report.
func where(r *Report) string {
	s := code(reportPath(r), maxTitle)
	if a := r.Links.Artifact; a != "" {
		s += " in artifact " + link(code(a, maxCell), r.Links.artifactURL())
	}
	return s
}

// icon decorates a verdict that words say as well.
func icon(r *Report) string {
	switch {
	case r.ExitCode != 0:
		return "❌"
	case r.Counts.Fail+r.Counts.Warn > 0:
		return "⚠️"
	}
	return "✅"
}
