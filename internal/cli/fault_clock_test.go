package cli

import (
	"context"
	"maps"
	"strings"
	"testing"
	"time"
)

// A clock that is wrong by years, in either direction, changes no verdict and no byte of a
// bundle or of the report: only what says itself that it ends on a day depends on the day.
func TestWrongClock(t *testing.T) {
	t.Parallel()
	for exit, s := range map[int]*scene{
		0: greenRow{edit: func(s *scene) { s.edit("README.md", "A consumer", "A user") }}.play(t),
		1: greenRow{edit: blue}.play(t),
	} {
		s.Commit("the change")
		var right map[string]string
		for _, year := range []int{2026, 1, 1969, 1970, 1980, 2000, 2038, 2106, 2262, 9999, 12000} {
			var out strings.Builder
			got := Main(context.Background(), Streams{
				In: strings.NewReader(""), Out: &out, Err: &out, Getenv: func(string) string { return "" },
				Now: time.Date(year, time.July, 1, 12, 0, 0, 0, time.UTC),
			}, []string{"gate", "--base", "base", "--scope", "all", "--root", s.Dir})
			is := bundlesOf(t, s.Repo)
			if right == nil {
				right = is
			}
			if got != exit || !maps.Equal(is, right) {
				t.Errorf("in %d: exit %d, want %d\n%s", year, got, exit, out.String())
			}
		}
	}
}
