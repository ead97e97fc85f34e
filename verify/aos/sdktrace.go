package aos

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/jsondoc"
)

// hashedFields are the members of a step that the root hash covers, sorted as
// the SDK hashes them (SDK trace, Step).
var hashedFields = []string{
	"idempotency_key", "input_hash", "outcome", "output_hash",
	"replay_behavior", "rng_state_before", "skill_id", "step_index",
}

// sdkTrace judges a trace that the SDK has saved, schema version 1.1.
func (j *checker) sdkTrace() {
	root := j.doc.Root
	if n := root.Get("seed"); isInteger(n) {
		j.r.Recording.Seed = shown(n)
	}
	j.r.Recording.ToolVersion, j.r.Recording.InvokedAt = shown(root.Get("version")), shown(root.Get("timestamp"))
	if !j.sdkVersion(root.Get("version")) {
		return
	}
	switch n := root.Get("finalized"); {
	case isTrue(n):
		j.OK("finalized", j.spot(n), "")
	case !j.behindBreak(n):
		j.Fail("finalized", j.spot(n), "not-finalized", "trace not finalized")
	}
	whole := j.sdkShape()
	j.sdkRootHash(whole)
	steps := root.Get("steps").Items()
	j.sdkOrder(steps)
	j.knownValues(steps, "outcome", "success", "failure", "skipped")
	j.knownValues(steps, "replay_behavior", "execute", "skip", "check")
	j.sdkHashForms(steps)
	j.sdkInputs(steps)
	j.sdkIdempotency(steps)
	original := j.original()
	if original != nil {
		j.sdkPair(original)
	}
	j.sdkDeterministic(steps, original)
}

// sdkVersion judges the schema version, which no hash covers. It reports
// whether the rest can be read by the rules of version 1.
func (j *checker) sdkVersion(n *jsondoc.Node) bool {
	const field = "version"
	major, minor, ok := cutVersion(n.Text())
	switch {
	case j.behindBreak(n):
	case n == nil:
		j.Warn(field, j.spot(n), "missing", "is missing; the SDK takes it for 1.1.0")
	case !isText(n) || !ok || major != 1:
		j.unsupported(field, n, "unknown version "+brief(n))
		return false
	case minor < 1:
		j.Warn(field, j.spot(n), "old-version", "1.0 hashes differently; judged by the rules of 1.1")
	default:
		j.OK(field, j.spot(n), "")
	}
	return true
}

// cutVersion reads the first two numbers of a version.
func cutVersion(s string) (major, minor int, ok bool) {
	first, rest, _ := strings.Cut(s, ".")
	second, _, _ := strings.Cut(rest, ".")
	major, err := strconv.Atoi(first)
	minor, err2 := strconv.Atoi(second)
	return major, minor, err == nil && (err2 == nil || rest == "")
}

// sdkShape fails what the SDK could not have written: members that are missing
// or of the wrong type. It reports whether the trace can be hashed.
func (j *checker) sdkShape() bool {
	before := len(j.Checks)
	root := j.doc.Root
	if n := root.Get("seed"); !isInteger(n) {
		j.wrong("seed", root, n, "an integer")
	}
	for _, name := range []string{"timestamp", "tenant_id"} {
		if n := root.Get(name); !isText(n) {
			j.wrong(name, root, n, "a string")
		}
	}
	for _, name := range []string{"plan", "steps"} {
		if n := root.Get(name); !n.Is(jsondoc.Array) {
			j.wrong(name, root, n, "a list")
		}
	}
	for i, step := range root.Get("steps").Items() {
		for _, name := range hashedFields {
			n := step.Get(name)
			switch {
			case name == "step_index" && !isInteger(n):
				j.wrong(at("steps", i, name), step, n, "an integer")
			case name == "idempotency_key" && isNone(n), name == "replay_behavior" && n == nil, name == "step_index":
			case !isText(n):
				j.wrong(at("steps", i, name), step, n, "a string")
			}
			if len(j.Checks)-before > maxRows {
				return false
			}
		}
	}
	return len(j.Checks) == before
}

// sdkRootHash recomputes the hash chain (SDK trace, root_hash).
func (j *checker) sdkRootHash(whole bool) {
	const field = "root_hash"
	n := j.doc.Root.Get(field)
	switch {
	case j.behindBreak(n):
		return
	case isNone(n):
		j.Fail(field, j.spot(n), "missing", "no root hash")
		return
	case !isText(n) || !isHex(n.Text(), 64):
		j.Fail(field, j.spot(n), "malformed-hash", "must be 64 lower-case hex digits")
		return
	case !whole || j.doc.Err != nil:
		j.Info(field, j.spot(n), "not-compared", "not recomputed: the trace is not whole")
		return
	}
	hash, foreign := rootHash(j.doc)
	switch {
	case n.Text() == hash:
		j.OK(field, j.spot(n), "recomputed from the steps").Observed = hash
	case foreign && n.Text() == rootHashJS(j.doc):
		j.OK(field, j.spot(n), "recomputed from the steps, as the JavaScript SDK writes them").Observed = shown(n)
	default:
		j.Fail(field, j.spot(n), "hash-differs", fmt.Sprintf("expected %s, recorded %s", hash, n.Text())).Observed = hash
	}
}

// sdkOrder judges that the steps are numbered as they stand.
func (j *checker) sdkOrder(steps []*jsondoc.Node) {
	r := j.rule("steps[].step_index")
	for i, step := range steps {
		if n := step.Get("step_index"); isInteger(n) && n.Text() != strconv.Itoa(i) {
			r.add(verify.Fail, at("steps", i, "step_index"), n, "index-gap", fmt.Sprintf("index gap at step %d", i)).Observed = strconv.Itoa(i)
		}
	}
	r.end("")
}

// knownValues judges a member of each step that has a closed list of values.
func (j *checker) knownValues(steps []*jsondoc.Node, name string, known ...string) {
	r := j.rule("steps[]." + name)
	for i, step := range steps {
		n := step.Get(name)
		if isText(n) && !contains(known, n.Text()) {
			r.add(verify.Fail, at("steps", i, name), n, "unknown-value", "unknown value "+brief(n))
		}
	}
	r.end("")
}

func contains(list []string, s string) bool {
	for _, v := range list {
		if v == s {
			return true
		}
	}
	return false
}

// sdkHashForms judges that hashes look as the SDK makes them.
func (j *checker) sdkHashForms(steps []*jsondoc.Node) {
	r := j.rule("steps[].*_hash")
	for i, step := range steps {
		for _, name := range []string{"input_hash", "output_hash", "rng_state_before"} {
			if n := step.Get(name); isText(n) && !isHex(n.Text(), 16) {
				r.add(verify.Warn, at("steps", i, name), n, "not-sdk-form", "not the SDK's form: 16 lower-case hex digits")
			}
		}
	}
	r.end("")
}

// sdkIdempotency judges the keys that keep a replay from repeating an effect.
func (j *checker) sdkIdempotency(steps []*jsondoc.Node) {
	r := j.rule("steps[].idempotency_key")
	tenant := j.doc.Root.Get("tenant_id").Text()
	for i, step := range steps {
		n := step.Get("idempotency_key")
		field := at("steps", i, "idempotency_key")
		switch {
		case step.Get("replay_behavior").Text() == "skip" && (isNone(n) || n.Text() == ""):
			r.add(verify.Warn, field, orParent(n, step), "missing", "a step that a replay skips needs one")
		case isText(n) && n.Text() != "" && tenant != "" && !strings.HasPrefix(n.Text(), tenant+":"):
			r.add(verify.Warn, field, n, "not-tenant-scoped", "not tenant-scoped: does not start with "+brief(j.doc.Root.Get("tenant_id"))+":")
		}
	}
	r.end("")
}
