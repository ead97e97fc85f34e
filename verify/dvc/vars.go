package dvc

import (
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/replay-gate/replay-gate/verify"
)

// defaultParams is the file that parameters and ${…} come from unless another is named.
const defaultParams = "params.yaml"

// vars collects what ${…} may name (Context.load_from_vars).
type vars struct {
	tree  *verify.Tree
	root  *dict
	whole map[string]bool // files that were taken in whole
	room  *int            // what is left of maxText
	files []string        // files that were read
}

// load merges vars in: names of files, "FILE:KEY,KEY", and mappings.
func (c *vars) load(list value, dir string) error {
	if list == nil {
		return nil
	}
	items, ok := list.([]value)
	if !ok {
		return fmt.Errorf("%w: vars must be a list", errTemplate)
	}
	for _, item := range items {
		switch item := item.(type) {
		case string:
			if err := c.file(item, dir); err != nil {
				return err
			}
		case *dict:
			if err := c.merge(item); err != nil {
				return err
			}
		default:
			return fmt.Errorf("%w: vars must hold names of files and mappings", errTemplate)
		}
	}
	return nil
}

func (c *vars) file(item, dir string) error {
	name, selected, _ := strings.Cut(item, ":")
	p, ok := within(dir, name)
	if !ok {
		return fmt.Errorf("%w: vars of %s lie outside of the repository", errTemplate, shown(name))
	}
	if c.whole[p] && selected == "" {
		return nil
	}
	f := readParams(c.tree, p)
	c.files = append(c.files, p)
	d, ok := f.value.(*dict)
	if f.err != nil || !ok {
		return fmt.Errorf("%w: vars of %s can't be read", errTemplate, shown(name))
	}
	if selected != "" {
		part := new(dict)
		for key := range strings.SplitSeq(selected, ",") {
			if key == "" {
				continue
			}
			v, ok := d.text(key)
			if !ok {
				return fmt.Errorf("%w: %s has no key %s", errTemplate, shown(name), shown(key))
			}
			part.set(key, v)
		}
		d = part
	} else {
		c.whole[p] = true
	}
	return c.merge(d)
}

func (c *vars) merge(d *dict) error {
	if *c.room -= cost * (len(c.root.keys) + len(d.keys)); *c.room < 0 {
		return errTemplate
	}
	merged, err := merge(c.root, d, 0)
	if err == nil {
		c.root = merged
	}
	return err
}

// merge gives into with update's keys; nothing that is there is replaced. Neither is
// changed: files are shared.
func merge(into, update *dict, depth int) (*dict, error) {
	if depth > maxDepth {
		return nil, errTemplate
	}
	out := new(dict)
	for i, key := range into.keys {
		out.set(key, into.vals[i])
	}
	for i, key := range update.keys {
		name, isText := key.(string)
		if !isText {
			continue // DVC can't name it
		}
		have, there := out.get(key)
		mine, a := have.(*dict)
		theirs, b := update.vals[i].(*dict)
		switch {
		case a && b:
			merged, err := merge(mine, theirs, depth+1)
			if err != nil {
				return nil, err
			}
			out.set(key, merged)
		case there:
			return nil, fmt.Errorf("%w: %s is defined twice", errTemplate, shown(name))
		default:
			out.set(key, update.vals[i])
		}
	}
	return out, nil
}

// Bounds on a path: no file system has a longer one.
const (
	maxPath      = 4096
	maxPathDepth = 256
)

// within joins a path of a pipeline to the folder that it counts from; ok is false if it
// leads out of the tree, or is no path of a file system at all.
func within(dir, name string) (p string, ok bool) {
	if name == "" || strings.HasPrefix(name, "/") || scheme.MatchString(name) {
		return "", false
	}
	if len(name) > maxPath || strings.Count(name, "/")+strings.Count(name, `\`) > maxPathDepth {
		return "", false
	}
	p = path.Join(dir, strings.ReplaceAll(name, `\`, "/"))
	return p, p != ".." && !strings.HasPrefix(p, "../") && fs.ValidPath(p)
}
