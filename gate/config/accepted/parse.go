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

// reader reads one entry. Each of its pieces says what is wrong with it, or nil.
type reader struct {
	Entry
	at  map[string]*yaml.Node // its members
	now time.Time
}

// entryOf reads one entry, or says what is wrong with it.
func entryOf(n *yaml.Node, now time.Time) (Entry, *verify.Check) {
	r := reader{Entry: Entry{Line: n.Line}, at: make(map[string]*yaml.Node), now: now}
	problem := r.members(n)
	for _, piece := range []func() *verify.Check{r.permanence, func() *verify.Check { return r.complete(n) }, r.place, r.end, r.breadth} {
		if problem != nil {
			return Entry{}, problem
		}
		problem = piece()
	}
	return r.Entry, problem
}

func refuse(at *yaml.Node, code, format string, args ...any) *verify.Check {
	c := check(verify.Fail, code, at.Line, fmt.Sprintf(format, args...))
	c.Location.Column = at.Column
	return &c
}

func malformed(at *yaml.Node, format string, args ...any) *verify.Check {
	return refuse(at, "entry-malformed", format, args...)
}

// members are known words, each once, with a text each.
func (r *reader) members(n *yaml.Node) *verify.Check {
	if n.Kind != yaml.MappingNode {
		return malformed(n, "an entry must be a mapping of %s", strings.Join(keys, ", "))
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		name := verify.Shorten(key.Value, 64)
		switch {
		case key.Kind != yaml.ScalarNode:
			return malformed(key, "a key must be a word")
		case !slices.Contains(keys, key.Value):
			return malformed(key, "%s", config.UnknownKey(name, key.Value, keys))
		case r.at[key.Value] != nil:
			return malformed(key, "%s stands twice", name)
		case value.Kind != yaml.ScalarNode || strings.TrimSpace(value.Value) == "" || value.Tag == "!!null":
			return malformed(value, "%s must be text that is not blank", name)
		}
		r.at[key.Value] = value
	}
	return nil
}

func (r *reader) permanence() *verify.Check {
	p := r.at["permanent"]
	if p == nil {
		return nil
	}
	r.Permanent = p.Value == "true"
	if p.Tag != "!!bool" || !r.Permanent && p.Value != "false" {
		return malformed(p, "permanent must be true or false")
	}
	return nil
}

// complete asks for every member; only an entry without an end needs no until.
func (r *reader) complete(n *yaml.Node) *verify.Check {
	for _, name := range keys {
		if r.at[name] == nil && name != "permanent" && (name != "until" || !r.Permanent) {
			return malformed(n, "%s is missing", name)
		}
	}
	r.Field, r.Observed, r.Reason, r.By = r.at["field"].Value, r.at["observed"].Value, r.at["reason"].Value, r.at["by"].Value
	return nil
}

func (r *reader) place() *verify.Check {
	p := r.at["evidence"]
	r.Evidence = p.Value
	if !doublestar.ValidatePattern(r.Evidence) || !fs.ValidPath(path.Clean(r.Evidence)) || path.Clean(r.Evidence) != r.Evidence {
		return malformed(p, "evidence must be a path or a glob from the root of the repository")
	}
	if why := config.BadGlob(r.Evidence); why != "" {
		return malformed(p, "evidence: the glob %s", why)
	}
	return nil
}

func (r *reader) end() *verify.Check {
	u := r.at["until"]
	if u == nil {
		return nil
	}
	day, err := time.Parse(time.DateOnly, u.Value)
	if err != nil {
		return malformed(u, "until must be a date such as 2026-10-31")
	}
	if r.Until = day; !r.Permanent && day.After(r.now.AddDate(0, 0, MaxDays)) {
		return refuse(u, "entry-too-far", "until is more than %d days away; an entry without an end says permanent: true", MaxDays)
	}
	return nil
}

func (r *reader) breadth() *verify.Check {
	if r.Observed == Any && overBroad(r.Evidence) {
		return refuse(r.at["evidence"], codeOverBroad, "%s", overBroadReason(r.Field))
	}
	return nil
}
