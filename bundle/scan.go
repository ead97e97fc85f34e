package bundle

import (
	"archive/tar"
	"bufio"
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/replay-gate/replay-gate/verify"
)

// The structural rules, in the order in which [Check] reports them.
const (
	ruleGzip     = "gzip"           // one complete gzip member, checksum and length hold
	ruleTrailing = "trailing data"  // nothing behind the member, nothing but zeros behind the tar
	ruleTar      = "tar"            // well-formed to its two closing blocks
	rulePaths    = "entries.path"   // normal names under the three prefixes
	ruleTypes    = "entries.type"   // regular files: no links, devices, folders, holes
	ruleUnique   = "entries.unique" // no name twice, however spelled
	ruleManifest = "manifest"       // one, at the root, JSON
	ruleLimits   = "limits"         // everything within Limits
	maxPadding   = 1 << 20          // zeros behind the tar, in bytes
	maxNamed     = 20               // findings of one rule that are listed one by one
	sparsePrefix = "GNU.sparse."    // PAX records of a file with holes
	codeSpelling = "spelling"       // the one structural blemish that is a warning
	codeAbsent   = "absent"         // what the manifest names is not in the bundle
	codeNothing  = "nothing-to-replay"
)

// problem is a violation of a structural rule.
type problem struct {
	rule   string
	code   string
	entry  string // the name as spelled, or empty
	reason string
	status verify.Status
}

// scan is one pass over an archive.
type scan struct {
	limits   Limits
	store    *store
	source   *cappedReader
	problems []problem
	more     map[string]int // problems beyond maxNamed, by rule
	seen     map[string]bool

	digest      string // of the source; empty when that exceeds its limit
	size        int64
	hasManifest bool
	manifest    []byte
	entries     []Entry
	limit       *LimitError // the limit that ended the pass, or nil
	ended       bool        // the end of the gzip member was reached
}

func newScan(l Limits, keep bool) *scan {
	return &scan{limits: l, store: newStore(keep, l.Memory), more: make(map[string]int), seen: make(map[string]bool)}
}

// scanArchive reads r to its end, collecting everything that is wrong with the
// container. Only a failure to read r or to keep its content is an error.
func scanArchive(r io.Reader, l Limits, keep bool) (*scan, error) {
	hash := sha256.New()
	sc := newScan(l, keep)
	sc.source = capped(io.TeeReader(sourceReader{r}, hash), l.Source, "source bytes")
	err := sc.run()
	if sc.limit = asLimit(err); sc.limit != nil {
		err = nil
	}
	if err == nil {
		// The digest is that of every byte, also of those behind a refusal.
		_, err = io.CopyBuffer(io.Discard, onlyReader{sc.source}, sc.store.buf)
		if le := asLimit(err); le != nil {
			sc.limit, err = cmp.Or(sc.limit, le), nil
		}
	}
	if err != nil {
		_ = sc.store.close()
		return nil, err
	}
	sc.size = sc.source.n
	if !sc.source.exceeded {
		sc.digest = digestPrefix + hex.EncodeToString(hash.Sum(nil))
	}
	return sc, nil
}

// sourceError is a failure of the reader that the caller gave.
type sourceError struct{ err error }

func (e *sourceError) Error() string { return "reading the bundle: " + e.err.Error() }
func (e *sourceError) Unwrap() error { return e.err }

type sourceReader struct{ r io.Reader }

func (s sourceReader) Read(p []byte) (int, error) {
	n, err := s.r.Read(p)
	if err != nil && err != io.EOF {
		err = &sourceError{err}
	}
	return n, err
}

func (sc *scan) report(rule, code, entry, format string, args ...any) {
	status := verify.Fail
	if code == codeSpelling {
		status = verify.Warn
	}
	n := 0
	for _, p := range sc.problems {
		if p.rule == rule {
			n++
		}
	}
	if n >= maxNamed {
		sc.more[rule]++
		return
	}
	sc.problems = append(sc.problems, problem{rule, code, entry, fmt.Sprintf(format, args...), status})
}

// fatal says whether err is one that ends the pass with an error.
func fatal(err error) bool {
	var se *sourceError
	var ste *storeError
	return asLimit(err) != nil || errors.As(err, &se) || errors.As(err, &ste)
}

func (sc *scan) run() error {
	src := bufio.NewReaderSize(sc.source, 32<<10)
	zr, err := decompress(src)
	if err != nil {
		if fatal(err) {
			return err
		}
		sc.report(ruleGzip, "not-gzip", "", "is not a gzip stream: %v", err)
		return nil
	}
	defer zr.Close()
	decoded := capped(gzipReader{zr}, sc.limits.Decoded, "decoded bytes")
	if err := sc.tar(decoded); err != nil || !sc.ended {
		return err
	}
	return sc.behind(src)
}

// gzipError is damage of the compressed data.
type gzipError struct{ err error }

func (e *gzipError) Error() string { return e.err.Error() }

type gzipReader struct{ r io.Reader }

func (g gzipReader) Read(p []byte) (int, error) {
	n, err := g.r.Read(p)
	if err != nil && err != io.EOF && !fatal(err) {
		err = &gzipError{err}
	}
	return n, err
}

// headerRoom is what the headers of one entry may take, in bytes: its own, and
// a PAX or GNU record with its name.
const headerRoom = 2 << 10

// tar reads the entries and what follows them up to the end of the gzip member.
func (sc *scan) tar(decoded *cappedReader) error {
	headers := capped(decoded, 0, "bytes of entry headers")
	headers.over.Limit = sc.limits.Headers
	records := &recordReader{r: headers}
	tr := tar.NewReader(records)
	room := sc.limits.Headers
	var end int64 // where the last entry's blocks end
	for count := 0; ; {
		// Extended headers are read before an entry is there to be counted, so
		// what they may take is bounded in advance.
		room += headerRoom
		headers.limit = max(end, headers.n) + room
		h, err := tr.Next()
		if records.wrong != "" && !fatal(err) {
			sc.report(ruleTar, "records", "", "%s", records.wrong)
			return nil // readers don't agree about what follows
		}
		switch {
		case errors.Is(err, io.EOF):
			if records.dangling() {
				sc.report(ruleTar, "records", "", "ends with a record about an entry that does not follow")
			}
			if headers.n-end < 2*block {
				sc.report(ruleTar, "unfinished", "", "has no two zero blocks at its end")
			}
			return sc.padding(decoded)
		case err != nil:
			return sc.broken(err)
		}
		room = headers.limit - headers.n
		if count++; count > sc.limits.Entries {
			return &LimitError{Dimension: "entries", Limit: int64(sc.limits.Entries)}
		}
		if len(h.Name) > sc.limits.Path {
			return &LimitError{Dimension: "bytes in an entry's name", Limit: int64(sc.limits.Path)}
		}
		kind, sparse := irregular(h)
		if sparse {
			sc.report(ruleTypes, "not-regular", h.Name, "is %s", kind)
			return nil // what it occupies is not what it says, so nothing after it is certain
		}
		end = headers.n
		if !headerOnly(h) {
			end += (h.Size + block - 1) / block * block
		}
		headers.limit = end
		records.entry(end - headers.n)
		if kind != "" {
			sc.report(ruleTypes, "not-regular", h.Name, "is %s", kind)
		} else if err := sc.entry(h, tr); err != nil {
			return sc.broken(err)
		}
	}
}

// broken notes that the stream ended in err, unless err ends the pass.
func (sc *scan) broken(err error) error {
	var ge *gzipError
	switch {
	case fatal(err):
		return err
	case errors.As(err, &ge) && errors.Is(ge.err, io.ErrUnexpectedEOF):
		sc.report(ruleGzip, "truncated", "", "the compressed data breaks off")
	case errors.As(err, &ge):
		sc.report(ruleGzip, "damaged", "", "the compressed data is damaged: %v", err)
	case errors.Is(err, io.ErrUnexpectedEOF):
		sc.report(ruleTar, "truncated", "", "breaks off in the middle of an entry")
	default:
		sc.report(ruleTar, "damaged", "", "has a damaged header: %v", err)
	}
	return nil
}

// padding reads what follows the end of the tar, which may be zeros only, and so
// reaches the checksum of the gzip member.
func (sc *scan) padding(decoded *cappedReader) error {
	for total := 0; ; {
		n, err := decoded.Read(sc.store.buf)
		total += n
		if total > maxPadding || len(bytes.Trim(sc.store.buf[:n], "\x00")) > 0 {
			sc.report(ruleTrailing, "behind-tar", "", "data, or more than %d bytes of zeros, follows the end of the tar", maxPadding)
			return nil
		}
		switch {
		case err == io.EOF:
			sc.ended = true
			return nil
		case err != nil:
			return sc.broken(err)
		}
	}
}

// behind looks at what follows the gzip member.
func (sc *scan) behind(src *bufio.Reader) error {
	head, err := src.Peek(2)
	switch {
	case err != nil && fatal(err):
		return err
	case string(head) == "\x1f\x8b":
		sc.report(ruleTrailing, "second-member", "", "a second gzip member follows the first")
	case len(head) > 0:
		sc.report(ruleTrailing, "behind-gzip", "", "data follows the gzip member")
	}
	return nil
}

func (sc *scan) entry(h *tar.Header, body io.Reader) error {
	if strings.ReplaceAll(h.Name, `\`, "/") == manifestName {
		return sc.readManifest(h, body)
	}
	if h.Size > sc.limits.Member {
		return &LimitError{Dimension: "bytes in an entry", Limit: sc.limits.Member}
	}
	name, err := normalizeName(h.Name)
	if path, ok := h.PAXRecords["path"]; ok && path == "" {
		_, err = normalizeName(path) // archive/tar keeps the header's own name then
	}
	switch {
	case err != nil:
		sc.report(rulePaths, "bad-path", h.Name, "%s", err)
		return nil
	case !utf8.ValidString(name):
		sc.report(rulePaths, "bad-path", h.Name, "is not valid UTF-8")
		return nil
	case sc.seen[name]:
		sc.report(ruleUnique, "duplicate", h.Name, "is there already, as %q", name)
		return nil
	case name != h.Name:
		sc.report(rulePaths, codeSpelling, h.Name, "is read as %q", name)
	case strings.ContainsFunc(name, unicode.IsControl):
		sc.report(rulePaths, codeSpelling, h.Name, "has a control character")
	}
	sc.seen[name] = true
	sum, at, err := sc.store.add(body, h.Size)
	if err != nil {
		return err
	}
	sc.entries = append(sc.entries, Entry{
		Name: name, Size: h.Size, SHA256: sum, Mode: h.FileInfo().Mode().Perm(), at: at,
	})
	return nil
}

func (sc *scan) readManifest(h *tar.Header, body io.Reader) error {
	if sc.hasManifest {
		sc.report(ruleManifest, "second-manifest", h.Name, "is a second manifest")
		return nil
	}
	sc.hasManifest = true
	if h.Size > sc.limits.Manifest {
		return &LimitError{Dimension: "manifest bytes", Limit: sc.limits.Manifest}
	}
	data, err := io.ReadAll(body)
	if err != nil {
		return err
	}
	sc.manifest = data
	return nil
}

// irregular names what kind of thing h is, if it is no regular file.
func irregular(h *tar.Header) (kind string, sparse bool) {
	switch h.Typeflag {
	case tar.TypeReg:
		for key := range h.PAXRecords {
			if strings.HasPrefix(key, sparsePrefix) {
				return "a file with holes", true
			}
		}
		return "", false
	case tar.TypeGNUSparse:
		return "a file with holes", true
	case tar.TypeLink:
		return "a hard link", false
	case tar.TypeSymlink:
		return "a symbolic link", false
	case tar.TypeChar, tar.TypeBlock:
		return "a device", false
	case tar.TypeDir:
		return "a folder", false
	case tar.TypeFifo:
		return "a FIFO", false
	case tar.TypeXGlobalHeader:
		return "a PAX global header", false
	}
	return fmt.Sprintf("of the unknown type %q", h.Typeflag), false
}

// headerOnly reports whether an entry has no content whatever size it claims.
func headerOnly(h *tar.Header) bool {
	return strings.IndexByte("123456g", h.Typeflag) >= 0
}
