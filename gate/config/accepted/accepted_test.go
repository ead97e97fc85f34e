package accepted

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/replay-gate/replay-gate/verify"

	"github.com/replay-gate/replay-gate/gate/config"
)

// now is when the tests judge.
var now = time.Date(2026, 8, 1, 12, 0, 0, 0, time.UTC)

const (
	swiss = "docs/evals/swiss.replay.json"
	hash  = "sha256:5b41362bc82b7f3d56edc5a306db22105707d01ff4819e26faef9724a2d480a7"
)

// entry is a file of one entry, in which the given lines replace those of the same key.
func entry(lines ...string) string {
	text := map[string]string{
		"evidence": swiss, "field": "token.hash", "observed": hash, "reason": "the accent moved", "until": "2026-10-31", "by": "Ada",
	}
	var extra []string
	for _, l := range lines {
		key, value, _ := strings.Cut(l, ": ")
		if _, ok := text[key]; ok {
			text[key] = value
		} else {
			extra = append(extra, l)
		}
	}
	var b strings.Builder
	lead := "- "
	for _, key := range []string{"evidence", "field", "observed", "reason", "until", "by"} {
		if text[key] != "" {
			b.WriteString(lead + key + ": " + text[key] + "\n")
			lead = "  "
		}
	}
	for _, l := range extra {
		b.WriteString("  " + l + "\n")
	}
	return b.String()
}

// shown writes checks as "status code line:column reason".
func shown(checks []verify.Check) string {
	var lines []string
	for _, c := range checks {
		lines = append(lines, fmt.Sprintf("%s %s %d:%d %s", c.Status, c.Code, c.Location.Line, c.Location.Column, c.Reason))
	}
	return strings.Join(lines, "\n")
}

// Issue 5, Accepted drift: an entry accepts one observed value of one field, of
// the evidence that it names.
func TestMatch(t *testing.T) {
	for _, tt := range []struct {
		file, path, field, observed string
		want                        bool
	}{
		{entry(), swiss, "token.hash", hash, true},
		{entry(), swiss, "token.hash", strings.Replace(hash, "5b", "5c", 1), false},
		{entry(), swiss, "brief.hash", hash, false},
		{entry(), "docs/evals/other.replay.json", "token.hash", hash, false},
		{entry("observed: '*'"), swiss, "token.hash", "anything", true},
		{entry("observed: '*'"), swiss, "token.hash", "", true},
		{entry("evidence: docs/**"), swiss, "token.hash", hash, true},
		{entry("evidence: docs/*"), swiss, "token.hash", hash, false},
		{entry("evidence: '**/*.replay.json'"), swiss, "token.hash", hash, true},
		{entry("until: 2026-08-01"), swiss, "token.hash", hash, true}, // the last day counts
		{entry("until: 2026-07-31"), swiss, "token.hash", hash, false},
		{entry("until: ", "permanent: true"), swiss, "token.hash", hash, true},
		{entry("until: 2030-01-01", "permanent: true"), swiss, "token.hash", hash, true},
		{entry("until: 2026-07-31", "permanent: true"), swiss, "token.hash", hash, false},
		{entry("permanent: false"), swiss, "token.hash", hash, true},
		{entry("evidence: 'a\\[1\\].replay.json'"), "a[1].replay.json", "token.hash", hash, true},
		{entry("evidence: 'a[1].replay.json'"), "a1.replay.json", "token.hash", hash, true},
		{"", swiss, "token.hash", hash, false},
	} {
		l := Parse([]byte(tt.file), now)
		e, ok := l.Match(tt.path, tt.field, tt.observed)
		if ok != tt.want || ok && (e.Reason != "the accent moved" || e.By != "Ada" || e.Line != 1) {
			t.Errorf("%s\n%s %s %s: %v %+v %s", tt.file, tt.path, tt.field, tt.observed, ok, e, shown(l.checks))
		}
	}
	var none *List
	if _, ok := none.Match(swiss, "token.hash", hash); ok || none.Checks(nil, true) != nil || none.Entries() != nil {
		t.Error("no file accepts something")
	}
}

// An entry for exactly this value comes first, wherever it stands.
func TestMatchPrefersTheExactValue(t *testing.T) {
	l := Parse([]byte(entry("observed: '*'", "reason: all of it")+entry("reason: this one")), now)
	if e, ok := l.Match(swiss, "token.hash", hash); !ok || e.Reason != "this one" || e.Line != 7 {
		t.Errorf("%+v", e)
	}
	if e, ok := Parse([]byte(entry("observed: '*'", "reason: first")+entry("observed: '*'")), now).Match(swiss, "token.hash", hash); !ok || e.Reason != "first" {
		t.Errorf("of two for any value: %+v", e)
	}
}

// Issue 5, Accepted drift: an expired or unused entry is itself reported.
func TestChecks(t *testing.T) {
	other := "docs/evals/other.replay.json"
	for _, tt := range []struct {
		name, file string
		match      bool
		paths      []string
		all        bool
		want       string
	}{
		{"used", entry(), true, []string{swiss}, true, ""},
		{"unused", entry(), false, []string{swiss}, false, "warn entry-unused 1:0 the entry for token.hash of " + swiss + " accepts nothing that fails"},
		{"its evidence was not judged", entry(), false, []string{other}, false, ""},
		{"it has no evidence", entry(), false, []string{other}, true, "warn entry-unused 1:0 the entry for token.hash of " + swiss + " accepts nothing that fails"},
		{"a glob, unused", entry("evidence: docs/**"), false, []string{other}, false, "warn entry-unused 1:0 the entry for token.hash of docs/** accepts nothing that fails"},
		{"expired", entry("until: 2026-07-31"), true, nil, false, "warn entry-expired 1:0 the entry for token.hash of " + swiss + " expired on 2026-07-31 and accepts nothing any more"},
		{"no file", "", true, nil, true, ""},
	} {
		l := Parse([]byte(tt.file), now)
		if tt.match {
			l.Match(swiss, "token.hash", hash)
		}
		if got := shown(l.Checks(tt.paths, tt.all)); got != tt.want {
			t.Errorf("%s: %s", tt.name, got)
		}
	}
}

// Issue 5, Accepted drift: what can't be read accepts nothing and is reported with
// its place; the entries beside it stand.
func TestRefused(t *testing.T) {
	for _, tt := range []struct{ file, want string }{
		{"a: b", "FAIL entry-malformed 1:0 must be a list of entries"},
		{"- [", "FAIL entry-malformed 0:0 is not valid YAML: line 1: did not find expected node content"},
		{"- a\n---\n- b", "FAIL entry-malformed 0:0 must be one YAML document"},
		{strings.Repeat("#", MaxSize+1), "FAIL entry-malformed 0:0 is larger than 256 KiB"},
		{strings.Repeat("- a\n", MaxEntries+1), "FAIL entry-malformed 1:0 has more than 500 entries"},
		{"- text", "FAIL entry-malformed 1:3 an entry must be a mapping of evidence, field, observed, reason, until, permanent, by"},
		{entry("feild: x"), `FAIL entry-malformed 7:3 unknown key "feild"; did you mean "field"?`},
		{entry("evidence: " + swiss + "\n  field: a"), "FAIL entry-malformed 3:3 field stands twice"},
		{entry("reason: "), "FAIL entry-malformed 1:3 reason is missing"},
		{entry("reason: ' '"), "FAIL entry-malformed 4:11 reason must be text that is not blank"},
		{entry("reason: ~"), "FAIL entry-malformed 4:11 reason must be text that is not blank"},
		{entry("reason: [a]"), "FAIL entry-malformed 4:11 reason must be text that is not blank"},
		{entry("by: "), "FAIL entry-malformed 1:3 by is missing"},
		{entry("until: "), "FAIL entry-malformed 1:3 until is missing"},
		{entry("until: ", "permanent: false"), "FAIL entry-malformed 1:3 until is missing"},
		{entry("until: soon"), "FAIL entry-malformed 5:10 until must be a date such as 2026-10-31"},
		{entry("until: 2026-02-30"), "FAIL entry-malformed 5:10 until must be a date such as 2026-10-31"},
		{entry("permanent: yes please"), "FAIL entry-malformed 7:14 permanent must be true or false"},
		{entry("permanent: 'true'"), "FAIL entry-malformed 7:14 permanent must be true or false"},
		{entry("evidence: /etc/passwd"), "FAIL entry-malformed 1:13 evidence must be a path or a glob from the root of the repository"},
		{entry("evidence: ../x"), "FAIL entry-malformed 1:13 evidence must be a path or a glob from the root of the repository"},
		{entry("evidence: 'a[b'"), "FAIL entry-malformed 1:13 evidence must be a path or a glob from the root of the repository"},
		{entry("until: 2027-01-28"), ""},
		{entry("until: 2027-01-29"), "FAIL entry-too-far 5:10 until is more than 180 days away; an entry without an end says permanent: true"},
		{entry("observed: '*'", "evidence: '**'"), "FAIL entry-over-broad 1:13 a glob over everything must name the observed value; with * it would accept all drift of token.hash there will ever be"},
	} {
		l := Parse([]byte(tt.file), now)
		if got := shown(l.checks); got != tt.want {
			t.Errorf("%.120s\ngot  %s\nwant %s", tt.file, got, tt.want)
		}
		if _, ok := l.Match(swiss, "token.hash", hash); ok != (tt.want == "") {
			t.Errorf("%.120s: accepts: %v", tt.file, ok)
		}
	}
	l := Parse([]byte("- text\n"+entry()), now)
	if _, ok := l.Match(swiss, "token.hash", hash); !ok || len(l.checks) != 1 {
		t.Error("one bad entry takes the good one with it")
	}
}

// Issue 5, Accepted drift: over-broad is a glob over everything with *.
func TestOverBroad(t *testing.T) {
	for glob, want := range map[string]bool{
		"**": true, "**/*": true, "*": true, "*/*": true, "**/*.replay.json": true, "**/*.golden.json": true, "**/*.{jsonl,x}": true,
		"**/*.{golden.json,x}": true, "{**,docs}/*.replay.json": true, "[!a]*/**": true, "?*/**": true, "**/*.md": true,
		"docs/**": false, "docs/evals/*.replay.json": false, "**/evals/**": false, "**/2026-*.replay.json": false, swiss: false,
	} {
		if overBroad(glob) != want {
			t.Errorf("%s: %v", glob, !want)
		}
	}
}

// Issue 5, Accepted drift: an entry that a change adds is known as such, wherever
// it was put.
func TestSince(t *testing.T) {
	base := Parse([]byte(entry()), now)
	head := Parse([]byte("# a comment\n"+entry("field: brief.hash")+entry()+entry("until: 2026-11-01")), now)
	var got []string
	for _, e := range head.Since(base) {
		got = append(got, e.Field+" "+e.Until.Format(time.DateOnly))
	}
	if want := "brief.hash 2026-10-31, token.hash 2026-11-01"; strings.Join(got, ", ") != want {
		t.Errorf("%q", got)
	}
	if n := len(head.Since(nil)); n != 3 {
		t.Errorf("%d entries are new where there was no file", n)
	}
}

// accept keeps comments and order: text is only added.
func TestAppend(t *testing.T) {
	e := Entry{Evidence: config.Literal("docs/a[1].replay.json"), Field: "token.hash", Observed: Any, Reason: "it's: \"fine\" # for now", By: "Ada", Until: time.Date(2026, 9, 1, 0, 0, 0, 0, time.UTC)}
	for name, before := range map[string]string{
		"no file": "", "comment": "# reviewed like code\n", "entries": "# first\n" + entry() + "\n# last\n" + entry("field: brief.hash"),
		"no line feed": strings.TrimSuffix(entry(), "\n"), "indented": strings.ReplaceAll("\n"+entry(), "\n", "\n  ")[1:] + "\n", "null": "~\n",
	} {
		got, err := Append([]byte(before), now, e)
		if name == "indented" || name == "null" {
			if err == nil {
				t.Errorf("%s: %s", name, got)
			}
			continue
		}
		if err != nil || !strings.HasPrefix(string(got), before) {
			t.Errorf("%s: %v\n%s", name, err, got)
			continue
		}
		l := Parse(got, now)
		if found, ok := l.Match("docs/a[1].replay.json", "token.hash", "x"); !ok || !found.same(e) {
			t.Errorf("%s: %+v\n%s", name, found, got)
		}
	}
	for before, want := range map[string]string{"[]\n": "not a plain list", "- x\n": Path + ":1:3: an entry must be a mapping", "...\n": "is not valid YAML"} {
		if got, err := Append([]byte(before), now, e); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v %s", before, err, got)
		}
	}
	for _, bad := range []func(*Entry){
		func(e *Entry) { e.Reason = " " }, func(e *Entry) { e.Until = now.AddDate(1, 0, 0) }, func(e *Entry) { e.Evidence = "**" },
		func(e *Entry) { e.Reason = "a\xffb" }, func(e *Entry) { e.Field = "" },
	} {
		broken := e
		bad(&broken)
		if got, err := Append(nil, now, broken); err == nil {
			t.Errorf("%+v was added:\n%s", broken, got)
		}
	}
}

// FuzzParse reads any file: nothing panics, and what is refused accepts nothing.
func FuzzParse(f *testing.F) {
	for _, s := range []string{entry(), entry("observed: '*'"), "- &a {b: *a}", "- {<<: {}}", "- ? [a]\n  : b", "- {evidence: '[', field: a}", "\xff"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		l := Parse(data, now)
		for _, e := range l.Entries() {
			if e.Evidence == "" || e.Field == "" || e.Observed == "" || e.Reason == "" || e.By == "" || e.Until.IsZero() && !e.Permanent {
				t.Errorf("%+v", e)
			}
		}
		l.Match(swiss, "token.hash", hash)
		for _, c := range l.Checks([]string{swiss}, true) {
			if c.Code == "" || len(c.Reason) > verify.MaxValue || c.Location.Path != Path {
				t.Errorf("%+v", c)
			}
		}
	})
}

// FuzzAppend adds any text: it is read back as it was given, or refused.
func FuzzAppend(f *testing.F) {
	f.Add("a b", "*", "# reason: x")
	f.Add("- x", "{a", "'\"\n\u2028\x00")
	f.Add("true", "2026-01-01", strings.Repeat("long ", 100))
	f.Fuzz(func(t *testing.T, field, observed, reason string) {
		e := Entry{Evidence: swiss, Field: field, Observed: observed, Reason: reason, By: "Ada", Permanent: true}
		got, err := Append([]byte(entry()), now, e)
		if err != nil {
			return
		}
		if all := Parse(got, now).Entries(); len(all) != 2 || !all[1].same(e) {
			t.Errorf("%+v\n%s", all, got)
		}
	})
}
