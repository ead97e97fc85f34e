package summary

import (
	"strings"
	"testing"
)

// Each rung is reached when the page of the one above is too long.
func TestLadderGolden(t *testing.T) {
	r, limit := large(6), StepSummaryLimit
	for _, rung := range []struct{ name, has, hasNot string }{
		{"1-full", "| `schema_version` | ok |", "omitted"},
		{"2-folded", "**69 fields omitted**", "schema_version"}, // 6 x 12 fields, 3 of which fail
		{"3-failures", "pieces of evidence hold", "- `docs/evals/run-00001"},
		{"4-first-rows", "of them FAIL, omitted**", "pieces of evidence hold"},
	} {
		page := Markdown(r, limit)
		golden(t, "ladder-"+rung.name+".md", page)
		if !strings.Contains(page, rung.has) || strings.Contains(page, rung.hasNot) {
			t.Errorf("%s: must have %q and not %q:\n%s", rung.name, rung.has, rung.hasNot, page)
		}
		limit = len(page) - 1
		if rung.name == "3-failures" {
			limit -= 600 // some failing evidence has to go
		}
	}
	golden(t, "ladder-5-verdict.md", Markdown(r, 300))
}

// Whatever the limit: the page fits, is cut between rows, closes what it opened,
// and says that it omits something.
func TestEveryLimit(t *testing.T) {
	r := large(6)
	whole := Markdown(r, StepSummaryLimit)
	for limit := 0; limit < len(whole)+50; limit += 97 {
		page := Markdown(r, limit)
		if len(page) > limit {
			t.Fatalf("%d bytes, limit %d", len(page), limit)
		}
		for _, cells := range harmless(t, page).cells {
			if cells != 4 && cells != 5 {
				t.Errorf("limit %d: a row has %d cells:\n%s", limit, cells, page)
			}
		}
		if strings.Count(page, "```")%2 != 0 {
			t.Errorf("limit %d: a fence stays open:\n%s", limit, page)
		}
		if page != whole && limit > 300 && !strings.Contains(page, "omitted") {
			t.Errorf("limit %d: nothing says what is omitted:\n%s", limit, page)
		}
		if text := CheckText(r, limit); len(text) > limit {
			t.Errorf("text has %d bytes, limit %d", len(text), limit)
		}
	}
}

// A run over 3,000 pieces of evidence gives a page within each limit of GitHub,
// with as many failures as fit.
func TestLargeReport(t *testing.T) {
	r := large(3000)
	for _, limit := range []int{CheckRunLimit, StepSummaryLimit} {
		page := Markdown(r, limit)
		if len(page) > limit || len(page) < limit-2000 {
			t.Errorf("the page has %d bytes, limit %d", len(page), limit)
		}
		if !strings.Contains(page, "of them FAIL, omitted**") || !strings.Contains(page, "Reproduce locally") {
			t.Errorf("the page of %d bytes lacks its end", limit)
		}
	}
}

// At its limit a page is whole, and one byte below it says what it leaves out: GitHub drops
// the summary of a step over 1 MiB as a whole, and refuses a check run or a comment of more
// than 65,535 characters.
func TestPageAtItsLimit(t *testing.T) {
	t.Parallel()
	for _, limit := range []int{CheckRunLimit, StepSummaryLimit} {
		// The largest report whose page fits, by halves.
		fits, over := 1, 4000
		for over-fits > 1 {
			if n := (fits + over) / 2; strings.Contains(Markdown(large(n), limit), "omitted") {
				over = n
			} else {
				fits = n
			}
		}
		r := large(fits)
		page := Markdown(r, limit)
		for _, tc := range []struct {
			limit int
			whole bool
		}{{len(page), true}, {len(page) - 1, false}} {
			got := Markdown(r, tc.limit)
			if whole := got == page; whole != tc.whole || len(got) > tc.limit {
				t.Errorf("a page of %d bytes within %d: whole is %v, %d bytes", len(page), tc.limit, whole, len(got))
			}
			if says := strings.Contains(got, "omitted"); says == tc.whole {
				t.Errorf("a page of %d bytes within %d: it says what is omitted: %v", len(page), tc.limit, says)
			}
		}
		if next := Markdown(large(over), limit); len(next) > limit || !strings.Contains(next, "omitted") {
			t.Errorf("one piece of evidence more: %d bytes, limit %d", len(next), limit)
		}
	}
}
