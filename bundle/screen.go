package bundle

import (
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
	found, isProse := assaySecrets(data)
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
	if len(found) == prose && isProse {
		return "left out: it says \"bearer\" in prose, for which `assay bundle verify` would refuse the whole bundle", nil
	}
	slices.SortStableFunc(found, func(a, b Secret) int { return cmp.Compare(a.Line, b.Line) })
	return "", &SecretsError{path, found}
}

// screenOutput notes what is rendered from the files and looks like a secret only
// there: an escape in JSON can hide it from the scan of the file, and the
// rendering decodes it.
func (c *content) screenOutput(name string, data []byte) {
	found, isProse := assaySecrets(data)
	if isProse {
		found = nil
	}
	if c.rules != nil {
		found = append(found, c.rules(data)...)
	}
	if len(found) > 0 {
		c.warnings = append(c.warnings, &SecretsError{name, found})
	}
}
