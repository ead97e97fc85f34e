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
	found, isProse := c.secrets(data)
	switch {
	case len(found) == 0:
		return "", nil
	case strings.HasPrefix(folder, "outputs"):
		c.warnings = append(c.warnings, &SecretsError{path, found})
		return "", nil
	case isProse:
		return "left out: it says \"bearer\" in prose, for which `assay bundle verify` would refuse the whole bundle", nil
	}
	slices.SortStableFunc(found, func(a, b Secret) int { return cmp.Compare(a.Line, b.Line) })
	return "", &SecretsError{path, found}
}

// screenOutput notes what is rendered from the files and looks like a secret only
// there: an escape in JSON can hide it from the scan of the file, and the
// rendering decodes it.
func (c *content) screenOutput(name string, data []byte) {
	if found, isProse := c.secrets(data); len(found) > 0 && !isProse {
		c.warnings = append(c.warnings, &SecretsError{name, found})
	}
}
