package judge

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/replay-gate/replay-gate/verify"
)

// note is a toy kind: a JSON object that pins files by hash. It has all that a kind may have,
// so that each rule is tested once, for all kinds.
type note struct{}

// noteText is the text of a note. Every member may be missing.
type noteText struct {
	Run    string            `json:"run,omitempty"`    // what names the run
	About  string            `json:"about,omitempty"`  // the subject, or what it claims with At
	At     string            `json:"at,omitempty"`     // a date: it makes the note a claim
	Models []string          `json:"models,omitempty"` // claims of their own
	N      int               `json:"n,omitempty"`
	Pins   map[string]string `json:"pins,omitempty"` // path -> hash
	Traces []string          `json:"traces,omitempty"`
	Speed  int               `json:"speed,omitempty"` // of no matter
	See    string            `json:"see,omitempty"`   // another note, that it is held against
}

func (note) Kind() string       { return "note" }
func (note) Title() string      { return "Note" }
func (note) Patterns() []string { return []string{"**/*.note"} }
func (note) Marks(_ string, data []byte) bool {
	return strings.HasPrefix(strings.TrimSpace(string(data)), `{"run"`)
}

func (note) Verify(_ context.Context, e *verify.Evidence) verify.Result {
	data, err := e.Tree.ReadFile(e.Path, verify.MaxEvidence)
	if err != nil {
		return verify.Unreadable(e, "note", verify.Recording{}, err)
	}
	rows := verify.Rows{Path: e.Path}
	var n noteText
	if json.Unmarshal(data, &n) != nil {
		rows.Fail("note", verify.Spot{}, "not-json", "is no JSON")
		return verify.Result{Unchecked: "is no JSON", Checks: rows.Checks}
	}
	rows.OK("note", verify.Spot{}, "")
	r := verify.Result{Claims: n.claims()}
	report := strings.TrimSuffix(e.Path, ".note") + ".md"
	_, err = e.Tree.ReadFile(report, verify.MaxInput)
	r.Inputs = append(r.Inputs, verify.Input{Role: "report", Path: report, Subject: true, Missing: errors.Is(err, fs.ErrNotExist)})
	for _, pin := range slices.Sorted(keys(n.Pins)) {
		at := place(e.Tree, pin)
		in := verify.Input{Role: "pin", Path: at, Recorded: pin, Hash: n.Pins[pin], Field: pin + ".hash"}
		switch text, err := e.Tree.ReadFile(at, verify.MaxInput); {
		case errors.Is(err, fs.ErrNotExist):
			in.Missing = true
			rows.Fail(pin+".hash", verify.Spot{Text: n.Pins[pin]}, "input-missing", "is not there").Input = at
		case err != nil:
			rows.Fail(pin+".hash", verify.Spot{Text: n.Pins[pin]}, "unreadable", verify.ReadReason(err)).Input = at
		case sum(string(text)) != n.Pins[pin] && strings.HasPrefix(pin, "dim:"):
			rows.Info(pin+".hash", verify.Spot{Text: n.Pins[pin]}, "dim", "can't be told").Unproven = true
		case sum(string(text)) != n.Pins[pin]:
			row := rows.Fail(pin+".hash", verify.Spot{Text: n.Pins[pin]}, "hash-differs", "is another one")
			row.Observed, row.Input = sum(string(text)), at
		default:
			rows.OK(pin+".hash", verify.Spot{Text: n.Pins[pin]}, "").Input = at
		}
		r.Inputs = append(r.Inputs, in)
	}
	if n.See != "" {
		if !e.Tree.Exists(n.See) {
			rows.Info("see", verify.Spot{}, "alone", "there is nothing to hold it against")
		} else {
			rows.OK("see", verify.Spot{}, "")
		}
	}
	r.Checks = rows.Checks
	return r
}

// RecallFolder makes a note a kind of which the history is asked; tests answer for it.
func (note) RecallFolder(*verify.Evidence, verify.Check) func(*verify.Tree) bool { return nil }

// place is where a pin leads: to that path, or the first file of its name in the tree. A dim
// pin can't tell another file from the recorded one.
func place(t *verify.Tree, pin string) string {
	pin = strings.TrimPrefix(pin, "dim:")
	if name, ok := strings.CutPrefix(pin, "far:"); ok {
		if all := t.Named(path.Base(name)); len(all) > 0 {
			return all[0]
		}
		return name
	}
	return pin
}

func (n noteText) claims() []verify.Claim {
	at, err := time.Parse(time.DateOnly, n.At)
	if err != nil {
		return nil
	}
	var all []verify.Claim
	for _, m := range append([]string{}, n.Models...) {
		all = append(all, verify.Claim{About: n.About + " " + m, Topic: n.About, Name: m, At: at, Samples: n.N})
	}
	if all == nil {
		all = []verify.Claim{{About: n.About, Name: n.About, At: at, Samples: n.N}}
	}
	return all
}

func (note) Record(e *verify.Evidence) verify.Record {
	data, err := e.Tree.ReadFile(e.Path, verify.MaxEvidence)
	var n noteText
	if err != nil || json.Unmarshal(data, &n) != nil || n.Run == "" {
		return verify.Record{}
	}
	rec := verify.Record{Identity: n.Run, Traces: n.Traces, Unique: true, Values: []verify.Value{
		{Path: "run", Text: n.Run, Shown: n.Run, Weight: verify.Naming},
		{Path: "n", Text: fmt.Sprint(n.N), Shown: fmt.Sprint(n.N)},
		{Path: "speed", Text: fmt.Sprint(n.Speed), Shown: fmt.Sprint(n.Speed), Weight: verify.Noted},
	}}
	if n.At == "" {
		rec.Subject = n.About
	}
	for pin, hash := range n.Pins {
		rec.Values = append(rec.Values, verify.Value{Path: "pins." + pin, Text: hash, Shown: hash})
	}
	slices.SortFunc(rec.Values, func(a, b verify.Value) int { return cmp.Compare(a.Path, b.Path) })
	return rec
}

// CompareSubject: what a report says in figures is the run's.
func (note) CompareSubject(_ string, before, after []byte) []verify.Check {
	rows := verify.Rows{}
	figures := func(text []byte) string {
		return strings.Map(func(r rune) rune {
			if r < '0' || r > '9' {
				return -1
			}
			return r
		}, string(text))
	}
	if figures(before) != figures(after) {
		rows.Fail("report", verify.Spot{}, "report-edited", "a figure is another one")
	} else {
		rows.Warn("report", verify.Spot{}, "report-text", "its text is another one")
	}
	return rows.Checks
}

func sum(text string) string {
	h := sha256.Sum256([]byte(text))
	return hex.EncodeToString(h[:4])
}

func keys[M ~map[K]V, K comparable, V any](m M) func(func(K) bool) {
	return func(yield func(K) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// files are the text files of a tree.
type files map[string]string

func (f files) with(more files) files {
	all := make(files)
	for name, text := range f {
		all[name] = text
	}
	for name, text := range more {
		if text == gone {
			delete(all, name)
		} else {
			all[name] = text
		}
	}
	return all
}

const gone = "\x00gone"

func (f files) fs() fstest.MapFS {
	m := make(fstest.MapFS)
	for name, text := range f {
		m[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return m
}

func (n noteText) text() string {
	data, err := json.Marshal(n)
	if err != nil {
		panic(err)
	}
	if n.Run == "" {
		return `{"run":"",` + strings.TrimPrefix(string(data), "{")
	}
	return string(data)
}

// pinned pins files by their content in f.
func (f files) pinned(n noteText, names ...string) string {
	n.Pins = make(map[string]string)
	for _, name := range names {
		n.Pins[name] = sum(f[name])
	}
	return n.text()
}

// differs compares two trees of files by their content alone.
func differs(base, head files) func(verify.Read) string {
	changed := func(name string) bool {
		a, ok1 := base[name]
		b, ok2 := head[name]
		return ok1 != ok2 || a != b
	}
	return func(r verify.Read) string {
		for _, f := range []files{base, head} {
			for name := range f {
				_, was := base[name]
				_, is := head[name]
				switch {
				case r.Op == verify.OpFile && name == r.Name && changed(name),
					r.Op == verify.OpNamed && path.Base(name) == r.Name && was != is,
					r.Op == verify.OpUnder && (r.Name == "." || strings.HasPrefix(name, r.Name+"/")) && was != is:
					return name + " changed"
				}
			}
		}
		return ""
	}
}

// ask is the question of a change from some bases to head.
func ask(head files, bases ...files) Question {
	q := Question{
		Head: Side{Tree: verify.NewTree(head.fs())}, Kinds: []Kind{{Format: note{}, Globs: note{}.Patterns()}},
		Now:    time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC),
		Secret: func(s string) bool { return strings.Contains(s, "secret") },
	}
	for _, b := range bases {
		q.Bases = append(q.Bases, Base{Side: Side{Tree: q.Head.Tree.Sibling(b.fs())}, Differs: differs(b, head)})
	}
	return q
}

// told lists the rows that are not plainly ok: "status path field code attribution".
func told(j *Judgement) []string {
	var all []string
	for _, e := range j.Evidence {
		for _, r := range e.Rows {
			if r.Status != verify.OK || r.Attribution != "" {
				all = append(all, strings.Join(strings.Fields(fmt.Sprintf("%s %s %s %s %s", r.Status, e.Path, r.Field, r.Code, r.Attribution)), " "))
			}
		}
	}
	slices.Sort(all)
	return all
}

func expect(t *testing.T, j *Judgement, want ...string) {
	t.Helper()
	slices.Sort(want)
	if got := told(j); !slices.Equal(got, want) {
		t.Errorf("got:\n  %s\nwant:\n  %s", strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
}

func unmarshal(text string, into any) bool { return json.Unmarshal([]byte(text), into) == nil }
