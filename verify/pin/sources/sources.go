// Package sources reads from configurations what a run would read, so that a pin needs
// no list of inputs:
//
//	s, err := sources.Read(tree, "promptfooconfig.yaml")
//	p, err := pin.Build(tree, nil, pin.Request{Subjects: []string{"results.json"}, Sources: []pin.Source{s}})
//
// Each kind of configuration is one function from a file to a list of inputs, and a list
// of what it names that can't be pinned: what depends on the environment, what lies on
// another machine. Nothing is executed, nothing is read but files of the tree, and
// work is bounded, as the configuration is anybody's text.
package sources

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/pin"
)

// Bounds for one configuration.
const (
	maxConfig = 4 << 20 // bytes of a file that is looked into
	maxFiles  = 2000
	maxNodes  = 200_000
	maxDepth  = 16 // of files that name files
	maxGlobs  = 100
)

// ErrUnknown says that a spec is no configuration that is known.
var ErrUnknown = errors.New("it is neither a configuration of promptfoo, nor dvc.yaml:STAGE, nor Makefile:TARGET")

// Read reads the configuration that spec names: "promptfooconfig.yaml",
// "dvc.yaml:train", "Makefile:eval".
func Read(t *verify.Tree, spec string) (pin.Source, error) {
	name, part, hasPart := strings.Cut(spec, ":")
	base := path.Base(name)
	switch {
	case base == "dvc.yaml" && hasPart:
		return DVC(t, name, part)
	case hasPart && (base == "Makefile" || base == "makefile" || base == "GNUmakefile" || path.Ext(base) == ".mk"):
		return Make(t, name, part)
	case hasPart:
		return pin.Source{}, ErrUnknown
	case isCode(base) && strings.HasPrefix(base, "promptfooconfig."), path.Ext(base) == ".yaml", path.Ext(base) == ".yml", path.Ext(base) == ".json":
		return Promptfoo(t, name)
	}
	return pin.Source{}, ErrUnknown
}

// collector gathers what a configuration names.
type collector struct {
	tree    *verify.Tree
	spec    string
	refs    map[string][]string // path -> keys
	missing map[string]bool
	globs   map[string]bool // that matched something
	nodes   int
	full    bool
}

func newCollector(t *verify.Tree, spec string) *collector {
	return &collector{tree: t, spec: spec, refs: map[string][]string{}, missing: map[string]bool{}, globs: map[string]bool{}}
}

// add pins a file of the tree, whole or some keys of it; false if it was there already.
func (c *collector) add(name string, keys []string) bool {
	if _, ok := c.refs[name]; ok {
		return false
	}
	if len(c.refs) >= maxFiles {
		c.full = true
		return false
	}
	c.refs[name] = keys
	return true
}

// leave lists what is not pinned, and why.
func (c *collector) leave(what, why string) {
	if len(c.missing) < maxFiles {
		c.missing[verify.Shorten(what, 256)+" ("+why+")"] = true
	}
}

func (c *collector) source() pin.Source {
	if c.full {
		c.leave(c.spec, fmt.Sprintf("names more than %d files", maxFiles))
	}
	s := pin.Source{Spec: c.spec}
	for name, keys := range c.refs {
		s.Inputs = append(s.Inputs, pin.Ref{Path: name, Keys: keys})
	}
	slices.SortFunc(s.Inputs, func(a, b pin.Ref) int { return strings.Compare(a.Path, b.Path) })
	for glob := range c.globs {
		s.Globs = append(s.Globs, glob)
	}
	slices.Sort(s.Globs)
	for what := range c.missing {
		s.NotPinned = append(s.NotPinned, what)
	}
	slices.Sort(s.NotPinned)
	return s
}

// spend counts a node of a parsed file; false when there have been too many.
func (c *collector) spend() bool {
	c.nodes++
	c.full = c.full || c.nodes > maxNodes
	return c.nodes <= maxNodes
}

// expand lists the files that match a glob.
func (c *collector) expand(pattern string) []string {
	g, err := pin.ParseGlob(pattern)
	if err != nil {
		return nil
	}
	var names []string
	for _, name := range c.tree.Under(g.Dir()) {
		if g.Match(name) && !strings.HasSuffix(name, pin.Ending) {
			names = append(names, name)
		}
	}
	if len(names) > 0 {
		c.glob(pattern)
	}
	return names
}

// glob notes a pattern, under which new files may come.
func (c *collector) glob(pattern string) {
	if len(c.globs) < maxGlobs {
		c.globs[pattern] = true
	} else if !c.globs[pattern] {
		c.leave(c.spec, fmt.Sprintf("names more than %d globs: new files under the others are not noticed", maxGlobs))
	}
}

// parse reads a file as YAML, of which JSON is a part; nil for an empty one.
func (c *collector) parse(name string) (node *yaml.Node, err error) {
	defer func() { // the input is hostile, and yaml.v3 has panicked before
		if p := recover(); p != nil {
			node, err = nil, errors.New("not valid YAML")
		}
	}()
	data, err := c.tree.ReadFile(name, maxConfig)
	if err != nil {
		return nil, err
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(data, &doc); err != nil {
		return nil, fmt.Errorf("not valid YAML: %w", err)
	}
	if len(doc.Content) == 0 {
		return nil, nil
	}
	return doc.Content[0], nil
}

// deref follows an alias.
func deref(n *yaml.Node) *yaml.Node {
	for range 8 {
		if n == nil || n.Kind != yaml.AliasNode {
			return n
		}
		n = n.Alias
	}
	return nil
}

// member is the value of a key of a mapping, nil if there is none. Merge keys count.
func member(n *yaml.Node, key string) *yaml.Node {
	n = deref(n)
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return deref(n.Content[i+1])
		}
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Tag == "!!merge" {
			if from := deref(n.Content[i+1]); from != nil && from.Kind == yaml.MappingNode && from != n {
				if v := plainMember(from, key); v != nil {
					return v
				}
			}
		}
	}
	return nil
}

func plainMember(n *yaml.Node, key string) *yaml.Node {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return deref(n.Content[i+1])
		}
	}
	return nil
}

// items are the elements of a list, or the one value that stands in its place.
func items(n *yaml.Node) []*yaml.Node {
	switch n = deref(n); {
	case n == nil:
		return nil
	case n.Kind == yaml.SequenceNode:
		return n.Content
	}
	return []*yaml.Node{n}
}

// text is the text of a string.
func text(n *yaml.Node) (string, bool) {
	n = deref(n)
	if n == nil || n.Kind != yaml.ScalarNode || n.Tag != "!!str" {
		return "", false
	}
	return n.Value, true
}

// within resolves a path that a file in folder dir names; false if it leaves the tree.
func within(dir, name string) (string, bool) {
	if strings.HasPrefix(name, "/") || len(name) > 1 && name[1] == ':' {
		return "", false
	}
	name = path.Join(dir, name)
	return name, name != ".." && !strings.HasPrefix(name, "../")
}
