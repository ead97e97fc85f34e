package cli

import (
	"bufio"
	"bytes"
	"fmt"
	"os/exec"
	"testing"
	"time"

	"github.com/replay-gate/replay-gate/verify/ahd"
)

// BenchmarkLarge is the whole process over large repositories, as git has them after a clone,
// with a change on top. "nothing" is a change that touches no evidence, so that it costs what
// judging both sides costs; "same" has the head for its base. Issue 10 wants 20,000 sidecars
// with an input each under 2.5 s on two quiet cores, at most 1.3 times what the head alone
// costs; issue 17 wants 100,000 sidecars of which 100 are shown in linear time and under 300
// MB, and 500,000 files of which 50 are evidence under 1.5 s.
func BenchmarkLarge(b *testing.B) {
	bin := built(b)
	for _, bench := range []struct {
		name                   string
		sidecars, tokens, rest int
		touched                int // tokens that the change touches
	}{
		{"20000-sidecars-20000-inputs", 20_000, 20_000, 0, 0},
		{"25000-sidecars-25-shown", 25_000, 1_000, 0, 1},
		{"100000-sidecars-100-shown", 100_000, 1_000, 0, 1},
		{"500000-files-50-evidence", 50, 50, 500_000, 0},
	} {
		b.Run(bench.name, func(b *testing.B) {
			dir := large(b, bench.sidecars, bench.tokens, bench.rest, bench.touched)
			gate := func(base string) peak {
				return measured(b, exec.Command(bin, "gate", "--root", dir, "--base", base, "--head", "changed", "--bundle-for", "none"))
			}
			var alone, both, cpu time.Duration
			var rss int64
			for b.Loop() {
				alone = least(alone, gate("changed").took)
				p := gate("base")
				both, cpu, rss = least(both, p.took), least(cpu, p.cpu), max(rss, p.rss)
			}
			b.ReportMetric(both.Seconds()*1000, "gate-ms")
			b.ReportMetric(cpu.Seconds()*1000, "cpu-ms")
			b.ReportMetric(both.Seconds()/alone.Seconds(), "with-base-ratio")
			b.ReportMetric(float64(rss)/(1<<20), "peak-MB")
		})
	}
}

// large makes a repository with two commits, tagged base and changed, and no work tree.
func large(b *testing.B, sidecars, tokens, rest, touched int) string {
	b.Helper()
	dir := b.TempDir()
	git := func(args ...string) *exec.Cmd {
		cmd := exec.Command("git", append([]string{"-C", dir}, args...)...)
		return cmd
	}
	if out, err := git("init", "-q", "-b", "main").CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	load := git("fast-import", "--quiet")
	var said bytes.Buffer
	load.Stderr = &said
	in, err := load.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := load.Start(); err != nil {
		b.Fatal(err)
	}
	w := bufio.NewWriter(in)
	file := func(name string, data []byte) {
		fmt.Fprintf(w, "M 644 inline %s\ndata %d\n%s\n", name, len(data), data)
	}
	commit := func(n int) {
		fmt.Fprintf(w, "commit refs/heads/main\ncommitter A <a@example.com> %d +0000\ndata 1\n%d\n", 1_700_000_000+n, n)
	}
	token := func(i int) (string, []byte) {
		return fmt.Sprintf("tokens/%03d/%d.yml", i%1000, i), fmt.Appendf(nil, "id: t%d\npalette: [ink, paper]\n", i)
	}
	commit(0)
	for i := range tokens {
		name, data := token(i)
		file(name, data)
	}
	for i := range sidecars {
		name, data := token(i % tokens)
		hash, err := ahd.TokenHash(data)
		if err != nil {
			b.Fatal(err)
		}
		side, err := ahd.Run{
			Kind: "eval-live", Version: "1", NodeVersion: "v22", Platform: "linux-x64", InvokedAt: "2023-01-01T00:00:00.000Z",
			Argv: []string{"node", "ahd.js", "eval-live", fmt.Sprint(i % tokens)}, Token: ahd.InputRef{Path: name, Hash: hash},
			Sampling: ahd.Sampling{N: 5}, Models: []ahd.Model{{ID: fmt.Sprint("m-", i), Provider: "p", ProviderRequestIDs: []string{fmt.Sprint("id-", i)}}},
		}.Sidecar()
		if err != nil {
			b.Fatal(err)
		}
		file(fmt.Sprintf("evals/%03d/%d.replay.json", i%1000, i), side)
	}
	for i := range rest {
		file(fmt.Sprintf("src/%03d/%d.go", i%1000, i), nil)
	}
	fmt.Fprint(w, "tag base\nfrom refs/heads/main\ntagger A <a@example.com> 1700000000 +0000\ndata 1\n1\n")
	commit(1)
	file("README.md", []byte("changed\n"))
	for i := range touched {
		name, data := token(i)
		file(name, append(data, "type: [serif]\n"...))
	}
	fmt.Fprint(w, "tag changed\nfrom refs/heads/main\ntagger A <a@example.com> 1700000001 +0000\ndata 1\n2\n")
	if err := w.Flush(); err != nil {
		b.Fatal(err)
	}
	in.Close()
	if err := load.Wait(); err != nil {
		b.Fatalf("git fast-import: %v\n%s", err, said.Bytes())
	}
	return dir
}
