package ahd

import (
	"slices"
	"strings"
	"testing"

	"github.com/replay-gate/replay-gate/verify"
)

func recordOf(text string) verify.Record {
	fsys := repo()
	fsys[sidecarPath].Data = []byte(text)
	return Format{}.Record(&verify.Evidence{Path: sidecarPath, Tree: verify.NewTree(fsys)})
}

// weights writes the values that differ between two records, with what that means.
func weights(a, b verify.Record) string {
	names := map[verify.Weight]string{verify.Claimed: "claimed", verify.Noted: "noted", verify.Placed: "placed", verify.Naming: "naming"}
	was := make(map[string]verify.Value)
	for _, v := range a.Values {
		was[v.Path] = v
	}
	var all []string
	for _, v := range b.Values {
		if was[v.Path].Text != v.Text {
			all = append(all, v.Path+" "+names[v.Weight])
		}
		delete(was, v.Path)
	}
	for _, v := range a.Values {
		if _, gone := was[v.Path]; gone {
			all = append(all, v.Path+" gone "+names[v.Weight])
		}
	}
	return strings.Join(all, "; ")
}

// Issue 11, What was recorded stays as it was recorded: one row per changed value.
func TestRecord(t *testing.T) {
	newer := strings.Replace(valid, `"provider_request_ids": []`,
		`"provider_request_ids": [], "sample_requests": [{"sample": 1, "request_id": "req_secret_3"}]`, 1)
	newer = strings.Replace(newer, `"conditions"`, `"note": "x", "measurements": [{"samples": [{"hash": "a"}]}], "conditions"`, 1)
	whole := recordOf(newer)
	for _, tc := range []struct{ old, with, want string }{
		{"", "", ""},
		{`"schema_version": 1`, `"schema_version":   1.0`, ""}, // layout
		{sha(tokenValue), sha(""), "token.hash claimed"},
		{sha(briefText), sha(""), "brief.hash claimed"},
		{`"tokens/quiet.yml"`, `"/w/ahd/tokens/quiet.yml"`, "token.path placed"},
		{`"briefs/poster.md",`, `"/w/ahd/briefs/poster.md",`, "argv[5] naming"},
		{`"n": 30, "temp`, `"n": 300, "temp`, "sampling.n claimed"},
		{`"seed": 7`, `"seed": 8`, "sampling.seed claimed"},
		{`"id": "m-1"`, `"id": "m-3"`, "models[0].id claimed"},
		{`"req_secret_2"`, `"req_secret_9"`, "models[0].provider_request_ids[1] claimed"},
		{`, "req_secret_2"`, ``, "models[0].provider_request_ids[1] gone claimed"},
		{"0123456789abcdef0123456789abcdef01234567", "f123456789abcdef0123456789abcdef01234567", "ahd_commit claimed"},
		{`"git_dirty": false`, `"git_dirty": true`, "git_dirty claimed"},
		{`"note": "x"`, `"note": "y"`, "note noted"}, // consumers ignore unknown fields
		{`"n": 30, "temp`, `"top_p": 1, "n": 30, "temp`, "sampling.top_p noted"},
		{`{"id": "m-1",`, `{"tier": 1, "id": "m-1",`, "models[0].tier noted"},
		{`"hash": "a"`, `"hash": "b"`, "measurements[0].samples[0].hash claimed"},
		{`"req_secret_3"`, `"req_secret_4"`, "models[1].sample_requests[0].request_id claimed"},
		{`"requested": ["raw", "compiled"]`, `"requested": ["raw"]`, "conditions.requested[1] gone claimed"},
	} {
		text := strings.Replace(newer, tc.old, tc.with, 1)
		if text == newer && tc.old != "" {
			t.Fatalf("%s is not there", tc.old)
		}
		if got := weights(whole, recordOf(text)); got != tc.want {
			t.Errorf("%s to %s: %s, want %s", tc.old, tc.with, got, tc.want)
		}
	}
	for _, v := range whole.Values {
		if strings.Contains(v.Shown, "req_secret") {
			t.Errorf("%s shows a request id: AHD replay, Markdown redactions: the rendering surfaces only a count", v.Path)
		}
	}
}

// A run is named by its start and its command; its calls' ids stay with it under any name.
func TestRunIdentity(t *testing.T) {
	whole := recordOf(valid)
	same := func(old, with string) bool {
		return recordOf(strings.Replace(valid, old, with, 1)).Identity == whole.Identity
	}
	if !same(sha(tokenValue), sha("")) || !same("25.380Z", "25.38Z") {
		t.Error("one run has two names")
	}
	if same("25.380Z", "25.381Z") || same(`"--n", "30"`, `"--n", "31"`) || same(`"eval-live", "quiet"`, `"eval-live\" \"quiet"`) {
		t.Error("two runs have one name")
	}
	if moved := recordOf(strings.Replace(valid, "25.380Z", "25.381Z", 1)); !slices.Equal(moved.Traces, whole.Traces) || len(moved.Traces) != 2 {
		t.Errorf("traces %q", moved.Traces)
	}
	if len(recordOf(strings.ReplaceAll(valid, `"req_secret_2"`, `"req_secret_1", " "`)).Traces) != 1 {
		t.Error("an id counts twice, or a blank counts")
	}
	backfilled := strings.Replace(valid, `"argv": [`, `"backfilled": true, "argv": [], "x": [`, 1)
	if recordOf(backfilled).Identity == "" {
		t.Error("a backfilled sidecar has no identity")
	}
	for _, text := range []string{
		strings.Replace(valid, `"invoked_at"`, `"invoked"`, 1), strings.Replace(valid, `"argv"`, `"args"`, 1),
		valid[:len(valid)-9], "[]", strings.Replace(valid, `"schema_version": 1`, `"schema_version": 2`, 1),
	} {
		if got := recordOf(text); got.Identity != "" {
			t.Errorf("%.60s: %q", text, got.Identity)
		}
	}
}
