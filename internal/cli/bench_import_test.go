package cli

import (
	"bufio"
	"bytes"
	"fmt"
	"os/exec"
	"testing"

	"github.com/replay-gate/replay-gate/verify/ahd"
)

// imported is a repository that git fast-import makes: with as many commits as are asked for,
// and no work tree.
func imported(b *testing.B, write func(*importer)) (dir string) {
	b.Helper()
	dir = b.TempDir()
	if out, err := exec.Command("git", "init", "-q", "-b", "main", dir).CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	load := exec.Command("git", "-C", dir, "fast-import", "--quiet")
	var said bytes.Buffer
	load.Stderr = &said
	in, err := load.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := load.Start(); err != nil {
		b.Fatal(err)
	}
	w := &importer{b: b, Writer: bufio.NewWriter(in)}
	write(w)
	if err := w.Flush(); err != nil {
		b.Fatal(err)
	}
	in.Close()
	if err := load.Wait(); err != nil {
		b.Fatalf("git fast-import: %v\n%s", err, said.Bytes())
	}
	return dir
}

// importer writes what git fast-import reads.
type importer struct {
	*bufio.Writer
	b       *testing.B
	commits int
}

func (w *importer) commit() {
	fmt.Fprintf(w, "commit refs/heads/main\ncommitter A <a@example.com> %d +0000\ndata 6\n%06d\n", 1_700_000_000+w.commits, w.commits)
	w.commits++
}

func (w *importer) file(name string, data []byte) {
	fmt.Fprintf(w, "M 644 inline %s\ndata %d\n%s\n", name, len(data), data)
}

// tag names the last commit.
func (w *importer) tag(name string) {
	fmt.Fprintf(w, "tag %s\nfrom refs/heads/main\ntagger A <a@example.com> 1700000000 +0000\ndata 1\n1\n", name)
}

// sidecar writes sidecar i, of a run on a token as it is.
func (w *importer) sidecar(i int, name string, token []byte) {
	hash, err := ahd.TokenHash(token)
	if err != nil {
		w.b.Fatal(err)
	}
	side, err := ahd.Run{
		Kind: "eval-live", Version: "1", NodeVersion: "v22", Platform: "linux-x64", InvokedAt: "2023-01-01T00:00:00.000Z",
		Argv: []string{"node", "ahd.js", "eval-live", name}, Token: ahd.InputRef{Path: name, Hash: hash},
		Sampling: ahd.Sampling{N: 5}, Models: []ahd.Model{{ID: fmt.Sprint("m-", i), Provider: "p", ProviderRequestIDs: []string{fmt.Sprint("id-", i)}}},
	}.Sidecar()
	if err != nil {
		w.b.Fatal(err)
	}
	w.file(fmt.Sprintf("evals/%03d/%d.replay.json", i%1000, i), side)
}
