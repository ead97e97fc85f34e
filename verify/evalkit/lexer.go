package evalkit

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// scanConfig collects the string literals of a JavaScript or TypeScript text,
// and the properties of interest that have no literal for a value. It knows
// comments, strings, braces, and regular expressions where one can hardly be a
// division; no more of the language. truncated says that it gave up somewhere: a
// literal that is not found is one that nothing is claimed about.
func scanConfig(src string) (texts []configText, truncated bool) {
	s := configScanner{src: src, line: 1}
	for s.at < len(s.src) && len(s.texts) < maxTexts {
		s.step()
	}
	return s.texts, s.lost || s.at < len(s.src)
}

type configScanner struct {
	src  string
	at   int
	line int

	texts   []configText
	key     string // of the property whose value comes next
	objects []int  // the object literals that are open
	opened  int    // how many there were so far
	noMore  bool   // no template literal ends behind here
	lost    bool   // what stands behind a quote without an end was not read
}

// step reads one token.
func (s *configScanner) step() {
	rest := s.src[s.at:]
	switch c := rest[0]; {
	case c == '\n':
		s.line++
		s.at++
	case c == ' ' || c == '\t' || c == '\r':
		s.at++
	case strings.HasPrefix(rest, "//"):
		s.skip(through(rest, "\n", len(rest)) - 1)
	case strings.HasPrefix(rest, "/*"):
		s.skip(2 + through(rest[2:], "*/", len(rest)-2))
	case c == '/':
		s.computed()
		s.at += max(1, s.regexp())
	case c == '"' || c == '\'' || c == '`' && !s.noMore:
		s.literal(c)
	case c == '{':
		s.computed()
		s.opened++
		s.objects = append(s.objects, s.opened)
		s.at++
	case c == '}':
		s.computed()
		if n := len(s.objects); n > 0 {
			s.objects = s.objects[:n-1]
		}
		s.at++
	case strings.HasPrefix(rest, spread):
		s.key = spread
		s.computed()
		s.at += len(spread)
	case isIdentifier(c):
		n := 1
		for n < len(rest) && isIdentifier(rest[n]) {
			n++
		}
		s.computed()
		s.at += n
		s.name(rest[:n])
	default:
		s.computed()
		s.at++
	}
}

// regexp is the length of the regular expression that starts here, 0 for a
// slash that is none. One may hold quotes and braces: regex(/don't/).
func (s *configScanner) regexp() int {
	before := strings.TrimRight(s.src[:s.at], " \t\r\n")
	if before != "" && !strings.ContainsRune("(,=:[!&|?{;>", rune(before[len(before)-1])) && !strings.HasSuffix(before, "return") {
		return 0
	}
	rest := s.src[s.at:min(len(s.src), s.at+maxText)]
	class := false // in a class, a slash is like any other character
	for i := 1; i < len(rest); i++ {
		switch c := rest[i]; {
		case c == '\n':
			return 0
		case c == '\\':
			i++
		case c == '[' || c == ']':
			class = c == '['
		case c == '/' && !class:
			return i + 1
		}
	}
	return 0
}

func isIdentifier(c byte) bool {
	return c == '_' || c == '$' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= utf8.RuneSelf
}

// through is the index just behind the first sep, or limit if there is none.
func through(s, sep string, limit int) int {
	if i := strings.Index(s, sep); i >= 0 {
		return i + len(sep)
	}
	return limit
}

func (s *configScanner) skip(n int) {
	n = max(n, 1)
	s.line += strings.Count(s.src[s.at:s.at+n], "\n")
	s.at += n
}

// name takes a property's name, and notes a targetVersion that has no value
// behind it, such as a shorthand.
func (s *configScanner) name(name string) {
	rest := strings.TrimLeft(s.src[s.at:], " \t\r\n")
	switch {
	case strings.HasPrefix(rest, ":"):
		colon := len(s.src) - s.at - len(rest) + 1
		s.skip(colon)
		s.key = name
	case name == "targetVersion":
		s.key = name
		s.computed()
	}
}

// computed notes that the value of the last property is not a literal.
func (s *configScanner) computed() {
	switch s.key {
	case "name", "targetVersion", "cases", spread:
		s.add(configText{key: s.key, computed: true})
	}
	s.key = ""
}

func (s *configScanner) add(t configText) {
	t.line = s.line
	if n := len(s.objects); n > 0 {
		t.object = s.objects[n-1]
	}
	s.texts = append(s.texts, t)
}

// literal reads a string or a template.
func (s *configScanner) literal(quote byte) {
	value, n := unquoteJS(s.src[s.at:], quote)
	if n == 0 { // a quote inside of something else
		s.lost = true
		s.computed()
		if quote == '`' {
			s.noMore = true
			s.at++
			return
		}
		s.skip(through(s.src[s.at:], "\n", len(s.src)-s.at))
		return
	}
	raw := s.src[s.at : s.at+n]
	after := strings.TrimLeft(s.src[s.at+n:], " \t\r\n")
	switch {
	case len(value) > maxText, quote == '`' && strings.Contains(raw, "${"):
		s.computed()
		s.skip(n)
	case after != "" && strings.IndexByte("+.?[(&|", after[0]) >= 0:
		// A part of an expression: still a text, but not the property's value.
		s.computed()
		s.add(configText{value: value})
		s.skip(n)
	default:
		s.add(configText{key: s.key, value: value})
		s.key = ""
		s.skip(n)
		if strings.HasPrefix(after, ":") { // a quoted name of a property
			s.name(value)
		}
	}
}

// unquoteJS decodes the literal that src starts with; n is its length, 0 if it
// has no end.
func unquoteJS(src string, quote byte) (value string, n int) {
	var b strings.Builder
	for i := 1; i < len(src); i++ {
		switch c := src[i]; {
		case c == quote:
			return b.String(), i + 1
		case c == '\n' && quote != '`':
			return "", 0
		case c != '\\':
			b.WriteByte(c)
		default:
			text, size := unescapeJS(src[i+1:])
			b.WriteString(text)
			i += size
		}
	}
	return "", 0
}

// unescapeJS decodes what follows a backslash, and gives its length.
func unescapeJS(s string) (text string, n int) {
	if s == "" {
		return "", 0
	}
	code := func(from, to int) (string, int) {
		if to > len(s) || from > to {
			return "", 1
		}
		r, err := strconv.ParseUint(s[from:to], 16, 32)
		if err != nil || r > utf8.MaxRune {
			return "", 1
		}
		return string(rune(r)), to
	}
	switch s[0] {
	case 'n':
		return "\n", 1
	case 't':
		return "\t", 1
	case 'r':
		return "\r", 1
	case 'b':
		return "\b", 1
	case 'f':
		return "\f", 1
	case 'v':
		return "\v", 1
	case '0':
		return "\x00", 1
	case '\n':
		return "", 1
	case '\r':
		return "", len(s) - len(strings.TrimPrefix(s, "\r\n"))
	case 'x':
		return code(1, 3)
	case 'u':
		if !strings.HasPrefix(s, "u{") {
			return code(1, 5)
		}
		end := strings.IndexByte(s, '}')
		if text, n := code(2, end); n > 1 {
			return text, n + 1
		}
		return "", 1
	}
	_, size := utf8.DecodeRuneInString(s)
	return s[:size], size
}
