package bundle

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/replay-gate/replay-gate/verify"
)

// What is rendered from the verdict is rendered again and compared: who reads the page in a
// bundle reads what was judged.
func TestReplayOutputs(t *testing.T) {
	t.Parallel()
	_, src := pinned(t, false, nil)
	summary := src.Outputs.Summary
	render := func(r verify.Result, _ bool) (Outputs, error) {
		var rows []string
		for _, c := range r.Checks {
			rows = append(rows, c.Field+" "+string(c.Status)+" "+c.Observed)
		}
		text := []byte(strings.Join(rows, "\n"))
		return Outputs{Summary: summary, JUnit: text, SARIF: []byte("{}"), HTML: append([]byte("<p>"), text...)}, nil
	}
	var err error
	if src.Outputs, err = render(src.Result, false); err != nil {
		t.Fatal(err)
	}
	src.Rendering = 3
	src.Base = &BaseSource{Commit: strings.Repeat("cd", 20), Tree: src.Tree}
	b := mustBuild(t, src)
	const unproven = "is not proven"
	for _, tc := range []struct {
		name      string
		change    func(files map[string][]byte, m *Manifest)
		rendering uint32
		outcome   Outcome
		outputs   int
		differs   []string
		note      string
	}{
		{"as made", func(map[string][]byte, *Manifest) {}, 3, Holds, 6, nil, ""},
		{"a page edited", func(f map[string][]byte, _ *Manifest) { f[htmlName] = []byte("<p>all is well") }, 3, Differs, 6, []string{htmlName}, ""},
		{"two edited", func(f map[string][]byte, _ *Manifest) { f[htmlName], f[junitName] = nil, nil }, 3, Differs, 6, []string{junitName, htmlName}, ""},
		{"a page taken out", func(f map[string][]byte, _ *Manifest) { delete(f, htmlName) }, 3, Differs, 6, []string{htmlName}, ""},
		{"another form", func(f map[string][]byte, _ *Manifest) { f[htmlName] = nil }, 4, Holds, 0, nil,
			"outputs/ and files/trace.jsonl were rendered by another release (form 3, and this one has 4), and were not compared"},
		{"of another verdict", func(f map[string][]byte, _ *Manifest) {
			f[summaryName] = bytes.Replace(f[summaryName], []byte(`"verdict":"intact"`), []byte(`"verdict":"drift"`), 1)
		}, 3, Differs, 0, []string{""}, ""},
		{"a stranger", func(f map[string][]byte, _ *Manifest) { f["outputs/more.txt"] = []byte("x") }, 3, Holds, 6, nil,
			"1 more under outputs/ (outputs/more.txt) can't be vouched for: replay-gate writes no such file"},
		{"five strangers", func(f map[string][]byte, _ *Manifest) {
			for _, name := range []string{"a", "b", "c", "d", "e"} {
				f["outputs/"+name] = []byte("x")
			}
		}, 3, Holds, 6, nil, "5 more under outputs/ (outputs/a, outputs/b, outputs/c) can't be vouched for: replay-gate writes no such file"},
		{"a report is none", func(f map[string][]byte, _ *Manifest) { f["outputs/report/docs/x.md"] = []byte("x") }, 3, Holds, 6, nil, ""},
		{"an input is missing", func(f map[string][]byte, _ *Manifest) { delete(f, "files/inputs/in/two") }, 3, MissingDependency, 6, []string{"", "in/two", "in/two", "in/two"}, ""},
		{"an input is missing, and a page edited", func(f map[string][]byte, _ *Manifest) {
			delete(f, "files/inputs/in/two")
			f[htmlName] = nil
		}, 3, MissingDependency, 6, []string{"", "in/two", "in/two", "in/two", htmlName}, ""},
		{"the verdict is missing", func(f map[string][]byte, m *Manifest) {
			m.Files[junitName] = describeFile(nil, "x")
			delete(f, junitName)
			f[summaryName] = bytes.Replace(f[summaryName], []byte(`"field":"odd"`), []byte(`"field":"even"`), 1)
		}, 3, MissingDependency, 0, []string{"even", "odd"}, "outputs/ and files/trace.jsonl were not compared: what they are rendered from is missing"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			a := mustRead(t, rewrite(t, b, tc.change))
			r, err := Replay(t.Context(), a, []verify.Format{pins{}}, ReplayOptions{Records: testRecords, Render: render, Rendering: tc.rendering})
			if err != nil {
				t.Fatal(err)
			}
			var fields []string
			for _, d := range r.Differences {
				fields = append(fields, d.Field)
			}
			if r.Outcome != tc.outcome || r.Outputs != tc.outputs || !slices.Equal(fields, tc.differs) {
				t.Errorf("%s, %d outputs, %+v", r.Outcome, r.Outputs, r.Differences)
			}
			notes := slices.DeleteFunc(slices.Clone(r.Notes), func(s string) bool { return strings.Contains(s, unproven) })
			if len(r.Notes) != len(notes)+1 || strings.Join(notes, "; ") != tc.note {
				t.Errorf("%q", r.Notes)
			}
			if !strings.Contains(strings.Join(r.Notes, " "), "from commit "+strings.Repeat("ab", 20)+", held against "+strings.Repeat("cd", 20)) {
				t.Errorf("%q", r.Notes)
			}
		})
	}
}

// What of a verdict is wherever it may be said: that it is unchecked, and from where it is.
func TestReplayWholes(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		was, is string
		want    int
	}{{"", "", 0}, {"x", "y", 0}, {"x", "", 1}, {"", "y", 1}} {
		if got := compare(&Record{Unchecked: tc.was}, &Record{Unchecked: tc.is}); len(got) != tc.want || tc.want == 1 && got[0].Part != "unchecked" {
			t.Errorf("%q to %q: %+v", tc.was, tc.is, got)
		}
	}
	yes, no := true, false
	for _, tc := range []struct {
		m             Manifest
		where, remake string
	}{
		{Manifest{}, "the bundle names no commit: ask whoever made it", "make the bundle again where it was made"},
		{Manifest{GitSHA: "c"}, "path f at commit c", "make the bundle again where it was made"},
		{Manifest{GitSHA: "c", ReplayGate: &ReplayGate{Evidence: "e"}}, "path f at commit c", "make the bundle of e again at commit c"},
		{Manifest{GitSHA: "c", GitDirty: &no, ReplayGate: &ReplayGate{Evidence: "e"}}, "path f at commit c", "make the bundle of e again at commit c"},
		{Manifest{GitSHA: "c", GitDirty: &yes, ReplayGate: &ReplayGate{Evidence: "e"}}, "path f in the work tree on top of commit c", "make the bundle again where it was made"},
	} {
		if where, again := source(&tc.m)("f"), remake(&tc.m); where != tc.where || again != tc.remake {
			t.Errorf("%+v: %s; %s", tc.m, where, again)
		}
	}
	re := &replay{archive: &Archive{}}
	re.origin()
	if !slices.Equal(re.found.Notes, []string{"the bundle names no commit: where it comes from is not proven"}) {
		t.Errorf("%q", re.found.Notes)
	}
}
