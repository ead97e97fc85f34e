package dvc

import (
	"path"
	"strings"

	"github.com/replay-gate/replay-gate/verify"
)

// The roles of an entry's file among the inputs.
const (
	depRole = "dep"
	outRole = "out"
)

// stage judges a stage that dvc.yaml has and the lock recorded.
func (j *checker) stage(st *stage, recorded *lockStage) {
	if st.err != nil {
		j.rows.Info(field(st.name, "wdir"), recorded.at, "templated", st.err.Error())
		j.untold(recorded)
		return
	}
	if st.frozen {
		j.rows.Info(field(st.name, "frozen"), recorded.at, "frozen", "frozen: DVC does not run it when its dependencies or parameters change")
	}
	if st.always || len(st.deps)+len(st.params)+len(st.outs) == 0 && st.depsErr == nil && st.outsErr == nil && st.paramsErr == nil {
		j.rows.Info(field(st.name, "always_changed"), recorded.at, "always-changed", "DVC runs it every time, whatever has changed")
	}
	j.cmd(st, recorded)
	j.entries(st, recorded, depRole)
	j.params(st, recorded)
	j.entries(st, recorded, outRole)
}

// entries judges the dependencies or outputs of a stage.
func (j *checker) entries(st *stage, recorded *lockStage, role string) {
	list, unresolved, entries := st.deps, st.depsErr, recorded.deps
	if role == outRole {
		list, unresolved, entries = st.outs, st.outsErr, recorded.outs
	}
	listed, have := cleaned(list), make(map[string]bool, len(entries))
	for _, e := range entries {
		if j.full() {
			return
		}
		have[clean(e.path)] = true
		x := &subject{checker: j, st: st, entry: e, role: role, field: field(st.name, role+"s", e.path)}
		if unresolved == nil && !listed[clean(e.path)] {
			x.unlisted()
			continue
		}
		x.compare()
	}
	for _, name := range list {
		if !have[clean(name)] && !j.full() {
			j.notRecorded(st, recorded, field(st.name, role+"s", name), pathIn(st, name))
		}
	}
}

// untold leaves open all that was recorded of a stage whose folder can't be told.
func (j *checker) untold(recorded *lockStage) {
	untold := func(what string, at verify.Spot, value string) {
		if j.full() {
			return
		}
		c := j.rows.Info(field(recorded.name, what), at, "templated", "not compared: its folder can't be told")
		c.Recorded, c.Unproven = value, true
	}
	untold("cmd", recorded.cmdAt, verify.Shorten(command(recorded.cmd), verify.MaxValue))
	for _, e := range recorded.deps {
		untold(depRole+"s."+e.path, e.at, e.hash)
	}
	for _, e := range recorded.outs {
		untold(outRole+"s."+e.path, e.at, e.hash)
	}
	for _, p := range recorded.params {
		untold("params."+p.file, p.at, "")
	}
}

// cleaned is the set of names, each in one spelling.
func cleaned(names []string) map[string]bool {
	set := make(map[string]bool, len(names))
	for _, n := range names {
		set[clean(n)] = true
	}
	return set
}

func pathIn(st *stage, name string) string {
	p, ok := within(st.wdir, name)
	if !ok {
		return ""
	}
	return p
}

// notRecorded fails what dvc.yaml lists of a recorded stage and the lock does not have:
// the stage was changed and not run.
func (j *checker) notRecorded(st *stage, recorded *lockStage, name, input string) {
	c := j.rows.Fail(name, recorded.at, "not-recorded", "listed in "+j.pipe.path+" and not recorded: "+j.behind(st))
	c.Input = j.pipe.path
	j.repro(c)
	if input != "" {
		j.in.add(verify.Input{Role: depRole, Path: input, Field: name, Missing: !j.t.Exists(input)})
	}
}

// neverRun judges a stage that the lock does not have. A rename must not launder drift,
// so that one whose results are there all the same fails.
func (j *checker) neverRun(st *stage) {
	name, at := "stages."+st.name, verify.Spot{}
	if st.err != nil {
		j.rows.Info(name, at, "templated", st.err.Error())
		return
	}
	for _, out := range st.outs {
		p := pathIn(st, out)
		if p == "" {
			continue
		}
		reason := ""
		if who := j.left[p]; who != "" {
			reason = "never run, but its output " + shown(out) + " is recorded of stage " + shown(who)
		} else if j.holds(p) {
			reason = "never run, but its output " + shown(out) + " is in git"
		}
		if reason == "" {
			continue
		}
		c := j.rows.Fail(name, at, "never-run", reason)
		c.Input = j.pipe.path
		j.repro(c)
		if j.t.Exists(p) {
			j.in.add(verify.Input{Role: outRole, Path: p, Field: name, Subject: true})
		}
		return
	}
	c := j.rows.Warn(name, at, "never-run", "never run: the lock does not have it")
	c.Input = j.pipe.path
	j.repro(c)
}

// holds reports whether git holds something at p.
func (j *checker) holds(p string) bool { return j.t.Exists(p) || len(j.t.Under(p)) > 0 }

// leftOuts are the outputs, by their path, of the recorded stages that dvc.yaml no longer
// lists.
func (j *checker) leftOuts() map[string]string {
	left := make(map[string]string)
	for _, s := range j.lock.stages {
		if j.pipe.byName[s.name] != nil {
			continue
		}
		for _, e := range s.outs {
			if p, ok := within(path.Dir(j.e.Path), e.path); ok && left[p] == "" {
				left[p] = s.name
			}
		}
	}
	return left
}

// unlisted notes a recorded stage that dvc.yaml no longer has. DVC leaves it in the lock
// for ever, and says nothing.
func (j *checker) unlisted(recorded *lockStage) {
	name := "stages." + recorded.name
	if err := j.openGroup(recorded.name); err != nil {
		j.rows.Info(name, recorded.at, "templated", "may be of a stage whose items can't be told: "+err.Error())
		return
	}
	j.rows.Info(name, recorded.at, "no-longer-listed", "recorded, and no longer in "+pipelineName+": DVC keeps it and does not look at it")
	st := &stage{name: recorded.name, wdir: path.Dir(j.e.Path)}
	for _, e := range recorded.outs {
		if j.full() {
			return
		}
		x := &subject{checker: j, st: st, entry: e, role: outRole, field: field(recorded.name, "outs", e.path)}
		x.unlisted()
	}
}

// openGroup is why the items of the foreach or matrix that name belongs to can't be told.
func (j *checker) openGroup(name string) error {
	longest := ""
	for group := range j.pipe.open {
		if strings.HasPrefix(name, group+"@") && len(group) > len(longest) {
			longest = group
		}
	}
	return j.pipe.open[longest]
}
