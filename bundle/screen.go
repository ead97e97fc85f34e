package bundle

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
)

// screen looks for secrets in a file that is to go into folder (Replay Bundle v1,
// section 6.1). Under files/ and cassettes/ one refuses the bundle, with a
// *[SecretsError]; under outputs/ it is noted. Where nothing but prose trips
// Assay's rule for bearer tokens, the file is left out, and reason says so:
// Assay would refuse the whole bundle for it.
func (c *content) screen(folder, path string, data []byte) (reason string, err error) {
	found := AssaySecrets(data)
	prose := len(found)
	if c.rules != nil {
		found = append(found, c.rules(data)...)
	}
	if len(found) == 0 {
		return "", nil
	}
	if strings.HasPrefix(folder, "outputs") {
		c.warnings = append(c.warnings, &SecretsError{path, found})
		return "", nil
	}
	if len(found) == prose && isProse(found, data) {
		return "left out: it says \"bearer\" in prose, for which `assay bundle verify` would refuse the whole bundle", nil
	}
	slices.SortStableFunc(found, func(a, b Secret) int { return cmp.Compare(a.Line, b.Line) })
	return "", &SecretsError{path, found}
}

// screenOutput notes what is rendered from the files and looks like a secret only
// there: an escape in JSON can hide it from the scan of the file, and the
// rendering decodes it.
func (c *content) screenOutput(name string, data []byte) {
	found := AssaySecrets(data)
	if isProse(found, data) {
		found = nil
	}
	if c.rules != nil {
		found = append(found, c.rules(data)...)
	}
	if len(found) > 0 {
		c.warnings = append(c.warnings, &SecretsError{name, found})
	}
}

// isProse reports whether all that was found in data is the word "bearer".
func isProse(found []Secret, data []byte) bool {
	return !slices.ContainsFunc(found, func(s Secret) bool { return s.Rule != ruleBearer }) && !hasCredential(data)
}

// minCredential is how long what follows "Bearer" is at least, in bytes, when it
// is a credential. RFC 6750, section 2.1, gives its characters and no length; the
// shortest in use have 20.
const minCredential = 20

// hasCredential reports whether a match of Assay's rule for bearer tokens is more
// than prose: a long word of the characters of RFC 6750 (b64token), with a digit.
func hasCredential(data []byte) bool {
	const b64token = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~+/="
	for _, r := range assayRules {
		if r.name != ruleBearer {
			continue
		}
		for _, match := range r.pattern.FindAll(data, -1) {
			word := bytes.TrimSpace(match[len("bearer"):])
			word = bytes.Trim(word, `"'`+"`,;:)>]}")
			if len(word) >= minCredential && len(bytes.Trim(word, b64token)) == 0 && bytes.ContainsAny(word, "0123456789") {
				return true
			}
		}
	}
	return false
}
