package sources

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/pin"
)

// aside are the keys of a configuration that no result depends on.
var aside = []string{"description", "tags", "outputPath", "sharing", "writeLatestResultsToConfig", "writeLatestResults", "metadata", "$schema"}

// Promptfoo reads a configuration of promptfoo (https://www.promptfoo.dev/docs/configuration):
// the files that it names, and those that they name, as promptfoo itself finds them. What
// stands in the configuration itself, such as the text of a prompt, is pinned by its keys.
func Promptfoo(t *verify.Tree, config string) (pin.Source, error) {
	c := newCollector(t, config)
	if isCode(config) {
		c.add(config, nil)
		c.leave(config, "its inputs are named in code")
		return c.source(), nil
	}
	root, err := c.parse(config)
	if err != nil {
		return pin.Source{}, fmt.Errorf("reading %s: %w", config, err)
	}
	if root == nil || root.Kind != yaml.MappingNode || member(root, "prompts") == nil && member(root, "providers") == nil && member(root, "targets") == nil {
		return pin.Source{}, fmt.Errorf("reading %s: it names no prompts and no providers: this is no configuration of promptfoo", config)
	}
	p := &promptfoo{collector: c, config: config, dir: path.Dir(config), looked: map[string]bool{config: true}}
	c.add(config, p.keys(root))
	p.top(root)
	return c.source(), nil
}

// promptfoo walks one configuration.
type promptfoo struct {
	*collector
	config string
	dir    string // of the configuration: paths count from it, whatever basePath says
	looked map[string]bool
	depth  int
}

// keys are those of the configuration that the run depends on; none, for all of the
// file, where they can't be hashed apart.
func (p *promptfoo) keys(root *yaml.Node) []string {
	var keys []string
	for i := 0; i+1 < len(root.Content); i += 2 {
		key := root.Content[i].Value
		if strings.ContainsAny(key, ".,#") || root.Content[i].Tag == "!!merge" {
			return nil
		}
		if !slices.Contains(aside, key) {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	data, err := p.tree.ReadFile(p.config, maxConfig)
	if err == nil {
		_, err = pin.ValueHash(p.config, data, keys)
	}
	if err != nil {
		return nil
	}
	return keys
}

func (p *promptfoo) top(root *yaml.Node) {
	for i := 0; i+1 < len(root.Content); i += 2 {
		value := deref(root.Content[i+1])
		switch key := root.Content[i].Value; key {
		case "prompts":
			p.prompts(value)
		case "providers", "targets":
			p.providers(value)
		case "tests":
			p.tests(value, p.dir)
		case "scenarios":
			p.scenarios(value)
		case "defaultTest":
			p.tests(value, p.dir)
		case "nunjucksFilters":
			for _, filter := range values(value) {
				p.plain(filter, p.dir)
			}
		default:
			if !slices.Contains(aside, key) && key != "commandLineOptions" && key != "env" {
				p.anything(value)
			}
		}
	}
}

func values(n *yaml.Node) []*yaml.Node {
	var all []*yaml.Node
	if n = deref(n); n != nil && n.Kind == yaml.MappingNode {
		for i := 1; i < len(n.Content); i += 2 {
			all = append(all, n.Content[i])
		}
	}
	return all
}

// remote are the beginnings of what is not a file, wherever a file may be named.
var remote = regexp.MustCompile(`^(?:https?|wss?|huggingface|langfuse|portkey|helicone|az|s3|gs|promptfoo)://|^package:`)

// elsewhere lists what is no file of this tree: remote, or named by the environment.
func (p *promptfoo) elsewhere(s string) bool {
	switch {
	case remote.MatchString(s):
		p.leave(s, "lies on another machine or in a package")
	case envTemplate.MatchString(s):
		p.leave(s, "depends on the environment")
	default:
		return false
	}
	return true
}

var envTemplate = regexp.MustCompile(`\{\{[-~\s]*(?:env|process\.env)\b`)

// prompts are paths, globs, commands or texts (promptfoo, src/prompts/index.ts).
func (p *promptfoo) prompts(n *yaml.Node) {
	if n = deref(n); n != nil && n.Kind == yaml.MappingNode && member(n, "raw") == nil && member(n, "id") == nil {
		for i := 0; i < len(n.Content); i += 2 { // the old form: paths as keys
			p.prompt(n.Content[i])
		}
		return
	}
	for _, item := range items(n) {
		item = deref(item)
		if item != nil && item.Kind == yaml.MappingNode {
			if raw := member(item, "raw"); raw != nil {
				p.prompt(raw)
			} else {
				p.prompt(member(item, "id"))
			}
			p.anything(member(item, "config"))
			continue
		}
		p.prompt(item)
	}
}

func (p *promptfoo) prompt(n *yaml.Node) {
	s, ok := text(n)
	switch {
	case !ok || p.elsewhere(s):
	case strings.HasPrefix(s, "exec:"):
		p.command(strings.TrimPrefix(s, "exec:"))
	case strings.HasPrefix(s, "file://"):
		p.file(s, p.dir)
	case maybeFile(s):
		p.path(s, p.dir, false)
	}
}

// maybeFile is promptfoo's rule for which prompts are looked for as files
// (src/prompts/utils.ts, maybeFilePath).
func maybeFile(s string) bool {
	if strings.Contains(s, "\n") {
		return false
	}
	if strings.ContainsAny(s, `*/\`) || len(s) >= 3 && s[len(s)-3] == '.' || len(s) >= 4 && s[len(s)-4] == '.' {
		return true
	}
	parts := strings.Split(s, ":")
	for _, part := range parts[max(0, len(parts)-2):] {
		for _, ending := range []string{".cjs", ".cts", ".js", ".json", ".jsonl", ".mjs", ".mts", ".py", ".ts", ".txt", ".yml", ".yaml"} {
			if strings.HasSuffix(part, ending) {
				return true
			}
		}
	}
	return false
}

// programs are the prefixes of providers that are programs of the project.
var programs = []string{"exec:", "python:", "golang:", "ruby:", "file:"}

// providers are names of models, files that hold providers, or programs
// (src/providers/index.ts).
func (p *promptfoo) providers(n *yaml.Node) {
	for _, item := range items(n) {
		switch item = deref(item); {
		case item == nil:
		case item.Kind == yaml.MappingNode:
			id := member(item, "id")
			if id == nil && len(item.Content) >= 2 {
				id = item.Content[0] // {"openai:gpt-4.1": {config: …}}
			}
			p.provider(id)
			p.anything(item)
		default:
			p.provider(item)
		}
	}
}

func (p *promptfoo) provider(n *yaml.Node) {
	s, ok := text(n)
	if !ok || p.elsewhere(s) {
		return
	}
	if strings.HasPrefix(s, "file://") {
		p.data(s, p.dir, p.providers)
		return
	}
	for _, prefix := range programs {
		if rest, ok := strings.CutPrefix(s, prefix); ok {
			p.command(rest)
			return
		}
	}
	if isCode(withoutFunction(s)) {
		p.path(s, p.dir, false)
	}
}

// command pins the words of a command line that are files.
func (p *promptfoo) command(line string) {
	found := false
	for _, word := range strings.Fields(line) {
		word = strings.Trim(word, `"'`)
		if name, ok := within(p.dir, withoutFunction(strings.TrimPrefix(word, "file://"))); ok && p.tree.Exists(name) {
			p.add(name, nil)
			found = true
		}
	}
	if !found {
		p.leave(line, "a command that names no file of the repository")
	}
}

// plain pins the files that a path or glob names without saying that it is one.
func (p *promptfoo) plain(n *yaml.Node, dir string) {
	if s, ok := text(n); ok && !p.elsewhere(s) {
		p.data(s, dir, p.anything)
	}
}

// anything pins each file that a text below n names with file://, and each $ref.
func (p *promptfoo) anything(n *yaml.Node) {
	if n == nil || !p.spend() {
		return
	}
	if n.Kind == yaml.MappingNode {
		for i := 0; i+1 < len(n.Content); i += 2 {
			if s, ok := text(n.Content[i+1]); ok && n.Content[i].Value == "$ref" {
				p.schema(s)
				continue
			}
			p.anything(n.Content[i+1])
		}
		return
	}
	if n.Kind == yaml.SequenceNode {
		for _, item := range n.Content {
			p.anything(item)
		}
		return
	}
	if s, ok := text(n); ok {
		switch {
		case strings.HasPrefix(s, "file://"):
			if !p.elsewhere(s) {
				p.file(s, p.dir)
			}
		case strings.HasPrefix(s, "package:"):
			p.elsewhere(s)
		}
	}
}

// schema pins the file of a $ref; one within the same file has no path.
func (p *promptfoo) schema(ref string) {
	name, _, _ := strings.Cut(ref, "#")
	if name == "" || p.elsewhere(name) {
		return
	}
	for _, dir := range []string{p.dir, "."} {
		if at, ok := within(dir, name); ok && p.tree.Exists(at) {
			p.look(at, p.anything)
			return
		}
	}
	p.leave(ref, "there is no such file")
}
