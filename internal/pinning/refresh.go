package pinning

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/pin"
)

// before reads the pin that is there, and with Refresh takes over what it names. It is nil
// without Refresh. What is there and is no statement is another tool's, and stays.
func (o *Options) before() (*pin.Pin, error) {
	w, err := o.open()
	if err != nil {
		return nil, err
	}
	defer w.close()
	if o.Refresh {
		for i, name := range o.Subjects { // the pin itself names its result
			o.Subjects[i] = strings.TrimSuffix(name, pin.Ending)
		}
	}
	name := pin.PathFor(o.Subjects[0])
	data, err := w.tree.ReadFile(name, verify.MaxEvidence)
	switch {
	case errors.Is(err, fs.ErrNotExist) && o.Refresh:
		return nil, fail(ErrUsage, "pin it first: replay-gate pin "+o.Subjects[0]+" --input <glob>", "there is no pin %s to refresh", name)
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, fail(ErrDisk, "check the file", "%w", err)
	case !(pin.Format{}).Marks(name, data):
		return nil, fail(ErrUsage, "move it away, or name another result first", "%s exists and is no pin", name)
	case !o.Refresh:
		return nil, nil
	}
	old, err := pin.Decode(data)
	if err != nil {
		return nil, fail(ErrUsage, "pin it anew without --refresh", "%s can't be refreshed: %w", name, err)
	}
	o.takeOver(rooted(old, name))
	if o.Rerun {
		if len(old.Command) == 0 {
			return nil, fail(ErrUsage, "give the command behind --", "%s records no command to run", name)
		}
		o.Command = old.Command
	}
	return &old, nil
}

// rooted is the pin at path with names that count from the root, where it was written for
// a project that is a folder of this one now.
func rooted(p pin.Pin, at string) pin.Pin {
	base := pin.BaseOf(at, p.Subjects[0].Name)
	if base == "" {
		return p
	}
	for _, list := range []*[]pin.Artifact{&p.Subjects, &p.Inputs, &p.Notes} {
		*list = slices.Clone(*list)
		for i := range *list {
			if a := &(*list)[i]; a.Value == "" {
				a.Name = path.Join(base, a.Name)
			}
		}
	}
	for _, list := range []*[]string{&p.Globs, &p.From} {
		*list = slices.Clone(*list)
		for i := range *list {
			(*list)[i] = base + "/" + (*list)[i]
		}
	}
	return p
}

// takeOver asks for what an old pin names, before what the command line adds.
func (o *Options) takeOver(old pin.Pin) {
	var subjects []string
	for _, a := range old.Subjects {
		subjects = append(subjects, a.Name)
	}
	o.Subjects = subjects
	o.Inputs = append(slices.Concat(old.Globs, explicit(old.Inputs, old.Globs)), o.Inputs...)
	o.Notes = append(explicit(old.Notes, nil), o.Notes...)
	o.From = slices.Compact(append(slices.Clone(old.From), o.From...))
}

// explicit are the specs of what a person named by itself: neither by a glob, nor through
// a configuration.
func explicit(list []pin.Artifact, globs []string) []string {
	var parsed []*pin.Glob
	for _, spec := range globs {
		pattern, _ := pin.SplitSpec(spec)
		if g, err := pin.ParseGlob(pattern); err == nil {
			parsed = append(parsed, g)
		}
	}
	var specs []string
	for _, a := range list {
		switch {
		case a.From != "" || slices.ContainsFunc(parsed, func(g *pin.Glob) bool { return g.Match(a.Name) }):
		case a.Value != "":
			specs = append(specs, a.Name+"="+a.Value)
		case len(a.Keys) > 0:
			specs = append(specs, a.Name+"#"+strings.Join(a.Keys, ","))
		default:
			specs = append(specs, a.Name)
		}
	}
	return specs
}
