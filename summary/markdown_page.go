package summary

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/replay-gate/replay-gate/verify"
)

// introduction is what stands between the headline and the evidence: the causes, then what
// a reader must know about the run, and why it exits as it does.
func (p *page) introduction(r *Report) {
	p.story(r)
	for _, n := range r.Notices {
		p.add("> **", noticeWord(n.Status), "**: ", text(n.Message))
		if n.NextStep != "" {
			p.add("<br>Next step: ", text(n.NextStep))
		}
		p.add("\n\n")
		if n.Example != "" {
			p.add(block("yaml", strings.Split(strings.TrimRight(n.Example, "\n"), "\n")))
		}
	}
	if len(r.Evidence) == 0 && !r.Incomplete() {
		p.add(whyNothing(r), "\n\n")
	}
	if r.ExitCode != 0 {
		if r.NextStep != "" && !r.offersWays() {
			p.add("**Next step:** ", nextStep(r.NextStep), "\n\n")
		}
		p.add(fmt.Sprintf("Exit code %d, %s: %s\n\n", r.ExitCode, code(r.ReasonCode, maxCell), text(r.Message)))
	} else if r.Counts.Fail > 0 {
		p.add("Exit code 0: nothing here fails the policy fail-on=", text(r.Policy.FailOn), ".\n\n")
	}
	if !r.Incomplete() {
		p.add(compared(r), "\n\n")
	}
	if l := r.Links; l.Artifact != "" {
		p.add("Bundles and report: artifact ", link(code(l.Artifact, maxCell), l.artifactURL()), "<br>", code(l.ArtifactDigest, maxTitle), "\n\n")
	}
}

func noticeWord(s verify.Status) string {
	switch s {
	case verify.Fail, verify.Warn:
		return string(s)
	}
	return string(verify.Info)
}

// compared says what was compared with what, or why there is no base.
func compared(r *Report) string {
	c := r.Change
	head := "the work tree"
	if !c.WorkTree && c.Head != "" {
		head = commitSpan(c.Head)
	} else if c.Dirty {
		head += " with changes that are not committed"
	}
	line := "Checked " + head
	if c.Base != "" {
		line = "Compared " + commitSpan(c.Base) + " .. " + head
		if url := r.Links.compareURL(c.Base, c.Head); url != "" {
			line += " ([difference](" + url + "))"
		}
		line += ": " + count(c.Files, "changed file")
	} else if c.BaseNote != "" {
		line += " without a base: " + text(c.BaseNote)
	}
	return line + fmt.Sprintf(" · %s of %s of evidence in scope", thousands(r.Scope.Checked), count(r.Scope.Total, "piece"))
}

func commitSpan(id string) string {
	if commitForm.MatchString(id) {
		return "`" + id[:12] + "`"
	}
	return code(id, maxCell)
}

// ending is what stands behind the evidence.
func (p *page) ending(r *Report) {
	p.reproduce(r)
	p.add("---\n\nreplay-gate ", code(r.Tool.Version, maxCell))
	if !r.Incomplete() { // which leaves no report
		p.add(" · report: ", where(r))
	}
	if r.Timeline != "" {
		p.add(" · history: ", code(r.Timeline, maxTitle))
	}
	if url := r.Links.runURL(); url != "" {
		p.add(" · [the run](", url, ")")
	}
	p.add(" · [what this page means](", DocsURL, "#readme)\n")
}

// Limits of the commands that a page prints.
const (
	maxReproduced = 3 // pieces of evidence

)

// reproduce adds the commands that repeat what the page says, for the first
// failing pieces of evidence, or the first of all if none fails.
func (p *page) reproduce(r *Report) {
	var chosen []*Entry
	candidates := 0
	for i := range r.Evidence {
		e := &r.Evidence[i]
		if e.Bundle == nil || e.Bundle.Path == "" || (r.Counts.Fail > 0 && !e.failing()) {
			continue
		}
		if candidates++; len(chosen) < maxReproduced {
			chosen = append(chosen, e)
		}
	}
	if len(chosen) == 0 {
		return
	}
	p.add("<details><summary>Reproduce locally</summary>\n\n")
	defer p.add("</details>\n\n")
	if get, check := getAndCheck(r, chosen); len(check) > 0 {
		p.add("Get the bundles, check them, and come to the verdict again, offline:\n\n", fenced(append(get, check...)))
		check = check[:min(len(check), 2)]
		for i, line := range check {
			check[i] = inContainer + strings.TrimPrefix(line, "replay-gate ")
		}
		p.add("The same in a container:\n\n", fenced(check))
	}
	for _, e := range chosen {
		p.add(repeatRun(e))
	}
	if more := candidates - len(chosen); more > 0 {
		p.add("The same way for ", thousands(more), " more, which ", where(r), " names.\n\n")
	}
}

// inContainer runs a command in the gate's image, which is called replay-gate
// (docker build --tag replay-gate .).
const inContainer = `docker run --rm --network none --volume "$PWD:/repo" --workdir /repo replay-gate `

// getAndCheck are the commands that get the bundles, and those that check and
// replay them. From a workflow bundles come with its artifact; where there is
// none they are made again, because the same commit and evidence give the same
// bytes. Both are empty when there is no way to get them.
func getAndCheck(r *Report, chosen []*Entry) (get, check []string) {
	var bundles, evidence []string
	for _, e := range chosen {
		_, ok1 := ShellQuote(e.Bundle.Path)
		_, ok2 := ShellQuote(e.Path)
		if ok1 && ok2 && fs.ValidPath(e.Path) {
			bundles, evidence = append(bundles, e.Bundle.Path), append(evidence, e.Path)
		}
	}
	add := func(lines *[]string, options, operands []string) {
		if line, ok := shellLine(slices.Concat(options, guarded(operands)), maxCommand); ok && len(bundles) > 0 {
			*lines = append(*lines, line)
		}
	}
	l, folder := r.Links, path.Dir(reportPath(r))
	switch {
	case l.Server == "": // they lie in the work tree already
	case l.Artifact != "" && l.runURL() != "":
		add(&get, []string{"gh", "run", "download", l.RunID, "--repo", ghRepository(l), "--name", l.Artifact, "--dir", folder}, nil)
	case commitForm.MatchString(r.Change.Head) && !r.Change.Dirty:
		add(&get, []string{"git", "fetch", "origin", r.Change.Head}, nil)
		create := []string{"replay-gate", "bundle", "create", "--head=" + r.Change.Head, "--bundle-dir=" + folder}
		// A base that no row of a bundle depends on is not in it, so naming it changes nothing.
		if slices.ContainsFunc(chosen, func(e *Entry) bool { return e.Bundle.Base != "" }) {
			create = append(create, "--base="+r.Change.Base)
		}
		add(&get, create, evidence)
	default:
		return nil, nil
	}
	add(&check, []string{"replay-gate", "bundle", "check"}, bundles)
	for _, b := range bundles {
		add(&check, []string{"replay-gate", "replay", "--bundle=" + b}, nil)
	}
	return get, check
}

// guarded are the last arguments of a command, and none of them is an option
// whatever its name.
func guarded(operands []string) []string {
	for _, o := range operands {
		if strings.HasPrefix(o, "-") {
			return append([]string{"--"}, operands...)
		}
	}
	return operands
}

// ghRepository names the repository as gh takes it: with the host, unless that
// is the one that gh assumes.
func ghRepository(l Links) string {
	host := strings.TrimPrefix(strings.TrimPrefix(strings.TrimSuffix(l.Server, "/"), "https://"), "http://")
	if host == "github.com" {
		return l.Repository
	}
	return host + "/" + l.Repository
}

// repeatRun says how the recorded run itself is repeated.
func repeatRun(e *Entry) string {
	words, lines := recordedRun(&e.Recording, " of "+code(e.Path, maxTitle), code(e.Recording.Platform, maxCell))
	if len(lines) == 0 {
		return words + ".\n\n"
	}
	return words + ":\n\n" + fenced(lines)
}

// recordedRun is the commands that repeat a recorded run, and words for them; there
// may be none. of is " of" and the name of the evidence, or empty, and platform
// that of the run; both must be escaped already.
func recordedRun(rec *verify.Recording, of, platform string) (words string, lines []string) {
	if len(rec.Argv) == 0 {
		return "The command" + of + " is not recorded", nil
	}
	argv, ok := shellLine(rec.Argv, maxCommand)
	if !ok {
		return "The recorded command" + of + " is too long, or holds what a shell line can't show; it stands in the evidence", nil
	}
	lines = []string{argv}
	if commitID.MatchString(rec.Commit) {
		lines = []string{"git checkout " + rec.Commit[:12], argv}
	}
	words = "Repeat the run" + of + " as it was recorded"
	if rec.Platform != "" {
		words += " on " + platform
	}
	words += ", with the paths of that machine"
	if rec.Dirty != nil && *rec.Dirty {
		words += "; its work tree was not quite that commit"
	}
	return words, lines
}

// fenced is a block of commands.
func fenced(lines []string) string { return block("sh", lines) }

// block is a fenced block of a language. The fence is longer than any in it.
func block(language string, lines []string) string {
	all := strings.Join(lines, "\n")
	fence := strings.Repeat("`", max(3, longestRun(all, '`')+1))
	return fence + language + "\n" + all + "\n" + fence + "\n\n"
}
