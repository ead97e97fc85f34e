package summary

import (
	"regexp"
	"strings"

	"github.com/replay-gate/replay-gate/summary/visible"
	"github.com/replay-gate/replay-gate/verify"
)

// The heads of tables with and without a column for the attribution.
const (
	wideHead   = "| field | status | recorded | now | attribution |\n| --- | --- | --- | --- | --- |\n"
	narrowHead = "| field | status | recorded | now |\n| --- | --- | --- | --- |\n"
)

// evidence adds all evidence as rung g shows it, in one fold: first what fails, then what
// holds, then what was superseded.
func (p *page) evidence(r *Report, g rung) {
	if len(r.Evidence) == 0 {
		return
	}
	p.add("<details><summary>", count(len(r.Evidence), "piece"), " of evidence, field by field: ", r.Counts.words(), "</summary>\n\n")
	var holds, superseded []*Entry
	for i := range r.Evidence {
		e := &r.Evidence[i]
		switch {
		case p.over:
			return
		case e.failing():
			p.failing(r, e, g)
		case e.Superseded != "":
			superseded = append(superseded, e)
		default:
			holds = append(holds, e)
		}
	}
	p.holds(r, g, holds)
	if len(superseded) > 0 && g != failures {
		p.add("Superseded by a newer run:\n\n")
		for _, e := range superseded {
			p.add("- ", code(e.Path, maxTitle), " · ", e.Counts.words(), "\n")
		}
		p.add("\n")
	}
	p.add("</details>\n\n")
}

// holds adds the evidence that does not fail.
func (p *page) holds(r *Report, g rung, all []*Entry) {
	if len(all) == 0 {
		return
	}
	var sum Counts
	for _, e := range all {
		sum = sum.Plus(e.Counts)
	}
	if g == failures {
		p.add(count(len(all), "piece"), " of evidence ", verb(len(all) == 1, "holds", "hold"), ": ", sum.words(), "\n\n")
		return
	}
	for _, e := range all {
		if p.over {
			return
		}
		if g == full {
			p.holding(r, e)
		} else {
			p.add("- ", code(e.Path, maxTitle), " · ", e.Counts.words(), "\n")
		}
	}
	if g != full {
		p.add("\n")
	}
}

// failing adds a piece of evidence that fails, with its failures in the open.
func (p *page) failing(r *Report, e *Entry, g rung) {
	p.add(evidenceHead(r, e))
	if g == failures {
		p.table(r, e, verify.Fail)
		return
	}
	p.table(r, e, verify.Fail, verify.Warn)
	p.why(r, e)
	if folded := (Counts{OK: e.Counts.OK, Info: e.Counts.Info}); g == full && folded != (Counts{}) {
		p.add("<details><summary>", folded.words(), "</summary>\n\n")
		p.table(r, e, verify.OK, verify.Info)
		p.add("</details>\n\n")
	}
}

// evidenceHead is the heading of a piece of evidence that fails, and what a
// reader must know before the table.
func evidenceHead(r *Report, e *Entry) string {
	word := "FAIL"
	if e.Unchecked != "" {
		word = "FAIL (could not be checked)"
	}
	url := r.Links.BlobURL(e.Path, 0)
	if e.Removed {
		url = "" // there is nothing to see at the head
	}
	about := []string{e.Counts.words(), text(e.Title)}
	if e.Because != "" {
		about = append(about, "in scope because "+text(e.Because))
	}
	if e.OldPath != "" {
		about = append(about, "formerly "+code(e.OldPath, maxTitle))
	}
	if c := e.Recording.Commit; commitForm.MatchString(c) {
		about = append(about, "recorded at "+link(commitSpan(c), r.Links.compareURL(c, r.Links.HeadSHA)))
	}
	head := "### " + word + " · " + link(code(e.Path, maxTitle), url) + "\n\n" + strings.Join(about, " · ") + "\n\n"
	if b := e.Bundle; b != nil {
		head += "Bundle " + bundleWords(r, b) + "\n\n"
	}
	return head
}

func bundleWords(r *Report, b *Bundle) string {
	if b.Path == "" {
		return code(b.RunID, maxTitle) + ": " + text(b.Note)
	}
	s := code(b.Path, maxTitle) + ", " + code(shortHashes(b.SHA256), maxCell)
	if b.Size > 0 {
		s += ", " + thousands(int(b.Size)) + " bytes"
	}
	return s
}

// holding adds a piece of evidence without failures, folded.
func (p *page) holding(r *Report, e *Entry) {
	p.add("<details><summary>", htmlCode(e.Path, maxTitle), " · ", e.Counts.words(), "</summary>\n\n")
	if e.Because != "" {
		p.add("In scope because ", text(e.Because), "\n\n")
	}
	if e.Bundle != nil {
		p.add("Bundle ", bundleWords(r, e.Bundle), "\n\n")
	}
	p.table(r, e, verify.Warn, verify.OK, verify.Info)
	p.add("</details>\n\n")
}

// table adds the fields of e that have one of the statuses, in the order of the
// statuses.
func (p *page) table(r *Report, e *Entry, statuses ...verify.Status) {
	var fields []*Field
	wide := false
	for _, s := range statuses {
		for i := range e.Fields {
			if f := &e.Fields[i]; f.Status == s {
				fields = append(fields, f)
				wide = wide || f.Attribution != ""
			}
		}
	}
	if len(fields) == 0 {
		return
	}
	if wide {
		p.add(wideHead)
	} else {
		p.add(narrowHead)
	}
	for _, f := range fields {
		if p.over {
			return
		}
		p.add(row(r, e, f, wide))
	}
	p.add("\n")
}

// row is one field. What is wrong with it stands below what is there now.
func row(r *Report, e *Entry, f *Field, wide bool) string {
	recorded, observed := shown(f.Check)
	status := string(f.Status)
	field := codeCell(f.Field, maxCell)
	if f.Status == verify.Fail {
		status = "**FAIL**"
	}
	if (f.Status == verify.Fail || f.Status == verify.Warn) && !e.Removed {
		field = link(field, r.Links.BlobURL(f.Location.Path, f.Location.Line))
	}
	var now []string
	if observed != "" {
		now = append(now, codeCell(observed, maxCell))
	}
	if f.Reason != "" {
		now = append(now, textCell(f.Reason))
	}
	switch {
	case f.NextStep != "" && f.Status == verify.Fail:
		now = append(now, "next: "+escapePipes(nextStep(f.NextStep)))
	case f.Hint != "":
		now = append(now, "hint: "+textCell(f.Hint))
	}
	cells := []string{field, status, optional(recorded), orDash(strings.Join(now, "<br>"))}
	if wide {
		cells = append(cells, attributionWord(f.Attribution))
	}
	return "| " + strings.Join(cells, " | ") + " |\n"
}

// commandForm finds the command in a next step: what stands behind the colon, if
// it is one of ours to print, or the recorded one.
var commandForm = regexp.MustCompile(`^(.*?: )((?:git|replay-gate) .*)$|^(.* and commit the new evidence: )(.*)$`)

// nextStep is a next step as markdown, its command in one span, to be copied.
func nextStep(s string) string {
	m := commandForm.FindStringSubmatch(s)
	switch {
	case m == nil || visible.Text(s) != s:
		return text(s)
	case m[2] != "":
		return text(m[1]) + " " + code(m[2], maxCommand)
	}
	return text(m[3]) + " " + code(m[4], maxCommand)
}

// optional is a value, or a dash where there is none.
func optional(value string) string {
	if value == "" {
		return "–"
	}
	return codeCell(value, maxCell)
}

func orDash(cell string) string {
	if cell == "" {
		return "–"
	}
	return cell
}

// attributionWord lets only the known words through.
func attributionWord(a Attribution) string {
	switch a {
	case Introduced, PreExisting, Fixed, Unknown:
		return string(a)
	}
	return ""
}

// firstRows adds as many FAIL fields as fit and says how many fields are
// missing. It reports false when not even one fits.
func (p *page) firstRows(r *Report) bool {
	total, added := r.Counts.total(), 0
	rows := &page{limit: p.limit - p.Len() - len(omitted(r, total, r.Counts.Fail)) - len("\n\n\n")}
	for i := range r.Evidence {
		e := &r.Evidence[i]
		head := evidenceHead(r, e) + wideHead
		if added > 0 {
			head = "\n" + head
		}
		for k := range e.Fields {
			if f := &e.Fields[k]; f.Status == verify.Fail {
				if rows.add(head, row(r, e, f, true)); rows.over {
					break
				}
				head = ""
				added++
			}
		}
		if rows.over {
			break
		}
	}
	if added == 0 || p.over {
		return false
	}
	p.add(rows.String(), "\n", omitted(r, total-added, r.Counts.Fail-added), "\n\n")
	return true
}
