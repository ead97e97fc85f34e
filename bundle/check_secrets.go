package bundle

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/replay-gate/replay-gate/verify"
)

// FieldSecrets is the field of the checks about secrets.
const FieldSecrets = "bundle.secrets"

// Row is the check that says so: FAIL, and never what stands there.
func (e *SecretsError) Row() verify.Check {
	return verify.Check{
		Field: FieldSecrets, Status: verify.Fail, Code: "secret", Reason: e.Error(),
		Hint:     "revoke it if it is one, and take it out of " + e.Path,
		Location: verify.Location{Path: e.Path, Line: e.Secrets[0].Line},
	}
}

// secretWindow is how much of an entry is looked at together, and secretOverlap
// how much of it is looked at again with what follows, in bytes.
const (
	secretWindow  = 1 << 20
	secretOverlap = 4 << 10
)

// secrets judges the content by Assay's patterns (Replay Bundle v1, section 6.1):
// a match fails under files/ and cassettes/, and is a warning under outputs/.
func (x *examination) secrets(name string) []verify.Check {
	if x.limit != nil {
		return nil
	}
	t := &table{path: name, limit: maxNamed}
	largest := int64(2 * secretOverlap)
	for _, e := range x.entries {
		largest = max(largest, e.Size+1) // with room to see its end
	}
	window := make([]byte, min(largest, secretWindow))
	for _, e := range x.entries {
		s, found, err := firstSecret(e.Open(), window)
		switch {
		case err != nil:
			t.add(FieldSecrets, verify.Fail, "unreadable", fmt.Sprintf("%q can't be read", e.Name), "", "")
		case !found:
		case strings.HasPrefix(e.Name, "outputs/"):
			t.add(FieldSecrets, verify.Warn, "secret", secretReason(e.Name, s), "", "")
		default:
			t.add(FieldSecrets, verify.Fail, "secret", secretReason(e.Name, s), "", "")
		}
	}
	if t.dropped > 0 {
		status := verify.Warn
		if t.failing > 0 {
			status = verify.Fail
		}
		more := table{path: name}
		more.add(FieldSecrets, status, "more", fmt.Sprintf("and %d more files", t.dropped), "", "")
		t.checks = append(t.checks, more.checks...)
	}
	if len(t.checks) == 0 && x.manifest != nil {
		t.ok(FieldSecrets, "", "nothing matches Assay's patterns")
	}
	return t.checks
}

func secretReason(name string, s Secret) string {
	return fmt.Sprintf("%q, line %d, looks like a secret (rule %s)", name, s.Line, s.Rule)
}

// firstSecret finds the first secret in r, through a window.
func firstSecret(r io.Reader, window []byte) (Secret, bool, error) {
	line, kept := 0, 0 // lines before the window, and bytes in it
	for {
		n, err := io.ReadFull(r, window[kept:])
		data := window[:kept+n]
		if err == nil {
			data = data[:len(data)-cutRune(data)] // half of a blank is none
		}
		if found := AssaySecrets(data); len(found) > 0 {
			found[0].Line += line
			return found[0], true, nil
		}
		switch {
		case err == io.EOF, err == io.ErrUnexpectedEOF:
			return Secret{}, false, nil
		case err != nil:
			return Secret{}, false, err
		}
		last := window[len(data) : kept+n]
		gone := tailFrom(data)
		before := data[bytes.LastIndexByte(data[:gone], '\n')+1 : gone]
		if len(bytes.TrimSpace(before)) > 0 && data[gone] != '\n' {
			data[gone] = '-' // a header begins its line, and no line begins here
		}
		line += bytes.Count(data[:gone], []byte("\n"))
		tail, breaks := squeeze(data[gone:])
		line += breaks
		kept = copy(window, tail)
		kept += copy(window[kept:], last)
	}
}

// maxBlanks is how many bytes of blanks are looked at again. A rule matches across
// blanks however many there are, so these stand for all.
const maxBlanks = secretOverlap / 8

// tailFrom is where the end of data begins that is looked at again: secretOverlap
// bytes, in which a run of blanks counts for maxBlanks at most.
func tailFrom(data []byte) int {
	from := len(data)
	for size := 0; from > 0 && size < secretOverlap; {
		blanks := from - len(bytes.TrimRightFunc(data[:from], unicode.IsSpace))
		size += min(blanks, maxBlanks)
		from -= blanks
		word := data[max(0, from-max(0, secretOverlap-size)):from]
		if i := bytes.LastIndexFunc(word, unicode.IsSpace); i >= 0 {
			_, n := utf8.DecodeRune(word[i:])
			word = word[i+n:]
		}
		size += len(word)
		from -= len(word)
	}
	return min(from, len(data)-1)
}

// squeeze shortens every run of blanks in data, in place, and counts the line breaks
// that went. Of several there stays one, as a header may begin behind it.
func squeeze(data []byte) (short []byte, breaks int) {
	short = data[:0]
	for len(data) > 0 {
		text := len(data)
		if i := bytes.IndexFunc(data, unicode.IsSpace); i >= 0 {
			text = i
		}
		short, data = append(short, data[:text]...), data[text:]
		run := len(data) - len(bytes.TrimLeftFunc(data, unicode.IsSpace))
		keep := min(run, maxBlanks)
		keep -= cutRune(data[:keep])
		n := bytes.Count(data[keep:run], []byte("\n"))
		short = append(short, data[:keep]...)
		if n > 0 {
			short = append(short, '\n')
			breaks += n - 1
		}
		data = data[run:]
	}
	return short, breaks
}

// cutRune is how many bytes at the end of data are the beginning of a character.
func cutRune(data []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(data); n++ {
		if tail := data[len(data)-n:]; utf8.RuneStart(tail[0]) {
			if utf8.FullRune(tail) {
				return 0
			}
			return n
		}
	}
	return 0
}
