package cli

import "strings"

// blue edits a's token.
func blue(s *scene) { s.edit("tokens/swiss.yml", "red", "blue") }

// Claims and records: the newest word describes the present, and can't be forged.
var greenClaims = []greenRow{
	{
		name: "a record whose token moved on",
		base: func(h house) { h.record("a2", run{token: "tokens/swiss.yml", at: "2026-05-08T10:00:00.000Z"}) },
		edit: blue, exit: 1, fails: []string{"a2 token.hash hash-differs introduced"}, also: []string{"a info token.hash superseded"},
	},
	{
		name: "a record whose token no commit has",
		base: func(h house) {
			h.record("a", run{token: "tokens/swiss.yml", tokenHash: "sha256:" + strings.Repeat("1", 64)})
			h.record("a2", run{token: "tokens/swiss.yml", at: "2026-05-08T10:00:00.000Z"})
		},
		edit: func(s *scene) { s.edit("briefs/landing.md", "A landing", "Another landing") },
		exit: 1, fails: []string{"a2 brief.hash hash-differs introduced", "b brief.hash hash-differs introduced"},
		also: []string{"a info token.hash superseded", "a info token.hash input-lost", "a info brief.hash superseded"},
	},
	{
		name: "a record, at the tree", args: []string{"--at", "tree"},
		base: func(h house) { h.record("a2", run{token: "tokens/swiss.yml", at: "2026-05-08T10:00:00.000Z"}) },
		edit: blue, exit: 1, fails: []string{"a token.hash hash-differs introduced", "a2 token.hash hash-differs introduced"},
	},
	{
		name: "a record in strict mode", args: []string{"--strict"},
		base: func(h house) { h.record("a2", run{token: "tokens/swiss.yml", at: "2026-05-08T10:00:00.000Z"}) },
		edit: blue, exit: 1, fails: []string{"a2 token.hash hash-differs introduced"},
	},
	{
		name: "new evidence that fails takes over nothing",
		edit: func(s *scene) {
			blue(s)
			s.record("a2", run{token: "tokens/swiss.yml", at: "2026-05-29T10:00:00.000Z", tokenHash: "sha256:" + strings.Repeat("1", 64)})
		},
		exit: 1, fails: []string{"a token.hash hash-differs introduced", "a2 token.hash hash-differs introduced"},
	},
	{
		name: "new evidence that fails and is accepted takes over nothing",
		edit: func(s *scene) {
			blue(s)
			hash := "sha256:" + strings.Repeat("1", 64)
			s.record("a2", run{token: "tokens/swiss.yml", at: "2026-05-29T10:00:00.000Z", tokenHash: hash})
			s.put(".assay/accepted-drift.yml", "- evidence: "+sidecarOf("a2")+"\n  field: token.hash\n  observed: \""+tokenHash(s.read("tokens/swiss.yml"))+"\"\n  reason: x\n  until: 2026-08-01\n  by: Eve\n")
		},
		exit: 1, fails: []string{"a token.hash hash-differs introduced"}, also: []string{"a2 warn token.hash hash-differs"},
	},
	{
		name: "new evidence from the future takes over nothing", headOnly: true,
		edit: func(s *scene) {
			blue(s)
			s.record("a2", run{token: "tokens/swiss.yml", at: "2026-06-20T10:00:00.000Z"})
		},
		exit: 1, fails: []string{"a token.hash hash-differs introduced", "a2 invoked_at in-the-future introduced"},
	},
	{
		name: "fewer samples",
		edit: func(s *scene) {
			blue(s)
			s.record("a2", run{token: "tokens/swiss.yml", at: "2026-05-29T10:00:00.000Z", n: 1})
		},
		also: []string{"a2 warn claims weaker", "a info token.hash superseded"},
	},
	{
		name: "fewer models",
		base: func(h house) { h.record("a", run{token: "tokens/swiss.yml", models: []string{"gemma", "llama"}}) },
		edit: func(s *scene) {
			blue(s)
			s.record("a2", run{token: "tokens/swiss.yml", at: "2026-05-29T10:00:00.000Z"})
		},
		also: []string{"a2 warn claims weaker", "a warn token.hash not-rerun"},
	},
	{
		name: "fewer samples in strict mode", args: []string{"--strict"},
		edit: func(s *scene) {
			blue(s)
			s.record("a2", run{token: "tokens/swiss.yml", at: "2026-05-29T10:00:00.000Z", n: 2})
		},
		exit: 1, fails: []string{"a token.hash hash-differs introduced", "a2 claims weaker introduced"},
	},
	{
		name: "another kind of run takes over nothing",
		edit: func(s *scene) {
			blue(s)
			s.record("a2", run{token: "tokens/swiss.yml", at: "2026-05-29T10:00:00.000Z", kind: "eval-image"})
		},
		exit: 1, fails: []string{"a token.hash hash-differs introduced"},
	},
	{
		name: "another brief takes over nothing", base: func(h house) { h["briefs/other.md"] = "# Other\n" },
		edit: func(s *scene) {
			blue(s)
			s.record("a2", run{token: "tokens/swiss.yml", brief: "briefs/other.md", at: "2026-05-29T10:00:00.000Z"})
		},
		exit: 1, fails: []string{"a token.hash hash-differs introduced"},
	},
	{
		name: "a backfilled sidecar that is older than a run",
		edit: func(s *scene) {
			s.record("old", run{token: "tokens/swiss.yml", model: "llama", at: "2026-04-01T10:00:00.000Z", backfilled: true})
		},
	},
	{
		name: "new evidence of the past whose inputs never were",
		edit: func(s *scene) {
			s.record("old", run{token: "tokens/swiss.yml", at: "2026-04-01T10:00:00.000Z", tokenHash: "sha256:" + strings.Repeat("1", 64)})
		},
		exit: 1, fails: []string{"old token.hash hash-differs introduced"},
	},
	{
		name: "new evidence of the past whose inputs hold on the base",
		base: func(h house) { h.record("a2", run{token: "tokens/swiss.yml", at: "2026-05-08T10:00:00.000Z"}) },
		edit: func(s *scene) {
			s.record("old", run{token: "tokens/swiss.yml", at: "2026-04-01T10:00:00.000Z"})
			blue(s)
		},
		exit: 1, fails: []string{"a2 token.hash hash-differs introduced"}, also: []string{"old info token.hash superseded"},
	},
	{
		name: "the newest word deleted, and the record drifts again",
		base: func(h house) {
			h.edit("tokens/swiss.yml", "red", "blue")
			h.record("a2", run{token: "tokens/swiss.yml", at: "2026-05-08T10:00:00.000Z"})
		},
		edit: func(s *scene) { s.remove(sidecarOf("a2"), reportOf("a2")) },
		exit: 1, fails: []string{"a token.hash hash-differs introduced"}, also: []string{"a2 warn evidence removed"},
	},
	{
		name: "the newest word drifts, and keeps what it had taken over",
		base: func(h house) { h.record("a2", run{token: "tokens/swiss.yml", at: "2026-05-08T10:00:00.000Z"}) },
		edit: func(s *scene) { blue(s); s.edit(sidecarOf("a2"), `"n": 30`, `"n": 31`) },
		exit: 1, fails: []string{"a2 token.hash hash-differs introduced", "a2 recorded.sampling.n rewritten introduced"}, also: []string{"a info token.hash superseded"},
	},
	{
		name: "a record redated into the newest word",
		base: func(h house) {
			h.edit("tokens/swiss.yml", "red", "blue")
			h.record("a2", run{token: "tokens/swiss.yml", at: "2026-05-08T10:00:00.000Z"})
		},
		edit: func(s *scene) {
			s.edit("tokens/swiss.yml", "blue", "pink")
			s.edit(sidecarOf("a"), "2026-05-01T10", "2026-05-20T10")
			s.edit(sidecarOf("a"), tokenHash("id: swiss\naccent: red\nrules:\n  - one accent\n"), tokenHash(s.read("tokens/swiss.yml")))
		},
		exit: 1, fails: []string{"a recorded redated introduced", "a2 token.hash hash-differs introduced"},
	},
}
