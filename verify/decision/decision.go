// Package decision checks the decision traces of unhardcoded, a router that
// chooses by a policy which model answers a request.
//
// A trace records the policy that ran, in its normal form, with its
// fingerprint; the candidates that it ranked and rejected; and the attempts that
// followed. It comes inside the completion's body, and a file may hold that
// body, its x_router, what router.execute() returned, the decision_trace alone, or
// a list of any of these:
//
//	runs/summary.decision.json   the evidence
//	runs/summary.snapshot.json   what the decision was made from (optional input)
//	runs/summary.policy.json     the policy as its author wrote it (optional input)
//
//	tree := verify.NewTree(os.DirFS("repo"))
//	r := decision.Format{}.Verify(ctx, &verify.Evidence{
//		Path: "runs/summary.decision.json", Tree: tree,
//	})
//	for _, c := range r.Checks {
//		fmt.Println(c.Status, c.Field, c.Reason, c.Location)
//	}
//
// The trace alone says whether its policy is admissible, in normal form and
// the one that the fingerprint names, whether each reason and the order of the
// ranking can come from that policy, and whether the attempts follow its fail
// plan. With the snapshot the decision itself is made again, by package
// sigmapol, and compared row by row.
//
// What it promises beyond package verify:
//
//   - What a newer engine may have added is never called wrong: an operation that
//     is not known here is a warning, "not verified".
//   - What can't be known from the files is said to be so: the time of the run,
//     the providers' answers, the cost, and without a snapshot the decision.
//   - Evidence without a trace fails: whether a file is evidence is for its marks to
//     say, or for the settings, before it is judged. A snapshot or policy beside its
//     trace is an input of that, and one info row.
//   - A flow is judged node by node, to a bounded depth and count.
//
// The language is sigma-pol/v2 (see package sigmapol); the trace is that of the
// unhardcoded host and its page "Traces & replay". Comments cite it as "Traces".
package decision

import (
	"context"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/canonical"
	"github.com/replay-gate/replay-gate/verify/decision/sigmapol"
)

// Config is what a repository may declare about its decision traces. The zero
// value declares nothing.
type Config struct {
	// PinnedIdentities are the identities ("sha256:" + hex) of the policies that
	// may have run, as [sigmapol.Identity] gives them. When there are any, a trace
	// of another policy fails. A host with an envelope of its own runs envelope
	// and policy as one term, and its identity is the one to pin.
	PinnedIdentities []string
}

// Format is the decision trace as a kind of evidence. The zero value is ready
// for use.
type Format struct{ Config }

// Kind is "decision".
func (Format) Kind() string { return "decision" }

// Title is "unhardcoded decision trace".
func (Format) Title() string { return "unhardcoded decision trace" }

// Patterns matches the two endings that only traces have, and every JSON file
// below a folder called decisions. There is no file format of traces, so the
// place is a convention of this gate, and the content decides. Snapshots and
// policies below such a folder match as well; each is one info row that says
// whose input it is.
func (Format) Patterns() []string {
	return []string{"**/*" + decisionEnding, "**/*" + routerEnding, "**/decisions/**/*" + jsonEnding}
}

// Verify judges every field of the trace.
func (f Format) Verify(_ context.Context, e *verify.Evidence) verify.Result {
	own, err := open(e.Tree, e.Path)
	if err != nil {
		return verify.Unreadable(e, "evidence", recordingAt(e.Path), err)
	}
	j := &checker{e: e, config: f.Config, file: own, Rows: verify.Rows{Path: e.Path}}
	j.r.SHA256 = canonical.RawHash(own.data)
	j.r.Recording = recordingAt(e.Path)
	if all := j.document(); len(all) > 0 {
		j.snapshot = readSnapshot(e.Tree, stem(e.Path)+snapshotEnding)
		j.record(all[0].found)
		j.input("policy", stem(e.Path)+policyEnding)
		j.input("snapshot", j.snapshot.path)
		j.several = all[0].index >= 0
		for _, p := range all {
			j.within(p.prefix(), "", func() { j.decision(p) })
		}
		if j.several {
			j.filesBeside(j.doc.Root, "each decision of a list")
		}
	}
	j.r.Checks = j.Checks
	return j.r
}

// decision judges one decision of the file.
func (j *checker) decision(p part) {
	if p.trace == nil {
		j.Fail("document", j.doc.Spot(p.node), "no-decision-trace", "no decision trace in this element of the list").Recorded = ""
		return
	}
	j.trace(p.found, 0)
	j.notVerifiable(p.found)
}

// trace judges a decision, the nodes of a flow, or both. depth is 0 for the
// trace of the file. If it is the only one, the files beside it belong to it.
func (j *checker) trace(f found, depth int) {
	decides, flows := f.kinds()
	if decides {
		t := &trace{found: f, walked: sigmapol.Walked{Answered: -1}}
		j.policyTerm(t)
		j.fingerprint(t)
		j.identity(t)
		alone := depth == 0 && !j.several
		if alone {
			j.policyFile(t)
		}
		j.routerFingerprint(t)
		j.ranked(t)
		j.rankedTotal(t)
		j.rejected(t)
		j.path(t)
		j.latency(t)
		j.reported(t)
		j.chosen(t)
		j.served(t)
		if depth == 0 {
			j.outcome(t)
		}
		j.fallback(t)
		if alone {
			j.replay(t)
		}
	}
	if flows {
		j.flow(f, depth)
	}
}
