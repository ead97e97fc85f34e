//go:build unix

package main

import (
	"os/exec"
	"testing"
	"time"

	"github.com/replay-gate/replay-gate/gate"
)

// The examples hold, and each change that the dogfood workflow makes to them gets the
// verdict that it asserts.
func TestExamples(t *testing.T) {
	t.Parallel()
	for _, example := range []string{"ahd", "pin"} {
		for exit, verdict := range []string{"intact", "drift"} {
			t.Run(example+" "+verdict, func(t *testing.T) {
				t.Parallel()
				dir := t.TempDir()
				if out, err := exec.Command("sh", root+"/examples/scene", example, verdict, dir).CombinedOutput(); err != nil {
					t.Fatalf("%v\n%s", err, out)
				}
				report, err := gate.Run(t.Context(), gate.Options{Root: dir, Base: "HEAD~1", Clock: time.Now()})
				if err != nil {
					t.Fatal(err)
				}
				if string(report.Verdict) != verdict || report.ExitCode != exit || report.Scope.Checked != 1 {
					t.Errorf("verdict %s, exit code %d, %d listed", report.Verdict, report.ExitCode, report.Scope.Checked)
				}
			})
		}
	}
}
