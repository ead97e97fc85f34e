// Package jsondoc reads a JSON document without losing its places: every
// value knows its line and column, members keep their order, numbers keep
// their spelling, and repeated names are reported, not swallowed.
//
// Evidence is checked field by field, and a finding is worth more when it
// points at the line. A document that breaks off is kept up to the break, so
// that what came before can still be checked:
//
//	doc := jsondoc.Parse(data)
//	if doc.Err != nil {
//		fmt.Println(doc.Err) // line 7, column 3: unexpected end of input
//	}
//	hash := doc.Root.Get("token").Get("hash")
//	line, column := doc.Position(hash)
//
// The dialect is RFC 8259 as JavaScript's JSON.parse reads it: the last of
// several equal names counts, and a byte order mark is an error.
package jsondoc

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"sort"
	"strconv"
	"sync"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/replay-gate/replay-gate/verify"
)

// MaxDepth bounds the nesting of objects and arrays.
const MaxDepth = 500

// MaxValues bounds the values of a document. A value costs some ten times its
// shortest spelling in memory, so a small file could otherwise take all of it.
const MaxValues = 500_000

// Kind is the JSON type of a node.
type Kind uint8

// The JSON types.
const (
	Null Kind = iota + 1
	Bool
	Number
	String
	Array
	Object
)

// String names the type as a reader of the file would.
func (k Kind) String() string {
	switch k {
	case Null:
		return "null"
	case Bool:
		return "a boolean"
	case Number:
		return "a number"
	case String:
		return "a string"
	case Array:
		return "a list"
	case Object:
		return "an object"
	}
	return "nothing"
}

// Node is one value. The nil *Node stands for "not there": all its methods
// work, and Kind is 0.
type Node struct {
	kind    Kind
	offset  int
	end     int
	text    string // decoded string, or the spelling of a number or literal
	items   []*Node
	members []Member
}

// Member is one name of an object with its value, in document order.
type Member struct {
	Name   string
	Value  *Node
	offset int
}

// Kind is the node's type, 0 for nil.
func (n *Node) Kind() Kind {
	if n == nil {
		return 0
	}
	return n.kind
}

// Is reports whether n is of type k.
func (n *Node) Is(k Kind) bool { return n.Kind() == k }

// Text is the decoded text of a string, or the spelling of a number, boolean
// or null; "" for anything else.
func (n *Node) Text() string {
	if n == nil {
		return ""
	}
	return n.text
}

// Items are the elements of an array.
func (n *Node) Items() []*Node {
	if n == nil {
		return nil
	}
	return n.items
}

// Members are the members of an object in document order, repeats included.
func (n *Node) Members() []Member {
	if n == nil {
		return nil
	}
	return n.members
}

// Get is the value of the last member called name, as in JavaScript; nil when
// n is no object or has no such member.
func (n *Node) Get(name string) *Node {
	members := n.Members()
	for i := len(members) - 1; i >= 0; i-- {
		if members[i].Name == name {
			return members[i].Value
		}
	}
	return nil
}

// Int is the number as an integer, when it is one that a float64 holds exactly
// (so 1.0 and 1e3 count, as in JavaScript).
func (n *Node) Int() (int64, bool) {
	f, ok := n.Float()
	if !ok || f != math.Trunc(f) || math.Abs(f) > 1<<53 {
		return 0, false
	}
	return int64(f), true
}

// Float is the number as JavaScript reads it.
func (n *Node) Float() (float64, bool) {
	if !n.Is(Number) {
		return 0, false
	}
	f, err := strconv.ParseFloat(n.text, 64)
	return f, err == nil || errors.Is(err, strconv.ErrRange)
}

// Problem is something wrong with the document that does not stop its reading.
type Problem struct {
	// Code is "duplicate-key" or "invalid-utf8".
	Code         string
	Field        string // path of the member, such as "token.hash"
	Reason       string
	Line, Column int
}

// SyntaxError says where the text stops being JSON.
type SyntaxError struct {
	Line, Column int
	Reason       string
	// Truncated says that the text breaks off: more of it could have been JSON.
	Truncated bool
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Reason)
}

// Document is a parsed text. It is safe for use by several goroutines.
type Document struct {
	// Root is the value; when Err is set, it holds what was complete before
	// the error, and may be nil.
	Root *Node
	// Err says where the text stops being JSON; nil for a whole document.
	Err *SyntaxError
	// Problems lists repeated names and invalid UTF-8, in document order; at
	// most [MaxProblems] of them.
	Problems []Problem

	data []byte

	mu    sync.Mutex // for what follows
	lines []int      // offsets of line starts, made on first use
	last  struct{ offset, line, column int }
}

// MaxProblems bounds Document.Problems; a file of a million repeats is as
// wrong as one of a hundred.
const MaxProblems = 100

// Parse reads one JSON text. Memory is a small multiple of len(data), which
// the caller bounds.
func Parse(data []byte) *Document {
	d := &Document{data: data}
	clean := utf8.Valid(data)
	if !clean {
		at := invalidUTF8(data)
		line, col := d.place(at)
		d.Problems = append(d.Problems, Problem{
			Code: "invalid-utf8", Reason: "is not valid UTF-8", Line: line, Column: col,
		})
	}
	p := &parser{doc: d, text: string(data), clean: clean, dec: jsontext.NewDecoder(bytes.NewBuffer(data),
		jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))}
	root, err := p.value()
	d.Root = root
	if err == nil {
		rest := len(data) - len(bytes.TrimLeft(data[p.dec.InputOffset():], " \t\r\n"))
		if _, end := p.dec.ReadToken(); end == nil {
			err = p.errorAt(rest, "text after the end of the document")
		} else if !errors.Is(end, io.EOF) {
			err = end
		}
	}
	if err != nil {
		d.Err = p.syntaxError(err)
	}
	return d
}

func invalidUTF8(data []byte) int {
	for i := 0; i < len(data); {
		r, n := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return len(data)
}

// Damage says what keeps the text from being JSON: what has become of the file as a
// whole, or where the text stops. The zero Damage: nothing does.
func (d *Document) Damage() verify.Damage {
	if d.Err == nil {
		return verify.Damage{}
	}
	if whole := verify.DamageOf(d.data); whole.Code != "" {
		return whole
	}
	at := verify.Damage{Code: "broken-json", Reason: "is not valid JSON: " + d.Err.Reason, Line: d.Err.Line, Column: d.Err.Column}
	if d.Err.Truncated {
		at.Code, at.Reason = "truncated", "breaks off: "+d.Err.Reason
	}
	return at
}

// Position is the line and column at which n starts, counted from 1; 0, 0 for
// nil. Columns count characters.
func (d *Document) Position(n *Node) (line, column int) {
	if n == nil {
		return 0, 0
	}
	return d.place(n.offset)
}

// MemberPosition is the place of a member's name.
func (d *Document) MemberPosition(m Member) (line, column int) { return d.place(m.offset) }

// Raw is the text of n as it stands in the document. Callers must not change it.
func (d *Document) Raw(n *Node) []byte {
	if n == nil {
		return nil
	}
	return d.data[n.offset:n.end]
}

func (d *Document) place(offset int) (line, column int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.lines == nil {
		d.lines = append(d.lines, 0)
		for i := 0; ; {
			j := bytes.IndexByte(d.data[i:], '\n')
			if j < 0 {
				break
			}
			i += j + 1
			d.lines = append(d.lines, i)
		}
	}
	offset = min(max(offset, 0), len(d.data))
	line = sort.SearchInts(d.lines, offset+1)
	start := d.lines[line-1]
	// A file can be one long line, and each check asks for a place on it, mostly near
	// the one before. Within a character no place can be counted from.
	whole := offset == len(d.data) || utf8.RuneStart(d.data[offset])
	switch last := d.last; {
	case last.line != line, last.offset > offset && (!whole || last.offset-offset > offset-start):
		column = 1 + utf8.RuneCount(d.data[start:offset])
	case last.offset <= offset:
		column = last.column + utf8.RuneCount(d.data[last.offset:offset])
	default:
		column = last.column - utf8.RuneCount(d.data[offset:last.offset])
	}
	if whole {
		d.last.offset, d.last.line, d.last.column = offset, line, column
	}
	return line, column
}
