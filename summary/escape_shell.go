package summary

import (
	"regexp"
	"strings"

	"github.com/replay-gate/replay-gate/summary/visible"
)

// A word that every POSIX shell takes as it stands. A "=" outside of an option
// is quoted: it could make the first word an assignment.
var shellWord = regexp.MustCompile(`^([A-Za-z0-9_./:@,+%][A-Za-z0-9_./:@,+%-]*|-[A-Za-z0-9_./:@=,+%-]*)$`)

// ShellQuote writes s as one word of a POSIX shell. It refuses, with false, what
// can't be shown and copied faithfully: line breaks, NUL, every other character
// that does not show, and bytes that are not UTF-8.
func ShellQuote(s string) (word string, ok bool) {
	if visible.Text(s) != s {
		return "", false
	}
	if shellWord.MatchString(s) {
		return s, true
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'", true
}

// maxCommand bounds a printed command, in bytes.
const maxCommand = 4096

// ShellCommand writes a command to be copied, with its output into a file unless that is
// empty. It refuses, with false, one that can't be shown faithfully, and an empty one.
func ShellCommand(argv []string, into string) (line string, ok bool) {
	line, ok = shellLine(argv, maxCommand)
	if !ok || into == "" {
		return line, ok
	}
	word, ok := ShellQuote(into)
	return line + " > " + word, ok
}

// shellLine quotes words as one command, of at most limit bytes.
func shellLine(words []string, limit int) (line string, ok bool) {
	var b strings.Builder
	for i, w := range words {
		q, ok := ShellQuote(w)
		if !ok || b.Len()+len(q) > limit {
			return "", false
		}
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(q)
	}
	return b.String(), len(words) > 0
}

// shellWords are the quoted words of a command, with where its output goes; ok is as for
// [ShellCommand].
func shellWords(argv []string, into string) (words []string, ok bool) {
	if _, ok := ShellCommand(argv, into); !ok {
		return nil, false
	}
	for _, w := range argv {
		q, _ := ShellQuote(w)
		words = append(words, q)
	}
	if into != "" {
		q, _ := ShellQuote(into)
		words = append(words, ">", q)
	}
	return words, true
}
