package ahd

import (
	"fmt"
	"strings"
	"testing"

	"github.com/replay-gate/replay-gate/verify"
)

// ids writes n request ids that nothing else has.
func ids(prefix string, n int) string {
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprintf("%q", fmt.Sprintf("%s_%04d", prefix, i))
	}
	return strings.Join(all, ", ")
}

// AHD replay, Fields: "one id per successful provider call. Empty for CLI-spawned runners
// (claude-code, gemini-cli, codex)".
func TestRequestIDs(t *testing.T) {
	const recorded = `"provider": "p", "provider_request_ids": ["req_secret_1", "req_secret_2"]`
	for _, tc := range []struct {
		name, provider, ids, want string
		status                    verify.Status
	}{
		{"fewer", "p", `"a", "b", "c", "d", "e", "f"`, "6 of 60 calls", verify.Info},
		{"none", "p", ``, "0 of 60 calls", verify.Info},
		{"each", "p", ids("req", 60), "", verify.OK},
		{"more", "p", ids("req", 61), "61 ids for 60 calls", verify.Warn},
		{"many", "p", ids("req", 500), "500 ids for 60 calls", verify.Warn},
		{"twice", "p", `"a", "b", "a"`, "1 of them stand twice, and each call has an id of its own", verify.Warn},
		{"a started program", "claude-code-cli", ``, "", verify.OK},
		{"a started program with ids", "claude-code-cli", `"a"`, "the runner is a program that was started, and has no provider to give ids", verify.Warn},
		{"the same", "gemini-cli", `"a"`, "the runner is a program that was started, and has no provider to give ids", verify.Warn},
		{"the same", "codex", `"a"`, "the runner is a program that was started, and has no provider to give ids", verify.Warn},
		{"not one", "google", `"a"`, "1 of 60 calls", verify.Info},
	} {
		with := fmt.Sprintf(`"provider": %q, "provider_request_ids": [%s]`, tc.provider, tc.ids)
		r := check(edited(t, recorded, with))
		c := row(t, r, "models[0].provider_request_ids")
		if c.Reason != tc.want || c.Status != tc.status || !strings.HasSuffix(c.Recorded, " captured") {
			t.Errorf("%s: %+v", tc.name, c)
		}
	}
	across := check(edited(t, `"provider_request_ids": []`, `"provider_request_ids": ["req_secret_1"]`))
	if c := row(t, across, "models[1].provider_request_ids"); c.Code != "duplicate-ids" {
		t.Errorf("an id of another model: %+v", c)
	}
	critique := strings.ReplaceAll(valid, `"eval-live"`, `"critique"`)
	fsys := repo()
	fsys[sidecarPath].Data = []byte(critique)
	if c := row(t, check(fsys), "models[0].provider_request_ids"); c.Status != verify.OK {
		t.Errorf("how many calls a critique makes is not recorded: %+v", c)
	}
}

// AHD replay, Fields: "kind: eval-live | critique | eval-image", and argv is the "full
// process.argv as a list".
func TestKindAgainstSubcommand(t *testing.T) {
	c := row(t, check(edited(t, `"/w/ahd/bin/ahd.js", "eval-live"`, `"/w/ahd/bin/ahd.js", "critique"`)), "argv")
	if c.Code != "argv-disagrees" || c.Reason != "the subcommand critique is not kind eval-live" {
		t.Errorf("%+v", c)
	}
	c = row(t, check(edited(t, `"/w/ahd/bin/ahd.js", "eval-live"`, `"/w/ahd/bin/ahd.js", "wrapper"`)), "argv")
	if c.Status != verify.OK {
		t.Errorf("a subcommand that is no kind: %+v", c)
	}
}

// AHD replay, Fields: "brief: # null on critique runs".
func TestCritiqueWithBrief(t *testing.T) {
	fsys := repo()
	fsys[sidecarPath].Data = []byte(strings.ReplaceAll(valid, `"eval-live"`, `"critique"`))
	if got := bad(check(fsys)); got != "warn brief brief-unexpected 15:12" {
		t.Error(got)
	}
}

// AHD replay, Backfilled sidecars: "What backfilled blocks lack: argv is []; …_request_ids
// are empty; node_version and platform are unknown; temperature and seed are null".
func TestBackfilledHasNothingStored(t *testing.T) {
	r := check(edited(t, `"schema_version": 1,`, `"schema_version": 1, "backfilled": true,`))
	c := row(t, r, "backfilled")
	if c.Status != verify.Warn || !strings.HasSuffix(c.Reason, ": argv, provider_request_ids, node_version, platform, sampling.seed") {
		t.Errorf("%+v", c)
	}
}

// AHD replay, Markdown redactions: "The markdown rendering surfaces only a count
// (provider_request_ids: 3 captured) rather than the values".
func TestPublishedIDs(t *testing.T) {
	for _, tc := range []struct{ value, want string }{
		{"[req_secret_1, req_secret_2]", "warn ids-published"},
		{"[req_secret_1]", "warn ids-published"},
		{"req_secret_2", "warn ids-published"},
		{"\n      - req_secret_1\n      - \"req_secret_2\"", "warn ids-published"},
		{"[req_secret_1, req_other_7]", "FAIL contradicts"},
		{"req_other_7", "FAIL contradicts"},
		{"2 captured", ""},
		{"3 captured", "FAIL contradicts"},
		{"[redacted]", ""},
		{"[]", ""},
		{"withheld", ""},
	} {
		r := withReport(strings.Replace(block, "provider_request_ids: 2 captured", "provider_request_ids: "+tc.value, 1))
		got := ""
		for _, c := range r.Checks {
			if c.Field == "report.models[0].provider_request_ids" {
				got = string(c.Status) + " " + c.Code
			}
			if strings.Contains(c.Reason+c.Recorded+c.Observed, "req_") {
				t.Errorf("%s: an id is shown: %+v", tc.value, c)
			}
		}
		if got != tc.want {
			t.Errorf("%q: %s, want %s: %s", tc.value, got, tc.want, bad(r))
		}
	}
	// A count is compared however long the list is.
	many := edited(t, `["req_secret_1", "req_secret_2"]`, "["+ids("a-rather-long-request-id-of-some-provider", 600)+"]")
	many["docs/run.md"].Data = []byte(strings.Replace(block, "2 captured", "600 captured", 1))
	if got := bad(check(many)); got != "warn models[0].provider_request_ids more-ids-than-calls 21:60" {
		t.Error(got)
	}
}

// AHD replay, Two surfaces: "a fenced ```yaml ahd-replay block at the top of the markdown
// report". What only looks like it is read by nobody (issue 11).
func TestLookalikes(t *testing.T) {
	second := strings.TrimPrefix(block, "# run\n\n")
	for _, tc := range []struct {
		name, text, want string
		line             int
	}{
		{"the block", block, "", 0},
		{"a second", block + "\n" + second, "a second replay block, which is not read", 42},
		{"tildes", "~~~yaml ahd-replay\nkind: critique\n~~~\n", "a block between other fences than the replay block's, which is not read", 1},
		{"four backticks", "# run\n````yaml ahd-replay\nkind: critique\n````\n", "a block between other fences than the replay block's, which is not read", 2},
		{"indented", "# run\n  ```yaml ahd-replay\nkind: critique\n  ```\n", "a block that does not start as the replay block does, and is not read", 2},
		{"in a list", "- ```yaml ahd-replay\n  kind: critique\n  ```\n", "a block that does not start as the replay block does, and is not read", 1},
		{"another case", "```YAML AHD-Replay\nkind: critique\n```\n", "a block that does not start as the replay block does, and is not read", 1},
		{"empty", "```yaml ahd-replay\n```\n\n```yaml\nahd_version: 0.9.0\n```\n", "the replay block is empty, and what stands below it is not read", 1},
		{"another name", "```yaml\nschema_version: 1\nahd_version: 0.11.0\n```\n", "values of a replay block outside of one, which are not read", 3},
		{"a mention", "The ```yaml ahd-replay block is explained elsewhere.\n", "", 0},
	} {
		r := withReport(tc.text)
		got := ""
		for _, c := range r.Checks {
			if c.Code == "lookalike-block" {
				if got = c.Reason; c.Status != verify.Warn {
					t.Errorf("%s: %s", tc.name, c.Status)
				}
				break
			}
		}
		if want := fmt.Sprintf("line %d of the report: %s", tc.line, tc.want); got != want && got+tc.want != "" {
			t.Errorf("%s: %s, want %s", tc.name, got, want)
		}
	}
	if n := len(lookalikes([]byte(strings.Repeat("~~~yaml ahd-replay\n", 1000)))); n != maxLookalikes {
		t.Errorf("%d of them are told", n)
	}
}

// AHD replay, Two surfaces: "The block lands in two places alongside every report". One that
// explains the format with placeholders belongs to no run.
func TestHasBlock(t *testing.T) {
	for text, want := range map[string]bool{
		block:     true,
		"# run\n": false,
		"```yaml ahd-replay\nschema_version: 1\ntoken:\n  hash: sha256:<64-hex>\ninvoked_at: <ISO-8601 UTC>\n```\n": false,
		"```yaml ahd-replay\ninvoked_at: 2026-04-22T23:52:25.380Z # UTC\n```\n":                                     true,
		"```yaml ahd-replay\ntoken:\n  hash: sha256:0123456789ab…\n```\n":                                           true,
	} {
		if got := HasBlock([]byte(text)); got != want {
			t.Errorf("%.60q: %t", text, got)
		}
		voucher := Format{}.VoucherOf("docs/run.md", []byte(text))
		if (voucher == "docs/run.replay.json") != want || !want && voucher != "" {
			t.Errorf("%.60q: its sidecar belongs at %q", text, voucher)
		}
	}
	if (Format{}).VoucherOf("docs/run.txt", []byte(block)) != "" {
		t.Error("a text is a report")
	}
	var _ verify.Vouched = Format{}
}
