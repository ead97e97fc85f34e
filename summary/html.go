package summary

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"io"
	"strings"

	"github.com/replay-gate/replay-gate/verify"
)

// The parts of the page. Style and script are constants, so that a hash of each
// in the page's own policy is all that may run or shape it.
var (
	//go:embed page/report.css
	pageStyle string
	//go:embed page/report.js
	pageScript string
)

const (
	// maxPageFields bounds the rows of a page. A sidecar of several megabytes
	// could name a hundred thousand models.
	maxPageFields = 5000
	// maxPageEdits bounds the edits of one difference.
	maxPageEdits = 500
	// maxPageText bounds one text on the page, in characters; a value of
	// [verify.MaxValue] bytes is never cut, even when all of it must be escaped.
	maxPageText = 8 * verify.MaxValue
)

// HTML is evidence as one page to open in a browser: outputs/report.html of a
// bundle. It needs nothing besides itself: its policy (Content-Security-Policy)
// forbids every request, and every style and script but its own. It reads in light
// and dark, by keyboard and on paper; without scripts only sorting is missing.
//
// t is the timeline of the inputs; nil for none. One without lanes stands for the
// reasons why there is none, its notes.
//
// The page depends on its arguments alone. For a bundle, leave out what a bundle
// can't repeat: tool's version, attribution and [Entry.Bundle].
func HTML(e []Entry, tool Tool, t *verify.Timeline) []byte {
	var page bytes.Buffer
	p := newHTMLPage(e, tool, t)
	_ = p.writeTo(&page) // a buffer takes everything
	return page.Bytes()
}

func (p *htmlPage) writeTo(w io.Writer) error {
	page := pageWriter{bufio.NewWriter(w)}
	p.write(&page)
	if err := page.page.Flush(); err != nil {
		return fmt.Errorf("writing the page: %w", err)
	}
	return nil
}

// pagePolicy allows the page and the picture in it their own style and script by
// their hashes (CSP level 3, section 2.3.1) and nothing else.
var pagePolicy = markup(fmt.Sprintf(
	`<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src %s %s; script-src %s; base-uri 'none'; form-action 'none'">`,
	sourceHash(pageStyle), sourceHash(svgStyle), sourceHash(pageScript)))

func sourceHash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// htmlPage is what the page says. Nothing in it is escaped, but for the picture.
type htmlPage struct {
	Tool     Tool
	Title    string
	Verdicts []htmlVerdict
	Sentence string // what happened; empty on the page of a bundle
	Words    string // counts of all fields
	Groups   []htmlGroup
	Timeline markup   // a picture
	Notes    []string // why there is none
	Many     bool     // more than one piece of evidence
}

// htmlVerdict is a verdict and how many pieces of evidence have it, in words; Of
// is empty when there is only one piece.
type htmlVerdict struct {
	Class, Word, Of string
}

func newHTMLPage(all []Entry, tool Tool, t *verify.Timeline) htmlPage {
	p := htmlPage{Tool: tool, Words: "No evidence"}
	var sum Counts
	for i := range all {
		sum = sum.plus(all[i].Counts)
	}
	for _, v := range []Verdict{Drift, Unchecked, Intact} {
		n := 0
		for i := range all {
			if all[i].Verdict == v {
				n++
			}
		}
		if n > 0 {
			word := htmlVerdict{Class: string(v), Word: string(v)}
			if len(all) > 1 {
				word.Of = count(n, "piece") + " of evidence"
			}
			p.Verdicts = append(p.Verdicts, word)
		}
	}
	switch {
	case t != nil && len(t.Lanes) > 0:
		// A picture holds text from the tree escaped only.
		p.Timeline = markup(TimelineSVG(t))
	case t != nil:
		p.Notes = t.Notes
	}
	left := maxPageFields
	var g htmlGroup
	for i := range all {
		room := min(left, len(all[i].Fields))
		g.Evidence = append(g.Evidence, htmlPiece{&all[i], i + 1, room, len(all) == 1})
		left -= room
	}
	if len(all) > 0 {
		p.Groups = []htmlGroup{g}
	}
	p.Many = len(all) > 1
	switch {
	case len(all) == 1:
		p.Title = strings.Join([]string{string(all[0].Verdict), pageWords(all[0].Path)}, " · ")
		p.Words = sum.words()
	case len(all) > 1:
		p.Title = count(len(all), "piece") + " of evidence"
		p.Words = sum.words()
	default:
		p.Title = p.Words
	}
	return p
}

func (c Counts) plus(d Counts) Counts {
	return Counts{
		OK: c.OK + d.OK, Fail: c.Fail + d.Fail, Warn: c.Warn + d.Warn, Info: c.Info + d.Info,
		Introduced: c.Introduced + d.Introduced, PreExisting: c.PreExisting + d.PreExisting,
		Unknown: c.Unknown + d.Unknown, Fixed: c.Fixed + d.Fixed,
	}
}
