package sources

import (
	"fmt"
	"path"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/pin"
)

// DVC reads a stage of a dvc.yaml (https://dvc.org/doc/user-guide/project-structure/dvcyaml-files):
// its dependencies, its parameters by their keys, and the stage itself. Data that git
// does not hold is listed: dvc.lock has its hash.
func DVC(t *verify.Tree, file, stage string) (pin.Source, error) {
	c := newCollector(t, file+":"+stage)
	root, err := c.parse(file)
	if err != nil {
		return pin.Source{}, fmt.Errorf("reading %s: %w", file, err)
	}
	n := member(member(root, "stages"), stage)
	if n == nil {
		return pin.Source{}, fmt.Errorf("reading %s: there is no stage %s", file, verify.Shorten(stage, 128))
	}
	c.add(file, []string{"stages." + stage})
	dir := path.Dir(file)
	if wdir, ok := text(member(n, "wdir")); ok {
		if dir, ok = within(dir, wdir); !ok {
			return pin.Source{}, fmt.Errorf("reading %s: the wdir of stage %s leaves the repository", file, stage)
		}
	}
	for _, dep := range items(member(n, "deps")) {
		c.dependency(dep, dir)
	}
	for _, param := range items(member(n, "params")) {
		c.parameter(param, dir)
	}
	return c.source(), nil
}

// dependency pins a file, or all files of a folder.
func (c *collector) dependency(n *yaml.Node, dir string) {
	s, ok := text(n)
	if !ok {
		if n = deref(n); n == nil || n.Kind != yaml.MappingNode || len(n.Content) == 0 {
			return
		}
		s = n.Content[0].Value // {path: {…}}
	}
	name, ok := within(dir, s)
	switch {
	case strings.Contains(s, "${"):
		c.leave(s, "named by a template")
		return
	case strings.Contains(s, "://") || !ok:
		c.leave(s, "lies outside of the repository")
		return
	case c.tree.Exists(name):
		c.add(name, nil)
		return
	}
	below := c.tree.Under(name)
	for _, file := range below {
		c.add(file, nil)
	}
	if len(below) == 0 {
		c.leave(s, "is not in git")
		return
	}
	if strings.ContainsAny(name, `*?[{\`) {
		c.leave(s, "new files in it are not noticed")
		return
	}
	c.glob(name + "/**")
}

// parameter pins keys of params.yaml, or of the files that are named.
func (c *collector) parameter(n *yaml.Node, dir string) {
	if key, ok := text(n); ok {
		c.keys(dir, "params.yaml", []string{key})
		return
	}
	n = deref(n)
	if n == nil || n.Kind != yaml.MappingNode {
		return
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		var keys []string
		for _, item := range items(n.Content[i+1]) {
			if key, ok := text(item); ok {
				keys = append(keys, key)
			}
		}
		c.keys(dir, n.Content[i].Value, keys)
	}
}

func (c *collector) keys(dir, file string, keys []string) {
	name, ok := within(dir, file)
	switch {
	case strings.Contains(file+strings.Join(keys, ""), "${"):
		c.leave(file, "named by a template")
	case !ok || !c.tree.Exists(name):
		c.leave(file, "is not in git")
	case len(keys) == 0 || !pin.IsStructured(name):
		c.refs[name] = nil
	default:
		before, there := c.refs[name]
		if !there || len(before) > 0 {
			c.refs[name] = append(before, keys...)
		}
	}
}
