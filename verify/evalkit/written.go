package evalkit

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/replay-gate/replay-gate/verify/canonical"
)

// bytes judges whether both lines are, byte for byte, what the tool writes for
// the values they hold ("Record & Replay": keys are sorted deterministically).
// Line ends have a check of their own.
func (j *checker) bytes() {
	const field = "file.bytes"
	for i := range j.lines {
		if j.lines[i].broken() || !utf8.Valid(j.lines[i].text) {
			return // there is no value that could have been written
		}
	}
	for i := range j.lines {
		l := &j.lines[i]
		if offset, what := deviation(bytes.TrimSuffix(l.text, []byte("\r"))); what != "" {
			j.Add(j.worse(), field, l.atOffset(offset), "not-as-written",
				"not as the tool writes it ("+what+"): edited or reformatted")

			return
		}
	}
	if len(j.lines) == 2 {
		j.OK(field, start, "")
	}
}

// deviation finds the first place at which text, one valid JSON value, differs
// from what JSON.stringify gives for it once the keys of every object are
// sorted. It looks for what that can't produce, instead of producing it, and so
// knows the place. what is empty if there is none.
func deviation(text []byte) (offset int, what string) {
	s := scanner{text: text}
	if what = s.value(); what == "" && s.at < len(text) {
		what = spacing
	}
	return min(s.at, len(text)), what
}

// What deviation finds.
const (
	spacing   = "spacing"
	keyOrder  = "keys out of order"
	protoKey  = "a key __proto__, which the tool loses"
	escapes   = "another way to escape a character"
	numbering = "another way to write a number"
)

// scanner walks over valid JSON. at is the next byte; after a finding it is the
// place of it.
type scanner struct {
	text []byte
	at   int
}

func (s *scanner) next() byte {
	if s.at < len(s.text) {
		return s.text[s.at]
	}
	return 0
}

// take steps over b, or finds spacing: valid JSON has nothing else there.
func (s *scanner) take(b byte) bool {
	if s.next() != b {
		return false
	}
	s.at++
	return true
}

func (s *scanner) value() (what string) {
	switch c := s.next(); c {
	case '{':
		return s.object()
	case '[':
		return s.array()
	case '"':
		_, what = s.string()
		return what
	case ' ', '\t', '\r', 0:
		return spacing
	}
	return s.scalar()
}

func (s *scanner) object() (what string) {
	s.at++
	if s.take('}') {
		return ""
	}
	for previous, first := "", true; ; first = false {
		start := s.at
		if s.next() != '"' {
			return spacing
		}
		key, what := s.string()
		if what == "" {
			switch {
			case key == "__proto__":
				what = protoKey
			case !first && !ordered(previous, key):
				what = keyOrder
			}
			if what != "" {
				s.at = start
			}
		}
		if what != "" {
			return what
		}
		previous = key
		if !s.take(':') {
			return spacing
		}
		if what := s.value(); what != "" {
			return what
		}
		if s.take('}') {
			return ""
		}
		if !s.take(',') {
			return spacing
		}
	}
}

// ordered reports whether a stands before b in an object whose keys were
// assigned in sorted order: array indexes by number, then all others by UTF-16
// code units (ECMAScript, OrdinaryOwnPropertyKeys). No key stands twice.
func ordered(a, b string) bool {
	i, aIndex := canonical.ArrayIndex(a)
	j, bIndex := canonical.ArrayIndex(b)
	switch {
	case aIndex && bIndex:
		return i < j
	case aIndex != bIndex:
		return aIndex
	}
	return canonical.CompareKeys(a, b) < 0
}

func (s *scanner) array() (what string) {
	s.at++
	if s.take(']') {
		return ""
	}
	for {
		if what := s.value(); what != "" {
			return what
		}
		if s.take(']') {
			return ""
		}
		if !s.take(',') {
			return spacing
		}
	}
}

// string reads a string and gives its text.
func (s *scanner) string() (text, what string) {
	start := s.at
	escaped := false
	for s.at++; s.at < len(s.text) && s.text[s.at] != '"'; s.at++ {
		if s.text[s.at] == '\\' {
			escaped = true
			s.at++
		}
	}
	s.at = min(s.at+1, len(s.text))
	raw := s.text[start:s.at]
	if !escaped {
		return string(raw[1:max(1, len(raw)-1)]), ""
	}
	text = unquote(raw)
	if !bytes.Equal(canonical.AppendString(nil, text), raw) {
		s.at = start
		return text, escapes
	}
	return text, ""
}

// scalar reads a number or a literal; literals have one spelling only.
func (s *scanner) scalar() (what string) {
	start := s.at
	for s.at < len(s.text) && !strings.ContainsRune(",]} \t\r", rune(s.text[s.at])) {
		s.at++
	}
	raw := string(s.text[start:s.at])
	if raw == "true" || raw == "false" || raw == "null" {
		return ""
	}
	// On overflow the value is an infinity, which is written as null.
	f, _ := strconv.ParseFloat(raw, 64)
	if string(canonical.AppendNumber(nil, f)) != raw {
		s.at = start
		return numbering
	}
	return ""
}

// unquote decodes a valid JSON string to WTF-8, in which lone surrogates,
// legal in JavaScript, stand as their three-byte form.
func unquote(raw []byte) string {
	if len(raw) < 2 {
		return ""
	}
	raw = raw[1 : len(raw)-1]
	if bytes.IndexByte(raw, '\\') < 0 {
		return string(raw)
	}
	out := make([]byte, 0, len(raw))
	for i := 0; i < len(raw); i++ {
		if raw[i] != '\\' || i+1 == len(raw) {
			out = append(out, raw[i])
			continue
		}
		i++
		switch c := raw[i]; c {
		case 'b':
			out = append(out, '\b')
		case 'f':
			out = append(out, '\f')
		case 'n':
			out = append(out, '\n')
		case 'r':
			out = append(out, '\r')
		case 't':
			out = append(out, '\t')
		case 'u':
			r := hex4(raw[i+1:])
			i += 4
			if low := i + 2; utf16.IsSurrogate(r) && low < len(raw) && raw[i+1] == '\\' && raw[low] == 'u' {
				if pair := utf16.DecodeRune(r, hex4(raw[low+1:])); pair != utf8.RuneError {
					r, i = pair, i+6
				}
			}
			if utf16.IsSurrogate(r) {
				out = append(out, 0xED, 0x80|byte(r>>6)&0x3F, 0x80|byte(r)&0x3F)
			} else {
				out = utf8.AppendRune(out, r)
			}
		default: // quotation mark, backslash, slash
			out = append(out, c)
		}
	}
	return string(out)
}

// hex4 reads the four hex digits that b starts with.
func hex4(b []byte) rune {
	n, err := strconv.ParseUint(string(b[:min(4, len(b))]), 16, 16)
	if err != nil {
		return utf8.RuneError
	}
	return rune(n)
}
