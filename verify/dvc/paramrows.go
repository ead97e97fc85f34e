package dvc

import (
	"errors"
	"slices"
	"strings"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/secrets"
)

// maxKeys bounds the keys of one file of parameters that counts whole.
const maxKeys = 5000

// params judges the parameters of a stage, file by file.
func (j *checker) params(st *stage, recorded *lockStage) {
	files := slices.Clone(st.params)
	if st.paramsErr != nil {
		files = recordedParams(recorded)
	}
	for _, dep := range files {
		j.paramFile(st, recorded, dep)
	}
	for _, p := range recorded.params {
		if !slices.ContainsFunc(files, func(d paramDep) bool { return clean(d.file) == clean(p.file) }) {
			holds := j.paramsHold(st, recorded, p)
			j.rows.Info(field(st.name, "params", p.file), p.at, "no-longer-listed", "recorded, and no longer in "+pipelineName).Unproven = !holds
		}
	}
}

// paramsHold reports whether a file of parameters that the stage no longer lists still has
// what was recorded of it.
func (j *checker) paramsHold(st *stage, recorded *lockStage, p *lockParams) bool {
	name, ok := within(st.wdir, p.file)
	if !ok {
		return true
	}
	f := readParams(j.t, name)
	j.in.add(verify.Input{Role: "params", Path: name, Missing: missingFile(f.err)})
	dep := paramDep{file: p.file}
	for _, k := range p.keys {
		dep.keys = append(dep.keys, k.key)
	}
	return errors.Is(f.err, errPython) || f.err == nil && (len(dep.keys) == 0 || j.aside(func() { j.paramsOf(st, recorded, dep, p, name, f.value) }))
}

func recordedParams(recorded *lockStage) []paramDep {
	var list []paramDep
	for _, p := range recorded.params {
		dep := paramDep{file: p.file}
		for _, k := range p.keys {
			dep.keys = append(dep.keys, k.key)
		}
		list = append(list, dep)
	}
	return list
}

// paramFile judges the parameters of one file.
func (j *checker) paramFile(st *stage, recorded *lockStage, dep paramDep) {
	p := recorded.paramsOf(dep.file)
	name, ok := within(st.wdir, dep.file)
	at := recorded.at
	if p != nil {
		at = p.at
	}
	whole := field(st.name, "params", dep.file)
	if !ok {
		j.rows.Info(whole, at, "external", "lies outside of the repository")
		return
	}
	f := readParams(j.t, name)
	j.in.add(verify.Input{Role: "params", Path: name, Missing: missingFile(f.err)})
	switch {
	case st.frozen:
		holds := p == nil || f.err == nil && j.aside(func() { j.paramsOf(st, recorded, dep, p, name, f.value) })
		c := j.rows.Info(whole, at, "frozen", "the stage is frozen")
		c.Input, c.Unproven = name, !holds
	case p == nil:
		j.notRecorded(st, recorded, whole, "")
	case f.err != nil:
		j.unreadParams(st, whole, name, at, f.err)
	default:
		j.paramsOf(st, recorded, dep, p, name, f.value)
		j.droppedParams(st, recorded, dep, p, name, f.value)
	}
}

// paramsOf judges the parameters of one file that was read.
func (j *checker) paramsOf(st *stage, recorded *lockStage, dep paramDep, p *lockParams, name string, v value) {
	for _, key := range keysOf(dep, p, v) {
		if j.full() {
			return
		}
		j.param(st, recorded, p, name, key, v, len(dep.keys) == 0)
	}
}

// droppedParams notes the recorded keys of a file that the stage no longer lists. DVC does
// not look at them.
func (j *checker) droppedParams(st *stage, recorded *lockStage, dep paramDep, p *lockParams, name string, v value) {
	if len(dep.keys) == 0 {
		return
	}
	for i := range p.keys {
		rec := &p.keys[i]
		if slices.Contains(dep.keys, rec.key) || j.full() {
			continue
		}
		holds := j.aside(func() { j.param(st, recorded, p, name, rec.key, v, false) })
		c := j.rows.Info(field(st.name, "params", p.file+":"+rec.key), rec.at, "no-longer-listed", "recorded, and no longer in "+pipelineName)
		c.Input, c.Recorded, c.Unproven = name, masked(rec.key, rec.value), !holds
	}
}

func missingFile(err error) bool {
	re, ok := errors.AsType[*verify.ReadError](err)
	return ok && re.Outcome == verify.Absent
}

// unreadParams judges parameters whose file gives none.
func (j *checker) unreadParams(st *stage, whole, name string, at verify.Spot, err error) {
	var c *verify.Check
	switch {
	case errors.Is(err, errPython):
		c = j.rows.Info(whole, at, "python-params", "a Python file, which is not run: its parameters can't be compared")
	case errors.Is(err, errJudge):
		c = j.rows.Info(whole, at, "not-comparable", "its parameters can't be read here as DVC reads them")
	case missingFile(err):
		c = j.rows.Info(whole, at, "not-in-git", "not in git: its parameters can't be compared here")
		c.Unproven = true
	default:
		c = j.rows.Fail(whole, at, "unreadable", "can't be read as parameters: "+verify.ReadReason(err))
		j.repro(c)
	}
	c.Input = name
}

// keysOf are the keys that count: those that the stage lists, or, of a file that counts
// whole, those that it has and those that were recorded.
func keysOf(dep paramDep, p *lockParams, v value) []string {
	if len(dep.keys) > 0 {
		// The lock's may be spelled otherwise only for keys that are no texts.
		return uniq(dep.keys)
	}
	var keys []string
	if d, ok := v.(*dict); ok {
		for _, k := range d.keys {
			if text, ok := printed(k); ok {
				keys = append(keys, text)
			}
		}
	}
	for _, k := range p.keys {
		keys = append(keys, k.key)
	}
	return uniq(keys)
}

func uniq(keys []string) []string {
	seen := make(map[string]bool, len(keys))
	var list []string
	for _, k := range keys {
		if !seen[k] && len(list) < maxKeys {
			seen[k] = true
			list = append(list, k)
		}
	}
	return list
}

// param judges one parameter (ParamsDependency.workspace_status).
func (j *checker) param(st *stage, recorded *lockStage, p *lockParams, name, key string, v value, whole bool) {
	id := field(st.name, "params", p.file+":"+key)
	rec := p.get(key)
	at := p.at
	if rec != nil {
		at = rec.at
	}
	found, there, judged := lookup(v, key)
	if whole {
		found, there = topLevel(v, key)
		judged = true
	}
	j.in.add(verify.Input{Role: "params", Path: name, Key: key, Field: id})
	var c *verify.Check
	switch {
	case !judged:
		c = j.rows.Info(id, at, "wildcard", "a key with wildcards, which is not followed here")
	case !there:
		c = j.rows.Fail(id, at, "key-gone", "no longer in "+shown(name)+": "+j.behind(st))
	case rec == nil:
		c = j.rows.Fail(id, at, "not-recorded", "not recorded: "+j.behind(st))
	case equal(found, rec.value, &j.steps):
		c = j.rows.OK(id, at, "the same value")
	case holdsNaN(found, &j.steps) && holdsNaN(rec.value, &j.steps):
		c = j.rows.Info(id, at, "not-a-number", "holds NaN, which equals nothing: DVC calls it changed every time")
	default:
		c = j.rows.Fail(id, at, "value-differs", "changed: "+j.behind(st))
	}
	c.Input = name
	if rec != nil {
		c.Recorded = masked(key, rec.value)
	}
	if there {
		c.Observed = masked(key, found)
	}
	if c.Status == verify.Fail {
		j.repro(c)
	}
}

// topLevel is a key of a file that counts whole: it is taken as it is, dots included.
func topLevel(v value, key string) (value, bool) {
	d, ok := v.(*dict)
	if !ok {
		return nil, false
	}
	if found, ok := d.text(key); ok {
		return found, true
	}
	for i, k := range d.keys {
		if text, ok := printed(k); ok && text == key {
			return d.vals[i], true
		}
	}
	return nil, false
}

// masked shows a value, unless a part of its key says that it must not be shown.
func masked(key string, v value) string {
	for part := range strings.SplitSeq(key, ".") {
		if secrets.IsSecretName(part) {
			return maskedText
		}
	}
	return verify.Shorten(show(hide(v, new(int))), verify.MaxValue)
}

// maskedText stands for a value under a key that looks secret.
const maskedText = "(masked)"

// maxShown bounds the values that a row shows of one parameter.
const maxShown = 300

// hide masks what stands under secret keys within v, as far as it is shown.
func hide(v value, shown *int) value {
	if *shown++; *shown > maxShown {
		return "…"
	}
	switch x := v.(type) {
	case *dict:
		out := new(dict)
		for i, key := range x.keys[:min(len(x.keys), maxShown)] {
			if text, ok := key.(string); ok && secrets.IsSecretName(text) {
				out.set(key, maskedText)
			} else {
				out.set(key, hide(x.vals[i], shown))
			}
		}
		return out
	case []value:
		out := make([]value, 0, min(len(x), maxShown))
		for _, item := range x[:min(len(x), maxShown)] {
			out = append(out, hide(item, shown))
		}
		return out
	}
	return v
}
