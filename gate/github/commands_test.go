package github

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
	"unicode/utf16"
)

func annotate(as ...Annotation) string {
	var b bytes.Buffer
	new(Actions).Annotate(&b, as)
	return b.String()
}

func TestAnnotate(t *testing.T) {
	t.Parallel()
	log := annotate(Annotation{
		Level: LevelError, Path: "evals/a, b: 100%.replay.json", Line: 7, Column: 3,
		Title: "token.hash: no longer holds", Message: "recorded sha256:aa\nnow sha256:bb, 50% :: done",
	})
	got := parseLog(log)
	if len(got) != 1 {
		t.Fatalf("%d commands in %q, want 1", len(got), log)
	}
	c := got[0]
	want := map[string]string{
		"file": "evals/a, b: 100%.replay.json", "line": "7", "endLine": "7", "col": "3", "title": "token.hash: no longer holds",
	}
	if c.name != "error" || fmt.Sprint(c.props) != fmt.Sprint(want) || c.data != "recorded sha256:aa\nnow sha256:bb, 50% : : done" {
		t.Errorf("runner reads %+v", c)
	}
}

// A column means something only within one line; a place without a line has
// none.
func TestAnnotatePlaces(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name string
		a    Annotation
		want map[string]string
	}{
		{"a range", Annotation{Path: "a", Line: 2, EndLine: 4, Column: 9}, map[string]string{"file": "a", "line": "2", "endLine": "4"}},
		{"whole file", Annotation{Path: "a"}, map[string]string{"file": "a"}},
		{"no file", Annotation{Line: 3}, map[string]string{}},
		{"a name with a line break", Annotation{Path: "a\nb", Line: 3}, map[string]string{}},
		{"end before start", Annotation{Path: "a", Line: 5, EndLine: 1}, map[string]string{"file": "a", "line": "5", "endLine": "5"}},
	} {
		test.a.Message = "m"
		if got := parseLog(annotate(test.a)); len(got) != 1 || fmt.Sprint(got[0].props) != fmt.Sprint(test.want) {
			t.Errorf("%s: runner reads %+v, want %v", test.name, got, test.want)
		}
	}
}

// The runner shows 10 annotations of a level in a step, and drops the rest in
// silence (ExecutionContext.cs, _maxCountPerIssueType).
func TestAnnotateCountsTheRest(t *testing.T) {
	t.Parallel()
	var as []Annotation
	for i := range 13 {
		as = append(as, Annotation{Level: LevelError, Message: fmt.Sprint("error ", i)})
	}
	for range 11 {
		as = append(as, Annotation{Level: LevelWarning, Message: "w"})
	}
	as = append(as, Annotation{Level: "??", Message: "n"})
	log := annotate(as...)
	count := make(map[string]int)
	for _, c := range parseLog(log) {
		count[c.name]++
	}
	if fmt.Sprint(count) != "map[error:10 notice:1 warning:10]" {
		t.Errorf("commands: %v", count)
	}
	if !strings.Contains(log, "error 0") || strings.Contains(log, "error 10") {
		t.Error("not the first ten errors were kept")
	}
	if want := "3 error, 1 warning\n"; !strings.HasSuffix(log, want) {
		t.Errorf("log ends with %q, want %q", log[len(log)-60:], want)
	}
}

// The runner cuts messages at 4096 UTF-16 units; cut by us, the end shows it.
func TestAnnotateCutsMessages(t *testing.T) {
	t.Parallel()
	for _, text := range []string{strings.Repeat("é", 5000), strings.Repeat("𝕏", 2049), strings.Repeat("%", 4097)} {
		got := parseLog(annotate(Annotation{Message: text}))[0].data
		if n := len(utf16.Encode([]rune(got))); n > 4096 || n < 4095 || !strings.HasSuffix(got, "…") {
			t.Errorf("%d units, end %q", n, got[len(got)-8:])
		}
	}
	if got := parseLog(annotate(Annotation{Message: strings.Repeat("x", 4096)}))[0].data; len(got) != 4096 {
		t.Errorf("a message of 4096 became %d", len(got))
	}
}

func TestGroup(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	new(Actions).Group(&b, "evals/a.replay.json\n::error::x", func(w io.Writer) {
		fmt.Fprint(w, "::error::forged\n::endgroup::\nok")
	})
	want := "::group::evals/a.replay.json ::error::x\n:\\:error::forged\n:\\:endgroup::\nok\n::endgroup::\n"
	if b.String() != want {
		t.Errorf("got %q, want %q", b.String(), want)
	}
	b.Reset()
	new(Actions).Group(&b, "t", func(w io.Writer) { fmt.Fprint(w, "cut \xe2") })
	if want := "::group::t\ncut \\xe2\n::endgroup::\n"; b.String() != want {
		t.Errorf("got %q, want %q", b.String(), want)
	}
}

func TestMask(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	a := new(Actions)
	a.Mask(&b, "")
	a.Mask(&b, "s3cr%t")
	if got := parseLog(b.String()); len(got) != 1 || got[0].name != "add-mask" || got[0].data != "s3cr%t" {
		t.Errorf("runner reads %+v", got)
	}
}

// Whatever an annotation and a group hold, the runner sees exactly the commands
// that were meant, and no value but at its place.
func FuzzAnnotate(f *testing.F) {
	for _, s := range hostile {
		f.Add(s, s, s)
		f.Add("evals/a.replay.json", "title", s)
	}
	f.Fuzz(func(t *testing.T, path, title, message string) {
		var b bytes.Buffer
		a := new(Actions)
		a.Annotate(&b, []Annotation{{Level: LevelError, Path: path, Line: 1, Title: title, Message: message}})
		a.Group(&b, title, func(w io.Writer) { fmt.Fprint(w, message) })
		got := parseLog(b.String())
		if len(got) != 3 || got[0].name != "error" || got[1].name != "group" || got[2].name != "endgroup" {
			t.Fatalf("%q is read as %+v", b.String(), got)
		}
		for k, v := range got[0].props {
			switch {
			case k == "file" && v == path, k == "line" && v == "1", k == "endLine" && v == "1", k == "title":
			default:
				t.Errorf("property %s=%q", k, v)
			}
		}
		if c := parseLog(got[0].data + "\n" + got[0].props["title"] + "\n" + got[1].data); len(c) > 0 {
			t.Errorf("shown again, the text is read as %+v", c)
		}
	})
}
