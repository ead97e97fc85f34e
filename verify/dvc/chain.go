package dvc

import (
	"path"
	"strings"

	"github.com/replay-gate/replay-gate/verify"
)

// producer is who recorded the content of a path that git does not hold.
type producer struct {
	entry *entry
	who   string // for a person
	role  string // of its file among the inputs
	path  string // of that file
	git   bool   // an output that DVC leaves to git
	err   error  // the file can't be read
}

// ownOuts are the recorded outputs of the stages that dvc.yaml still lists, by their path
// in the tree. What a stage left behind that is gone produces nothing.
func (j *checker) ownOuts() map[string]*producer {
	outs := make(map[string]*producer)
	for _, st := range j.pipe.stages {
		recorded := j.lock.byName[st.name]
		if recorded == nil || st.err != nil {
			continue
		}
		listed := cleaned(st.outs)
		for _, e := range recorded.outs {
			if p, ok := within(st.wdir, e.path); ok && (st.outsErr != nil || listed[clean(e.path)]) {
				outs[p] = &producer{entry: e, who: "stage " + shown(st.name), role: "lock", path: j.e.Path, git: st.uncached[clean(e.path)]}
			}
		}
	}
	return outs
}

// producerOf finds who recorded the content of p: a stage of this lock, the *.dvc file
// beside it, or a stage of another lock.
func (j *checker) producerOf(p string) *producer {
	if own := j.outs[p]; own != nil {
		return own
	}
	if d := readTracked(j.t, p+dvcSuffix); !d.absent {
		who := &producer{entry: d.outs[p], who: shown(d.path), role: "tracked", path: d.path, err: d.err}
		if who.entry != nil || who.err != nil {
			return who
		}
	}
	return otherOuts(j.t)[p]
}

// container is who recorded a folder that p lies in; nil for nobody.
func (j *checker) container(p string) *producer {
	for dir := path.Dir(p); dir != "." && dir != ".."; dir = path.Dir(dir) {
		if who := j.producerOf(dir); who != nil {
			return who
		}
	}
	return nil
}

type otherOutsKey struct{}

// otherOuts are the recorded outputs of all locks of the tree.
func otherOuts(t *verify.Tree) map[string]*producer {
	return verify.Once(t, otherOutsKey{}, func(t *verify.Tree) map[string]*producer {
		outs := make(map[string]*producer)
		for _, name := range t.Named(lockName) {
			data, err := t.ReadFile(name, verify.MaxEvidence)
			if err != nil {
				continue
			}
			l, err := readLock(data)
			if err != nil {
				continue // its own evidence says so
			}
			other := &checker{e: &verify.Evidence{Path: name}, lock: l, pipe: readPipeline(t, path.Join(path.Dir(name), pipelineName))}
			for p, who := range other.ownOuts() {
				who.who += " of " + shown(name)
				outs[p] = who
			}
		}
		return outs
	})
}

// absent judges an entry whose content git does not hold.
func (j *checker) absent(x *subject) {
	reason := "not in git: its content can't be compared here"
	if x.role == outRole {
		if x.st.uncached[clean(x.entry.path)] && j.gone(x) {
			return
		}
		j.missing(x)
		x.unproven("not-in-git", reason)
		return
	}
	who := j.producerOf(x.path)
	switch {
	case who == nil && j.gone(x):
		return
	case who == nil:
		j.missing(x)
		if in := j.container(x.path); in != nil {
			reason = "not in git: inside of what " + in.who + " records as a whole"
			j.note(in, x.field)
		}
		x.unproven("not-in-git", reason)
		return
	case who.err != nil:
		j.note(who, x.field)
		x.fail("unreadable", who.path+" can't be read: "+who.err.Error()).Input = who.path
		return
	}
	j.missing(x)
	j.note(who, x.field)
	c := x.chained(who)
	if who.role == "tracked" {
		c.Input = who.path
	}
}

// chained compares a recorded dependency with what its producer recorded.
func (x *subject) chained(who *producer) *verify.Check {
	theirs := who.entry
	var c *verify.Check
	switch {
	case theirs.hash == "":
		return x.unproven("not-in-git", "not in git, and "+who.who+" records no hash of it")
	case theirs.hash == x.entry.hash:
		c = x.ok("not in git; the same as " + who.who + " records")
	case theirs.hashes != x.entry.hashes:
		c = x.info("other-generation", "not in git; "+who.who+" records it by another rule ("+generation(theirs.hashes)+"), so the two can't be compared")
	default:
		c = x.fail("chain-broken", who.who+" records other content: "+x.after())
	}
	c.Observed = theirs.hash
	return c
}

func generation(h verify.Hashes) string {
	if h == verify.HashMD5Dos2Unix {
		return "DVC 2"
	}
	return "DVC 3"
}

// note adds the file in which a producer's word stands.
func (j *checker) note(who *producer, field string) {
	if who.path != j.e.Path {
		j.in.add(verify.Input{Role: who.role, Path: who.path, Field: field})
	}
}

// missing adds an input that git does not hold.
func (j *checker) missing(x *subject) {
	j.in.add(verify.Input{Role: x.role, Path: x.path, Recorded: x.entry.path, Hash: x.entry.hash, Field: x.field, Hashes: x.entry.hashes, Missing: true})
}

// below reports whether p lies below folder dir.
func below(p, dir string) bool { return dir == "." || strings.HasPrefix(p, dir+"/") }
