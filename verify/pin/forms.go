package pin

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"regexp"
	"unicode/utf16"
)

// The forms in which one content comes. They are the codes of the rows that say so.
const (
	formLineEnds = "line-ends"
	formLFS      = "lfs"
	formEncoding = "encoding"
	formIdent    = "ident"
)

// formReason words a form for a person.
var formReason = map[string]string{
	formLineEnds: "the line ends are others than in the pinned form (a checkout with CRLF, or one without)",
	formLFS:      "the same content by its Git LFS object id",
	formEncoding: "the same text, checked out in another encoding",
	formIdent:    "the same text, with git's $Id$ expanded",
}

// otherForm is another form of a content, by its digests.
type otherForm struct {
	name string
	sums
}

// formsOf lists what git may store, or check out, in place of data. A tree shows one of
// them and a pin may be of another: a work tree with CRLF, a clone without Git LFS.
func formsOf(data []byte) []otherForm {
	var all []otherForm
	add := func(name string, form []byte) { all = append(all, otherForm{name, sumsOf(form)}) }
	if oid, ok := pointerOID(data); ok {
		// The content is not here; its hash is.
		return append(all, otherForm{formLFS, sums{sha256: oid}})
	}
	add(formLFS, pointerTo(data))
	if text, ok := fromUTF16(data); ok {
		add(formEncoding, text)
		add(formEncoding, toLF(text))
	}
	if bytes.IndexByte(data, 0) >= 0 {
		return all // git calls it binary, and converts nothing
	}
	plain := toLF(data)
	if len(plain) != len(data) {
		add(formLineEnds, plain)
	}
	if crlf := bytes.ReplaceAll(plain, []byte("\n"), []byte("\r\n")); len(crlf) != len(data) {
		add(formLineEnds, crlf)
	}
	if collapsed := collapseIdent(data); len(collapsed) != len(data) {
		add(formIdent, collapsed)
		add(formIdent, toLF(collapsed))
	}
	return all
}

func toLF(data []byte) []byte { return bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n")) }

// pointerStart is how every pointer of Git LFS begins (Git LFS, Specification, The Pointer).
const pointerStart = "version https://git-lfs.github.com/spec/v1\n"

var pointerLines = regexp.MustCompile(`^` + pointerStart + `(?:ext-[0-9]-[^\n]*\n)*oid sha256:([0-9a-f]{64})\nsize [0-9]+\n$`)

// pointerOID is the sha256 of the content that a pointer stands for.
func pointerOID(data []byte) (string, bool) {
	if !bytes.HasPrefix(data, []byte(pointerStart)) || len(data) > 1024 {
		return "", false
	}
	m := pointerLines.FindSubmatch(data)
	if m == nil {
		return "", false
	}
	return string(m[1]), true
}

// pointerTo is what git stores for content that Git LFS tracks: its object id is the
// sha256 of the content. Empty content is stored as it is, and so is a pointer.
func pointerTo(data []byte) []byte {
	if _, is := pointerOID(data); is || len(data) == 0 {
		return data
	}
	sum := sha256.Sum256(data)
	return fmt.Appendf(nil, "%soid sha256:%s\nsize %d\n", pointerStart, hex.EncodeToString(sum[:]), len(data))
}

// identText is what git writes for $Id$, the id of a blob; anything else there was written
// by somebody.
var identText = regexp.MustCompile(`\$Id: (?:[0-9a-f]{40}|[0-9a-f]{64}) \$`)

// collapseIdent undoes what git does to $Id$ on checkout (gitattributes, ident).
func collapseIdent(data []byte) []byte {
	if !bytes.Contains(data, []byte("$Id:")) {
		return data
	}
	return identText.ReplaceAll(data, []byte("$$Id$$"))
}

// fromUTF16 decodes text that begins with a byte order mark of UTF-16.
func fromUTF16(data []byte) ([]byte, bool) {
	if len(data) < 2 || len(data)%2 != 0 {
		return nil, false
	}
	var order binary.ByteOrder = binary.LittleEndian
	switch {
	case data[0] == 0xfe && data[1] == 0xff:
		order = binary.BigEndian
	case data[0] != 0xff || data[1] != 0xfe:
		return nil, false
	}
	units := make([]uint16, 0, len(data)/2-1)
	for i := 2; i < len(data); i += 2 {
		units = append(units, order.Uint16(data[i:]))
	}
	return []byte(string(utf16.Decode(units))), true
}
