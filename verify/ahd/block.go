package ahd

import (
	"bytes"
	"strings"
)

// entry is one value of a report's derived block.
type entry struct {
	section string // "token", "models", …; empty at the top level
	item    int    // index in a list, -1 outside of lists
	key     string
	value   string
	line    int // in the report, from 1
}

// maxBlock bounds the values that are read from a block, and maxElements the
// length of one that is gathered from several lines, in bytes.
const (
	maxBlock    = 1024
	maxElements = 4096
)

// blockFence opens the derived block (AHD replay, Two surfaces).
const blockFence = "```yaml ahd-replay"

// span is where the derived block lies in a report: whole lines, the fences
// among them. line is that of the opening fence, 0 when there is no block.
type span struct{ from, to, line int }

// findBlock finds the derived block. One that is not closed goes on to the end of
// the report.
func findBlock(report []byte) (at span, closed bool) {
	if !bytes.Contains(report, []byte(blockFence)) {
		return span{}, false
	}
	for start, line := 0, 1; start < len(report); line++ {
		raw, _, _ := bytes.Cut(report[start:], []byte("\n"))
		end := min(start+len(raw)+1, len(report))
		switch {
		case at.line == 0 && string(bytes.TrimRight(raw, " \t\r")) == blockFence:
			at = span{start, len(report), line}
		case at.line > 0 && bytes.HasPrefix(raw, []byte("```")):
			at.to = end
			return at, true
		}
		start = end
	}
	return at, false
}

// parseBlock reads the derived block of a report. It goes line by line, because
// the block is written for people: model ids start with "@", which YAML
// forbids. found is false for a report without a block.
func parseBlock(report []byte) (entries []entry, found bool) {
	block, _ := findBlock(report)
	if block.line == 0 {
		return nil, false
	}
	// Within a section all keys stand in one column; what stands elsewhere
	// belongs to something nested, which the block of version 1 does not have.
	section, item, column := "", -1, 0
	open := -1 // the entry that a line without a key belongs to
	rest := report[block.from:block.to]
	for line := block.line; len(rest) > 0 && len(entries) < maxBlock; line++ {
		var raw []byte
		raw, rest, _ = bytes.Cut(rest, []byte("\n"))
		text := strings.TrimRight(string(raw), " \t\r")
		body := strings.TrimLeft(text, " ")
		body, dash := strings.CutPrefix(body, "- ")
		body = strings.TrimLeft(body, " ")
		key, value, ok := strings.Cut(body, ":")
		key = unquote(strings.TrimRight(key, " "))
		if !ok || !isKey(key) {
			if open >= 0 {
				entries[open].extend(dash, body)
			}
			continue
		}
		open = -1
		if value = unquote(strings.TrimSpace(value)); strings.HasPrefix(value, "#") {
			value = "" // a comment is all that stands behind the key
		}
		at := len(text) - len(body)
		if at == 0 {
			section, item, column = "", -1, 0
			if value == "" {
				section = key
				continue
			}
		} else if column == 0 {
			column = at
		}
		if at != column {
			continue
		}
		if dash {
			item++
		}
		open = len(entries)
		entries = append(entries, entry{section, item, key, value, line})
	}
	return entries, true
}

// extend takes a line below the entry's own that has no key. Formatters break a
// list: an element with a dash on each line, or brackets that close further down.
func (e *entry) extend(dash bool, text string) {
	if unquote(text) == text {
		text = withoutComment(text)
	}
	if strings.HasPrefix(e.value, "[") {
		e.value = withoutComment(e.value)
	}
	list, dashed := strings.CutSuffix(e.value, "]")
	switch {
	case text == "" || strings.HasPrefix(text, "#") || len(e.value) > maxElements:
	case dash && e.value == "":
		e.value = "[" + text + "]"
	case dash && dashed:
		e.value = list + ", " + text + "]"
	case !dash && !dashed && strings.HasPrefix(e.value, "["):
		e.value += text
	}
}

func isKey(s string) bool {
	return s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz_") == ""
}

func unquote(s string) string {
	if n := len(s); n > 1 && s[0] == s[n-1] && (s[0] == '"' || s[0] == '\'') {
		return s[1 : n-1]
	}
	return s
}
