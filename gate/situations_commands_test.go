package gate_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/replay-gate/replay-gate/gate"
	"github.com/replay-gate/replay-gate/gate/judge"
	"github.com/replay-gate/replay-gate/internal/gittest"
	"github.com/replay-gate/replay-gate/summary"
	"github.com/replay-gate/replay-gate/verify"
)

// Issue 14, Proof: every command that any rendering of the eight situations prints is run in
// a copy of the repository, by a shell, as a reader would copy it, and does what it says.
// The tools of the evidence are stand-ins (see TestMain).
func TestPrintedCommands(t *testing.T) {
	t.Parallel()
	bin := stand(t)
	for _, s := range situations() {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			at, report := gated(t, s)
			// From a pull request, where the bundles have to be made again.
			remote := *report
			remote.Links = summary.Links{Server: "https://github.example", Repository: "o/r"}
			if remote.Change.Dirty = false; report.Change.Head == "" {
				remote.Change.Head = at.Head()
			}
			printed := map[string][]string{
				"report.json": reported(report),
				"terminal-80": inTerminal(t, report, 80), "terminal-120": inTerminal(t, report, 120),
				"summary.md": inMarkdown(at.read(".assay/bundles/summary.md")), "summary.md of a pull request": inMarkdown(summary.Markdown(&remote, 0)),
				"report.html": inPage(at.read(".assay/bundles/report.html")),
				"junit.xml":   inMessages(html.UnescapeString(at.read(".assay/bundles/junit.xml"))),
				"sarif.json":  inMessages(strings.ReplaceAll(at.read(".assay/bundles/sarif.json"), `\n`, "\n")),
			}
			for _, c := range ofCauses(report) {
				for _, name := range []string{"terminal-80", "terminal-120", "summary.md", "report.html", "junit.xml", "sarif.json"} {
					if machine := name == "junit.xml" || name == "sarif.json"; !slices.Contains(printed[name], c) && (!machine || s.exit != 0) {
						t.Errorf("%s does not print %s", name, c)
					}
				}
			}
			in := make(map[string]string)
			for name, lines := range printed {
				for _, line := range lines {
					in[line] = name
				}
			}
			for line, name := range in {
				t.Run(line, func(t *testing.T) {
					t.Parallel()
					c := &copied{Repo: at.Repo, before: report, bin: bin}
					if !reads.MatchString(line) {
						c.Repo = at.copy(t)
					}
					c.try(t, line, name)
				})
			}
		})
	}
}

func (s *site) read(name string) string {
	data, err := os.ReadFile(s.Path(name))
	if err != nil {
		s.T.Fatal(err)
	}
	return string(data)
}

// copy copies the repository, with what git ignores.
func (s *site) copy(t *testing.T) *gittest.Repo {
	dir := filepath.Join(t.TempDir(), "copy")
	if err := os.CopyFS(dir, os.DirFS(s.Dir)); err != nil {
		t.Fatal(err)
	}
	g := gittest.In(t, dir)
	g.At, g.Env = s.At, s.Env
	g.Git("remote", "add", "origin", s.Dir)
	return g
}

// command is how a printed command begins. What a recording holds of another machine does not.
const command = `(?:git|replay-gate|ahd|docker|gh) [^\n]*`

var (
	terminalCommand = regexp.MustCompile(`(?m)(?:^ {2,}|\? {2,}|: {1,})(` + command + `)$`)
	spanCommand     = regexp.MustCompile("`(" + command + "?)`")
	pageCommand     = regexp.MustCompile(`(?s)<pre[^>]*>(.*?)</pre>|next:</strong> [^<]*?: ([^<]*)`)
	messageCommand  = regexp.MustCompile(`(?m): (` + command + `)$`)
	continued       = regexp.MustCompile(` \\\n *`)
	discards        = regexp.MustCompile(`\s+\(discards [^)]*\)`)
)

func all(re *regexp.Regexp, text string) (lines []string) {
	for _, m := range re.FindAllStringSubmatch(text, -1) {
		lines = append(lines, m[1:]...)
	}
	return lines
}

func inTerminal(t *testing.T, r *summary.Report, width int) []string {
	var b bytes.Buffer
	if err := summary.WriteTerminal(&b, r, summary.Terminal{Width: width, Verbose: true}); err != nil {
		t.Fatal(err)
	}
	return all(terminalCommand, discards.ReplaceAllString(continued.ReplaceAllString(b.String(), " "), ""))
}

func inMarkdown(page string) []string {
	lines := all(spanCommand, page)
	for i, block := range strings.Split(page, "```") {
		if code, ok := strings.CutPrefix(block, "sh\n"); ok && i%2 == 1 {
			for line := range strings.Lines(continued.ReplaceAllString(code, " ")) {
				if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
					lines = append(lines, line)
				}
			}
		}
	}
	return lines
}

func inPage(page string) (lines []string) {
	for _, block := range all(pageCommand, page) {
		for line := range strings.Lines(html.UnescapeString(block)) {
			if line = strings.TrimSpace(line); regexp.MustCompile("^" + command + "$").MatchString(line) {
				lines = append(lines, line)
			}
		}
	}
	return lines
}

func inMessages(text string) []string {
	return all(messageCommand, strings.NewReplacer(`",`, "\n", ", or https://", "\n").Replace(text))
}

// ofCauses are the commands of the ways out.
func ofCauses(r *summary.Report) (lines []string) {
	for _, c := range r.Causes {
		for _, s := range slices.Concat(c.Meant, c.Undo) {
			if line, ok := summary.ShellCommand(s.Command, s.Into); ok {
				lines = append(lines, line)
			}
		}
	}
	return lines
}

// reported are all commands of the report.
func reported(r *summary.Report) []string {
	lines := ofCauses(r)
	for _, e := range r.Evidence {
		for _, f := range e.Fields {
			if line, ok := summary.ShellCommand(f.Command, ""); ok {
				lines = append(lines, line)
			}
		}
	}
	return lines
}

// reads matches the commands that change nothing, which need no copy.
var reads = regexp.MustCompile(`^(/|docker |replay-gate (verify|replay|explain|bundle check) )`)

// copied is a repository, or a copy of one, in which one command is run.
type copied struct {
	*gittest.Repo
	before *summary.Report
	bin    string
}

// try runs a command and holds its effect against what it is for.
func (c *copied) try(t *testing.T, line, printedIn string) {
	words := strings.Fields(strings.TrimPrefix(line, inContainer))
	switch {
	case strings.HasPrefix(words[0], "/"): // the recorded one, "with the paths of that machine"
		if !slices.ContainsFunc(c.before.Evidence, func(e summary.Entry) bool {
			recorded, _ := summary.ShellCommand(e.Recording.Argv, "")
			return recorded == line
		}) {
			t.Errorf("%s: no evidence records %s", printedIn, line)
		}
		return
	case strings.HasPrefix(line, "replay-gate bundle create "):
		if err := os.RemoveAll(c.Path(gate.DefaultBundleDir)); err != nil {
			t.Fatal(err)
		}
	}
	out, exit := c.shell(t, strings.ReplaceAll(line, "'…'", "'on purpose'"))
	if verify := strings.HasPrefix(line, "replay-gate verify "); verify {
		c.verifies(t, line, words[2], exit)
		return
	}
	if exit != 0 {
		t.Fatalf("%s: exit %d\n%s", line, exit, out)
	}
	switch verb := strings.Join(words[:2], " "); {
	case verb == "git checkout" && len(words) == 3:
		if !strings.HasPrefix(c.Head(), words[2]) {
			t.Errorf("%s: it checks %s out", line, c.Head())
		}
	case verb == "git fetch":
		c.Git("cat-file", "-e", words[3])
	case verb == "git checkout", verb == "git mv", verb == "replay-gate mv", verb == "replay-gate accept", words[0] == "ahd":
		c.helps(t, line, words)
	case verb == "replay-gate bundle" && words[2] == "check":
		if !strings.HasPrefix(out, "intact") {
			t.Errorf("%s: %s", line, out)
		}
	case verb == "replay-gate bundle" && words[2] == "create":
		for _, e := range c.before.Evidence {
			if slices.Contains(words, e.Path) && !strings.Contains(out, e.Bundle.SHA256+"  "+e.Bundle.Path) {
				t.Errorf("%s: it gives other bytes than %s of the run:\n%s", line, e.Bundle.SHA256, out)
			}
		}
	case verb == "replay-gate replay":
		i := slices.IndexFunc(c.before.Evidence, func(e summary.Entry) bool { return e.Bundle != nil && "--bundle="+e.Bundle.Path == words[2] })
		if i < 0 || !strings.Contains(out, "the recorded verdict holds") {
			t.Errorf("%s: %s", line, out)
		}
	case verb == "replay-gate explain":
		if !strings.HasPrefix(out, words[2]+": ") {
			t.Errorf("%s: %s", line, out)
		}
	default:
		t.Errorf("%s prints %s, and no test knows what that is for", printedIn, line)
	}
}

const inContainer = `docker run --rm --network none --volume "$PWD:/repo" --workdir /repo `

// shell runs a line as it was printed.
func (c *copied) shell(t *testing.T, line string) (out string, exit int) {
	t.Helper()
	cmd := exec.Command("sh", "-c", line)
	cmd.Dir = c.Dir
	cmd.Env = append(slices.Clone(c.Env), "PATH="+c.bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	both, err := cmd.CombinedOutput()
	if stopped := (*exec.ExitError)(nil); err != nil && !errors.As(err, &stopped) {
		t.Fatalf("%s: %v", line, err)
	}
	return string(both), cmd.ProcessState.ExitCode()
}

// verifies holds the exit code of verify, which looks at the files as they are, against what
// the run said of them.
func (c *copied) verifies(t *testing.T, line, path string, exit int) {
	want := gate.ExitIntact
	for _, e := range c.before.Evidence {
		for _, f := range e.Fields {
			// What is held against the base is no matter of the files; what is accepted, and a
			// record of the past, drifts there too.
			if e.Path == path && (f.Status == verify.Fail && !strings.HasPrefix(f.Field, "recorded.") || f.Accepted || f.Code == judge.CodeSuperseded) {
				want = gate.ExitDrift
			}
		}
	}
	if exit != want {
		t.Errorf("%s: exit %d, want %d", line, exit, want)
	}
}

// helps holds the next run of the gate against what a command promised: what it is about
// fails no longer, or is accepted where it was accepted.
func (c *copied) helps(t *testing.T, line string, words []string) {
	after, err := gate.Run(t.Context(), gate.Options{Root: c.Dir, Base: "base", Scope: "all", BundleFor: "none", Dry: true, Clock: now, Version: "0.0.0"})
	if err != nil {
		t.Fatal(err)
	}
	about := make(map[string]bool)
	for _, cause := range c.before.Causes {
		if slices.Contains(ofCauses(&summary.Report{Causes: []summary.Cause{cause}}), line) {
			for _, a := range cause.Claims {
				about[a.Evidence] = true
			}
		}
	}
	for _, e := range c.before.Evidence { // a single field's, or one of several runs
		report, _ := strings.CutSuffix(e.Path, ".replay.json")
		if slices.Contains(words, e.Path) || slices.Contains(words, report+".md") {
			about = map[string]bool{e.Path: true}
		}
	}
	if len(about) == 0 {
		t.Errorf("%s is about no evidence", line)
	}
	for _, e := range after.Evidence {
		if !about[e.Path] {
			continue
		}
		accepts := strings.HasPrefix(line, "replay-gate accept ")
		accepted := slices.ContainsFunc(e.Fields, func(f summary.Field) bool { return f.Accepted })
		failing := slices.ContainsFunc(e.Fields, func(f summary.Field) bool { return f.Fails || f.Status == verify.Fail && !f.Accepted })
		if failing || accepts != accepted {
			data, _ := json.MarshalIndent(e.Fields, "", "  ")
			t.Errorf("%s: %s fails %v, is accepted %v\n%s", line, e.Path, failing, accepted, data)
		}
	}
	if len(about) == len(c.failing()) && after.ExitCode != gate.ExitIntact {
		t.Errorf("%s: exit %d: %s", line, after.ExitCode, after.Message)
	}
}

// failing is the evidence that fails the run.
func (c *copied) failing() map[string]bool {
	fails := make(map[string]bool)
	for _, e := range c.before.Evidence {
		if slices.ContainsFunc(e.Fields, func(f summary.Field) bool { return f.Fails }) {
			fails[e.Path] = true
		}
	}
	return fails
}
