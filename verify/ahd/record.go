package ahd

import (
	"path"
	"strconv"
	"strings"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/jsondoc"
)

// maxArgv bounds the recorded command that a result carries, in bytes. A longer
// one is checked all the same.
const maxArgv = 64 << 10

// recordingAt is what the place of a sidecar alone says about its run.
func recordingAt(sidecar string) verify.Recording {
	return verify.Recording{Name: strings.TrimSuffix(path.Base(ReportPath(sidecar)), reportEnding), Tool: "ahd"}
}

// record fills in what the sidecar says about its run. Members of the wrong
// type are left out; their checks say why.
func (j *checker) record() {
	root := j.doc.Root
	text := func(n *jsondoc.Node) string {
		if !isText(n) {
			return ""
		}
		return shown(n)
	}
	rec := &j.r.Recording
	rec.ToolVersion = text(root.Get("ahd_version"))
	rec.RunKind = text(root.Get("kind"))
	rec.InvokedAt = text(root.Get("invoked_at"))
	rec.Platform = text(root.Get("platform"))
	rec.Runtime = text(root.Get("node_version"))
	rec.Argv = j.command()
	if c := text(root.Get("ahd_commit")); commitID.MatchString(c) {
		rec.Commit, rec.CommitField = c, "ahd_commit"
	}
	if n := root.Get("git_dirty"); n.Is(jsondoc.Bool) {
		dirty := n.Text() == "true"
		rec.Dirty = &dirty
	}
	if n := root.Get("sampling").Get("seed"); n.Is(jsondoc.Number) {
		rec.Seed = shown(n)
		if v, ok := n.Int(); ok {
			rec.Seed = strconv.FormatInt(v, 10)
		}
	}
}

// command is the recorded argv, nil unless it is a list of strings that was
// read to its end and is of a sane length.
func (j *checker) command() []string {
	n := j.doc.Root.Get("argv")
	if !n.Is(jsondoc.Array) || !j.whole(n) || len(j.doc.Raw(n)) > maxArgv {
		return nil
	}
	words := make([]string, len(n.Items()))
	for i, item := range n.Items() {
		if !isText(item) {
			return nil
		}
		words[i] = strings.Clone(item.Text())
	}
	return words
}
