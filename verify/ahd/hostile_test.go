package ahd

import (
	"fmt"
	"io/fs"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/replay-gate/replay-gate/verify"
)

// Text that stops being JSON is judged up to there; what may have stood behind
// the break is not reported as missing.
func TestBrokenJSON(t *testing.T) {
	at := func(mark string) string { return valid[:strings.Index(valid, mark)] }
	tests := []struct {
		name, text string
		want       string
		rows       int
	}{
		{"empty", "", "FAIL json empty 1:1", 1},
		{"after schema_version", at(`"kind"`), "FAIL json truncated 3:3", 3},
		{"within the token", at(`"hash": "` + sha(tokenValue)), "FAIL json truncated 13:5", 12},
		{"within the request ids", at(`"req_secret_2"`), "FAIL json truncated 21:77", 20},
		{"last brace missing", strings.TrimSuffix(valid, "}\n"), "FAIL json truncated 25:1", 25},
		{"text after the end", valid + "x", "FAIL json broken-json 26:1", 25},
		{"drift before the break", strings.Replace(at(`"sampling"`), sha(tokenValue), sha(""), 1), "FAIL json truncated 19:3\nFAIL token.hash hash-differs 13:13", 15},
		{"between a hash and its path", `{"token": {"hash": "` + sha("") + `", `, "FAIL json truncated 1:95", 2},
		{"byte order mark", "\ufeff" + valid, "FAIL json byte-order-mark 1:1", 1},
		{"a pointer of Git LFS", "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n", "FAIL json lfs-pointer 1:1", 1},
		{"conflict markers", strings.Replace(valid, "  \"kind\"", "<<<<<<< HEAD\n  \"kind\"", 1), "FAIL json conflict-markers 3:1", 3},
		{"a list", "[]", "FAIL json wrong-type 1:1", 1},
		{"null", "null", "FAIL json wrong-type 1:1", 1},
		{"10,000 deep", `{"schema_version": 1, "models": ` + strings.Repeat("[", 10_000), "FAIL json broken-json 1:532\nFAIL models[0] wrong-type 1:34", 4},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			fsys := repo()
			fsys[sidecarPath].Data = []byte(tt.text)
			r := check(fsys)
			if got := bad(r); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
			if len(r.Checks) != tt.rows {
				t.Errorf("%d rows, want %d: %+v", len(r.Checks), tt.rows, r.Checks)
			}
			if r.Unchecked == "" || r.Unchecked != r.Checks[0].Reason {
				t.Errorf("Unchecked %q, reason %q", r.Unchecked, r.Checks[0].Reason)
			}
		})
	}
}

// Repeated names and invalid UTF-8 fail; the rest is checked.
func TestJSONProblems(t *testing.T) {
	r := check(edited(t, `"path": "tokens/quiet.yml",`, `"path": "x", "path": "tokens/quiet.yml",`))
	if got, want := bad(r), "FAIL token.path duplicate-key 12:18"; got != want || len(r.Checks) != 25 || r.Unchecked != "" {
		t.Errorf("got %s, %d rows", got, len(r.Checks))
	}
	r = check(edited(t, `"darwin-arm64"`, "\"darwin\xff\""))
	if got, want := bad(r), "FAIL json invalid-utf8 8:22"; got != want || len(r.Checks) != 25 {
		t.Errorf("got %s, %d rows", got, len(r.Checks))
	}
}

// A request id that is used as a name is not shown either.
func TestRequestIDAsName(t *testing.T) {
	r := check(edited(t, `["req_secret_1", "req_secret_2"]`, `{"req_secret_1": 1, "req_secret_1": 2}`))
	if got, want := bad(r), "FAIL models[0].provider_request_ids duplicate-key 21:80\nFAIL models[0].provider_request_ids wrong-type 21:60"; got != want {
		t.Errorf("got %s", got)
	}
	noSecrets(t, r)
}

func TestSidecarIsUnreadable(t *testing.T) {
	r := checkAt(repo(), "docs/gone.replay.json")
	if got, want := bad(r), "FAIL evidence unreadable 0:0"; got != want || r.Unchecked != "could not be read: the file does not exist" {
		t.Errorf("got %s, Unchecked %q", got, r.Unchecked)
	}
	if r := checkAt(repo(), "../out.replay.json"); r.Unchecked != "could not be read: the file has a path that leaves the tree" {
		t.Errorf("Unchecked %q", r.Unchecked)
	}
	fsys := repo()
	fsys[sidecarPath].Data = make([]byte, verify.MaxEvidence+1)
	if r := check(fsys); !strings.Contains(r.Unchecked, "larger than") {
		t.Errorf("Unchecked %q", r.Unchecked)
	}
}

// Wrong types everywhere: each member of the sidecar, replaced by each type.
func TestWrongTypesEverywhere(t *testing.T) {
	for _, with := range []string{`null`, `true`, `-1`, `1e400`, `""`, `"\u0000\n|` + "`" + `"`, `[]`, `[[]]`, `{}`, `{"id": {}, "path": [], "hash": {}, "n": {}}`, `[{"id": 1}]`} {
		for _, member := range known[""] {
			text := strings.Replace(valid, `"`+member+`": `, `"`+member+`": `+with+`, "was": `, 1)
			if member == "backfilled" {
				text = strings.Replace(valid, "{", `{"backfilled": `+with+`, `, 1)
			}
			fsys := repo()
			fsys[sidecarPath].Data = []byte(text)
			r := check(fsys)
			wellFormed(t, r, []byte(text))
			if !slices.ContainsFunc(r.Checks, func(c verify.Check) bool { return strings.HasPrefix(c.Field, member) }) {
				t.Errorf("no row for %s: %s", member, with)
			}
		}
	}
}

// Hostile names and sizes end as checks of bounded length, in bounded time.
func TestHostileValues(t *testing.T) {
	long := strings.Repeat("x", 5<<20)
	list := func(n int, item string) string { return "[" + strings.Repeat(item+",", n) + item + "]" }
	models := `{"id": "m", "provider": "p", "provider_request_ids": []}`
	tests := []struct {
		name, old, with string
		want            string // "field code" of a check
	}{
		{"5 MB argv of one word", `"--n", "30"`, `"--n", "30", "` + long + `"`, "argv "},
		{"argv of 400,000 words", `"--n", "30"`, `"--n", "30"` + strings.Repeat(`,""`, 400_000), "argv "},
		{"more values than a document may have", `"--n", "30"`, `"--n", "30"` + strings.Repeat(`,""`, 1<<20), "json broken-json"},
		{"5 MB path", `"tokens/quiet.yml"`, `"` + long + `"`, "token.path malformed-path"},
		{"5 MB name", `"schema_version": 1`, `"schema_version": 1, "` + long + `": 1`, "unknown fields unknown-fields"},
		{"path with a newline", `"tokens/quiet.yml"`, `"tokens/a\n::error::b|` + "`c`" + `@d.yml"`, "token.path input-missing"},
		{"NUL", `"tokens/quiet.yml"`, `"tokens/quiet.yml\u0000"`, "token.path malformed-path"},
		{"a million dots", `"tokens/quiet.yml"`, `"` + strings.Repeat("../", 1000) + `x"`, "token.path leaves-root"},
		{"300 models", `{"id": "m-2", "provider": "p", "provider_request_ids": []}`, strings.Trim(list(299, models), "[]"), "models too-many"},
		{"conditions without end", `"requested": ["raw", "compiled"]`, `"requested": ` + list(100_000, `"raw"`), "conditions not-requested"},
		{"different conditions without end", `"requested": ["raw", "compiled"]`, `"requested": ["` + numbered(100_000) + `"]`, "conditions not-requested"},
		{"names without end", `"sampling": {`, `"sampling": {"` + strings.ReplaceAll(numbered(20_000), `","`, `": 1, "`) + `": 1, `, "unknown fields unknown-fields"},
		{"repeated names without end", `"sampling": {`, `"sampling": {` + strings.Repeat(`"n": 1, `, 100_000), "sampling.n duplicate-key"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			fsys := edited(t, tt.old, tt.with)
			r := check(fsys)
			wellFormed(t, r, fsys[sidecarPath].Data)
			noSecrets(t, r)
			for _, c := range r.Checks {
				if c.Field+" "+c.Code == tt.want {
					return
				}
			}
			t.Errorf("no %s in\n%s", tt.want, bad(r))
		})
	}
}

// numbered joins n names with `","`.
func numbered(n int) string {
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf("c%d", i)
	}
	return strings.Join(names, `","`)
}

// The command that a result carries is whole or not there.
func TestEndlessCommandIsNotCarried(t *testing.T) {
	r := check(edited(t, `"--n", "30"`, `"--n", "30", "`+strings.Repeat("x", maxArgv)+`"`))
	if r.Recording.Argv != nil {
		t.Errorf("%d words", len(r.Recording.Argv))
	}
}

// What is endless is not taken apart, which would take many times its size, nor
// again for each line of a report that names it.
func TestEndlessValuesAreNotTakenApart(t *testing.T) {
	commas := strings.Repeat(",", 4<<20)
	models := edited(t, `cf:m-1,m-2`, commas)
	recorded := edited(t, `"requested": ["raw"`, `"requested": ["`+commas+`", "raw"`)
	recorded["docs/run.md"].Data = []byte(block)
	reported := repo()
	reported["docs/run.md"].Data = []byte(strings.Replace(block, "requested: [", "requested: ["+commas, 1))
	again := edited(t, `"requested": ["raw"`, `"requested": ["`+commas+`", "raw"`)
	again["docs/run.md"].Data = []byte(blockFence + "\nconditions:\n" + strings.Repeat("  requested: [raw]\n", 200))
	paths := edited(t, `"tokens/quiet.yml"`, `"`+strings.Repeat("x/", 2<<20)+`"`)
	paths["docs/run.md"].Data = []byte(blockFence + "\ntoken:\n" + strings.Repeat("  path: x\n", 200))
	for _, tt := range []struct {
		name string
		fsys fstest.MapFS
		want string
	}{
		{"--models", models, "warn argv argv-disagrees"},
		{"recorded conditions", recorded, "FAIL report.conditions.requested contradicts"},
		{"reported conditions", reported, "FAIL report.conditions.requested contradicts"},
		{"named again and again", again, "FAIL report.conditions.requested contradicts"},
		{"a path, again and again", paths, "FAIL report.token.path contradicts"},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		r := check(tt.fsys)
		runtime.ReadMemStats(&after)
		if got := bad(r); !strings.Contains(got, tt.want) {
			t.Errorf("%s: got %s", tt.name, got)
		}
		if n := after.TotalAlloc - before.TotalAlloc; n > 12*uint64(len(commas)) {
			t.Errorf("%s: %d bytes were allocated for %d", tt.name, n, len(commas))
		}
	}
}

// A report is as hostile as a sidecar.
func TestHostileReports(t *testing.T) {
	const fence = blockFence + "\n"
	for name, text := range map[string]string{
		"unclosed":           fence + strings.Repeat("kind: x\n", 1<<20),
		"endless line":       fence + "kind: " + strings.Repeat("x", 8<<20),
		"endless models":     fence + "models:\n" + strings.Repeat("  - id: x\n", 1<<20),
		"items without list": fence + strings.Repeat("- id: x\n", 100),
		"only dashes":        fence + strings.Repeat("- - - :\n", 100),
		"controls":           fence + "kind: \x00\x1b[2J\n",
		"invalid UTF-8":      fence + "kind: \xff\xfe\n",
	} {
		t.Run(name, func(t *testing.T) {
			r := withReport(text)
			wellFormed(t, r, []byte(valid))
			if len(r.Checks) > 24+maxBlock {
				t.Errorf("%d checks", len(r.Checks))
			}
		})
	}
}

// A thousand sidecars that each miss an input do not make a thousand searches
// of the whole tree.
func TestSearchForMovedInputsIsBounded(t *testing.T) {
	for _, names := range []string{"old/%04d.yml", "old/%04d/quiet.yml"} {
		fsys := repo()
		for i := range 2000 {
			fsys[fmt.Sprintf(names, i)] = &fstest.MapFile{Data: fmt.Appendf(nil, "n: %d\n", i)}
		}
		delete(fsys, "tokens/quiet.yml")
		fsys[fmt.Sprintf(names, 9999)] = &fstest.MapFile{Data: []byte(tokenText)}
		counting := &countingOpens{MapFS: fsys}
		r := Format{}.Verify(t.Context(), &verify.Evidence{Path: sidecarPath, Tree: verify.NewTree(counting), Now: verify.At(now)})
		if c := row(t, r, "token.path"); c.Code != "input-missing" || c.Hint != "" {
			t.Errorf("%s: %+v", names, c)
		}
		if counting.files == 0 || counting.files > movedMaxFiles {
			t.Errorf("%s: %d files were read", names, counting.files)
		}
	}
}

type countingOpens struct {
	fstest.MapFS
	files int // below old
}

func (c *countingOpens) Open(name string) (fs.File, error) {
	if info, err := c.Stat(name); err == nil && !info.IsDir() && strings.HasPrefix(name, "old/") {
		c.files++
	}
	return c.MapFS.Open(name)
}

func (c *countingOpens) Stat(name string) (fs.FileInfo, error) { return c.MapFS.Stat(name) }

// noSecrets fails if a request id of the valid sidecar is shown.
func noSecrets(t *testing.T, r verify.Result) {
	t.Helper()
	if text := fmt.Sprintf("%+v", r); strings.Contains(text, "req_secret") {
		t.Errorf("a request id is shown: …%s", text[strings.Index(text, "req_secret"):][:40])
	}
}

// wellFormed fails unless every check can be rendered: a known status, a code
// unless it is ok, a place inside of the file, bounded texts.
func wellFormed(t *testing.T, r verify.Result, data []byte) {
	t.Helper()
	lines := strings.Split(string(data), "\n")
	for _, c := range r.Checks {
		switch c.Status {
		case verify.OK:
		case verify.Fail, verify.Warn, verify.Info:
			if c.Code == "" || c.Reason == "" {
				t.Errorf("%s without code or reason: %+v", c.Status, c)
			}
		default:
			t.Errorf("status %q", c.Status)
		}
		for _, text := range []string{c.Field, c.Code, c.Reason, c.Recorded, c.Observed, c.Hint} {
			if len(text) > verify.MaxValue {
				t.Errorf("%s: a text of %d bytes", verify.Shorten(c.Field, 80), len(text))
			}
		}
		l := c.Location
		if l.Line < 0 || l.Line > len(lines) || l.Line > 0 && (l.Column < 1 || l.Column > len([]rune(lines[l.Line-1]))+1) {
			t.Errorf("%s: location %s is outside of the file", c.Field, l)
		}
	}
	if r.SHA256 == "" || len(r.Checks) == 0 {
		t.Errorf("SHA256 %q, %d checks", r.SHA256, len(r.Checks))
	}
}
