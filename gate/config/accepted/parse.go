package accepted

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/bmatcuk/doublestar/v4"
	"gopkg.in/yaml.v3"

	"github.com/replay-gate/replay-gate/gate/config"
	"github.com/replay-gate/replay-gate/verify"
)

// Limits on the file.
const (
	// MaxSize bounds the file, in bytes.
	MaxSize = 256 << 10
	// MaxEntries bounds its entries.
	MaxEntries = 500
)

// keys are the members of an entry.
var keys = []string{"evidence", "field", "observed", "reason", "until", "permanent", "by"}

// Parse reads the file's content, judged at now. It never fails: what can't be
// read is a FAIL among [List.Checks].
func Parse(data []byte, now time.Time) *List {
	l := &List{now: now}
	for _, n := range l.nodes(data) {
		e, problem := entryOf(n, now)
		if problem != nil {
			l.checks = append(l.checks, *problem)
			continue
		}
		l.entries = append(l.entries, e)
	}
	l.used = make([]bool, len(l.entries))
	return l
}

// nodes are the elements of the file's list.
func (l *List) nodes(data []byte) []*yaml.Node {
	refuse := func(line int, reason string) []*yaml.Node {
		l.checks = append(l.checks, check(verify.Fail, "entry-malformed", line, reason))
		return nil
	}
	if len(data) > MaxSize {
		return refuse(0, fmt.Sprintf("is larger than %d KiB", MaxSize>>10))
	}
	var doc yaml.Node
	dec := yaml.NewDecoder(bytes.NewReader(data))
	if err := dec.Decode(&doc); errors.Is(err, io.EOF) {
		return nil
	} else if err != nil {
		return refuse(0, "is not valid YAML: "+strings.TrimPrefix(err.Error(), "yaml: "))
	}
	if err := dec.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return refuse(0, "must be one YAML document")
	}
	root := doc.Content[0]
	switch {
	case root.Tag == "!!null":
		return nil
	case root.Kind != yaml.SequenceNode:
		return refuse(root.Line, "must be a list of entries")
	case len(root.Content) > MaxEntries:
		return refuse(root.Line, fmt.Sprintf("has more than %d entries", MaxEntries))
	}
	return root.Content
}

// entryOf reads one entry, or says what is wrong with it.
func entryOf(n *yaml.Node, now time.Time) (Entry, *verify.Check) {
	e := Entry{Line: n.Line}
	refuse := func(at *yaml.Node, code, format string, args ...any) (Entry, *verify.Check) {
		c := check(verify.Fail, code, at.Line, fmt.Sprintf(format, args...))
		c.Location.Column = at.Column
		return Entry{}, &c
	}
	if n.Kind != yaml.MappingNode {
		return refuse(n, "entry-malformed", "an entry must be a mapping of %s", strings.Join(keys, ", "))
	}
	at := make(map[string]*yaml.Node)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		name := verify.Shorten(key.Value, 64)
		switch {
		case key.Kind != yaml.ScalarNode:
			return refuse(key, "entry-malformed", "a key must be a word")
		case !slices.Contains(keys, key.Value):
			return refuse(key, "entry-malformed", "%s", config.UnknownKey(name, key.Value, keys))
		case at[key.Value] != nil:
			return refuse(key, "entry-malformed", "%s stands twice", name)
		case value.Kind != yaml.ScalarNode || strings.TrimSpace(value.Value) == "" || value.Tag == "!!null":
			return refuse(value, "entry-malformed", "%s must be text that is not blank", name)
		}
		at[key.Value] = value
	}
	if p := at["permanent"]; p != nil {
		if e.Permanent = p.Value == "true"; p.Tag != "!!bool" || !e.Permanent && p.Value != "false" {
			return refuse(p, "entry-malformed", "permanent must be true or false")
		}
	}
	for _, name := range keys {
		if at[name] == nil && name != "permanent" && (name != "until" || !e.Permanent) {
			return refuse(n, "entry-malformed", "%s is missing", name)
		}
	}
	e.Evidence, e.Field, e.Observed = at["evidence"].Value, at["field"].Value, at["observed"].Value
	e.Reason, e.By = at["reason"].Value, at["by"].Value
	if p := at["evidence"]; !doublestar.ValidatePattern(e.Evidence) || !fs.ValidPath(path.Clean(e.Evidence)) || path.Clean(e.Evidence) != e.Evidence {
		return refuse(p, "entry-malformed", "evidence must be a path or a glob from the root of the repository")
	}
	if why := config.BadGlob(e.Evidence); why != "" {
		return refuse(at["evidence"], "entry-malformed", "evidence: the glob %s", why)
	}
	if u := at["until"]; u != nil {
		day, err := time.Parse(time.DateOnly, u.Value)
		if err != nil {
			return refuse(u, "entry-malformed", "until must be a date such as 2026-10-31")
		}
		if e.Until = day; !e.Permanent && day.After(now.AddDate(0, 0, MaxDays)) {
			return refuse(u, "entry-too-far", "until is more than %d days away; an entry without an end says permanent: true", MaxDays)
		}
	}
	if e.Observed == Any && overBroad(e.Evidence) {
		return refuse(at["evidence"], codeOverBroad, "%s", overBroadReason(e.Field))
	}
	return e, nil
}
