package bundle

import (
	"errors"
	"fmt"
	"io"
)

// Limits are the inclusive ceilings of what is read from one archive. The zero
// value allows nothing; start from [DefaultLimits].
type Limits struct {
	Source   int64 // bytes of the compressed archive, all of them
	Decoded  int64 // bytes that the gzip stream expands to
	Manifest int64 // bytes of manifest.json
	Member   int64 // bytes of any other entry
	Path     int   // bytes of an entry's name, as the archive spells it
	Entries  int   // entries, the manifest included
	Depth    int   // nesting of objects and lists in the manifest
	Values   int   // JSON values in the manifest, at most
	// Headers is how many bytes of headers an archive may have beyond 2 KiB for
	// each entry, which is room for a name in any form.
	Headers int64
	// Memory is how many bytes of content are kept in memory; what exceeds it
	// goes to a temporary file that has no name where the system allows that.
	Memory int64
}

// DefaultLimits are the ceilings of the Assay reader (its replay/bundle/limits),
// so that a bundle is refused here exactly when it is refused there. Values,
// Headers and Memory are this reader's own: they bound what it costs to parse the
// manifest, to parse extended headers, and to hold the content.
func DefaultLimits() Limits {
	return Limits{
		Source:   100 << 20,
		Decoded:  1 << 30,
		Manifest: 10 << 20,
		Member:   500 << 20,
		Path:     256,
		Entries:  100_000,
		Depth:    64,
		Values:   500_000,
		Headers:  256 << 10,
		Memory:   32 << 20,
	}
}

// LimitError says that an archive exceeds one of the [Limits].
type LimitError struct {
	// Dimension is the limit's name in words, such as "decoded bytes".
	Dimension string
	Limit     int64
	// Digest is that of the whole source ("sha256:" + hex), or empty when the
	// source itself is too large to be read to its end.
	Digest string
}

func (e *LimitError) Error() string {
	return fmt.Sprintf("bundle exceeds the limit of %d %s", e.Limit, e.Dimension)
}

// ReasonCode is the machine-readable word that Assay uses for this refusal.
func (e *LimitError) ReasonCode() string { return "E_REPLAY_LIMIT_EXCEEDED" }

// FormatError says that a source is not a readable replay bundle.
type FormatError struct {
	// Rule is the field that [Check] reports it under, such as "entries.path".
	Rule   string
	Reason string
	// Digest is that of the whole source ("sha256:" + hex).
	Digest string
}

func (e *FormatError) Error() string { return e.Rule + ": " + e.Reason }

// ReasonCode is the machine-readable word that Assay uses for this refusal.
func (e *FormatError) ReasonCode() string { return "E_CFG_PARSE" }

// cappedReader reads at most limit bytes and fails with over when there is one
// more. It counts what it hands out.
type cappedReader struct {
	r     io.Reader
	n     int64
	limit int64
	over  *LimitError
	// exceeded says that over was returned.
	exceeded bool
}

func capped(r io.Reader, limit int64, dimension string) *cappedReader {
	return &cappedReader{r: r, limit: limit, over: &LimitError{Dimension: dimension, Limit: limit}}
}

func (c *cappedReader) Read(p []byte) (int, error) {
	if c.exceeded {
		return 0, c.over
	}
	if int64(len(p)) > c.limit-c.n+1 {
		p = p[:c.limit-c.n+1]
	}
	n, err := c.r.Read(p)
	if c.n+int64(n) > c.limit {
		n = int(c.limit - c.n)
		c.n = c.limit
		c.exceeded = true
		return n, c.over
	}
	c.n += int64(n)
	return n, err
}

// asLimit finds a *LimitError in err.
func asLimit(err error) *LimitError {
	var le *LimitError
	if errors.As(err, &le) {
		return le
	}
	return nil
}
