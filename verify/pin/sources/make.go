package sources

import (
	"fmt"
	"regexp"
	"strings"

	"path"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/pin"
)

// Make reads a target of a makefile: its prerequisites that are files, and those of
// prerequisites that are targets. Variables of plain text and $(wildcard …) are
// expanded; what needs more of make, or a shell, is listed. So is the recipe: a makefile
// as a whole changes for many reasons.
func Make(t *verify.Tree, file, target string) (pin.Source, error) {
	c := newCollector(t, file+":"+target)
	data, err := t.ReadFile(file, maxConfig)
	if err != nil {
		return pin.Source{}, fmt.Errorf("reading %s: %w", file, err)
	}
	m := &makefile{collector: c, dir: path.Dir(file), vars: map[string]string{}, rules: map[string][]string{}, seen: map[string]bool{}}
	m.read(string(data))
	if _, ok := m.rules[target]; !ok {
		return pin.Source{}, fmt.Errorf("reading %s: there is no target %s", file, verify.Shorten(target, 128))
	}
	m.target(target, 0)
	c.leave(file, "the recipe")
	return c.source(), nil
}

type makefile struct {
	*collector
	dir   string
	vars  map[string]string
	rules map[string][]string // target -> prerequisites as they stand
	seen  map[string]bool
}

var (
	assignment = regexp.MustCompile(`^([A-Za-z0-9_.-]+)\s*(:{0,3}=|\?=|\+=)\s*(.*)$`)
	rule       = regexp.MustCompile(`^([^\s:=#][^:=#]*?)\s*::?\s*([^=]*)$`)
	reference  = regexp.MustCompile(`\$[({]([A-Za-z0-9_.-]+)[)}]`)
	wildcard   = regexp.MustCompile(`\$[({]wildcard\s+([^(){}$]*)[)}]`)
)

// read takes variables and rules from the text; recipes and conditionals are skipped.
func (m *makefile) read(text string) {
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\\\n", " ")
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if strings.HasPrefix(line, "\t") || len(m.rules) > maxFiles || !m.spend() {
			continue
		}
		line, _, _ = strings.Cut(line, " #")
		if a := assignment.FindStringSubmatch(line); a != nil {
			if a[2] == "+=" {
				a[3] = m.vars[a[1]] + " " + a[3]
			}
			m.vars[a[1]] = verify.Shorten(a[3], 16<<10)
			continue
		}
		line, _, _ = strings.Cut(line, ";")
		if r := rule.FindStringSubmatch(strings.TrimSpace(line)); r != nil {
			for _, target := range strings.Fields(m.expanded(r[1])) {
				m.rules[target] = append(m.rules[target], r[2])
			}
		}
	}
}

// expanded writes variables out, a few levels deep.
func (m *makefile) expanded(s string) string {
	for range 4 {
		next := reference.ReplaceAllStringFunc(s, func(ref string) string {
			if value, ok := m.vars[ref[2:len(ref)-1]]; ok {
				return value
			}
			return ref
		})
		if next == s || len(next) > 64<<10 {
			return s
		}
		s = next
	}
	return s
}

func (m *makefile) target(name string, depth int) {
	if m.seen[name] || depth > maxDepth {
		return
	}
	m.seen[name] = true
	for _, list := range m.rules[name] {
		list = m.expanded(list)
		list, _, _ = strings.Cut(list, "|") // order only
		for _, match := range wildcard.FindAllStringSubmatch(list, -1) {
			for _, pattern := range strings.Fields(match[1]) {
				m.files(pattern, depth)
			}
		}
		list = wildcard.ReplaceAllString(list, " ")
		if strings.Contains(list, "$") {
			m.leave(strings.TrimSpace(list), "needs make to expand it")
			continue
		}
		for _, word := range strings.Fields(list) {
			m.files(word, depth)
		}
	}
}

// files pins a prerequisite: a file, a glob, or a target with prerequisites of its own.
func (m *makefile) files(word string, depth int) {
	name, ok := within(m.dir, word)
	_, isTarget := m.rules[word]
	switch {
	case !ok:
		m.leave(word, "lies outside of the repository")
	case m.tree.Exists(name):
		m.add(name, nil)
		if isTarget {
			m.target(word, depth+1)
		}
	case isTarget:
		m.target(word, depth+1)
	case pin.IsGlob(word) && len(m.expand(name)) > 0:
		for _, file := range m.expand(name) {
			m.add(file, nil)
		}
	default:
		m.leave(word, "there is no such file")
	}
}
