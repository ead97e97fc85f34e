package evalkit

import (
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/jsondoc"
)

// maxModules bounds the files that an eval.config takes constants from.
const maxModules = 16

// literalText is a string of JavaScript that needs no running: quoted, or a template
// without holes.
const literalText = `("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|` + "`[^`$\\\\]*`)"

var (
	constDecl   = regexp.MustCompile(`\bconst\s+([\pL\d_$]+)\s*(?::\s*[\w\s"'|]+?)?\s*=\s*` + literalText + `(?:\s+as\s+const\b)?`)
	defaultDecl = regexp.MustCompile(`\bexport\s+default\s+` + literalText)
	importDecl  = regexp.MustCompile(`\bimport\s+([^;"'()]+?)\s+from\s*["'](\.{1,2}/[^"'\n]+)["']`)
	requireDecl = regexp.MustCompile(`\bconst\s+([\pL\d_$]+|\{[^{}]*\})\s*=\s*require\(\s*["'](\.{1,2}/[^"'\n]+)["']\s*\)`)
)

// source is a text of JavaScript whose constants can be told without running it.
type source struct {
	consts   map[string]string
	bindings map[string]binding
	preset   *string // what it exports as default
}

// binding is a name that stands for something of another file.
type binding struct {
	file string // as imported
	name string // of what it exports; "" for all of it
}

// readSource finds the constants and imports of a text without comments.
func readSource(code string) source {
	s := source{consts: make(map[string]string), bindings: make(map[string]binding)}
	twice := make(map[string]bool)
	for _, m := range constDecl.FindAllStringSubmatchIndex(code, maxTexts) {
		after := strings.TrimLeft(code[m[1]:], " \t\r\n")
		if after != "" && strings.IndexByte("+.?[(&|*/-", after[0]) >= 0 {
			continue // a part of an expression
		}
		name, text := code[m[2]:m[3]], code[m[4]:m[5]]
		value, n := unquoteJS(text, text[0])
		if _, have := s.consts[name]; have || n == 0 {
			twice[name] = true
		}
		s.consts[name] = value
	}
	for name := range twice {
		delete(s.consts, name)
	}
	for _, d := range []*regexp.Regexp{importDecl, requireDecl} {
		for _, m := range d.FindAllStringSubmatch(code, maxModules) {
			s.bind(m[1], m[2])
		}
	}
	if m := defaultDecl.FindStringSubmatch(code); m != nil {
		if value, n := unquoteJS(m[1], m[1][0]); n > 0 {
			s.preset = &value
		}
	}
	return s
}

// bind notes the names of an import: "pkg", "* as all", "{ a, b as c }", or two of them.
func (s *source) bind(names, file string) {
	outer, inner, _ := strings.Cut(names, "{")
	for name := range strings.SplitSeq(outer, ",") {
		name, _ = strings.CutPrefix(strings.TrimSpace(name), "* as ")
		if name = strings.TrimSpace(name); name != "" {
			s.bindings[name] = binding{file, ""}
		}
	}
	inner, _, _ = strings.Cut(inner, "}")
	for name := range strings.SplitSeq(inner, ",") {
		name, local, renamed := strings.Cut(strings.TrimSpace(strings.ReplaceAll(name, ":", " as ")), " as ")
		if name = strings.TrimSpace(name); !renamed {
			local = name
		}
		if name != "" {
			s.bindings[strings.TrimSpace(local)] = binding{file, name}
		}
	}
}

// resolve gives the properties of interest their values where these stand elsewhere and
// need no running: a constant of the same file, of a JSON file, or of a relative module.
func (c *evalConfig) resolve(t *verify.Tree, code string) {
	var s *source
	for i := range c.texts {
		x := &c.texts[i]
		switch {
		case x.ref == "" || x.key == spread:
			continue
		case x.key == "ttlDays" && strings.Trim(x.ref, "0123456789") == "", x.key == "stripRaw" && (x.ref == "true" || x.ref == "false"):
			x.value, x.computed = x.ref, false
			continue
		}
		if s == nil {
			read := readSource(code)
			s = &read
		}
		if value, ok := c.constant(t, s, x.ref); ok {
			x.value, x.computed = value, false
		}
	}
	slices.Sort(c.modules)
}

func (c *evalConfig) constant(t *verify.Tree, s *source, ref string) (value string, ok bool) {
	local, rest, dotted := strings.Cut(ref, ".")
	if value, ok = s.consts[local]; ok {
		return value, !dotted
	}
	b, ok := s.bindings[local]
	if !ok {
		return "", false
	}
	data, name := c.module(t, b.file)
	if name == "" {
		return "", false
	}
	var steps []string
	if b.name != "" && (b.name != "default" || path.Ext(name) != ".json") {
		steps = append(steps, b.name)
	}
	if dotted {
		steps = append(steps, strings.Split(rest, ".")...)
	}
	if path.Ext(name) == ".json" {
		n := jsondoc.Parse(data).Root
		for _, step := range steps {
			n = n.Get(step)
		}
		return n.Text(), n.Is(jsondoc.String)
	}
	module := readSource(scanConfig(string(data)).code())
	switch {
	case len(steps) == 0 && module.preset != nil:
		return *module.preset, true
	case len(steps) != 1:
		return "", false
	}
	value, ok = module.consts[steps[0]]
	return value, ok
}

// module reads the file that an import means, by the names under which tools look for it.
func (c *evalConfig) module(t *verify.Tree, spec string) (data []byte, name string) {
	base := path.Join(path.Dir(c.path), spec)
	names := []string{base}
	if path.Ext(base) != ".json" {
		stem := strings.TrimSuffix(strings.TrimSuffix(base, ".js"), ".mjs")
		for _, ending := range []string{".ts", ".mts", ".js", ".mjs", "/index.ts", "/index.js"} {
			names = append(names, stem+ending)
		}
	}
	for _, name := range names {
		if !fs.ValidPath(name) || len(c.modules) >= maxModules {
			return nil, ""
		}
		if data, err := t.ReadFile(name, maxConfig); err == nil {
			if !slices.Contains(c.modules, name) {
				c.modules = append(c.modules, name)
			}
			return data, name
		}
	}
	return nil, ""
}
