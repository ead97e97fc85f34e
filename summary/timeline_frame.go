package summary

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/replay-gate/replay-gate/verify"
)

// svgStyle has no variables and no inheritance that a simple renderer would miss. A
// viewer without media queries shows the light colours. Every rule is for the picture
// alone, because on a page it is the page's style too.
const svgStyle = `
.timeline text { font: 12px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #1f2328; }
.timeline .page { fill: #ffffff; }
.timeline .title { font: 600 18px system-ui, sans-serif; }
.timeline .name { font-weight: 700; }
.timeline .muted { fill: #59636e; }
.timeline .small { font-size: 11px; }
.timeline .grid { stroke: #e3e8ed; }
.timeline .line { stroke: #8a949f; stroke-width: 2; fill: none; }
.timeline .version { fill: #ffffff; stroke: #59636e; stroke-width: 2; }
.timeline .gone { stroke: #59636e; stroke-width: 2; fill: none; }
.timeline .reach { fill: none; stroke-width: 1.5; }
.timeline .reach.ok { stroke: #0b5cad; }
.timeline .reach.FAIL { stroke: #b8450f; stroke-dasharray: 5 4; }
.timeline .mark.ok { fill: #0b5cad; }
.timeline .mark.FAIL { fill: #b8450f; stroke: #b8450f; stroke-width: 1.5; }
.timeline .mark.hollow { fill: #ffffff; }
.timeline text.FAIL { fill: #9a3607; }
@media (prefers-color-scheme: dark) {
.timeline text { fill: #e4e8ed; }
.timeline .page { fill: #0f1318; }
.timeline .muted { fill: #9aa5b1; }
.timeline .grid { stroke: #232a33; }
.timeline .line { stroke: #76818d; }
.timeline .version { fill: #0f1318; stroke: #9aa5b1; }
.timeline .gone { stroke: #9aa5b1; }
.timeline .reach.ok { stroke: #79b8ff; }
.timeline .reach.FAIL { stroke: #ff9d5c; }
.timeline .mark.ok { fill: #79b8ff; }
.timeline .mark.FAIL { fill: #ff9d5c; stroke: #ff9d5c; }
.timeline .mark.hollow { fill: #0f1318; }
.timeline text.FAIL { fill: #ffb380; }
}
`

// finish puts the frame around the lanes: title, legend, commits, notes.
func (d *drawing) finish() []byte {
	axis := d.y - 16
	d.y = axis + 40
	if d.moved > 0 {
		d.notes = append(d.notes, count(d.moved, "mark")+" at the nearest older commit that is shown")
	}
	var notes bytes.Buffer
	for _, n := range d.notes {
		d.y += 18
		fmt.Fprintf(&notes, "<text class=\"muted\" x=\"%d\" y=\"%d\">%s</text>\n", svgMargin, d.y, escapedText(n, 130))
	}
	height := d.y + svgMargin

	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" class="timeline" width="%d" height="%d" viewBox="0 0 %[1]d %[2]d" role="img" aria-labelledby="timeline-title timeline-desc">`+"\n", svgWidth, height)
	fmt.Fprintf(&b, "<title id=\"timeline-title\">Inputs over time, and the evidence that pins them</title>\n<desc id=\"timeline-desc\">%s</desc>\n", d.description())
	fmt.Fprintf(&b, "<style>%s</style>\n<rect class=\"page\" width=\"%d\" height=\"%d\"/>\n", svgStyle, svgWidth, height)
	fmt.Fprintf(&b, "<text class=\"title\" x=\"%d\" y=\"38\">Inputs over time, and the evidence that pins them</text>\n", svgMargin)
	words := timelineWords(d.t)
	if commitForm.MatchString(d.t.Head) {
		words = "at " + shortID(d.t.Head) + " · " + words
	}
	fmt.Fprintf(&b, "<text class=\"muted\" x=\"%d\" y=\"60\">%s</text>\n", svgMargin, words)
	d.legend(&b)
	d.axis(&b, axis)
	b.Write(d.body.Bytes())
	b.Write(notes.Bytes())
	b.WriteString("</svg>\n")
	return b.Bytes()
}

// legend explains the marks, and only those that can be seen.
func (d *drawing) legend(b *bytes.Buffer) {
	x := svgMargin + 6
	add := func(mark, words string) {
		fmt.Fprintf(b, "<g transform=\"translate(%d 86)\">%s<text class=\"small\" x=\"12\" y=\"4\">%s</text></g>\n", x, mark, words)
		x += 34 + len(words)*67/10
	}
	const diamond = `<path class="mark FAIL%s" d="M0 -6l6 6l-6 6l-6 -6z"/>`
	var ok, drift, unfound bool
	for _, l := range d.lanes {
		for _, p := range l.Pins {
			ok, drift, unfound = ok || !p.Drift, drift || p.Drift && p.Version >= 0, unfound || p.Drift && p.Version < 0
		}
	}
	add(`<circle class="version" r="3.5"/>`, "version of an input")
	if ok {
		add(`<circle class="mark ok" r="5"/>`, "ok: evidence of the version that is there now")
	}
	if drift {
		add(fmt.Sprintf(diamond, ""), "FAIL: the input has moved on")
	}
	if unfound {
		add(fmt.Sprintf(diamond, " hollow"), "FAIL: in no version found")
	}
}

// axis names the days below the lanes, each once and as many as there is room for, with the
// commit of a day that has only one.
func (d *drawing) axis(b *bytes.Buffer, y int) {
	const room = 90.0
	type day struct {
		x       float64
		date    string
		commits int
		id      string
	}
	var days []day
	for i, commit := range d.columns {
		c := d.t.Commits[commit]
		date := c.Date.UTC().Format("2006-01-02")
		if n := len(days); n > 0 && days[n-1].date >= date {
			days[n-1].commits++
			continue
		}
		days = append(days, day{d.x(i), date, 1, shortID(c.Commit)})
	}
	last := len(days) - 1
	previous := -room
	for i, at := range days {
		if i != last && (at.x-previous < room || (last > 0 && days[last].x-at.x < room)) {
			continue
		}
		previous = at.x
		fmt.Fprintf(b, "<path class=\"grid\" d=\"M%.1f 108V%d\"/>\n", at.x, y-4)
		what := at.id
		if at.commits > 1 {
			what = count(at.commits, "commit")
		}
		for k, words := range []string{at.date, what} {
			fmt.Fprintf(b, "<text class=\"muted small\" x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>\n", at.x, y+12+14*k, escapedText(words, 12))
		}
	}
}

// description is the picture in words, for readers who can't see it.
func (d *drawing) description() string {
	var parts []string
	for i := range d.lanes {
		l := &d.lanes[i]
		words := escapedText(l.Input, maxCell) + ": " + laneWords(l)
		if drifted := driftedNames(l); drifted != "" {
			words += " (" + drifted + ")"
		}
		parts = append(parts, words)
	}
	if len(parts) == 0 {
		return "No evidence pins an input."
	}
	return strings.Join(parts, "; ") + "."
}

// driftedNames names the first evidence of an input that drifted.
func driftedNames(l *verify.Lane) string {
	const shown = 3
	var names []string
	for _, p := range l.Pins {
		if p.Drift && len(names) < shown {
			names = append(names, "FAIL "+escapedText(p.Evidence, maxCell))
		}
	}
	if more := l.Drifts() - len(names); more > 0 {
		names = append(names, count(more, "more FAIL"))
	}
	return strings.Join(names, ", ")
}
