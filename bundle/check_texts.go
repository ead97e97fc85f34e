package bundle

import (
	"bytes"
	"fmt"
	"path"
	"strings"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/jsondoc"
)

// texts judges the JSON that a bundle has of its own, besides the manifest: two readers of
// an object with the same name twice read two different things. What evidence and inputs
// look like is for their kinds to judge.
func (x *examination) texts(t *table) {
	n, checked := len(t.checks), 0
	for _, e := range x.entries {
		lines := path.Ext(e.Name) == ".jsonl"
		if !ownText(e.Name) || e.at == nil {
			continue
		}
		checked++
		field := fileField(e.Name) + ".json"
		if e.Size > maxSummary {
			t.add(field, verify.Warn, codeUnread, fmt.Sprintf("is larger than %d MiB, and was not looked at", maxSummary>>20), "", "")
			continue
		}
		data, err := e.bytes()
		if err != nil {
			t.add(field, verify.Fail, "unreadable", fmt.Sprintf("%q can't be read", e.Name), "", "")
			continue
		}
		parts := [][]byte{data}
		if lines {
			parts = bytes.Split(data, []byte("\n"))
		}
		for _, part := range parts {
			if len(bytes.TrimSpace(part)) == 0 {
				continue
			}
			if code, reason := wrongText(part); code == codeUnread {
				t.add(field, verify.Warn, code, reason, "", "")
				break
			} else if code != "" {
				t.add(field, verify.Fail, code, reason, "", "")
				break
			}
		}
	}
	if len(t.checks) == n && checked > 0 {
		t.ok("json", "", fmt.Sprintf("%d files", checked))
	}
}

// codeUnread: a text that is too large to be looked at, which a replay refuses.
const codeUnread = "not-looked-at"

// ownText reports whether an entry is JSON that whoever made the bundle wrote.
func ownText(name string) bool {
	switch {
	case name == traceName:
		return true
	case path.Ext(name) != ".json" || !strings.HasPrefix(name, "outputs/"):
		return false
	}
	return !strings.HasPrefix(name, string(verify.PlaceReport)+"/")
}

// wrongText says what is wrong with JSON for readers that must agree about it.
func wrongText(data []byte) (code, reason string) {
	l := DefaultLimits()
	l.Values = maxSummaryValues
	if err := boundJSON(data, l, "an output"); err != nil {
		return codeUnread, "was not looked at: " + err.Error()
	}
	doc := jsondoc.Parse(data)
	if doc.Err != nil {
		return "not-json", "is not JSON: " + doc.Err.Error()
	}
	for _, p := range doc.Problems {
		return p.Code, p.Field + ": " + p.Reason
	}
	return "", ""
}
