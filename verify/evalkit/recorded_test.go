package evalkit

import (
	"slices"
	"strings"
	"testing"

	"github.com/replay-gate/replay-gate/verify"
)

func recordOf(text string) verify.Record {
	return Format{}.Record(&verify.Evidence{Path: greetingPath, Tree: tree(map[string]string{greetingPath: text})})
}

// A recording always moves recordedAt: the same one with another output, hash or latency
// was edited by hand (issue 11, What was recorded stays as it was recorded).
func TestRecord(t *testing.T) {
	full := edited(t, `"toolCalls":[]`, `"raw":{"id":"r"},"tokenUsage":{"input":3},"toolCalls":[{"args":{"q":"x"},"name":"f"}]`)
	whole := recordOf(full)
	for _, tc := range []struct {
		old, with, want string
		claimed         bool
	}{
		{`"text":`, `"text" : `, "", false},
		{`"latencyMs":150`, `"latencyMs":1.5e2`, "", false},
		{"Agent response", "Another", "output.text", true},
		{`"latencyMs":150`, `"latencyMs":15`, "output.latencyMs", true}, // gated by p95LatencyMs
		{"aa6a2f5ddd9e5d98", "3384755057a07ac4", "_meta.configHash", true},
		{`"input":3`, `"input":4`, "output.tokenUsage.input", true},
		{`"q":"x"`, `"q":"y"`, "output.toolCalls[0].args.q", true},
		{`"id":"r"`, `"id":"s"`, "output.raw.id", false},
		{`"frameworkVersion":"0.1.0"`, `"frameworkVersion":"0.1.1"`, "_meta.frameworkVersion", false},
	} {
		got := recordOf(strings.Replace(full, tc.old, tc.with, 1))
		var paths []string
		for i, v := range got.Values {
			if v.Text != whole.Values[i].Text {
				paths = append(paths, v.Path)
				if (v.Weight == verify.Claimed) != tc.claimed {
					t.Errorf("%s: weight %d", v.Path, v.Weight)
				}
			}
		}
		if strings.Join(paths, " ") != tc.want || got.Identity != whole.Identity {
			t.Errorf("%s to %s: %q, want %q", tc.old, tc.with, paths, tc.want)
		}
		output := strings.HasPrefix(tc.want, "output") && tc.claimed
		if slices.Equal(got.Traces, whole.Traces) == output {
			t.Errorf("%s to %s: traces %q", tc.old, tc.with, got.Traces)
		}
	}
}

// A recording is named by suite, case and time, and found again by suite and case.
func TestRecordingIdentity(t *testing.T) {
	whole := recordOf(greeting)
	later := recordOf(edited(t, "2026-02-28T12", "2026-02-28T13"))
	if later.Identity == whole.Identity || later.Subject != whole.Subject || !slices.Equal(later.Traces, whole.Traces) {
		t.Errorf("%+v", later)
	}
	if other := recordOf(edited(t, `"suiteId":"smoke"`, `"suiteId":"smoke greeting"`)); other.Subject == whole.Subject {
		t.Errorf("%+v", other)
	}
	for _, text := range []string{greetingMeta, edited(t, `"suiteId"`, `"suite"`), edited(t, "recordedAt", "recorded"), greeting[:len(greeting)-3]} {
		if got := recordOf(text); got.Identity != "" || len(got.Values) > 0 {
			t.Errorf("%q records %+v", text, got)
		}
	}
	key := "sk-" + strings.Repeat("a1", 12)
	for _, v := range recordOf(edited(t, "Agent response", key)).Values {
		if strings.Contains(v.Shown, key) {
			t.Errorf("%s shows a secret", v.Path)
		}
	}
	var _ verify.Recorder = Format{}
}
