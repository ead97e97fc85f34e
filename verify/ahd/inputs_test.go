package ahd

import (
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"github.com/replay-gate/replay-gate/verify"
)

// AHD replay, Hash contract: the token's hash is over its parsed value, so
// comments, whitespace and key order do not matter; the value does.
func TestTokenHash(t *testing.T) {
	tests := []struct {
		name, token string
		want        string
		reason      string
	}{
		{"reordered, commented", "id:   quiet # x\nname: 'Quiet'\n", "", ""},
		{"as JSON", tokenValue, "", ""},
		{"changed value", "name: Loud\nid: quiet\n", "FAIL token.hash hash-differs 13:13", "parsed value"},
		{"not YAML", "id: quiet\nname: 'Quiet\n", "FAIL token.hash not-valid 13:13", "not valid"},
		{"cannot be judged", "id: quiet\nname: &é Quiet\n", "FAIL token.hash cannot-judge 13:13", "cannot be canonicalised: "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			fsys := repo()
			fsys["tokens/quiet.yml"].Data = []byte(tt.token)
			r := check(fsys)
			if got := bad(r); got != tt.want {
				t.Fatalf("got %s, want %s", got, tt.want)
			}
			c := row(t, r, "token.hash")
			if !strings.Contains(c.Reason, tt.reason) || c.Recorded != sha(tokenValue) || c.Input != "tokens/quiet.yml" {
				t.Errorf("%+v", c)
			}
			if c.Code == "hash-differs" && c.Observed != sha(`{"id":"quiet","name":"Loud"}`) {
				t.Errorf("Observed %s", c.Observed)
			}
			if (c.Code == "not-valid" || c.Code == "cannot-judge") && c.Observed != "" {
				t.Errorf("a hash is shown for what has none: %s", c.Observed)
			}
		})
	}
}

// A token has no raw-bytes mode: the hash of its bytes is not its hash.
func TestTokenHashIsNotOverBytes(t *testing.T) {
	c := row(t, check(edited(t, sha(tokenValue), sha(tokenText))), "token.hash")
	if c.Code != "hash-differs" || c.Observed != sha(tokenValue) {
		t.Errorf("%+v", c)
	}
}

// AHD replay, Raw-bytes inputs: raw bytes first, then the parsed value.
func TestBriefHash(t *testing.T) {
	const structured, value = "mustAvoid: []\nintent: x\n", `{"intent":"x","mustAvoid":[]}`
	tests := []struct {
		name, file, text, recorded string
		code, reason, observed     string
	}{
		{"markdown, bytes", "b.md", briefText, sha(briefText), "", "raw bytes match", sha(briefText)},
		{"YAML, bytes", "b.yml", structured, sha(structured), "", "raw bytes match", sha(structured)},
		{"YAML, value", "b.yml", structured, sha(value), "", "parsed value matches", sha(value)},
		{"JSON, value", "b.json", value + "\n", sha(value), "", "parsed value matches", sha(value)},
		{"a value in a file of any name", "b.md", structured, sha(value), "", "parsed value matches", sha(value)},
		{"markdown drifted", "b.md", briefText + " ", sha(briefText), "hash-differs", "raw bytes", sha(briefText + " ")},
		{"YAML drifted", "b.yml", structured, sha("x"), "hash-differs", sha(structured), sha(value)},
		{"drifted to what is not YAML", "b.yml", "a: 'b", sha(value), "hash-differs", "raw bytes", sha("a: 'b")},
		{"YAML that can't be judged", "b.yml", "a: &é b", sha(value), "cannot-judge", "cannot be canonicalised: ", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			fsys := repo()
			fsys["briefs/"+tt.file] = &fstest.MapFile{Data: []byte(tt.text)}
			fsys[sidecarPath].Data = []byte(strings.NewReplacer("poster.md", tt.file, sha(briefText), tt.recorded).Replace(valid))
			c := row(t, check(fsys), "brief.hash")
			if c.Code != tt.code || !strings.Contains(c.Reason, tt.reason) || c.Observed != tt.observed || c.Recorded != tt.recorded {
				t.Errorf("%+v", c)
			}
			if want := map[bool]verify.Status{true: verify.OK, false: verify.Fail}[tt.code == ""]; c.Status != want {
				t.Errorf("status %s, want %s", c.Status, want)
			}
		})
	}
}

// AHD replay, Fields: brief is null on critique runs.
func TestNullBrief(t *testing.T) {
	from, to := strings.Index(valid, `"brief": {`), strings.Index(valid, `"sampling"`)
	text := valid[:from] + `"brief": null, ` + valid[to:]
	for kind, want := range map[string]string{
		"critique": "", "eval-live": "warn brief brief-missing 15:12", "eval-image": "warn brief brief-missing 15:12",
	} {
		fsys := repo()
		fsys[sidecarPath].Data = []byte(strings.ReplaceAll(text, `"eval-live"`, `"`+kind+`"`))
		r := check(fsys)
		if got := bad(r); got != want {
			t.Errorf("%s: got %q, want %q", kind, got, want)
		}
		if len(r.Inputs) != 2 {
			t.Errorf("inputs %+v", r.Inputs)
		}
	}
}

// AHD replay, Hash contract: sha256:<lower-hex 64>.
func TestMalformedHash(t *testing.T) {
	for _, h := range []string{"", "sha256:", sha("")[:70], sha("") + "0", "SHA256:" + sha("")[7:], strings.ToUpper(sha("")), sha("")[7:], sha("") + `\n`} {
		for field, old := range map[string]string{"token": sha(tokenValue), "brief": sha(briefText)} {
			r := check(edited(t, old, h))
			if c := row(t, r, field+".hash"); c.Code != "malformed-hash" || c.Status != verify.Fail || c.Location.Line == 0 {
				t.Errorf("%q: %+v", h, c)
			}
			if c := row(t, r, field+".path"); c.Status != verify.OK {
				t.Errorf("%q hides its path: %+v", h, c)
			}
		}
	}
}

// A missing input fails twice, and says where it moved to.
func TestMissingInput(t *testing.T) {
	const want = "FAIL token.path input-missing 12:13\nFAIL token.hash not-compared 13:13"
	tests := []struct {
		name  string
		files map[string]string
		hint  string
	}{
		{"gone", nil, ""},
		{"moved to another folder", map[string]string{"styles/quiet.yml": tokenText}, "moved to styles/quiet.yml"},
		{"moved, its name alone differs", map[string]string{"tokens/silent.yml": tokenText}, "moved to tokens/silent.yml"},
		{"the same name wins", map[string]string{"a/silent.yml": tokenText, "z/quiet.yml": tokenText}, "moved to z/quiet.yml"},
		{"another value", map[string]string{"styles/quiet.yml": "id: loud\n"}, ""},
		{"moved and reformatted", map[string]string{"x.yml": tokenValue + " #"}, "moved to x.yml"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			fsys := repo()
			delete(fsys, "tokens/quiet.yml")
			for name, text := range tt.files {
				fsys[name] = &fstest.MapFile{Data: []byte(text)}
			}
			r := check(fsys)
			if got := bad(r); got != want {
				t.Fatalf("got\n%s\nwant\n%s", got, want)
			}
			if c := row(t, r, "token.path"); c.Hint != tt.hint {
				t.Errorf("hint %q", c.Hint)
			}
			if in := r.Inputs[0]; in.Role != "token" || !in.Missing || in.Path != "tokens/quiet.yml" || in.Hash != sha(tokenValue) {
				t.Errorf("%+v", in)
			}
		})
	}
}

// A file whose bytes have the recorded hash is not where a token moved to.
func TestMovedTokenIsNotFoundByBytes(t *testing.T) {
	fsys := edited(t, sha(tokenValue), sha(tokenText))
	fsys["old/quiet.yml"] = fsys["tokens/quiet.yml"]
	delete(fsys, "tokens/quiet.yml")
	if c := row(t, check(fsys), "token.path"); c.Code != "input-missing" || c.Hint != "" {
		t.Errorf("%+v", c)
	}
}

// A moved brief is found by its bytes as well.
func TestMovedBrief(t *testing.T) {
	fsys := repo()
	fsys["old/poster.md"] = fsys["briefs/poster.md"]
	delete(fsys, "briefs/poster.md")
	if c := row(t, check(fsys), "brief.path"); c.Hint != "moved to old/poster.md" {
		t.Errorf("%+v", c)
	}
}

// What is no regular file, or is too large, can't be read; it is not missing.
func TestUnreadableInput(t *testing.T) {
	for name, mode := range map[string]fs.FileMode{"folder": fs.ModeDir, "FIFO": fs.ModeNamedPipe, "device": fs.ModeDevice} {
		fsys := repo()
		fsys["tokens/quiet.yml"].Mode = mode
		r := check(fsys)
		if got, want := bad(r), "FAIL token.path unreadable 12:13\nFAIL token.hash not-compared 13:13"; got != want {
			t.Errorf("%s: got %s", name, got)
		}
		if r.Inputs[0].Missing {
			t.Errorf("%s counts as missing", name)
		}
	}
}

// The files that a verdict rests on, for the report and for the bundle.
func TestInputs(t *testing.T) {
	data, _ := json.Marshal(check(repo()).Inputs)
	want := `[{"role":"token","path":"tokens/quiet.yml","recorded":"tokens/quiet.yml","hash":"` + sha(tokenValue) + `","field":"token.hash","hashes":"canonical","place":"files/inputs"},` +
		`{"role":"brief","path":"briefs/poster.md","recorded":"briefs/poster.md","hash":"` + sha(briefText) + `","field":"brief.hash","hashes":"either","place":"files/inputs"},` +
		`{"role":"report","path":"docs/run.md","subject":true,"place":"outputs/report"}]`
	if string(data) != want {
		t.Errorf("got  %s\nwant %s", data, want)
	}
}

// Inputs that are gone are inputs too, so that their deletion affects the
// sidecar; what can't be read has none.
func TestInputsOfDamagedSidecars(t *testing.T) {
	tests := []struct {
		text string
		want []string
	}{
		{strings.Replace(valid, "quiet.yml", "gone.yml", 1), []string{"briefs/poster.md", "docs/run.md", "tokens/gone.yml"}},
		{strings.Replace(valid, `"schema_version": 1`, `"schema_version": 2`, 1), []string{"docs/run.md"}},
		{strings.Replace(valid, "briefs/poster.md\",\n", "../../x\",\n", 1), []string{"docs/run.md", "tokens/quiet.yml"}},
		{valid[:strings.Index(valid, `"brief": {`)], []string{"docs/run.md", "tokens/quiet.yml"}},
		{"[]", []string{"docs/run.md"}},
		{"", []string{"docs/run.md"}},
	}
	for _, tt := range tests {
		fsys := repo()
		fsys[sidecarPath].Data = []byte(tt.text)
		got := readBy(fsys, sidecarPath)
		if !slices.Equal(got, tt.want) {
			t.Errorf("%.40q…: %q, want %q", tt.text, got, tt.want)
		}
	}
	if got := readBy(repo(), "gone.replay.json"); got != nil {
		t.Errorf("a sidecar that does not exist has inputs %q", got)
	}
}

// readBy lists the files that judging a sidecar asks for, itself and the search for the
// root apart.
func readBy(fsys fstest.MapFS, sidecar string) []string {
	r := verify.Engine{Now: now}.Verify(context.Background(), verify.NewTree(fsys), []verify.Item{{Path: sidecar, Format: Format{}}})[0]
	var names []string
	for _, read := range r.Reads.All() {
		if read.Op == verify.OpFile && read.Name != sidecar && !strings.HasSuffix(read.Name, "package.json") {
			names = append(names, read.Name)
		}
	}
	return names
}

// A hint rests on files that no verdict does: what the search for a moved input reads is
// not noted, so that the sidecar is not affected by each of them.
func TestHintsAreReadAside(t *testing.T) {
	fsys := repo()
	fsys["new/quiet.yml"] = fsys["tokens/quiet.yml"]
	delete(fsys, "tokens/quiet.yml")
	if c := row(t, check(fsys), "token.path"); c.Hint != "moved to new/quiet.yml" {
		t.Fatalf("%+v", c)
	}
	if got, want := readBy(fsys, sidecarPath), []string{"briefs/poster.md", "docs/run.md", "tokens/quiet.yml"}; !slices.Equal(got, want) {
		t.Errorf("read %q", got)
	}
}

// countingFS counts how often each file is opened.
type countingFS struct {
	fstest.MapFS
	token atomic.Int32
}

func (c *countingFS) Open(name string) (fs.File, error) {
	if name == "tokens/quiet.yml" {
		c.token.Add(1)
	}
	return c.MapFS.Open(name)
}

func (c *countingFS) Stat(name string) (fs.FileInfo, error) { return c.MapFS.Stat(name) }

// Each distinct input is read once, however many sidecars pin it.
func TestInputIsReadOnce(t *testing.T) {
	fsys := &countingFS{MapFS: repo()}
	items := make([]verify.Item, 50)
	for i := range items {
		items[i] = verify.Item{Path: sidecarPath, Format: Format{}}
	}
	for _, r := range (verify.Engine{Now: now}).Verify(t.Context(), verify.NewTree(fsys), items) {
		if bad(r) != "" {
			t.Fatal(bad(r))
		}
	}
	if n := fsys.token.Load(); n != 1 {
		t.Errorf("the token was opened %d times", n)
	}
}

// testdata/ahd/README.md: sidecars shaped like published ones, their hashes those
// of the reference.
func TestPublishedShapes(t *testing.T) {
	tree := verify.NewTree(os.DirFS("../../testdata/ahd/repo"))
	n := 0
	for _, name := range tree.Under("docs/evals") {
		if !strings.HasSuffix(name, sidecarEnding) {
			continue
		}
		n++
		r := Format{}.Verify(t.Context(), &verify.Evidence{Path: name, Tree: tree, Now: verify.At(now)})
		if bad(r) != "" || r.Unchecked != "" {
			t.Errorf("%s: %s %s", name, r.Unchecked, bad(r))
		}
		backfilled := strings.Contains(name, "backfilled")
		if c := row(t, r, "token.path"); (c.Code == "relocated") == backfilled {
			t.Errorf("%s: %+v", name, c)
		}
		if c := row(t, r, "report"); strings.Contains(c.Reason, "agrees") == backfilled {
			t.Errorf("%s: %+v", name, c)
		}
	}
	if n != 5 {
		t.Errorf("%d sidecars", n)
	}
}
