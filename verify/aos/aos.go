// Package aos checks the recorded evidence of AOS, an agent runtime whose
// document "Determinism and Replay" (PIN-009) says what a replay must repeat.
//
// What AOS writes down comes in six kinds, told apart by their content:
//
//	SDK trace            root_hash, finalized        *.trace.json
//	backend trace record checksum, correlation_id    *.tracerecord.json
//	workflow golden      event_type lines            *.steps.jsonl (and .sig)
//	outcomes             status, code, cost_cents    *.outcomes.json
//	plan                 steps, context              *.plan.json
//	replay trace         original_run_id, behavior_match
//
// One format judges them all:
//
//	r := aos.Format{}.Verify(ctx, &verify.Evidence{Path: "runs/a.trace.json", Tree: tree})
//	for _, c := range r.Checks {
//		fmt.Println(c.Status, c.Field, c.Reason, c.Location)
//	}
//
// What it promises beyond package verify:
//
//   - Whatever can be recomputed is recomputed: root hash chains, step hashes,
//     checksums, derived seeds, output hashes, signatures, and every claim that a
//     replay trace makes. Python's JSON, float and rounding rules are followed to
//     the byte.
//   - The stability tables of the document decide what a replay must repeat. What
//     may differ is said to differ and never fails.
//   - Evidence of no known kind fails: whether a file is evidence is for its marks to
//     say, or for the settings, before it is judged.
//   - A configured signing key, and anything in a golden that looks like a secret,
//     is never shown.
//
// # Pairs
//
// A replay is held against its original. The original is, in this order:
//
//  1. the run that the file names (original_run_id or replay_of, at the top or in
//     metadata): the file in its folder called after that run, else the evidence of
//     the tree that carries the run_id;
//  2. for a name with the word "replay" (words end at "-", "_" and "."), the file of
//     its folder with "original", "orig" or "golden" in place of it, with the word
//     left out, or with what stands before it;
//  3. for such a name, the folder's "original", "orig" or "golden".
//
// A candidate of another kind is passed over. The rows of a pair stand with the
// replay; the original is its input, so that a change of either has the pair
// judged. Outcomes are also held against a plan: that with their own name or their
// original's, or the folder's plan.json, if it has any of their steps. A replay
// trace is about two runs, of outcomes or of trace records: the original carries
// its original_run_id, and of several the one that is called the original counts;
// the replay has its own name, or else carries its trace_id.
package aos

import (
	"context"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/canonical"
)

// Format is AOS evidence as a kind. The zero value is ready for use.
type Format struct{ Config }

// Config is what a repository may declare about its AOS evidence.
type Config struct {
	// GoldenSecret is the key that workflow goldens are signed with (AOS reads
	// it from GOLDEN_SECRET). Without one, signatures are not verified.
	GoldenSecret []byte
	// Budgets are budgets in cents, besides the command line's 1000, that
	// simulated runs may have been recorded with.
	Budgets []int64
}

// Kind is "aos".
func (Format) Kind() string { return "aos" }

// Title is "AOS trace". The row "kind" of each result says which it is.
func (Format) Title() string { return "AOS trace" }

// Patterns are the endings that AOS and its document use, and for what has no
// ending of its own one that no other tool is known to write. A plan.json and a
// record that is just *.json are no evidence by name, as too much else is called
// that; a configured glob can add them.
func (Format) Patterns() []string {
	return []string{"**/*.trace.json", "**/*.tracerecord.json", "**/*.steps.jsonl", "**/*.outcomes.json", "**/*.plan.json"}
}

// Verify judges every field of the evidence.
func (f Format) Verify(_ context.Context, e *verify.Evidence) verify.Result {
	own := open(e.Tree, e.Path)
	if own.err != nil {
		return verify.Unreadable(e, "evidence", recordingAt(e.Path), own.err)
	}
	j := &checker{e: e, config: f.Config, file: own, Rows: verify.Rows{Path: e.Path}}
	j.r.SHA256 = canonical.RawHash(own.data)
	j.r.Recording = recordingAt(e.Path)
	if j.recognised() {
		j.judgeKind()
	}
	j.r.Checks = j.Checks
	return j.r
}

// judgeKind judges the evidence as what it is.
func (j *checker) judgeKind() {
	switch j.kind {
	case kindSDKTrace:
		j.sdkTrace()
	case kindRecord:
		j.traceRecord()
	case kindGolden:
		j.golden()
	case kindOutcomes:
		j.outcomes()
	case kindPlan:
		j.plan()
	case kindReplay:
		j.replayTrace()
	}
}
