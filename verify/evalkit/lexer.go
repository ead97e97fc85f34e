package evalkit

import (
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// scanConfig collects the string literals of a JavaScript or TypeScript text,
// and the properties of interest that have no literal for a value. It knows
// comments, strings, brackets, and regular expressions where one can hardly be a
// division; no more of the language. lost says that it gave up somewhere: a literal that
// is not found is one that nothing is claimed about.
func scanConfig(src string) *configScanner {
	s := &configScanner{src: src, line: 1, parents: make([]parent, 1)}
	for s.at < len(s.src) && len(s.texts) < maxTexts {
		s.step()
	}
	s.lost = s.lost || s.at < len(s.src)
	return s
}

// parent is where an object literal stands: in which other one, and as the value of which
// property, directly or in a list.
type parent struct {
	object int
	key    string
}

// container is a bracket that is open.
type container struct {
	object int // of an object literal; 0 for a list
	key    string
}

type configScanner struct {
	src  string
	at   int
	line int

	texts    []configText
	key      string // of the property whose value comes next
	open     []container
	parents  []parent // of each object literal, from 1
	comments [][2]int
	noMore   bool // no template literal ends behind here
	lost     bool // what stands behind a quote without an end was not read
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
	case c == '/':
		s.slash(rest)
	case c == '"' || c == '\'' || c == '`' && !s.noMore:
		s.literal(c)
	case c == '{' || c == '[':
		s.opens(c)
	case c == '}' || c == ']':
		s.closes(c)
	case strings.HasPrefix(rest, spread):
		s.key = spread
		s.computed()
		s.at += len(spread)
	case isIdentifier(c):
		s.identifier(rest)
	default:
		s.computed()
		s.at++
	}
}

// slash begins a comment, a regular expression or a division.
func (s *configScanner) slash(rest string) {
	switch {
	case strings.HasPrefix(rest, "//"):
		s.comment(through(rest, "\n", len(rest)) - 1)
	case strings.HasPrefix(rest, "/*"):
		s.comment(2 + through(rest[2:], "*/", len(rest)-2))
	default:
		s.computed()
		s.at += max(1, s.regexp())
	}
}

// opens begins an object literal or a list.
func (s *configScanner) opens(bracket byte) {
	next := container{0, s.standsAs()}
	if bracket == '{' {
		p := parent{s.object(), next.key}
		next = container{len(s.parents), ""}
		s.parents = append(s.parents, p)
	}
	s.computed()
	s.open = append(s.open, next)
	s.at++
}

func (s *configScanner) closes(bracket byte) {
	s.computed()
	if n := len(s.open); n > 0 && (s.open[n-1].object != 0) == (bracket == '}') {
		s.open = s.open[:n-1]
	} else {
		s.lost = true // something in between was not read
	}
	s.at++
}

func (s *configScanner) identifier(rest string) {
	n := 1
	for n < len(rest) && isIdentifier(rest[n]) {
		n++
	}
	if s.word(rest) {
		return
	}
	s.computed()
	s.at += n
	s.name(rest[:n])
}

func (s *configScanner) comment(n int) {
	from := s.at
	s.skip(n)
	s.comments = append(s.comments, [2]int{from, s.at})
}

// code is the text without its comments.
func (s *configScanner) code() string {
	var b strings.Builder
	from := 0
	for _, c := range s.comments {
		b.WriteString(s.src[from:c[0]])
		b.WriteByte(' ')
		from = c[1]
	}
	b.WriteString(s.src[from:])
	return b.String()
}

// object is the innermost object literal that is open, 0 for none.
func (s *configScanner) object() int {
	for i := len(s.open) - 1; i >= 0; i-- {
		if s.open[i].object != 0 {
			return s.open[i].object
		}
	}
	return 0
}

// standsAs is the property whose value starts here: its own, or that of the list it is an
// element of.
func (s *configScanner) standsAs() string {
	if n := len(s.open); s.key == "" && n > 0 && s.open[n-1].object == 0 {
		return s.open[n-1].key
	}
	return s.key
}

// bareWord is a value that is one word: a number, true or false, or the name of something
// that stands elsewhere.
var bareWord = regexp.MustCompile(`^[\pL\d_$]+(?:\.[\pL\d_$]+)*(?:\s+as\s+const)?`)

// word reads the value of a property of interest if it is one word.
func (s *configScanner) word(rest string) bool {
	if !ofInterest(s.key) {
		return false
	}
	word := bareWord.FindString(rest[:min(len(rest), maxText)])
	after := strings.TrimLeft(rest[len(word):], " \t\r\n")
	if word == "" || after != "" && !strings.HasPrefix(after, ",") && !strings.HasPrefix(after, "}") && !strings.HasPrefix(after, "/") {
		return false
	}
	word, _, _ = strings.Cut(word, " ")
	s.add(configText{key: s.key, computed: true, ref: word})
	s.key = ""
	s.skip(len(rest) - len(after))
	return true
}

// ofInterest reports whether a property is one whose value counts, literal or not.
func ofInterest(key string) bool {
	switch key {
	case "name", "targetVersion", "cases", "ttlDays", "stripRaw", "fixtureDir", spread:
		return true
	}
	return false
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
		s.add(configText{key: name, computed: true, ref: name})
	}
}

// computed notes that the value of the last property is not a literal.
func (s *configScanner) computed() {
	if ofInterest(s.key) {
		s.add(configText{key: s.key, computed: true})
	}
	s.key = ""
}

func (s *configScanner) add(t configText) {
	t.line, t.object = s.line, s.object()
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

// plainEscapes are the characters that stand for another one behind a backslash.
var plainEscapes = map[byte]string{
	'n': "\n", 't': "\t", 'r': "\r", 'b': "\b", 'f': "\f", 'v': "\v", '0': "\x00", '\n': "",
}

// unescapeJS decodes what follows a backslash, and gives its length.
func unescapeJS(s string) (text string, n int) {
	if s == "" {
		return "", 0
	}
	if text, ok := plainEscapes[s[0]]; ok {
		return text, 1
	}
	switch s[0] {
	case '\r':
		if strings.HasPrefix(s, "\r\n") {
			return "", 2
		}
		return "", 1
	case 'x':
		return unescapeHex(s, 1, 3)
	case 'u':
		if !strings.HasPrefix(s, "u{") {
			return unescapeHex(s, 1, 5)
		}
		end := strings.IndexByte(s, '}')
		if text, n := unescapeHex(s, 2, end); n > 1 {
			return text, n + 1
		}
		return "", 1
	}
	_, size := utf8.DecodeRuneInString(s)
	return s[:size], size
}

// unescapeHex decodes the code point that s has from one index to another; its length is
// then the latter.
func unescapeHex(s string, from, to int) (text string, n int) {
	if to > len(s) || from > to {
		return "", 1
	}
	r, err := strconv.ParseUint(s[from:to], 16, 32)
	if err != nil || r > utf8.MaxRune {
		return "", 1
	}
	return string(rune(r)), to
}
