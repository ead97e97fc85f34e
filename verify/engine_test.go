package verify

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"
)

// fake is a format whose answer depends on the path.
type fake struct{}

func (fake) Kind() string              { return "fake" }
func (fake) Title() string             { return "Fake" }
func (fake) Patterns() []string        { return nil }
func (fake) Marks(string, []byte) bool { return true }
func (fake) Verify(_ context.Context, e *Evidence) Result {
	if e.Path == "panics" {
		panic("hostile")
	}
	return Result{Checks: []Check{
		{Field: "path", Status: OK, Observed: e.Path},
		{Field: "now", Status: Warn, Reason: e.Now.Time().Format(time.DateOnly)},
	}}
}

func items(n int) []Item {
	var items []Item
	for i := range n {
		items = append(items, Item{Path: fmt.Sprint(i), Format: fake{}})
	}
	return items
}

func TestResultsKeepTheOrderOfTheItems(t *testing.T) {
	for i, r := range (Engine{Concurrency: 8}).Verify(t.Context(), NewTree(fstest.MapFS{}), items(500)) {
		if r.Path != fmt.Sprint(i) || r.Kind != "fake" || r.Checks[0].Observed != r.Path {
			t.Fatalf("result %d is %+v", i, r)
		}
	}
}

// A format must not panic; if one does, one piece of evidence fails and the
// others are judged all the same (DESIGN, section 5: never a crash).
func TestAPanicIsAFindingOfOneItem(t *testing.T) {
	it := append(items(2), Item{Path: "panics", Format: fake{}})
	rs := (Engine{}).Verify(t.Context(), NewTree(fstest.MapFS{}), it)
	if rs[0].Unchecked != "" || rs[1].Unchecked != "" {
		t.Errorf("the others: %+v", rs[:2])
	}
	if c := rs[2].Checks[0]; c.Status != Fail || c.Code != "internal-error" || !strings.Contains(rs[2].Unchecked, "hostile") {
		t.Errorf("the panic shows as %+v", rs[2])
	}
}

func TestAnEndedContextIsSaid(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, r := range (Engine{}).Verify(ctx, NewTree(fstest.MapFS{}), items(3)) {
		if r.Unchecked == "" || r.Count(Fail) != 1 {
			t.Errorf("%s was not judged, and says %+v", r.Path, r)
		}
	}
}

func TestStrictFailsOnWarnings(t *testing.T) {
	r := (Engine{Strict: true}).Verify(t.Context(), NewTree(fstest.MapFS{}), items(1))[0]
	if c := r.Checks[1]; c.Status != Fail || !strings.Contains(c.Reason, "strict") {
		t.Errorf("a warning under strict: %+v", c)
	}
}

func TestShortenCutsAtCharacters(t *testing.T) {
	for _, tc := range []struct {
		in    string
		limit int
		want  string
	}{
		{"short", 5, "short"},
		{strings.Repeat("é", 50), 40, strings.Repeat("é", 12) + "… (100 bytes)"},
	} {
		if got := Shorten(tc.in, tc.limit); got != tc.want || len(got) > max(tc.limit, len(tc.in)) {
			t.Errorf("Shorten(%q, %d) = %q, want %q", tc.in, tc.limit, got, tc.want)
		}
	}
	if got := (Location{"a", 2, 3}).String() + " " + (Location{Path: "a", Line: 2}).String() + " " + (Location{Path: "a"}).String(); got != "a:2:3 a:2 a" {
		t.Error(got)
	}
}

// A panic in one of many goroutines is one in whoever started them, where the engine guards it.
func TestAtOncePanics(t *testing.T) {
	t.Parallel()
	var done atomic.Int64
	defer func() {
		if p := recover(); p != "at 7" || done.Load() == 0 {
			t.Errorf("recovered %v after %d", p, done.Load())
		}
	}()
	AtOnce(20, 2, func(i int) {
		if i == 7 {
			panic("at 7")
		}
		done.Add(1)
	})
	t.Error("it came back")
}
