package ahd

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/replay-gate/replay-gate/verify/jsondoc"
)

// buildCommand is what the reference writes between the checkout and the run.
const buildCommand = "npm ci && npm run build"

// compareCommands fails the commands behind the report's derived block that are not
// those of the sidecar (AHD replay, Markdown redactions), one row for each member that
// they come from, and returns how many were compared. Readers copy these lines into a
// shell, so nothing but a comment may stand there that the sidecar does not give.
func (j *checker) compareCommands(report []byte, name string) (compared int) {
	block, closed := findBlock(report)
	if !closed {
		return 0
	}
	from, to := commandsBehind(report[block.to:])
	from, to = from+block.to, to+block.to
	line := bytes.Count(report[:from], []byte("\n"))
	failed := make(map[string]bool)
	compare := func(key, seen string, line int, same bool) {
		compared++
		if !same && !failed[key] {
			failed[key] = true
			j.contradict("report.commands."+key, j.doc.Root.Get(key), entry{key: key, value: seen, line: line}, name)
		}
	}
	var run []string // the lines of the recorded command, and what was put among them
	runAt := 0
	inside := false
	for text := range strings.Lines(string(report[from:to])) {
		text, line = strings.TrimSpace(text), line+1
		key, value := "", ""
		if commit, ok := strings.CutPrefix(text, "git checkout "); ok {
			key, value = "ahd_commit", commit
		} else if version, ok := strings.CutPrefix(text, "# install ahd@"); ok {
			key, value = "ahd_version", version
		}
		switch n := j.doc.Root.Get(key); {
		case !inside:
			inside = text == "```sh"
		case key != "":
			compare(key, value, line, n == nil || isRedacted(value) || agrees(key, n, value))
		case text != "" && text != buildCommand && !strings.HasPrefix(text, "#") && !strings.HasPrefix(text, "```"):
			if run == nil {
				runAt = line
			}
			run = append(run, text)
		}
	}
	if argv := j.doc.Root.Get("argv"); run != nil && argv.Is(jsondoc.Array) {
		seen := strings.Join(run, "\n")
		compare("argv", seen, runAt, sameCommand(commandLine(argv), seen))
	}
	return compared
}

// active are the characters that may make a shell do more than run a program with
// words, unless they are quoted as the reference quotes them.
const active = "$`\\!&|;<>()*?[]{}~#\r\n"

// cutWord is a word from which something was taken out: reports may be redacted, and
// then say nothing that could be compared. It holds nothing that a shell acts on.
var cutWord = regexp.MustCompile(`^[\w./:@=,+%-]*(?:…|\*\*\*|\[redacted\])[\w./:@=,+%-]*$`)

// sameCommand compares a recorded command with a line for a shell. People quote in
// other ways than the reference; where that matters to a shell, they must not.
func sameCommand(recorded, seen string) bool {
	if recorded == seen {
		return true
	}
	if strings.ContainsAny(recorded, active) {
		return false
	}
	quotes := strings.NewReplacer(`'`, "", `"`, "")
	a, b := strings.Fields(quotes.Replace(recorded)), strings.Fields(quotes.Replace(seen))
	if len(a) != len(b) || strings.Contains(seen, "\n") {
		return false
	}
	for i := range a {
		if a[i] != b[i] && !cutWord.MatchString(b[i]) {
			return false
		}
	}
	return true
}

// commandLine is argv as the reference writes it for a shell; words that are no text
// are left out.
func commandLine(argv *jsondoc.Node) string {
	words := texts(argv)
	for i, w := range words {
		words[i] = quotedWord(w)
	}
	return strings.Join(words, " ")
}
