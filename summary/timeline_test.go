package summary

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"html"
	"io"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/replay-gate/replay-gate/summary/visible"
	"github.com/replay-gate/replay-gate/verify"
)

// commits are n commits, a day after each other.
func commits(n int) []verify.TimelineCommit {
	list := make([]verify.TimelineCommit, n)
	for i := range list {
		list[i] = verify.TimelineCommit{
			Commit: fmt.Sprintf("%012x%028d", (i+1)*0x1f2e3d4c5b%0xffffffffffff, i), Author: "Ada Lovelace", Date: time.Date(2026, 3, 1+i, 9, 0, 0, 0, time.UTC),
			Subject: []string{"Publish eval reports", "Soften the accent (#12)", "Reorder keys, no change of value", "Add a second brief", "Raise the contrast"}[i%5],
		}
	}
	return list
}

func at(places ...int) []verify.LaneVersion {
	var versions []verify.LaneVersion
	for _, c := range places {
		versions = append(versions, verify.LaneVersion{Commit: c})
	}
	return versions
}

func pin(name string, version int, drift bool) verify.Pin {
	return verify.Pin{Evidence: "docs/evals/" + name + ".replay.json", Role: "token", Hash: tokenA, Version: version, Drift: drift}
}

// evolved is the history of a few inputs, with everything that can happen to one.
func evolved() *verify.Timeline {
	deleted := at(1, 4)
	deleted[1].Deleted = true
	moved := at(0, 6)
	moved[0].Path = "design/briefs/old-name.yml"
	return &verify.Timeline{
		Head: headID, Commits: commits(9),
		Lanes: []verify.Lane{
			{Input: "briefs/landing.yml", Versions: moved, Pins: []verify.Pin{pin("2026-05-09-landing-n298", 1, false)}},
			{Input: "briefs/removed.yml", Missing: true, Versions: deleted, Pins: []verify.Pin{pin("2026-04-02-removed-n12", 0, true)}},
			{Input: "tokens/post-digital-green.yml", Versions: at(3), Pins: []verify.Pin{pin("2026-05-02-green-critique", 0, false), pin("2026-05-03-green-n30", -1, true)}, Note: "older history is not available (shallow clone: 9 commits)"},
			{Input: "tokens/swiss-editorial.yml", Versions: at(0, 2, 5, 8), Pins: []verify.Pin{
				pin("2026-03-22-swiss-n30", 0, true), pin("2026-04-22-swiss-n30", 1, true), pin("2026-05-01-swiss-n60", 2, true), pin("2026-05-12-swiss-n120", 3, false),
			}},
		},
	}
}

// crowded has more of everything than a picture holds.
func crowded() *verify.Timeline {
	t := &verify.Timeline{Head: headID, Commits: commits(1000), Notes: []string{"12 more inputs are not shown; name one to see it"}}
	for i := range 60 {
		l := verify.Lane{Input: fmt.Sprintf("tokens/t%02d.yml", i)}
		for c := i; c < 1000; c += 10 {
			l.Versions = append(l.Versions, verify.LaneVersion{Commit: c})
		}
		for k := range 40 {
			v := (k*7 + i) % len(l.Versions)
			l.Pins = append(l.Pins, pin(fmt.Sprintf("run-%02d-%02d", i, k), v, v != len(l.Versions)-1))
		}
		t.Lanes = append(t.Lanes, l)
	}
	return t
}

// strained is a timeline with s wherever there is a string.
func strained(s string) *verify.Timeline {
	return &verify.Timeline{
		Head: s, Notes: []string{s}, Commits: []verify.TimelineCommit{{Commit: s, Author: s, Subject: s}, {Commit: s, Author: s, Subject: s}},
		Lanes: []verify.Lane{{Input: s, Note: s, Missing: true, Versions: []verify.LaneVersion{{Path: s}, {Commit: 1, Deleted: true}},
			Pins: []verify.Pin{{Evidence: s, Role: s, Hash: s, Drift: true}, {Evidence: s, Role: s, Hash: s, Version: 1}, {Evidence: s, Version: -1, Drift: true}}}},
	}
}

func timelines() map[string]*verify.Timeline {
	return map[string]*verify.Timeline{
		"evolved": evolved(), "hostile": strained(hostile().Evidence[0].Path), "none": {Head: headID},
		"one": {Head: headID, Commits: commits(1), Lanes: []verify.Lane{{Input: "tokens/a.yml", Versions: at(0), Pins: []verify.Pin{pin("a", 0, false)}}}},
	}
}

func timelineText(t testing.TB, tl *verify.Timeline, o Terminal) string {
	t.Helper()
	var b bytes.Buffer
	if err := WriteTimeline(&b, tl, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestTimelineGolden(t *testing.T) {
	for name, tl := range timelines() {
		golden(t, "timeline-"+name+".svg", string(TimelineSVG(tl)))
		golden(t, "timeline-"+name+".txt", timelineText(t, tl, Terminal{}))
	}
	golden(t, "timeline-color.txt", timelineText(t, evolved(), Terminal{Color: true, Width: 80}))
	var b bytes.Buffer
	if err := WriteTimelineJSON(&b, evolved()); err != nil {
		t.Fatal(err)
	}
	golden(t, "timeline.json", b.String())
	var back struct {
		Schema string
		verify.Timeline
	}
	if err := json.Unmarshal(b.Bytes(), &back); err != nil || back.Schema != TimelineSchema || !reflect.DeepEqual(&back.Timeline, evolved()) {
		t.Errorf("read back: %v %+v", err, back)
	}
}

// drawn is what a strict XML parser makes of a picture.
type drawn struct {
	elements   []string
	attributes []string
	values     []string
	text       string
}

func readSVG(t testing.TB, picture []byte) drawn {
	t.Helper()
	var d drawn
	dec := xml.NewDecoder(bytes.NewReader(picture))
	for {
		tok, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return d
		}
		if err != nil {
			t.Fatalf("%v\n%s", err, picture)
		}
		switch tok := tok.(type) {
		case xml.StartElement:
			d.elements = append(d.elements, tok.Name.Local)
			for _, a := range tok.Attr {
				d.attributes = append(d.attributes, a.Name.Local)
				d.values = append(d.values, a.Value)
			}
		case xml.CharData:
			d.text += string(tok)
		case xml.Comment, xml.ProcInst, xml.Directive:
			t.Errorf("%T in the picture", tok)
		}
	}
}

// Whatever the strings are, the picture has the elements and attributes that it has
// for a harmless word, it leads nowhere, and nothing in it hides.
func FuzzTimeline(f *testing.F) {
	addSeeds(f)
	for _, s := range []string{"</text><script>x</script>", `" onload="x`, "]]></title>", "<!DOCTYPE x>", "&x;"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, want := readSVG(t, TimelineSVG(strained(s))), readSVG(t, TimelineSVG(strained("w")))
		// A long name leaves no room for the line behind it, which is a path.
		isPath := func(e string) bool { return e == "path" }
		if s != "" && (!slices.Equal(slices.DeleteFunc(got.elements, isPath), slices.DeleteFunc(want.elements, isPath)) || !subset(got.attributes, want.attributes)) {
			t.Errorf("%q changes the picture", s)
		}
		for _, v := range got.values {
			if v != "http://www.w3.org/2000/svg" && (strings.Contains(v, ":") || strings.Contains(v, "<")) {
				t.Errorf("%q makes an attribute %q", s, v)
			}
		}
		if i := strings.IndexFunc(got.text, func(r rune) bool { return visible.Hides(r) && r != '\n' }); i >= 0 {
			t.Errorf("%q hides something", s)
		}
		safeLog(t, timelineText(t, strained(s), Terminal{}))
	})
}

func subset(got, want []string) bool {
	known := make(map[string]bool)
	for _, w := range want {
		known[w] = true
	}
	for _, g := range got {
		if !known[g] {
			return false
		}
	}
	return true
}

// A picture is bounded, and says what it leaves out.
func TestTimelineSVGIsBounded(t *testing.T) {
	picture := TimelineSVG(crowded())
	if len(picture) > 1<<20 {
		t.Errorf("%d bytes", len(picture))
	}
	text := readSVG(t, picture).text
	for _, s := range []string{
		"24 of 60 inputs are shown, those with the most drift", "120 of 1,000 commits are shown", "28 more pieces of evidence, not shown",
		"marks at the nearest older commit that is shown", "12 more inputs are not shown; name one to see it",
	} {
		if !strings.Contains(text, s) {
			t.Errorf("%q is not said", s)
		}
	}
}

// The first and the last commit are always there, pinned ones before others, and no
// more than fit.
func TestChooseColumns(t *testing.T) {
	for _, tc := range []struct {
		n      int
		pinned []int
		count  int
		has    []int
	}{
		{0, nil, 0, nil},
		{1, []int{0}, 1, []int{0}},
		{maxSVGColumns, nil, maxSVGColumns, []int{0, maxSVGColumns - 1}},
		{5000, []int{7, 8, 4999}, maxSVGColumns, []int{0, 7, 8, 4999}},
		{5000, slices.Collect(maps.Keys(func() map[int]bool {
			m := map[int]bool{}
			for c := range 1000 {
				m[c] = true
			}
			return m
		}())), maxSVGColumns, []int{0, 999, 4999}},
	} {
		got := chooseColumns(tc.n, tc.pinned)
		if len(got) > tc.count || len(got) < tc.count*9/10 || !slices.IsSorted(got) {
			t.Errorf("%d commits: %d columns %v", tc.n, len(got), got)
		}
		for _, c := range tc.has {
			if !slices.Contains(got, c) {
				t.Errorf("%d commits: %d is missing in %v", tc.n, c, got)
			}
		}
	}
}

// Versions that nothing pins give way to those that evidence pins.
func TestTimelineTable(t *testing.T) {
	long := &verify.Timeline{Head: headID, Commits: commits(50), Lanes: []verify.Lane{{
		Input: "a.yml", Versions: at(slices.Collect(func(yield func(int) bool) {
			for i := range 50 {
				if !yield(i) {
					return
				}
			}
		})...), Pins: []verify.Pin{pin("old", 3, true)},
	}}}
	short, all := timelineText(t, long, Terminal{}), timelineText(t, long, Terminal{Verbose: true})
	if n := strings.Count(short, "Ada"); n != maxUnpinned+1 || !strings.Contains(short, "39 more versions that no evidence pins") || !strings.Contains(short, "FAIL  docs/evals/old") {
		t.Errorf("%d versions:\n%s", n, short)
	}
	if n := strings.Count(all, "Ada"); n != 50 {
		t.Errorf("verbose: %d versions", n)
	}
}

// What is too wide gives way at its start, by the columns that it takes (UAX #11).
func TestTail(t *testing.T) {
	for _, tc := range []struct {
		text  string
		keep  int
		width int
		want  string
	}{
		{"tokens/a.yml", 0, 12, "tokens/a.yml"},
		{"tokens/a.yml", 0, 11, "…kens/a.yml"},
		{"ok  docs/a.replay.json", 4, 16, "ok  …replay.json"},
		{"トークン/色.yml", 0, 15, "トークン/色.yml"},
		{"トークン/色.yml", 0, 14, "…ークン/色.yml"},
		{"トークン/色.yml", 0, 13, "…クン/色.yml"},
		{"xe\u0301\u0301yz", 0, 3, "…yz"},
		{"a\nb", 0, 9, `a\nb`},
	} {
		got := tail(tc.text, tc.keep, tc.width)
		if got != tc.want || displayWidth(got) > tc.width {
			t.Errorf("tail(%q, %d, %d) = %q, want %q", tc.text, tc.keep, tc.width, got, tc.want)
		}
	}
}

// Names that differ at their end only stay apart, and none runs into the counts
// beside it.
func TestTimelineSVGNames(t *testing.T) {
	folder := "パッケージ/" + strings.Repeat("とても長い名前/", 20)
	tl := &verify.Timeline{Head: headID, Commits: commits(1)}
	for _, name := range []string{"赤.yml", "青.yml"} {
		tl.Lanes = append(tl.Lanes, verify.Lane{Input: folder + name, Versions: at(0), Pins: []verify.Pin{pin(strings.Repeat("評価", 90)+name, 0, true)}})
	}
	const columns = (svgWidth - 2*svgMargin) * 10 / 73 // of svgChar
	picture := string(TimelineSVG(tl))
	for _, m := range regexp.MustCompile(`<text class="(name|FAIL)"[^>]*>([^<>]*)</text>`).FindAllStringSubmatch(picture, -1) {
		if w := displayWidth(html.UnescapeString(m[2]) + map[string]string{"name": "  1 version · 1 FAIL"}[m[1]]); w > columns {
			t.Errorf("%d columns: %s", w, m[2])
		}
	}
	for _, s := range []string{"/赤.yml</text>", "/青.yml</text>", "評価赤.yml.replay.json · token</text>", ">FAIL  …"} {
		if !strings.Contains(picture, s) {
			t.Errorf("%q is not shown", s)
		}
	}
}

// Evidence of files that were never committed stands behind the last commit and is
// in no version; it is no drift.
func TestTimelineSVGNeverCommitted(t *testing.T) {
	for _, tl := range []*verify.Timeline{
		{Head: headID, Lanes: []verify.Lane{{Input: "tokens/a.yml", Pins: []verify.Pin{pin("a", -1, false)}}}},
		{Head: headID, Commits: commits(2), Lanes: []verify.Lane{{Input: "tokens/a.yml", Versions: at(0, 1), Pins: []verify.Pin{pin("a", -1, false)}}}},
	} {
		picture := string(TimelineSVG(tl))
		for _, s := range []string{`<circle class="mark ok" cx="971.0"`, "ok  docs/evals/a.replay.json · token · in no version found<"} {
			if !strings.Contains(picture, s) {
				t.Errorf("%q is not in the picture:\n%s", s, picture)
			}
		}
	}
}

// Issue 14: the picture is to scale, and has each date once.
func TestTimelineIsToScale(t *testing.T) {
	t.Parallel()
	tl := evolved()
	start := time.Date(2026, 1, 1, 9, 0, 0, 0, time.UTC)
	for i := range tl.Commits {
		tl.Commits[i].Date = start.Add(time.Duration(i%3) * time.Hour) // three days, three commits each
		tl.Commits[i].Date = tl.Commits[i].Date.AddDate(0, 0, 10*(i/3)*(i/3))
	}
	svg := string(TimelineSVG(tl))
	for _, date := range []string{"2026-01-01", "2026-01-11", "2026-02-10"} {
		if n := strings.Count(svg, ">"+date+"<"); n != 1 {
			t.Errorf("%s stands %d times on the axis", date, n)
		}
	}
	xs := places(tl.Commits, []int{0, 3, 8})
	if share := (xs[1] - xs[0]) / (xs[2] - xs[0]); share < 0.24 || share > 0.26 { // 10 of 40 days
		t.Errorf("the second day stands at %.2f of the way", share)
	}
	// A clock that was behind puts nobody before the past.
	tl.Commits[4].Date = start.AddDate(-1, 0, 0)
	for i, xs := 1, places(tl.Commits, []int{0, 3, 4, 8}); i < len(xs); i++ {
		if xs[i] < xs[i-1] {
			t.Errorf("columns go back: %v", xs)
		}
	}
}
