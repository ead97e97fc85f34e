package repo

import (
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// Stored is the form of a file that git stores, or would store with git add.
type Stored struct {
	Data []byte
	Blob string // the id of the blob, 40 hex digits
	// Note says why Data may not be what git stores, without a full stop; empty when
	// it is.
	Note string
}

// Converter finds the stored form of the files of a work tree. It runs no filter: that of
// Git LFS is known, and any other is only told of. It is for one goroutine.
type Converter struct {
	tree     *Snapshot
	index    map[string]plumbing.Hash
	autocrlf string          // core.autocrlf: "true", "input" or ""
	filters  map[string]bool // those that have a program
	files    map[string]*attributeFile
	// attributes is the file for all repositories, empty for none; global is what it
	// holds, and info what .git/info/attributes does.
	attributes   string
	global, info attributeFile
	home         string
}

// Converter returns the converter for the files of t, which must be a work tree. Settings
// are those of the repository, and weaker ones those of the user.
func (r *Repository) Converter(t *Snapshot, user UserConfig) (*Converter, error) {
	idx, err := r.readIndex()
	if err != nil {
		return nil, err
	}
	c := &Converter{
		tree: t, index: make(map[string]plumbing.Hash), filters: map[string]bool{}, files: map[string]*attributeFile{},
		attributes: user.Attributes, home: user.Home,
	}
	for _, e := range idx.entries {
		if !e.unsettled {
			c.index[e.path] = e.id
		}
	}
	for _, name := range append(slices.Clone(user.Files), filepath.Join(r.commonDir, "config")) {
		if err := c.configure(name, 0); err != nil {
			return nil, err
		}
	}
	if c.global, err = attributesAt(c.attributes); err != nil {
		return nil, fmt.Errorf("reading core.attributesFile: %w", err)
	}
	if c.info, err = attributesAt(filepath.Join(r.commonDir, "info", "attributes")); err != nil {
		return nil, fmt.Errorf("reading .git/info/attributes: %w", err)
	}
	return c, nil
}

// attributesAt reads a file of attributes that lies outside of the work tree.
func attributesAt(name string) (attributeFile, error) {
	if name == "" {
		return attributeFile{}, nil
	}
	text, err := readLimited(os.Open(name))
	return parseAttributes(".", text), err
}

// Stored returns the stored form of the file at name, whose content on disk is data. The
// blob of a file that the index calls unchanged is the index's.
func (c *Converter) Stored(name string, data []byte) (Stored, error) {
	resolved, err := c.tree.resolve(name)
	if err != nil {
		return Stored{}, &fs.PathError{Op: "read", Path: name, Err: err}
	}
	if e, ok := c.tree.files.find(resolved); ok && e.known && isPlain(e.mode) {
		content, err := c.tree.repo.objects.readAs(plumbing.BlobObject, e.id)
		if err == nil {
			return Stored{Data: content, Blob: e.id.String()}, nil
		}
		if !errors.Is(err, ErrMissingObject) && !errors.Is(err, ErrTooLarge) {
			return Stored{}, err
		}
	}
	files, err := c.attributeFiles(resolved)
	if err != nil {
		return Stored{}, fmt.Errorf("reading .gitattributes: %w", err)
	}
	form, note := c.convert(resolved, data, attributesOf(files, resolved))
	return Stored{Data: form, Blob: blobID(form), Note: note}, nil
}

// convert does to data what git add does (git's convert.c, convert_to_git).
func (c *Converter) convert(name string, data []byte, attributes map[string]string) (form []byte, note string) {
	switch filter := attributes["filter"]; {
	case filter == "lfs":
		return lfsPointer(data), ""
	case filter != attrNone && filter != attrSet && filter != attrUnset && c.filters[filter]:
		return data, "git stores what the filter " + filter + " makes of it, which was not run; pinned as it is on disk"
	}
	if encoding := attributes["working-tree-encoding"]; encoding != attrNone && encoding != attrSet && encoding != attrUnset {
		text, ok := decodeText(encoding, data)
		if !ok {
			return data, "git stores it in UTF-8, and it can't be read as " + encoding + " here; pinned as it is on disk"
		}
		data = text
	}
	data = c.lineEnds(name, data, attributes)
	if attributes["ident"] == attrSet {
		data = collapseIdent(data)
	}
	return data, ""
}

func blobID(data []byte) string {
	h := sha1.New()
	fmt.Fprintf(h, "blob %d\x00", len(data))
	h.Write(data)
	return hex.EncodeToString(h.Sum(nil))
}

// lfsPointer is what Git LFS stores in place of data (its Specification, The Pointer).
func lfsPointer(data []byte) []byte {
	const start = "version https://git-lfs.github.com/spec/v1\n"
	if len(data) == 0 || len(data) < 1024 && strings.HasPrefix(string(data), start) {
		return data
	}
	sum := sha256.Sum256(data)
	return fmt.Appendf(nil, "%soid sha256:%s\nsize %d\n", start, hex.EncodeToString(sum[:]), len(data))
}
