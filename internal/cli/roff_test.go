package cli

import (
	"bytes"
	"strings"
	"testing"
)

// FuzzRoff: no text of a manual page is a request of troff, but for what writes the paragraph,
// and none holds a backslash that is not ours.
func FuzzRoff(f *testing.F) {
	for _, s := range []string{".so /etc/passwd", "'br", "a\\b", "\t.x", "a\n.b\n\nc", "--flag `x` ^~"} {
		f.Add(s, true)
	}
	f.Fuzz(func(t *testing.T, text string, verbatim bool) {
		var page bytes.Buffer
		writeParagraph(&page, text, verbatim)
		for line := range strings.Lines(page.String()) {
			line = strings.TrimSuffix(line, "\n")
			if (strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'")) && line != ".sp" && line != ".nf" && line != ".fi" {
				t.Errorf("%q is a request: %q", line, text)
			}
			plain := strings.NewReplacer(`\e`, "", `\-`, "", `\(aq`, "", `\(ga`, "", `\(ha`, "", `\(ti`, "", `\&`, "").Replace(line)
			if strings.Contains(plain, `\`) {
				t.Errorf("%q escapes something else", line)
			}
		}
	})
}

// FuzzGlobList: a list of globs has no empty one, and none with a comma or a line end in it.
func FuzzGlobList(f *testing.F) {
	f.Add("a,b\n c ,,")
	f.Fuzz(func(t *testing.T, s string) {
		var g globList
		if err := g.Set(s); err != nil {
			t.Fatal(err)
		}
		for _, glob := range g {
			if strings.TrimSpace(glob) != glob || glob == "" || strings.ContainsAny(glob, ",\n") {
				t.Errorf("%q holds %q", s, glob)
			}
		}
		var again globList
		if err := again.Set(g.String()); err != nil || again.String() != g.String() {
			t.Errorf("%q, then %q", g.String(), again.String())
		}
	})
}
