package sources

import (
	"encoding/csv"
	"path"
	"regexp"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/replay-gate/replay-gate/verify/pin"
)

// isCode reports whether a file is a program, which is pinned and not looked into.
func isCode(name string) bool {
	switch path.Ext(name) {
	case ".js", ".cjs", ".mjs", ".ts", ".cts", ".mts", ".py", ".rb", ".go", ".sh":
		return true
	}
	return false
}

// withoutFunction cuts the function off "file.py:function".
func withoutFunction(s string) string {
	if i := strings.LastIndexByte(s, ':'); i > 1 && isCode(s[:i]) {
		return s[:i]
	}
	return s
}

var template = regexp.MustCompile(`\{\{|\{%`)

// file pins what a file:// names, and what that names.
func (p *promptfoo) file(s, dir string) { p.data(s, dir, p.anything) }

// data pins a file or a glob; inside says how to read one that holds data, nil for test
// cases. What does not exist is listed.
func (p *promptfoo) data(s, dir string, inside func(*yaml.Node)) {
	if names := p.path(s, dir, true); inside != nil {
		for _, name := range names {
			p.look(name, inside)
		}
	} else {
		for _, name := range names {
			p.look(name, func(n *yaml.Node) { p.tests(n, path.Dir(name)) })
		}
	}
}

// path resolves a path or glob that counts from dir and pins its files. Without must,
// what is no file is a text.
func (p *promptfoo) path(s, dir string, must bool) []string {
	name := withoutFunction(strings.ReplaceAll(strings.TrimPrefix(s, "file://"), `\`, "/"))
	if template.MatchString(name) {
		if must || strings.HasPrefix(s, "file://") {
			p.leave(s, "named by a template")
		}
		return nil
	}
	if sheet, _, ok := strings.Cut(name, "#"); ok && strings.HasPrefix(path.Ext(sheet), ".xls") {
		name = sheet
	}
	at, ok := within(dir, name)
	if !ok {
		if must {
			p.leave(s, "lies outside of the repository")
		}
		return nil
	}
	names := []string{at}
	if !p.tree.Exists(at) {
		if names = nil; pin.IsGlob(at) {
			names = p.expand(at)
		}
	}
	if len(names) == 0 && must {
		p.leave(s, "there is no such file")
	}
	for _, name := range names {
		p.add(name, nil)
	}
	if !must {
		for _, name := range names {
			p.look(name, p.anything)
		}
	}
	return names
}

// look reads a file that may name files, once.
func (p *promptfoo) look(name string, inside func(*yaml.Node)) {
	p.add(name, nil)
	if p.looked[name] || p.depth >= maxDepth || len(p.looked) > maxFiles {
		return
	}
	p.looked[name] = true
	p.depth++
	defer func() { p.depth-- }()
	switch strings.ToLower(path.Ext(name)) {
	case ".json", ".yaml", ".yml":
		if n, err := p.parse(name); err == nil {
			inside(n)
		}
	case ".jsonl":
		p.lines(name, inside)
	case ".csv":
		p.table(name)
	}
}

// lines reads a file with a JSON text on each line.
func (p *promptfoo) lines(name string, inside func(*yaml.Node)) {
	data, err := p.tree.ReadFile(name, maxConfig)
	if err != nil {
		return
	}
	for line := range strings.Lines(string(data)) {
		if !strings.Contains(line, "file://") && !strings.Contains(line, "vars") || !p.spend() {
			continue
		}
		var doc yaml.Node
		if err := unmarshal([]byte(line), &doc); err == nil && len(doc.Content) > 0 {
			inside(doc.Content[0])
		}
	}
}

// unmarshal is yaml's, without its panics.
func unmarshal(data []byte, doc *yaml.Node) (err error) {
	defer func() {
		if recover() != nil {
			*doc = yaml.Node{}
		}
	}()
	return yaml.Unmarshal(data, doc)
}

// inCell finds a file in the cell of a table: "file://a.js", "javascript: file://a.js".
var inCell = regexp.MustCompile(`^\s*(?:[a-z-]+:\s*)?(file://[^\s"]+)`)

func (p *promptfoo) table(name string) {
	data, err := p.tree.ReadFile(name, maxConfig)
	if err != nil {
		return
	}
	r := csv.NewReader(strings.NewReader(string(data)))
	r.LazyQuotes, r.FieldsPerRecord, r.ReuseRecord = true, -1, true
	for {
		cells, err := r.Read()
		if err != nil {
			return
		}
		for _, cell := range cells {
			if !p.spend() {
				return
			}
			if m := inCell.FindStringSubmatch(cell); m != nil && !p.elsewhere(m[1]) {
				p.file(m[1], p.dir)
			}
		}
	}
}
