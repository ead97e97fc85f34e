package bundle

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/replay-gate/replay-gate/verify"
)

// malformed are the shapes that a reader must refuse, each with the rule that it
// breaks (Replay Bundle v1, section 3; the measured tolerance of Assay's reader,
// on all of which this one is stricter).
func malformed(t testing.TB) map[string]struct {
	data []byte
	rule string
} {
	good := archiveOf(t, file("manifest.json", adequate), file("files/x", "{}"))
	noCRC := bytes.Clone(good)
	noCRC[len(noCRC)-8] ^= 1
	badSize := bytes.Clone(good)
	badSize[len(badSize)-1] ^= 1
	inner := tarOf(t, file("manifest.json", adequate), file("files/x", "{}"))
	special := func(kind byte, link string) []byte {
		return archiveOf(t, file("manifest.json", adequate), raw{tar.Header{Name: "files/l", Typeflag: kind, Linkname: link}, ""})
	}
	named := func(name string) []byte { return archiveOf(t, file("manifest.json", adequate), file(name, "{}")) }
	return map[string]struct {
		data []byte
		rule string
	}{
		"empty":                  {nil, "gzip"},
		"text":                   {[]byte("not a bundle"), "gzip"},
		"a plain tar":            {inner, "gzip"},
		"header only":            {good[:10], "gzip"},
		"truncated gzip":         {good[:len(good)/2], "gzip"},
		"missing trailer":        {good[:len(good)-8], "gzip"},
		"bad CRC":                {noCRC, "gzip"},
		"bad length":             {badSize, "gzip"},
		"damaged deflate":        {append(bytes.Clone(good[:12]), bytes.Repeat([]byte{0xff}, 64)...), "gzip"},
		"second member":          {append(bytes.Clone(good), good...), "trailing data"},
		"trailing bytes":         {append(bytes.Clone(good), "junk"...), "trailing data"},
		"trailing zeros":         {append(bytes.Clone(good), 0), "trailing data"},
		"data behind the tar":    {gzipOf(t, append(bytes.Clone(inner), "junk"...)), "trailing data"},
		"endless padding":        {gzipOf(t, append(bytes.Clone(inner), make([]byte, 2<<20)...)), "trailing data"},
		"no end blocks":          {gzipOf(t, inner[:len(inner)-1024]), "tar"},
		"truncated tar":          {gzipOf(t, inner[:len(inner)-1024-300]), "tar"},
		"no tar":                 {gzipOf(t, bytes.Repeat([]byte("x"), 2048)), "tar"},
		"empty tar":              {gzipOf(t, make([]byte, 1024)), "manifest"},
		"nothing":                {gzipOf(t, nil), "tar"},
		"no manifest":            {archiveOf(t, file("files/x", "{}")), "manifest"},
		"second manifest":        {archiveOf(t, file("manifest.json", adequate), file("manifest.json", adequate)), "manifest"},
		"manifest in a folder":   {named("./manifest.json"), "entries.path"},
		"absolute manifest":      {named("/manifest.json"), "entries.path"},
		"absolute":               {named("/etc/passwd"), "entries.path"},
		"parent":                 {named("files/../../etc/passwd"), "entries.path"},
		"parent by backslash":    {named(`files\..\..\x`), "entries.path"},
		"drive letter":           {named(`C:\files\x`), "entries.path"},
		"evidence bundle":        {named("events.ndjson"), "entries.path"},
		"not UTF-8":              {archiveOf(t, file("manifest.json", adequate), raw{tar.Header{Name: "files/\xff", Typeflag: tar.TypeReg, Format: tar.FormatGNU}, ""}), "entries.path"},
		"duplicate":              {archiveOf(t, file("manifest.json", adequate), file("files/x", "{}"), file("files/x", "{}")), "entries.unique"},
		"duplicate by slash":     {archiveOf(t, file("manifest.json", adequate), file("files/x", "{}"), file("/files/x", "{}")), "entries.unique"},
		"duplicate by backslash": {archiveOf(t, file("manifest.json", adequate), file(`files\x`, "{}"), file("files/x", "{}")), "entries.unique"},
		"symbolic link":          {special(tar.TypeSymlink, "/etc/passwd"), "entries.type"},
		"hard link":              {special(tar.TypeLink, "files/x"), "entries.type"},
		"character device":       {special(tar.TypeChar, ""), "entries.type"},
		"block device":           {special(tar.TypeBlock, ""), "entries.type"},
		"FIFO":                   {special(tar.TypeFifo, ""), "entries.type"},
		"folder":                 {special(tar.TypeDir, ""), "entries.type"},
		"link as manifest":       {archiveOf(t, raw{tar.Header{Name: "manifest.json", Typeflag: tar.TypeSymlink, Linkname: "files/x"}, ""}), "entries.type"},
		"PAX global header": {archiveOf(t, raw{tar.Header{Typeflag: tar.TypeXGlobalHeader, Name: "pax_global_header",
			PAXRecords: map[string]string{"comment": "0123"}}, ""}, file("manifest.json", adequate)), "entries.type"},
		"PAX garbage":     {gzipOf(t, append(oversized('x', 2048), inner...)), "tar"},
		"sparse file":     {gzipOf(t, append(sparse(), inner...)), "entries.type"},
		"negative size":   {gzipOf(t, append(header(t, "files/n", '0', "-1"), inner...)), "tar"},
		"text for JSON":   {archiveOf(t, file("manifest.json", "x")), "manifest"},
		"empty manifest":  {archiveOf(t, file("manifest.json", "")), "manifest"},
		"list":            {archiveOf(t, file("manifest.json", "[]")), "manifest"},
		"byte order mark": {archiveOf(t, file("manifest.json", "\ufeff"+adequate)), "manifest"},
	}
}

// header is a header in the old GNU form with a size of the test's choosing.
func header(t testing.TB, name string, kind byte, size string) []byte {
	t.Helper()
	h := tarHeader(name, 0, kind)
	copy(h[124:136], make([]byte, 12))
	copy(h[124:], size)
	return checksummed(h)
}

func checksummed(h *[block]byte) []byte {
	copy(h[148:156], "        ")
	sum := 0
	for _, c := range h {
		sum += int(c)
	}
	copy(h[148:], fmt.Sprintf("%07o\x00", sum))
	return h[:]
}

// oversized is a PAX or long-name record that claims to be n bytes long.
func oversized(kind byte, n int) []byte {
	return append(tarHeader("bomb", n, kind)[:], bytes.Repeat([]byte("x"), n)...)
}

// sparse is a GNU sparse file of 1 TiB without a byte of data.
func sparse() []byte {
	h := tarHeader("files/sparse", 0, 'S')
	const entry = 386 // offset and length of the first piece of data
	copy(h[entry:], "00000000000\x00")
	copy(h[entry+12:], "00000000000\x00")
	copy(h[483:], "\x80\x00\x00\x00\x00\x00\x01\x00\x00\x00\x00\x00") // the real size, in base 256
	return checksummed(h)
}

func TestReadRefusesMalformed(t *testing.T) {
	for name, c := range malformed(t) {
		a, err := Read(bytes.NewReader(c.data), DefaultLimits())
		var fe *FormatError
		if !errors.As(err, &fe) {
			t.Errorf("%s: read as %+v, %v", name, a, err)
			continue
		}
		if fe.Rule != c.rule || fe.Digest != digest(c.data) || fe.ReasonCode() != "E_CFG_PARSE" {
			t.Errorf("%s: rule %q, want %q (%s); digest %s", name, fe.Rule, c.rule, fe.Reason, fe.Digest)
		}
		// Check says the same, and stands.
		res := Check(bytes.NewReader(c.data), name, DefaultLimits())
		if got := row(t, res.Checks, c.rule); got.Status != verify.Fail {
			t.Errorf("%s: Check gives %+v", name, got)
		}
	}
}

// What `assay bundle create`, GNU tar and archive/tar write is accepted: names
// in PAX and GNU form, padding to 10 KiB, the manifest anywhere, other spellings.
func TestReadAccepts(t *testing.T) {
	long := "files/" + strings.Repeat("n", 250)
	for name, data := range map[string][]byte{
		"manifest last":      archiveOf(t, file("files/x", "{}"), file("manifest.json", adequate)),
		"PAX name":           archiveOf(t, file("manifest.json", adequate), file(long, "{}")),
		"GNU name":           archiveOf(t, file("manifest.json", adequate), raw{tar.Header{Name: long, Typeflag: tar.TypeReg, Format: tar.FormatGNU}, "{}"}),
		"10 KiB records":     gzipOf(t, append(tarOf(t, file("manifest.json", adequate), file("files/x", "{}")), make([]byte, 20*512)...)),
		"leading slash":      archiveOf(t, file("manifest.json", adequate), file("/files/x", "{}")),
		"backslash":          archiveOf(t, file("manifest.json", adequate), file(`files\x`, "{}")),
		"unlisted":           archiveOf(t, file("manifest.json", adequate), file("files/unlisted", "{}")),
		"unknown field":      archiveOf(t, file("manifest.json", adequate[:len(adequate)-1]+`,"future":{"a":[1]}}`), file("files/x", "{}")),
		"null for optional":  archiveOf(t, file("manifest.json", adequate[:len(adequate)-1]+`,"files":null,"seeds":null}`), file("files/x", "{}")),
		"dots inside a name": archiveOf(t, file("manifest.json", adequate), file("files/a..b.txt", "{}")),
	} {
		a, err := Read(bytes.NewReader(data), DefaultLimits())
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, f := range a.Findings {
			if f.Status == verify.Fail {
				t.Errorf("%s: %+v", name, f)
			}
		}
		if got, err := a.Entries[0].bytes(); err != nil || string(got) != "{}" || a.Entries[0].SHA256 != digest(got) {
			t.Errorf("%s: entry %+v, %q, %v", name, a.Entries[0], got, err)
		}
		if a.Digest != digest(data) {
			t.Errorf("%s: digest %s", name, a.Digest)
		}
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	}
}

// Assay, replay/bundle/limits: inclusive ceilings, one dimension at a time. The
// digest is known for every refusal but that of the source itself.
func TestReadLimits(t *testing.T) {
	manifest := `{"schema_version":1,"assay_version":"5.4.0","env":{"a":[{}]},"trace_path":"files/xy"}`
	data := archiveOf(t, file("manifest.json", manifest), file("files/xy", strings.Repeat("d", 2000)))
	exact := Limits{
		Source: int64(len(data)), Decoded: int64(len(gunzip(t, data))), Manifest: int64(len(manifest)),
		Member: 2000, Path: len("manifest.json"), Entries: 2, Depth: 4, Values: 8, Headers: 0, Memory: 1 << 20,
	}
	a, err := Read(bytes.NewReader(data), exact)
	if err != nil {
		t.Fatalf("at its exact limits: %v", err)
	}
	if err := a.Close(); err != nil {
		t.Error(err)
	}
	for dimension, lower := range map[string]func(*Limits){
		"source bytes":                      func(l *Limits) { l.Source-- },
		"decoded bytes":                     func(l *Limits) { l.Decoded-- },
		"manifest bytes":                    func(l *Limits) { l.Manifest-- },
		"bytes in an entry":                 func(l *Limits) { l.Member-- },
		"bytes in an entry's name":          func(l *Limits) { l.Path-- },
		"entries":                           func(l *Limits) { l.Entries-- },
		"levels of nesting in the manifest": func(l *Limits) { l.Depth-- },
		"values in the manifest":            func(l *Limits) { l.Values-- },
	} {
		l := exact
		lower(&l)
		_, err := Read(bytes.NewReader(data), l)
		var le *LimitError
		if !errors.As(err, &le) || le.Dimension != dimension || le.ReasonCode() != "E_REPLAY_LIMIT_EXCEEDED" {
			t.Errorf("%s: %v", dimension, err)
			continue
		}
		want := digest(data)
		if dimension == "source bytes" {
			want = ""
		}
		if le.Digest != want {
			t.Errorf("%s: digest %q, want %q", dimension, le.Digest, want)
		}
		res := Check(bytes.NewReader(data), "b", l)
		if got := row(t, res.Checks, "limits"); got.Status != verify.Fail || res.Unchecked == "" {
			t.Errorf("%s: Check gives %+v, unchecked %q", dimension, got, res.Unchecked)
		}
	}
}

// Bytes behind the archive count against the source's limit, as in Assay.
func TestReadCountsTrailingBytes(t *testing.T) {
	data := archiveOf(t, file("manifest.json", adequate), file("files/x", "{}"))
	l := DefaultLimits()
	l.Source = int64(len(data))
	if _, err := Read(bytes.NewReader(append(data, 0)), l); asLimit(err) == nil {
		t.Errorf("got %v", err)
	}
}

// Small archives that are large inside: each ends at a limit, having cost no
// more than the limit allows.
func TestReadBombs(t *testing.T) {
	low := DefaultLimits()
	low.Decoded = 1 << 20
	low.Member = 512 << 10
	for name, c := range map[string]struct {
		data   []byte
		limits Limits
		want   string
	}{
		"zeros in a member":  {archiveOf(t, file("manifest.json", adequate), file("files/x", strings.Repeat("\x00", 1<<20))), low, "bytes in an entry"},
		"many members":       {archiveOf(t, file("files/a", strings.Repeat("a", 500<<10)), file("files/b", strings.Repeat("b", 500<<10)), file("files/c", strings.Repeat("c", 500<<10))), low, "decoded bytes"},
		"PAX record":         {gzipOf(t, oversized('x', 512<<10)), DefaultLimits(), "bytes of entry headers"},
		"long name":          {gzipOf(t, oversized('L', 512<<10)), DefaultLimits(), "bytes of entry headers"},
		"chain of records":   {gzipOf(t, bytes.Repeat(oversized('L', 4096), 200)), DefaultLimits(), "bytes of entry headers"},
		"records per entry":  {archiveOf(t, recorded(100)...), DefaultLimits(), "bytes of entry headers"},
		"claimed size":       {gzipOf(t, header(t, "files/huge", '0', "77777777777")), DefaultLimits(), "bytes in an entry"},
		"claimed manifest":   {gzipOf(t, header(t, "manifest.json", '0', "77777777777")), DefaultLimits(), "manifest bytes"},
		"claimed and absent": {gzipOf(t, header(t, "files/huge", '0', "03000000000")), DefaultLimits(), ""},
		"100,001 entries":    {manyEntries(t, 100_000), DefaultLimits(), "entries"},
		"deep manifest":      {archiveOf(t, file("manifest.json", strings.Repeat("[", 1000))), DefaultLimits(), "levels of nesting in the manifest"},
		"deep, not JSON":     {archiveOf(t, file("manifest.json", strings.Repeat(`{"a":`, 65))), DefaultLimits(), "levels of nesting in the manifest"},
		"nested values":      {archiveOf(t, file("manifest.json", "["+strings.Repeat(`{"":{"":[]}},`, 200_000)+"0]")), DefaultLimits(), "values in the manifest"},
		"wide manifest":      {archiveOf(t, file("manifest.json", "["+strings.Repeat("0,", 500_000)+"0]")), DefaultLimits(), "values in the manifest"},
	} {
		_, err := Read(bytes.NewReader(c.data), c.limits)
		var le *LimitError
		var fe *FormatError
		switch {
		case c.want == "" && errors.As(err, &fe):
		case c.want != "" && errors.As(err, &le) && le.Dimension == c.want:
		default:
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	// One entry fewer is allowed, and checked with a bounded number of rows.
	res := Check(bytes.NewReader(manyEntries(t, 99_999)), "many", DefaultLimits())
	if res.Unchecked != "" || len(res.Checks) > maxFileRows+100 || row(t, res.Checks, "manifest.files").Code != "more" {
		t.Errorf("%d rows, unchecked %q", len(res.Checks), res.Unchecked)
	}
}

// manyEntries is an archive of a manifest and n empty entries.
func manyEntries(t *testing.T, n int) []byte {
	t.Helper()
	var buf bytes.Buffer
	w := gzip.NewWriter(&buf)
	err := writeMember(w, manifestName, []byte(adequate))
	for i := 0; i < n && err == nil; i++ {
		err = writeMember(w, fmt.Sprintf("files/%d", i), nil)
	}
	if err == nil {
		_, err = w.Write(make([]byte, 2*block))
	}
	if err := errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// recorded gives n entries that each have 8 KiB of PAX records.
func recorded(n int) []raw {
	entries := make([]raw, n)
	for i := range entries {
		entries[i] = file(fmt.Sprintf("files/%d", i), "")
		entries[i].header.PAXRecords = map[string]string{"comment": strings.Repeat("c", 8<<10)}
	}
	return entries
}

// A caller's own error is not taken for a property of the archive.
func TestReadPassesErrorsOn(t *testing.T) {
	broken := errors.New("the disk is on fire")
	data := archiveOf(t, file("manifest.json", adequate), file("files/x", "{}"))
	for cut := range len(data) {
		_, err := Read(io.MultiReader(bytes.NewReader(data[:cut]), failing{broken}), DefaultLimits())
		if !errors.Is(err, broken) {
			t.Fatalf("after %d bytes: %v", cut, err)
		}
	}
	res := Check(failing{broken}, "b", DefaultLimits())
	if res.Unchecked == "" || res.Checks[0].Code != "unreadable" {
		t.Errorf("Check: %+v", res)
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// Content beyond the memory budget is read back from a file, byte for byte.
func TestReadSpills(t *testing.T) {
	contents := map[string]string{"files/a": strings.Repeat("a", 1000), "files/b": strings.Repeat("b", 70_000), "files/c": "c", "files/d": strings.Repeat("d", 900)}
	entries := []raw{file("manifest.json", adequate)}
	for name, data := range sorted(contents) {
		entries = append(entries, file(name, data))
	}
	l := DefaultLimits()
	l.Memory = 1500
	a, err := Read(bytes.NewReader(archiveOf(t, entries...)), l)
	if err != nil {
		t.Fatal(err)
	}
	if a.store.file == nil {
		t.Error("nothing was spilled")
	}
	for _, e := range a.Entries {
		data, err := e.bytes()
		if err != nil || string(data) != contents[e.Name] || e.SHA256 != digest(data) {
			t.Errorf("%s: %d bytes, %v", e.Name, len(data), err)
		}
	}
	name := a.store.file.Name()
	if err := a.Close(); err != nil {
		t.Error(err)
	}
	if _, err := a.Entries[1].bytes(); err == nil {
		t.Errorf("%s can be read after Close", name)
	}
}
