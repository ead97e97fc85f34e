package decision

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/decision/sigmapol"
)

var _ interface {
	verify.Recorder
	verify.Configurable
} = Format{}

func recordOf(evidence any) verify.Record {
	fsys := fstest.MapFS{tracePath: {Data: text(evidence)}}
	return Format{}.Record(&verify.Evidence{Path: tracePath, Tree: verify.NewTree(fsys)})
}

// compared says what gate/judge makes of two versions of a file: the values that another
// run would have to explain ("rewritten"), those that need none, or that it is another run.
func compared(a, b verify.Record) string {
	var out []string
	if a.Identity != b.Identity {
		out = append(out, "another run")
		if slices.ContainsFunc(a.Traces, func(t string) bool { return slices.Contains(b.Traces, t) }) {
			out = append(out, "with the old one's traces")
		}
	}
	old := make(map[string]verify.Value)
	for _, v := range a.Values {
		old[v.Path] = v
	}
	for _, v := range b.Values {
		if o, ok := old[v.Path]; !ok {
			out = append(out, "added "+v.Path)
		} else if o.Text != v.Text {
			out = append(out, map[verify.Weight]string{verify.Claimed: "claimed ", verify.Noted: "noted "}[v.Weight]+v.Path)
		}
		delete(old, v.Path)
	}
	for _, v := range a.Values {
		if _, gone := old[v.Path]; gone {
			out = append(out, "gone "+v.Path)
		}
	}
	return strings.Join(out, ", ")
}

// "A decision whose policy term and fingerprint go and whose ranking turns round" is the
// same run, and so is any other edit that keeps what names it (issue 11, "What was recorded
// stays as it was recorded").
func TestWhatWasRecorded(t *testing.T) {
	t.Parallel()
	type edits = []edit
	edited := func(shape string, edits edits) any {
		v := failover(t)
		v.trace()["started_at_ms"] = 1772366400412
		evidence := clone(shapes[shape](v))
		for _, e := range edits {
			set(evidence, e.path, e.value)
		}
		return evidence
	}
	for _, tc := range []struct {
		name, shape string
		edits       edits
		want        string // the beginning
	}{
		{"nothing", "x_router", nil, ""},
		{"policy and fingerprint gone, ranking turned round", "bare trace",
			edits{{"policy_term", gone{}}, {"policy_fingerprint", gone{}}, {"ranked", swapped(failover(t).trace()["ranked"], 0, 2)}},
			"claimed ranked[0].model_family, claimed ranked[0].provider_id"},
		{"cost", "x_router", edits{{"cost_usd", 0.01}}, "claimed cost_usd"},
		{"an answer", "completion body", edits{{"choices.0.message.content", "bye"}}, "claimed choices[0].message.content"},
		{"a latency", "bare trace", edits{{"decision_path.0.latency_ms", 1}}, "noted decision_path[0].latency_ms"},
		{"moved by a millisecond", "bare trace", edits{{"started_at_ms", 1772366400413}, {"chosen.model_family", "gpt-5.5"}},
			"another run, with the old one's traces, claimed chosen.model_family, noted started_at_ms"},
		{"another id", "completion body", edits{{"id", "chatcmpl-2"}, {"x_router.price_in", 1}},
			"another run, with the old one's traces, noted id, claimed x_router.price_in"},
		{"a member more", "x_router", edits{{"compact", true}}, "added compact"},
	} {
		got := compared(recordOf(edited(tc.shape, nil)), recordOf(edited(tc.shape, tc.edits)))
		if !strings.HasPrefix(got, tc.want) || tc.want == "" && got != "" {
			t.Errorf("%s: %s\nwant %s", tc.name, got, tc.want)
		}
	}
	// Another decision is another run, and carries nothing of the first.
	a, b := sample(t, "01-quickstart-cheapest"), sample(t, "03-seeded-sample")
	a.trace()["started_at_ms"], b.trace()["started_at_ms"] = 1, 2
	a.trace()["total_latency_ms"], b.trace()["total_latency_ms"] = 500, 600
	if got := compared(recordOf(a.Result), recordOf(b.Result)); !strings.HasPrefix(got, "another run, ") || strings.Contains(got, "old one") {
		t.Error(got)
	}
	// A list goes by its first decision, and grows.
	if got := compared(recordOf([]any{a.Result}), recordOf([]any{a.Result, b.Result})); !strings.HasPrefix(got, "added [1].") || strings.Contains(got, "claimed") {
		t.Error(got)
	}
}

// What has no trace, or can't be read, records nothing; what does is in order.
func TestRecordsAreFit(t *testing.T) {
	t.Parallel()
	v := failover(t)
	v.trace()["started_at_ms"] = 1772366400412
	for shape, make := range shapes {
		rec := recordOf(make(v))
		sorted := slices.IsSortedFunc(rec.Values, func(a, b verify.Value) int { return strings.Compare(a.Path, b.Path) })
		if rec.Identity == "" || rec.Subject == "" || len(rec.Traces) == 0 || len(rec.Values) == 0 || !sorted || !slices.IsSorted(rec.Traces) {
			t.Errorf("%s: %+v", shape, rec)
		}
	}
	for _, evidence := range []any{object{}, []any{}, object{"choices": []any{object{"message": object{}}}}, sigmapol.Candidate{}} {
		if rec := recordOf(evidence); rec.Identity != "" || rec.Values != nil {
			t.Errorf("%v: %+v", evidence, rec)
		}
	}
}
