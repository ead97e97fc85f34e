package ahd

import (
	"errors"
	"io/fs"
	"path"
	"regexp"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/jsondoc"
)

var wellFormedHash = regexp.MustCompile(`^sha256:[a-f0-9]{64}$`)

// token judges the style token. It is a structured input: what counts is its
// parsed value (AHD replay, Hash contract).
func (j *checker) token() {
	const role = "token"
	token := j.member(j.doc.Root, role, role, jsondoc.Object)
	if token == nil {
		return
	}
	name, recorded := j.input(role, token, verify.HashCanonical)
	if recorded == nil {
		return
	}
	h, ok := j.comparable(role, name, recorded)
	if !ok {
		return
	}
	var row *verify.Check
	switch {
	case h.code != "":
		row = j.Fail("token.hash", j.at(recorded), h.code, h.reason)
	case h.canonical == recorded.Text():
		row = j.OK("token.hash", j.at(recorded), "parsed value matches")
	default:
		row = j.Fail("token.hash", j.at(recorded), "hash-differs", "its parsed value is not the one that was recorded")
	}
	row.Observed, row.Input = h.canonical, name
}

// brief judges the brief, which a critique does not have. The bytes are
// compared first, the parsed value second (AHD replay, Raw-bytes inputs).
func (j *checker) brief() {
	const role = "brief"
	brief := j.member(j.doc.Root, role, role, jsondoc.Object, jsondoc.Null)
	if brief == nil {
		return
	}
	if brief.Is(jsondoc.Null) {
		if kind := j.doc.Root.Get("kind"); isText(kind) && kind.Text() != kindCritique {
			j.Warn(role, j.at(brief), "brief-missing", "only a critique has no brief")
		} else {
			j.OK(role, j.at(brief), "")
		}
		return
	}
	if j.doc.Root.Get("kind").Text() == kindCritique {
		j.Warn(role, j.at(brief), "brief-unexpected", "a critique has no brief")
	}
	name, recorded := j.input(role, brief, verify.HashEither)
	if recorded == nil {
		return
	}
	h, ok := j.comparable(role, name, recorded)
	if !ok {
		return
	}
	var row *verify.Check
	switch structured := isStructured(name); {
	case h.raw == recorded.Text():
		row = j.OK("brief.hash", j.at(recorded), "raw bytes match")
		row.Observed = h.raw
	case h.canonical == recorded.Text():
		row = j.OK("brief.hash", j.at(recorded), "parsed value matches")
		row.Observed = h.canonical
	case structured && h.code == "cannot-judge":
		row = j.Fail("brief.hash", j.at(recorded), h.code, "its raw bytes differ; "+h.reason)
	case structured && h.code == "":
		row = j.Fail("brief.hash", j.at(recorded), "hash-differs", "neither its raw bytes nor its parsed value are the recorded ones; raw bytes: "+h.raw)
		row.Observed = h.canonical
	default:
		row = j.Fail("brief.hash", j.at(recorded), "hash-differs", "its raw bytes are not the ones that were recorded")
		row.Observed = h.raw
	}
	row.Input = name
}

// isStructured says which of a drifted brief's two hashes a reader needs.
func isStructured(name string) bool {
	switch path.Ext(name) {
	case ".yml", ".yaml", ".json":
		return true
	}
	return false
}

// input judges the path of an input and the form of its hash, and lists it
// among the result's inputs. It returns the input's path, empty when there is
// no file to compare with, and the recorded hash, nil when there is none.
func (j *checker) input(role string, object *jsondoc.Node, of verify.Hashes) (name string, recorded *jsondoc.Node) {
	in := verify.Input{Role: role, Place: verify.PlaceInputs}
	pathNode := j.member(object, "path", role+".path", jsondoc.String)
	row := len(j.Checks) // that of the path
	if pathNode != nil {
		in.Recorded = shown(pathNode)
		name = j.inputPath(role+".path", pathNode, &in)
	}
	recorded = j.member(object, "hash", role+".hash", jsondoc.String)
	if recorded != nil && !wellFormedHash.MatchString(recorded.Text()) {
		j.Fail(role+".hash", j.at(recorded), "malformed-hash", "must be sha256: and 64 lower-case hex digits").Input = name
		recorded = nil
	}
	if pathNode == nil {
		if j.broken() {
			recorded = nil // the path may have stood behind the break
		}
		return "", recorded
	}
	if recorded != nil {
		in.Hash, in.Field, in.Hashes = shown(recorded), role+".hash", of
	}
	if in.Missing && recorded != nil && !j.e.NoHints {
		if to := movedTo(j.e.Tree.Aside(), role, in.Hash, pathNode.Text()); to != "" {
			j.Checks[row].Hint = "moved to " + verify.Shorten(to, verify.MaxValue/2)
		}
	}
	j.r.Inputs = append(j.r.Inputs, in)
	return name, recorded
}

// inputPath judges a recorded path and completes in. It returns the path of
// the file that it leads to, empty if there is none that can be read.
func (j *checker) inputPath(field string, n *jsondoc.Node, in *verify.Input) string {
	p := j.locate(n.Text())
	if p.path == "" {
		in.Missing = true
		j.Fail(field, j.at(n), p.code, p.reason)
		// What makes the path ambiguous is part of the verdict.
		for _, c := range p.candidates {
			j.r.Inputs = append(j.r.Inputs, verify.Input{Role: in.Role, Path: c, Place: verify.PlaceInputs})
		}
		return ""
	}
	in.Path, in.Rival = p.path, p.rival
	name := p.path
	var row *verify.Check
	switch err := hashesOf(j.e.Tree, p.path).err; {
	case errors.Is(err, fs.ErrNotExist):
		in.Missing, name = true, ""
		row = j.Fail(field, j.at(n), "input-missing", "the file does not exist")
	case err != nil:
		name = ""
		row = j.Fail(field, j.at(n), "unreadable", verify.ReadReason(err))
	case p.relocated:
		row = j.Add(verify.OK, field, j.at(n), "relocated", "relocated from "+n.Text())
	default:
		row = j.OK(field, j.at(n), "")
	}
	row.Observed, row.Input = verify.Shorten(p.path, verify.MaxValue), p.path
	return name
}

// comparable gives the hashes of the file at name. Without a file it fails the
// hash, which nothing confirms.
func (j *checker) comparable(role, name string, recorded *jsondoc.Node) (hashes, bool) {
	if name == "" {
		j.Fail(role+".hash", j.at(recorded), "not-compared", "no file at "+role+".path to compare with")
		return hashes{}, false
	}
	return hashesOf(j.e.Tree, name), true
}
