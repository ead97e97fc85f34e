package summary

import (
	"bytes"
	"fmt"
	"html"
	"maps"
	"slices"
	"sort"

	"github.com/replay-gate/replay-gate/summary/visible"
	"github.com/replay-gate/replay-gate/verify"
)

// Bounds of the picture. What they leave out is said in it.
const (
	maxSVGColumns = 120 // commits
	maxSVGLanes   = 24  // inputs
	maxSVGPins    = 12  // evidence of one input
)

// Measures of the picture, in its own units (pixels at full size).
const (
	svgWidth  = 1000
	svgMargin = 24
	svgLeft   = svgMargin + 40            // the first commit; before it lies what was not found
	svgRight  = svgWidth - svgMargin - 40 // the last commit; behind it lies the present
	svgRow    = 22
	svgChar   = 7.3 // of the monospaced font at 12 pixels
)

// TimelineSVG is t as one self-contained picture that reads in light and dark: the commits
// by their time, to scale, the oldest at the left, a lane for each input, and a mark
// for each piece of evidence at the newest version that has the hash it records. A
// round mark is ok. An angular mark in a second colour is drift, with a dashed line
// from the version that it pins to the present.
func TimelineSVG(t *verify.Timeline) []byte {
	d := newDrawing(t)
	for i := range d.lanes {
		d.lane(&d.lanes[i])
	}
	return d.finish()
}

// drawing is a picture on its way. Text gets into it escaped by html.EscapeString.
type drawing struct {
	t       *verify.Timeline
	lanes   []verify.Lane
	columns []int // commits that are shown, ascending
	xs      []float64
	y       int
	body    bytes.Buffer
	notes   []string
	moved   int // marks at the nearest commit shown
}

func newDrawing(t *verify.Timeline) *drawing {
	d := &drawing{t: t, y: 128, notes: slices.Clone(t.Notes)}
	d.lanes = slices.Clone(t.Lanes)
	if len(d.lanes) > maxSVGLanes {
		slices.SortStableFunc(d.lanes, func(a, b verify.Lane) int { return b.Drifts() - a.Drifts() })
		d.lanes = d.lanes[:maxSVGLanes]
		d.notes = append(d.notes, fmt.Sprintf("%d of %s are shown, those with the most drift", maxSVGLanes, count(len(t.Lanes), "input")))
	}
	var pinned []int
	for _, l := range d.lanes {
		for _, p := range l.Pins {
			if p.Version >= 0 {
				pinned = append(pinned, l.Versions[p.Version].Commit)
			}
		}
	}
	d.columns = chooseColumns(len(t.Commits), pinned)
	d.xs = places(t.Commits, d.columns)
	if len(d.columns) < len(t.Commits) {
		d.notes = append(d.notes, fmt.Sprintf("%d of %s are shown: the first, the last, those whose version evidence pins, and some between them",
			len(d.columns), count(len(t.Commits), "commit")))
	}
	return d
}

// chooseColumns picks at most maxSVGColumns of n commits, ascending: the first and the
// last, the newest that are pinned, then others at even distances.
func chooseColumns(n int, pinned []int) []int {
	if n <= maxSVGColumns {
		all := make([]int, n)
		for c := range all {
			all[c] = c
		}
		return all
	}
	kept := map[int]bool{0: true, n - 1: true}
	keep := func(c int) {
		if len(kept) < maxSVGColumns {
			kept[c] = true
		}
	}
	slices.Sort(pinned)
	for _, c := range slices.Backward(pinned) {
		keep(c)
	}
	rest := maxSVGColumns - len(kept)
	for k := range rest {
		keep((k + 1) * n / (rest + 1))
	}
	return slices.Sorted(maps.Keys(kept))
}

// column is the place of a commit among the columns, and whether it has one of its
// own; else it is that of the nearest older commit shown.
func (d *drawing) column(commit int) (column int, own bool) {
	i := sort.SearchInts(d.columns, commit)
	if i < len(d.columns) && d.columns[i] == commit {
		return i, true
	}
	return i - 1, false
}

func (d *drawing) x(column int) float64 {
	if column < 0 || column >= len(d.xs) {
		return svgLeft
	}
	return d.xs[column]
}

// places are where the columns stand: to scale, by the time of their commits. A commit whose
// clock was behind stands with the one before it. Commits of one moment stand at even
// distances, because there is no scale.
func places(commits []verify.TimelineCommit, columns []int) []float64 {
	const width = svgRight - svgLeft
	xs := make([]float64, len(columns))
	latest := make([]float64, len(columns)) // seconds, never less than before
	for i, c := range columns {
		latest[i] = float64(commits[c].Date.Unix())
		if i > 0 {
			latest[i] = max(latest[i], latest[i-1])
		}
	}
	for i := range xs {
		xs[i] = svgLeft
		if span := latest[len(latest)-1] - latest[0]; span > 0 {
			xs[i] += width * (latest[i] - latest[0]) / span
		} else if len(xs) > 1 {
			xs[i] += width * float64(i) / float64(len(xs)-1)
		}
	}
	return xs
}

func (d *drawing) draw(format string, args ...any) {
	fmt.Fprintf(&d.body, format+"\n", args...)
}

// escapedText is text from the tree for XML, of at most limit characters.
func escapedText(s string, limit int) string {
	return html.EscapeString(verify.Clip(visible.Text(s), max(limit, 2)))
}

// lane draws an input: its name, its versions on a line, and a row for each piece of
// evidence.
func (d *drawing) lane(l *verify.Lane) {
	const end = svgWidth - svgMargin
	words := laneWords(l)
	d.draw(`<g><title>%s: %s</title>`, escapedText(l.Input, 4*maxCell), words)
	d.draw(`<text class="name" x="%d" y="%d">%s</text>`, svgMargin, d.y, html.EscapeString(tail(l.Input, 0, 108-displayWidth(words))))
	d.draw(`<text class="muted" x="%d" y="%d" text-anchor="end">%s</text>`, end, d.y, words)
	d.y += 20
	d.versions(l)
	pins := slices.Clone(l.Pins)
	omitted := len(pins) - maxSVGPins
	if omitted > 0 {
		slices.SortStableFunc(pins, func(a, b verify.Pin) int { return rank(b) - rank(a) })
		pins = pins[:maxSVGPins]
	}
	slices.SortStableFunc(pins, func(a, b verify.Pin) int { return a.Version - b.Version })
	for _, p := range pins {
		d.y += svgRow
		d.pin(l, p)
	}
	if omitted > 0 {
		d.y += svgRow
		d.draw(`<text class="muted" x="%d" y="%d">%s more pieces of evidence, not shown</text>`, svgMargin, d.y+4, thousands(omitted))
	}
	if l.Note != "" {
		d.y += svgRow
		d.draw(`<text class="muted" x="%d" y="%d">%s</text>`, svgMargin, d.y+4, escapedText(l.Note, 120))
	}
	d.draw(`</g>`)
	d.y += 44
}

func rank(p verify.Pin) int {
	if p.Drift {
		return 1
	}
	return 0
}

// versions draws the line of an input, and what happened to it.
func (d *drawing) versions(l *verify.Lane) {
	for i, v := range l.Versions {
		column, own := d.column(v.Commit)
		from, to := d.x(column), float64(svgWidth-svgMargin)
		if i+1 < len(l.Versions) {
			next, _ := d.column(l.Versions[i+1].Commit)
			to = d.x(next)
		}
		if !v.Deleted && to > from {
			d.draw(`<path class="line" d="M%.1f %dH%.1f"/>`, from, d.y, to)
		}
		if !own {
			continue
		}
		c := d.t.Commits[v.Commit]
		words := joined([]string{shortID(c.Commit), c.Date.UTC().Format("2006-01-02"), c.Subject, c.Author})
		if v.Deleted {
			d.draw(`<path class="gone" d="M%.1f %dl8 8m0 -8l-8 8"><title>deleted by %s</title></path>`, from-4, d.y-4, escapedText(words, 4*maxCell))
		} else {
			d.draw(`<circle class="version" cx="%.1f" cy="%d" r="3.5"><title>%s</title></circle>`, from, d.y, escapedText(words, 4*maxCell))
		}
	}
}

// pin draws the mark of a piece of evidence, and its name where there is room. What
// is ok and in no version is of files that were never committed: it stands at the
// present, behind all commits.
func (d *drawing) pin(l *verify.Lane, p verify.Pin) {
	const end = svgWidth - svgMargin
	label := fmt.Sprintf("%s  %s · %s", pinStatus(p), p.Evidence, p.Role)
	x := float64(svgMargin + 10)
	switch {
	case p.Version >= 0:
		column, own := d.column(l.Versions[p.Version].Commit)
		if x = d.x(column); !own {
			d.moved++
		}
	case !p.Drift:
		x, label = end-5, label+" · in no version found"
	}
	d.draw(`<g><title>%s: recorded %s</title>`, escapedText(label, 4*maxCell), escapedText(p.Hash, maxCell))
	word := len(pinStatus(p)) + len("  ")
	text, lineFrom := "", x
	if room := int((x - svgMargin) / svgChar); room > int((end-x)/svgChar) {
		text = fmt.Sprintf(`<text class="%s" x="%.1f" y="%d" text-anchor="end">%s</text>`, pinStatus(p), x-12, d.y+4, html.EscapeString(tail(label, word, room-2)))
	} else {
		shown := tail(label, word, int((end-x)/svgChar)-6)
		text = fmt.Sprintf(`<text class="%s" x="%.1f" y="%d">%s</text>`, pinStatus(p), x+12, d.y+4, html.EscapeString(shown))
		lineFrom = x + 18 + svgChar*float64(displayWidth(shown))
	}
	if lineFrom < end {
		d.draw(`<path class="reach %s" d="M%.1f %dH%d"/>`, pinStatus(p), lineFrom, d.y, end)
	}
	switch {
	case !p.Drift:
		d.draw(`<circle class="mark ok" cx="%.1f" cy="%d" r="5"/>`, x, d.y)
	case p.Version < 0:
		d.draw(`<path class="mark FAIL hollow" d="M%.1f %dl6 6l-6 6l-6 -6z"/>`, x, d.y-6)
	default:
		d.draw(`<path class="mark FAIL" d="M%.1f %dl6 6l-6 6l-6 -6z"/>`, x, d.y-6)
	}
	d.draw("%s</g>", text)
}
