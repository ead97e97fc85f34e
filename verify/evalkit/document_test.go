package evalkit

import (
	"strings"
	"testing"

	"github.com/replay-gate/replay-gate/verify"
)

// The example of the page "Record & Replay", as it stands there.
const documentsExample = `{"_meta":{"schemaVersion":"1.0.0","suiteId":"smoke","caseId":"greeting","configHash":"abc123","recordedAt":"2026-02-28T12:00:00.000Z","frameworkVersion":"0.0.2"}}
{"output":{"text":"Agent response","latencyMs":150,"toolCalls":[]}}
`

// "Each fixture is a JSONL file with two lines" ("Record & Replay") and the example behind
// it: no version of the tool wrote its keys in that order ("Keys are sorted
// deterministically") or a hash of six digits, so it is refused, with a sentence that names
// the page.
func TestDocumentsOwnExample(t *testing.T) {
	t.Parallel()
	r := judgeText(Format{}, documentsExample)
	if got := bad(r); got != "FAIL _meta.configHash malformed-hash 1:86\nwarn file.bytes not-as-written 1:53" {
		t.Errorf("got\n%s", got)
	}
	if c := row(t, r, "_meta.configHash"); !strings.HasSuffix(c.Reason, `; the page "Record & Replay" shortens the one of its example, and the tool none`) {
		t.Errorf("%+v", c)
	}
	// The sentence is for what is short, and not for every hash that is wrong.
	r = judgeText(Format{}, edited(t, "aa6a2f5ddd9e5d98", "AA6A2F5DDD9E5D98"))
	if c := row(t, r, "_meta.configHash"); c.Status != verify.Fail || strings.Contains(c.Reason, "page") {
		t.Errorf("%+v", c)
	}
}

// "Fixtures are keyed by a config hash computed from the suite name and targetVersion. This is
// intentionally narrow — grader changes and case additions/removals do not invalidate
// fixtures" ("Record & Replay").
func TestGradersAndCasesInvalidateNothing(t *testing.T) {
	t.Parallel()
	for _, config := range []string{
		`[{ name: "smoke", targetVersion: "v2.0.0", cases: [{ id: "greeting" }] }]`,
		`[{ name: "smoke", targetVersion: "v2.0.0", cases: [{ id: "greeting" }, { id: "other" }], graders: [contains("x")] }]`,
		`[{ name: "smoke", targetVersion: "v2.0.0", cases: [{ id: "greeting", expected: "y" }], description: "z", gates: { passRate: 1 } }]`,
	} {
		r := judgeTree(Format{}, in("export default { suites: "+config+" }"), greetingPath)
		if c := row(t, r, "_meta.configHash"); c.Status != verify.OK || r.Count(verify.Fail) > 0 {
			t.Errorf("%s: %s", config, bad(r))
		}
	}
}
