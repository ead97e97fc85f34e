package secrets

import (
	"bytes"
	"encoding/json"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// isJSON reports whether data is JSON, or lines of JSON (RFC 8259, JSON Lines).
func isJSON(data []byte) bool {
	if json.Valid(data) {
		return true
	}
	any := false
	for line := range bytes.Lines(data) {
		if line = bytes.TrimSpace(line); len(line) > 0 {
			if !json.Valid(line) {
				return false
			}
			any = true
		}
	}
	return any
}

// token is a string in JSON, with its quotes.
type token struct {
	start, end int
	name       bool // of a member
	header     bool // it stands under the name of a credential header
}

// tokens gives the strings of JSON that is known to be valid. Nesting is kept on a
// stack of bits, so that its depth costs nothing.
func tokens(data []byte, each func(token)) {
	var under []bool // whether the value that encloses is under such a name
	header := false
	for i := 0; i < len(data); i++ {
		switch data[i] {
		case '"':
			t := token{start: i, header: header}
			for i++; data[i] != '"'; i++ {
				if data[i] == '\\' {
					i++
				}
			}
			t.end = i + 1
			next := blanksOfJSON(data, t.end)
			if t.name = next < len(data) && data[next] == ':'; t.name {
				t.header = false
				header = isCredentialHeader(data[t.start+1 : t.end-1])
			}
			each(t)
		case '{':
			under = append(under, header)
			header = false
		case '[':
			under = append(under, header)
		case '}', ']':
			header, under = under[len(under)-1], under[:len(under)-1]
			if len(under) == 0 {
				header = false
			}
		case ',':
			// In an object the next name decides; in an array all elements are alike.
		}
	}
}

func blanksOfJSON(data []byte, i int) int {
	for i < len(data) && (data[i] == ' ' || data[i] == '\t' || data[i] == '\n' || data[i] == '\r') {
		i++
	}
	return i
}

// scrubJSON is Scrub for JSON.
func scrubJSON(data []byte) (clean []byte, n int) {
	names, at := 0, 0
	tokens(data, func(t token) {
		raw := data[t.start+1 : t.end-1]
		spans := stringSpans(raw, t.header)
		if len(spans) == 0 {
			return
		}
		if clean == nil {
			clean = make([]byte, 0, len(data))
		}
		for _, s := range spans {
			clean = append(append(clean, data[at:t.start+1+s.start]...), Redacted...)
			if t.name {
				// Two names of an object stay two.
				if names++; names > 1 {
					clean = strconv.AppendInt(append(clean[:len(clean)-1], ' '), int64(names), 10)
					clean = append(clean, ']')
				}
			}
			at = t.start + 1 + s.end
		}
		n += len(spans)
	})
	if n == 0 {
		return data, 0
	}
	return append(clean, data[at:]...), n
}

// stringSpans are the parts of a string's inside that are to go.
func stringSpans(raw []byte, header bool) []span {
	if header {
		if len(raw) == 0 || bytes.Equal(raw, []byte(Redacted)) {
			return nil
		}
		return []span{{start: 0, end: len(raw)}}
	}
	hidden := hiddenByAssay(raw)
	if bytes.IndexByte(raw, '\\') >= 0 {
		// Assay looks at the text as it is written ("\bearer x" begins with a
		// backspace, and matches), and who decodes it at what it means.
		hidden = wholeEscapes(raw, hidden)
		text, places := decoded(raw)
		for i, h := range hiddenByAssay(text) {
			if !h {
				continue
			}
			if hidden == nil {
				hidden = make([]bool, len(raw))
			}
			for k := places[i]; k < places[i+1] || k == places[i]; k++ {
				hidden[k] = true
			}
		}
		hidden = wholeEscapes(raw, hidden)
	}
	var spans []span
	for i := 0; i < len(hidden); i++ {
		if !hidden[i] {
			continue
		}
		from := i
		for i < len(hidden) && hidden[i] {
			i++
		}
		spans = append(spans, span{start: from, end: i})
	}
	return spans
}

// wholeEscapes hides an escape of which a part is hidden.
func wholeEscapes(raw []byte, hidden []bool) []bool {
	for i := 0; hidden != nil && i < len(raw); {
		if raw[i] != '\\' {
			i++
			continue
		}
		_, end := escape(raw, i)
		if anyOf(hidden[i:end]) {
			for k := i; k < end; k++ {
				hidden[k] = true
			}
		}
		i = end
	}
	return hidden
}

// hiddenByAssay marks what Assay takes for a secret in a decoded string. As one
// replacement can make room for another match, it asks until nothing is left.
func hiddenByAssay(text []byte) (hidden []bool) {
	mark := func(from, to int) {
		if hidden == nil {
			hidden = make([]bool, len(text))
		}
		for ; from < to; from++ {
			hidden[from] = true
		}
	}
	rest := text
	for {
		again := false
		for _, s := range assayMatches(rest) {
			mark(s.start, s.end)
			again = true
		}
		if i := endsInBearer(rest); i >= 0 {
			mark(i, len(text))
			again = true
		}
		if !again {
			return hidden
		}
		// What is hidden is neither white space nor a part of a rule's word.
		rest = bytes.Clone(text)
		for i, h := range hidden {
			if h {
				rest[i] = '*'
			}
		}
	}
}

// decoded is what a string of JSON means, and for each byte of that, and its end,
// the place in raw that it comes from.
func decoded(raw []byte) (text []byte, places []int) {
	text, places = make([]byte, 0, len(raw)), make([]int, 0, len(raw)+1)
	for i := 0; i < len(raw); {
		from := i
		if raw[i] != '\\' {
			text, i = append(text, raw[i]), i+1
		} else {
			var r rune
			r, i = escape(raw, i)
			text = utf8.AppendRune(text, r)
		}
		for len(places) < len(text) {
			places = append(places, from)
		}
	}
	return text, append(places, len(raw))
}

// escape is what the escape at i means, and its end. Half of a pair means U+FFFD.
func escape(raw []byte, i int) (r rune, end int) {
	switch c := raw[i+1]; c {
	case 'b':
		return '\b', i + 2
	case 'f':
		return '\f', i + 2
	case 'n':
		return '\n', i + 2
	case 'r':
		return '\r', i + 2
	case 't':
		return '\t', i + 2
	case 'u':
		r = unit(raw[i+2:])
		if utf16.IsSurrogate(r) && i+12 <= len(raw) && raw[i+6] == '\\' && raw[i+7] == 'u' {
			if pair := utf16.DecodeRune(r, unit(raw[i+8:])); pair != utf8.RuneError {
				return pair, i + 12
			}
		}
		return r, i + 6
	default:
		return rune(c), i + 2
	}
}

// unit is the code unit that four hex digits name.
func unit(hex []byte) rune {
	n, _ := strconv.ParseUint(string(hex[:4]), 16, 16)
	return rune(n)
}
