package dvc

import (
	"errors"
	"path"

	"gopkg.in/yaml.v3"

	"github.com/replay-gate/replay-gate/verify"
)

// dvcSuffix ends the name of a file that tracks data by hand ("dvc add", "dvc import").
const dvcSuffix = ".dvc"

const maxDvcFile = 1 << 20

// tracked is a *.dvc file.
type tracked struct {
	path   string
	absent bool
	err    error
	outs   map[string]*entry // by path in the tree
}

type trackedKey string // path

// readTracked reads the outs of the *.dvc file at name; their paths count from its
// folder and wdir (dvc/stage/loader.py, SingleStageLoader).
func readTracked(t *verify.Tree, name string) *tracked {
	return verify.Once(t, trackedKey(name), func(t *verify.Tree) *tracked {
		d := &tracked{path: name, outs: make(map[string]*entry)}
		data, err := t.ReadFile(name, maxDvcFile)
		if re, ok := errors.AsType[*verify.ReadError](err); ok && re.Outcome == verify.Absent {
			d.absent = true
			return d
		}
		if err == nil {
			err = d.read(data)
		}
		d.err = err
		return d
	})
}

func (d *tracked) read(data []byte) error {
	if err := damaged(data); err != nil {
		return err
	}
	doc, err := readYAML(data)
	if err != nil {
		return err
	}
	if doc.root == nil || doc.root.Kind != yaml.MappingNode {
		return &parseError{1, "not a mapping of keys to values"}
	}
	r := &lockReader{doc: doc, lock: new(lock)}
	dir := path.Dir(d.path)
	var outs *yaml.Node
	for _, m := range r.members(doc.root, "the file") {
		switch m.key.Value {
		case "wdir":
			if w, ok := within(dir, m.value.Value); ok && m.value.Value != "" {
				dir = w
			}
		case "outs":
			outs = deref(m.value)
		}
	}
	if outs == nil || outs.Kind != yaml.SequenceNode {
		return nil
	}
	for _, n := range outs.Content {
		// The settings of an out (cache, desc, remote, …) are no concern here.
		e := r.entry(n, "outs")
		if e == nil {
			continue
		}
		if p, ok := within(dir, e.path); ok && md5Text.MatchString(e.hash) {
			d.outs[p] = e
		}
	}
	return nil
}
