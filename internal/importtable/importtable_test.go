package importtable

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/replay-gate/replay-gate"

// room is what the packages at or below a folder may import, apart from the
// standard library.
type room struct {
	ours   []string // folders of this module; "/..." includes what lies below
	others []string // import path prefixes of other modules
	never  []string // parts of the standard library
}

// Pure rooms open no socket, start no process, and read no disk of their own.
var pure = []string{"net", "net/http", "os", "os/exec", "syscall"}

// table is DESIGN section 3, with the libraries that each room is built on.
// Where several entries cover a folder the longest wins.
var table = map[string]room{
	".":                    {ours: []string{"internal/cli"}},
	"internal/cli":         {ours: []string{"gate/...", "summary/...", "bundle", "verify/...", "internal/demo", "internal/pinning"}, others: []string{"github.com/spf13/", "golang.org/x/term"}},
	"internal/conformance": {never: pure},
	"internal/demo": {
		others: []string{"github.com/go-git/go-git/v5"},
	},
	// The one line of each stage, and the list of kinds.
	"gate": {
		ours: []string{
			"verify/...", "bundle", "summary",
			"gate/change", "gate/judge", "gate/explain", "gate/explain/timeline", "gate/decide", "gate/publish", "gate/repo", "gate/github",
			"gate/config", "gate/config/accepted", "gate/reason", "gate/shard",
		},
		others: []string{"github.com/bmatcuk/doublestar/v4", "golang.org/x/sync/errgroup"},
		never:  []string{"net", "net/http", "os/exec", module + "/verify/verifytest"},
	},
	"gate/reason": {never: []string{"net", "net/http", "os", "os/exec"}}, // syscall for the names of errors
	// Plans and parts as data: no tree, no disk. Parts come from elsewhere, so they are read
	// with the decoder that refuses what is there twice.
	"gate/shard": {ours: []string{"verify"}, others: []string{"github.com/go-json-experiment/json"}, never: pure},
	"gate/change": {
		ours:  []string{"gate/repo", "gate/github", "gate/config", "gate/config/accepted", "gate/reason", "verify"},
		never: []string{"net", "net/http", "os", "os/exec"},
	},
	"gate/judge": {ours: []string{"verify"}, others: []string{"github.com/bmatcuk/doublestar/v4"}, never: pure},
	"gate/explain": {
		ours:  []string{"gate/explain/since", "gate/explain/timeline", "gate/judge", "gate/repo", "verify", "verify/canonical", "verify/valuediff"},
		never: []string{"net", "net/http", "os", "os/exec"},
	},
	"gate/decide":  {ours: []string{"gate/judge", "gate/config/accepted", "gate/reason", "verify"}, never: pure},
	"gate/publish": {ours: []string{"summary", "summary/visible", "gate/github", "gate/reason", "verify"}, never: []string{"net", "net/http", "os/exec"}},
	"gate/config": {
		ours:   []string{"verify"},
		others: []string{"gopkg.in/yaml.v3", "github.com/bmatcuk/doublestar/v4"},
		never:  pure,
	},
	"gate/config/accepted": {
		ours:   []string{"verify", "gate/config"},
		others: []string{"gopkg.in/yaml.v3", "github.com/bmatcuk/doublestar/v4"},
		never:  pure,
	},
	"gate/explain/timeline": {
		ours:  []string{"gate/repo", "verify", "verify/canonical"},
		never: []string{"net", "net/http", "os/exec"},
	},
	"gate/explain/since": {
		ours:  []string{"gate/repo", "verify", "verify/canonical", "verify/valuediff"},
		never: []string{"net", "net/http", "os/exec"},
	},
	"gate/repo": {
		others: []string{"github.com/go-git/", "github.com/bmatcuk/doublestar/v4"},
		never:  []string{"net", "net/http", "os/exec"},
	},
	"gate/github": {
		ours:   []string{"summary/visible"},
		others: []string{"github.com/google/go-github/v60", "github.com/sethvargo/go-githubactions"},
		never:  []string{"os/exec"},
	},
	"summary":          {ours: []string{"verify", "summary/visible"}, never: pure},
	"summary/visible":  {never: pure},
	"bundle":           {ours: []string{"verify", "verify/jsondoc", "verify/secrets"}, others: []string{"github.com/mholt/archiver/v4"}, never: []string{"net", "net/http", "os/exec"}},
	"verify":           {ours: nil, never: pure},
	"verify/jsondoc":   {ours: []string{"verify"}, others: []string{"github.com/go-json-experiment/json/jsontext"}, never: pure},
	"verify/canonical": {others: []string{"gopkg.in/yaml.v3"}, never: pure},
	"verify/ahd":       {ours: []string{"verify", "verify/canonical", "verify/jsondoc"}, never: pure},
	"verify/secrets":   {never: pure},
	// What every kind's tests call; it is no part of the program.
	"verify/verifytest": {ours: []string{"verify", "verify/jsondoc"}},
	"verify/valuediff":  {ours: []string{"verify", "verify/canonical", "verify/secrets"}, never: pure},
	"verify/evalkit":    {ours: []string{"verify", "verify/canonical", "verify/jsondoc", "verify/secrets"}, never: pure},
	"verify/aos": {
		ours:   []string{"verify", "verify/canonical", "verify/jsondoc", "verify/secrets"},
		others: []string{"github.com/go-json-experiment/json/jsontext"},
		never:  pure,
	},
	"verify/dvc": {
		ours:   []string{"verify", "verify/canonical", "verify/jsondoc", "verify/valuediff", "verify/secrets"},
		others: []string{"gopkg.in/yaml.v3", "github.com/pelletier/go-toml/v2"},
		never:  pure,
	},
	"verify/decision": {
		ours:  []string{"verify", "verify/canonical", "verify/jsondoc", "verify/decision/sigmapol"},
		never: pure,
	},
	"verify/decision/sigmapol": {never: pure},
	"verify/pin": {
		ours:   []string{"verify", "verify/canonical", "verify/jsondoc"},
		others: []string{"github.com/pelletier/go-toml/v2"},
		never:  pure,
	},
	"verify/pin/sources": {
		ours:   []string{"verify", "verify/pin"},
		others: []string{"gopkg.in/yaml.v3"},
		never:  pure,
	},
	"internal/mutants": {others: []string{"golang.org/x/sync"}, never: []string{"net", "net/http"}}, // it runs go and tests
	"internal/pinning": {
		ours:  []string{"gate/repo", "verify", "verify/canonical", "verify/pin", "verify/pin/sources"},
		never: []string{"net", "net/http"},
	},
}

// newKind is a room below verify that needs nothing but the checker and its helpers. A kind
// of evidence is added without a line here (DESIGN, section 3).
var newKind = room{ours: []string{"verify", "verify/canonical", "verify/jsondoc", "verify/valuediff", "verify/secrets"}, never: pure}

func TestEveryImportIsInTheTable(t *testing.T) {
	root := filepath.Join("..", "..")
	checked := 0
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		if d.IsDir() {
			if base := d.Name(); rel != "." && (strings.HasPrefix(base, ".") || base == "testdata" || base == "node_modules") {
				return filepath.SkipDir
			}
			// A folder with a module of its own is no room of this one.
			if _, err := os.Stat(filepath.Join(name, "go.mod")); rel != "." && err == nil {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(rel, ".go") || strings.HasSuffix(rel, "_test.go") {
			return nil
		}
		folder := filepath.ToSlash(filepath.Dir(rel))
		if isTestSupport(folder) {
			return nil
		}
		r, ok := table[folder]
		if !ok && path.Dir(folder) == "verify" {
			r, ok = newKind, true
		}
		if !ok {
			t.Errorf("%s: the folder %s has no entry in the table", rel, folder)
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range file.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			checked++
			if !r.allows(imported) {
				t.Errorf("%s imports %s, which the table does not allow to %s", rel, imported, folder)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if checked == 0 {
		t.Error("no import was found: the walk is broken")
	}
}

// isTestSupport reports whether a folder only serves tests, so that what it
// imports can't reach the binary unless a room imports it, which the table
// forbids.
func isTestSupport(folder string) bool {
	return slices.Contains([]string{"internal/importtable", "internal/gittest"}, folder) ||
		strings.HasPrefix(folder, "internal/githubtest") || strings.HasPrefix(folder, "internal/e2e") ||
		strings.HasPrefix(folder, "internal/yamloracle") || folder == "internal/docs" || folder == "internal/conformance" || strings.HasPrefix(folder, "internal/interop")
}

func (r room) allows(imported string) bool {
	if slices.Contains(r.never, imported) {
		return false
	}
	if rest, ok := strings.CutPrefix(imported, module+"/"); ok {
		for _, f := range r.ours {
			if parent, deep := strings.CutSuffix(f, "/..."); rest == parent || deep && strings.HasPrefix(rest, parent+"/") {
				return true
			}
		}
		return false
	}
	if first, _, _ := strings.Cut(imported, "/"); strings.Contains(first, ".") {
		return slices.ContainsFunc(r.others, func(p string) bool { return strings.HasPrefix(imported, p) })
	}
	return true
}

// The table itself must be able to say no.
func TestTheTableForbids(t *testing.T) {
	for _, tc := range []struct{ folder, imported string }{
		{"verify", path.Join(module, "summary")},
		{"verify/canonical", path.Join(module, "verify")},
		{"verify/ahd", "os"},
		{"verify/ahd", path.Join(module, "gate/repo")},
		{"summary", path.Join(module, "gate")},
		{"summary", "net/http"},
		{"bundle", path.Join(module, "summary")},
		{"bundle", "net"},
		{"gate/repo", path.Join(module, "verify")},
		{"gate/github", path.Join(module, "summary")},
		{"gate", "github.com/google/go-github/v60/github"},
		{"gate", path.Join(module, "verify/verifytest")},
		{".", path.Join(module, "gate")},
	} {
		if table[tc.folder].allows(tc.imported) {
			t.Errorf("%s may import %s", tc.folder, tc.imported)
		}
	}
}
