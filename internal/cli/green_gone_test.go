package cli

// Evidence does not vanish.
var greenGone = []greenRow{
	{
		name: "a sidecar deleted, its report kept", edit: func(s *scene) { s.remove(sidecarOf("a")) },
		exit: 1, fails: []string{"a evidence removed introduced"},
	},
	{
		name: "a sidecar deleted, its report renamed",
		edit: func(s *scene) { s.remove(sidecarOf("a")); s.move(reportOf("a"), "docs/evals/best.md") },
		exit: 1, fails: []string{"a evidence removed introduced"},
	},
	{
		name: "a sidecar deleted, its report copied to where it was deleted",
		edit: func(s *scene) {
			s.remove(sidecarOf("a"))
			s.put("docs/evals/one.md", s.read(reportOf("a")))
			s.put("docs/evals/two.md", s.read(reportOf("a")))
			s.remove(reportOf("a"))
		},
		exit: 1, fails: []string{"a evidence removed introduced"},
	},
	{
		name: "a sidecar deleted, its report a copy of one that was there before",
		base: func(h house) { h["docs/copy.md"] = h[reportOf("a")] },
		edit: func(s *scene) { s.remove(sidecarOf("a"), reportOf("a")) },
		exit: 1, fails: []string{"a evidence removed introduced"},
	},
	{
		name: "a sidecar renamed to where no glob matches",
		edit: func(s *scene) { s.move(sidecarOf("a"), "docs/evals/a.replay.json.old") },
		exit: 1, fails: []string{"a evidence removed introduced"},
	},
	{
		name: "a sidecar turned into a folder, with the report deleted",
		edit: func(s *scene) { s.remove(sidecarOf("a"), reportOf("a")); s.put(sidecarOf("a")+"/x", "x") },
		also: []string{"a warn evidence removed"},
	},
	{
		name: "the whole folder of evidence deleted",
		edit: func(s *scene) { s.remove("docs") },
		also: []string{"a warn evidence removed", "b warn evidence removed"},
	},
	{
		name: "globs that switch all evidence off, on the head",
		edit: func(s *scene) {
			s.put(".replay-gate.yml", "evidence:\n  ahd: [\"nowhere/*.json\"]\n")
			s.edit("tokens/swiss.yml", "red", "blue")
		},
		exit: 1, fails: []string{"a token.hash hash-differs introduced"},
	},
	{
		name: "drifted evidence replaced by new evidence that git takes for its rename",
		base: func(h house) { h.edit("tokens/swiss.yml", "red", "blue") },
		edit: func(s *scene) {
			s.put(sidecarOf("c"), s.house.sidecar("a", run{token: "tokens/swiss.yml", tokenHash: tokenHash("id: x\n"), at: "2026-05-20T10:00:00.000Z", ids: []string{"other-1"}}))
			s.put(reportOf("c"), s.read(reportOf("a")))
			s.remove(sidecarOf("a"), reportOf("a"))
		},
		exit: 1, fails: []string{"c token.hash hash-differs introduced", "a evidence removed introduced"},
	},
	{
		name: "a strict removal", args: []string{"--strict"}, edit: func(s *scene) { s.remove(sidecarOf("a"), reportOf("a")) },
		exit: 1, fails: []string{"a evidence removed introduced"},
	},
	{
		name: "a sidecar that loses its place to a linked-out file",
		edit: func(s *scene) { s.put(sidecarOf("a"), linkMark+"/etc/hostname") },
		exit: 2, fails: []string{"a evidence unreadable introduced"},
	},
	{
		name: "removed on a branch whose base has moved on", headOnly: true,
		edit: func(s *scene) {
			s.Git("checkout", "-q", "-b", "work")
			s.edit("README.md", "Nothing", "Still nothing")
			s.Commit("work")
			s.Git("checkout", "-q", "main")
			s.record("later", run{token: "tokens/green.yml", at: "2026-05-28T10:00:00.000Z"})
			s.Commit("a report on main")
			s.Git("tag", "-f", "base")
			s.Git("checkout", "-q", "work")
		},
	},
}
