package cli

import "strings"

// What was recorded stays as it was recorded.
var greenRecorded = []greenRow{
	{
		name: "re-pinned by hand",
		edit: func(s *scene) {
			s.edit("tokens/swiss.yml", "red", "blue")
			s.edit(sidecarOf("a"), tokenHash(s.house["tokens/swiss.yml"]), tokenHash(s.read("tokens/swiss.yml")))
		},
		exit: 1, fails: []string{"a recorded.token.hash rewritten introduced"},
	},
	{
		name: "re-pinned by hand, a millisecond later",
		edit: func(s *scene) {
			s.edit("tokens/swiss.yml", "red", "blue")
			s.edit(sidecarOf("a"), tokenHash(s.house["tokens/swiss.yml"]), tokenHash(s.read("tokens/swiss.yml")))
			s.edit(sidecarOf("a"), "10:00:00.000Z", "10:00:00.001Z")
		},
		exit: 1, fails: []string{"a recorded redated introduced"},
	},
	{
		name: "re-pinned by hand and moved at once",
		edit: func(s *scene) {
			s.edit("tokens/swiss.yml", "red", "blue")
			s.edit(sidecarOf("a"), tokenHash(s.house["tokens/swiss.yml"]), tokenHash(s.read("tokens/swiss.yml")))
			s.edit(sidecarOf("a"), "10:00:00.000Z", "10:00:00.001Z")
			s.move(sidecarOf("a"), sidecarOf("c"))
			s.move(reportOf("a"), reportOf("c"))
		},
		exit: 1, fails: []string{"c recorded redated introduced", "a evidence removed introduced"},
	},
	{
		name: "re-pinned under another name, with the old one gone and another report",
		edit: func(s *scene) {
			s.edit("tokens/swiss.yml", "red", "blue")
			s.edit(sidecarOf("a"), tokenHash(s.house["tokens/swiss.yml"]), tokenHash(s.read("tokens/swiss.yml")))
			s.edit(sidecarOf("a"), "10:00:00.000Z", "10:00:00.001Z")
			s.move(sidecarOf("a"), sidecarOf("c"))
			s.remove(reportOf("a"))
			s.put(reportOf("c"), "# All new\n\n| gemma | 99 % |\n")
		},
		exit: 1, fails: []string{"c recorded redated introduced"},
	},
	{
		name: "more samples and another command at once",
		edit: func(s *scene) {
			s.edit(sidecarOf("a"), `"n": 30`, `"n": 300`)
			s.edit(sidecarOf("a"), `"swiss"`, `"swiss", "--n", "300"`)
		},
		exit: 1, fails: []string{"a recorded redated introduced"},
	},
	{
		name: "the date alone", edit: func(s *scene) { s.edit(sidecarOf("a"), "2026-05-01T10", "2026-05-28T10") },
		exit: 1, fails: []string{"a recorded redated introduced"},
	},
	{
		name: "a secret masked and a value changed at once",
		base: func(h house) {
			h.record("a", run{token: "tokens/swiss.yml", argv: []string{"node", "bin/ahd.js", "eval-live", "swiss", "--header", "Authorization: Bearer " + bearer}})
		},
		edit: func(s *scene) {
			s.edit(sidecarOf("a"), bearer, "[REDACTED]")
			s.edit(sidecarOf("a"), `"n": 30`, `"n": 300`)
		},
		exit: 1, fails: []string{"a recorded.sampling.n rewritten introduced"}, also: []string{"a info recorded.argv[5] masked"},
	},
	{
		name: "the same instant spelt otherwise", edit: func(s *scene) { s.edit(sidecarOf("a"), "10:00:00.000Z", "10:00:00Z") },
		also: []string{"a info recorded.invoked_at noted"},
	},
	{
		name: "re-pinned under another name, with the old one kept",
		edit: func(s *scene) {
			s.edit("tokens/swiss.yml", "red", "blue")
			s.put(sidecarOf("c"), s.read(sidecarOf("a")))
			s.edit(sidecarOf("c"), tokenHash(s.house["tokens/swiss.yml"]), tokenHash(s.read("tokens/swiss.yml")))
			s.edit(sidecarOf("c"), "10:00:00.000Z", "10:00:00.001Z")
			s.put(reportOf("c"), s.read(reportOf("a")))
		},
		exit: 1, fails: []string{"a token.hash hash-differs introduced", "c recorded redated introduced"},
	},
	{
		name: "re-pinned without the request ids, and the report as it was",
		edit: func(s *scene) {
			s.edit("tokens/swiss.yml", "red", "blue")
			s.put(sidecarOf("a"), s.house.sidecar("a", run{token: "tokens/swiss.yml", tokenHash: tokenHash(s.read("tokens/swiss.yml")), ids: []string{}, at: "2026-05-01T10:00:00.001Z"}))
		},
		also: []string{"a warn recorded redated"},
	},
	{
		name: "run again on the edited token",
		edit: func(s *scene) {
			s.edit("tokens/swiss.yml", "red", "blue")
			s.record("a", run{token: "tokens/swiss.yml", at: "2026-05-29T10:00:00.000Z", ids: []string{"fresh-1", "fresh-2"}})
			s.edit(reportOf("a"), "71 %", "75 %")
		},
	},
	{
		name: "more samples than there were", edit: func(s *scene) { s.edit(sidecarOf("a"), `"n": 30`, `"n": 300`) },
		exit: 1, fails: []string{"a recorded.sampling.n rewritten introduced"},
	},
	{
		name: "another model", edit: func(s *scene) { s.edit(sidecarOf("a"), `"id": "gemma"`, `"id": "gpt-9"`) },
		exit: 1, fails: []string{"a recorded.models[0].id rewritten introduced"},
	},
	{
		name: "a model less",
		base: func(h house) { h.record("a", run{token: "tokens/swiss.yml", models: []string{"gemma", "llama"}}) },
		edit: func(s *scene) {
			s.put(sidecarOf("a"), s.house.sidecar("a", run{token: "tokens/swiss.yml", models: []string{"gemma"}}))
		},
		exit: 1, fails: []string{"a recorded.models[1].id rewritten introduced", "a recorded.models[1].provider rewritten introduced", "a recorded.models[1].provider_request_ids rewritten introduced"},
	},
	{
		name: "a request id less", edit: func(s *scene) { s.edit(sidecarOf("a"), "\"request-a-1\",", "") },
		exit: 1, fails: []string{"a recorded.models[0].provider_request_ids[0] rewritten introduced", "a recorded.models[0].provider_request_ids[1] rewritten introduced"},
	},
	{
		name: "a brief that was never used, to lose its drift",
		edit: func(s *scene) {
			s.edit("briefs/landing.md", "A landing", "Another")
			s.remove(sidecarOf("b"), reportOf("b"))
			s.put(sidecarOf("a"), s.house.sidecar("a", run{token: "tokens/swiss.yml", brief: "none", kind: "critique", argv: []string{"node", "bin/ahd.js", "eval-live", "swiss"}}))
		},
		exit: 1, fails: []string{"a recorded.brief.hash rewritten introduced", "a recorded.brief.path rewritten introduced", "a recorded.kind rewritten introduced"},
	},
	{
		name: "an absolute path made relative",
		base: func(h house) {
			h.record("a", run{token: "tokens/swiss.yml", tokenPath: "/home/ada/ahd/tokens/swiss.yml", argv: []string{"node", "/home/ada/ahd/bin/ahd.js", "eval-live"}})
		},
		edit: func(s *scene) { s.edit(sidecarOf("a"), "/home/ada/ahd/tokens/swiss.yml", "tokens/swiss.yml") },
		also: []string{"a info recorded.token.path moved"},
	},
	{
		name: "a path that leads to another file of other content",
		base: func(h house) { h["tokens/other.yml"] = "id: other\n" },
		edit: func(s *scene) { s.edit(sidecarOf("a"), "tokens/swiss.yml", "tokens/other.yml") },
		exit: 1, fails: []string{"a token.hash hash-differs introduced", "a recorded.token.path rewritten introduced"},
	},
	{
		name: "a malformed hash put right",
		base: func(h house) {
			h.edit(sidecarOf("a"), tokenHash(h["tokens/swiss.yml"]), strings.TrimPrefix(tokenHash(h["tokens/swiss.yml"]), "sha256:"))
		},
		edit: func(s *scene) { s.edit(sidecarOf("a"), `"hash": "`, `"hash": "sha256:`) },
		also: []string{"a info recorded.token.hash repaired"},
	},
	{
		name: "a missing field written down", base: func(h house) { h.edit(sidecarOf("a"), "  \"platform\": \"linux-x64\",\n", "") },
		edit: func(s *scene) { s.put(sidecarOf("a"), s.house.sidecar("a", run{token: "tokens/swiss.yml"})) },
		also: []string{"a info recorded.platform added"},
	},
	{
		name: "a number of a report in a table", edit: func(s *scene) { s.edit(reportOf("a"), "71 %", "97 %") },
		exit: 1, fails: []string{"a report report-edited introduced"},
	},
	{
		name: "a number of a report removed", edit: func(s *scene) { s.edit(reportOf("a"), "| gemma | 71 % |\n", "") },
		exit: 1, fails: []string{"a report report-edited introduced"},
	},
	{
		name: "a number of a report, moved to another folder at once",
		edit: func(s *scene) {
			s.edit(reportOf("a"), "71 %", "97 %")
			s.move(sidecarOf("a"), "docs/archive/a.replay.json")
			s.move(reportOf("a"), "docs/archive/a.md")
		},
		exit: 1, fails: []string{"a report report-edited introduced"},
	},
	{
		name: "a number of a report, with the sidecar reformatted at once",
		edit: func(s *scene) {
			s.edit(reportOf("a"), "71 %", "97 %")
			s.put(sidecarOf("a"), strings.ReplaceAll(s.read(sidecarOf("a")), "  ", "\t"))
		},
		exit: 1, fails: []string{"a report report-edited introduced"},
	},
	{
		name: "a number of a report that has drifted inputs", base: func(h house) { h.edit("tokens/swiss.yml", "red", "blue") },
		edit: func(s *scene) { s.edit(reportOf("a"), "71 %", "97 %") },
		exit: 1, fails: []string{"a token.hash hash-differs pre-existing", "a report report-edited introduced"},
	},
	{
		name: "the replay block of a report taken out", base: func(h house) { h[reportOf("a")] = block + h[reportOf("a")] },
		edit: func(s *scene) { s.edit(reportOf("a"), block, "") },
		also: []string{"a warn report.block block-gone"},
	},
	{
		name: "a replay block that contradicts", base: func(h house) { h[reportOf("a")] = block + h[reportOf("a")] },
		edit: func(s *scene) { s.edit(reportOf("a"), "n: 30", "n: 300") },
		exit: 1, fails: []string{"a report.sampling.n contradicts introduced"},
	},
	{
		name: "a block behind a look-alike fence", base: func(h house) { h[reportOf("a")] = block + h[reportOf("a")] },
		edit: func(s *scene) {
			s.edit(reportOf("a"), "```yaml ahd-replay", "~~~yaml ahd-replay")
			s.edit(reportOf("a"), "n: 30", "n: 300")
		},
		also: []string{"a warn report.block block-gone"},
	},
	{
		name: "an empty block in front of the real one", base: func(h house) { h[reportOf("a")] = block + h[reportOf("a")] },
		edit: func(s *scene) {
			s.put(reportOf("a"), "```yaml ahd-replay\n```\n\n"+strings.Replace(s.read(reportOf("a")), "n: 30", "n: 300", 1))
		},
		also: []string{"a warn report.block lookalike-block"},
	},
	{
		name: "an indented block", base: func(h house) { h[reportOf("a")] = block + h[reportOf("a")] },
		edit: func(s *scene) {
			s.put(reportOf("a"), strings.Replace("  "+strings.ReplaceAll(block, "\n", "\n  "), "n: 30", "n: 300", 1)+"\n"+strings.TrimPrefix(s.read(reportOf("a")), block))
		},
		also: []string{"a warn report.block block-gone"},
	},
	{
		name: "a run from the future", edit: func(s *scene) {
			s.record("c", run{token: "tokens/swiss.yml", at: "2026-06-20T10:00:00.000Z"})
		},
		headOnly: true, exit: 1, fails: []string{"c invoked_at in-the-future introduced"},
	},
}

const block = "```yaml ahd-replay\nschema_version: 1\nsampling:\n  n: 30\n```\n\n"
