package canonical

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// mask gives yaml.v3 a text that it reads as the reference reads the source,
// with the same lines and columns: each character that yaml.v3 rejects,
// breaks a line at or takes for an indicator becomes a private-use character
// that the source doesn't hold. Values are never taken from the masked text;
// it is only compared with the source.
type mask struct {
	free []rune        // private-use characters that may still be given out
	to   map[rune]rune // source to masked
	from map[rune]rune // masked to source
}

// privateUse is where stand-ins come from, and standIns how many kinds of
// characters may need one: the controls, the line separators, the byte order
// mark and its like, and three indicators.
const (
	privateUse    = 0xE000
	privateUseEnd = 0xF8FF
	standIns      = 80
)

// apply masks text, and ends its last line. It fails if the text uses up all
// private-use characters.
func (m *mask) apply(text string) ([]byte, bool) {
	out := make([]byte, 0, len(text)+len(text)/16+1)
	start := 0
	for i := 0; i < len(text); {
		b := text[i]
		if b >= ' ' && b < 0x7F && b != '\\' && b != ':' && b != '?' || b == '\n' || b == '\t' || b == '\r' {
			i++
			continue
		}
		r, size := rune(b), 1
		if b >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(text[i:])
		}
		if masked(text, i, r) {
			stand, ok := m.standIn(text, r)
			if !ok {
				return nil, false
			}
			out = append(out, text[start:i]...)
			out = utf8.AppendRune(out, stand)
			start = i + size
		}
		i += size
		if r == '\\' && i < len(text) && (text[i] == '\\' || text[i] == '"') {
			i++ // what an escape takes can't start another
		}
	}
	out = append(out, text[start:]...)
	if len(out) == 0 || out[len(out)-1] != '\n' {
		out = append(out, '\n')
	}
	return out, true
}

// masked decides whether the character r at i needs a stand-in. All decisions
// are harmless where the character turns out to be text of another kind, as
// the comparison undoes them.
func masked(text string, i int, r rune) bool {
	switch r {
	case '\\':
		// Escapes are decoded from the source. yaml.v3 must only not take an
		// escaped quotation mark for the end, nor reject \/ or \ud83d.
		return i+1 < len(text) && text[i+1] != '"' && text[i+1] != '\\' && text[i+1] != '\n' && text[i+1] != '\r'
	case ':':
		return startsWord(text, i) && !isBlank(text, i+1) && !isFlowIndicator(text[i+1]) && !endsJSON(text, i)
	case '?':
		if isBlank(text, i+1) || isFlowIndicator(text[i+1]) {
			return !startsWord(text, i)
		}
		return true
	}
	return r < ' ' || r >= 0x7F && r < 0xA0 || r == 0x2028 || r == 0x2029 || r == 0xFEFF || r == 0xFFFE || r == 0xFFFF
}

func startsWord(text string, i int) bool {
	return i == 0 || isBlank(text, i-1) || isFlowIndicator(text[i-1])
}

// endsJSON reports whether what stands before i may be a quoted or flow key,
// behind which a colon needs no space.
func endsJSON(text string, i int) bool {
	before := strings.TrimRight(text[max(0, i-1024):i], " \t\r\n")
	return before != "" && strings.IndexByte("\"'[]{}", before[len(before)-1]) >= 0 &&
		before[len(before)-1] != '[' && before[len(before)-1] != '{'
}

func isFlowIndicator(b byte) bool {
	return b == ',' || b == '[' || b == ']' || b == '{' || b == '}'
}

func (m *mask) standIn(text string, r rune) (rune, bool) {
	if stand, ok := m.to[r]; ok {
		return stand, true
	}
	if m.to == nil {
		m.to, m.from = map[rune]rune{}, map[rune]rune{}
		m.free = unused(text)
	}
	if len(m.free) == 0 {
		return 0, false
	}
	stand := m.free[0]
	m.free = m.free[1:]
	m.to[r], m.from[stand] = stand, r
	return stand, true
}

// unused returns private-use characters that text doesn't hold.
func unused(text string) []rune {
	var used [privateUseEnd - privateUse + 1]bool
	if strings.IndexByte(text, 0xEE) >= 0 || strings.IndexByte(text, 0xEF) >= 0 {
		for _, r := range text {
			if r >= privateUse && r <= privateUseEnd {
				used[r-privateUse] = true
			}
		}
	}
	free := make([]rune, 0, standIns)
	for i := 0; i < len(used) && len(free) < standIns; i++ {
		if !used[i] {
			free = append(free, rune(privateUse+i))
		}
	}
	return free
}

// same reports whether want, read from the source, is what yaml.v3 read from
// the masked text.
func (m *mask) same(want, got string) bool {
	if len(m.from) == 0 || want == got {
		return want == got
	}
	for _, r := range got {
		if from, ok := m.from[r]; ok {
			r = from
		}
		next, size := utf8.DecodeRuneInString(want)
		if size == 0 || next != r {
			return false
		}
		want = want[size:]
	}
	return want == ""
}

// plainText rewrites, byte by byte, what yaml.v3 does not know and the
// reference does: anchor names with other characters than letters, digits, -
// and _, tags directly before a comma or a closing bracket (which become plain
// scalars), and tabs as white space between tokens. Whatever merely looks alike is
// rewritten too, so this is for texts that can't be read otherwise. It returns
// text itself if there is nothing to rewrite.
func plainText(text string) string {
	out := []byte(text)
	lineStart, header := 0, false // header: the last line with text looks like that of a block scalar
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\n':
			if line := text[lineStart:i]; strings.Trim(line, " \r") != "" {
				header = strings.ContainsAny(line, "|>") && blockHeader.MatchString(line)
			}
			lineStart = i + 1
		case '\t':
			out[i] = ' '
			if header && lineStart+spacesFrom(text, lineStart) == i {
				out[i] = 'x' // the first line of a block scalar sets its indentation
			}
		case '&', '*':
			if startsWord(text, i) {
				end := nameEnd(text, i+1)
				copy(out[i+1:], plainName(text[i+1:end]))
				i = end - 1
			}
		case '!':
			if !startsWord(text, i) {
				continue
			}
			end := tagEnd(text, i)
			if end < len(text) && isFlowIndicator(text[end]) && !strings.Contains(text[i:end], "'") {
				copy(out[i:], placeholder(text[i:end]))
				i = end - 1
			}
		}
	}
	return string(out)
}

var blockHeader = regexp.MustCompile(`(?:^|[ \t])[|>][-+1-9]*[ \t]*(?:#.*)?\r?$`)

// plainName puts letters in place of the ASCII characters that yaml.v3 doesn't
// know in an anchor name.
func plainName(name string) string {
	out := []byte(name)
	for i, b := range out {
		if b != '-' && b != '_' && b != '"' && b != '\'' && (b < '0' || b > '9') && (b < 'A' || b > 'Z') && (b < 'a' || b > 'z') && b < utf8.RuneSelf {
			out[i] = 'x'
		}
	}
	return string(out)
}

// placeholder is the plain scalar that stands for an empty node with a tag.
func placeholder(tag string) string { return strings.Repeat("x", len(tag)) }
