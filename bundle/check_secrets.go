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
		// A rule matches across blanks however many there are: some stand for all.
		if end := len(bytes.TrimRightFunc(data, unicode.IsSpace)) + secretOverlap/2; end < len(data) {
			end -= cutRune(data[:end])
			line += bytes.Count(data[end:], []byte("\n"))
			data = data[:end]
		}
		gone := max(0, len(data)-secretOverlap)
		line += bytes.Count(data[:gone], []byte("\n"))
		midLine := gone > 0 && data[gone-1] != '\n'
		kept = copy(window, data[gone:])
		if midLine {
			window[0] = '-' // a header begins its line, and no line begins here
		}
		kept += copy(window[kept:], last)
	}
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
