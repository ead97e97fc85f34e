package pin

import (
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/replay-gate/replay-gate/verify"
)

// What this package writes is judged right, and everything in it is a row.
func TestAPinHolds(t *testing.T) {
	t.Parallel()
	r := check(t, pinned(t, repo(), request()))
	if s := said(r); s != "" || r.Unchecked != "" {
		t.Errorf("%s\n%s", r.Unchecked, s)
	}
	for _, field := range []string{
		"_type", "subject:evals/report.md", "predicateType", "startedOn", "command", "inputs",
		"input:evals/prompts/answer.md", "input:evals/prompts/ask.md", "input:evals/config.yml#model,temperature",
		"input:evals/cases.json", "input:pyproject.toml#tool.eval", "note:uv.lock",
	} {
		if c := row(t, r, field); c.Status != verify.OK || c.Location.Line == 0 {
			t.Errorf("%+v", c)
		}
	}
	if c := row(t, r, "note:judge"); c.Status != verify.Info || c.Recorded != "m-2" {
		t.Errorf("%+v", c)
	}
	if r.Recording.Tool != "replay-gate" || r.Recording.ToolVersion != "1.2.3" || r.Recording.Name != "report" ||
		!slices.Equal(r.Recording.Argv, []string{"make", "eval"}) || r.Recording.InvokedAt != "2026-11-01T11:00:00.000000000Z" {
		t.Errorf("%+v", r.Recording)
	}
}

// Everyday work (issue 16, Proof): what a pull request does, and what the gate says.
func TestEverydayWork(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name  string
		files map[string]string
		want  string
	}{
		{"a prompt edited without a run", map[string]string{"evals/prompts/ask.md": "Ask!\n"},
			"FAIL input:evals/prompts/ask.md hash-differs"},
		{"a comment in the config", map[string]string{"evals/config.yml": "# another\nmodel: m-1\ntemperature: 0.5\njobs: 4\n"},
			"ok input:evals/config.yml#model,temperature same-value\ninfo input:evals/config.yml#model,temperature.bytes bytes-differ"},
		{"a key that is not pinned", map[string]string{"evals/config.yml": "model: m-1\ntemperature: 0.5\njobs: 8\n"},
			"ok input:evals/config.yml#model,temperature same-value\ninfo input:evals/config.yml#model,temperature.bytes bytes-differ"},
		{"a key that is pinned", map[string]string{"evals/config.yml": "model: m-2\ntemperature: 0.5\njobs: 4\n"},
			"FAIL input:evals/config.yml#model,temperature value-differs"},
		{"a pinned key taken out", map[string]string{"evals/config.yml": "model: m-1\n"},
			"FAIL input:evals/config.yml#model,temperature key-missing"},
		{"a config that is no YAML any more", map[string]string{"evals/config.yml": "model: [\n"},
			"FAIL input:evals/config.yml#model,temperature cannot-judge"},
		{"keys in another order", map[string]string{"evals/cases.json": "{\n  \"cases\": [1, 2]}"},
			"ok input:evals/cases.json same-value\ninfo input:evals/cases.json.bytes bytes-differ"},
		{"another value", map[string]string{"evals/cases.json": "{\"cases\": [2, 1]}\n"},
			"FAIL input:evals/cases.json hash-differs"},
		{"another tool's settings", map[string]string{"pyproject.toml": "[tool.black]\nline-length = 80\n[tool.eval]\nseed = 7\n"},
			"ok input:pyproject.toml#tool.eval same-value\ninfo input:pyproject.toml#tool.eval.bytes bytes-differ"},
		{"the eval's settings", map[string]string{"pyproject.toml": "[tool.eval]\nseed = 8\n"},
			"FAIL input:pyproject.toml#tool.eval value-differs"},
		{"a lockfile bumped", map[string]string{"uv.lock": "version = 2\n"}, "info note:uv.lock note-differs"},
		{"a lockfile gone", map[string]string{"uv.lock": ""}, "info note:uv.lock note-missing"},
		{"a typo in the report corrected by hand", map[string]string{reportPath: "# 43 of 50\n"},
			"FAIL subject:evals/report.md edited"},
		{"the report deleted", map[string]string{reportPath: ""}, "FAIL subject:evals/report.md subject-missing"},
		{"a prompt deleted", map[string]string{"evals/prompts/ask.md": ""}, "FAIL input:evals/prompts/ask.md input-missing"},
		{"a prompt added", map[string]string{"evals/prompts/new.md": "New.\n"}, "warn input:evals/prompts/new.md new-file"},
		{"a file beside them added", map[string]string{"evals/prompts/new.txt": "New.\n"}, ""},
		{"Windows line ends", map[string]string{"evals/prompts/ask.md": "Ask.\r\n", "evals/config.yml": "# the model\r\nmodel: m-1\r\ntemperature: 0.5\r\njobs: 4\r\n"},
			"ok input:evals/config.yml#model,temperature line-ends\ninfo input:evals/config.yml#model,temperature.bytes line-ends\n" +
				"ok input:evals/prompts/ask.md line-ends\ninfo input:evals/prompts/ask.md.bytes line-ends"},
		{"Git LFS", map[string]string{reportPath: string(pointerTo([]byte("# 42 of 50\n")))},
			"ok subject:evals/report.md lfs\ninfo subject:evals/report.md.bytes lfs"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			r := check(t, write(pinned(t, repo(), request()), tc.files))
			if s := said(r); s != tc.want {
				t.Errorf("it says\n%s\nwant\n%s", s, tc.want)
			}
		})
	}
}

// A failed row tells what to do, and shows both values.
func TestAFailTellsWhatToDo(t *testing.T) {
	t.Parallel()
	fsys := write(pinned(t, repo(), request()), map[string]string{"evals/prompts/ask.md": "Ask!\n", reportPath: "# 43\n"})
	r := check(t, fsys)
	for _, field := range []string{"subject:evals/report.md", "input:evals/prompts/ask.md"} {
		c := row(t, r, field)
		if !slices.Equal(c.Command, []string{"replay-gate", "pin", "--refresh", "--run", reportPath}) || c.Hint == "" ||
			!strings.HasPrefix(c.Recorded, "sha256:") || !strings.HasPrefix(c.Observed, "sha256:") || c.Recorded == c.Observed || c.Input == "" {
			t.Errorf("%+v", c)
		}
	}
	moved := write(pinned(t, repo(), request()), map[string]string{"evals/prompts/ask.md": "", "prompts/ask.md": "Ask.\n"})
	if c := row(t, check(t, moved), "input:evals/prompts/ask.md"); c.Hint != "moved to prompts/ask.md" {
		t.Errorf("%+v", c)
	}
}

// A result and its pin may move to another folder together.
func TestMovedTogether(t *testing.T) {
	t.Parallel()
	fsys := pinned(t, repo(), request())
	fsys["old/report.md"], fsys["old/report.md.pin.json"] = fsys[reportPath], fsys[pinPath]
	delete(fsys, reportPath)
	delete(fsys, pinPath)
	r := checkAt(t, fsys, "old/report.md.pin.json")
	if s := said(r); s != "info subject:evals/report.md.name relocated" {
		t.Error(s)
	}
	fsys["old/report.md"] = &fstest.MapFile{Data: []byte("# 50 of 50\n")}
	r = checkAt(t, fsys, "old/report.md.pin.json")
	if s := said(r); s != "info subject:evals/report.md.name relocated\nFAIL subject:evals/report.md edited" {
		t.Error(s)
	}
}

// A whole project may move to another folder, or be kept in one: an example in a
// repository.
func TestAProjectInAFolder(t *testing.T) {
	t.Parallel()
	fsys := make(fstest.MapFS)
	for name, file := range pinned(t, repo(), request()) {
		fsys["examples/one/"+name] = file
	}
	const at = "examples/one/" + pinPath
	if s := said(checkAt(t, fsys, at)); s != "info root relocated" {
		t.Error(s)
	}
	// One that lies at the root is not taken for it.
	fsys = write(fsys, map[string]string{"evals/prompts/ask.md": "Other.\n", "examples/one/evals/prompts/new.md": "New.\n"})
	if s := said(checkAt(t, fsys, at)); s != "info root relocated\nwarn input:evals/prompts/new.md new-file" {
		t.Error(s)
	}
	fsys = write(fsys, map[string]string{"examples/one/evals/prompts/ask.md": "Ask!\n"})
	if s := said(checkAt(t, fsys, at)); !strings.Contains(s, "FAIL input:evals/prompts/ask.md hash-differs") {
		t.Error(s)
	}
}

// The example in this repository holds.
func TestTheExampleHolds(t *testing.T) {
	t.Parallel()
	r := verify.Engine{}.Verify(t.Context(), verify.NewTree(os.DirFS("../../examples/pin")), []verify.Item{{Path: pinPath, Format: Format{}}})[0]
	if s := said(r); s != "" || r.Count(verify.OK) < 8 {
		t.Errorf("%s", s)
	}
}

// A statement by the standard: what is malformed is a FAIL, and nothing is green by
// accident (issue 16, Checking).
func TestMalformedStatements(t *testing.T) {
	t.Parallel()
	whole := pinned(t, repo(), request())
	digest := strings.SplitAfter(string(whole[pinPath].Data), `"sha256": "`)[1][:64]
	for _, tc := range []struct{ name, old, with, want string }{
		{"another type", `"https://in-toto.io/Statement/v1"`, `"https://in-toto.io/Statement/v0.1"`, "FAIL _type unsupported-version"},
		{"no type", `"_type"`, `"type"`, "FAIL _type missing"},
		{"no subject", `"subject"`, `"subjects"`, "FAIL subject no-subject"},
		{"a digest cut short", digest, digest[:63], "FAIL subject:evals/report.md.digest malformed-digest"},
		{"a digest in capitals", digest, strings.ToUpper(digest), "FAIL subject:evals/report.md.digest malformed-digest"},
		{"a digest of zz", digest, strings.Repeat("z", 64), "FAIL subject:evals/report.md.digest malformed-digest"},
		{"a name twice", `"name": "evals/prompts/ask.md"`, `"name": "evals/prompts/answer.md"`, "FAIL input:evals/prompts/answer.md name-twice\nwarn input:evals/prompts/ask.md new-file"},
		{"a name that leaves the tree", `"name": "evals/prompts/ask.md"`, `"name": "../ask.md"`, "warn input:../ask.md not-local\nFAIL inputs merged\nwarn input:evals/prompts/ask.md new-file"},
		{"itself", `"name": "evals/prompts/ask.md"`, `"name": "` + pinPath + `"`, "FAIL input:" + pinPath + " names-itself\nwarn input:evals/prompts/ask.md new-file"},
		{"a command of one word", `"command": [`, `"command": "make", "was": [`, "FAIL command wrong-type"},
		{"a start that is no time", `"2026-11-01T11:00:00.000000000Z"`, `"yesterday"`, "FAIL startedOn malformed-time"},
		{"a start after now", `"2026-11-01T11:00:00.000000000Z"`, `"2099-11-01T11:00:00.000000000Z"`, "FAIL startedOn in-the-future"},
		{"a glob that is none", `"evals/prompts/*.md"`, `"evals/[*.md"`, "FAIL globs[0] malformed-glob"},
		{"a line over all inputs that is another", `"inputs": "sha256:`, `"inputs": "sha256:0`, "FAIL inputs merged"},
		{"no line over all inputs", `"inputs"`, `"outputs"`, "FAIL inputs missing"},
		{"keys that are not sorted", `"temperature"`, `"a"`, "FAIL input:evals/config.yml.keys wrong-type"},
		{"no predicate", `"predicate": {`, `"predicated": {`, "FAIL predicate wrong-type"},
		{"another predicate", `"https://in-toto.io/attestation/link/v0.3"`, `"https://example.com/x"`, "FAIL predicateType unsupported-version"},
		{"another version of the predicate", `link/v0.3"`, `link/v0.4"`, "FAIL predicateType unsupported-version"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			if s := said(check(t, edit(t, whole, tc.old, tc.with))); s != tc.want {
				t.Errorf("it says\n%s\nwant\n%s", s, tc.want)
			}
		})
	}
}

// sha256 decides; of other digests only gitBlob is known (in-toto, DigestSet: ignore what
// is not accepted).
func TestDigests(t *testing.T) {
	t.Parallel()
	s := sumsOf([]byte("Hello"))
	const blob = "5ab2f8a4323abafb10abb68657d9d39f1a775057" // the specification's own example
	if s.blob != blob {
		t.Fatal(s.blob)
	}
	for _, tc := range []struct{ digest, want string }{
		{`{"sha256": "` + s.sha256 + `"}`, ""},
		{`{"gitBlob": "` + blob + `"}`, ""},
		{`{"gitBlob": "` + s.blob64 + `", "md5": "x"}`, ""},
		{`{"sha256": "` + s.sha256 + `", "gitBlob": "` + strings.Repeat("0", 40) + `"}`, ""},
		{`{"sha256": "` + strings.Repeat("0", 64) + `", "gitBlob": "` + blob + `"}`, "FAIL subject:a edited"},
		{`{"gitBlob": "` + strings.Repeat("0", 64) + `"}`, "FAIL subject:a edited"},
		{`{"sha512": "00", "md5": "00"}`, "FAIL subject:a.digest unknown-digest"},
		{`{}`, "FAIL subject:a.digest unknown-digest"},
		{`{"gitBlob": "00"}`, "FAIL subject:a.digest malformed-digest"},
		{`{"sha256": 1}`, "FAIL subject:a.digest malformed-digest"},
		{`null`, "FAIL subject:a.digest wrong-type"},
	} {
		fsys := tree(map[string]string{"a": "Hello", "b": "Hello", "a.pin.json": `{"_type": "https://in-toto.io/Statement/v1",
			"subject": [{"name": "a", "digest": ` + tc.digest + `}],
			"predicateType": "https://in-toto.io/attestation/link/v0.3", "predicate": {"name": "a", "command": [],
			"materials": [{"name": "b", "digest": {"sha256": "` + s.sha256 + `"}}]}}`})
		if s := said(checkAt(t, fsys, "a.pin.json")); s != tc.want {
			t.Errorf("%s: %s, want %s", tc.digest, s, tc.want)
		}
	}
}

// Run without a command: it says so once, as info.
func TestMadeWithoutARun(t *testing.T) {
	t.Parallel()
	req := request()
	r := check(t, pinned(t, repo(), Request{Subjects: req.Subjects, Inputs: req.Inputs}))
	if c := row(t, r, "run"); c.Status != verify.Info || c.Code != "made-without-run" || said(r) != "" {
		t.Errorf("%+v\n%s", c, said(r))
	}
	if c := row(t, check(t, pinned(t, repo(), request())), "run"); c.Status != verify.Info || c.Code != "as-named" {
		t.Errorf("%+v", c)
	}
}

// The marks (issue 16): eight other projects have files named *.pin.json.
func TestMarks(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		`{"_type": "https://in-toto.io/Statement/v1"`:          true,
		"<<<<<<< HEAD\n" + `"https://in-toto.io/Statement/v1"`: true,
		`{"payloadType":"application/vnd.in-toto+json"`:        true,
		`{"payloadType":"application\/vnd.in-toto+json"`:       true,
		`{"pins": ["numpy==1"]}`:                               false,
		"":                                                     false,
	} {
		if got := (Format{}).Marks(pinPath, []byte(text)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
