package summary

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/replay-gate/replay-gate/verify"
)

// The fixtures are reports as package gate fills them, one for each thing that a
// run can find. Their counts are derived by total, so that they are consistent.

const (
	baseID  = "5f3c1a90d2b47e6688aa01b2c3d4e5f60718293a"
	headID  = "c0ffee1234567890abcdef1234567890abcdef12"
	runID   = "a82a8f20b1c2d3e4f5061728394a5b6c7d8e9f00"
	tokenA  = "sha256:1111111111112222222222222222222222222222222222222222222222222222"
	tokenB  = "sha256:9999999999998888888888888888888888888888888888888888888888888888"
	sidecar = "docs/evals/2026-04-22-swiss-n30.replay.json"
)

// total fills in everything that the gate counts.
func total(r *Report) *Report {
	r.Schema, r.Tool = Schema, Tool{Name: "replay-gate", Version: "0.1.0"}
	if r.Policy.FailOn == "" {
		r.Policy.FailOn = "introduced"
	}
	r.Counts = Counts{}
	for i := range r.Evidence {
		e := &r.Evidence[i]
		e.Counts = Counts{}
		for _, f := range e.Fields {
			tally(&e.Counts, f)
			tally(&r.Counts, f)
		}
	}
	r.Causes = causesOf(r)
	if slices.ContainsFunc(r.Evidence, func(e Entry) bool { return e.Bundle != nil && e.Bundle.Path != "" }) {
		r.Folder = ".assay/bundles"
	}
	return r
}

// causesOf groups the FAILs of a report as package explain does.
func causesOf(r *Report) []Cause {
	var causes []Cause
	for i := range r.Evidence {
		e := &r.Evidence[i]
		for _, f := range e.Fields {
			if f.Status != verify.Fail {
				continue
			}
			kind, name := "evidence", e.Path
			switch {
			case e.Removed:
				kind = "removal"
			case f.Input != "" && f.Input != e.Path:
				kind, name = "input", f.Input
			}
			at := -1
			for k, c := range causes {
				if c.Kind == kind && c.Path == name && c.Introduced == (f.Attribution != PreExisting) {
					at = k
				}
			}
			if at < 0 {
				at = len(causes)
				causes = append(causes, Cause{Kind: kind, Path: name, Introduced: f.Attribution != PreExisting, Why: f.Why, Line: f.InputLine})
				if kind == "input" && f.Attribution == Introduced {
					causes[at].Here, causes[at].Role = name+" changed", "token"
					causes[at].Meant = []Step{{Text: "accept it", Command: []string{"replay-gate", "accept", "--input", name, "--reason", "…"}}}
					causes[at].Undo = []Step{{Text: "restore the input", Command: []string{"git", "checkout", baseID[:12], "--", name}, Discards: "your uncommitted edit"}}
				}
			}
			c := &causes[at]
			if n := len(c.Claims); n == 0 || c.Claims[n-1].Evidence != e.Path {
				report := strings.TrimSuffix(e.Path, ".replay.json") + ".md"
				c.Claims = append(c.Claims, Affected{Evidence: e.Path, Report: report, Names: []string{"m-1", "m-2"}})
			}
			a := &c.Claims[len(c.Claims)-1]
			a.Fields = append(a.Fields, f.Field)
			a.Introduced, a.Fails = a.Introduced || f.Attribution != PreExisting, a.Fails || f.Fails
		}
	}
	return causes
}

func tally(c *Counts, f Field) {
	switch f.Status {
	case verify.OK:
		c.OK++
	case verify.Fail:
		c.Fail++
	case verify.Warn:
		c.Warn++
	case verify.Info:
		c.Info++
	}
	switch f.Attribution {
	case Introduced:
		c.Introduced++
	case PreExisting:
		c.PreExisting++
	case Unknown:
		c.Unknown++
	case Fixed:
		c.Fixed++
	}
}

// holds are the fields of a sidecar that holds.
func holds(path string) []Field {
	at := func(line int) verify.Location { return verify.Location{Path: path, Line: line, Column: 3} }
	var fields []Field
	for _, c := range []verify.Check{
		{Field: "schema_version", Recorded: "1", Location: at(2)},
		{Field: "kind", Recorded: "eval-live", Location: at(3)},
		{Field: "ahd_commit", Recorded: runID, Observed: "in this repository", Location: at(5)},
		{Field: "git_dirty", Status: verify.Info, Code: "dirty", Reason: "the recorded commit is not the whole state", Recorded: "true", Location: at(6)},
		{Field: "argv", Recorded: "9 words: /opt/hostedtoolcache/node/20.20.2/x64/bin/node /home/runner/work/ahd/ahd/bin/ahd.js eval-live swiss-editorial --brief briefs/landing.yml", Location: at(10)},
		{Field: "token.path", Code: "relocated", Reason: "relocated from /home/runner/work/ahd/ahd/tokens/swiss-editorial.yml", Recorded: "/home/runner/work/ahd/ahd/tokens/swiss-editorial.yml", Observed: "tokens/swiss-editorial.yml", Input: "tokens/swiss-editorial.yml", Location: at(12)},
		{Field: "token.hash", Recorded: tokenA, Observed: tokenA, Input: "tokens/swiss-editorial.yml", Location: at(13)},
		{Field: "brief.path", Recorded: "briefs/landing.yml", Input: "briefs/landing.yml", Location: at(16)},
		{Field: "brief.hash", Reason: "raw bytes match", Recorded: tokenB, Observed: tokenB, Input: "briefs/landing.yml", Location: at(17)},
		{Field: "sampling.n", Recorded: "30", Location: at(20)},
		{Field: "models[0].id", Recorded: "@cf/meta/llama-4-scout-17b-16e-instruct", Location: at(25)},
		{Field: "models[0].provider_request_ids", Recorded: "30 ids", Location: at(27)},
	} {
		if c.Status == "" {
			c.Status = verify.OK
		}
		fields = append(fields, Field{Check: c})
	}
	return fields
}

func piece(file string) Entry {
	dirty := true
	name := strings.TrimSuffix(path.Base(file), ".replay.json")
	return Entry{
		Path: file, Kind: "ahd", Title: "AHD replay sidecar", SHA256: tokenB,
		Because: "tokens/swiss-editorial.yml was modified", Verdict: Intact, Fields: holds(file),
		Recording: verify.Recording{
			Name: name, Tool: "ahd", ToolVersion: "0.8.3", RunKind: "eval-live",
			Commit: runID, CommitField: "ahd_commit", Dirty: &dirty, InvokedAt: "2026-04-22T23:52:25.380Z", Platform: "linux-x64",
			Argv: []string{"/opt/hostedtoolcache/node/20.20.2/x64/bin/node", "/home/runner/work/ahd/ahd/bin/ahd.js", "eval-live", "swiss-editorial", "--brief", "briefs/landing.yml", "--title", "it's n=30"},
		},
		Bundle: &Bundle{RunID: name + "-999999999999", Path: ".assay/bundles/" + name + "-999999999999.tar.gz", SHA256: tokenA, Size: 14812},
	}
}

// fails makes a field of e fail.
func fails(e *Entry, field, code, reason, observed, hint string, by Attribution) {
	e.Verdict = Drift
	for i := range e.Fields {
		if f := &e.Fields[i]; f.Field == field {
			f.Status, f.Code, f.Reason, f.Observed, f.Hint, f.Attribution = verify.Fail, code, reason, observed, hint, by
			f.Fails = by != PreExisting
		}
	}
}

func change() Change {
	return Change{Event: "pull_request", Base: baseID, Head: headID, Files: 4}
}

func links() Links {
	return Links{Server: "https://github.com", Repository: "octo-org/evals", Run: "https://github.com/octo-org/evals/actions/runs/42", RunID: "42", HeadSHA: headID}
}

// drift is a pull request that changed a token and renamed a brief.
func drift() *Report {
	a, b, c := piece(sidecar), piece("docs/evals/2026-05-02-brutalist-n60.replay.json"), piece("docs/evals/2026-05-09-landing-n298.replay.json")
	fails(&a, "token.hash", "hash-differs", "its parsed value is not the one that was recorded", tokenB, "", Introduced)
	fails(&a, "brief.path", "input-missing", "the file does not exist", "", "moved to design/briefs/2026/landing-page-for-a-small-studio.yml", Introduced)
	fails(&b, "brief.hash", "hash-differs", "neither its raw bytes nor its parsed value are the recorded ones; raw bytes: "+tokenA, tokenA, "", PreExisting)
	c.Fields[4].Status, c.Fields[4].Code, c.Fields[4].Reason = verify.Warn, "argv-disagrees", "--n 30 is not sampling.n 298; --models does not name @cf/qwen/qwen3-30b-a3b"
	c.Bundle = nil
	return total(&Report{
		Verdict: Drift, ExitCode: 1, ReasonCode: "E_REPLAY_DRIFT", Message: "2 fields fail the policy fail-on=introduced",
		NextStep: "restore the input, or re-run the recorded command and commit the new evidence",
		Change:   change(), Scope: Scope{Mode: "affected", Total: 25, Checked: 3}, Links: links(),
		Evidence: []Entry{a, b, c},
	})
}

// explainedRun is drift with what changed in the inputs, and since when; long
// differences fold.
func explainedRun() *Report {
	r := drift()
	r.Evidence = explained()
	long := r.Evidence[0].Fields
	for i := range long {
		if w := long[i].Why; w != nil && w.Unified != "" {
			w.Unified += strings.Repeat("+one more line\n", 60)
		}
	}
	return total(r)
}

// withArtifact is drift whose bundles were uploaded.
func withArtifact() *Report {
	r := drift()
	r.Links.Artifact, r.Links.ArtifactID = "replay-bundles-gate-1", "7001"
	return r
}

func preExisting() *Report {
	a := piece(sidecar)
	fails(&a, "token.hash", "hash-differs", "its parsed value is not the one that was recorded", tokenB, "", PreExisting)
	a.Fields[8].Attribution = Fixed
	return total(&Report{Verdict: Drift, Change: change(), Scope: Scope{Mode: "affected", Total: 25, Checked: 1}, Links: links(), Evidence: []Entry{a}})
}

func intact() *Report {
	return total(&Report{Verdict: Intact, Change: Change{Event: "local", Base: baseID, Head: headID, WorkTree: true, Dirty: true, Files: 1}, Scope: Scope{Mode: "affected", Total: 2, Checked: 1}, Evidence: []Entry{piece(sidecar)}})
}

func nothing() *Report {
	return total(&Report{Verdict: Intact, Change: change(), Scope: Scope{Mode: "affected", Total: 25}, Links: links()})
}

// noBase is a run in a clone without history, with evidence that was deleted.
func noBase() *Report {
	a := Entry{Path: sidecar, Kind: "ahd", Title: "AHD replay sidecar", Because: "it was deleted", Removed: true, Verdict: Drift, Fields: []Field{{
		Check:       verify.Check{Field: "evidence", Status: verify.Fail, Code: "sidecar-removed", Reason: "sidecar removed, report kept", Location: verify.Location{Path: "docs/evals/2026-04-22-swiss-n30.md"}},
		Attribution: Unknown,
	}}}
	return total(&Report{
		Verdict: Drift, ExitCode: 1, ReasonCode: "E_REPLAY_DRIFT", Message: "1 field fails the policy fail-on=introduced", NextStep: "restore the sidecar",
		Change: Change{Event: "push", BaseNote: "the base 5f3c1a90d2b4 is not in this clone", Head: headID}, Scope: Scope{Mode: "all", Total: 1, Checked: 1},
		Notices:  []Notice{{Status: verify.Warn, Code: "base-missing", Message: "No base to compare with: the base is not in this clone. All evidence is checked, and every FAIL counts as introduced", NextStep: "fetch more history (fetch-depth: 2)"}},
		Evidence: []Entry{a},
	})
}

func notChecked() *Report {
	reason := "schema_version 2 is newer than this verifier knows (1)"
	a := Entry{Path: sidecar, Kind: "ahd", Title: "AHD replay sidecar", Because: "it was added", Verdict: Unchecked, Unchecked: reason, Fields: []Field{{
		Check:       verify.Check{Field: "schema_version", Status: verify.Fail, Code: "unsupported-version", Reason: reason, Recorded: "2", Location: verify.Location{Path: sidecar, Line: 2, Column: 21}},
		Attribution: Introduced,
	}}, Bundle: &Bundle{RunID: "2026-04-22-swiss-n30-unread", Note: "no bundle: the evidence can't be read"}}
	return total(&Report{
		Verdict: Unchecked, ExitCode: 2, ReasonCode: "E_EVIDENCE_UNCHECKED", Message: "some evidence could not be checked",
		NextStep: "repair the evidence, or use a release of replay-gate that knows its schema version",
		Change:   change(), Scope: Scope{Mode: "affected", Total: 1, Checked: 1}, Evidence: []Entry{a},
	})
}

func incompleteRun() *Report {
	return total(&Report{Verdict: Unchecked, ExitCode: 3, ReasonCode: "E_IO", Message: "reading the index: file is truncated", NextStep: "run git fsck, then run it again", Evidence: []Entry{}})
}

// hostile has strings in it that try every renderer.
func hostile() *Report {
	r := withArtifact()
	const bad = "a|b`c``d\n\n# h\r\n@octocat #1 ![i](https://x.test/p.png) <img src=x> ::error::x ##[error]y \x1b[31m\u202e\u200b\xff</details> [l](javascript:1) https://x.test \\| $x$ :tada: c0ffee1"
	e := &r.Evidence[0]
	e.Path, e.Because, e.OldPath, e.Title = bad, bad, bad, bad
	e.Recording.Argv, e.Recording.Platform = []string{"echo", bad}, bad
	for i := range e.Fields {
		f := &e.Fields[i]
		f.Field, f.Reason, f.Recorded, f.Observed, f.Hint = bad, bad, bad, bad, bad
	}
	r.Message, r.NextStep = bad, bad
	r.Notices = []Notice{{Status: verify.Warn, Message: bad, NextStep: bad}}
	r.Change.Base, r.Links.Artifact, r.Links.Repository = bad, bad, bad
	for i := range r.Causes {
		c := &r.Causes[i]
		c.Path, c.Here, c.Role, c.Records, c.RecordsAt, c.Follows = bad, bad, bad, []string{bad}, []string{bad}, []string{bad}
		c.Why = &verify.Why{Note: bad, Case: bad, Since: &verify.Version{Commit: bad, Author: bad, Subject: bad}, Edits: []verify.Edit{{Path: bad, Op: verify.EditChanged, Before: bad, After: bad}}}
		for k := range c.Claims {
			c.Claims[k].Report, c.Claims[k].Names = bad, []string{bad}
		}
		c.Meant, c.Undo = []Step{{Text: bad, Command: []string{"git", "show", bad}}}, []Step{{Text: "restore it", Command: []string{"git", "show", "a|b`c @x $(id)"}, Into: "x`|y", Discards: bad}}
	}
	return r
}

// large is a report with n pieces of evidence, every other one of them failing.
func large(n int) *Report {
	r := drift()
	r.Evidence = nil
	for i := range n {
		e := piece(fmt.Sprintf("docs/evals/run-%05d.replay.json", i))
		if i%2 == 0 {
			fails(&e, "token.hash", "hash-differs", "its parsed value is not the one that was recorded", tokenB, "", Introduced)
		}
		r.Evidence = append(r.Evidence, e)
	}
	r.Scope = Scope{Mode: "all", Total: n, Checked: n}
	return total(r)
}
