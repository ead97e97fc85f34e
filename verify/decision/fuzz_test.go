package decision

import (
	"testing"
	"testing/fstest"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/decision/sigmapol"
)

// FuzzVerify judges any trace with any snapshot and policy: nothing panics,
// every check can be rendered, and judging again says the same.
func FuzzVerify(f *testing.F) {
	for _, name := range []string{"01-quickstart-cheapest", "03-seeded-sample", "05-exhausted-abort", "bad-chosen-not-last", "bad-v1-term"} {
		v := sample(f, name)
		for _, make := range shapes {
			f.Add(text(make(v)), text(v.Snapshot), []byte(v.Policy))
		}
	}
	f.Add(text(flowTrace(f)), []byte(""), []byte(""))
	f.Add([]byte(`{"decision_trace": {"ranked": {}, "rejected": {}, "decision_path": {}}}`), []byte(`{"candidates": {}, "ctx": {}}`), []byte(`["top"]`))
	f.Add([]byte(`{"x_router": {"flow_nodes": [{"decision_trace": {"flow_nodes": [[]]}}]}}`), []byte(`[]`), []byte(`[`))
	f.Fuzz(func(t *testing.T, evidence, snapshot, policy []byte) {
		fsys := fstest.MapFS{
			tracePath: {Data: evidence}, snapshotPath: {Data: snapshot}, policyPath: {Data: policy},
		}
		once, again := check(fsys), check(fsys)
		renderable(t, once)
		all := []verify.Status{verify.OK, verify.Fail, verify.Warn, verify.Info}
		if rows(once, all...) != rows(again, all...) {
			t.Error("judging again says something else")
		}
	})
}

// FuzzFingerprint: a fingerprint that the language gives is well-formed.
func FuzzFingerprint(f *testing.F) {
	f.Add([]byte("sigma-pol/v2:(top)"))
	f.Add([]byte(""))
	f.Add([]byte("\x00\xff"))
	f.Fuzz(func(t *testing.T, encoded []byte) {
		if fp := sigmapol.Fingerprint(encoded); !wellFormed(fp) {
			t.Errorf("%q", fp)
		}
	})
}
