package cli

// accept is the file that accepts a's drift on an edited token.
func accept(evidence, field string) string {
	return "- evidence: \"" + evidence + "\"\n  field: " + field + "\n  observed: \"*\"\n  reason: we know\n  until: 2026-08-01\n  by: Ada\n"
}

const acceptedDrift = ".assay/accepted-drift.yml"

// Settings and acceptances: what a change may say about its own verdict.
var greenSettings = []greenRow{
	{
		name: "drift accepted here", edit: func(s *scene) { blue(s); s.put(acceptedDrift, accept(sidecarOf("a"), "token.hash")) },
		also: []string{"a warn token.hash hash-differs"}, verdict: "intact",
	},
	{
		name: "drift accepted for a while that is over",
		base: func(h house) {
			h[acceptedDrift] = "- evidence: " + sidecarOf("a") + "\n  field: token.hash\n  observed: \"*\"\n  reason: x\n  until: 2026-06-02\n  by: Ada\n"
		},
		edit: blue, exit: 1, fails: []string{"a token.hash hash-differs introduced"},
	},
	{
		name: "a rewritten value accepted",
		edit: func(s *scene) {
			s.edit(sidecarOf("a"), `"n": 30`, `"n": 300`)
			s.put(acceptedDrift, accept(sidecarOf("a"), "recorded.sampling.n"))
		},
		also: []string{"a warn recorded.sampling.n rewritten"},
	},
	{
		name: "a removal accepted", edit: func(s *scene) { s.remove(sidecarOf("a")); s.put(acceptedDrift, accept(sidecarOf("a"), "evidence")) },
		also: []string{"a warn evidence removed"},
	},
	{
		name: "a broken file is never accepted",
		edit: func(s *scene) {
			s.put(sidecarOf("a"), s.read(sidecarOf("a"))[:400])
			s.put(acceptedDrift, accept(sidecarOf("a"), "json"))
		},
		exit: 2, fails: []string{"a json truncated introduced"},
	},
	{
		name: "an entry for everything", edit: func(s *scene) { blue(s); s.put(acceptedDrift, accept("**", "token.hash")) },
		exit: 1, fails: []string{"a token.hash hash-differs introduced", "accepted-drift accepted-drift entry-over-broad introduced"},
	},
	{
		name: "an entry for everything, spelt by the folders that there are",
		edit: func(s *scene) { blue(s); s.put(acceptedDrift, accept("docs/**/*.replay.json", "token.hash")) },
		exit: 1, fails: []string{"a token.hash hash-differs introduced", "accepted-drift accepted-drift entry-over-broad introduced"},
	},
	{
		name: "an entry for everything, spelt with classes",
		edit: func(s *scene) { blue(s); s.put(acceptedDrift, accept("[c-e]ocs/evals/[!z]*.json", "token.hash")) },
		exit: 1, fails: []string{"a token.hash hash-differs introduced", "accepted-drift accepted-drift entry-over-broad introduced"},
	},
	{
		name: "settings that let a kind never fail, added by the change",
		edit: func(s *scene) { blue(s); s.put(".replay-gate.yml", "fail-on:\n  ahd: never\n") },
		exit: 1, fails: []string{"a token.hash hash-differs introduced"},
	},
	{
		name: "settings of the base that let a kind never fail", base: func(h house) { h[".replay-gate.yml"] = "fail-on:\n  ahd: never\n" },
		edit: blue, fails: []string{"a token.hash hash-differs introduced"}, verdict: "drift",
	},
	{
		name: "settings of the base that no file matches", base: func(h house) { h[".replay-gate.yml"] = "evidence:\n  ahd: [\"nowhere/*.json\"]\n" },
		edit: blue,
	},
	{
		name: "globs widened by the change", base: func(h house) { h[".replay-gate.yml"] = "evidence:\n  ahd: [\"nowhere/*.json\"]\n" },
		edit: func(s *scene) { s.remove(".replay-gate.yml"); blue(s) },
	},
	{
		name: "a policy of any", args: []string{"--fail-on", "any"}, base: func(h house) { h.edit("tokens/swiss.yml", "red", "blue") },
		exit: 1, fails: []string{"a token.hash hash-differs pre-existing"},
	},
	{
		name: "a policy of never", args: []string{"--fail-on", "never"}, edit: blue,
		fails: []string{"a token.hash hash-differs introduced"}, verdict: "drift",
	},
	{
		name: "a secret in the base's settings is no reason to fail", base: func(h house) { h[".replay-gate.yml"] = "# nothing\n" },
	},
}
