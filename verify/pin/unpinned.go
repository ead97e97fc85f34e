package pin

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/jsondoc"
)

// Suggestion is a published result that nothing ties to its inputs.
type Suggestion struct {
	// Path is where the result lies.
	Path string `json:"path"`
	// What names what it is, for a person.
	What string `json:"what"`
	// Command pins it, one element a word.
	Command []string `json:"command"`
}

// resultFolders are the names of folders in which results are published.
var resultFolders = []string{"eval", "evals", "benchmarks", "results"}

// maxSuggestions bounds what is suggested for one tree.
const maxSuggestions = 50

var lmEval = regexp.MustCompile(`^results_\d{4}-\d\d-\d\dT[\d.:-]+\.json$`)

// Unpinned lists the results of a tree that no pin names, sorted by path: results.json,
// reports in Markdown, metrics.json, and what promptfoo, lm-evaluation-harness and
// Inspect write, in folders that are named for it. covered reports whether other evidence
// vouches for a file, such as a sidecar beside a report; it may be nil.
func Unpinned(t *verify.Tree, covered func(path string) bool) []Suggestion {
	files := t.Files()
	pinned := pinnedBy(t, files)
	var all []Suggestion
	for _, name := range files {
		if len(all) == maxSuggestions {
			break
		}
		what := resultKind(t, name)
		if what == "" || pinned[name] || covered != nil && covered(name) {
			continue
		}
		all = append(all, Suggestion{Path: name, What: what, Command: suggest(t, name)})
	}
	return all
}

// pinnedBy are the results that the tree's pins name.
func pinnedBy(t *verify.Tree, files []string) map[string]bool {
	pinned := make(map[string]bool)
	for _, name := range files {
		if !strings.HasSuffix(name, Ending) {
			continue
		}
		pinned[strings.TrimSuffix(name, Ending)] = true
		data, err := t.ReadFile(name, verify.MaxEvidence)
		if err != nil {
			continue
		}
		for _, n := range jsondoc.Parse(data).Root.Get("subject").Items() {
			pinned[n.Get("name").Text()] = true
		}
	}
	return pinned
}

// resultKind is what a file is, by its name and folder, and empty for any other.
func resultKind(t *verify.Tree, name string) string {
	dir, base := path.Split(name)
	if !slices.ContainsFunc(strings.Split(dir, "/"), func(step string) bool { return slices.Contains(resultFolders, strings.ToLower(step)) }) {
		return ""
	}
	lower := strings.ToLower(base)
	switch {
	case strings.HasSuffix(lower, ".eval"):
		return "log of Inspect"
	case lmEval.MatchString(base):
		return "results of lm-evaluation-harness"
	case strings.Contains(lower, "report") && strings.HasSuffix(lower, ".md"):
		return "report"
	case lower == "metrics.json":
		return "metrics"
	case lower == "results.json", strings.HasSuffix(lower, ".json") && strings.Contains(lower, "promptfoo"):
		if data, err := t.ReadFile(name, verify.MaxEvidence); err == nil && (Promptfoo{}).Marks(name, data) {
			return "promptfoo output"
		}
		if lower == "results.json" {
			return "results"
		}
	}
	return ""
}

// suggest is the command that pins a result: by the configuration of promptfoo that is
// nearest to it, or else by the prompts and settings beside it.
func suggest(t *verify.Tree, name string) []string {
	argv := []string{"replay-gate", "pin", name}
	for dir := path.Dir(name); ; dir = path.Dir(dir) {
		for _, ending := range []string{"yaml", "yml", "json"} {
			if config := path.Join(dir, "promptfooconfig."+ending); t.Exists(config) {
				return append(argv, "--from", config)
			}
		}
		if dir == "." {
			break
		}
	}
	for dir := path.Dir(name); ; dir = path.Dir(dir) {
		before := len(argv)
		for _, folder := range []string{"prompts", "tasks", "datasets"} {
			if len(t.Under(path.Join(dir, folder))) > 0 {
				argv = append(argv, "--input", path.Join(dir, folder)+"/**")
			}
		}
		for _, base := range []string{"config.yml", "config.yaml", "config.json", "config.toml", "params.yaml"} {
			if t.Exists(path.Join(dir, base)) {
				argv = append(argv, "--input", path.Join(dir, base))
			}
		}
		if len(argv) > before {
			return argv
		}
		if dir == "." {
			return append(argv, "--input", "<what it was made from>")
		}
	}
}
