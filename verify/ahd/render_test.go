package ahd

import (
	"errors"
	"os"
	"path"
	"strings"
	"testing"

	"github.com/replay-gate/replay-gate/verify"
)

// AHD replay, Two surfaces: block and commands are those in the reports that were
// written beside the sidecars of testdata/ahd, byte for byte.
func TestRenderPublishedShapes(t *testing.T) {
	n := 0
	for _, name := range verify.NewTree(os.DirFS("../../testdata/ahd/repo")).Under("docs/evals") {
		if !strings.HasSuffix(name, sidecarEnding) || strings.Contains(name, "backfilled") {
			continue
		}
		n++
		sidecar := read(t, name)
		block, err := RenderBlock(sidecar)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		commands, err := RenderCommands(sidecar)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		report := string(read(t, ReportPath(name)))
		if !strings.Contains(report, "\n\n"+block+"\n"+commands) {
			t.Errorf("%s does not hold\n%s\n%s", ReportPath(name), block, commands)
		}
		if same, err := ReplaceBlock([]byte(report), sidecar); err != nil || string(same) != report {
			t.Errorf("%s: replacing what is up to date: %v\n%s", name, err, same)
		}
	}
	if n != 4 {
		t.Errorf("%d sidecars", n)
	}
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(path.Join("../../testdata/ahd/repo", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// The block that the judge is tested with is the one that is rendered.
func TestRenderIsWhatTheCheckReads(t *testing.T) {
	got, err := RenderBlock([]byte(valid))
	if err != nil || !strings.HasPrefix(block, "# run\n\n"+got) {
		t.Errorf("%v\n%s", err, got)
	}
	for _, edit := range [][2]string{
		{`"git_dirty": false`, `"git_dirty": true`},
		{`"n": 30, "temperature": null, "seed": 7`, `"n": 3e1, "temperature": 0.70, "seed": 1e21`},
		{`["raw", "compiled"], "effective": ["raw", "compiled"]`, `[], "effective": []`},
	} {
		fsys := edited(t, edit[0], edit[1])
		got, err := RenderBlock(fsys[sidecarPath].Data)
		if err != nil {
			t.Fatal(err)
		}
		fsys["docs/run.md"].Data = []byte(got)
		if c := row(t, check(fsys), "report"); !strings.HasPrefix(c.Reason, "its replay block agrees in 2") {
			t.Errorf("%s: %+v\n%s", edit[1], c, got)
		}
	}
}

// Notes on the derived block: what is absent, and how values are written.
func TestRenderForms(t *testing.T) {
	tests := []struct{ old, with, has, hasNot string }{
		{`"git_dirty": false`, `"git_dirty": true`, "567\ngit_dirty: true\nnode", ""},
		{`"git_dirty": false`, `"git_dirty": false`, "567\nnode_version", "git_dirty"},
		{"\"brief\": {\n    \"path\": \"briefs/poster.md\",\n    \"hash\": \"" + sha(briefText) + "\"\n  }", `"brief": null`, "", "brief"},
		{`"n": 30`, `"n": 3e1`, "  n: 30\n", ""},
		{`"temperature": null`, `"temperature": 0.70`, "  temperature: 0.7\n", ""},
		{`"effective": ["raw", "compiled"]`, `"effective": ["raw"]`, "  effective: [raw]\n", ""},
		{`"req_secret_1", `, ``, "provider_request_ids: 1 captured\n", "req_secret"},
		{`"id": "m-1"`, `"x": {"id": 1}, "id": "@cf/m-1"`, "  - id: @cf/m-1\n    provider: p\n", ""},
		{`"backfilled"`, `"backfilled"`, "", "argv"},
	}
	for _, tt := range tests {
		text := strings.Replace(valid, tt.old, tt.with, 1)
		got, err := RenderBlock([]byte(text))
		if err != nil || !strings.Contains(got, tt.has) || tt.hasNot != "" && strings.Contains(got, tt.hasNot) {
			t.Errorf("%s: %v\n%s", tt.with, err, got)
		}
	}
}

// AHD replay, Markdown redactions: the command is quoted for a shell. The rule is
// that a word stands bare if it matches [A-Za-z0-9_./:@=,+-]+.
func TestRenderCommands(t *testing.T) {
	from, to := strings.Index(valid, `["node"`), strings.Index(valid, `"docs/run.md"]`)+len(`"docs/run.md"]`)
	const checkout = "Replay this run:\n\n```sh\ngit checkout 0123456789ab\nnpm ci && npm run build\n"
	for argv, want := range map[string]string{
		`["node", "a-b_c./:@=,+9"]`:   checkout + "node a-b_c./:@=,+9\n```\n",
		`["a b", "", "it's", "$(x)"]`: checkout + `'a b' '' 'it'\''s' '$(x)'` + "\n```\n",
		`["é", "~", "%", "a\\b"]`:     checkout + `'é' '~' '%' 'a\b'` + "\n```\n",
		`[]`:                          checkout + "\n```\n",
	} {
		got, err := RenderCommands([]byte(valid[:from] + argv + valid[to:]))
		if err != nil || got != want {
			t.Errorf("%s: %v\n%s", argv, err, got)
		}
	}
	noCommit := strings.Replace(valid, `"0123456789abcdef0123456789abcdef01234567"`, `null`, 1)
	got, err := RenderCommands([]byte(noCommit))
	if err != nil || !strings.HasPrefix(got, "Replay this run:\n\n```sh\n# install ahd@0.11.0\nnode /w/ahd/bin/ahd.js eval-live") {
		t.Errorf("%v\n%s", err, got)
	}
}

// A sidecar is hostile: what it holds can't leave its line, and its commands hold
// nothing that a shell would take for more than a word.
func TestRenderRefuses(t *testing.T) {
	for _, tt := range []struct{ old, with, want string }{
		{`"schema_version": 1`, `"schema_version": 2`, "the sidecar is not of schema version 1"},
		{`"kind": "eval-live",`, ``, "kind is missing"},
		{`"kind": "eval-live"`, `"kind": ["x"]`, "kind must be a string, is a list"},
		{`"kind": "eval-live"`, "\"kind\": \"x\\n```\"", "kind holds U+000A, which can't be shown on one line"},
		{`"kind": "eval-live"`, `"kind": "x\u202e"`, "kind holds U+202E, which can't be shown on one line"},
		{`"kind": "eval-live"`, `"kind": "x", "kind": "y"`, `the sidecar, line 3, column`},
		{`"provider": "p"`, `"provider": 7`, "models[0].provider must be a string, is a number"},
		{`"id": "m-1", `, ``, "models[0].id is missing"},
		{`"sampling": {`, `"sampling": null, "x": {`, "sampling must be an object, is null"},
		{sha(tokenValue), "sha256:0", "token.hash must be sha256: and 64 lower-case hex digits"},
		{`["raw", "compiled"]`, `["raw", 7]`, "conditions.requested[1] must be a string, is a number"},
		{`"conditions"`, `"conditions`, "the sidecar is not valid JSON: line 24"},
	} {
		got, err := RenderBlock([]byte(strings.Replace(valid, tt.old, tt.with, 1)))
		if err == nil || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%s: %v\n%s", tt.with, err, got)
		}
	}
	for _, tt := range []struct{ old, with, want string }{
		{`0123456789abcdef0123456789abcdef01234567`, `;rm -rf ~;#`, "ahd_commit must be 40 hex digits or null"},
		{`"--n"`, `"--n\n"`, "argv[8] holds U+000A, which can't be shown on one line"},
		{`"--n"`, `5`, "argv[8] must be a string, is a number"},
	} {
		if got, err := RenderCommands([]byte(strings.Replace(valid, tt.old, tt.with, 1))); err == nil || err.Error() != tt.want {
			t.Errorf("%s: %v\n%s", tt.with, err, got)
		}
	}
}

// Only the derived view changes; every other byte of the report stays.
func TestReplaceBlock(t *testing.T) {
	fresh, err := RenderBlock([]byte(valid))
	if err != nil {
		t.Fatal(err)
	}
	commands, err := RenderCommands([]byte(valid))
	if err != nil {
		t.Fatal(err)
	}
	const old = "```yaml ahd-replay\nkind: critique\n```\n"
	const oldCommands = "Replay this run:\n\n```sh\nrm -rf x\n```\n"
	crlf := func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }
	for name, tt := range map[string][2]string{
		"block":                 {"# a \n\n\xff" + "\n" + old + "text\n", "# a \n\n\xff\n" + fresh + "text\n"},
		"block and commands":    {old + "\n\n" + oldCommands + "tail", fresh + "\n\n" + commands + "tail"},
		"other commands":        {old + "\nReplay this run:\nby hand\n```sh\nx\n```\n", fresh + "\nReplay this run:\nby hand\n```sh\nx\n```\n"},
		"commands far behind":   {old + "text\n\n" + oldCommands, fresh + "text\n\n" + oldCommands},
		"commands without end":  {old + "\nReplay this run:\n```sh\nx\n", fresh + "\nReplay this run:\n```sh\nx\n"},
		"the first of two":      {old + old, fresh + old},
		"CRLF":                  {crlf("# a\n" + old + "\n" + oldCommands + "t"), crlf("# a\n"+fresh+"\n"+commands) + "t"},
		"ends with the fence":   {strings.TrimSuffix(old, "\n"), strings.TrimSuffix(fresh, "\n")},
		"ends with the command": {old + "\n" + strings.TrimSuffix(oldCommands, "\n"), fresh + "\n" + strings.TrimSuffix(commands, "\n")},
	} {
		got, err := ReplaceBlock([]byte(tt[0]), []byte(valid))
		if err != nil || string(got) != tt[1] {
			t.Errorf("%s: %v\ngot  %q\nwant %q", name, err, got, tt[1])
		}
		if again, err := ReplaceBlock(got, []byte(valid)); err != nil || string(again) != string(got) {
			t.Errorf("%s: a second time: %v", name, err)
		}
	}
	for text, want := range map[string]error{
		"# run\n":                         ErrNoBlock,
		"see ```yaml ahd-replay\n":        ErrNoBlock,
		"```yaml ahd-replay\nkind: x\n``": ErrOpenBlock,
	} {
		if _, err := ReplaceBlock([]byte(text), []byte(valid)); !errors.Is(err, want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}
