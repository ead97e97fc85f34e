package aos

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/jsondoc"
)

// Each vector has exactly the rows that name its fault; one that is good has no
// FAIL. Rows are "status field code line:column".
func TestVectors(t *testing.T) {
	const sensitive = "warn steps[0].inputs sensitive-name 2:40\nwarn steps[0].output sensitive-name 2:251"
	want := map[string]string{
		"sdk-trace/bad-duration-edited.trace.json":   "", // only against its base, below
		"sdk-trace/bad-error-code-edited.trace.json": "",
		"sdk-trace/bad-missing-field.trace.json":     "FAIL steps[0].input_hash missing 1:302",
		"sdk-trace/bad-no-root-hash.trace.json":      "FAIL root_hash missing 1:214",
		"sdk-trace/bad-not-finalized.trace.json":     "FAIL finalized not-finalized 1:14",
		"sdk-trace/bad-seed.trace.json":              "FAIL root_hash hash-differs 1:214",
		"sdk-trace/bad-simulate-input.trace.json":    "warn steps[0].input_hash input-not-recoverable 1:355",
		"sdk-trace/bad-step-index-gap.trace.json":    "FAIL steps[1].step_index index-gap 1:849",
		"sdk-trace/bad-steps-reordered.trace.json": "FAIL root_hash hash-differs 1:214\n" +
			"FAIL steps[0].step_index index-gap 1:552\nFAIL steps[1].step_index index-gap 1:849",
		"trace-record/replay-category.json": "FAIL pair.parity parity-broken 49:24",
		"trace-record/replay-retry.json":    "FAIL pair.parity parity-broken 54:19",
		// Its steps are the same, its costs are not: "cost_cents is not compared,
		// against the document".
		"trace-record/replay-same.json":            "warn pair.steps[0].cost_cents cost-differs 55:18",
		"workflow-golden/run-ok.steps.jsonl":       sensitive,
		"workflow-golden/run-nosecret.steps.jsonl": "FAIL .sig empty-key 0:0\n" + sensitive, // "with a golden secret set, the empty key fails" (issue 11)
		"doc-derived/bad-replay-diverged.outcomes.json": "FAIL pair[0].code replay-differs 6:11\nFAIL pair[1].cost_cents replay-differs 37:17\n" +
			"FAIL pair[0].observability.backend_retries replay-differs 26:23\nFAIL pair[1].side_effects side-effect-differs 40:19",
		"doc-derived/bad-schema.outcomes.json": "FAIL [0].cost_cents schema 9:17\nFAIL [0].extra unknown-field 29:12\n" +
			"FAIL [1].status schema 34:13\nFAIL [1].timestamp missing 31:2",
	}
	seen := 0
	for _, pattern := range []string{"sdk-trace/*.json", "trace-record/*.json", "workflow-golden/*.jsonl", "doc-derived/*.json"} {
		names, err := filepath.Glob(filepath.Join("../../testdata/aos/vectors", pattern))
		if err != nil || len(names) == 0 {
			t.Fatal(pattern, err)
		}
		for _, name := range names {
			name = strings.TrimPrefix(filepath.ToSlash(name), "../../testdata/aos/vectors/")
			if strings.HasSuffix(name, "/verdicts.json") {
				continue
			}
			seen++
			r := Format{Config{GoldenSecret: []byte("ci-secret")}}.Verify(t.Context(), &verify.Evidence{Path: name, Tree: vectors()})
			if got := bad(r); got != want[name] {
				t.Errorf("%s:\n%s\nwant\n%s", name, got, want[name])
			}
			if !strings.Contains(name, "/bad-") && !strings.HasPrefix(name, "trace-record/replay-") && !strings.Contains(name, "nosecret") && r.Count(verify.Fail) > 0 {
				t.Errorf("%s is good and fails", name)
			}
			if r.Unchecked != "" || !strings.HasPrefix(r.SHA256, "sha256:") {
				t.Errorf("%s: %+v", name, r)
			}
		}
	}
	if seen != 25 {
		t.Errorf("%d vectors were judged", seen)
	}
}

// Trace.verify() covers the seed, the frozen time, the tenant and eight members
// of each step. Where it says no, there is a FAIL in the rows that it speaks for.
func TestTheSDKsVerdict(t *testing.T) {
	doc := jsondoc.Parse([]byte(read(t, "verdicts.json")))
	for _, v := range doc.Root.Items() {
		r := judged(vectors(), v.Get("path").Text())
		broken := false
		for _, c := range r.Checks {
			switch c.Field {
			case "finalized", "root_hash", "steps[0].input_hash":
				broken = broken || c.Status == verify.Fail
			}
		}
		if verdict := v.Get("verify"); broken == isTrue(verdict) {
			t.Errorf("%s: verify() says %s", v.Get("path").Text(), verdict.Text())
		}
	}
}

// Step hashes, checksums and parity are those of the backend.
func TestTheBackendsVerdict(t *testing.T) {
	doc := jsondoc.Parse([]byte(read(t, "trace-record/verdicts.json")))
	for _, v := range doc.Root.Items() {
		name := v.Get("path").Text()
		record := jsondoc.Parse([]byte(read(t, name)))
		for i, step := range record.Root.Get("steps").Items() {
			if got, want := stepHash(record, step), v.Get("step_hashes").Items()[i].Text(); got != want {
				t.Errorf("%s: step hash %d is %s, want %s", name, i, got, want)
			}
		}
		if got, want := checksumOf(record), v.Get("checksum").Text(); got != want {
			t.Errorf("%s: checksum %s, want %s", name, got, want)
		}
		if strings.HasSuffix(name, "/orig.json") {
			continue
		}
		parity := row(t, judged(vectors(), name), "pair.parity")
		if (parity.Status == verify.OK) != isTrue(v.Get("parity").Get("is_parity")) || parity.Input != "trace-record/orig.json" {
			t.Errorf("%s: %+v", name, parity)
		}
	}
}

// The inputs of a verdict, in the order in which they are looked for.
func TestInputs(t *testing.T) {
	for name, want := range map[string][]string{
		"trace-record/replay-same.json":        {"trace-record/orig.json"},
		"workflow-golden/run-ok.steps.jsonl":   {"workflow-golden/run-ok.steps.jsonl.sig"},
		"doc-derived/replay-ok.outcomes.json":  {"doc-derived/plan.json", "doc-derived/original.outcomes.json", "doc-derived/replay-ok.trace.json"},
		"doc-derived/replay-ok.trace.json":     {"doc-derived/original.outcomes.json", "doc-derived/replay-ok.outcomes.json"},
		"doc-derived/original.outcomes.json":   {"doc-derived/plan.json"},
		"doc-derived/plan.json":                nil,
		"sdk-trace/two-steps.trace.json":       nil,
		"sdk-trace/absent.trace.json":          nil,
		"trace-record/verdicts.json":           nil,
		"workflow-golden/run-ok.steps.jsonl.x": nil,
	} {
		view, reads := vectors().Noting()
		r := Format{}.Verify(t.Context(), &verify.Evidence{Path: name, Tree: view})
		var got []string
		for _, in := range r.Inputs {
			got = append(got, in.Path)
			if !reads.Any(nil, func(r verify.Read) bool { return r.Op == verify.OpFile && r.Name == in.Path }) {
				t.Errorf("%s: %s was not read", name, in.Path)
			}
			if vouched := in.Role == "original" || in.Role == "replay"; vouched != in.Subject {
				t.Errorf("%s: %+v", name, in)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s rests on %q, want %q", name, got, want)
		}
	}
}

// What a judgement is given that another one read is noted for both.
func TestSharedReadsAreNoted(t *testing.T) {
	orig := read(t, "trace-record/orig.json")
	naming := edit(t, read(t, "trace-record/replay-retry.json"), `"metadata": {}`, `"metadata": {"replay_of": "orig"}`)
	shared := tree(map[string]string{"a/x.tracerecord.json": naming, "a/z.tracerecord.json": naming, "b/y.tracerecord.json": orig})
	for _, name := range []string{"a/x.tracerecord.json", "a/z.tracerecord.json"} {
		view, reads := shared.Noting()
		Format{}.Verify(t.Context(), &verify.Evidence{Path: name, Tree: view})
		got := make(map[verify.Read]bool)
		for _, r := range reads.All() {
			got[r] = true
		}
		for _, want := range []verify.Read{
			{Op: verify.OpFile, Name: "b/y.tracerecord.json", Outcome: verify.Found},
			{Op: verify.OpFile, Name: "a/orig.tracerecord.json", Outcome: verify.Absent},
			{Op: verify.OpUnder, Name: ".", Outcome: verify.Found},
		} {
			if !got[want] {
				t.Errorf("%s: %+v is not among %+v", name, want, reads.All())
			}
		}
	}
}

// A row points at the value that it shows.
func TestRowsPointAtTheirValues(t *testing.T) {
	pointed := 0
	for _, name := range vectors().Files() {
		if ending(name) == signatureEnding {
			continue
		}
		lines := strings.Split(read(t, name), "\n")
		for _, c := range judged(vectors(), name).Checks {
			if c.Location.Line == 0 || c.Recorded == "" || strings.HasPrefix(c.Field, "pair") {
				continue
			}
			pointed++
			at := string([]rune(lines[c.Location.Line-1])[c.Location.Column-1:])
			if !strings.HasPrefix(strings.TrimPrefix(at, `"`), c.Recorded) {
				t.Errorf("%s: %s shows %q and points at %.40q", name, c.Field, c.Recorded, at)
			}
		}
	}
	if pointed < 60 {
		t.Errorf("only %d rows point anywhere", pointed)
	}
}

// An original that is held for several replays is read by each of them.
func TestAHeldOriginalIsReadByAll(t *testing.T) {
	t.Parallel()
	shared := tree(map[string]string{"run.outcomes.json": outcome, "run-replay-1.outcomes.json": outcome, "run-replay-2.outcomes.json": outcome})
	for _, name := range []string{"run-replay-1.outcomes.json", "run-replay-2.outcomes.json"} {
		view, reads := shared.Noting()
		Format{}.Verify(t.Context(), &verify.Evidence{Path: name, Tree: view})
		if !reads.Any(nil, func(r verify.Read) bool { return r.Name == "run.outcomes.json" && r.Outcome == verify.Found }) {
			t.Errorf("%s: %+v", name, reads.All())
		}
	}
}
