package pin

import (
	"context"
	"fmt"
	"strings"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/jsondoc"
)

// The types of what this package knows (in-toto, Statement; Link; SLSA Provenance v1).
const (
	statementType = "https://in-toto.io/Statement/v1"
	linkFamily    = "https://in-toto.io/attestation/link/"
	linkType      = linkFamily + "v0.3"
	slsaType      = "https://slsa.dev/provenance/v1"
)

// maxArtifacts bounds what one statement names: each is one row or two.
const maxArtifacts = 2000

// checker collects the checks of one statement.
type checker struct {
	*statement
	ctx  context.Context
	rows verify.Rows
	r    verify.Result
	// held counts the files that were compared, whatever came of it.
	held int
	// named counts the descriptors that were read.
	named int
	// base is the folder that names count from, if it is not the root: see [BaseOf].
	base string
	// known are the files that the statement names, by where they lie.
	known map[string]bool
}

func (j *checker) judge() {
	if !j.document() || !j.statementType() {
		return
	}
	j.known = map[string]bool{j.e.Path: true}
	j.signature()
	if first := j.root().Get("subject").Items(); len(first) > 0 {
		name := first[0].Get("name")
		if j.base = BaseOf(j.e.Path, name.Text()); j.base != "" {
			j.rows.Info("root", j.at(name), "relocated", "names count from the folder "+j.base+", in which the pin lies as it did").Observed = short(j.base)
		}
	}
	subjects := j.subjects()
	j.beside()
	switch kind := j.root().Get("predicateType"); kind.Text() {
	case linkType:
		j.rows.OK("predicateType", j.at(kind), "")
		j.link(subjects)
	default:
		j.foreign(kind)
	}
	if j.held == 0 && j.count(verify.Fail) == 0 {
		j.giveUp("evidence", verify.Spot{}, "nothing-checked", "nothing in it names a file of this tree")
	}
}

// BaseOf is the folder that a pin's names count from: the root, for which it is empty, or
// the folder that all of the project was moved to, or copied. There the pin lies beside
// its first subject as it did.
func BaseOf(pin, subject string) string {
	base, ok := strings.CutSuffix(pin, "/"+PathFor(subject))
	if !ok || subject == "" {
		return ""
	}
	return base
}

// statementType judges _type: another version may mean something else.
func (j *checker) statementType() bool {
	const field = "_type"
	switch n := j.root().Get(field); {
	case n.Text() == statementType:
		j.rows.OK(field, j.at(n), "")
		return true
	case n == nil:
		return j.giveUp(field, j.at(j.root()), "missing", "is missing: this is no statement")
	case n.Is(jsondoc.String):
		reason := "must be " + statementType
		j.giveUp(field, j.at(n), "unsupported-version", reason)
		j.rows.Checks[len(j.rows.Checks)-1].Recorded = verify.Shorten(n.Text(), verify.MaxValue)
		return false
	default:
		return j.giveUp(field, j.at(n), "wrong-type", wrongType(n, jsondoc.String))
	}
}

// signature says that nobody looked at an envelope's signatures, and how to.
func (j *checker) signature() {
	if j.envelope == nil {
		return
	}
	n := j.envelope.Get("signatures")
	reason := fmt.Sprintf("%d signatures, none of which is verified here", len(n.Items()))
	if len(n.Items()) == 1 {
		reason = "the signature is not verified here"
	}
	row := j.rows.Info("signature", j.doc.Spot(n), "not-verified", reason)
	row.Hint = "verify it with cosign and the key that you trust"
	subject := j.root().Get("subject").Items()
	if len(subject) == 0 || pathOf(subject[0].Get("name").Text()) == "" {
		return
	}
	row.Command = []string{"cosign", "verify-blob-attestation", "--key", "cosign.pub", "--type", short(j.root().Get("predicateType").Text()),
		"--signature", short(j.e.Path), short(subject[0].Get("name").Text())}
}

func short(s string) string { return verify.Shorten(s, verify.MaxValue) }

// subjects judges what the statement vouches for.
func (j *checker) subjects() []artifact {
	const field = "subject"
	n := j.root().Get(field)
	switch {
	case n == nil:
		j.rows.Fail(field, j.at(j.root()), "no-subject", "is missing: the statement vouches for nothing")
	case !n.Is(jsondoc.Array):
		j.rows.Fail(field, j.at(n), "wrong-type", wrongType(n, jsondoc.Array))
	case len(n.Items()) == 0:
		j.rows.Fail(field, j.at(n), "no-subject", "is empty: the statement vouches for nothing")
	}
	list := j.artifacts(roleSubject, field, n)
	for i := range list {
		if j.ctx.Err() != nil {
			break
		}
		j.subject(&list[i])
	}
	return list
}

// beside warns where the statement lies beside a file that it does not vouch for, as its
// name says that it does.
func (j *checker) beside() {
	name, ok := strings.CutSuffix(j.e.Path, Ending)
	if !ok || j.known[name] || !j.e.Tree.Exists(name) || j.count(verify.Fail) > 0 {
		return
	}
	n := j.root().Get("subject")
	row := j.rows.Warn("subject", j.at(n), "not-named", "lies beside "+short(name)+", and does not vouch for it")
	row.Input = name
}

// subject judges one result: its bytes are those that were pinned.
func (j *checker) subject(a *artifact) {
	if a.path == "" {
		j.outside(a)
		return
	}
	f, ok := j.find(a)
	if !ok {
		return
	}
	if form, same := f.holds(a); same {
		j.confirm(a, f, form)
		return
	}
	row := j.rows.Fail(a.field(), j.at(a.digest), "edited", "is not the result that was pinned")
	row.Recorded, row.Observed, row.Input = a.recorded(), f.observed(a), f.path
	j.again(row, "undo the edit, or pin the result of a new run")
}

// again says what to do about a row, and the command that runs anew what the pin records,
// and pins it. A statement by another tool is that tool's to make.
func (j *checker) again(row *verify.Check, hint string) {
	if row.Hint, row.Command = hint, j.refresh(); row.Command == nil {
		row.Hint = "undo the edit, or have the statement made anew by what wrote it"
	}
}

// refresh is the command that makes the pin anew; none for a statement by another tool.
func (j *checker) refresh() []string {
	predicate := j.root().Get("predicate")
	subject, ok := strings.CutSuffix(j.e.Path, Ending)
	if !ok || j.envelope != nil || predicate.Get("byproducts").Get(ownKey) == nil {
		return nil
	}
	argv := []string{"replay-gate", "pin", "--refresh"}
	if len(predicate.Get("command").Items()) > 0 {
		argv = append(argv, "--run")
	}
	return append(argv, short(subject))
}

// count is how many rows have the status.
func (j *checker) count(s verify.Status) int {
	n := 0
	for _, c := range j.rows.Checks {
		if c.Status == s {
			n++
		}
	}
	return n
}
