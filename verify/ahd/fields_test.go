package ahd

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/replay-gate/replay-gate/verify"
)

// AHD replay, Fields: each field is a check, in the order of the specification.
func TestEveryFieldIsARow(t *testing.T) {
	r := check(repo())
	want := []string{
		"schema_version", "kind", "ahd_version", "ahd_commit", "git_dirty", "node_version", "platform",
		"invoked_at", "argv", "token.path", "token.hash", "brief.path", "brief.hash",
		"sampling.n", "sampling.temperature", "sampling.seed",
		"models[0].id", "models[0].provider", "models[0].provider_request_ids",
		"models[1].id", "models[1].provider", "models[1].provider_request_ids",
		"conditions", "report",
	}
	var got []string
	for _, c := range r.Checks {
		got = append(got, c.Field)
		if c.Status != verify.OK && c.Code != "fewer-ids-than-calls" {
			t.Errorf("%s: %s %s %s", c.Field, c.Status, c.Code, c.Reason)
		}
	}
	if g, w := strings.Join(got, " "), strings.Join(want, " "); g != w {
		t.Errorf("fields\n got %s\nwant %s", g, w)
	}
	if r.Unchecked != "" || r.SHA256 != sha(valid) {
		t.Errorf("Unchecked %q, SHA256 %s", r.Unchecked, r.SHA256)
	}
}

// Every rule about a single field, by the edit that breaks it.
func TestFieldRules(t *testing.T) {
	tests := []struct {
		rule      string
		old, with string
		want      string // as bad writes it
		reason    string // part of the first bad check's reason
	}{
		{"schema_version is an integer", `"schema_version": 1`, `"schema_version": 0.5`, "FAIL schema_version not-an-integer 2:21", "integer"},
		{"schema_version is at least 1", `"schema_version": 1`, `"schema_version": 0`, "FAIL schema_version not-an-integer 2:21", ""},
		{"1.0 is the integer 1", `"schema_version": 1`, `"schema_version": 1.0`, "", ""},
		{"schema_version is a number", `"schema_version": 1`, `"schema_version": "1"`, "FAIL schema_version wrong-type 2:21", "must be a number, is a string"},
		{"schema_version is required", `"schema_version": 1,`, ``, "FAIL schema_version missing 1:1", "is missing"},

		{"kind is one of three", `"eval-live",` + "\n", `"eval-dead",` + "\n", "FAIL kind unknown-kind 3:11", "eval-image"},
		{"kind is a string", `"kind": "eval-live"`, `"kind": ["eval-live"]`, "FAIL kind wrong-type 3:11", "must be a string, is a list"},
		{"eval-image is a kind", `"kind": "eval-live"`, `"kind": "eval-image"`, "warn argv argv-disagrees 10:11", "the subcommand eval-live is not kind eval-image"},

		{"ahd_version is not empty", `"0.11.0"`, `""`, "FAIL ahd_version empty 4:18", "empty"},
		{"ahd_version is not blank", `"0.11.0"`, `" \t"`, "FAIL ahd_version empty 4:18", "empty"},
		{"ahd_version is required", `"ahd_version": "0.11.0",`, ``, "FAIL ahd_version missing 1:1", ""},

		{"ahd_commit is 40 hex digits", `01234567",`, `0123456",`, "FAIL ahd_commit malformed-commit 5:17", "40 hex digits"},
		{"ahd_commit is hex", `01234567",`, `0123456g",`, "FAIL ahd_commit malformed-commit 5:17", ""},
		{"ahd_commit is a string or null", `"0123456789abcdef0123456789abcdef01234567"`, `7`, "FAIL ahd_commit wrong-type 5:17", "must be a string or null, is a number"},
		{"git_dirty is null when ahd_commit is", `"0123456789abcdef0123456789abcdef01234567"`, `null`, "FAIL git_dirty inconsistent 6:16", "must be null"},
		{"git_dirty is null only then", `"git_dirty": false`, `"git_dirty": null`, "FAIL git_dirty inconsistent 6:16", "is null, but"},
		{"git_dirty is a boolean or null", `"git_dirty": false`, `"git_dirty": 0`, "FAIL git_dirty wrong-type 6:16", "must be a boolean or null, is a number"},
		{"git_dirty is required", `"git_dirty": false,`, ``, "FAIL git_dirty missing 1:1", ""},

		{"node_version is not empty", `"v22.22.2"`, `""`, "FAIL node_version empty 7:19", ""},
		{"only backfilled sidecars lack node_version", `"v22.22.2"`, `"unknown"`, "warn node_version unknown-value 7:19", "backfilled"},
		{"only backfilled sidecars lack platform", `"darwin-arm64"`, `"unknown"`, "warn platform unknown-value 8:15", "backfilled"},
		{"platform is a string", `"darwin-arm64"`, `null`, "FAIL platform wrong-type 8:15", "must be a string, is null"},

		{"invoked_at is a time", `25.380Z"`, `25.380ZZ"`, "FAIL invoked_at malformed-time 9:17", "ISO 8601"},
		{"invoked_at is of the calendar", `2026-04-22T`, `2026-04-31T`, "FAIL invoked_at malformed-time 9:17", "calendar"},
		{"invoked_at has two-digit hours", `T23:52`, `T3:52`, "FAIL invoked_at malformed-time 9:17", ""},
		{"invoked_at is in UTC", `25.380Z"`, `25.380+02:00"`, "FAIL invoked_at not-utc 9:17", "UTC"},
		{"invoked_at names its zone", `25.380Z"`, `25.380"`, "FAIL invoked_at not-utc 9:17", ""},
		{"+00:00 is UTC", `25.380Z"`, `25.380+00:00"`, "", ""},
		{"the fraction is optional", `25.380Z"`, `25Z"`, "", ""},
		{"ISO 8601 knows the comma", `25.380Z"`, `25,380Z"`, "", ""},
		{"invoked_at is not in the future", `2026-04-22T`, `2026-11-02T`, "FAIL invoked_at in-the-future 9:17", "future"},
		{"clocks differ by minutes", `2026-04-22T23:52:25.380Z`, `2026-11-01T12:04:59Z`, "", ""},

		{"token is an object", `"token": {`, `"token": "x", "was": {`, "FAIL token wrong-type 11:12", "must be an object, is a string"},
		{"token is required", `"token": {`, `"was": {`, "FAIL token missing 1:1", ""},
		{"token.path is a string", `"tokens/quiet.yml"`, `1`, "FAIL token.path wrong-type 12:13\nFAIL token.hash not-compared 13:13", "must be a string, is a number"},
		{"brief is required, if only as null", `"brief": {`, `"was": {`, "FAIL brief missing 1:1", ""},

		{"sampling.n is positive", `"n": 30`, `"n": 0`, "warn argv argv-disagrees 10:11\nFAIL sampling.n not-positive 19:21", ""},
		{"sampling.n is any positive integer", `"n": 30`, `"n": 90071992547409930`, "warn argv argv-disagrees 10:11", ""},
		{"sampling.n is a number", `"n": 30`, `"n": 1e999`, "warn argv argv-disagrees 10:11\nFAIL sampling.n not-positive 19:21", ""},
		{"sampling.n is an integer", `"n": 30`, `"n": 30.5`, "warn argv argv-disagrees 10:11\nFAIL sampling.n not-positive 19:21", ""},
		{"sampling.n is a number", `"n": 30`, `"n": "30"`, "FAIL sampling.n wrong-type 19:21", "must be a number, is a string"},
		{"temperature may be missing from no sidecar", `"temperature": null, `, ``, "FAIL sampling.temperature missing 19:15", ""},
		{"temperature is a number or null", `"temperature": null`, `"temperature": "0.7"`, "FAIL sampling.temperature wrong-type 19:40", "must be a number or null, is a string"},
		{"numbers are finite", `"temperature": null`, `"temperature": 1e999`, "FAIL sampling.temperature out-of-range 19:40", ""},
		{"seed is a number or null", `"seed": 7`, `"seed": false`, "FAIL sampling.seed wrong-type 19:54", "is a boolean"},
		{"sampling is required", `"sampling"`, `"was"`, "FAIL sampling missing 1:1", ""},

		{"models is a list", `"models": [`, `"models": {}, "was": [`, "FAIL models wrong-type 20:13", "must be a list, is an object"},
		{"models are objects", `{"id": "m-2", "provider": "p", "provider_request_ids": []}`, `"m-2"`, "FAIL models[1] wrong-type 22:5", "must be an object"},
		{"models[].id is not empty", `"id": "m-2"`, `"id": ""`, "warn argv argv-disagrees 10:11\nFAIL models[1].id empty 22:12", ""},
		{"models[].provider is required", `"m-2", "provider": "p",`, `"m-2",`, "FAIL models[1].provider missing 22:5", ""},
		{"provider_request_ids is a list", `"provider_request_ids": []`, `"provider_request_ids": "req_secret_3"`, "FAIL models[1].provider_request_ids wrong-type 22:60", "must be a list, is a string"},
		{"provider_request_ids are strings", `"req_secret_2"`, `7`, "FAIL models[0].provider_request_ids wrong-type 21:77", "element 2 must be a string, is a number"},

		{"requested conditions ran", `"effective": ["raw", "compiled"]`, `"effective": ["raw"]`, "warn conditions skipped 24:65", "skipped: compiled"},
		{"effective conditions were requested", `"requested": ["raw", "compiled"]`, `"requested": ["raw"]`, "warn conditions not-requested 24:53", "without being requested: compiled"},
		{"conditions are lists of strings", `"requested": ["raw", "compiled"]`, `"requested": ["raw", null]`, "FAIL conditions.requested wrong-type 24:39", "element 2 must be a string, is null"},
		{"conditions.effective is required", `, "effective": ["raw", "compiled"]`, ``, "FAIL conditions.effective missing 24:17", ""},

		{"backfilled is a boolean", `"schema_version": 1,`, `"schema_version": 1, "backfilled": 1,`, "FAIL backfilled wrong-type 2:38", "must be a boolean, is a number"},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			r := check(edited(t, tt.old, tt.with))
			got := bad(r)
			if got != tt.want {
				t.Fatalf("got\n%s\nwant\n%s", got, tt.want)
			}
			noSecrets(t, r)
			for _, c := range r.Checks {
				if c.Status == verify.Fail && !strings.Contains(c.Reason, tt.reason) && c.Code != "not-compared" {
					t.Errorf("reason %q lacks %q", c.Reason, tt.reason)
				}
			}
			if r.Unchecked != "" {
				t.Errorf("Unchecked %q", r.Unchecked)
			}
		})
	}
}

// AHD replay, When schema_version bumps: the verifier refuses what is newer.
func TestNewerSchemaVersionIsRefused(t *testing.T) {
	for _, version := range []string{"2", "2.0", "1e30"} {
		r := check(edited(t, `"schema_version": 1`, `"schema_version": `+version))
		if got, want := bad(r), "FAIL schema_version unsupported-version 2:21"; got != want || len(r.Checks) != 1 {
			t.Errorf("%s: got %q and %d checks", version, got, len(r.Checks))
		}
		if want := "schema_version " + version + " is newer than this verifier knows (1)"; r.Unchecked != want || r.Checks[0].Reason != want {
			t.Errorf("Unchecked %q, reason %q", r.Unchecked, r.Checks[0].Reason)
		}
		if r.Recording.Name != "run" || r.SHA256 == "" {
			t.Errorf("%+v", r)
		}
	}
}

// AHD replay, Fields: null when not in a git repository.
func TestOutsideOfGit(t *testing.T) {
	fsys := edited(t, `"ahd_commit": "0123456789abcdef0123456789abcdef01234567",
  "git_dirty": false`, `"ahd_commit": null, "git_dirty": null`)
	if r := check(fsys); bad(r) != "" || r.Recording.Dirty != nil || r.Recording.Commit != "" {
		t.Errorf("%s, %+v", bad(r), r.Recording)
	}
}

func TestDirtyCommitIsAFact(t *testing.T) {
	c := row(t, check(edited(t, `"git_dirty": false`, `"git_dirty": true`)), "git_dirty")
	if c.Status != verify.Info || c.Reason != "the recorded commit is not the whole state" {
		t.Errorf("%+v", c)
	}
}

// Without a clock there is no future.
func TestNoClockNoFuture(t *testing.T) {
	fsys := edited(t, `2026-04-22T`, `9026-04-22T`)
	for at, want := range map[time.Time]verify.Status{{}: verify.OK, now: verify.Fail} {
		r := Format{}.Verify(context.Background(), &verify.Evidence{Path: sidecarPath, Tree: verify.NewTree(fsys), Now: verify.At(at)})
		if c := row(t, r, "invoked_at"); c.Status != want {
			t.Errorf("now %v: %+v", at, c)
		}
	}
}

// AHD replay, Backfilled sidecars: what such a sidecar may lack.
func TestBackfilled(t *testing.T) {
	text := strings.NewReplacer(`"v22.22.2"`, `"unknown"`, `"darwin-arm64"`, `"unknown"`, `"seed": 7`, `"seed": null`,
		`["req_secret_1", "req_secret_2"]`, `[]`, `"schema_version": 1,`, `"schema_version": 1, "backfilled": true,`).Replace(valid)
	from, to := strings.Index(text, `["node"`), strings.Index(text, `"docs/run.md"]`)
	text = text[:from] + "[]" + text[to+len(`"docs/run.md"]`):]
	fsys := repo()
	fsys[sidecarPath].Data = []byte(text)
	r := check(fsys)
	if bad(r) != "" {
		t.Error(bad(r))
	}
	if c := row(t, r, "backfilled"); c.Status != verify.Info || !strings.Contains(c.Reason, "not stored") {
		t.Errorf("%+v", c)
	}
	fsys[sidecarPath].Data = []byte(strings.Replace(text, `"backfilled": true`, `"backfilled": false`, 1))
	if got, want := bad(check(fsys)), "warn node_version unknown-value 7:19\nwarn platform unknown-value 8:15\nwarn argv empty 10:11"; got != want {
		t.Errorf("not backfilled: got\n%s", got)
	}
}

// Published backfilled sidecars may know no models and no conditions.
func TestNoModels(t *testing.T) {
	text := valid[:strings.Index(valid, `"models": [`)] + `"models": [], "conditions": {"requested": [], "effective": []}}`
	text = strings.Replace(text, `"--models", "cf:m-1,m-2", `, "", 1)
	fsys := repo()
	for members, want := range map[string]string{`"backfilled": true, `: "warn backfilled stored-all-the-same 20:17", ``: "warn models empty 20:13"} {
		fsys[sidecarPath].Data = []byte(strings.Replace(text, `"models"`, members+`"models"`, 1))
		r := check(fsys)
		if got := bad(r); got != want {
			t.Errorf("%q: got %s, want %s", members, got, want)
		}
		if c := row(t, r, "conditions"); c.Recorded != "requested: none; effective: none" {
			t.Errorf("%+v", c)
		}
	}
}

// AHD replay, When schema_version bumps: consumers ignore unknown fields.
func TestUnknownFieldsAreCounted(t *testing.T) {
	fsys := repo()
	fsys[sidecarPath].Data = []byte(strings.NewReplacer(
		`"sampling": {`, `"strata": [], "sampling": {"top_p": 1, `,
		`"provider": "p",`, `"provider": "p", "sample_requests": [{"request_id": "req_secret_9"}],`,
		`"path": "tokens`, `"kind": "style", "path": "tokens`,
		`"conditions": {`, `"conditions": {"why": "", `,
	).Replace(valid))
	for strict, status := range map[bool]verify.Status{false: verify.Info, true: verify.Fail} {
		r := Format{}.Verify(context.Background(), &verify.Evidence{Path: sidecarPath, Tree: verify.NewTree(fsys), Now: verify.At(now), Strict: strict})
		c := row(t, r, "unknown fields")
		if c.Status != status || c.Recorded != "5 unknown" || !strings.HasSuffix(c.Reason, ": strata, token.kind, sampling.top_p, models[].sample_requests, conditions.why") {
			t.Errorf("strict %v: %+v", strict, c)
		}
		if c.Location.Line != 19 || c.Location.Column != 3 {
			t.Errorf("location %s", c.Location)
		}
	}
}

// AHD replay, Markdown redactions: request ids are shown as a count.
func TestRequestIDsAreCounted(t *testing.T) {
	if c := row(t, check(repo()), "models[0].provider_request_ids"); c.Recorded != "2 captured" {
		t.Errorf("%+v", c)
	}
}

func TestRecording(t *testing.T) {
	r := check(repo()).Recording
	if r.Name != "run" || r.Tool != "ahd" || r.ToolVersion != "0.11.0" || r.RunKind != "eval-live" ||
		r.Commit != "0123456789abcdef0123456789abcdef01234567" || r.CommitField != "ahd_commit" || r.Dirty == nil || *r.Dirty ||
		r.InvokedAt != "2026-04-22T23:52:25.380Z" || len(r.Argv) != 12 || r.Argv[3] != "quiet" ||
		r.Seed != "7" || r.Platform != "darwin-arm64" || r.Runtime != "v22.22.2" {
		t.Errorf("%+v", r)
	}
}
