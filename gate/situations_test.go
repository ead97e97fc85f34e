package gate_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/replay-gate/replay-gate/internal/gittest"
	"github.com/replay-gate/replay-gate/verify/canonical"
)

// The situations of issue 14, each a repository as people have it: a change with the evidence
// around it.

const (
	swiss = "tokens/swiss-editorial.yml"
	green = "tokens/post-digital-green.yml"
	brief = "briefs/landing.yml"
)

// situation makes a repository in which a change lies between the branch base and the work
// tree.
type situation struct {
	name string
	exit int
	make func(s *site)
}

func situations() []situation {
	return []situation{
		{"one-cause", 1, func(s *site) {
			s.weeklies()
			s.base()
			s.edit(swiss, "base: 17", "base: 18")
			s.commit("Larger scale")
		}},
		{"two-causes", 1, func(s *site) {
			s.report("2026-08-03-swiss", swiss, "2026-08-03", "m-1", "m-2")
			s.report("2026-08-04-green", green, "2026-08-04", "m-1")
			s.base()
			s.edit(swiss, "base: 17", "base: 18")
			s.commit("Larger scale")
			s.edit(green, "#1a7f37", "#116329")
			s.commit("Darker green")
		}},
		{"comment-only", 0, func(s *site) {
			s.weeklies()
			s.base()
			s.edit(swiss, "id: swiss-editorial", "# Reviewed in August.\nid: swiss-editorial")
			s.commit("Say when it was reviewed")
		}},
		{"uncommitted", 1, func(s *site) {
			s.weeklies()
			s.base()
			s.edit(swiss, "base: 17", "base: 18")
		}},
		{"rename", 1, func(s *site) {
			s.report("2026-08-03-swiss", swiss, "2026-08-03", "m-1")
			s.base()
			s.Git("mv", swiss, "tokens/swiss.yml")
			s.commit("A shorter name")
		}},
		{"rewritten", 1, func(s *site) {
			s.report("2026-08-03-swiss", swiss, "2026-08-03", "m-1")
			s.base()
			s.edit("docs/evals/2026-08-03-swiss.replay.json", `"n": 30`, `"n": 300`)
			s.commit("More samples")
		}},
		{"old-debt", 0, func(s *site) {
			s.report("2026-08-03-swiss", swiss, "2026-08-03", "m-1")
			s.report("2026-08-04-swiss", swiss, "2026-08-04", "m-2")
			s.edit(swiss, "base: 17", "base: 18")
			s.commit("Larger scale")
			s.base()
			s.edit("docs/evals/2026-08-03-swiss.md", "A note.", "A note on the model.")
			s.edit("docs/evals/2026-08-04-swiss.md", "A note.", "A note on the model.")
			s.commit("Say which note")
		}},
		{"accepted", 0, func(s *site) {
			s.report("2026-08-03-swiss", swiss, "2026-08-03", "m-1")
			s.report("2026-08-04-swiss", swiss, "2026-08-04", "m-2")
			s.base()
			s.edit(swiss, "base: 17", "base: 18")
			s.accept("docs/evals/2026-08-03-swiss.replay.json", "token.hash")
			s.accept("docs/evals/2026-08-04-swiss.replay.json", "token.hash")
			s.commit("Larger scale, on purpose")
		}},
	}
}

// site is a repository with published results.
type site struct {
	*gittest.Repo
	files    map[string]string
	accepted string
}

func newSite(t *testing.T) *site {
	s := &site{Repo: gittest.New(t), files: make(map[string]string)}
	s.At = 1_786_000_000 // August 2026
	for i, v := range s.Env {
		s.Env[i] = strings.NewReplacer("=Ada", "=Eva", "=Grace", "=Eva", "=ada@", "=eva@", "=grace@", "=eva@").Replace(v)
	}
	s.put(swiss, "id: swiss-editorial\ntype:\n  scale:\n    base: 17\n    ratio: 1.25\n  face: Inter\npalette:\n  accent: \"#d7261e\"\n")
	s.put(green, "id: post-digital-green\npalette:\n  accent: \"#1a7f37\"\n")
	s.put(brief, "id: landing\ntext: A landing page for a small studio.\n")
	s.put(".gitignore", ".assay/bundles/\n")
	s.commit("Tokens and a brief")
	return s
}

func (s *site) put(name, content string) {
	s.files[name] = content
	s.Write(name, content)
}

func (s *site) edit(name, old, new string) {
	if !strings.Contains(s.files[name], old) {
		s.T.Fatalf("%s does not have %q", name, old)
	}
	s.put(name, strings.Replace(s.files[name], old, new, 1))
}

func (s *site) commit(message string) { s.Commit(message) }

func (s *site) base() { s.Git("branch", "-f", "base") }

// weeklies are nineteen reports on one token, of which two are the newest word on something.
func (s *site) weeklies() {
	models := []string{"m-1", "m-2", "m-3", "m-4", "m-5"}
	for i := range 17 {
		s.report(fmt.Sprintf("weekly/2026-%02d-%02d", 4+i/4, 1+7*(i%4)), swiss, fmt.Sprintf("2026-%02d-%02d", 4+i/4, 1+7*(i%4)), models...)
	}
	s.report("monthly/2026-08-01-vision", swiss, "2026-08-01", "vision-1")
	s.report("weekly/2026-08-03", swiss, "2026-08-03", models...)
}

// report publishes a result: a report and its sidecar.
func (s *site) report(name, token, day string, models ...string) {
	list := make([]map[string]any, len(models))
	for i, m := range models {
		list[i] = map[string]any{"id": m, "provider": "example", "provider_request_ids": []string{name + "-" + m}}
	}
	report := "docs/evals/" + name + ".md"
	subject := strings.TrimSuffix(token[len("tokens/"):], ".yml")
	data, err := json.MarshalIndent(map[string]any{
		"schema_version": 1, "kind": "eval-live", "ahd_version": "0.11.0", "ahd_commit": s.Head(), "git_dirty": false,
		"node_version": "v22.22.2", "platform": "linux-x64", "invoked_at": day + "T09:14:03.120Z",
		"argv": []string{
			"/opt/hostedtoolcache/node/22.22.2/x64/bin/node", "/home/runner/work/ahd/ahd/bin/ahd.js", "eval-live", subject,
			"--brief", brief, "--models", strings.Join(models, ","), "--n", "30", "--report", report,
		},
		"token":      map[string]any{"path": "/home/runner/work/ahd/ahd/" + token, "hash": s.hash(token)},
		"brief":      map[string]any{"path": brief, "hash": s.hash(brief)},
		"sampling":   map[string]any{"n": 30, "temperature": nil, "seed": nil},
		"models":     list,
		"conditions": map[string]any{"requested": []string{"raw", "compiled"}, "effective": []string{"raw", "compiled"}},
	}, "", "  ")
	if err != nil {
		s.T.Fatal(err)
	}
	s.put("docs/evals/"+name+".replay.json", string(data)+"\n")
	s.put(report, "# "+name+"\n\nA note.\n\n| model | hits |\n| --- | --- |\n| m-1 | 71 % |\n")
	s.commit("Publish " + name)
}

func (s *site) hash(name string) string {
	hash, err := canonical.Hash([]byte(s.files[name]))
	if err != nil {
		s.T.Fatal(err)
	}
	return hash
}

// accept adds an entry for the present hash of the token.
func (s *site) accept(evidence, field string) {
	s.accepted += fmt.Sprintf("- evidence: %s\n  field: %s\n  observed: %s\n  reason: the scale is larger on purpose\n  until: 2026-10-31\n  by: Eva\n", evidence, field, s.hash(swiss))
	s.put(".assay/accepted-drift.yml", s.accepted)
}
