package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/replay-gate/replay-gate/internal/gittest"
	"github.com/replay-gate/replay-gate/verify/ahd"
	"github.com/replay-gate/replay-gate/verify/canonical"
)

// Green by accident: one table of changes, each with the one right answer. Every row runs
// twice, on the work tree with the edit uncommitted, and on the commit with --head HEAD.
//
// A row names every FAIL that it expects, so that one too many fails as one too few does.

// greenRow is one change.
type greenRow struct {
	name string
	// base lays more over the house that every row starts from.
	base func(h house)
	// edit is the change. It may commit: the base is tagged "base".
	edit func(s *scene)
	// late happens when all is committed: it is no part of the change.
	late func(s *scene)
	// args are further arguments.
	args []string
	exit int
	// fails are all rows that fail: "evidence field code attribution", the evidence by its
	// name without folder and ending. Sorted by nobody.
	fails []string
	// also are rows of any other status that must be there: "evidence status field code".
	also []string
	// verdict is checked where the exit code does not say it.
	verdict string
	// treeOnly and headOnly are for changes that one of the two can't hold.
	treeOnly, headOnly bool
}

// house is a tree of files. A link is a file that starts with linkMark.
type house map[string]string

const linkMark = "\x00link to "

// newHouse is a repository with two reports, that share a brief.
func newHouse() house {
	h := house{
		"package.json": `{"name":"consumer"}` + "\n", "README.md": "# A consumer\n\nNothing of it is evidence.\n",
		"tokens/swiss.yml": "id: swiss\naccent: red\nrules:\n  - one accent\n", "tokens/green.yml": "id: green\naccent: green\n",
		"briefs/landing.md": "# Landing\n\nA landing page.\n",
	}
	h.record("a", run{token: "tokens/swiss.yml"})
	h.record("b", run{token: "tokens/green.yml", at: "2026-05-02T10:00:00.000Z"})
	return h
}

// run is what a sidecar records, where it matters to a row.
type run struct {
	token, brief, at, model, kind string
	n                             int
	ids, argv                     []string
	tokenPath, tokenHash          string // as recorded, where they are other ones
	backfilled                    bool
	commit                        string
	models                        []string
}

func sidecarOf(name string) string { return "docs/evals/" + name + ".replay.json" }
func reportOf(name string) string  { return "docs/evals/" + name + ".md" }

// record adds the sidecar of a run and its report.
func (h house) record(name string, r run) {
	h[sidecarOf(name)] = h.sidecar(name, r)
	h[reportOf(name)] = "# Report " + name + "\n\n| model | tells |\n|---|---|\n| gemma | 71 % |\n\nThe rest is prose.\n"
}

func (h house) sidecar(name string, r run) string {
	or := func(s *string, other string) {
		if *s == "" {
			*s = other
		}
	}
	or(&r.brief, "briefs/landing.md")
	or(&r.at, "2026-05-01T10:00:00.000Z")
	or(&r.model, "gemma")
	or(&r.kind, "eval-live")
	or(&r.tokenPath, r.token)
	if r.n == 0 {
		r.n = 30
	}
	if r.models == nil {
		r.models = []string{r.model}
	}
	if r.ids == nil {
		r.ids = []string{"request-" + name + "-1", "request-" + name + "-2"}
	}
	if r.argv == nil {
		r.argv = []string{"node", "bin/ahd.js", r.kind, strings.TrimSuffix(path.Base(r.token), ".yml")}
	}
	if r.tokenHash == "" {
		r.tokenHash = tokenHash(h[r.token])
	}
	s := ahd.Run{
		Kind: r.kind, Version: "0.11.0", NodeVersion: "v22", Platform: "linux-x64", InvokedAt: r.at, Argv: r.argv,
		Token:    ahd.InputRef{Path: r.tokenPath, Hash: r.tokenHash},
		Sampling: ahd.Sampling{N: r.n}, Backfilled: r.backfilled,
		Conditions: ahd.Conditions{Requested: []string{"raw"}, Effective: []string{"raw"}},
	}
	if r.brief != "none" {
		s.Brief = &ahd.InputRef{Path: r.brief, Hash: canonical.RawHash([]byte(h[r.brief]))}
	}
	if r.commit != "" {
		clean := false
		s.Commit, s.Dirty = &r.commit, &clean
	}
	for i, m := range r.models {
		model := ahd.Model{ID: m, Provider: "cloudflare"}
		if i == 0 {
			model.ProviderRequestIDs = r.ids
		}
		s.Models = append(s.Models, model)
	}
	text, err := s.Sidecar()
	if err != nil {
		panic(err)
	}
	return string(text)
}

func tokenHash(text string) string {
	hash, err := ahd.TokenHash([]byte(text))
	if err != nil {
		panic(err)
	}
	return hash
}

func (h house) link(name, target string) { h[name] = linkMark + target }

func (h house) edit(name, old, new string) {
	if !strings.Contains(h[name], old) {
		panic(name + " does not hold " + old)
	}
	h[name] = strings.Replace(h[name], old, new, 1)
}

// scene is the repository of one row, for its edit.
type scene struct {
	*gittest.Repo
	house house
}

func (s *scene) put(name, content string) {
	s.T.Helper()
	target, isLink := strings.CutPrefix(content, linkMark)
	if !isLink {
		s.Write(name, content)
		return
	}
	s.remove(name)
	s.Mkdir(path.Dir(name))
	if err := os.Symlink(target, s.Path(name)); err != nil {
		s.T.Fatal(err)
	}
}

func (s *scene) read(name string) string {
	s.T.Helper()
	data, err := os.ReadFile(s.Path(name))
	if err != nil {
		s.T.Fatal(err)
	}
	return string(data)
}

func (s *scene) edit(name, old, new string) {
	s.T.Helper()
	text := s.read(name)
	if !strings.Contains(text, old) {
		s.T.Fatalf("%s does not hold %q", name, old)
	}
	s.Write(name, strings.Replace(text, old, new, 1))
}

func (s *scene) remove(names ...string) {
	s.T.Helper()
	for _, name := range names {
		if err := os.RemoveAll(s.Path(name)); err != nil {
			s.T.Fatal(err)
		}
	}
}

func (s *scene) chmod(name string, mode os.FileMode) {
	s.T.Helper()
	if err := os.Chmod(s.Path(name), mode); err != nil {
		s.T.Fatal(err)
	}
}

func (s *scene) move(old, new string) {
	s.T.Helper()
	s.Mkdir(path.Dir(new))
	if err := os.Rename(s.Path(old), s.Path(new)); err != nil {
		s.T.Fatal(err)
	}
}

// record adds a run and its report to the change; inputs are those that are there now.
func (s *scene) record(name string, r run) {
	s.T.Helper()
	h := house{}
	if r.brief == "" {
		r.brief = "briefs/landing.md"
	}
	for _, in := range []string{r.token, r.brief} {
		if data, err := os.ReadFile(s.Path(in)); err == nil {
			h[in] = string(data)
		} else if !errors.Is(err, fs.ErrNotExist) {
			s.T.Fatal(err)
		}
	}
	h.record(name, r)
	s.put(sidecarOf(name), h[sidecarOf(name)])
	s.put(reportOf(name), h[reportOf(name)])
}

// greenReport is what the table looks at.
type greenReport struct {
	Verdict    string `json:"verdict"`
	ExitCode   int    `json:"exit_code"`
	ReasonCode string `json:"reason_code"`
	Message    string `json:"message"`
	Evidence   []struct {
		Path   string `json:"path"`
		Fields []struct {
			Field, Status, Code, Attribution, Reason string
		} `json:"fields"`
	} `json:"evidence"`
	Notices []struct{ Code, Message string } `json:"notices"`
}

// rows lists the report's rows by status: "evidence field code attribution", or with the
// status behind the evidence.
func (r greenReport) rows() (fails, all []string) {
	for _, e := range r.Evidence {
		name, _, _ := strings.Cut(path.Base(e.Path), ".")
		for _, f := range e.Fields {
			all = append(all, strings.TrimSpace(fmt.Sprintf("%s %s %s %s", name, f.Status, f.Field, f.Code)))
			if f.Status == "FAIL" {
				fails = append(fails, strings.TrimSpace(fmt.Sprintf("%s %s %s %s", name, f.Field, f.Code, f.Attribution)))
			}
		}
	}
	for _, n := range r.Notices {
		all = append(all, "notice "+n.Code)
	}
	slices.Sort(fails)
	return fails, all
}

// play makes the row's repository and its change.
func (row greenRow) play(t *testing.T) *scene {
	h := newHouse()
	if row.base != nil {
		row.base(h)
	}
	s := &scene{Repo: gittest.New(t), house: h}
	s.At = 1_780_300_000 // June 2026
	for name, content := range h {
		s.put(name, content)
	}
	s.Commit("base")
	s.Git("tag", "base")
	if row.edit != nil {
		row.edit(s)
	}
	return s
}

// gateOn runs the gate.
func gateOn(t *testing.T, s *scene, args ...string) (greenReport, string) {
	t.Helper()
	var out, chatter bytes.Buffer
	args = append([]string{"gate", "--root", s.Dir, "--base", "base", "--json", "--scope", "all", "--bundle-for", "none"}, args...)
	code := Main(context.Background(), Streams{In: strings.NewReader(""), Out: &out, Err: &chatter, Getenv: func(string) string { return "" }, Now: clock}, args)
	var r greenReport
	if err := json.Unmarshal(out.Bytes(), &r); err != nil {
		t.Fatalf("exit %d: %v\n%s%s", code, err, out.String(), chatter.String())
	}
	if code != r.ExitCode {
		t.Errorf("exits %d, and the report says %d", code, r.ExitCode)
	}
	return r, out.String()
}

func (row greenRow) holds(t *testing.T, r greenReport) {
	t.Helper()
	fails, all := r.rows()
	want := slices.Sorted(slices.Values(row.fails))
	if r.ExitCode != row.exit || !slices.Equal(fails, want) || row.verdict != "" && r.Verdict != row.verdict {
		t.Errorf("exit %d, %s (%s %s), want %d %s\nfails: %s\nwant:  %s", r.ExitCode, r.Verdict, r.ReasonCode, r.Message, row.exit, row.verdict,
			strings.Join(fails, "\n       "), strings.Join(want, "\n       "))
	}
	for _, wanted := range row.also {
		if !slices.Contains(all, wanted) {
			t.Errorf("no row %q in:\n%s", wanted, strings.Join(all, "\n"))
		}
	}
	if t.Failed() {
		for _, e := range r.Evidence {
			for _, f := range e.Fields {
				if f.Status != "ok" {
					t.Logf("%s: %s %s: %s", filepath.Base(e.Path), f.Status, f.Field, f.Reason)
				}
			}
		}
	}
}

func TestGreen(t *testing.T) {
	t.Parallel()
	names := make(map[string]bool)
	for _, row := range slices.Concat(greenEveryday, greenFiles, greenLinks, greenRecorded, greenGone, greenClaims, greenPlaces, greenKinds, greenBases, greenSettings, greenDVC) {
		if names[row.name] {
			t.Errorf("two rows are called %q", row.name)
		}
		names[row.name] = true
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			s := row.play(t)
			if !row.headOnly {
				r, _ := gateOn(t, s, row.args...)
				t.Run("work tree", func(t *testing.T) { row.holds(t, r) })
			}
			if !row.treeOnly {
				s.Commit("the change")
				if row.late != nil {
					row.late(s)
				}
				r, _ := gateOn(t, s, append([]string{"--head", "HEAD"}, row.args...)...)
				t.Run("commit", func(t *testing.T) { row.holds(t, r) })
			}
		})
	}
	if len(names) < 100 {
		t.Errorf("%d rows: some were lost", len(names))
	}
}
