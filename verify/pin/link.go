package pin

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/jsondoc"
)

// ownKey is the member of byproducts, and of annotations, that holds what the Link
// predicate has no field for.
const ownKey = "replayGate"

// clockSkew is how far ahead of ours the clock of a recording machine may be.
const clockSkew = 5 * time.Minute

// maxArgv bounds the recorded command that a result carries, in bytes.
const maxArgv = 64 << 10

// link judges a Link predicate (in-toto, Link): the command, and what it read.
func (j *checker) link(subjects []artifact) {
	predicate := j.root().Get("predicate")
	if !predicate.Is(jsondoc.Object) {
		j.giveUp("predicate", j.at(predicate), "wrong-type", wrongType(predicate, jsondoc.Object))
		return
	}
	if !slices.ContainsFunc(subjects, func(a artifact) bool { return a.path != "" }) && j.count(verify.Fail) == 0 {
		j.giveUp("subject", j.at(j.root().Get("subject")), "no-local-subject", "names no file of this tree: it vouches for nothing here")
		return
	}
	own := j.own(predicate)
	materials := predicate.Get("materials")
	if materials != nil && !materials.Is(jsondoc.Array) {
		j.rows.Fail("materials", j.at(materials), "wrong-type", wrongType(materials, jsondoc.Array))
	}
	inputs := j.artifacts(roleInput, "materials", materials)
	notes := j.artifacts(roleNote, "notes", j.list(own, "notes"))
	at := j.run(predicate, own)
	for i := range inputs {
		if j.ctx.Err() != nil {
			return
		}
		if inputs[i].path != "" {
			j.input(&inputs[i])
		} else {
			j.outside(&inputs[i])
		}
	}
	if len(materials.Items()) == 0 {
		j.rows.Warn("materials", j.at(cmpNode(materials, predicate)), "no-inputs", "names nothing that the result was made from")
	}
	for i := range notes {
		j.note(&notes[i])
	}
	j.merged(own, inputs, len(materials.Items()))
	j.newFiles(own)
	j.notPinned(own)
	j.r.Claims = claims(subjects, j.e, j.base, at)
}

// own is the part of the predicate that is this package's, nil if there is none.
func (j *checker) own(predicate *jsondoc.Node) *jsondoc.Node {
	own := predicate.Get("byproducts").Get(ownKey)
	if own != nil && !own.Is(jsondoc.Object) {
		j.rows.Fail("byproducts."+ownKey, j.at(own), "wrong-type", wrongType(own, jsondoc.Object))
		return nil
	}
	return own
}

// list is a member of own that must be a list; nil when it is missing.
func (j *checker) list(own *jsondoc.Node, name string) *jsondoc.Node {
	n := own.Get(name)
	if n != nil && !n.Is(jsondoc.Array) {
		j.rows.Fail(name, j.at(n), "wrong-type", wrongType(n, jsondoc.Array))
		return nil
	}
	return n
}

// run judges the command and when it began, and says what a pin can't know.
func (j *checker) run(predicate, own *jsondoc.Node) (at time.Time) {
	name := predicate.Get("name")
	if !name.Is(jsondoc.String) {
		j.rows.Warn("name", j.at(name), "missing", "the step has no name, which a Link must have")
	}
	j.r.Recording.Tool, j.r.Recording.ToolVersion, _ = strings.Cut(short(own.Get("tool").Text()), " ")
	command := predicate.Get("command")
	argv, ok := words(command)
	if command != nil && !ok {
		j.rows.Fail("command", j.at(command), "wrong-type", "must be a list of strings")
	}
	if len(j.inner.Raw(command)) <= maxArgv && len(argv) > 0 {
		j.r.Recording.Argv, j.r.Recording.Again = argv, j.refresh()
	}
	started := own.Get("startedOn")
	if started != nil {
		at = j.startedOn(started)
	}
	if len(argv) > 0 && started != nil {
		j.rows.OK("command", j.at(command), "").Recorded = short(strings.Join(argv, " "))
		j.rows.Info("run", j.at(command), "as-named", "the inputs are those that were named: whether the command read others is not recorded")
		return at
	}
	j.rows.Info("run", j.at(name), "made-without-run", "made without a run: that these inputs gave this result is somebody's word")
	return at
}

func (j *checker) startedOn(n *jsondoc.Node) time.Time {
	const field = "startedOn"
	at, err := time.Parse(time.RFC3339, n.Text())
	switch now := j.e.Now.Time(); {
	case !n.Is(jsondoc.String) || err != nil:
		j.rows.Fail(field, j.at(n), "malformed-time", "must be a time such as 2026-05-01T12:00:00Z (RFC 3339)")
		return time.Time{}
	case !now.IsZero() && at.After(now.Add(clockSkew)):
		j.rows.Fail(field, j.at(n), "in-the-future", "lies after the time of this check, "+now.UTC().Format(time.RFC3339))
		return time.Time{}
	}
	j.rows.OK(field, j.at(n), "")
	j.r.Recording.InvokedAt = short(n.Text())
	return at
}

// note judges what only informs: a lockfile, the name of a model.
func (j *checker) note(a *artifact) {
	switch {
	case a.value != "" || a.digest == nil:
		j.rows.Info(a.field(), j.at(a.node), "noted", "noted when it was pinned").Recorded = short(a.value)
	case a.path != "":
		j.input(a)
	default:
		j.rows.Info(a.field(), j.at(a.node), "not-local", "names no file of this tree")
	}
}

// merged holds the one line over all inputs against them. Two branches that each pin
// anew change it both, and conflict; a pin that a merge put together all the same is
// one of a run that nobody made.
func (j *checker) merged(own *jsondoc.Node, inputs []artifact, listed int) {
	const field = "inputs"
	if own == nil {
		return // another writer's
	}
	n := own.Get(field)
	if !n.Is(jsondoc.String) {
		j.rows.Fail(field, j.at(cmpNode(n, own)), "missing", "must be the hash over all inputs, and is "+n.Kind().String())
		return
	}
	if len(inputs) != listed {
		return // which failed already
	}
	if sum := inputsHash(inputs); sum != n.Text() {
		j.rows.Fail(field, j.at(n), "merged", "the inputs are not those that were pinned together: two pins were merged, or one was edited by hand").Observed = sum
		j.again(&j.rows.Checks[len(j.rows.Checks)-1], "run again with all of the changes and pin the result")
		return
	}
	what := strconv.Itoa(len(inputs)) + " inputs, pinned together"
	if len(inputs) == 1 {
		what = "1 input"
	}
	j.rows.OK(field, j.at(n), what)
}

// notPinned repeats what the pin itself says that it leaves open.
func (j *checker) notPinned(own *jsondoc.Node) {
	const field = "notPinned"
	n := j.list(own, field)
	if n == nil {
		return
	}
	list, ok := words(n)
	if !ok {
		j.rows.Fail(field, j.at(n), "wrong-type", "must be a list of strings")
		return
	}
	if len(list) > 0 {
		j.rows.Info(field, j.at(n), "not-pinned", "not pinned: "+strings.Join(list, "; "))
	}
}
