package canonical

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

const byteOrderMark = "\uFEFF"

// source is the text of one document, cut out of its stream.
type source struct {
	// text runs from the start of the file to the end of the document. Lines
	// before the document are blank, so that line numbers hold; only the
	// handles that %TAG lines define are kept, for yaml.v3 wants to know them.
	text string
	// body is where the content begins: behind the --- marker if there is one.
	body   int
	marker bool
	// handles are the tag handles in force, with their prefixes.
	handles map[string]string
}

// readSource decodes the bytes and finds the one document in them. Document
// markers and directives are purely lexical, so no parser is needed, and
// yaml.v3 must not see them: it knows neither %YAML 1.2 nor a byte order mark
// behind a comment.
func readSource(data []byte) (*source, error) {
	text := decodeUTF8(data)
	if line := loneCR(text); line > 0 {
		return nil, &CannotJudgeError{line, "a carriage return that ends no line"}
	}
	s := &source{handles: map[string]string{"!!": coreTag}}
	var head strings.Builder
	directives, handles := false, map[string]bool{}
	for number := 1; text != ""; number++ {
		line, rest := cutLine(text)
		if after, found := strings.CutPrefix(line, byteOrderMark); found {
			if err := checkMark(after, number); err != nil {
				return nil, err
			}
			line, text = after, text[len(byteOrderMark):]
		}
		switch {
		case strings.HasPrefix(line, "%"):
			directives = true
			if err := s.directive(line, number); err != nil {
				return nil, err
			}
			if parts := strings.Fields(line); parts[0] == "%TAG" && !handles[parts[1]] {
				handles[parts[1]] = true
				head.WriteString("%TAG " + parts[1] + " tag:")
			}
		case blankOrComment(line):
		default:
			return s, s.document(head.String(), text, number, directives)
		}
		if len(rest) < len(text) && text[len(text)-len(rest)-1] == '\n' {
			head.WriteByte('\n')
		}
		text = rest
	}
	if directives {
		return nil, &NotValidError{Reason: "directives without a document"}
	}
	s.text = head.String()
	s.body = len(s.text)
	return s, nil
}

// document takes the document that starts text, and checks what follows it.
func (s *source) document(head, text string, number int, directives bool) error {
	s.marker = isMarker(text, "---")
	if directives && !s.marker {
		return &NotValidError{number, 1, "directives without a --- line"}
	}
	s.body = len(head)
	end, lines := 0, number
	if s.marker {
		s.body += len("---")
		end, lines = nextLine(text, 0), number+1
	}
	for ; end < len(text); end, lines = nextLine(text, end), lines+1 {
		if text[end] == '-' && isMarker(text[end:], "---") {
			return &NotValidError{lines, 1, "more than one document"}
		}
		if text[end] == '.' && isMarker(text[end:], "...") {
			break
		}
	}
	s.text = head + text[:end]
	s.body = min(s.body, len(s.text)) // a ... line may be all there is
	if end < len(text) {
		return checkAfterEnd(text[end+len("..."):], lines)
	}
	return nil
}

// checkAfterEnd allows nothing but comments behind a ... marker.
func checkAfterEnd(text string, number int) error {
	for first := true; text != ""; first, number = false, number+1 {
		line, rest := cutLine(text)
		switch {
		case blankOrComment(line):
		case first:
			return &NotValidError{number, 0, "text behind the document end marker"}
		case strings.HasPrefix(line, "%"), strings.HasPrefix(line, byteOrderMark):
			return &CannotJudgeError{number, "a directive or a byte order mark in an unusual place"}
		default:
			return &NotValidError{number, 1, "more than one document"}
		}
		text = rest
	}
	return nil
}

// checkMark looks at what follows a byte order mark: the reference counts the
// mark as indentation, which breaks whatever depends on it.
func checkMark(line string, number int) error {
	switch {
	case len(line) > 2 && line[:2] == "- " && (line[2] == '"' || line[2] >= 'A' && line[2] <= 'z'):
		return &NotValidError{number, 1, "a byte order mark before a list"}
	case line != "" && strings.Contains("-?: \t", line[:1]) && !isMarker(line, "---") && !blankOrComment(line):
		return &CannotJudgeError{number, "a directive or a byte order mark in an unusual place"}
	}
	return nil
}

var yamlVersion = regexp.MustCompile(`^[0-9]+\.[0-9]+$`)

func (s *source) directive(line string, number int) error {
	for i := 1; i < len(line); i++ {
		if line[i] == '#' && (line[i-1] == ' ' || line[i-1] == '\t') {
			line = line[:i]
			break
		}
		if line[i] >= utf8.RuneSelf || line[i] < ' ' && line[i] != '\t' {
			return &CannotJudgeError{number, "a directive or a byte order mark in an unusual place"}
		}
	}
	parts := strings.Fields(line)
	args := parts[1:]
	switch parts[0] {
	case "%YAML":
		switch {
		case len(args) != 1:
			return &NotValidError{number, 1, "%YAML takes one version"}
		case args[0] == "1.1":
			return &CannotJudgeError{number, "%YAML 1.1"}
		case !yamlVersion.MatchString(args[0]):
			return &NotValidError{number, 1, "%YAML takes one version"}
		}
	case "%TAG":
		if len(args) != 2 {
			return &NotValidError{number, 1, "%TAG takes a handle and a prefix"}
		}
		s.handles[args[0]] = args[1]
	}
	return nil
}

// decodeUTF8 decodes as the Encoding standard does: one U+FFFD for each
// maximal subpart of an ill-formed sequence (Unicode, table 3-8).
func decodeUTF8(data []byte) string {
	if utf8.Valid(data) {
		return string(data)
	}
	var b strings.Builder
	b.Grow(len(data) + 16)
	for len(data) > 0 {
		r, size := utf8.DecodeRune(data)
		if r == utf8.RuneError && size == 1 {
			size = subpart(data)
		}
		b.WriteRune(r)
		data = data[size:]
	}
	return b.String()
}

// subpart returns how many bytes of an ill-formed sequence start a well-formed
// one.
func subpart(data []byte) int {
	low, high, need := byte(0x80), byte(0xBF), 0
	switch b := data[0]; {
	case b >= 0xC2 && b <= 0xDF:
		need = 1
	case b >= 0xE0 && b <= 0xEF:
		need = 2
	case b >= 0xF0 && b <= 0xF4:
		need = 3
	}
	switch data[0] {
	case 0xE0:
		low = 0xA0
	case 0xED:
		high = 0x9F
	case 0xF0:
		low = 0x90
	case 0xF4:
		high = 0x8F
	}
	n := 1
	for n <= need && n < len(data) && data[n] >= low && data[n] <= high {
		low, high = 0x80, 0xBF
		n++
	}
	return n
}

func loneCR(text string) int {
	for i := 0; ; {
		next := strings.IndexByte(text[i:], '\r')
		if next < 0 {
			return 0
		}
		i += next + 1
		if i == len(text) || text[i] != '\n' {
			return 1 + strings.Count(text[:i], "\n")
		}
	}
}

// cutLine returns the first line without its end, and the text behind it.
func cutLine(text string) (line, rest string) {
	line, rest, _ = strings.Cut(text, "\n")
	return strings.TrimSuffix(line, "\r"), rest
}

// lineEnd returns where the line that holds offset i ends, without its \n.
func lineEnd(text string, i int) int {
	if n := strings.IndexByte(text[i:], '\n'); n >= 0 {
		return i + n
	}
	return len(text)
}

// nextLine returns the start of the line behind the one that holds offset i.
func nextLine(text string, i int) int {
	return min(lineEnd(text, i)+1, len(text))
}

func blankOrComment(line string) bool {
	rest := strings.TrimLeft(line, " \t")
	return rest == "" || rest[0] == '#'
}

func isMarker(text, marker string) bool {
	return strings.HasPrefix(text, marker) && isBlank(text, len(marker))
}

// isBlank reports whether white space, a line end or the end of the text
// stands at i.
func isBlank(text string, i int) bool {
	return i >= len(text) || text[i] == ' ' || text[i] == '\n' || text[i] == '\t' || text[i] == '\r'
}
