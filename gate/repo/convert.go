package repo

import (
	"bytes"
	"encoding/binary"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/go-git/go-git/v5/plumbing"
)

// lineEnds turns CRLF into LF where git does (git's convert.c, convert_attrs and
// crlf_to_git).
func (c *Converter) lineEnds(name string, data []byte, attributes map[string]string) []byte {
	convert, auto := c.textMode(attributes)
	if !convert {
		return data
	}
	stats := statsOf(data)
	if stats.crlf == 0 {
		return data
	}
	if !auto {
		return bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
	}
	// A file that was committed with CRLF stays so.
	if stats.binary() || c.committedWithCRLF(name) {
		return data
	}
	return bytes.ReplaceAll(data, []byte("\r"), nil)
}

// textMode says whether line ends are converted, and whether git has to guess if the
// file is text.
func (c *Converter) textMode(attributes map[string]string) (convert, auto bool) {
	text := attributes["text"]
	if text == attrNone {
		text = attributes["crlf"] // its old name
	}
	eol := attributes["eol"]
	byEOL := eol == "lf" || eol == "crlf"
	switch {
	case text == attrUnset:
		return false, false
	case text == "auto":
		return true, true
	case text == attrSet || text == "input" || byEOL:
		return true, false
	}
	return c.autocrlf != "", true
}

// committedWithCRLF reports whether the blob in the index is text with CRLF.
func (c *Converter) committedWithCRLF(name string) bool {
	id, ok := c.index[name]
	if !ok {
		return false
	}
	content, err := c.tree.repo.objects.readAs(plumbing.BlobObject, id)
	if err != nil || bytes.IndexByte(content, '\r') < 0 {
		return false
	}
	stats := statsOf(content)
	return !stats.binary() && stats.crlf > 0
}

// textStats counts the bytes by which git tells text from binary.
type textStats struct{ crlf, loneCR, nul, printable, other int }

func statsOf(data []byte) (s textStats) {
	for i, b := range data {
		switch {
		case b == '\r' && i+1 < len(data) && data[i+1] == '\n':
			s.crlf++
		case b == '\r':
			s.loneCR++
		case b == '\n':
		case b == 127:
			s.other++
		case b < ' ':
			switch b {
			case '\b', '\t', 0x1b, '\f':
				s.printable++
			case 0:
				s.nul++
				s.other++
			default:
				s.other++
			}
		default:
			s.printable++
		}
	}
	if len(data) > 0 && data[len(data)-1] == 0x1a { // the end of a file in DOS
		s.other--
	}
	return s
}

func (s textStats) binary() bool { return s.loneCR > 0 || s.nul > 0 || s.printable>>7 < s.other }

// collapseIdent turns $Id: … $ into $Id$, within a line (git's convert.c, ident_to_git).
func collapseIdent(data []byte) []byte {
	if !bytes.Contains(data, []byte("$Id:")) {
		return data
	}
	var out []byte
	for {
		i := bytes.Index(data, []byte("$Id:"))
		if i < 0 {
			return append(out, data...)
		}
		end := bytes.IndexByte(data[i+3:], '$')
		if end < 0 {
			return append(out, data...)
		}
		end += i + 3
		if bytes.IndexByte(data[i+3:end], '\n') >= 0 {
			out, data = append(out, data[:i+3]...), data[i+3:]
			continue
		}
		out, data = append(append(out, data[:i]...), "$Id$"...), data[end+1:]
	}
}

// decodeText turns text of an encoding that git may check files out in into UTF-8; false
// for an encoding that is not known here, and for text that isn't in it.
func decodeText(encoding string, data []byte) ([]byte, bool) {
	name := strings.ToUpper(strings.NewReplacer("-", "", "_", "").Replace(encoding))
	switch name {
	case "UTF8":
		return data, true
	case "UTF16", "UTF16LEBOM", "UTF16BEBOM":
		switch {
		case bytes.HasPrefix(data, []byte("\xff\xfe")):
			return decodeUTF16(binary.LittleEndian, data[2:])
		case bytes.HasPrefix(data, []byte("\xfe\xff")):
			return decodeUTF16(binary.BigEndian, data[2:])
		}
		return nil, false // git refuses it without a byte order mark
	case "UTF16LE":
		return decodeUTF16(binary.LittleEndian, data)
	case "UTF16BE":
		return decodeUTF16(binary.BigEndian, data)
	case "ISO88591", "LATIN1":
		out := make([]byte, 0, len(data))
		for _, b := range data {
			out = utf8.AppendRune(out, rune(b))
		}
		return out, true
	}
	return nil, false
}

func decodeUTF16(order binary.ByteOrder, data []byte) ([]byte, bool) {
	if len(data)%2 != 0 {
		return nil, false
	}
	out := make([]byte, 0, len(data))
	for i := 0; i < len(data); i += 2 {
		r := rune(order.Uint16(data[i:]))
		if utf16.IsSurrogate(r) {
			if i += 2; i >= len(data) {
				return nil, false
			}
			if r = utf16.DecodeRune(r, rune(order.Uint16(data[i:]))); r == utf8.RuneError {
				return nil, false
			}
		}
		out = utf8.AppendRune(out, r)
	}
	return out, true
}
