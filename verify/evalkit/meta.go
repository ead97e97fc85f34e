package evalkit

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/jsondoc"
)

// schemaVersion is the only one that any version of the tool has written.
const schemaVersion = "1.0.0"

// clockSkew is how far ahead of ours the clock of a recording machine may be.
const clockSkew = 5 * time.Minute

// metaKeys are the members of _meta, all strings (fixture store,
// FixtureMetaSchema).
var metaKeys = []string{"schemaVersion", "suiteId", "caseId", "configHash", "recordedAt", "frameworkVersion"}

// meta judges line 1, whose object is closed at both levels, and the fields of
// it that stand for themselves.
func (j *checker) meta() {
	l := j.line(1)
	if l == nil {
		return // the missing line has a check
	}
	whole := j.closed(l, l.root(), "line 1.", []string{"_meta"})
	meta := l.root().Get("_meta")
	switch {
	case meta == nil && (l.broken() || !l.root().Is(jsondoc.Object)):
		return
	case meta == nil:
		j.Fail("_meta", l.at(l.root()), "missing", "is missing"+noFixture)
		return
	case !meta.Is(jsondoc.Object):
		j.Fail("_meta", l.spot(meta), "wrong-type", mustBe("an object", meta)+noFixture)
		return
	}
	whole = j.closed(l, meta, "_meta.", metaKeys) && whole
	for _, key := range metaKeys {
		n := meta.Get(key)
		switch {
		case n == nil && l.broken():
		case n == nil:
			whole = false
			j.Fail("_meta."+key, l.at(meta), "missing", "is missing"+noFixture)
		case !n.Is(jsondoc.String):
			whole = false
			j.Fail("_meta."+key, l.spot(n), "wrong-type", mustBe("a string", n)+noFixture)
		}
	}
	if whole && !l.broken() {
		j.OK("_meta", l.at(meta), "")
	}

	if n := j.metaNode("schemaVersion"); n != nil {
		c := j.OK("_meta.schemaVersion", l.spot(n), "")
		if n.Text() != schemaVersion {
			c.Status, c.Code = verify.Fail, "unknown-version"
			c.Reason = fmt.Sprintf("unknown schemaVersion %s (the tool replays it unchecked)", quote(n.Text()))
		}
	}
	j.names()
}

// closed fails every member of object that is not among known, and reports
// whether there was none. The tool's schemas are strict at every level.
func (j *checker) closed(l *line, object *jsondoc.Node, prefix string, known []string) bool {
	unknown := 0
	var seen map[string]bool
	for _, m := range object.Members() {
		if slices.Contains(known, m.Name) || seen[m.Name] {
			continue
		}
		if seen == nil {
			seen = make(map[string]bool)
		}
		seen[m.Name] = true
		if unknown++; unknown > maxFindings {
			break
		}
		c := j.Fail(prefix+shown(m.Name, longest), l.atMember(m), "unknown-field",
			"unknown field: the tool refuses the whole fixture")

		c.Recorded = shown(m.Value.Text(), longest)
	}
	return unknown == 0
}

// metaNode is a member of _meta that is a string, else nil.
func (j *checker) metaNode(name string) *jsondoc.Node {
	n := j.line(1).root().Get("_meta").Get(name)
	if !n.Is(jsondoc.String) {
		return nil
	}
	return n
}

// names judges whether anything ever asks for this suite and this case.
func (j *checker) names() {
	l := j.line(1)
	if n := j.metaNode("suiteId"); n != nil {
		c := j.OK("_meta.suiteId", l.spot(n), "")
		switch {
		case n.Text() == "":
			c.Status, c.Code, c.Reason = verify.Fail, "empty", "must not be empty"
		case len(j.f.Suites) > 0 && j.f.suite(n.Text()) == nil:
			c.Status, c.Code = verify.Warn, "undeclared-suite"
			c.Reason = "suite " + quote(n.Text()) + " is not declared: the fixture is never replayed"
		case len(j.f.Suites) == 0 && j.config.lacksSuite(n.Text()):
			c.Status, c.Code = j.worse(), "unlisted-suite"
			c.Reason = "no suite " + quote(n.Text()) + " in " + j.config.base() + ": if it was renamed, its fixtures are to be recorded anew"
		}
	}
	if n := j.metaNode("caseId"); n != nil {
		c := j.OK("_meta.caseId", l.spot(n), "")
		cases, from, known := j.cases()
		switch {
		case n.Text() == "":
			c.Status, c.Code, c.Reason = verify.Fail, "empty", "must not be empty"
		case known && !slices.Contains(cases, n.Text()):
			c.Status, c.Code = verify.Warn, "unknown-case"
			c.Reason = "no such case in " + shown(path.Base(from), longest) + ": the fixture is never replayed"
		}
	}
}

// isoMillis is the form of Date.prototype.toISOString, which the writer uses.
var isoMillis = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$`)

func parseTime(s string) (time.Time, bool) {
	if !isoMillis.MatchString(s) {
		return time.Time{}, false
	}
	t, err := time.Parse(time.RFC3339Nano, s)
	return t, err == nil
}

// recordedAt judges the time of recording and the fixture's age. The tool
// compares with the age alone: a time it can't parse, or one to come, never
// goes stale there.
func (j *checker) recordedAt() {
	l, n := j.line(1), j.metaNode("recordedAt")
	if n == nil {
		return
	}
	c := j.OK("_meta.recordedAt", l.spot(n), "")
	at, ok := parseTime(n.Text())
	if !ok {
		c.Status, c.Code = verify.Fail, "malformed-time"
		c.Reason = "not a timestamp such as 2026-02-28T12:00:00.000Z: age unknown, the tool would never call it stale"
		return
	}
	now := j.e.Now.Time()
	if now.IsZero() {
		return
	}
	if at.After(now.Add(clockSkew)) {
		c.Status, c.Code, c.Reason = verify.Fail, "future", "in the future: never goes stale"
		return
	}
	ttl := j.ttlDays()
	const msPerDay = 24 * 60 * 60 * 1000
	age := max(float64(now.UnixMilli()-at.UnixMilli())/msPerDay, 0)
	c = j.OK("age", l.spot(n), "")
	c.Observed = fmt.Sprintf("%d days (TTL %d)", int64(age), ttl)
	if age > float64(ttl) {
		c.Status, c.Code = j.worse(), "stale"
		c.Reason = fmt.Sprintf("%d days old (TTL %d): re-record it", int64(age), ttl)
		j.rerecord(c)
	}
}

// rerecord gives a check the tool's own command as its next step ("Record & Replay": "#
// Re-record all fixtures", or agent-eval-kit record).
func (j *checker) rerecord(c *verify.Check) {
	j.record(c, j.metaText("suiteId"))
}

func (j *checker) record(c *verify.Check, suite string) {
	if suite == "" || holdsSecret(suite) || len(suite) > longest || strings.ContainsFunc(suite, unicode.IsControl) {
		c.Hint = "record the suite again"
		return
	}
	c.Hint = "record the suite again; agent-eval-kit run --update-fixtures does the same"
	c.Command = []string{"agent-eval-kit", "record", "--suite=" + suite}
}

// versionLike is what frameworkVersion looks like: it comes from a package.json.
var versionLike = regexp.MustCompile(`^\d+\.\d+\.\d+([-+][0-9A-Za-z.+-]+)?$`)

// frameworkVersion notes which version of the tool recorded the fixture. The
// tool replays whatever it says.
func (j *checker) frameworkVersion() {
	n := j.metaNode("frameworkVersion")
	if n == nil {
		return
	}
	const field = "_meta.frameworkVersion"
	if versionLike.MatchString(n.Text()) {
		j.OK(field, j.line(1).spot(n), "recorded with "+shown(n.Text(), longest))
		return
	}
	j.Info(field, j.line(1).spot(n), "not-a-version", "recorded with "+quote(n.Text())+", which is no version")
}
