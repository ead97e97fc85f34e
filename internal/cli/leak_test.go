package cli

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/replay-gate/replay-gate/internal/githubtest"
	"github.com/replay-gate/replay-gate/internal/gittest"
	"github.com/replay-gate/replay-gate/verify/secrets"
)

// Issue 12, "Cannot leak": 12 kinds of secret, each planted in every place that a report can
// quote; no output of any command, no file that it writes, no bundle's member and no request
// to GitHub holds 8 characters of one in a row.
//
// Each place has a secret of its own, so that none is masked because it was seen elsewhere,
// and the failure names the place.
func TestNothingLeaks(t *testing.T) {
	t.Parallel()
	for _, kind := range secretKinds {
		t.Run(kind.name, func(t *testing.T) {
			t.Parallel()
			l := newLeak(t, kind)
			l.run("gate", "--base", "base", "--scope", "all")
			l.inFolder()
			l.run("gate", "--base", "base", "--scope", "all", "--json", "--at", "tree")
			l.run("gate", "--base", "base", "--verbose", "--color", "always", "--fail-on", "any", "--strict")
			l.inFolder()
			l.run("gate", "--head", "HEAD", "--config-from", "head", "--scope", "all", "--verbose", "--bundle-for", "none")
			l.run("verify", "--verbose")
			l.run("verify", "--json")
			l.run("status")
			l.run("status", "--json")
			l.run("timeline")
			l.run("timeline", "--json")
			l.run("timeline", "--svg", "-")
			l.run("init")
			l.run("init", "--json")
			for _, name := range []string{"a", "b"} {
				l.run("verify", l.s.Path(sidecarOf(name)))
				l.run("render", l.s.Path(sidecarOf(name)))
				l.run("render", "--json", l.s.Path(sidecarOf(name)))
				l.run("bundle", "create", "--base", "base", l.s.Path(sidecarOf(name)))
				l.inFolder()
				l.run("bundle", "create", "--json", l.s.Path(sidecarOf(name)))
			}
			l.inActions()
			l.run("accept", "--all-introduced", "--base", "base", "--reason", "why", "--by", "Ada")
			l.run("gate", "--base", "base", "--scope", "all", "--verbose")
			l.inFolder()
			if l.masked < 25 {
				t.Errorf("only %d texts say that something was taken out", l.masked)
			}
		})
	}
}

// secretKind makes secrets of one kind.
type secretKind struct {
	name string
	// secret makes one from random letters and digits, and text says it as a file does in
	// which it is found. Both may have several lines.
	secret func(random func(int) string) string
	text   func(secret string) string
	// hidden is a kind that only its name gives away: it is masked, and is no reason to
	// refuse a bundle, which holds the file as it is.
	hidden bool
}

func itself(secret string) string { return secret }

var secretKinds = []secretKind{
	{"a token of GitHub", func(r func(int) string) string { return "gh" + "p_" + r(36) }, itself, false},
	{"a key of OpenAI", func(r func(int) string) string { return "s" + "k-" + r(40) }, itself, false},
	{"a token of Slack", func(r func(int) string) string { return "xo" + "xb-123456789012-123456789012-" + r(24) }, itself, false},
	{"a key of Google", func(r func(int) string) string { return "AI" + "za" + r(35) }, itself, false},
	{"a token of npm", func(r func(int) string) string { return "np" + "m_" + r(36) }, itself, false},
	{"a token of GitLab", func(r func(int) string) string { return "glp" + "at-" + r(20) }, itself, false},
	{"a JWT", func(r func(int) string) string {
		return "ey" + "JhbGciOiJIUzI1NiJ9.ey" + "J" + r(30) + "." + r(43)
	}, itself, false},
	{"a bearer", func(r func(int) string) string { return r(32) }, func(s string) string { return "Bear" + "er " + s }, false},
	{"a key of AWS", func(r func(int) string) string { return r(40) }, func(s string) string { return "aws_secret_access_key = " + s }, true},
	{"a password", func(r func(int) string) string { return "tr0ub" + r(12) }, func(s string) string { return "DB_PASSWORD=" + s }, true},
	{"a password in an address", func(r func(int) string) string { return "hu7" + r(12) }, func(s string) string { return "postgres://app:" + s + "@db.internal:5432/x" }, true},
	{"a private key", func(r func(int) string) string { return r(64) + "\n" + r(64) + "\n" + r(31) + "=" }, func(s string) string {
		return "-----BEGIN RSA " + "PRIVATE KEY-----\n" + s + "\n-----END RSA " + "PRIVATE KEY-----"
	}, false},
}

// leak is a repository full of secrets of one kind.
type leak struct {
	t      *testing.T
	kind   secretKind
	s      *scene
	random *rand.Rand
	// planted are the secrets, by place.
	planted map[string]string
	// masked counts the texts in which something was taken out.
	masked int
}

// plant makes the secret of a place, and gives the text to put there.
func (l *leak) plant(place string) string {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	secret := l.kind.secret(func(n int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = letters[l.random.IntN(len(letters))]
		}
		return string(b)
	})
	l.planted[place] = secret
	return l.kind.text(secret)
}

// inJSON is a planted text within a JSON string, without quotes.
func (l *leak) inJSON(place string) string {
	data, err := json.Marshal(l.plant(place))
	if err != nil {
		l.t.Fatal(err)
	}
	return string(data[1 : len(data)-1])
}

// inLine is a planted text on one line.
func (l *leak) inLine(place string) string { return strings.ReplaceAll(l.plant(place), "\n", " ") }

// inYAML is a planted text as the value of a key.
func (l *leak) inYAML(place string) string { return `"` + l.inJSON(place) + `"` }

// newLeak makes the repository: a base, a change, and an edit that is not committed.
func newLeak(t *testing.T, kind secretKind) *leak {
	l := &leak{t: t, kind: kind, random: rand.New(rand.NewPCG(14, uint64(len(kind.name)))), planted: make(map[string]string)}
	l.planted["the golden secret"] = "golden-Xq7-Zt5vRw9Kp3Ln" // it is in no file: traces are signed with it
	h := newHouse()
	h["dvc.yaml"] = "stages:\n  train:\n    cmd: train --key " + l.inYAML("dvc.yaml, cmd") + "\n    deps: [data.csv]\n    params: [lr]\n    outs: [model.bin]\n"
	h["params.yaml"] = "lr: 1\n"
	h["dvc.lock"] = "schema: '2.0'\nstages:\n  train:\n    cmd: " + l.inYAML("dvc.lock, cmd") + "\n    deps:\n    - path: data.csv\n      md5: 0123456789abcdef0123456789abcdef\n      size: 3\n    params:\n      params.yaml:\n        lr: " + l.inYAML("dvc.lock, parameter") + "\n    outs:\n    - path: model.bin\n      md5: 0123456789abcdef0123456789abcdef\n      size: 3\n"
	h["data.csv"] = "a,b\n"
	fixtures(h)
	trace(h)
	golden(h)
	h["evals/report.md"], h["evals/prompt.md"] = "# 40 of 50\n", "Answer.\n"
	h[".gitignore"] = ".assay/bundles/\n"
	h[".replay-gate.yml"] = "evidence:\n  ahd:\n    - \"**/*.replay.json\"\n    - " + l.inYAML("settings, a glob") + "\n"
	h[acceptedDrift] = "- evidence: docs/evals/b.replay.json\n  field: token.hash\n  observed: \"*\"\n  reason: " + l.inYAML("an acceptance's reason") +
		"\n  until: 2026-07-30\n  by: " + l.inYAML("an acceptance's author") + "\n"
	s := &scene{Repo: gittest.New(t), house: h}
	s.At = 1_780_300_000 // June 2026
	for name, content := range h {
		s.put(name, content)
	}
	l.s = s
	s.edit("tokens/swiss.yml", "accent: red", "accent: "+l.inYAML("an input, before")+"\nnote: |\n  "+strings.ReplaceAll(l.plant("an input, several lines before"), "\n", "\n  "))
	s.edit("briefs/landing.md", "A landing page.", "A landing page. "+l.plant("a text input, before"))
	s.record("a", run{token: "tokens/swiss.yml"})
	s.record("b", run{token: "tokens/green.yml", at: "2026-05-02T10:00:00.000Z"})
	s.Commit("base")
	s.Git("tag", "base")
	l.change()
	l.commitAs(l.inLine("an author's name"), l.plant("a commit's subject")+"\n\n"+l.plant("a commit's body"))
	s.edit("tokens/swiss.yml", "id: swiss", "id: swiss\nmore: "+l.inYAML("an input, not committed"))
	return l
}

// change edits everything.
func (l *leak) change() {
	s := l.s
	s.put("tokens/swiss.yml", "id: swiss\naccent: "+l.inYAML("an input, after")+"\n"+l.inYAML("an input, a key")+": 1\nrules:\n  - "+l.inYAML("an input, in a list")+
		"\nnote: |\n  "+strings.ReplaceAll(l.plant("an input, several lines"), "\n", "\n  ")+"\n# "+l.inLine("an input, a comment")+"\n")
	s.put("briefs/landing.md", "# Landing\n\nAnother landing page. "+l.plant("a text input, after")+"\n")
	s.put("params.yaml", "lr: "+l.inYAML("a parameter")+"\n")
	s.edit(reportOf("a"), "The rest is prose.", "The rest is "+l.inLine("a report"))
	a := sidecarOf("a")
	for _, edit := range [][2]string{
		{`"bin/ahd.js"`, `"bin/ahd.js", "--header", "` + l.inJSON("argv") + `"`},
		{`"gemma"`, `"` + l.inJSON("a model") + `"`},
		{`"cloudflare"`, `"` + l.inJSON("a provider") + `"`},
		{`"request-a-1"`, `"` + l.inJSON("a request's id") + `"`},
		{`"0.11.0"`, `"` + l.inJSON("a version of the tool") + `"`},
		{`"v22"`, `"` + l.inJSON("a version of the runtime") + `"`},
		{`"linux-x64"`, `"` + l.inJSON("a platform") + `"`},
		{`"raw"`, `"` + l.inJSON("a condition") + `"`},
		{`"schema_version": 1`, `"schema_version": 1, "` + l.inJSON("an unknown key") + `": "` + l.inJSON("an unknown key's value") + `"`},
	} {
		s.edit(a, edit[0], edit[1])
	}
	s.edit(sidecarOf("b"), `"path": "tokens/green.yml"`, `"path": "`+l.inJSON("a recorded path")+`"`)
	s.edit(sidecarOf("b"), `"eval-live"`, `"`+l.inJSON("a kind of run")+`"`)
	s.edit(greeting, "Agent response", l.inJSON("a recorded answer"))
	s.edit("eval.config.ts", "v2.0.0", l.inJSON("a configuration"))
	digest := func(sha256 string) map[string]string { return map[string]string{"sha256": sha256} }
	pin, err := json.Marshal(map[string]any{
		"_type": "https://in-toto.io/Statement/v1", "subject": []any{map[string]any{"name": "evals/report.md", "digest": digest(strings.Repeat("0", 64))}},
		"predicateType": "https://in-toto.io/attestation/link/v0.3",
		"predicate": map[string]any{
			"name": l.plant("a pin's name"), "command": []string{"make", "KEY=" + l.plant("a pin's command")},
			"materials": []any{
				map[string]any{"name": "evals/prompt.md", "digest": digest(strings.Repeat("1", 64)), "annotations": map[string]any{"replayGate": map[string]any{
					"keys": []string{l.plant("a pin's key")},
				}}},
				map[string]any{"name": "evals/prompt.md", "digest": digest(l.plant("a pin's digest"))},
			},
			"byproducts": map[string]any{"replayGate": map[string]any{"tool": l.plant("a pin's tool"), "globs": []string{l.plant("a pin's glob")}}},
		},
	})
	if err != nil {
		l.t.Fatal(err)
	}
	s.put("evals/report.md.pin.json", string(pin))
}

// commitAs commits all under a name.
func (l *leak) commitAs(author, message string) {
	env := l.s.Env
	l.s.Env = append(slices.Clone(env), "GIT_AUTHOR_NAME="+author)
	l.s.Commit(message)
	l.s.Env = env
}

// run runs a command in the repository, and looks at what it says.
func (l *leak) run(args ...string) (exit int) {
	l.t.Helper()
	return l.runWith(map[string]string{"REPLAY_GATE_GOLDEN_SECRET": l.planted["the golden secret"]}, args...)
}

func (l *leak) runWith(env map[string]string, args ...string) (exit int) {
	l.t.Helper()
	var out, chatter bytes.Buffer
	args = append(args, "--root", l.s.Dir)
	exit = Main(context.Background(), Streams{
		In: strings.NewReader(""), Out: &out, Err: &chatter, Getenv: func(name string) string { return env[name] }, Now: clock,
	}, args)
	name := strings.ReplaceAll(strings.Join(args, " "), l.s.Dir, "REPO")
	l.holdsNone("standard output of "+name, out.Bytes())
	l.holdsNone("standard error of "+name, chatter.Bytes())
	return exit
}

// holdsNone looks for 8 characters of a secret in a row, in the text and in what its escapes
// mean.
func (l *leak) holdsNone(where string, text []byte) {
	l.t.Helper()
	const row = 8
	if bytes.Contains(text, []byte(secrets.Redacted)) {
		l.masked++
	}
	held := make(map[string]bool)
	for _, form := range []string{string(text), strings.NewReplacer(`\\n`, "", `\n`, "", "\n", "", "<br>", "", "&#xA;", "", "`", "", `\`, "").Replace(string(text))} {
		for i := 0; i+row <= len(form); i++ {
			held[form[i:i+row]] = true
		}
	}
	for place, secret := range l.planted {
		for line := range strings.Lines(secret) {
			line = strings.TrimSpace(line)
			for i := 0; i+row <= len(line); i++ {
				// What all secrets of a kind begin with is none.
				if piece := line[i : i+row]; held[piece] && !l.common(place, piece) {
					at := bytes.Index(text, []byte(piece))
					l.t.Errorf("%s holds %q of %s: %q", where, piece, place, text[max(0, at-120):min(len(text), max(0, at)+120)])
					return
				}
			}
		}
	}
}

// common reports whether the secret of another place has the piece, too.
func (l *leak) common(place, piece string) bool {
	for other, secret := range l.planted {
		if other != place && strings.Contains(secret, piece) {
			return true
		}
	}
	return false
}

// inFolder looks at all that lies beside the bundles, and into them.
func (l *leak) inFolder() {
	l.t.Helper()
	folder := l.s.Path(".assay/bundles")
	entries, err := os.ReadDir(folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		l.t.Fatal(err)
	}
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(folder, e.Name()))
		if err != nil {
			l.t.Fatal(err)
		}
		if !strings.HasSuffix(e.Name(), ".tar.gz") {
			l.holdsNone(e.Name(), data)
			continue
		}
		l.inBundle(e.Name(), data)
		for _, args := range [][]string{{"bundle", "check"}, {"bundle", "ls"}, {"bundle", "ls", "--json"}, {"replay"}, {"replay", "--json"}} {
			// 2: a row rests on what is left out for what looks like a secret.
			if exit := l.run(append(args, filepath.Join(folder, e.Name()))...); exit != 0 && exit != 2 {
				l.t.Errorf("%s of %s: exit %d", strings.Join(args, " "), e.Name(), exit)
			}
		}
	}
}

func (l *leak) inBundle(name string, data []byte) {
	l.t.Helper()
	zr, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		l.t.Fatal(err)
	}
	for tr := tar.NewReader(zr); ; {
		h, err := tr.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			l.t.Fatal(err)
		}
		content, err := io.ReadAll(tr)
		if err != nil {
			l.t.Fatal(err)
		}
		if l.kind.hidden && (strings.HasPrefix(h.Name, "files/") && h.Name != "files/trace.jsonl" || strings.HasPrefix(h.Name, "outputs/report/") || strings.HasPrefix(h.Name, "cassettes/")) {
			continue // a file of the repository, as it is
		}
		l.holdsNone(name+", "+h.Name, content)
	}
}

// inActions gates as the action does, with every upgrade, and looks at log, summary, outputs
// and requests.
func (l *leak) inActions() {
	l.t.Helper()
	g := githubtest.Start(l.t)
	dir := l.t.TempDir()
	branch := strings.Map(func(r rune) rune {
		if strings.ContainsRune(" :\n=@", r) {
			return '-'
		}
		return r
	}, l.inLine("a branch"))
	repository := map[string]any{"full_name": g.Repository, "fork": false}
	event, err := json.Marshal(map[string]any{
		"number": 2,
		"pull_request": map[string]any{
			"number": 2, "changed_files": 2, "title": l.plant("a pull request's title"), "body": l.plant("a pull request's body"),
			"head": map[string]any{"sha": l.s.Head(), "ref": branch, "repo": repository},
			"base": map[string]any{"sha": l.s.Git("rev-parse", "base"), "ref": "main", "repo": repository},
		},
		"repository": map[string]any{"full_name": g.Repository, "default_branch": "main"},
	})
	if err != nil {
		l.t.Fatal(err)
	}
	env := map[string]string{
		"GITHUB_ACTIONS": "true", "GITHUB_API_URL": g.API(), "GITHUB_SERVER_URL": g.URL(), "GITHUB_REPOSITORY": g.Repository,
		"GITHUB_RUN_ID": "42", "GITHUB_RUN_ATTEMPT": "1", "GITHUB_JOB": "evidence", "GITHUB_EVENT_NAME": "pull_request", "GITHUB_HEAD_REF": branch,
		"ACTIONS_RESULTS_URL": g.URL(), "ACTIONS_RUNTIME_TOKEN": g.RuntimeToken, "INPUT_TOKEN": g.Token,
		"INPUT_CHECK-RUN": "required", "INPUT_COMMENT": "always", "INPUT_UPLOAD": "required", "INPUT_SCOPE": "all", "INPUT_GOLDEN-SECRET": l.planted["the golden secret"],
	}
	for name, content := range map[string][]byte{"GITHUB_EVENT_PATH": event, "GITHUB_OUTPUT": nil, "GITHUB_STEP_SUMMARY": nil} {
		env[name] = filepath.Join(dir, name)
		if err := os.WriteFile(env[name], content, 0o644); err != nil {
			l.t.Fatal(err)
		}
	}
	l.runWith(env, "gate")
	l.inFolder()
	for _, name := range []string{"GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY"} {
		data, err := os.ReadFile(env[name])
		if err != nil || len(data) == 0 {
			l.t.Fatalf("%s: %d bytes, %v", name, len(data), err)
		}
		l.holdsNone(name, data)
	}
	for _, r := range g.Requests() {
		l.holdsNone(fmt.Sprintf("the request %s %s?%s", r.Method, r.Path, r.Query), r.Body)
	}
	if len(g.CheckRuns()) == 0 || len(g.Artifacts()) == 0 || len(g.Comments()) == 0 {
		l.t.Error("check run, artifact and comment were not all there to look at")
	}
}
