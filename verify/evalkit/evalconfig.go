package evalkit

import (
	"io/fs"
	"path"

	"github.com/replay-gate/replay-gate/verify"
)

// Bounds on what is taken from an eval.config.
const (
	maxConfig = 1 << 20 // bytes
	maxTexts  = 1000    // string literals and properties
	maxText   = 512     // bytes of one literal
)

// configNames are the names under which the tool looks for its configuration.
var configNames = []string{"eval.config.ts", "eval.config.mts", "eval.config.js", "eval.config.mjs"}

// evalConfig is the text of an eval.config, read as text. It is a program: it is
// never run, and what it computes is not known.
type evalConfig struct {
	path  string
	texts []configText
	// versions counts the places that name a targetVersion.
	versions int
	// truncated says that the file holds more than was read.
	truncated bool
	// parents says where each object literal stands, from 1.
	parents []parent
	// modules are the other files that constants were taken from, sorted.
	modules []string
	// names are the texts by the names of files and folders that the tool would
	// make of them.
	names map[string]string
}

// spread is the key of a configText that stands for "...": it may bring any
// property.
const spread = "..."

// configText is a string literal, or a property of interest whose value is
// computed.
type configText struct {
	key      string // of the property whose value it is, if it is one
	value    string
	computed bool   // the value is not a literal
	ref      string // the one word that the value is
	object   int    // the object literal it stands in, from 1; 0 for none
	line     int    // from 1
}

type configKey string // folder

// findConfig reads the eval.config of a project: in its folder, or the nearest
// one above. It is nil if there is none.
func findConfig(t *verify.Tree, dir string) *evalConfig {
	return verify.Once(t, configKey(dir), func(t *verify.Tree) *evalConfig {
		for _, name := range configNames {
			name = path.Join(dir, name)
			data, err := t.ReadFile(name, maxConfig)
			if err != nil {
				continue
			}
			c := &evalConfig{path: name, names: make(map[string]string)}
			s := scanConfig(string(data))
			c.texts, c.parents, c.truncated = s.texts, s.parents, s.lost
			c.resolve(t, s.code())
			for _, x := range c.texts {
				if x.key == "targetVersion" {
					c.versions++
				}
				if !x.computed {
					c.names[fixtureName(x.value)] = x.value
				}
			}
			return c
		}
		if dir == "." || dir == "/" {
			return nil
		}
		return findConfig(t, path.Dir(dir))
	})
}

// objectOf is the object literal with the property name: "<suite>"; 0 if there
// is none, or more than one.
func (c *evalConfig) objectOf(suite string) int {
	object := 0
	for _, x := range c.texts {
		if x.key == "name" && !x.computed && x.value == suite && x.object != 0 {
			if object != 0 {
				return 0
			}
			object = x.object
		}
	}
	return object
}

// caseFile is the path of the case file of a suite, if its object literal names
// one inside of the tree.
func (c *evalConfig) caseFile(suite string) string {
	if c == nil || suite == "" {
		return ""
	}
	object, file := c.objectOf(suite), ""
	for _, x := range c.texts {
		if object != 0 && x.object == object && (x.key == "cases" || x.key == spread) {
			if x.computed || file != "" {
				return ""
			}
			file = path.Join(path.Dir(c.path), x.value)
		}
	}
	if !fs.ValidPath(file) {
		return ""
	}
	return file
}
