package gate

import (
	"context"
	"fmt"
	"testing"
	"testing/fstest"
	"time"

	"github.com/replay-gate/replay-gate/gate/judge"
	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/ahd"
)

// What judging costs does not creep up: the allocations for each sidecar with an input of
// its own, beyond what a run costs once (issue 17, Limits). They were 271 in November 2026,
// and don't depend on the machine or on what else it does.
func TestAllocationsPerSidecar(t *testing.T) {
	const few, many, bound = 50, 550, 350
	allocations := func(n int) float64 {
		files := sidecars(t, n)
		return testing.AllocsPerRun(2, func() {
			tree := verify.NewTree(files)
			q := judge.Question{
				Head:  judge.Side{Tree: tree},
				Bases: []judge.Base{{Side: judge.Side{Tree: tree.Sibling(files)}, Differs: func(verify.Read) string { return "" }}},
				Kinds: []judge.Kind{{Format: ahd.Format{}, Globs: ahd.Format{}.Patterns()}},
				Brief: true, Now: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC),
			}
			j := judge.Judge(context.Background(), q)
			if len(j.Held) != n {
				t.Fatalf("%d pieces of evidence", len(j.Held))
			}
			for _, e := range j.Evidence {
				t.Fatalf("%s has an account: nobody asked for it", e.Path)
			}
		})
	}
	each := (allocations(many) - allocations(few)) / (many - few)
	t.Logf("%.0f allocations", each)
	if each > bound {
		t.Errorf("%.0f allocations for each sidecar, want at most %d", each, bound)
	}
}

// sidecars are n of them that hold, with a token each and a brief that all share.
func sidecars(t testing.TB, n int) fstest.MapFS {
	files := fstest.MapFS{"briefs/all.md": {Data: []byte("# One\n")}}
	for i := range n {
		token, side := sidecar(t, i)
		files[tokenPath(i)] = &fstest.MapFile{Data: token}
		files[fmt.Sprintf("evals/%02d/%d.replay.json", i%100, i)] = &fstest.MapFile{Data: side}
	}
	return files
}

func tokenPath(i int) string { return fmt.Sprintf("tokens/%02d/%d.yml", i%100, i) }

// sidecar is one that holds, and its token.
func sidecar(t testing.TB, i int) (token, side []byte) {
	t.Helper()
	token = fmt.Appendf(nil, "id: t%d\n", i)
	hash, err := ahd.TokenHash(token)
	if err != nil {
		t.Fatal(err)
	}
	brief, err := ahd.BriefHash("briefs/all.md", []byte("# One\n"))
	if err != nil {
		t.Fatal(err)
	}
	side, err = ahd.Run{
		Kind: "eval-live", Version: "1", NodeVersion: "v22", Platform: "linux-x64", InvokedAt: "2023-01-01T00:00:00.000Z",
		Argv:  []string{"node", "ahd.js", "eval-live", fmt.Sprint(i)},
		Token: ahd.InputRef{Path: tokenPath(i), Hash: hash}, Brief: &ahd.InputRef{Path: "briefs/all.md", Hash: brief}, Sampling: ahd.Sampling{N: 5},
		Models: []ahd.Model{{ID: "m", Provider: "p", ProviderRequestIDs: []string{fmt.Sprint("id-", i)}}},
	}.Sidecar()
	if err != nil {
		t.Fatal(err)
	}
	return token, side
}
