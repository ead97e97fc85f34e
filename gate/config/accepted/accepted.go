// Package accepted reads .assay/accepted-drift.yml: drift that the people of a
// repository have looked at and live with, for a while.
//
// The file is reviewed like code. It is a list, and each entry accepts one value
// of one field:
//
//	# the token was renamed upstream; the report is re-run in October
//	- evidence: docs/evals/2026-04-22-swiss-n30.replay.json
//	  field: token.hash
//	  observed: sha256:5b41362bc82b7f3d56edc5a306db22105707d01ff4819e26faef9724a2d480a7
//	  reason: the accent moved to the new brand colour
//	  until: 2026-10-31
//	  by: Ada
//
// A gate asks for each FAIL whether an entry accepts it, and what is to be said
// about the file itself:
//
//	list := accepted.Parse(data, now)
//	if entry, ok := list.Match("docs/evals/x.replay.json", "token.hash", observed); ok {
//		// the FAIL becomes a warn, with entry.Reason
//	}
//	checks := list.Checks(paths, false)
//
// What it promises: an entry accepts what it names and nothing more. One that has
// expired, that is too broad, or that can't be read accepts nothing, and says so. The file is
// hostile as any other: its size and the number of its entries are bounded.
package accepted

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/replay-gate/replay-gate/gate/config"
	"github.com/replay-gate/replay-gate/verify"
)

// Path is where the file lies, from the root of the repository.
const Path = ".assay/accepted-drift.yml"

// MaxDays is how far away the end of an entry may be that is not permanent.
const MaxDays = 180

// Any is the observed value that stands for every value.
const Any = "*"

// Entry accepts one value of one field.
type Entry struct {
	Evidence string // a path, or a glob of paths
	Field    string // as checks spell it, such as "token.hash"
	Observed string // the value that is accepted, or [Any]
	Reason   string
	// Until is the last day (UTC) on which the entry is in force; zero for a
	// permanent entry without one.
	Until     time.Time
	Permanent bool
	By        string
	// Line is where the entry begins in the file, from 1.
	Line int
}

// same reports whether e and o accept the same thing for the same reason, wherever
// in the file they stand.
func (e Entry) same(o Entry) bool {
	e.Line = o.Line
	return e == o
}

// matches reports whether the entry is about the evidence at path.
func (e Entry) matches(path string) bool { return doublestar.MatchUnvalidated(e.Evidence, path) }

// expired reports whether the entry's last day is over.
func (e Entry) expired(now time.Time) bool {
	return !e.Until.IsZero() && !now.Before(e.Until.AddDate(0, 0, 1))
}

// List is the content of the file. It remembers which entries were used, and
// serves one goroutine at a time. A nil *List accepts nothing.
type List struct {
	entries []Entry // those that can be read and are not too broad
	used    []bool
	checks  []verify.Check
	now     time.Time
}

// Against holds the entries against the evidence that there is, by kind: one for any value
// whose glob matches all evidence of a kind, however it is spelt, names nothing that anybody
// chose. It is refused. Call it before any Match, and with all evidence.
func (l *List) Against(kinds map[string][]string) {
	if l == nil {
		return
	}
	l.entries = slices.DeleteFunc(l.entries, func(e Entry) bool {
		if e.Observed != Any || config.Literal(e.Evidence) == e.Evidence {
			return false
		}
		for _, paths := range kinds {
			if len(paths) > 1 && !slices.ContainsFunc(paths, func(p string) bool { return !e.matches(p) }) {
				l.checks = append(l.checks, check(verify.Fail, codeOverBroad, e.Line, overBroadReason(e.Field)))
				return true
			}
		}
		return false
	})
	l.used = make([]bool, len(l.entries))
}

const codeOverBroad = "entry-over-broad"

func overBroadReason(field string) string {
	return "a glob over everything must name the observed value; with * it would accept all drift of " + verify.Shorten(field, 128) + " there will ever be"
}

// Match returns the entry that accepts a FAIL of field in the evidence at path
// whose observed value is observed. An entry for exactly this value comes before
// one for [Any].
func (l *List) Match(path, field, observed string) (Entry, bool) {
	if l == nil {
		return Entry{}, false
	}
	found := -1
	for i, e := range l.entries {
		if e.Field != field || e.expired(l.now) || !e.matches(path) {
			continue
		}
		if e.Observed == observed && observed != "" {
			found = i
			break
		}
		if e.Observed == Any && found < 0 {
			found = i
		}
	}
	if found < 0 {
		return Entry{}, false
	}
	l.used[found] = true
	return l.entries[found], true
}

// Entries are the entries that can be read and are not too broad, in the order of
// the file; those that have expired are among them.
func (l *List) Entries() []Entry {
	if l == nil {
		return nil
	}
	return l.entries
}

// Since lists the entries that l has and base has not: those that a change adds.
func (l *List) Since(base *List) []Entry {
	var added []Entry
entries:
	for _, e := range l.Entries() {
		for _, o := range base.Entries() {
			if e.same(o) {
				continue entries
			}
		}
		added = append(added, e)
	}
	return added
}

// Checks says what is wrong with the file, in its order; nothing when all is well.
// Call it after every Match. paths are the evidence that was judged: an entry that
// is about one of them and was not used is reported. all says that there is no
// other evidence, so that an entry which is about none of it is reported too.
func (l *List) Checks(paths []string, all bool) []verify.Check {
	if l == nil {
		return nil
	}
	checks := l.checks
	for i, e := range l.entries {
		about := all
		for _, p := range paths {
			about = about || e.matches(p)
		}
		switch {
		case e.expired(l.now):
			checks = append(checks, check(verify.Warn, "entry-expired", e.Line, e.name()+" expired on "+e.Until.Format(time.DateOnly)+" and accepts nothing any more"))
		case about && !l.used[i]:
			checks = append(checks, check(verify.Warn, "entry-unused", e.Line, e.name()+" accepts nothing that fails"))
		}
	}
	return checks
}

// name is the entry for a sentence.
func (e Entry) name() string {
	return "the entry for " + verify.Shorten(e.Field, 128) + " of " + verify.Shorten(e.Evidence, 256)
}

// check is a finding about the file.
func check(status verify.Status, code string, line int, reason string) verify.Check {
	return verify.Check{
		Field: "accepted-drift", Status: status, Code: code, Reason: verify.Shorten(reason, verify.MaxValue),
		Location: verify.Location{Path: Path, Line: line},
	}
}

// alternatives matches "{a,b}" and keeps "a".
var alternatives = regexp.MustCompile(`\{([^,}]*)[^}]*\}`)

// overBroad reports whether a glob matches evidence by its ending alone, wherever
// it lies and whatever it is called: then it matches names that nobody has chosen.
func overBroad(glob string) bool {
	const nobody = "\U000F0000"
	ending := alternatives.ReplaceAllString(glob[strings.LastIndexAny(glob, "*?]")+1:], "$1")
	for _, folders := range []string{"", nobody + "/", nobody + "/" + nobody + "/"} {
		for _, e := range []string{"", ".replay.json", ".jsonl", ending} {
			if doublestar.MatchUnvalidated(glob, folders+nobody+e) {
				return true
			}
		}
	}
	return false
}
