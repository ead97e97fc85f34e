package summary

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"github.com/replay-gate/replay-gate/summary/visible"
	"github.com/replay-gate/replay-gate/verify"
)

// explained is drift with what changed and since when.
func explained() []Entry {
	all := drift().Evidence
	commit := func(id, subject string, day int) *verify.Version {
		return &verify.Version{Commit: id, Path: "tokens/swiss-editorial.yml", Author: "Ada", Date: time.Date(2026, 5, day, 9, 0, 0, 0, time.UTC), Subject: subject}
	}
	for i := range all[0].Fields {
		switch f := &all[0].Fields[i]; f.Field {
		case "token.hash":
			f.NextStep = "git checkout " + runID[:12] + " -- tokens/swiss-editorial.yml"
			f.Why = &verify.Why{
				Recorded: commit(runID, "Add the token", 2), Since: commit(headID, "Soften the accent (#12)", 5),
				Note: "holds at " + runID[:12] + ": superseded, not lost", HoldsAt: runID, More: 3,
				Edits: []verify.Edit{
					{Path: "palette.accent", Op: verify.EditChanged, Before: `"#d7261e"`, After: `"#c8453d"`},
					{Path: "forbid[3]", Op: verify.EditAdded, Count: 2, After: `["gradient","drop shadow"]`},
					{Path: "grid", Op: verify.EditRemoved, Before: `{"columns":12,"gutter":16}`},
				},
			}
		case "brief.path":
			f.Why = &verify.Why{
				Case: verify.CaseNeverMatched, Note: "never matched in this history",
				Unified: "--- recorded\n+++ now\n@@ -1,3 +1,3 @@\n A landing page\n-for a studio\n+for a small studio\n in Basel\n",
			}
		}
	}
	all[0].Inputs = []verify.Input{
		{Role: "token", Path: "tokens/swiss-editorial.yml", Recorded: "/home/runner/work/ahd/ahd/tokens/swiss-editorial.yml", Hash: tokenA, Place: verify.PlaceInputs},
		{Role: "brief", Path: "briefs/landing.yml", Recorded: "briefs/landing.yml", Hash: tokenB, Missing: true, Place: verify.PlaceInputs},
	}
	return all
}

// aPage is what a page is made from.
type aPage struct {
	evidence []Entry
	timeline *verify.Timeline
}

func (p aPage) html() []byte { return HTML(p.evidence, Tool{Name: "replay-gate"}, p.timeline) }

// pages have a golden each.
func pages() map[string]aPage {
	bundled := intact().Evidence
	bundled[0].Bundle, bundled[0].Because = nil, ""
	bad := hostile().Evidence[:1]
	fill(bad, bad[0].Path)
	return map[string]aPage{
		"drift": {explained(), evolved()}, "bundled": {bundled, timelines()["one"]}, "hostile": {bad, timelines()["hostile"]},
		"unchecked": {notChecked().Evidence, &verify.Timeline{Notes: []string{"The history was not at hand"}}},
		"removed":   {noBase().Evidence, &verify.Timeline{}}, "none": {},
	}
}

// fill writes s wherever the page shows a string.
func fill(all []Entry, s string) {
	for i := range all {
		e := &all[i]
		e.Path, e.OldPath, e.Title, e.Because, e.Unchecked, e.Kind, e.SHA256 = s, s, s, s, s, s, s
		rec := &e.Recording
		rec.Name, rec.Tool, rec.ToolVersion, rec.RunKind, rec.Commit, rec.CommitField = s, s, s, s, s, s
		rec.InvokedAt, rec.Argv, rec.Seed, rec.Platform, rec.Runtime = s, []string{s}, s, s, s
		e.Bundle = &Bundle{RunID: s, Path: s, SHA256: s, Note: s}
		e.Inputs = []verify.Input{{Role: s, Path: s, Recorded: s, Hash: s}}
		v := &verify.Version{Commit: s, Path: s, Author: s, Subject: s, PullRequest: 1}
		for k := range e.Fields {
			f := &e.Fields[k]
			f.Field, f.Reason, f.Recorded, f.Observed, f.Hint, f.Input, f.Location.Path, f.NextStep = s, s, s, s, s, s, s, s
			f.Attribution = Attribution(s)
			f.Why = &verify.Why{Recorded: v, Since: v, Case: s, Note: s, HoldsAt: s, Unified: s + "\n" + s, Edits: []verify.Edit{{Path: s, Op: verify.EditOp(s), Count: 2, Before: s, After: s}}}
		}
	}
}

func TestHTMLGolden(t *testing.T) {
	for name, p := range pages() {
		golden(t, "page-"+name+".html", string(p.html()))
	}
	for name, run := range map[string]struct {
		*Report
		*verify.Timeline
	}{"page-report.html": {explainedRun(), evolved()}, "page-report-hostile.html": {hostile(), nil}} {
		var page bytes.Buffer
		if err := WriteHTML(&page, run.Report, run.Timeline); err != nil {
			t.Fatal(err)
		}
		golden(t, name, page.String())
	}
}

// parsed is what a browser makes of a page.
type parsed struct {
	elements []string // names in document order, those in a picture apart
	names    []string // of attributes, with their element
	refs     []string // values of attributes that could lead anywhere
	text     string   // all of it, style and script apart
	styles   []string
	script   string
	policy   string
}

func parse(t testing.TB, page []byte) parsed {
	t.Helper()
	root, err := html.Parse(bytes.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	var p parsed
	for n := range root.Descendants() {
		switch {
		case n.Type == html.CommentNode:
			t.Errorf("comment %q", n.Data)
		case n.Type == html.TextNode && n.Parent.Data == "style":
			p.styles = append(p.styles, n.Data)
		case n.Type == html.TextNode && n.Parent.Data == "script":
			p.script += n.Data
		case n.Type == html.TextNode:
			p.text += n.Data
		case n.Type == html.ElementNode:
			if n.Namespace == "" || n.Data == "svg" {
				p.elements = append(p.elements, n.Data)
			}
			for _, a := range n.Attr {
				p.names = append(p.names, n.Data+" "+a.Key)
				switch a.Key {
				case "href", "src", "action", "srcset", "style", "background", "formaction", "data", "poster", "ping", "xlink:href":
					p.refs = append(p.refs, a.Key+"="+a.Val)
				}
				if a.Key == "http-equiv" {
					p.policy = n.Attr[1].Val
				}
			}
		}
	}
	return p
}

// The policy names the style of the page, that of the picture, and the only script,
// by what a browser hashes, and allows nothing else.
func TestHTMLPolicy(t *testing.T) {
	p := parse(t, pages()["drift"].html())
	if len(p.styles) != 2 {
		t.Fatalf("%d styles", len(p.styles))
	}
	hash := func(s string) string {
		sum := sha256.Sum256([]byte(s))
		return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	want := fmt.Sprintf("default-src 'none'; style-src %s %s; script-src %s; base-uri 'none'; form-action 'none'", hash(p.styles[0]), hash(p.styles[1]), hash(p.script))
	if p.policy != want {
		t.Errorf("policy %s\nwant   %s", p.policy, want)
	}
	for _, once := range []string{"style", "script", "svg"} {
		if n := len(slices.DeleteFunc(slices.Clone(p.elements), func(e string) bool { return e != once })); n != 1 {
			t.Errorf("%d elements %s", n, once)
		}
	}
	for _, none := range []string{"link", "img", "iframe", "object", "embed", "form", "base", "video", "audio"} {
		if slices.Contains(p.elements, none) {
			t.Errorf("the page has an element %s", none)
		}
	}
	for _, ref := range p.refs {
		if !strings.HasPrefix(ref, "href=#e") {
			t.Errorf("the page leads to %q", ref)
		}
	}
	for _, far := range []string{"url(", "@import", "@font-face"} {
		if strings.Contains(strings.Join(p.styles, ""), far) {
			t.Errorf("the style holds %q", far)
		}
	}
}

// Whatever the strings are, the page has the elements and attributes that it has
// for a harmless word, and nothing in it hides.
func FuzzHTML(f *testing.F) {
	addSeeds(f)
	for _, s := range []string{"</script><script>x</script>", "</style>", `" onclick="x`, "' onload='x", "{{.}}", "<!--", "]]>", "</title><base href=//x.test>", "&lt;", "-x", "+x", "@@"} {
		f.Add(s)
	}
	allowed := make(map[string]bool)
	for _, a := range parse(f, HTML(slices.Concat(explained(), filled("word"), filled("\x01"), filled("")), Tool{}, evolved())).names {
		allowed[a] = true
	}
	f.Fuzz(func(t *testing.T, s string) {
		// All that a string may choose is that there is something, whether a command can
		// be shown, and how many lines a difference has.
		word := "word"
		if _, ok := shellLine([]string{"--bundle=" + s}, maxCommand-len("replay-gate replay ")); !ok {
			word = "\x01"
		}
		comparable := strings.TrimSpace(s) != "" && !strings.Contains(s, "\n")
		page := HTML(filled(s), Tool{Name: s, Version: s}, strained(s))
		got, want := parse(t, page), parse(t, HTML(filled(word), Tool{Name: word, Version: word}, strained(word)))
		if comparable && !slices.Equal(got.elements, want.elements) {
			t.Errorf("%q changes the elements:\n%v\n%v", s, got.elements, want.elements)
		}
		for _, a := range got.names {
			if !allowed[a] {
				t.Errorf("%q adds the attribute %s", s, a)
			}
		}
		for _, ref := range got.refs {
			t.Errorf("%q makes the page lead to %q", s, ref)
		}
		if !slices.Equal(got.styles, []string{pageStyle, svgStyle}) || got.script != pageScript || got.policy != want.policy {
			t.Errorf("%q changes style, script or policy", s)
		}
		if i := strings.IndexFunc(got.text, func(r rune) bool { return visible.Hides(r) && r != '\n' }); i >= 0 {
			t.Errorf("%q hides something: %q", s, got.text[i:min(len(got.text), i+20)])
		}
		if s != "" && len(s) < 200 && !strings.Contains(got.text, visible.Text(s)) {
			t.Errorf("%q is not shown as %q", s, visible.Text(s))
		}
	})
}

// filled is one failing piece of evidence with s everywhere.
func filled(s string) []Entry {
	all := explained()[:1]
	all[0].Fields = all[0].Fields[:8]
	fill(all, s)
	return all
}

// Values stand in full, and words say each status.
func TestHTMLShowsAll(t *testing.T) {
	all := explained()
	p := parse(t, HTML(all, Tool{Name: "replay-gate"}, evolved()))
	for _, e := range all {
		for _, f := range e.Fields {
			for _, s := range []string{f.Field, string(f.Status), f.Recorded, f.Observed, f.Reason, f.Hint, f.NextStep, string(f.Attribution)} {
				if !strings.Contains(p.text, s) {
					t.Errorf("%s: %q is not shown", f.Field, s)
				}
			}
		}
		if !strings.Contains(p.text, e.Path) || !strings.Contains(p.text, string(e.Verdict)) {
			t.Errorf("%s is not shown with its verdict", e.Path)
		}
	}
	for _, s := range []string{
		"since c0ffee123456", headID + ", 2026-05-05, Ada: Soften the accent (#12) · tokens/swiss-editorial.yml",
		`"#d7261e"`, `"#c8453d"`, "added (2)", "and 3 more differences", "+for a small studio", "missing",
		"git checkout a82a8f20b1c2\n/opt/hostedtoolcache", "replay-gate replay --bundle=.assay/bundles/", "replay-gate verify " + sidecar,
		"tokens/post-digital-green.yml", "FAIL: the input has moved on",
	} {
		if !strings.Contains(p.text, s) {
			t.Errorf("%q is not shown", s)
		}
	}
}

// A bundle is the same bytes for the same commit and evidence, so the page is too.
func TestHTMLIsDeterministic(t *testing.T) {
	for name, p := range pages() {
		if !bytes.Equal(p.html(), p.html()) {
			t.Errorf("%s: two pages differ", name)
		}
	}
}

// A page is bounded, keeps what fails, and says what it leaves out.
func TestHTMLIsBounded(t *testing.T) {
	e := piece(sidecar)
	ok := Field{Check: verify.Check{Field: "models[0].id", Status: verify.OK}}
	e.Fields = slices.Repeat([]Field{ok}, 3*maxPageFields)
	why := &verify.Why{Edits: slices.Repeat([]verify.Edit{{Path: "palette.accent", Op: verify.EditChanged}}, maxPageEdits+300), More: 7}
	e.Fields = append(e.Fields, Field{Check: verify.Check{Field: "sampling.n", Status: verify.Fail}, Why: why})
	page := string(HTML([]Entry{e}, Tool{}, nil))
	if n := strings.Count(page, "<td class=\"number\">"); n != maxPageFields {
		t.Errorf("%d rows", n)
	}
	if n := strings.Count(page, "<code>palette.accent</code>"); n != maxPageEdits || !strings.Contains(page, "and 307 more differences") {
		t.Errorf("%d edits", n)
	}
	if !strings.Contains(page, "10,001 fields not shown") || !strings.Contains(page, "sampling.n") {
		t.Error("the page does not say what it leaves out, or leaves out what fails")
	}
}
