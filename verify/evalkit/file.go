package evalkit

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/jsondoc"
)

// noFixture is what the tool says of every fixture that it can't read.
const noFixture = `; the tool would report "No fixture found"`

// start is the place of what is said of a file as a whole.
var start = verify.Spot{Line: 1, Column: 1}

// file judges the text as two lines of JSON.
func (j *checker) file() {
	j.readable()
	const field = "file.conflicts"
	if d := verify.DamageOf(j.data); d.Code == "conflict-markers" {
		// What stands behind the marker is no extra content, but one half of it.
		j.Fail(field, d.Spot(), d.Code, d.Reason)
	} else {
		j.lineForm()
		j.OK(field, start, "")
	}
	j.repeatedKeys()
}

// readable judges what the tool needs to read anything at all.
func (j *checker) readable() {
	var bad findings
	if d := verify.DamageOf(j.data); d.Code == "empty" || d.Code == "lfs-pointer" {
		j.r.Unchecked = d.Reason
		j.Fail("file", d.Spot(), d.Code, "unreadable: "+d.Reason+noFixture)
		return
	}
	unchecked, tail := false, ""
	if bytes.HasPrefix(j.data, []byte(byteOrderMark)) {
		tail = noFixture
		bad.add(start, "byte-order-mark", "line 1: starts with a byte order mark")
	}
	if !utf8.Valid(j.data) {
		number := 1
		for text := range bytes.Lines(j.data) {
			if !utf8.Valid(text) {
				break
			}
			number++
		}
		bad.add(verify.Spot{Line: number}, "invalid-utf8", fmt.Sprintf("line %d: is not valid UTF-8", number))
	}
	for i := range j.lines {
		l := &j.lines[i]
		if err := l.doc.Err; err != nil {
			at := verify.Spot{Line: l.number, Column: err.Column + l.shift}
			unchecked = true
			if err.Truncated && len(bytes.TrimSpace(l.text)) > 0 {
				bad.add(at, "truncated", fmt.Sprintf("line %d: breaks off: %s", l.number, err.Reason))
			} else {
				bad.add(at, "broken-json", fmt.Sprintf("line %d: is not JSON: %s", l.number, shown(err.Reason, longest)))
			}
		} else if root := l.root(); !root.Is(jsondoc.Object) {
			unchecked = true
			bad.add(l.at(root), "wrong-type", fmt.Sprintf("line %d: %s", l.number, mustBe("an object", root)))
		}
	}
	if n := len(j.lines); n < 2 {
		unchecked = true
		bad.add(verify.Spot{Line: n + 1}, "too-few-lines", fmt.Sprintf("line %d: the line with the output is missing", n+1))
	}
	if len(bad.reasons) > 0 {
		bad.reasons[0] = "unreadable: " + bad.reasons[0]
	}
	if unchecked {
		tail = noFixture
		j.r.Unchecked = verify.Shorten(strings.Join(bad.reasons, "; "), verify.MaxValue)
	}
	j.report(bad, verify.Fail, "file", tail)
}

// lineForm judges what the tool's writer does and its reader does not ask for:
// exactly two lines, ended by LF.
func (j *checker) lineForm() {
	var odd findings
	if i := bytes.Index(j.data, []byte("\r\n")); i >= 0 || bytes.HasSuffix(j.data, []byte("\r")) {
		odd.add(verify.Spot{Line: 1}, "crlf", "CRLF line ends, the tool writes LF")
	}
	for i := range j.lines {
		if l := j.lines[i]; l.number != i+1 {
			odd.add(verify.Spot{Line: l.number - 1}, "blank-line", fmt.Sprintf("blank line before line %d", l.number))
			break
		}
	}
	if len(j.rest) > 0 {
		odd.add(verify.Spot{Line: j.restLine, Column: 1}, "extra-content", fmt.Sprintf("extra content after line %d is ignored by the tool", j.restLine-1))
	}
	if len(j.data) > 0 && j.data[len(j.data)-1] != '\n' {
		odd.add(verify.Spot{Line: 1 + bytes.Count(j.data, []byte("\n"))}, "no-final-newline", "the last line has no line end")
	}
	j.report(odd, verify.Warn, "file.lines", "")
}

// repeatedKeys judges names that an object has twice. Every reader of JSON in
// JavaScript takes the last value; a person reads the first, and
// no writer of the tool writes either.
func (j *checker) repeatedKeys() {
	var names []string
	var first verify.Spot
	for i := range j.lines {
		l := &j.lines[i]
		for _, p := range l.doc.Problems {
			if p.Code != "duplicate-key" {
				continue
			}
			if len(names) == 0 {
				first = verify.Spot{Line: l.number, Column: p.Column + l.shift}
			}
			name := ""
			if len(names) < maxListed {
				name = shown(p.Field, longest)
			}
			names = append(names, name)
		}
	}
	const field = "file.keys"
	if len(names) == 0 {
		j.OK(field, start, "")
		return
	}
	j.Fail(field, first, "duplicate-key", fmt.Sprintf("appears twice, the last value wins: %s", list(names)))
}

// place judges whether the tool, asked for the suite and case that the fixture
// names, would look where it lies.
func (j *checker) place() {
	l := j.line(1)
	meta := l.root().Get("_meta")
	if n := meta.Get("suiteId"); n.Is(jsondoc.String) {
		c := j.OK("path.folder", l.spot(n), "")
		c.Observed = shown(j.folder, verify.MaxValue)
		if want := fixtureName(n.Text()); want != j.folder {
			c.Status, c.Code = verify.Fail, "wrong-folder"
			c.Reason = fmt.Sprintf("folder is %s, suite %s belongs in %s; the tool will not find it",
				quote(j.folder), quote(n.Text()), shown(want, verify.MaxValue))
			if j.folder == slug(n.Text()) {
				c.Reason += " (no suffix: recorded before 0.0.5?)"
			}
		}
	}
	if n := meta.Get("caseId"); n.Is(jsondoc.String) {
		c := j.OK("path.file", l.spot(n), "")
		c.Observed = shown(j.name, verify.MaxValue)
		if want := fixtureName(n.Text()) + fixtureEnding; want != j.name {
			c.Status, c.Code = verify.Fail, "wrong-file"
			c.Reason = fmt.Sprintf("file is %s, case %s belongs in %s; the tool will not find it",
				quote(j.name), quote(n.Text()), shown(want, verify.MaxValue))
			if j.name == slug(n.Text())+fixtureEnding {
				c.Reason += " (no suffix: recorded before 0.0.5?)"
			}
		}
	}
}
