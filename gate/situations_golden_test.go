package gate_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/replay-gate/replay-gate/gate"
	"github.com/replay-gate/replay-gate/summary"
)

var update = flag.Bool("update", false, "write the golden files in testdata")

// now is the time of these runs.
var now = time.Date(2026, time.September, 1, 12, 0, 0, 0, time.UTC)

// gated runs the gate on a situation, and leaves its files in the repository.
func gated(t *testing.T, s situation) (*site, *summary.Report) {
	t.Helper()
	at := newSite(t)
	s.make(at)
	report, err := gate.Run(t.Context(), gate.Options{Root: at.Dir, Base: "base", Clock: now, Version: "0.0.0"})
	if err != nil {
		t.Fatal(err)
	}
	if report.ExitCode != s.exit {
		t.Errorf("exit code %d, want %d", report.ExitCode, s.exit)
	}
	return at, report
}

// Issue 14, Proof: what a person and a machine read in eight situations.
func TestSituations(t *testing.T) {
	t.Parallel()
	for _, s := range situations() {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			at, report := gated(t, s)
			for _, width := range []int{80, 120} {
				var b bytes.Buffer
				if err := summary.WriteTerminal(&b, report, summary.Terminal{Width: width}); err != nil {
					t.Fatal(err)
				}
				golden(t, s.name, map[int]string{80: "terminal-80.txt", 120: "terminal-120.txt"}[width], b.Bytes())
			}
			for _, name := range []string{"summary.md", "report.html", "junit.xml", "sarif.json"} {
				data, err := os.ReadFile(filepath.Join(at.Dir, gate.DefaultBundleDir, name))
				if err != nil {
					t.Fatal(err)
				}
				golden(t, s.name, name, data)
			}
		})
	}
}

// bundleFacts are hash and size of a bundle, which are those of its format.
var bundleFacts = regexp.MustCompile("`sha256:[0-9a-f]{12}`, [0-9,]+ bytes")

// golden compares got with a file of testdata/situations.
func golden(t *testing.T, situation, name string, got []byte) {
	t.Helper()
	got = bundleFacts.ReplaceAll(got, []byte("`sha256:…`, … bytes"))
	file := filepath.Join("testdata", "situations", situation, name)
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs; run go test ./gate -run Situations -update and read the difference", file)
	}
}
