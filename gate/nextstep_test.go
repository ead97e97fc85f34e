package gate

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/replay-gate/replay-gate/summary"
	"github.com/replay-gate/replay-gate/verify"
)

// baseCommit is the base of the change in these tests.
const baseCommit = "efefefefefefefefefefefefefefefefefefefef"

// failing is a FAIL with everything that a next step may rest on.
func failing(code string) (*summary.Evidence, *summary.Field) {
	f := summary.Field{
		Check: verify.Check{
			Field: "token.hash", Status: verify.Fail, Code: code, Input: "tokens/a b.yml", Hint: "moved to tokens/new.yml",
			Location: verify.Location{Path: "docs/x.replay.json", Line: 3, Column: 5},
		},
		Attribution: summary.Introduced,
		Why: &verify.Why{
			Recorded: &verify.Version{Commit: strings.Repeat("ab", 20), Path: "tokens/a b.yml"},
			HoldsAt:  strings.Repeat("cd", 20),
		},
	}
	e := &summary.Evidence{
		Path: "docs/x.replay.json", Fields: []summary.Field{f},
		Recording: verify.Recording{Argv: []string{"node", "run it", "--n=3"}},
	}
	return e, &e.Fields[0]
}

// Issue 5, What to do: exactly one next step, chosen from the evidence.
func TestNextStep(t *testing.T) {
	const (
		restored = "restore the input: git checkout abababababab -- 'tokens/a b.yml'"
		accepted = "accept it: replay-gate accept docs/x.replay.json token.hash --reason '…'"
		rerun    = "re-run the recorded command and commit the new evidence: node 'run it' --n=3"
	)
	preExisting := func(_ *summary.Evidence, f *summary.Field) { f.Attribution = summary.PreExisting }
	noRecord := func(_ *summary.Evidence, f *summary.Field) { f.Why = nil }
	notHeld := func(e *summary.Evidence, f *summary.Field) { preExisting(e, f); f.Why.HoldsAt = "" }
	noCommand := func(e *summary.Evidence, f *summary.Field) { notHeld(e, f); e.Recording.Argv = nil }
	for _, tt := range []struct {
		name, code string
		change     func(*summary.Evidence, *summary.Field)
		want       string
	}{
		{"introduced", "hash-differs", nil, restored},
		{"introduced, renamed since", "hash-differs", func(_ *summary.Evidence, f *summary.Field) { f.Input = "tokens/c.yml" },
			"restore the input: git show 'abababababab:tokens/a b.yml' > tokens/c.yml"},
		{"superseded", "hash-differs", preExisting, "it holds at the recorded commit; " + accepted},
		{"lost, with a command", "hash-differs", notHeld, rerun},
		{"no history, with a command", "hash-differs", noRecord, rerun},
		{"lost, without a command", "hash-differs", noCommand, restored},
		{"lost, without anything", "hash-differs", func(e *summary.Evidence, f *summary.Field) { e.Recording.Argv, f.Why = nil, nil }, accepted},
		{"a command that can't be shown", "hash-differs", func(e *summary.Evidence, f *summary.Field) { notHeld(e, f); e.Recording.Argv[0] = "a\nb" }, restored},
		{"a command that is too long", "hash-differs", func(e *summary.Evidence, f *summary.Field) {
			notHeld(e, f)
			e.Recording.Argv[0] = strings.Repeat("x", maxCommand)
		}, restored},
		{"a path that can't be shown", "hash-differs", func(e *summary.Evidence, f *summary.Field) {
			e.Path, e.Recording.Argv, f.Why = "a\u202eb", nil, nil
		}, "accept it: add an entry for it to .assay/accepted-drift.yml"},
		{"moved", "input-missing", nil, "fix the path: record tokens/new.yml in token.hash"},
		{"deleted", "input-missing", func(_ *summary.Evidence, f *summary.Field) { f.Hint = "" }, restored},
		{"deleted, no history", "input-missing", func(_ *summary.Evidence, f *summary.Field) { f.Hint, f.Why = "", nil },
			"restore the input from before the commit that deleted it: git log --diff-filter=D -- 'tokens/a b.yml'"},
		{"nowhere", "input-missing", func(_ *summary.Evidence, f *summary.Field) { f.Hint, f.Why, f.Input = "", nil, "" },
			"fix the path: record where the input lies, from the root of the repository, in token.hash"},
		{"the block", "contradicts", nil, "update the report's block from its sidecar: replay-gate render --write docs/x.replay.json"},
		{"a field", "malformed-hash", nil, "correct token.hash in the evidence, at docs/x.replay.json:3:5"},
		{"a sidecar", "removed", nil, "restore the sidecar from the base of the change: git checkout efefefefefef -- docs/x.replay.json"},
		{"another kind", "some-code", nil, "moved to tokens/new.yml"},
		{"another kind, no hint", "some-code", func(_ *summary.Evidence, f *summary.Field) { f.Hint, f.Why = "", nil }, rerun},
		{"no FAIL", "hash-differs", func(_ *summary.Evidence, f *summary.Field) { f.Status = verify.Warn }, ""},
	} {
		e, f := failing(tt.code)
		if tt.change != nil {
			tt.change(e, f)
		}
		if got := nextStep(e, f, baseCommit); got != tt.want {
			t.Errorf("%s:\ngot  %s\nwant %s", tt.name, got, tt.want)
		}
	}
}

// A hash that was not compared is settled by settling the path.
func TestNextStepOfWhatWasNotCompared(t *testing.T) {
	e, _ := failing("not-compared")
	path := e.Fields[0]
	path.Field, path.Code = "token.path", "input-missing"
	e.Fields = append(e.Fields, path)
	if got, want := nextStep(e, &e.Fields[0], baseCommit), nextStep(e, &e.Fields[1], baseCommit); got != want || !strings.Contains(got, "tokens/new.yml") {
		t.Errorf("%s, and the path's is %s", got, want)
	}
}

var word = regexp.MustCompile("`([^`]+)`")

// table reads the rows of a section of docs/next-steps.md.
func table(t *testing.T, heading string) map[string][]string {
	t.Helper()
	data, err := os.ReadFile("../docs/next-steps.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(data), "\n## "+heading+"\n")
	section, _, _ = strings.Cut(section, "\n## ")
	rows := make(map[string][]string)
	for line := range strings.Lines(section) {
		if cells := strings.Split(line, " | "); strings.HasPrefix(line, "| `") {
			name := word.FindStringSubmatch(cells[0])[1]
			if rows[name] != nil {
				t.Errorf("%s has two rows", name)
			}
			rows[name] = cells[1:]
		}
	}
	return rows
}

// Issue 5, What to do: the table in the docs is the code, for every code that a
// sidecar can fail with.
func TestTheTableIsTheCode(t *testing.T) {
	rows := table(t, "Reasons")
	for code, cells := range rows {
		var documented []string
		for _, m := range word.FindAllStringSubmatch(cells[1], -1) {
			documented = append(documented, m[1])
		}
		if names, ok := stepsFor(code); !ok || !slices.Equal(names, documented) {
			t.Errorf("%s: the table says %q, the code %q", code, documented, names)
		}
	}
	want := slices.Concat(failCodes(t, "../verify/ahd"), failCodes(t, "../verify/jsondoc"), entryCodes(t), []string{"internal-error", "interrupted", "unusable-path"})
	slices.Sort(want)
	want = slices.Compact(want)
	if got := slices.Sorted(maps.Keys(rows)); !slices.Equal(got, want) {
		t.Errorf("in the table: %q\nin the code:  %q", got, want)
	}
}

// entryCodes are the codes of what is wrong with .assay/accepted-drift.yml.
func entryCodes(t *testing.T) []string {
	t.Helper()
	var codes []string
	for _, name := range []string{"accepted/accepted.go", "accepted/parse.go"} {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`"(entry-[a-z-]+)"`).FindAllStringSubmatch(string(data), -1) {
			codes = append(codes, m[1])
		}
	}
	return codes
}

// Each step says what the docs say that it says.
func TestTheStepsAreTheDocs(t *testing.T) {
	rows := table(t, "Steps")
	if got, want := slices.Sorted(maps.Keys(rows)), slices.Sorted(maps.Keys(steps)); !slices.Equal(got, want) {
		t.Errorf("in the docs: %q\nin the code: %q", got, want)
	}
	values := strings.NewReplacer("`", "", " |\n", "", "REV", "abababababab", "BASE", "efefefefefef", "COMMAND", "node 'run it' --n=3", "EVIDENCE", "docs/x.replay.json",
		"FIELD", "token.hash", "PLACE", "docs/x.replay.json:3:5")
	for name, cells := range rows {
		e, f := failing("hash-differs")
		path := "'tokens/a b.yml'"
		switch name {
		case "moved":
			path = "tokens/new.yml"
		case "input", "report":
			path = f.Input
		}
		want := strings.ReplaceAll(values.Replace(cells[1]), "PATH", path)
		if got, ok := steps[name](e, f, baseCommit); !ok || got != want {
			t.Errorf("%s:\ngot  %s\nwant %s", name, got, want)
		}
		// "always" is true of a FAIL about which nothing is known but its places.
		f.Why, f.Hint, e.Recording.Argv = nil, "", nil
		if _, ok := steps[name](e, f, ""); cells[0] == "always" && !ok {
			t.Errorf("%s does not always apply", name)
		} else if cells[0] != "always" && name != "find" && ok {
			t.Errorf("%s applies to what nothing is known about", name)
		}
	}
}

// failCodes reads from the source of a package the codes of its checks that fail,
// or warn, which strict makes fail.
func failCodes(t *testing.T, dir string) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(names) == 0 {
		t.Fatal(len(names), err)
	}
	var codes []string
	add := func(x ast.Expr) {
		if lit, ok := x.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			if s, err := strconv.Unquote(lit.Value); err == nil && s != "" {
				codes = append(codes, s)
			}
		}
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				if s, ok := n.Fun.(*ast.SelectorExpr); ok && len(n.Args) == 4 && (s.Sel.Name == "fail" || s.Sel.Name == "warn") {
					add(n.Args[2])
				} else if ok && len(n.Args) == 5 && s.Sel.Name == "check" {
					if status, ok := n.Args[0].(*ast.SelectorExpr); !ok || status.Sel.Name != "OK" && status.Sel.Name != "Info" {
						add(n.Args[3])
					}
				}
			case *ast.KeyValueExpr:
				if k, ok := n.Key.(*ast.Ident); ok && (k.Name == "Code" || k.Name == "code") {
					add(n.Value)
				}
			case *ast.AssignStmt:
				for i, l := range n.Lhs {
					switch l := l.(type) {
					case *ast.Ident:
						if l.Name == "code" {
							add(n.Rhs[min(i, len(n.Rhs)-1)])
						}
					case *ast.SelectorExpr:
						if l.Sel.Name == "Code" {
							add(n.Rhs[min(i, len(n.Rhs)-1)])
						}
					}
				}
			}
			return true
		})
	}
	return codes
}

// A printed command takes a path for a path, whatever its name.
func TestAPathIsNoOption(t *testing.T) {
	e, f := failing("hash-differs")
	e.Path = "--json.replay.json"
	// To git, stars, brackets and a colon in front stand for other files (gitglossary(7)).
	for _, name := range []string{":/x.replay.json", "star*.replay.json", "a?.replay.json", "[ab].replay.json", `a\b.replay.json`} {
		if got, ok := steps["sidecar"](&summary.Evidence{Path: name}, f, baseCommit); !ok || !strings.HasSuffix(got, " -- ':(literal)"+name+"'") {
			t.Errorf("sidecar: %s", got)
		}
	}
	for _, step := range []string{"accept", "render"} {
		if got, ok := steps[step](e, f, baseCommit); !ok || !strings.Contains(got, " ./--json.replay.json") {
			t.Errorf("%s: %q", step, got)
		}
	}
}
