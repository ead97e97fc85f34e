package accepted

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"gopkg.in/yaml.v3"
)

// Append returns data, the file's content, with the entries behind its last one. Comments
// and order stay, because nothing before the new text is touched. It fails when the file
// can't be read, and when the result would not be the old entries and the new ones.
func Append(data []byte, now time.Time, more ...Entry) ([]byte, error) {
	before := Parse(data, now)
	if len(before.checks) > 0 {
		c := before.checks[0]
		return nil, fmt.Errorf("%s: %s", c.Location, c.Reason)
	}
	if n := len(before.entries) + len(more); n > MaxEntries {
		return nil, fmt.Errorf("%s would have %d entries, and may have %d", Path, n, MaxEntries)
	}
	text := bytes.Clone(data)
	if len(text) > 0 && !bytes.HasSuffix(text, []byte("\n")) {
		text = append(text, '\n')
	}
	var added strings.Builder
	for i, e := range more {
		if alone := Parse([]byte(e.text()), now); len(alone.checks) > 0 {
			return nil, errors.New(alone.checks[0].Reason)
		}
		if i > 0 || len(before.entries) > 0 {
			added.WriteByte('\n')
		}
		added.WriteString(e.text())
	}
	text = append(text, added.String()...)
	if after := Parse(text, now); !slices.EqualFunc(after.entries, slices.Concat(before.entries, more), Entry.same) {
		return nil, fmt.Errorf("%s is not a plain list that text can be added to; add this by hand:\n%s", Path, added.String())
	}
	return text, nil
}

// text is the entry as YAML, its keys in the order of the documentation.
func (e Entry) text() string {
	var b strings.Builder
	lead := "- "
	add := func(key, value string) {
		b.WriteString(lead + key + ": " + scalar(value) + "\n")
		lead = "  "
	}
	add("evidence", e.Evidence)
	add("field", e.Field)
	add("observed", e.Observed)
	add("reason", e.Reason)
	if !e.Until.IsZero() {
		b.WriteString("  until: " + e.Until.Format(time.DateOnly) + "\n")
	}
	if e.Permanent {
		b.WriteString("  permanent: true\n")
	}
	add("by", e.By)
	return b.String()
}

// scalar writes s so that YAML reads it back as the text s, on one line.
func scalar(s string) string {
	n := yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: s}
	if strings.ContainsAny(s, "\n\r") {
		n.Style = yaml.DoubleQuotedStyle
	}
	text, err := yaml.Marshal(&n)
	if err != nil {
		return fmt.Sprintf("%q", s)
	}
	line := strings.TrimRight(string(text), "\n")
	if strings.Contains(line, "\n") { // yaml.v3 folds long text
		return fmt.Sprintf("%q", s)
	}
	return line
}
