package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A run that was cut off goes on where it was, and knows one suite's word from another's.
func TestState(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "state")
	a, b := &point{file: "a.go", function: "f", text: "x == 1"}, &point{file: "a.go", function: "f", text: "x == 1", nth: 1}
	s, err := resume(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range []error{s.say("p", a, true), s.say("p", b, false)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if s, err = resume(name); err != nil {
		t.Fatal(err)
	}
	got := []bool{s.noticed(a), s.survived("p", a), s.noticed(b), s.survived("p", b), s.survived("q", b)}
	if !slices.Equal(got, []bool{true, false, false, true, false}) {
		t.Errorf("%v", got)
	}
	none, err := resume("")
	if err != nil || none.say("p", a, true) != nil || none.noticed(a) {
		t.Errorf("without a file: %v, %v", none, err)
	}
}

// A part of a test is run alone, by each word of its name.
func TestParts(t *testing.T) {
	t.Parallel()
	const out = "=== RUN   TestA\n=== RUN   TestA/one\n=== RUN   TestA/x.y/y.json\n=== PAUSE TestA/one\n=== RUN   TestA/x.y/y.json/deep\n--- PASS: TestA/one\n"
	if got := within(out); !slices.Equal(got, []string{"TestA/one", "TestA/x.y"}) {
		t.Errorf("%q", got)
	}
	if got := pattern("TestA/x.y|z"); got != `^TestA$/^x\.y\|z$` {
		t.Error(got)
	}
}

// What is argued counts by room, and the exit code is that of the whole.
func TestReport(t *testing.T) {
	t.Parallel()
	doc := filepath.Join(t.TempDir(), "mutants.md")
	if err := os.WriteFile(doc, []byte("| `p/a.go f: x \\|\\| y == 1` | because |\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var points []point
	for i := range 40 {
		points = append(points, point{id: i + 1, file: fmt.Sprintf("p%.*s/a.go", i%2, "q"), function: "f", text: "x == 1", nth: i})
	}
	points[0].text, points[2].text = "x || y == 1", "z == 1"
	chosen := points[:20]
	for _, tc := range []struct {
		alive []int
		good  bool
		last  string
	}{
		{[]int{1, 3}, true, "18 of 20 noticed, 1 more argued: 95.0 of 100"},
		{[]int{1, 3, 4}, false, "17 of 20 noticed, 1 more argued: 90.0 of 100"},
	} {
		var out bytes.Buffer
		alive := make(map[int]*point)
		for _, id := range tc.alive {
			alive[id] = &points[id-1]
		}
		good, err := (&options{out: &out, argued: doc}).report(points, chosen, alive, 0)
		if err != nil || good != tc.good || !strings.Contains(out.String(), tc.last) {
			t.Errorf("%v: %v, %v\n%s", tc.alive, good, err, out.String())
		}
		if !strings.Contains(out.String(), "survived: p/a.go f: x || y == 1 ->   line 0  (argued)\nsurvived: p/a.go f: z == 1 ->   line 0\n") ||
			!strings.Contains(out.String(), "| `p` | 20 | 10 | 8 | 1 | 90.0 |\n") {
			t.Errorf("%s", out.String())
		}
	}
}

// Wilson's interval of 90 of 100 is 82.6 to 94.5 (E. B. Wilson, 1927); of a sample that is
// all there is, it is a point.
func TestInterval(t *testing.T) {
	t.Parallel()
	low, high := (&tally{of: 1e9, tried: 100, noticed: 80, argued: 10}).interval()
	if got := fmt.Sprintf("%.1f %.1f", low, high); got != "82.6 94.5" {
		t.Error(got)
	}
	low, high = (&tally{of: 1000, tried: 999, noticed: 899}).interval()
	if high-low > 0.2 {
		t.Errorf("%.1f to %.1f", low, high)
	}
}

// Each survivor that docs/mutants.md argues is in the code.
func TestArgued(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/mutants.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, ok := strings.Cut(string(text), "## Survivors")
	if !ok {
		t.Fatal("docs/mutants.md has no survivors")
	}
	for _, m := range regexp.MustCompile("(?m)`((?:verify|gate|bundle)\\S*/(\\S+\\.go) [^`]+)`").FindAllStringSubmatch(table, -1) {
		key := strings.ReplaceAll(m[1], `\|`, "|")
		name, _, _ := strings.Cut(key, " ")
		src, err := os.ReadFile(filepath.Join("../..", name))
		if err != nil {
			t.Error(err)
			continue
		}
		_, points, err := instrument("p", name, src, 1)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(points, func(p point) bool { return p.key() == key }) {
			t.Errorf("there is no %s", key)
		}
	}
}
