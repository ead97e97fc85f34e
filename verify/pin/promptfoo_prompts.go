package pin

import (
	"bytes"
	"encoding/json"
	"path"
	"strings"
)

// promptsOf is how promptfoo makes prompts of the file at name (src/prompts/processors);
// nil for a file that it runs, or makes something of that is not known here.
func promptsOf(name string) func([]byte) []string {
	switch path.Ext(name) {
	case ".txt":
		return splitText
	case ".md":
		return func(data []byte) []string { return []string{string(data), string(toLF(data))} }
	case ".json":
		return rewriteJSON
	}
	return nil
}

// splitText cuts a text at the lines that hold nothing but three hyphens (text.ts).
func splitText(data []byte) []string {
	var all []string
	var part []string
	flush := func() {
		if text := trimJS(strings.Join(part, "\n")); text != "" {
			all = append(all, text)
		}
		part = nil
	}
	for _, line := range strings.Split(string(toLF(data)), "\n") {
		if trimJS(line) == "---" {
			flush()
		} else {
			part = append(part, line)
		}
	}
	flush()
	return all
}

// trimJS is JavaScript's trim, which takes a byte order mark off too.
func trimJS(s string) string { return strings.TrimSpace(strings.Trim(strings.TrimSpace(s), "\ufeff")) }

// rewriteJSON is what JSON.stringify makes of a JSON text (json.ts): the order of members
// and the spelling of strings stay, white space goes. What names other files, or has
// numbers that would be spelled otherwise, can't be compared.
func rewriteJSON(data []byte) []string {
	if bytes.Contains(data, []byte("file://")) {
		return nil
	}
	if !json.Valid(data) {
		return []string{string(data)}
	}
	var b bytes.Buffer
	if err := json.Compact(&b, data); err != nil {
		return nil
	}
	if bytes.ContainsRune(b.Bytes(), '\\') || bytes.ContainsAny(b.Bytes(), ".eE") && spelledOtherwise(b.Bytes()) {
		return nil
	}
	return []string{b.String()}
}

// spelledOtherwise reports whether a number outside of strings may have another spelling
// in JavaScript.
func spelledOtherwise(text []byte) bool {
	inside := false
	for i, c := range text {
		switch {
		case c == '"':
			inside = !inside // nothing is escaped
		case !inside && (c == '.' || (c == 'e' || c == 'E') && i > 0 && isDigit(text[i-1])):
			return true
		}
	}
	return false
}

// find is the file of the tree that a prompt of the configuration names. The output says
// not where the configuration lay: a path counts from the folder of the output, or one
// above it; of an absolute path, which is another machine's, the longest end counts.
func (o *output) find(name string) string {
	name = strings.ReplaceAll(name, `\`, "/")
	if !strings.HasPrefix(name, "/") && !(len(name) > 2 && name[1] == ':') {
		for dir := path.Dir(o.e.Path); ; dir = path.Dir(dir) {
			if at := path.Join(dir, name); pathOf(at) != "" && at != o.e.Path && o.e.Tree.Exists(at) {
				return at
			}
			if dir == "." {
				return ""
			}
		}
	}
	steps := strings.Split(path.Clean(name), "/")
	for i := 1; i < len(steps) && i < 64; i++ {
		if at := strings.Join(steps[i:], "/"); pathOf(at) != "" && at != o.e.Path && o.e.Tree.Exists(at) {
			return at
		}
	}
	return ""
}
