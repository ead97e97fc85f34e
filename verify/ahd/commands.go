package ahd

import (
	"bytes"
	"strings"

	"github.com/replay-gate/replay-gate/verify/jsondoc"
)

// compareCommands fails every command behind the report's derived block that is not
// the one of the sidecar (AHD replay, Markdown redactions), and returns how many were
// compared. A report without commands has none to compare.
func (j *judge) compareCommands(report []byte, name string) (compared int) {
	root := j.doc.Root
	block, closed := findBlock(report)
	if !closed {
		return 0
	}
	from, to := commandsBehind(report[block.to:])
	from, to = from+block.to, to+block.to
	line := 1 + bytes.Count(report[:from], []byte("\n"))
	intro := true
	for text := range strings.Lines(string(report[from:to])) {
		text, line = strings.TrimSpace(text), line+1
		if intro || compared == maxCommands || strings.HasPrefix(text, "```") || isCut(text) {
			intro = intro && text != "```sh"
			continue
		}
		key, value := "argv", text
		if commit, ok := strings.CutPrefix(text, "git checkout "); ok {
			key, value = "ahd_commit", commit
		} else if version, ok := strings.CutPrefix(text, "# install ahd@"); ok {
			key, value = "ahd_version", version
		} else if text == "" || strings.HasPrefix(text, "npm ") || strings.HasPrefix(text, "#") {
			continue
		}
		n := root.Get(key)
		if key == "argv" {
			if !n.Is(jsondoc.Array) || len(n.Items()) == 0 {
				continue // nothing is recorded that could be repeated
			}
			recorded := commandLine(n)
			if strings.ContainsAny(recorded, "\r\n") {
				continue // more than a line
			}
			if sameCommand(recorded, value) {
				compared++
				continue
			}
		} else if n == nil || agrees(key, n, value) {
			compared++
			continue
		}
		j.contradict("report.commands."+key, n, entry{key: key, value: value, line: line - 1}, name)
		compared++
	}
	return compared
}

// isCut recognises a command from which something was taken out: a report may be
// redacted, and then says nothing that could be compared.
func isCut(command string) bool {
	for _, mark := range []string{"redacted", "…", "...", "***", "<"} {
		if strings.Contains(strings.ToLower(command), mark) {
			return true
		}
	}
	return false
}

// maxCommands bounds the lines that are compared. The reference writes three.
const maxCommands = 16

// sameCommand compares two lines for a shell. How their words are quoted is not told
// apart: people quote in other ways than the reference.
func sameCommand(a, b string) bool {
	quotes := strings.NewReplacer(`'`, "", `"`, "", `\`, "")
	return a == b || quotes.Replace(a) == quotes.Replace(b)
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
