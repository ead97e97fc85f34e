package change

import (
	"path"
	"slices"
	"strings"

	"github.com/replay-gate/replay-gate/gate/repo"
	"github.com/replay-gate/replay-gate/verify"
)

// Delta is how two trees differ, for the question that a verdict asks: does what was read
// give the same on both?
type Delta struct {
	base, head *repo.Snapshot
	// Files are the paths that differ, with renames found.
	Files []repo.Change
	// Renamed gives for a path of the head where it lay on the base.
	Renamed map[string]string

	differ repo.Differences
	what   map[string]string // path -> what happened to it
	// present are the paths that one side has and the other has not, sorted, and byName
	// the same by their last element.
	present []string
	byName  map[string]string
}

// newDelta describes what turns base into head, apart from what is the gate's own.
func newDelta(base, head *repo.Snapshot, files []repo.Change, differ repo.Differences, own func(string) bool) *Delta {
	differ = slices.DeleteFunc(differ, own)
	d := &Delta{base: base, head: head, differ: differ, Renamed: make(map[string]string), what: make(map[string]string), byName: make(map[string]string)}
	come := func(name, what string) {
		d.what[name] = what
		d.present = append(d.present, name)
		d.byName[path.Base(name)] = name
	}
	for _, f := range files {
		if own(f.Path) {
			continue
		}
		d.Files = append(d.Files, f)
		switch f.Kind {
		case repo.Added:
			come(f.Path, "was added")
		case repo.Modified:
			d.what[f.Path] = "changed"
		case repo.Deleted:
			come(f.Path, "was deleted")
		case repo.Renamed:
			d.Renamed[f.Path] = f.OldPath
			come(f.Path, "was renamed from "+f.OldPath)
			come(f.OldPath, "was renamed to "+f.Path)
		}
	}
	slices.Sort(d.present)
	return d
}

// Differs says what happened to what r asks a tree for, such as "tokens/x.yml changed";
// empty when both trees give the same. A link on the way, what it leads to, and a submodule
// above count; so does a file that only the disk has, which the base can't have had.
func (d *Delta) Differs(r verify.Read) string {
	switch r.Op {
	case verify.OpNamed:
		if name, ok := d.byName[r.Name]; ok {
			return name + " " + d.what[name]
		}
		return ""
	case verify.OpUnder:
		return d.under(r.Name)
	}
	if r.Outcome == verify.Found {
		if at := d.head.Unlisted(r.Name); at != "" {
			return at + " is not committed"
		}
	}
	if len(d.differ) == 0 {
		return ""
	}
	for _, t := range []*repo.Snapshot{d.head, d.base} {
		trail := t.Trail(r.Name)
		if !d.differ.Touch(trail...) {
			continue
		}
		for _, name := range trail {
			if what, ok := d.what[name]; ok {
				return name + " " + what
			}
		}
		return trail[0] + " changed"
	}
	return ""
}

// under is a file below a folder that one side has and the other has not.
func (d *Delta) under(dir string) string {
	if len(d.present) == 0 {
		return ""
	}
	name := d.present[0]
	if dir != "." {
		i, _ := slices.BinarySearch(d.present, dir+"/")
		if i >= len(d.present) || !strings.HasPrefix(d.present[i], dir+"/") {
			return ""
		}
		name = d.present[i]
	}
	return name + " " + d.what[name]
}
