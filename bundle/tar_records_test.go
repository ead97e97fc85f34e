package bundle

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// What Assay's reader refuses, or reads under another name than archive/tar does, is
// refused: each case was given to `assay bundle verify` 5.4.0, with a manifest that
// lists the names that archive/tar reads.
func TestReadRefusesWhatReadersDisagreeAbout(t *testing.T) {
	const pax = "ustar\x0000"
	plain := tarOf(t, file("manifest.json", adequate))
	start := plain[:len(plain)-2*block]
	// header is one with a magic of its own; edit changes it before the checksum.
	header := func(name string, size int, kind byte, magic string, edit func(h *[block]byte)) []byte {
		h := tarHeader(name, size, kind)
		copy(h[257:265], magic)
		if edit != nil {
			edit(h)
		}
		return checksummed(h)
	}
	record := func(kind byte, magic, text string) []byte {
		padding := make([]byte, (block-len(text)%block)%block)
		return append(append(header("record", len(text), kind, magic, nil), text...), padding...)
	}
	entry := header("files/q", 0, 0, pax, nil)
	signedSum := func(name string) []byte {
		h := tarHeader(name, 0, 0)
		sum := 8 * int(' ')
		for i, c := range h {
			if i < 148 || i >= 156 {
				sum += int(int8(c))
			}
		}
		copy(h[148:], fmt.Sprintf("%07o\x00", sum))
		return h[:]
	}
	prefixed := func(h *[block]byte) { copy(h[345:], "files") }
	for name, parts := range map[string][][]byte{
		"two long names":           {record('L', pax, "files/a\x00"), record('L', pax, "files/b\x00"), entry},
		"two PAX headers":          {record('x', pax, "16 path=files/a\n"), record('x', pax, "16 path=files/b\n"), entry},
		"two link targets":         {record('K', pax, "files/a\x00"), record('K', pax, "files/b\x00"), entry},
		"long name at the end":     {record('L', pax, "files/a\x00")},
		"PAX header at the end":    {record('x', pax, "16 path=files/a\n")},
		"empty long name":          {record('L', pax, "\x00"), entry},
		"NUL in a long name":       {record('L', pax, "files/a\x00b\x00"), entry},
		"long name of no form":     {record('L', "\x00\x00\x00\x00\x00\x00\x00\x00", "files/a\x00"), entry},
		"PAX header of no form":    {record('x', "\x00\x00\x00\x00\x00\x00\x00\x00", "16 path=files/a\n"), entry},
		"empty PAX path":           {record('x', pax, "8 path=\n"), entry},
		"PAX path twice":           {record('x', pax, "16 path=files/a\n16 path=files/b\n"), entry},
		"line break in a PAX path": {record('x', pax, "18 path=files/a\nb\n"), entry},
		"half of a magic":          {header("q", 0, 0, "ustar\x00\x00\x00", prefixed)},
		"star's header":            {header("q", 0, 0, pax, func(h *[block]byte) { prefixed(h); copy(h[508:], "tar\x00") })},
		"signed checksum":          {signedSum("files/\u00e9")},
		"size behind a NUL":        {header("files/q", 0, 0, pax, func(h *[block]byte) { copy(h[124:], "\x00000000000\x00") })},
	} {
		data := append(append(bytes.Clone(start), bytes.Join(parts, nil)...), make([]byte, 2*block)...)
		a, err := Read(bytes.NewReader(gzipOf(t, data)), DefaultLimits())
		var fe *FormatError
		if !errors.As(err, &fe) || fe.Rule != ruleTar && fe.Rule != rulePaths {
			t.Errorf("%s: read as %+v, %v", name, a, err)
		}
	}
	// The same with nothing odd about it, in each of the forms.
	for name, parts := range map[string][][]byte{
		"files/" + strings.Repeat("n", 200): {record('L', pax, "files/"+strings.Repeat("n", 200)+"\x00"), entry},
		"files/a":                           {record('x', pax, "16 path=files/a\n11 mtime=1\n"), entry},
		"files/q":                           {header("q", 0, 0, pax, prefixed)},
		"files/\u00e9":                      {header("files/\u00e9", 0, 0, "ustar  \x00", nil)},
		"files/old":                         {header("files/old", 0, 0, "\x00\x00\x00\x00\x00\x00\x00\x00", nil)},
	} {
		data := append(append(bytes.Clone(start), bytes.Join(parts, nil)...), make([]byte, 2*block)...)
		a, err := Read(bytes.NewReader(gzipOf(t, data)), DefaultLimits())
		if err != nil {
			t.Errorf("%q: %v", name, err)
			continue
		}
		if _, ok := a.Entry(name); !ok {
			t.Errorf("%q: read as %q", name, a.Entries[0].Name)
		}
		a.Close()
	}
}

// Assay's reader takes no half of a surrogate pair, and no number in env that is
// beyond a float64.
func TestManifestTextThatAssayRefuses(t *testing.T) {
	with := func(member string) string { return strings.TrimSuffix(adequate, "}") + "," + member + "}" }
	for text, ok := range map[string]bool{
		with(`"created_at":"\ud800"`):                      false,
		with(`"created_at":"\udc00"`):                      false,
		with(`"created_at":"\udc00\ud800"`):                false,
		with(`"created_at":"\ud800\u0041"`):                false,
		with(`"\uD83Dx":1`):                                false,
		with(`"created_at":"\ud83d\ude00 \\ud800 \u00e9"`): true,
		with(`"env":{"a":["\udfff"]}`):                     false,
		with(`"env":{"a":[{"b":1e400}]}`):                  false,
		with(`"env":{"a":[{"b":-1e999}]}`):                 false,
		with(`"env":{"a":[{"b":1e308}],"c":1e-400}`):       true,
		with(`"unknown":1e400`):                            true,
	} {
		a, err := Read(bytes.NewReader(archiveOf(t, file("manifest.json", text))), DefaultLimits())
		var fe *FormatError
		if ok != (err == nil) || err != nil && !errors.As(err, &fe) {
			t.Errorf("%s: %v", text, err)
		}
		if err == nil {
			a.Close()
		}
	}
}
