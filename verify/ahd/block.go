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

// maxBlock bounds the values that are read from a block.
const maxBlock = 1024

// blockFence opens the derived block (AHD replay, Two surfaces).
const blockFence = "```yaml ahd-replay"

// parseBlock reads the derived block of a report. It goes line by line, because
// the block is written for people: model ids start with "@", which YAML
// forbids. found is false for a report without a block.
func parseBlock(report []byte) (entries []entry, found bool) {
	if !bytes.Contains(report, []byte(blockFence)) {
		return nil, false
	}
	// Within a section all keys stand in one column; what stands elsewhere
	// belongs to something nested, which the block of version 1 does not have.
	section, item, column := "", -1, 0
	for line := 1; len(report) > 0 && len(entries) < maxBlock; line++ {
		raw, rest, _ := bytes.Cut(report, []byte("\n"))
		report = rest
		if !found {
			found = string(bytes.TrimRight(raw, " \t\r")) == blockFence
			continue
		}
		text := strings.TrimRight(string(raw), " \t\r")
		if strings.HasPrefix(text, "```") {
			break
		}
		body := strings.TrimLeft(text, " ")
		body, dash := strings.CutPrefix(body, "- ")
		body = strings.TrimLeft(body, " ")
		key, value, ok := strings.Cut(body, ":")
		if !ok || !isKey(key) {
			continue
		}
		value = unquote(strings.TrimSpace(value))
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
		entries = append(entries, entry{section, item, key, value, line})
	}
	return entries, found
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
