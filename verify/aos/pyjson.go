package aos

import (
	"crypto/sha256"
	"encoding/hex"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/replay-gate/replay-gate/verify/jsondoc"
)

// pyForm is a way of calling Python's json.dumps(value, sort_keys=True) on what
// json.loads has read. Every text it makes is ASCII.
type pyForm struct {
	item, colon string
	// round6 rounds every float to 6 decimal places, half to even, first.
	round6 bool
	// golden lower-cases names, and drops nulls and volatile members, as the
	// workflow recorder does before it hashes an output.
	golden bool
}

var (
	// compact is canonical JSON (SDK trace, canonical JSON).
	compact = pyForm{item: ",", colon: ":"}
	// spaced is json.dumps with its own separators, over rounded floats (trace
	// record, step hash).
	spaced = pyForm{item: ", ", colon: ": ", round6: true}
	// output is the form of a workflow step's output (golden, output_hash).
	output = pyForm{item: ",", colon: ":", round6: true, golden: true}
)

// pyWriter writes values of one document.
type pyWriter struct {
	doc  *jsondoc.Document
	form pyForm
	// odd is set when a name has a replacement character, which may stand for
	// half of a surrogate pair.
	odd bool
	// foreign is set when JavaScript may write something differently.
	foreign bool
}

// dumps is json.dumps of n; ok is false if a name holds half of a surrogate
// pair, as the document does not keep what such a name was.
func dumps(doc *jsondoc.Document, n *jsondoc.Node, form pyForm) (text []byte, ok bool) {
	w := pyWriter{doc: doc, form: form}
	text = w.value(nil, n)
	return text, !w.odd || !hasSurrogate(doc.Raw(n))
}

// hashData is hash_data of the SDK, the first 16 hex digits of the SHA-256 of
// the canonical JSON (SDK trace).
func hashData(text []byte) string {
	return hexOf(text)[:16]
}

// hexOf is the SHA-256 of data in hex.
func hexOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// value appends n; a node that is not there is None.
func (w *pyWriter) value(dst []byte, n *jsondoc.Node) []byte {
	switch n.Kind() {
	case jsondoc.String:
		return w.text(dst, n)
	case jsondoc.Number:
		return w.number(dst, n.Text())
	case jsondoc.Array:
		dst = append(dst, '[')
		for i, item := range n.Items() {
			if i > 0 {
				dst = append(dst, w.form.item...)
			}
			dst = w.value(dst, item)
		}
		return append(dst, ']')
	case jsondoc.Object:
		return w.object(dst, n)
	case jsondoc.Bool:
		return append(dst, n.Text()...)
	}
	return append(dst, "null"...)
}

// text appends a string.
func (w *pyWriter) text(dst []byte, n *jsondoc.Node) []byte {
	s := n.Text()
	w.foreign = w.foreign || !isASCII(s)
	if !strings.ContainsRune(s, utf8.RuneError) {
		return appendPyString(dst, s)
	}
	// A replacement character may stand for half of a surrogate pair, which
	// Python keeps. The text has it as an escape still.
	return append(appendEscaped(append(dst, '"'), w.doc.Raw(n)), '"')
}

// object appends the members of n, sorted by name. Of equal names the last
// counts (json.loads); of names that become equal the first (golden).
func (w *pyWriter) object(dst []byte, n *jsondoc.Node) []byte {
	members := sortedByName(slices.Clone(n.Members()))
	last := members[:0]
	for i, m := range members {
		if i+1 < len(members) && members[i+1].Name == m.Name {
			continue
		}
		w.odd = w.odd || strings.ContainsRune(m.Name, utf8.RuneError)
		// JavaScript puts names that are numbers first.
		w.foreign = w.foreign || !isASCII(m.Name) || m.Name != "" && m.Name[0] <= '9'
		last = append(last, m)
	}
	members = last
	if w.form.golden {
		members = goldenMembers(members)
	}
	dst = append(dst, '{')
	for i, m := range members {
		if i > 0 {
			dst = append(dst, w.form.item...)
		}
		dst = appendPyString(dst, m.Name)
		dst = append(dst, w.form.colon...)
		dst = w.value(dst, m.Value)
	}
	return append(dst, '}')
}

// sortedByName sorts in place by code points, equal names as they stand.
func sortedByName(members []jsondoc.Member) []jsondoc.Member {
	slices.SortStableFunc(members, func(a, b jsondoc.Member) int { return strings.Compare(a.Name, b.Name) })
	return members
}

// number appends a number as Python reads and writes it: an int as written,
// however large, a float as its repr.
func (w *pyWriter) number(dst []byte, literal string) []byte {
	const exact = 15 // digits that a float64 always holds
	w.foreign = w.foreign || len(literal) > exact || strings.ContainsAny(literal, ".eE")
	if !strings.ContainsAny(literal, ".eE") {
		if literal == "-0" {
			literal = "0"
		}
		return append(dst, literal...)
	}
	f, _ := strconv.ParseFloat(literal, 64) // out of range is an infinity, as in Python
	if w.form.round6 {
		f = round6(f)
	}
	return appendRepr(dst, f)
}

// round6 is Python's round(f, 6): the exact value to 6 places, half to even.
func round6(f float64) float64 {
	if math.IsInf(f, 0) {
		return f
	}
	var buf [32]byte
	r, _ := strconv.ParseFloat(string(strconv.AppendFloat(buf[:0], f, 'f', 6, 64)), 64)
	return r
}

// appendRepr appends Python's repr of a float: the shortest digits that lead
// back to it, with an exponent below 1e-4 and from 1e16 on.
func appendRepr(dst []byte, f float64) []byte {
	switch a := math.Abs(f); {
	case math.IsInf(f, 1):
		return append(dst, "Infinity"...)
	case math.IsInf(f, -1):
		return append(dst, "-Infinity"...)
	case a != 0 && (a < 1e-4 || a >= 1e16):
		return strconv.AppendFloat(dst, f, 'e', -1, 64)
	}
	start := len(dst)
	dst = strconv.AppendFloat(dst, f, 'f', -1, 64)
	for _, c := range dst[start:] {
		if c == '.' {
			return dst
		}
	}
	return append(dst, ".0"...)
}
