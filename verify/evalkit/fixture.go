package evalkit

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"unicode/utf8"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/jsondoc"
)

const byteOrderMark = "\ufeff"

// fixture is the text of one fixture and where it lies.
type fixture struct {
	f      Format
	e      *verify.Evidence
	data   []byte
	sha256 string

	// lines are the lines that the tool reads: the first two that are not
	// empty. There may be fewer.
	lines []line
	// rest is what follows them, which the tool ignores.
	rest     []byte
	restLine int // its line, from 1

	project string // folder of the project
	folder  string // name of the suite's folder
	name    string // name of the file
	config  *evalConfig
}

// line is one line of a fixture, parsed on its own.
type line struct {
	number int    // from 1
	shift  int    // characters in front of text that are not JSON
	text   []byte // without the line end
	doc    *jsondoc.Document
}

func (f Format) open(e *verify.Evidence) (*fixture, error) {
	data, err := e.Tree.ReadFile(e.Path, verify.MaxEvidence)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(data)
	fx := &fixture{f: f, e: e, data: data, sha256: "sha256:" + hex.EncodeToString(sum[:])}
	fx.lines, fx.rest, fx.restLine = readLines(data, 2)
	fx.project, fx.folder, fx.name = f.split(e.Path)
	fx.config = findConfig(e.Tree, fx.project)
	return fx, nil
}

// readLines reads a fixture as the tool does: it splits at LF, drops the empty
// lines, and takes the first two, or fewer if that is all the caller needs.
func readLines(data []byte, most int) (lines []line, rest []byte, restLine int) {
	number := 0
	for len(data) > 0 && len(lines) < most {
		text, after, _ := bytes.Cut(data, []byte("\n"))
		data = after
		number++
		if len(text) == 0 {
			continue
		}
		l := line{number: number, text: text}
		if number == 1 && bytes.HasPrefix(text, []byte(byteOrderMark)) {
			// The tool stops here; the fields are worth judging all the same.
			l.text, l.shift = text[len(byteOrderMark):], 1
		}
		l.doc = jsondoc.Parse(l.text)
		lines = append(lines, l)
	}
	return lines, data, number + 1
}

// line is the nth line that the tool reads, from 1; nil if there are fewer.
func (fx *fixture) line(n int) *line {
	if n > len(fx.lines) {
		return nil
	}
	return &fx.lines[n-1]
}

// root is the value of a line, nil for none.
func (l *line) root() *jsondoc.Node {
	if l == nil {
		return nil
	}
	return l.doc.Root
}

// broken says that the line is not there as a whole, so that what it seems to
// lack may have been meant.
func (l *line) broken() bool { return l == nil || l.doc.Err != nil }

// at is the place of n, or the start of the line for nil.
func (l *line) at(n *jsondoc.Node) verify.Spot {
	if l == nil {
		return verify.Spot{}
	}
	_, column := l.doc.Position(n)
	return verify.Spot{Line: l.number, Column: max(column, 1) + l.shift}
}

// spot is the place of n with its text.
func (l *line) spot(n *jsondoc.Node) verify.Spot {
	at := l.at(n)
	at.Text = redact(n.Text())
	return at
}

// atMember is the place of a member's name.
func (l *line) atMember(m jsondoc.Member) verify.Spot {
	_, column := l.doc.MemberPosition(m)
	return verify.Spot{Line: l.number, Column: column + l.shift}
}

// atOffset is the place of a byte of the line.
func (l *line) atOffset(offset int) verify.Spot {
	return verify.Spot{Line: l.number, Column: utf8.RuneCount(l.text[:offset]) + 1 + l.shift}
}

// metaText is the text of a member of _meta, empty when it is not a string.
func (fx *fixture) metaText(name string) string {
	n := fx.line(1).root().Get("_meta").Get(name)
	if !n.Is(jsondoc.String) {
		return ""
	}
	return n.Text()
}

// suiteName is the suiteId as JavaScript hashes it: lone surrogates, which
// jsondoc replaces, are kept.
func (fx *fixture) suiteName() string {
	l := fx.line(1)
	n := l.root().Get("_meta").Get("suiteId")
	if !n.Is(jsondoc.String) {
		return ""
	}
	return unquote(l.doc.Raw(n))
}

// strict says that what is merely old or reformatted fails.
func (fx *fixture) strict() bool { return fx.f.StrictFixtures || fx.e.Strict }

// shown makes text from the tree fit for a check: without secrets, at most
// limit bytes, and a copy, so that a check does not keep the file alive.
func shown(s string, limit int) string {
	return strings.Clone(verify.Shorten(redact(s), limit))
}
