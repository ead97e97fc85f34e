package pin

import (
	"errors"
	"io/fs"
	"path"

	"github.com/replay-gate/replay-gate/verify"
)

// locate is the file that a name leads to; moved says that it is not where it was, seen
// from where names count.
func (j *checker) locate(a *artifact) (f file, moved bool) {
	f = fileAt(j.e.Tree, path.Join(j.base, a.path))
	if !errors.Is(f.err, fs.ErrNotExist) {
		return f, false
	}
	var others []string
	if j.base != "" { // the pin was moved, and not what it names
		others = append(others, a.path)
	}
	if a.role == roleSubject { // a result that moved together with its pin
		others = append(others, path.Join(path.Dir(j.e.Path), path.Base(a.path)))
	}
	for _, other := range others {
		if other == f.path || other == j.e.Path {
			continue
		}
		if there := fileAt(j.e.Tree, other); there.err == nil {
			return there, true
		}
	}
	return f, false
}

// find looks for the file of an artifact, and lists it among the inputs. Without a file
// that can be read it fails the artifact, or informs of a note.
func (j *checker) find(a *artifact) (file, bool) {
	f, moved := j.locate(a)
	j.known[f.path] = true
	in := a.input(f.path)
	in.Missing = errors.Is(f.err, fs.ErrNotExist)
	j.r.Inputs = append(j.r.Inputs, in)
	if f.err == nil {
		j.held++
		if moved {
			row := j.rows.Info(a.field()+".name", j.at(a.node), "relocated", "lies somewhere else now")
			row.Observed, row.Input = short(f.path), f.path
		}
		return f, true
	}
	status, code, reason := verify.Fail, "unreadable", verify.ReadReason(f.err)
	if in.Missing {
		code, reason = a.role+"-missing", "the file does not exist"
	}
	if a.role == roleNote {
		status = verify.Info
	}
	row := j.rows.Add(status, a.field(), j.at(a.node), code, reason)
	row.Recorded, row.Input = a.recorded(), f.path
	if in.Missing && !j.e.NoHints {
		j.hint(row, a)
	}
	return f, false
}

// confirm says that a file holds; form is the form in which it does, if not as it is.
func (j *checker) confirm(a *artifact, f file, form string) {
	row := j.rows.OK(a.field(), j.at(a.digest), "its bytes are the ones that were pinned")
	row.Recorded, row.Observed, row.Input = a.recorded(), f.observed(a), f.path
	if form != "" {
		row.Code, row.Reason = form, "the same content in another form"
		info := j.rows.Info(a.field()+".bytes", j.at(a.digest), form, formReason[form])
		info.Recorded, info.Observed, info.Input = a.recorded(), f.observed(a), f.path
	}
}

// input judges one thing that the run read: its bytes, or else its parsed value.
func (j *checker) input(a *artifact) {
	f, ok := j.find(a)
	if !ok {
		return
	}
	if form, same := f.holds(a); same {
		j.confirm(a, f, form)
		return
	}
	status, verb := verify.Fail, "pinned"
	if a.role == roleNote {
		status, verb = verify.Info, "noted"
	}
	code, reason := a.role+"-differs", "its bytes are not the ones that were "+verb
	if a.role == roleInput || a.role == roleDependency {
		code = "hash-differs"
	}
	recorded, observed := a.recorded(), f.observed(a)
	if a.canonical != "" {
		v := valueAt(j.e.Tree, f.path, a.keys)
		switch {
		case v.err == nil && v.sum == a.canonical:
			row := j.rows.OK(a.field(), j.at(a.digest), a.sameValue())
			row.Code, row.Recorded, row.Observed, row.Input = "same-value", "sha256:"+a.canonical, "sha256:"+v.sum, f.path
			info := j.rows.Info(a.field()+".bytes", j.at(a.digest), "bytes-differ", a.otherBytes())
			info.Recorded, info.Observed, info.Input = recorded, observed, f.path
			return
		case v.err != nil:
			code, reason = v.code, "its bytes differ, and its value can't be told: "+v.err.Error()
		case len(a.keys) > 0:
			code, reason = "value-differs", "the values of its keys are not the ones that were "+verb
			recorded, observed = "sha256:"+a.canonical, "sha256:"+v.sum
		default:
			reason = "neither its bytes nor its parsed value are the ones that were " + verb
		}
		if a.role == roleNote {
			code = "note-differs"
		}
	}
	row := j.rows.Add(status, a.field(), j.at(a.digest), code, reason)
	row.Recorded, row.Observed, row.Input = recorded, observed, f.path
	if status == verify.Fail {
		j.again(row, "undo the edit, or run again and pin the new result")
	}
}

func (a *artifact) sameValue() string {
	if len(a.keys) > 0 {
		return "the values of its keys are the ones that were pinned"
	}
	return "its parsed value is the one that was pinned"
}

func (a *artifact) otherBytes() string {
	if len(a.keys) > 0 {
		return "something else in the file has changed, which is not pinned"
	}
	return "comments, layout or the order of keys have changed"
}

// Limits of the search for a missing file, because every pin may miss one.
const maxMoved = 100

type movedKey struct{ base, digest string }

// hint says where a missing file went: to another folder, under its name.
func (j *checker) hint(row *verify.Check, a *artifact) {
	tree := j.e.Tree.Aside()
	base := path.Base(a.path)
	to := verify.Once(tree, movedKey{base, a.recorded()}, func(t *verify.Tree) string {
		names := t.Named(base)
		for _, name := range names[:min(len(names), maxMoved)] {
			f := fileAt(t, name)
			if f.err != nil {
				continue
			}
			if _, same := f.holds(a); same {
				return name
			}
		}
		return ""
	})
	if to == "" || to == j.e.Path {
		return
	}
	row.Hint = "moved to " + verify.Shorten(to, verify.MaxValue/2)
}
