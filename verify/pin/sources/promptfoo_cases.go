package sources

import "gopkg.in/yaml.v3"

// tests are test cases, and files and globs that hold them (src/util/testCaseReader.ts).
// The files that vars names count from dir, all others from the configuration.
func (p *promptfoo) tests(n *yaml.Node, dir string) {
	for _, item := range items(n) {
		switch item = deref(item); {
		case item == nil:
		case item.Kind == yaml.MappingNode:
			p.test(item, dir)
		default:
			s, ok := text(item)
			if !ok || p.elsewhere(s) {
				continue
			}
			p.data(s, dir, nil)
		}
	}
}

func (p *promptfoo) test(n *yaml.Node, dir string) {
	if from := member(n, "path"); from != nil { // {path: …, config: …}
		if s, ok := text(from); ok && !p.elsewhere(s) {
			p.data(s, p.dir, nil)
		}
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		value := deref(n.Content[i+1])
		switch n.Content[i].Value {
		case "vars":
			if value != nil && value.Kind != yaml.MappingNode {
				for _, item := range items(value) {
					p.plain(item, dir)
				}
				continue
			}
			p.anything(value)
		case "provider":
			p.providers(value)
		case "path", "description":
		default:
			p.anything(value)
		}
	}
}

func (p *promptfoo) scenarios(n *yaml.Node) {
	for _, item := range items(n) {
		switch item = deref(item); {
		case item == nil:
		case item.Kind == yaml.MappingNode:
			p.tests(member(item, "config"), p.dir)
			p.tests(member(item, "tests"), p.dir)
		default:
			if s, ok := text(item); ok && !p.elsewhere(s) {
				p.data(s, p.dir, p.scenarios)
			}
		}
	}
}
