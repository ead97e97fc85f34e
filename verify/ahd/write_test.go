package ahd

import (
	"strings"
	"testing"
	"time"

	"github.com/replay-gate/replay-gate/verify"
)

func pointer[T any](v T) *T { return &v }

func run() Run {
	return Run{
		Kind: kindEvalLive, Version: "0.11.0", Commit: pointer(strings.Repeat("ab", 20)), Dirty: pointer(false),
		NodeVersion: "v22.22.2", Platform: "linux-x64",
		InvokedAt: Timestamp(time.Date(2026, 4, 22, 23, 52, 25, 380_900_000, time.FixedZone("", 3600))),
		Argv:      []string{"node", "/w/ahd/bin/ahd.js", "eval-live", "quiet", "--n", "30", "<&>"},
		Token:     InputRef{"tokens/quiet.yml", sha(tokenValue)},
		Brief:     &InputRef{"briefs/poster.md", sha(briefText)},
		Sampling:  Sampling{N: 30},
		Models:    []Model{{ID: "cf:@cf/x", Provider: "p"}},
	}
}

// AHD replay, Fields: every field, in order, null where nothing is known.
func TestSidecar(t *testing.T) {
	got, err := run().Sidecar()
	if err != nil {
		t.Fatal(err)
	}
	want := strings.NewReplacer("TOKEN", sha(tokenValue), "BRIEF", sha(briefText)).Replace(`{
  "schema_version": 1,
  "kind": "eval-live",
  "ahd_version": "0.11.0",
  "ahd_commit": "abababababababababababababababababababab",
  "git_dirty": false,
  "node_version": "v22.22.2",
  "platform": "linux-x64",
  "invoked_at": "2026-04-22T22:52:25.380Z",
  "argv": [
    "node",
    "/w/ahd/bin/ahd.js",
    "eval-live",
    "quiet",
    "--n",
    "30",
    "<&>"
  ],
  "token": {
    "path": "tokens/quiet.yml",
    "hash": "TOKEN"
  },
  "brief": {
    "path": "briefs/poster.md",
    "hash": "BRIEF"
  },
  "sampling": {
    "n": 30,
    "temperature": null,
    "seed": null
  },
  "models": [
    {
      "id": "cf:@cf/x",
      "provider": "p",
      "provider_request_ids": []
    }
  ],
  "conditions": {
    "requested": [],
    "effective": []
  }
}
`)
	if string(got) != want {
		t.Errorf("got %s", got)
	}
}

// What is written passes the checks, and can be rendered.
func TestSidecarVerifies(t *testing.T) {
	full := run()
	full.Sampling = Sampling{N: 30, Temperature: pointer(0.7), Seed: pointer(int64(1) << 53)}
	full.Conditions = Conditions{[]string{"raw"}, []string{"raw"}}
	critique := run()
	critique.Kind, critique.Brief = kindCritique, nil
	critique.Argv = []string{"node", "/w/ahd/bin/ahd.js", "critique", "quiet", "--n", "30"}
	noGit := run()
	noGit.Commit, noGit.Dirty = nil, nil
	backfilled := run()
	backfilled.Backfilled, backfilled.Argv, backfilled.Models = true, nil, nil
	backfilled.NodeVersion, backfilled.Platform = Unknown, Unknown
	for name, r := range map[string]Run{"plain": run(), "full": full, "critique": critique, "no git": noGit, "backfilled": backfilled} {
		text, err := r.Sidecar()
		if err != nil {
			t.Fatal(err)
		}
		fsys := repo()
		fsys[sidecarPath].Data = text
		if got := bad(check(fsys)); got != "" {
			t.Errorf("%s: %s\n%s", name, got, text)
		}
		if _, err := RenderBlock(text); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	r := run()
	r.Argv = []string{"a\xffb"}
	if text, err := r.Sidecar(); err == nil {
		t.Errorf("a word that is no text: %s", text)
	}
}

// AHD replay, Hash contract: parsed value for structured inputs, bytes for others.
func TestInputHashes(t *testing.T) {
	for _, tt := range []struct {
		name, text, want string
	}{
		{"b.md", "a:  1", sha("a:  1")},
		{"b.txt", "{}", sha("{}")},
		{"b.yml", "b: 1 # x\na:  [2]", sha(`{"a":[2],"b":1}`)},
		{"b.yaml", "a:  1", sha(`{"a":1}`)},
		{"b.json", `{ "a": 1e0 }`, sha(`{"a":1}`)},
		{"b.yml", "a: [", ""},
	} {
		if got, err := BriefHash(tt.name, []byte(tt.text)); got != tt.want || (err == nil) == (tt.want == "") {
			t.Errorf("%s %q: %s, %v", tt.name, tt.text, got, err)
		}
	}
	if got, err := TokenHash([]byte(tokenText)); got != sha(tokenValue) || err != nil {
		t.Errorf("%s, %v", got, err)
	}
}

// process.platform and process.arch of Node.
func TestPlatform(t *testing.T) {
	for in, want := range map[[2]string]string{
		{"linux", "amd64"}: "linux-x64", {"darwin", "arm64"}: "darwin-arm64",
		{"windows", "amd64"}: "win32-x64", {"windows", "386"}: "win32-ia32",
	} {
		if got := Platform(in[0], in[1]); got != want {
			t.Errorf("%v: %s", in, got)
		}
	}
}

// AHD replay, Fields: brief is null on critique runs alone. The framework's version is that of
// its own package.json.
func TestOfTheFramework(t *testing.T) {
	t.Parallel()
	for _, kind := range Kinds() {
		if HasBrief(kind) != (kind != "critique") {
			t.Errorf("a brief of %s: %t", kind, HasBrief(kind))
		}
	}
	files := verify.NewTree(tree(map[string]string{
		"a/package.json": `{"name": "` + PackageName + `", "version": "1.2.3"}`, "b/package.json": `{"name": "other", "version": "1.2.3"}`,
		"c/package.json": `{"name": "` + PackageName + `"}`, "d/x": "",
	}))
	for dir, want := range map[string]bool{"a": true, "b": false, "c": false, "d": false} {
		if version, ok := FrameworkVersion(files, dir); ok != want || ok && version != "1.2.3" {
			t.Errorf("%s: %q, %t", dir, version, ok)
		}
	}
}
