package summary

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	gmtext "github.com/yuin/goldmark/text"

	"github.com/replay-gate/replay-gate/summary/visible"
	"github.com/replay-gate/replay-gate/verify"
)

// shape is what a page consists of for a parser of GFM: a count for each kind
// of node, and what must be looked at more closely.
type shape struct {
	count map[string]int
	cells []int // of each row
	links []string
	html  []string
	prose string // text outside of code and links
}

var gfm = goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser()

func shapeOf(t testing.TB, page string) shape {
	t.Helper()
	src := []byte(page)
	s := shape{count: make(map[string]int)}
	err := ast.Walk(gfm.Parse(gmtext.NewReader(src)), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		s.count[n.Kind().String()]++
		switch n := n.(type) {
		case *ast.CodeSpan, *ast.FencedCodeBlock, *ast.CodeBlock:
			return ast.WalkSkipChildren, nil
		case *ast.Link:
			s.links = append(s.links, string(n.Destination))
		case *ast.Text:
			s.prose += string(n.Segment.Value(src))
		case *ast.RawHTML:
			s.html = append(s.html, string(n.Segments.Value(src)))
		case *ast.HTMLBlock:
			s.html = append(s.html, string(n.Lines().Value(src)))
		case *east.TableHeader, *east.TableRow:
			s.cells = append(s.cells, n.ChildCount())
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// The only HTML that a page may hold.
var ownHTML = regexp.MustCompile(`^(<br>|<details><summary>(<code>[^<>]*</code> · )?[^<>]*</summary>\n|</details>\n)$`)

// harmless fails for anything on a page that a report could have smuggled in.
func harmless(t *testing.T, page string) shape {
	t.Helper()
	if !utf8.ValidString(page) {
		t.Fatal("the page is not UTF-8")
	}
	if bare := strings.NewReplacer("\n", "", icon(&Report{Counts: Counts{Warn: 1}}), "").Replace(page); strings.ContainsFunc(bare, visible.Hides) {
		t.Errorf("the page hides something: %q", page)
	}
	s := shapeOf(t, page)
	for _, kind := range []string{"Image", "AutoLink", "Strikethrough", "TaskCheckBox", "CodeBlock"} {
		if s.count[kind] > 0 {
			t.Errorf("%d %s on the page:\n%s", s.count[kind], kind, page)
		}
	}
	for _, l := range s.links {
		if !strings.HasPrefix(l, "https://github.com/octo-org/evals/") && l != DocsURL+"#readme" {
			t.Errorf("a link leads to %q", l)
		}
	}
	for _, h := range s.html {
		if !ownHTML.MatchString(h) {
			t.Errorf("HTML that is not ours: %q", h)
		}
	}
	if opened, closed := strings.Count(strings.Join(s.html, ""), "<details>"), strings.Count(strings.Join(s.html, ""), "</details>"); opened != closed {
		t.Errorf("%d details opened, %d closed:\n%s", opened, closed, page)
	}
	for _, mark := range []string{"@", "#", "://", "www.", "|", "`", "<", "$", "GH-"} {
		if strings.Contains(s.prose, mark) {
			t.Errorf("%q stands outside of code: %q", mark, s.prose)
		}
	}
	return s
}

func TestPagesAreHarmless(t *testing.T) {
	for name, r := range fixtures() {
		t.Run(name, func(t *testing.T) {
			s := harmless(t, Markdown(r, StepSummaryLimit))
			if want := len(tables(r)); s.count["Table"] != want {
				t.Errorf("%d tables, want %d", s.count["Table"], want)
			}
			harmless(t, CheckText(r, CheckRunLimit))
			if title := CheckTitle(r); len(title) > 255 || title == "" {
				t.Errorf("title %q", title)
			}
		})
	}
}

// tables lists the tables that a full page of r has: one for what fails of a piece
// of evidence and one for what does not.
func tables(r *Report) []string {
	var all []string
	for _, e := range r.Evidence {
		if e.failing() {
			all = append(all, e.Path+" fails")
			if e.Counts.OK+e.Counts.Info > 0 {
				all = append(all, e.Path+" holds")
			}
		} else {
			all = append(all, e.Path)
		}
	}
	return all
}

// everywhere puts s into every string of a report that comes from outside.
func everywhere(s string) *Report {
	r := withArtifact()
	r.ReasonCode, r.Message, r.NextStep, r.Policy.FailOn = s, s, s, s
	r.Change.Base, r.Change.Head, r.Change.BaseNote = s, s, s
	r.Links.Artifact, r.Links.ArtifactID = s, s
	r.Tool.Version = s
	r.Notices = []Notice{{Status: "warn", Code: s, Message: s, NextStep: s}}
	for i := range r.Evidence {
		e := &r.Evidence[i]
		e.Path, e.OldPath, e.Title, e.Because, e.SHA256, e.Kind = s, s, s, s, s, s
		e.Recording.Argv, e.Recording.Platform, e.Recording.Commit, e.Recording.ToolVersion = []string{s, s}, s, s, s
		e.Recording.RunKind, e.Recording.CommitField, e.Recording.InvokedAt = s, s, s
		if e.Bundle != nil {
			e.Bundle = &Bundle{RunID: s, Path: s, SHA256: s, Note: s}
		}
		for k := range e.Fields {
			f := &e.Fields[k]
			f.Field, f.Code, f.Reason, f.Recorded, f.Observed, f.Hint, f.Location.Path = s, s, s, s, s, s, s
			f.Input, f.NextStep = s, s
			v := &verify.Version{Commit: s, Path: s, Author: s, Subject: s, PullRequest: 1}
			f.Why = &verify.Why{Since: v, Note: s, Edits: []verify.Edit{{Path: s, Op: verify.EditChanged, Before: s, After: s}}}
			if k%2 == 0 {
				f.Why.Edits, f.Why.Unified = nil, s+"x\n"+s
			}
		}
	}
	return r
}

// The structure of a page depends on the number of fields and on nothing that
// they say.
func FuzzMarkdown(f *testing.F) {
	addSeeds(f)
	want := shapeOf(f, Markdown(everywhere("benign"), StepSummaryLimit))
	f.Fuzz(func(t *testing.T, s string) {
		if s == "" {
			return // absent values have no line at all
		}
		r := everywhere(s)
		got := harmless(t, Markdown(r, StepSummaryLimit))
		for _, kind := range []string{"Heading", "Table", "TableHeader", "TableRow", "TableCell", "Blockquote", "List", "ListItem", "ThematicBreak"} {
			if got.count[kind] != want.count[kind] {
				t.Errorf("%d %s, want %d, with %q", got.count[kind], kind, want.count[kind], s)
			}
		}
		if fmt.Sprint(got.cells) != fmt.Sprint(want.cells) {
			t.Errorf("rows have %v cells, want %v", got.cells, want.cells)
		}
		for _, limit := range []int{0, 100, 2500, 9000} {
			page := Markdown(r, limit)
			if len(page) > limit {
				t.Errorf("%d bytes, limit %d", len(page), limit)
			}
			harmless(t, page)
			harmless(t, CheckText(r, limit))
		}
	})
}

// One change of an input may break the evidence of many runs; the difference is
// shown once, and the others name where.
func TestSameDifferenceIsShownOnce(t *testing.T) {
	r := drift()
	one := explained()[0]
	again, other := one, one
	again.Path, other.Path = "docs/evals/again.replay.json", "docs/evals/other.replay.json"
	other.Fields = slices.Clone(one.Fields)
	for i := range other.Fields {
		if w := other.Fields[i].Why; w != nil && len(w.Edits) > 0 {
			changed := *w
			changed.Edits = changed.Edits[:1]
			other.Fields[i].Why = &changed
		}
	}
	r.Evidence = []Entry{one, again, other}
	r = total(r)
	for name, out := range map[string]string{"markdown": Markdown(r, StepSummaryLimit), "terminal": terminal(t, r, Terminal{Width: 200, Verbose: true})} {
		if n := strings.Count(out, `+ palette.accent: "#c8453d"`); n != 2 {
			t.Errorf("%s: the difference is shown %d times, and there are two:\n%s", name, n, out)
		}
		if n := strings.Count(out, "the same difference as above"); n != 5 { // token and brief of one and again, brief of other
			t.Errorf("%s: %d references:\n%s", name, n, out)
		}
	}
}
