package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/replay-gate/replay-gate/bundle"
	"github.com/replay-gate/replay-gate/gate/explain"
	"github.com/replay-gate/replay-gate/gate/judge"
	"github.com/replay-gate/replay-gate/verify"
)

// Issue 12, "No other verdict than the gate's": every row of the table goes through gate,
// bundle and replay, and all three say the same, row by row.
func TestGreenRowsReplay(t *testing.T) {
	t.Parallel()
	var played, bundles, partly atomic.Int64
	t.Cleanup(func() { // of one row, there may be none
		if p := played.Load(); p > 100 && (bundles.Load() < p || partly.Load()*10 > bundles.Load()) {
			t.Errorf("%d rows, %d bundles, of which %d were not replayed in full", p, bundles.Load(), partly.Load())
		}
	})
	for _, row := range slices.Concat(greenEveryday, greenFiles, greenLinks, greenRecorded, greenGone, greenClaims, greenPlaces, greenKinds, greenBases, greenSettings) {
		if row.treeOnly {
			continue
		}
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			played.Add(1)
			s := row.play(t)
			s.Commit("the change")
			if row.late != nil {
				row.late(s)
			}
			var report bundledReport
			runJSON(t, &report, append([]string{"gate", "--root", s.Dir, "--base", "base", "--json", "--scope", "all", "--head", "HEAD"}, row.args...)...)
			for _, e := range report.Evidence {
				if e.Bundle == nil || e.Bundle.Path == "" {
					continue
				}
				bundles.Add(1)
				var again replayReport
				exit := runJSON(t, &again, "replay", "--json", s.Path(e.Bundle.Path))
				if again.Result == nil || again.Result.Recorded == nil {
					t.Errorf("%s: exit %d, %s", e.Path, exit, again.Message)
					continue
				}
				lacking := make(map[string]bool)
				for _, m := range again.Result.Missing {
					for _, f := range m.Fields {
						lacking[f] = true
					}
				}
				if exit == 2 && len(again.Result.Missing) > 0 {
					partly.Add(1)
				} else if exit != 0 {
					t.Errorf("%s: exit %d, %s: %+v", e.Path, exit, again.Message, again.Result.Differences)
				}
				if again.Result.Observed == nil {
					continue
				}
				for _, f := range e.Fields {
					lacking[f.Field] = lacking[f.Field] || f.Attribution == verify.Fixed // which is said of the base
				}
				want := e.rows(lacking)
				got := rowsOf(again.Result.Observed.Checks, lacking)
				if recorded := rowsOf(again.Result.Recorded.Checks, lacking); !slices.Equal(got, want) || !slices.Equal(recorded, want) {
					t.Errorf("%s: the gate says\n%s\nits bundle\n%s\na replay\n%s", e.Path,
						strings.Join(want, "\n"), strings.Join(recorded, "\n"), strings.Join(got, "\n"))
				}
			}
		})
	}
}

// bundledReport is what a report says of evidence and its bundles.
type bundledReport struct {
	Evidence []bundledEvidence `json:"evidence"`
}

type bundledEvidence struct {
	Path   string                 `json:"path"`
	Bundle *struct{ Path string } `json:"bundle"`
	Fields []struct {
		verify.Check
		Attribution verify.Attribution `json:"attribution"`
		Accepted    bool               `json:"accepted"`
	} `json:"fields"`
}

// rows are those that a bundle carries, and not what is said of this clone and its history. That people
// accept a FAIL is policy, and no part of a verdict that others come to again.
func (e bundledEvidence) rows(without map[string]bool) []string {
	var checks []verify.Check
	for _, f := range e.Fields {
		if f.Code == explain.CodeInputLost || f.Code == judge.CodeRecordedCommit || f.Code == judge.CodeCommitUnavailable || f.Field == bundle.FieldSecrets {
			continue
		}
		if f.Accepted {
			f.Status = verify.Fail
		}
		checks = append(checks, f.Check)
	}
	return rowsOf(checks, without)
}

func rowsOf(checks []verify.Check, without map[string]bool) (rows []string) {
	for _, c := range checks {
		if !without[c.Field] {
			rows = append(rows, fmt.Sprintf("%s %s %s", c.Status, c.Field, c.Code))
		}
	}
	slices.Sort(rows)
	return rows
}

// runJSON runs a command and reads the JSON that it prints.
func runJSON(t *testing.T, into any, args ...string) (exit int) {
	t.Helper()
	var out, chatter bytes.Buffer
	exit = Main(context.Background(), Streams{In: strings.NewReader(""), Out: &out, Err: &chatter, Getenv: func(string) string { return "" }, Now: clock}, args)
	if err := json.Unmarshal(out.Bytes(), into); err != nil {
		t.Fatalf("%q: exit %d: %v\n%s%s", args, exit, err, out.String(), chatter.String())
	}
	return exit
}
