package cli

import "strings"

// far makes a's sidecar one from another machine, whose token is found by its tail.
func far(h house) {
	h.record("a", run{token: "tokens/swiss.yml", tokenPath: "/home/ada/elsewhere/ahd/tokens/swiss.yml"})
}

// Paths lead where they led: no decoy takes the place of an input.
var greenPlaces = []greenRow{
	{
		name: "a decoy that shares the longest tail", base: far,
		edit: func(s *scene) {
			s.put("x/ahd/tokens/swiss.yml", s.read("tokens/swiss.yml"))
			blue(s)
		},
		exit: 1, fails: []string{"a token.path resolved-elsewhere introduced"},
	},
	{
		name: "a decoy of other content that shares the longest tail", base: far,
		edit: func(s *scene) { s.put("x/ahd/tokens/swiss.yml", "id: decoy\n") },
		exit: 1, fails: []string{"a token.path resolved-elsewhere introduced", "a token.hash hash-differs introduced"},
	},
	{
		name: "a copied package.json that moves the root",
		edit: func(s *scene) {
			s.put("docs/evals/package.json", `{"name":"@adastracomputing/ahd"}`)
			s.put("docs/evals/tokens/swiss.yml", s.read("tokens/swiss.yml"))
			s.put("docs/evals/tokens/green.yml", s.read("tokens/green.yml"))
			s.put("docs/evals/briefs/landing.md", s.read("briefs/landing.md"))
			blue(s)
		},
		exit: 1, fails: []string{
			"a token.path resolved-elsewhere introduced", "a brief.path resolved-elsewhere introduced",
			"b token.path resolved-elsewhere introduced", "b brief.path resolved-elsewhere introduced",
		},
	},
	{
		name: "a token moved, which the tail still finds", base: far,
		edit: func(s *scene) { s.move("tokens/swiss.yml", "design/tokens/swiss.yml") },
		also: []string{"a info token.path moved"},
	},
	{
		name: "a token moved, and the settings say so",
		edit: func(s *scene) {
			s.put(".replay-gate.yml", "moved:\n  tokens/swiss.yml: design/swiss.yml\n")
			s.move("tokens/swiss.yml", "design/swiss.yml")
		},
	},
	{
		name: "a token moved and edited, and the settings say so",
		edit: func(s *scene) {
			s.put(".replay-gate.yml", "moved:\n  tokens/swiss.yml: design/swiss.yml\n")
			blue(s)
			s.move("tokens/swiss.yml", "design/swiss.yml")
		},
		exit: 1, fails: []string{"a token.hash hash-differs introduced"},
	},
	{
		name: "settings that declare a move to a decoy, with the token still there",
		edit: func(s *scene) {
			s.put(".replay-gate.yml", "moved:\n  tokens/swiss.yml: design/swiss.yml\n")
			s.put("design/swiss.yml", s.read("tokens/swiss.yml"))
			blue(s)
		},
		exit: 1, fails: []string{"a token.hash hash-differs introduced"},
	},
	{
		name: "settings that declare a move to a decoy that the tail finds, with the token still there", base: far,
		edit: func(s *scene) {
			s.put(".replay-gate.yml", "moved:\n  tokens/swiss.yml: x/ahd/tokens/swiss.yml\n")
			s.put("x/ahd/tokens/swiss.yml", s.read("tokens/swiss.yml"))
			blue(s)
		},
		exit: 1, fails: []string{"a token.path resolved-elsewhere introduced"},
	},
	{
		name: "settings that declare a move to a decoy, with the token renamed", base: far,
		edit: func(s *scene) {
			s.put(".replay-gate.yml", "moved:\n  tokens/swiss.yml: x/ahd/tokens/swiss.yml\n")
			s.put("x/ahd/tokens/swiss.yml", s.read("tokens/swiss.yml"))
			blue(s)
			s.move("tokens/swiss.yml", "tokens/other.yml")
		},
		also: []string{"a info token.path moved"}, // for everybody to see, in the change itself
	},
	{
		name: "new evidence that could mean several files",
		edit: func(s *scene) {
			s.put("x/t/swiss.yml", "id: decoy\n")
			s.put("y/t/swiss.yml", s.read("tokens/swiss.yml"))
			s.record("c", run{token: "y/t/swiss.yml", tokenPath: "/far/t/swiss.yml", at: "2026-05-10T10:00:00.000Z"})
		},
		exit: 1, fails: []string{"c token.path ambiguous introduced", "c token.hash not-compared introduced"},
	},
	{
		name: "new evidence that could mean several files of the recorded content",
		edit: func(s *scene) {
			s.put("x/t/swiss.yml", s.read("tokens/swiss.yml"))
			s.put("y/t/swiss.yml", s.read("tokens/swiss.yml"))
			s.record("c", run{token: "y/t/swiss.yml", tokenPath: "/far/t/swiss.yml", at: "2026-05-10T10:00:00.000Z"})
		},
	},
	{
		name: "new evidence that comes with the decoy of the longest tail",
		edit: func(s *scene) {
			s.put("x/ahd/tokens/swiss.yml", "id: decoy\n")
			s.record("c", run{token: "x/ahd/tokens/swiss.yml", tokenPath: "/home/ada/ahd/tokens/swiss.yml", at: "2026-05-10T10:00:00.000Z"})
		},
		exit: 1, fails: []string{"c token.path ambiguous introduced"},
	},
	{
		name: "a path into git's own folder",
		edit: func(s *scene) {
			s.record("c", run{token: "tokens/swiss.yml", tokenPath: ".git/config", at: "2026-05-10T10:00:00.000Z"})
		},
		exit: 1, fails: []string{"c token.path leaves-root introduced", "c token.hash not-compared introduced"},
	},
	{
		name: "a file that only the work tree has", treeOnly: true,
		base: func(h house) { h[".gitignore"] = "/local\n" },
		edit: func(s *scene) {
			s.put("local/swiss.yml", s.read("tokens/swiss.yml"))
			s.record("c", run{token: "tokens/swiss.yml", tokenPath: "local/swiss.yml", at: "2026-05-10T10:00:00.000Z", tokenHash: "sha256:" + strings.Repeat("2", 64)})
		},
		exit: 1, fails: []string{"c token.hash hash-differs introduced"},
	},
}
