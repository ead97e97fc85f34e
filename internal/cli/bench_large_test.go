package cli

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// BenchmarkLarge is the whole process over large repositories, as git has them after a clone,
// with a change on top. "nothing" is a change that touches no evidence, so that it costs what
// judging both sides costs; "same" has the head for its base. Issue 10 wants 20,000 sidecars
// with an input each under 2.5 s on two quiet cores, at most 1.3 times what the head alone
// costs; issue 17 wants 100,000 sidecars of which 100 are shown in linear time and under 300
// MB, and 500,000 files of which 50 are evidence under 1.5 s; issue 12 bounded memory for
// 20,000 that are listed, for 10,000 that drifted with a bundle each, and under 256 MB for 60
// inputs of 9,000 versions, however much time there is to walk them.
func BenchmarkLarge(b *testing.B) {
	bin := built(b)
	none, failed := []string{"--bundle-for", "none"}, []string{"--bundle-for", "failed"}
	for _, bench := range []struct {
		name  string
		make  func(*importer)
		args  []string
		alone bool // what the head alone costs is of interest
	}{
		{"20000-sidecars-20000-inputs", large(20_000, 20_000, 0, 0, ""), none, true},
		{"25000-sidecars-25-shown", large(25_000, 1_000, 0, 1, drifting), none, true},
		{"100000-sidecars-100-shown", large(100_000, 1_000, 0, 1, drifting), none, true},
		{"500000-files-50-evidence", large(50, 50, 500_000, 0, ""), none, true},
		{"20000-sidecars-20000-listed", large(20_000, 20_000, 0, 20_000, "# a comment\n"), none, false},
		{"10000-sidecars-10000-drifted", large(10_000, 10_000, 0, 10_000, drifting), failed, false},
		{"60-inputs-9000-versions", versions(60, 9_000), append(none, "--history-time", "10m"), false},
	} {
		b.Run(bench.name, func(b *testing.B) {
			dir := imported(b, bench.make)
			gate := func(base string) peak {
				if err := os.RemoveAll(filepath.Join(dir, ".assay")); err != nil {
					b.Fatal(err)
				}
				return measured(b, exec.Command(bin, append([]string{"gate", "--root", dir, "--base", base, "--head", "changed"}, bench.args...)...))
			}
			var alone, both, cpu time.Duration
			var rss int64
			for b.Loop() {
				if bench.alone {
					alone = least(alone, gate("changed").took)
				}
				p := gate("base")
				both, cpu, rss = least(both, p.took), least(cpu, p.cpu), max(rss, p.rss)
			}
			b.ReportMetric(both.Seconds()*1000, "gate-ms")
			b.ReportMetric(cpu.Seconds()*1000, "cpu-ms")
			if bench.alone {
				b.ReportMetric(both.Seconds()/alone.Seconds(), "with-base-ratio")
			}
			b.ReportMetric(float64(rss)/(1<<20), "peak-MB")
		})
	}
}

// drifting is what a change adds to a token that no longer is what was recorded.
const drifting = "type: [serif]\n"

// large is two commits, tagged base and changed; the second adds some text to the first of the
// tokens.
func large(sidecars, tokens, rest, touched int, text string) func(*importer) {
	token := func(i int) (string, []byte) {
		return fmt.Sprintf("tokens/%03d/%d.yml", i%1000, i), fmt.Appendf(nil, "id: t%d\npalette: [ink, paper]\n", i)
	}
	return func(w *importer) {
		w.commit()
		for i := range tokens {
			w.file(token(i))
		}
		for i := range sidecars {
			name, data := token(i % tokens)
			w.sidecar(i, name, data)
		}
		for i := range rest {
			w.file(fmt.Sprintf("src/%03d/%d.go", i%1000, i), nil)
		}
		w.tag("base")
		w.commit()
		w.file("README.md", []byte("changed\n"))
		for i := range touched {
			name, data := token(i)
			w.file(name, append(data, text...))
		}
		w.tag("changed")
	}
}

// versions is a history in which each commit changes all of some tokens. A sidecar of each
// records the first version, so that somebody who asks what happened has to look at all.
func versions(tokens, commits int) func(*importer) {
	return func(w *importer) {
		for v := range commits {
			if v == commits-1 {
				w.tag("base")
			}
			w.commit()
			for i := range tokens {
				name, data := fmt.Sprintf("tokens/%d.yml", i), fmt.Appendf(nil, "id: t%d\nversion: %d\n", i, v)
				w.file(name, data)
				if v == 0 {
					w.sidecar(i, name, data)
				}
			}
		}
		w.tag("changed")
	}
}
