package bundle

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Secret is a place in a file that looks like a secret. What stands there is never
// part of it.
type Secret struct {
	Line int    `json:"line"` // from 1
	Rule string `json:"rule"` // such as "assay/bearer"
}

// The rules of Assay's scan (its replay/scrub).
const (
	ruleAuthorization = "assay/authorization-header"
	ruleBearer        = "assay/bearer"
	ruleSecretKey     = "assay/sk-key"
)

// Assay's engine has Unicode's blanks in \s, and Go's only those of ASCII.
const (
	blank    = `(?:\s|[\x{0b}\x{85}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}])`
	notBlank = `[^\s\x{0b}\x{85}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}]`
)

// assayRules are those by which `assay bundle verify` refuses a bundle. One place
// differs, towards finding more: at a byte that is not UTF-8, Assay's dot and
// Assay's class of other characters end, and ours go on.
var assayRules = []struct {
	name    string
	pattern *regexp.Regexp
	// hint is a text without which the pattern can't match, and much faster to look
	// for; in lower case.
	hint string
}{
	{ruleAuthorization, regexp.MustCompile(`(?im)^` + blank + `*Authorization` + blank + `*:` + blank + `*.+$`), "authorization"},
	{ruleBearer, regexp.MustCompile(`(?i)Bearer` + blank + `+` + notBlank + `+`), "bearer"},
	{ruleSecretKey, regexp.MustCompile(`sk[-_][A-Za-z0-9_-]{20,}`), "sk"},
}

// maxSecrets bounds the places that are listed for one file.
const maxSecrets = 100

// AssaySecrets finds what Assay takes for a secret (its replay/scrub): header
// lines with credentials, bearer tokens, and sk- keys. Its rule for bearer tokens
// also matches prose such as "the bearer of".
func AssaySecrets(data []byte) []Secret {
	var found []Secret
	for _, r := range assayRules {
		if !containsFold(data, r.hint) {
			continue
		}
		for _, at := range r.pattern.FindAllIndex(data, maxSecrets) {
			// A header's match may begin with the blank lines before it.
			start := at[0] + len(data[at[0]:at[1]]) - len(bytes.TrimLeft(data[at[0]:at[1]], " \t\r\n\v\f"))
			found = append(found, Secret{Line: 1 + bytes.Count(data[:start], []byte("\n")), Rule: r.name})
		}
	}
	slices.SortStableFunc(found, func(a, b Secret) int { return a.Line - b.Line })
	return found
}

// containsFold reports whether data holds text, which is lower-case ASCII, in any
// case.
func containsFold(data []byte, text string) bool {
	for _, first := range []byte{text[0], text[0] - 'a' + 'A'} {
		for rest := data; ; {
			i := bytes.IndexByte(rest, first)
			if i < 0 || len(rest)-i < len(text) {
				break
			}
			if strings.EqualFold(string(rest[i:i+len(text)]), text) {
				return true
			}
			rest = rest[i+1:]
		}
	}
	return false
}

// redacted is what stands for a secret. Assay's own scrubber writes "Bearer
// [REDACTED]", which its own rule then refuses; here the whole match goes.
const redacted = "[REDACTED]"

// Scrub replaces everything that Assay takes for a secret, so that what remains
// passes its scan.
func Scrub(data []byte) []byte {
	for _, r := range assayRules {
		data = r.pattern.ReplaceAll(data, []byte(redacted))
	}
	return data
}

// SecretsError says that a bundle is not written because a file of it looks as if
// it held secrets.
type SecretsError struct {
	Path    string // in the repository
	Secrets []Secret
}

func (e *SecretsError) Error() string {
	return e.where() + ": a bundle is for sharing, so none is written"
}

// Warning is the sentence for a file that goes in all the same.
func (e *SecretsError) Warning() string {
	return e.where() + ": look at it before the bundle is shared"
}

func (e *SecretsError) where() string {
	s, more := e.Secrets[0], ""
	if n := len(e.Secrets) - 1; n > 0 {
		more = fmt.Sprintf(", and %d more", n)
	}
	return fmt.Sprintf("%s:%d looks like a secret (rule %s%s)", e.Path, s.Line, s.Rule, more)
}
