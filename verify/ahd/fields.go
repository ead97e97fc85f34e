package ahd

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/jsondoc"
)

// Kinds of run (AHD replay, Fields).
const (
	kindEvalLive  = "eval-live"
	kindCritique  = "critique"
	kindEvalImage = "eval-image"
)

// clockSkew is how far ahead of ours the clock of a recording machine may be.
const clockSkew = 5 * time.Minute

var (
	commitID = regexp.MustCompile(`^[0-9a-fA-F]{40}$`)
	isoTime  = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d([.,]\d{1,9})?(Z|[+-]\d\d:?\d\d)?$`)
)

// schemaVersion reports whether the fields mean what this package knows.
func (j *checker) schemaVersion() bool {
	const field = "schema_version"
	n := j.member(j.doc.Root, field, field, jsondoc.Number)
	if n == nil {
		return true
	}
	switch v := j.version(); {
	case v != math.Trunc(v) || v < 1:
		j.Fail(field, j.at(n), "not-an-integer", "must be an integer of at least 1")
	case v > schemaVersion:
		reason := fmt.Sprintf("schema_version %s is newer than this verifier knows (%d)", verify.Shorten(n.Text(), 32), schemaVersion)
		j.Fail(field, j.at(n), "unsupported-version", reason)
		j.r.Unchecked = reason
		return false
	default:
		j.OK(field, j.at(n), "")
	}
	return true
}

// run judges the fields that say which program ran when and where.
func (j *checker) run() {
	root := j.doc.Root
	if n := j.text(root, "kind", "kind"); n != nil {
		switch n.Text() {
		case kindEvalLive, kindCritique, kindEvalImage:
			j.OK("kind", j.at(n), "")
		default:
			j.Fail("kind", j.at(n), "unknown-kind", "must be eval-live, critique or eval-image")
		}
	}
	if n := j.text(root, "ahd_version", "ahd_version"); n != nil {
		j.OK("ahd_version", j.at(n), "")
	}
	j.commit()
	j.machine("node_version")
	j.machine("platform")
	j.invokedAt()
}

// commit judges ahd_commit and git_dirty, which are null together (AHD replay,
// Fields). Whether the commit exists is not for a pure function of the tree.
func (j *checker) commit() {
	commit := j.member(j.doc.Root, "ahd_commit", "ahd_commit", jsondoc.String, jsondoc.Null)
	switch {
	case commit == nil:
	case commit.Is(jsondoc.Null):
		j.OK("ahd_commit", j.at(commit), "the run was not in a git repository")
	case !commitID.MatchString(commit.Text()):
		j.Fail("ahd_commit", j.at(commit), "malformed-commit", "must be 40 hex digits or null")
	default:
		j.OK("ahd_commit", j.at(commit), "")
	}

	dirty := j.member(j.doc.Root, "git_dirty", "git_dirty", jsondoc.Bool, jsondoc.Null)
	switch {
	case dirty == nil:
	case commit != nil && dirty.Is(jsondoc.Null) && !commit.Is(jsondoc.Null):
		j.Fail("git_dirty", j.at(dirty), "inconsistent", "is null, but ahd_commit is not")
	case commit != nil && !dirty.Is(jsondoc.Null) && commit.Is(jsondoc.Null):
		j.Fail("git_dirty", j.at(dirty), "inconsistent", "must be null, as ahd_commit is")
	case dirty.Text() == "true":
		j.Info("git_dirty", j.at(dirty), "dirty", "the recorded commit is not the whole state")
	default:
		j.OK("git_dirty", j.at(dirty), "")
	}
}

// machine judges a fact about the recording machine, which only a backfilled
// sidecar may not know (AHD replay, Backfilled sidecars).
func (j *checker) machine(field string) {
	n := j.text(j.doc.Root, field, field)
	switch {
	case n == nil:
	case n.Text() == "unknown" && !j.isBackfilled() && !j.broken():
		j.Warn(field, j.at(n), "unknown-value", "only a backfilled sidecar may say unknown")
	default:
		j.OK(field, j.at(n), "")
	}
}

func (j *checker) invokedAt() {
	const field = "invoked_at"
	n := j.text(j.doc.Root, field, field)
	if n == nil {
		return
	}
	m := isoTime.FindStringSubmatch(n.Text())
	if m == nil {
		j.Fail(field, j.at(n), "malformed-time", "must be an ISO 8601 time in UTC, such as 2026-04-22T23:52:25.380Z")
		return
	}
	if zone := m[2]; zone != "Z" && zone != "+00:00" {
		j.Fail(field, j.at(n), "not-utc", "must be in UTC, ending in Z")
		return
	}
	at, err := time.Parse(time.RFC3339Nano, n.Text())
	switch now := j.e.Now.Time(); {
	case err != nil:
		j.Fail(field, j.at(n), "malformed-time", "is no time of the calendar")
	case now.IsZero() || !at.After(now.Add(clockSkew)):
		j.OK(field, j.at(n), "")
	default:
		j.Fail(field, j.at(n), "in-the-future", "lies in the future").Observed = now.UTC().Format(time.RFC3339)
	}
}

func (j *checker) sampling() {
	s := j.member(j.doc.Root, "sampling", "sampling", jsondoc.Object)
	if s == nil {
		return
	}
	if n := j.member(s, "n", "sampling.n", jsondoc.Number); n != nil {
		if v, _ := n.Float(); v >= 1 && v == math.Trunc(v) && !math.IsInf(v, 0) {
			j.OK("sampling.n", j.at(n), "")
		} else {
			j.Fail("sampling.n", j.at(n), "not-positive", "must be a positive integer")
		}
	}
	for _, name := range []string{"temperature", "seed"} {
		field := "sampling." + name
		n := j.member(s, name, field, jsondoc.Number, jsondoc.Null)
		if n == nil {
			continue
		}
		if v, _ := n.Float(); math.IsInf(v, 0) {
			j.Fail(field, j.at(n), "out-of-range", "is larger than a number can be")
		} else {
			j.OK(field, j.at(n), "")
		}
	}
}

// conditions judges which conditions ran: those that were asked for.
func (j *checker) conditions() {
	const field = "conditions"
	c := j.member(j.doc.Root, field, field, jsondoc.Object)
	if c == nil {
		return
	}
	requested, ok1 := j.texts(c, "requested", "conditions.requested")
	effective, ok2 := j.texts(c, "effective", "conditions.effective")
	if !ok1 || !ok2 {
		return
	}
	skipped := missingFrom(effective, requested)
	added := missingFrom(requested, effective)
	var row *verify.Check
	switch {
	case len(added) > 0:
		row = j.Warn(field, j.at(effective), "not-requested", "ran without being requested: "+list(added))
	case len(skipped) > 0:
		row = j.Warn(field, j.at(effective), "skipped", "skipped: "+list(skipped))
	default:
		row = j.OK(field, j.at(c), "")
	}
	row.Recorded = "requested: " + list(texts(requested)) + "; effective: " + list(texts(effective))
}

// missingFrom lists the texts of wanted that have does not hold.
func missingFrom(have, wanted *jsondoc.Node) []string {
	set := make(map[string]bool, len(have.Items()))
	for _, n := range have.Items() {
		set[n.Text()] = true
	}
	return slices.DeleteFunc(texts(wanted), func(s string) bool { return set[s] })
}

func texts(n *jsondoc.Node) []string {
	all := make([]string, len(n.Items()))
	for i, item := range n.Items() {
		all[i] = item.Text()
	}
	return all
}

// list joins names for a reason: the first few, and how many more there are.
func list(names []string) string {
	const most, longest = 8, 64
	if len(names) == 0 {
		return "none"
	}
	var b strings.Builder
	for i, s := range names[:min(len(names), most)] {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(verify.Shorten(s, longest))
	}
	if more := len(names) - most; more > 0 {
		fmt.Fprintf(&b, " and %d more", more)
	}
	return b.String()
}

func (j *checker) backfilled() {
	const field = "backfilled"
	if j.doc.Root.Get(field) == nil {
		return
	}
	switch n := j.member(j.doc.Root, field, field, jsondoc.Bool); {
	case n == nil:
	case n.Text() == "true":
		if stored := j.storedAllTheSame(); len(stored) > 0 {
			j.Warn(field, j.at(n), "stored-all-the-same", "says that it was reconstructed after the run, and has what was not stored then: "+list(stored))
			return
		}
		j.Info(field, j.at(n), "backfilled", "reconstructed after the run: the command, the request ids, the machine, temperature and seed were not stored")
	default:
		j.OK(field, j.at(n), "")
	}
}

// storedAllTheSame lists the fields that a backfilled sidecar can't know, and has (AHD
// replay, Backfilled sidecars: "What backfilled blocks lack").
func (j *checker) storedAllTheSame() []string {
	root := j.doc.Root
	var all []string
	has := func(field string, is bool) {
		if is {
			all = append(all, field)
		}
	}
	has("argv", len(root.Get("argv").Items()) > 0)
	for _, m := range root.Get("models").Items() {
		if len(m.Get(requestIDs).Items()) > 0 {
			has(requestIDs, true)
			break
		}
	}
	for _, field := range []string{"node_version", "platform"} {
		n := root.Get(field)
		has(field, isText(n) && n.Text() != "" && n.Text() != Unknown)
	}
	for _, field := range []string{"temperature", "seed"} {
		has("sampling."+field, root.Get("sampling").Get(field).Is(jsondoc.Number))
	}
	return all
}
