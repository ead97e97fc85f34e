package evalkit

import (
	"strings"
	"testing"

	"github.com/replay-gate/replay-gate/verify"
)

// Each rule of the format, by one edit of a fixture in which everything holds.
// Places are those of the value or name that is at fault.
func TestRules(t *testing.T) {
	for _, tc := range []struct{ name, old, with, want string }{
		{"untouched", "x", "x", ""},

		// Two lines, each a JSON object ("Record & Replay").
		{"meta line twice", `{"output":`, greetingMeta + `{"output":`,
			"warn file.lines extra-content 3:1\nFAIL line 2._meta unknown-field 2:2\nFAIL output missing 2:1"},
		{"a list", `{"output":{"latencyMs":150,"text":"Agent response","toolCalls":[]}}`, `[]`, "FAIL file wrong-type 2:1"},
		{"invalid UTF-8", "Agent", "\xffgent", "FAIL file invalid-utf8 2:0"},
		{"places behind a byte order mark", `{"_meta":{"caseId":"greeting"`, "\ufeff" + `{"_meta":{"caseId":"x"`,
			"FAIL file byte-order-mark 1:1\nFAIL path.file wrong-file 1:21"},
		{"CRLF", "}}\n{", "}}\r\n{", "warn file.lines crlf 1:0"},
		{"CR alone is a line's content", "}}\n{", "}}\n\r\n{", "FAIL file broken-json 2:2\nwarn file.lines crlf 1:0"},
		{"blank line", "}}\n{", "}}\n\n{", "warn file.lines blank-line 2:0"},
		{"third line", "[]}}\n", "[]}}\n{}\n", "warn file.lines extra-content 3:1"},
		{"no final newline", "[]}}\n", "[]}}", "warn file.lines no-final-newline 2:0"},
		{"duplicate key", `"latencyMs":150,`, `"latencyMs":1,"latencyMs":150,`,
			"FAIL file.keys duplicate-key 2:26\nwarn file.bytes not-as-written 2:26"},

		// The folder and file are named for suite and case.
		{"other suite", `"suiteId":"smoke"`, `"suiteId":"other"`,
			"FAIL path.folder wrong-folder 1:164\nwarn _meta.suiteId undeclared-suite 1:164\ninfo _meta.configHash cannot-verify 1:44"},
		{"other case", `"caseId":"greeting"`, `"caseId":"x"`, "FAIL path.file wrong-file 1:20"},

		// _meta is closed and holds six strings.
		{"unknown key beside _meta", `"smoke"}}`, `"smoke"},"x":1}`, "FAIL line 1.x unknown-field 1:173"},
		{"_meta renamed", `"_meta"`, `"meta"`, "FAIL line 1.meta unknown-field 1:2\nFAIL _meta missing 1:1"},
		{"unknown key", `"suiteId":"smoke"`, `"suiteId":"smoke","x":1`, "FAIL _meta.x unknown-field 1:172"},
		{"null", `"0.1.0"`, `null`, "FAIL _meta.frameworkVersion wrong-type 1:82"},
		{"schemaVersion 2", `"1.0.0"`, `"2.0.0"`, "FAIL _meta.schemaVersion unknown-version 1:146"},
		{"empty suite", `"smoke"`, `""`,
			"FAIL path.folder wrong-folder 1:164\nFAIL _meta.suiteId empty 1:164\ninfo _meta.configHash cannot-verify 1:44"},
		{"empty case", `"greeting"`, `""`, "FAIL path.file wrong-file 1:20\nFAIL _meta.caseId empty 1:20"},
		{"hash in capitals", "aa6a2f5ddd9e5d98", "AA6A2F5DDD9E5D98", "FAIL _meta.configHash malformed-hash 1:44"},
		{"hash of no targetVersion", "aa6a2f5ddd9e5d98", "3384755057a07ac4", "FAIL _meta.configHash hash-differs 1:44"},
		{"nonsense time", "2026-02-28T12:00:00.000Z", "yesterday", "FAIL _meta.recordedAt malformed-time 1:103"},
		{"no such day", "2026-02-28T12:00:00.000Z", "2026-02-30T12:00:00.000Z", "FAIL _meta.recordedAt malformed-time 1:103"},
		{"no milliseconds", "12:00:00.000Z", "12:00:00Z", "FAIL _meta.recordedAt malformed-time 1:103"},
		{"five minutes ahead", "2026-02-28T12:00:00.000Z", "2026-03-05T00:05:00.000Z", ""},
		{"more than that", "2026-02-28T12:00:00.000Z", "2026-03-05T00:05:00.001Z", "FAIL _meta.recordedAt future 1:103"},
		{"14 days", "2026-02-28T12:00:00.000Z", "2026-02-19T00:00:00.000Z", ""},
		{"14 days and a millisecond", "2026-02-28T12:00:00.000Z", "2026-02-18T23:59:59.999Z", "warn age stale 1:103"},
		{"no version", `"0.1.0"`, `"latest"`, "info _meta.frameworkVersion not-a-version 1:82"},

		// output is closed at every level, and typed.
		{"unknown key beside output", "[]}}", `[]},"x":1}`, "FAIL line 2.x unknown-field 2:68"},
		{"output is a string", `{"output":{"latencyMs":150,"text":"Agent response","toolCalls":[]}}`, `{"output":"x"}`, "FAIL output wrong-type 2:11"},
		{"no latency", `"latencyMs":150,`, ``, "FAIL output.latencyMs missing 2:11"},
		{"latency as text", `150`, `"150"`, "FAIL output.latencyMs wrong-type 2:24"},
		{"latency without end", `150`, `1e999`, "FAIL output.latencyMs out-of-range 2:24\nwarn file.bytes not-as-written 2:24"},
		{"null text", `"Agent response"`, `null`, "FAIL output.text wrong-type 2:35"},
		{"calls as an object", `[]`, `{}`, "FAIL output.toolCalls wrong-type 2:64"},
		{"a call as a string", `[]`, `["search"]`, "FAIL output.toolCalls[0] wrong-type 2:65"},
		{"a call without a name", `[]`, `[{"name":"a"},{}]`, "FAIL output.toolCalls[1].name missing 2:78"},
		{"a name that is none", `[]`, `[{"name":1}]`, "FAIL output.toolCalls[0].name wrong-type 2:73"},
		{"args as a list", `[]`, `[{"args":[],"name":"a"}]`, "FAIL output.toolCalls[0].args wrong-type 2:73"},
		{"any result", `[]`, `[{"name":"a","result":null}]`, ""},
		{"usage", `"toolCalls":[]`, `"tokenUsage":{"input":9007199254740991}`, ""},
		{"usage beyond 2^53-1", `"toolCalls":[]`, `"tokenUsage":{"input":9007199254740992}`, "FAIL output.tokenUsage.input out-of-range 2:74"},
		{"negative usage", `"toolCalls":[]`, `"tokenUsage":{"output":-1}`, "FAIL output.tokenUsage.output out-of-range 2:75"},
		{"usage as text", `"toolCalls":[]`, `"tokenUsage":{"input":"1"}`, "FAIL output.tokenUsage.input wrong-type 2:74"},
		{"unknown usage", `"toolCalls":[]`, `"tokenUsage":{"total":1}`, "FAIL output.tokenUsage.total unknown-field 2:66"},
		{"usage as a number", `"toolCalls":[]`, `"tokenUsage":1`, "FAIL output.tokenUsage wrong-type 2:65"},
		{"negative cost", `"latencyMs"`, `"cost":-0.5,"latencyMs"`, "FAIL output.cost negative 2:19"},
		{"raw", `"text"`, `"raw":{},"text"`, "warn output.raw raw-kept 2:34"},
		{"1.0 is an integer, and not as written", `"toolCalls":[]`, `"tokenUsage":{"input":1.0}`, "warn file.bytes not-as-written 2:74"},
	} {
		text := greeting
		if tc.old != tc.with {
			text = edited(t, tc.old, tc.with)
		}
		if got := bad(judgeText(smoke(), text)); got != tc.want {
			t.Errorf("%s: got\n%s\nwant\n%s", tc.name, got, tc.want)
		}
	}
}

// An empty file, and one that is not there.
func TestNothingToJudge(t *testing.T) {
	r := judgeText(smoke(), "")
	if got := bad(r); got != "FAIL file empty 1:1" || r.Unchecked == "" {
		t.Errorf("empty: %s; unchecked %q", got, r.Unchecked)
	}
	r = judgeTree(smoke(), nil, greetingPath)
	if got := bad(r); got != "FAIL file unreadable 0:0" || r.Unchecked == "" {
		t.Errorf("absent: %s; unchecked %q", got, r.Unchecked)
	}
}

// Every row of a fixture in which everything holds, in the order of the rules.
func TestRowsOfAValidFixture(t *testing.T) {
	var fields []string
	r := judgeText(smoke(), greeting)
	for _, c := range r.Checks {
		fields = append(fields, c.Field)
		if c.Status != verify.OK || c.Location.Path != greetingPath || c.Location.Line == 0 {
			t.Errorf("%+v", c)
		}
	}
	want := "file file.lines file.conflicts file.keys path.folder path.file _meta _meta.schemaVersion _meta.suiteId _meta.caseId " +
		"_meta.configHash suite.configHash _meta.recordedAt age _meta.frameworkVersion output output.latencyMs output.text output.toolCalls file.bytes secrets"
	if got := strings.Join(fields, " "); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if rec := r.Recording; rec.Name != "smoke-greeting" || rec.Tool != "agent-eval-kit" || rec.ToolVersion != "0.1.0" || rec.InvokedAt != "2026-02-28T12:00:00.000Z" {
		t.Errorf("recording %+v", rec)
	}
	if r.Unchecked != "" || r.Inputs != nil || !strings.HasPrefix(r.SHA256, "sha256:") {
		t.Errorf("result %+v", r)
	}
}

// "Record & Replay": stale fixtures warn, and fail with --strict-fixtures. What
// is reformatted does likewise.
func TestStrict(t *testing.T) {
	text := edited(t, "2026-02-28", "2025-02-28")
	text = strings.Replace(text, `"latencyMs":150`, `"latencyMs": 150`, 1)
	want := "FAIL age stale 1:103\nFAIL file.bytes not-as-written 2:24"
	f := smoke()
	f.StrictFixtures = true
	if got := bad(judgeText(f, text)); got != want {
		t.Errorf("strict-fixtures:\n%s", got)
	}
	e := &verify.Evidence{Path: greetingPath, Tree: tree(map[string]string{greetingPath: text}), Now: verify.At(now), Strict: true}
	if got := bad(smoke().Verify(t.Context(), e)); got != want {
		t.Errorf("strict:\n%s", got)
	}
	e.Strict, e.Now = false, nil
	if got := bad(smoke().Verify(t.Context(), e)); got != "warn file.bytes not-as-written 2:24" {
		t.Errorf("without a time there is no age:\n%s", got)
	}
}

func TestDeclaredSuite(t *testing.T) {
	v, keep := "v2.0.0", false
	f := Format{Config{Suites: []Suite{{Name: "smoke", TargetVersion: &v, TTLDays: 4, StripRaw: &keep, Cases: []string{"other"}}}}}
	got := bad(judgeText(f, edited(t, `"text"`, `"raw":{},"text"`)))
	if want := "warn _meta.caseId unknown-case 1:20\nwarn suite.cases case-without-fixture 1:1\nwarn age stale 1:103"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	f.Suites[0].TargetVersion = nil
	r := judgeText(f, greeting)
	if c := row(t, r, "_meta.configHash"); c.Reason != "recorded for another targetVersion: expected 3384755057a07ac4, recorded aa6a2f5ddd9e5d98" || c.Observed != "3384755057a07ac4" {
		t.Errorf("%+v", c)
	}
}

func TestFolders(t *testing.T) {
	for _, tc := range []struct{ dir, path, want string }{
		{"", "packages/a/" + greetingPath, ""},
		{"", ".eval-fixtures/a/" + greetingPath, ""},
		{"eval/recorded/", "a/eval/recorded/smoke-04d588cb/greeting-18f6b020.jsonl", ""},
		{"", ".eval-fixtures/deeper/smoke-04d588cb/greeting-18f6b020.jsonl", "FAIL path.folder wrong-folder 1:164"},
		{"", ".eval-fixtures/greeting-18f6b020.jsonl", "FAIL path.folder wrong-folder 1:164"},
		{"", ".eval-fixtures/smoke/greeting.jsonl", "FAIL path.folder wrong-folder 1:164\nFAIL path.file wrong-file 1:20"},
	} {
		f := smoke()
		f.FixtureDir = tc.dir
		r := judgeTree(f, map[string]string{tc.path: greeting}, tc.path)
		if got := bad(r); got != tc.want {
			t.Errorf("%s: got\n%s\nwant\n%s", tc.path, got, tc.want)
		}
		if tc.path == ".eval-fixtures/smoke/greeting.jsonl" {
			for _, field := range []string{"path.folder", "path.file"} {
				if c := row(t, r, field); !strings.Contains(c.Reason, "before 0.0.5") {
					t.Errorf("%+v", c)
				}
			}
		}
	}
	f := Format{Config{FixtureDir: "./a[b]/c"}}
	if got := f.Patterns()[0]; got != `**/a\[b]/c/**/*.jsonl` {
		t.Error(got)
	}
}

func TestSecrets(t *testing.T) {
	key := "sk-" + strings.Repeat("a1", 12)
	for _, tc := range []struct{ text, want string }{
		{"the bearer of bad news asked for a bearer token of bearer instruments; disk-" + strings.Repeat("x", 24), ""},
		{"use " + key, "possible secret in output.text"},
		{"Bearer\u00a0abcdefg8", "possible secret in output.text"},
		{`x\nAuthorization: Basic eDp5`, "possible secret in output.text"},
		{`escaped \u0073k-` + key[3:], "possible secret in output.text"},
		{"gh" + "p_" + strings.Repeat("aB3", 12), "possible secret in output.text"},
		{"github" + "_pat_" + strings.Repeat("aB3_", 12), "possible secret in output.text"},
		{"AKIA" + strings.Repeat("Q7", 8), "possible secret in output.text"},
		{"AKIAIOSFODNN7EXAMPLE", ""}, // of the provider's documentation
		{"xox" + "b-1234567890-abc", "possible secret in output.text"},
		{"AIza" + strings.Repeat("x", 35), "possible secret in output.text"},
		{"eyJ" + "hbGciOiJIUzI1NiJ9.eyJ" + "zdWIiOiIxMjM0NTY3ODkwIn0.c2ln", "possible secret in output.text"},
		{"-----BEGIN RSA " + `PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0B\n`, "possible secret in output.text"},
		{"-----BEGIN RSA " + `PRIVATE KEY-----\\nMIIEvQIBADANBgkqhkiG9w0B\\n-----END RSA PRIVATE KEY-----`, "possible secret in output.text"},
		{"-----BEGIN RSA " + `PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n`, "possible secret in output.text"},
		{"between -----BEGIN PRIVATE KEY----- and -----END PRIVATE KEY----- stands the key", ""},
		{"SLACK_TOKEN=xoxb-your-token-here", ""},
		{"eyJ is how base64 of JSON begins; XOX, ghp_, ASIA and a PRIVATE KEY----- are words", ""},
	} {
		r := judgeText(smoke(), edited(t, "Agent response", tc.text))
		c := row(t, r, "secrets")
		if c.Reason != tc.want || (c.Status == verify.Fail) != (tc.want != "") {
			t.Errorf("%q: %+v", tc.text, c)
		}
	}
	// Wherever it stands, it is named by its place and not quoted.
	for _, tc := range []struct{ old, with, want string }{
		{"greeting", key, "possible secret in _meta.caseId"},
		{`"toolCalls":[]`, `"toolCalls":[{"args":{"` + key + `":1},"name":"a"}]`, "possible secret in a name in output.toolCalls[0].args"},
		{`"toolCalls":[]`, `"` + key + `":"` + key + `"`, "possible secret in a name in output, output.[possible secret]"},
		{"[]}}\n", "[]}}\n" + key, "possible secret in the text from line 3 on"},
		{`"text"`, key, "possible secret in line 2"},
	} {
		r := judgeText(smoke(), edited(t, tc.old, tc.with))
		if c := row(t, r, "secrets"); c.Reason != tc.want || c.Status != verify.Fail {
			t.Errorf("%s: %+v", tc.with, c)
		}
		for _, c := range r.Checks {
			if all := c.Field + c.Reason + c.Recorded + c.Observed + c.Hint; strings.Contains(all, key[:12]) {
				t.Errorf("quoted: %+v", c)
			}
		}
		if strings.Contains(r.Recording.Name+r.Unchecked, key[:12]) {
			t.Errorf("quoted: %+v", r.Recording)
		}
	}
}
