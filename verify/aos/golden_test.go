package aos

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"

	"github.com/replay-gate/replay-gate/verify"
)

const goldenName = "golden/run-ok.steps.jsonl"

// key is the secret that run-ok is signed with.
const key = "ci-secret"

func sign(key, text string) string {
	mac := hmac.New(sha256.New, []byte(key))
	mac.Write([]byte(text))
	return hex.EncodeToString(mac.Sum(nil))
}

// withKey judges a golden with its signature by the configured key.
func withKey(t *testing.T, text, signature string) verify.Result {
	t.Helper()
	return Format{Config{GoldenSecret: []byte(key)}}.Verify(t.Context(), &verify.Evidence{
		Path: goldenName, Tree: tree(map[string]string{goldenName: text, goldenName + ".sig": signature}),
	})
}

// clean is run-ok without the values that its recorder should have redacted.
func clean(t *testing.T) string {
	t.Helper()
	text := edit(t, edit(t, read(t, "workflow-golden/run-ok.steps.jsonl"), `"api_key":"k-123"`, `"api_key":"[REDACTED]"`), `,"token":"t"`, ``)
	return edit(t, text, "d7af93c8b82fa0ef", row(t, alone(goldenName, text), "steps[0].output_hash").Observed)
}

// An edit of any of the recording's own claims is found, whoever signed it.
func TestGoldenValues(t *testing.T) {
	whole := read(t, "workflow-golden/run-ok.steps.jsonl")
	lines := strings.SplitAfter(whole, "\n")
	const edited = "\nwarn steps[0].inputs sensitive-name\nwarn steps[0].output sensitive-name"
	tests := []struct {
		name, text, want string
	}{
		{"as recorded", whole, ""},
		{"a volatile member", edit(t, whole, `"duration_ms":245`, `"duration_ms":9`), ""},
		{"a null", edit(t, whole, `"note":null,`, ``), ""},
		{"the seventh decimal", edit(t, whole, `3.14159265`, `3.14159266`), ""},
		{"the sixth decimal", edit(t, whole, `3.14159265`, `3.14158265`), "\nFAIL steps[0].output_hash output-edited"},
		{"an output", edit(t, whole, `"status_code":200`, `"status_code":201`), "\nFAIL steps[0].output_hash output-edited"},
		{"a step's seed", edit(t, whole, `15554826178763638935`, `15554826178763638936`), "\nFAIL steps[0].seed seed-differs"},
		{"a seed as float64 has it", edit(t, whole, `15554826178763638935`, `15554826178763638784`), "\nFAIL steps[0].seed seed-differs"},
		{"the run's seed", edit(t, whole, `"seed":12345,`, `"seed":54321,`), "\nFAIL steps[0].seed seed-differs\nFAIL steps[1].seed seed-differs"},
		{"no end", lines[0] + lines[1] + lines[2], "\nFAIL run_end missing-end"},
		{"no start", lines[1] + lines[2] + lines[3], "\nFAIL events[0] event-order"},
		{"a step missing", lines[0] + lines[1] + lines[3], "\nFAIL run_start.steps_count count-differs"},
		{"a step missing in a run that failed", lines[0] + lines[1] + edit(t, lines[3], `"completed"`, `"failed"`), ""},
		{"a step more", lines[0] + lines[1] + lines[2] + edit(t, edit(t, lines[2], `"index":1`, `"index":2`), "12451472201012505513", stepSeed("12345", 2)) + lines[3], "\nFAIL run_start.steps_count count-differs"},
		{"steps swapped", lines[0] + lines[2] + lines[1] + lines[3], "\nFAIL events[1] event-order\nFAIL events[2] event-order\nFAIL steps[0].seed seed-differs\nFAIL steps[1].seed seed-differs"},
		{"a step after the end", lines[0] + lines[1] + lines[3] + lines[2], "\nFAIL events[3] event-order"},
		{"another run's step", lines[0] + lines[1] + strings.Replace(lines[2], `"run-ok"`, `"run-x"`, 1) + lines[3], "\nFAIL events[2] run-differs"},
		{"an unknown event", whole + `{"event_type":"note","run_id":"run-ok"}`, "\nFAIL events[4] unknown-value"},
		{"an unknown end", edit(t, whole, `"completed"`, `"fine"`), "\nwarn run_end.status unknown-value"},
		{"a line that breaks off", lines[0] + lines[1][:300] + "\n" + lines[2] + lines[3], "\nFAIL json truncated"},
		{"a repeated member", edit(t, whole, `"steps_count":2`, `"steps_count":9,"steps_count":2`), "\nFAIL json duplicate-key"},
	}
	for _, tt := range tests {
		r := withKey(t, tt.text, sign(key, tt.text))
		got := strings.TrimSuffix("\n"+faults(r), "\n")
		if tt.name == "a line that breaks off" || tt.name == "steps swapped" || tt.name == "no start" {
			// The secrets are found elsewhere, or not at all.
			got = strings.Join(filter(strings.Split(got, "\n"), "sensitive-name"), "\n")
		} else if !strings.HasSuffix(got, edited) {
			t.Errorf("%s: %s", tt.name, got)
		}
		if got = strings.TrimSuffix(got, edited); got != tt.want {
			t.Errorf("%s: got%s\nwant%s", tt.name, got, tt.want)
		}
	}
	says(t, row(t, withKey(t, tests[6].text, ""), "steps[0].seed"), verify.Fail, "expected 15554826178763638935, recorded 15554826178763638936")
	says(t, row(t, withKey(t, tests[5].text, ""), "steps[0].output_hash"), verify.Fail, "output edited")
	if c := row(t, withKey(t, tests[6].text, ""), "steps[0].seed"); c.Location.Line != 2 {
		t.Errorf("the seed of the first step is on line 2, not %d", c.Location.Line)
	}
}

func filter(lines []string, without string) []string {
	var kept []string
	for _, l := range lines {
		if !strings.Contains(l, without) {
			kept = append(kept, l)
		}
	}
	return kept
}

// A golden whose first line is broken is still one: it fails for that line, and
// not for what the line would have said.
func TestBrokenFirstLine(t *testing.T) {
	text := clean(t)
	_, rest, _ := strings.Cut(text, "\n")
	for golden, want := range map[string]string{
		"<<<<<<< HEAD\n" + rest: "FAIL evidence conflict-markers", `{"data":{"seed":1` + "\n" + rest: "FAIL json truncated",
		"\ufeff" + text: "FAIL evidence byte-order-mark",
	} {
		r := withKey(t, golden, sign(key, golden))
		if got := faults(r); got != want || r.Unchecked == "" {
			t.Errorf("%.20q: %s", golden, got)
		}
	}
}

// ".sig: verifies with configured key; no key → info; verifies with the empty key
// → warn", and "with a golden secret set, the empty key fails" (issue 11).
func TestSignature(t *testing.T) {
	text := clean(t)
	tests := []struct {
		name, key, signature string
		status               verify.Status
		reason               string
	}{
		{"the configured key", key, sign(key, text), verify.OK, "configured key"},
		{"with a line end", key, sign(key, text) + "\n", verify.OK, "configured key"},
		{"another key", key, sign("other", text), verify.Fail, "signature does not match"},
		{"another text", key, sign(key, text+" "), verify.Fail, "signature does not match"},
		{"no key", "", sign(key, text), verify.Info, "no key is configured"},
		{"the empty key", key, sign("", text), verify.Fail, "signed with the empty key"},
		{"the empty key and none configured", "", sign("", text), verify.Warn, "signed with the empty key"},
		{"upper case", key, strings.ToUpper(sign(key, text)), verify.Fail, "lower-case"},
		{"nothing", key, "", verify.Fail, "64 lower-case hex"},
	}
	for _, tt := range tests {
		fsys := tree(map[string]string{goldenName: text, goldenName + ".sig": tt.signature})
		c := row(t, Format{Config{GoldenSecret: []byte(tt.key)}}.Verify(t.Context(), &verify.Evidence{Path: goldenName, Tree: fsys}), ".sig")
		t.Log(tt.name)
		says(t, c, tt.status, tt.reason)
		if c.Input != goldenName+".sig" || strings.Contains(c.Reason+c.Recorded+c.Observed, key) {
			t.Errorf("%+v", c)
		}
	}
	r := alone(goldenName, text)
	says(t, row(t, r, ".sig"), verify.Warn, "no signature")
	if len(r.Inputs) != 1 || !r.Inputs[0].Missing {
		t.Errorf("%+v", r.Inputs)
	}
}

// "inputs, output: possible secret (goldens are not redacted)". What is found is
// never shown.
func TestSecretsInGoldens(t *testing.T) {
	text := clean(t)
	for _, tc := range []struct{ name, value, want string }{
		{"note", "nothing", ""},
		{"note", "Bearer abcdef0123456789", "FAIL steps[1].inputs possible-secret"},
		{"note", "the bearer of good news", ""},
		{"note", "AKIA" + strings.Repeat("Q", 16), "FAIL steps[1].inputs possible-secret"},
		{"api_key", "sk-" + strings.Repeat("x", 24), "FAIL steps[1].inputs possible-secret"},
		{"note", "-----BEGIN RSA PRIVATE KEY-----", "FAIL steps[1].inputs possible-secret"},
		{"Authorization", "k", "warn steps[1].inputs sensitive-name"},
		{"db_password", "hunter2", "warn steps[1].inputs sensitive-name"},
		{"password", "[REDACTED]", ""},
		{"password", "", ""},
	} {
		golden := edit(t, text, `{"path":"$.email"}`, `{"x":[{"`+tc.name+`":"`+tc.value+`"}]}`)
		r := withKey(t, golden, sign(key, golden))
		if got := faults(r); got != tc.want {
			t.Errorf("%s = %q: got %s, want %s", tc.name, tc.value, got, tc.want)
		}
		for _, c := range r.Checks {
			if len(tc.value) > 6 && strings.Contains(c.Recorded+c.Reason+c.Observed, tc.value) && tc.want != "" {
				t.Errorf("%q is shown: %+v", tc.value, c)
			}
		}
	}
}
