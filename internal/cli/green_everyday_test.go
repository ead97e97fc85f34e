package cli

import "strings"

// What people do every day: it stays green, or gets the one right red.
var greenEveryday = []greenRow{
	{name: "nothing at all"},
	{name: "a file that nobody pins", edit: func(s *scene) { s.edit("README.md", "Nothing", "Still nothing") }},
	{name: "a comment in a token", edit: func(s *scene) { s.edit("tokens/swiss.yml", "id: swiss", "# the house style\nid: swiss") }},
	{name: "the order of a token's keys", edit: func(s *scene) { s.edit("tokens/swiss.yml", "id: swiss\naccent: red\n", "accent: red\nid: swiss\n") }},
	{
		name: "a token edited on purpose", edit: func(s *scene) { s.edit("tokens/swiss.yml", "red", "blue") },
		exit: 1, fails: []string{"a token.hash hash-differs introduced"},
	},
	{
		name: "the brief that both reports share", edit: func(s *scene) { s.edit("briefs/landing.md", "A landing", "Another landing") },
		exit: 1, fails: []string{"a brief.hash hash-differs introduced", "b brief.hash hash-differs introduced"},
	},
	{
		name: "a token deleted", edit: func(s *scene) { s.remove("tokens/swiss.yml") },
		exit: 1, fails: []string{"a token.path input-missing introduced", "a token.hash not-compared introduced"},
	},
	{
		name: "a token renamed", edit: func(s *scene) { s.move("tokens/swiss.yml", "tokens/editorial.yml") },
		exit: 1, fails: []string{"a token.path input-missing introduced", "a token.hash not-compared introduced"},
	},
	{
		name: "a token renamed, and the sidecar's path with it",
		edit: func(s *scene) {
			s.move("tokens/swiss.yml", "tokens/editorial.yml")
			s.edit(sidecarOf("a"), "tokens/swiss.yml", "tokens/editorial.yml")
		},
		also: []string{"a info recorded.token.path moved"},
	},
	{
		name: "a weekly report on an edited token",
		edit: func(s *scene) {
			s.edit("tokens/swiss.yml", "red", "blue")
			s.record("a2", run{token: "tokens/swiss.yml", at: "2026-05-29T10:00:00.000Z"})
		},
		also: []string{"a info token.hash superseded", "a2 info claims takes-over"},
	},
	{
		name: "a weekly report on the same token",
		edit: func(s *scene) { s.record("a2", run{token: "tokens/swiss.yml", at: "2026-05-29T10:00:00.000Z"}) },
		also: []string{"a2 info claims takes-over"},
	},
	{name: "a first report on a new token", edit: func(s *scene) {
		s.put("tokens/new.yml", "id: new\n")
		s.record("new", run{token: "tokens/new.yml", at: "2026-05-29T10:00:00.000Z"})
	}},
	{
		name: "the prose of a report corrected", edit: func(s *scene) { s.edit(reportOf("a"), "The rest is prose", "The rest is text") },
		also: []string{"a warn report report-text"},
	},
	{name: "the layout of a report", edit: func(s *scene) {
		s.edit(reportOf("a"), "| gemma | 71 % |", "| gemma  |  71 %  |")
	}},
	{name: "a formatter over all sidecars", edit: func(s *scene) {
		for _, name := range []string{"a", "b"} {
			s.put(sidecarOf(name), strings.ReplaceAll(s.read(sidecarOf(name)), "  ", "\t"))
		}
	}},
	{name: "the order of a sidecar's keys", edit: func(s *scene) {
		s.edit(sidecarOf("a"), "  \"ahd_version\": \"0.11.0\",\n", "")
		s.edit(sidecarOf("a"), "{\n", "{\n  \"ahd_version\": \"0.11.0\",\n")
	}},
	{
		name: "an optional field added to a sidecar",
		edit: func(s *scene) {
			s.edit(sidecarOf("a"), `"schema_version": 1,`, `"schema_version": 1, "note": "seen by Ada",`)
		},
		also: []string{"a info recorded.note added"},
	},
	{
		name: "a secret masked in the command",
		base: func(h house) {
			h.record("a", run{token: "tokens/swiss.yml", argv: []string{"node", "bin/ahd.js", "eval-live", "swiss", "--header", "Authorization: Bearer " + bearer}})
		},
		edit: func(s *scene) { s.edit(sidecarOf("a"), bearer, "[REDACTED]") },
		also: []string{"a info recorded.argv[5] masked"},
	},
	{
		name: "evidence moved to another folder",
		edit: func(s *scene) {
			s.move(sidecarOf("a"), "docs/archive/a.replay.json")
			s.move(reportOf("a"), "docs/archive/a.md")
		},
	},
	{
		name: "evidence renamed with its report",
		edit: func(s *scene) {
			s.move(sidecarOf("a"), sidecarOf("c"))
			s.move(reportOf("a"), reportOf("c"))
		},
	},
	{
		name: "drifted evidence moved to another folder",
		base: func(h house) { h.edit("tokens/swiss.yml", "red", "blue") },
		edit: func(s *scene) {
			s.move(sidecarOf("a"), "docs/archive/a.replay.json")
			s.move(reportOf("a"), "docs/archive/a.md")
		},
		fails: []string{"a token.hash hash-differs pre-existing"},
	},
	{
		name: "an old report and its sidecar deleted together",
		edit: func(s *scene) { s.remove(sidecarOf("a"), reportOf("a")) },
		also: []string{"a warn evidence removed"},
	},
	{
		name:  "an old broken file that nobody touches",
		base:  func(h house) { h["docs/evals/old.replay.json"] = `{"schema_version": 1, "kind": "eval-live", ` },
		edit:  func(s *scene) { s.edit("README.md", "Nothing", "Still nothing") },
		fails: []string{"old json truncated pre-existing"}, verdict: "unchecked",
	},
	{
		name: "an old drift that nobody touches", base: func(h house) { h.edit("tokens/swiss.yml", "red", "blue") },
		edit:  func(s *scene) { s.edit("README.md", "Nothing", "Still nothing") },
		fails: []string{"a token.hash hash-differs pre-existing"}, verdict: "drift",
	},
	{
		name: "a drift put right", base: func(h house) { h.edit("tokens/swiss.yml", "red", "blue") },
		edit: func(s *scene) { s.edit("tokens/swiss.yml", "blue", "red") }, verdict: "intact",
	},
	{
		name: "a drifted token edited again", base: func(h house) { h.edit("tokens/swiss.yml", "red", "blue") },
		edit:  func(s *scene) { s.edit("tokens/swiss.yml", "blue", "pink") },
		fails: []string{"a token.hash hash-differs pre-existing"},
	},
	{
		name: "an executable bit", edit: func(s *scene) {
			s.Git("update-index", "--chmod=+x", "tokens/swiss.yml")
			s.chmod("tokens/swiss.yml", 0o755)
		},
	},
	{name: "line ends of a token", edit: func(s *scene) {
		s.put("tokens/swiss.yml", strings.ReplaceAll(s.read("tokens/swiss.yml"), "\n", "\r\n"))
	}},
	{
		name: "squash and rebase", headOnly: true,
		edit: func(s *scene) {
			s.Git("checkout", "-q", "-b", "work")
			s.edit("README.md", "Nothing", "Hardly anything")
			s.Commit("one")
			s.record("new", run{token: "tokens/green.yml", at: "2026-05-29T10:00:00.000Z"})
			s.Commit("two")
			s.Git("checkout", "-q", "main")
			s.put("CHANGES.md", "# Changes\n")
			s.Commit("meanwhile")
			s.Git("tag", "-f", "base")
			s.Git("merge", "-q", "--squash", "work")
		},
		also: []string{"new info claims takes-over"},
	},
}

const bearer = "abcdefghij0123456789XYZabcdefghij"
