package explain

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Issue 5, What to do: the table has every code that a sidecar can fail with, and every code
// of an entry that accepts drift.
func TestTheTableHasEveryCode(t *testing.T) {
	t.Parallel()
	want := slices.Concat(failCodes(t, "../../verify/ahd"), failCodes(t, "../../verify/jsondoc"), entryCodes(t), []string{"internal-error", "interrupted", "unusable-path"})
	slices.Sort(want)
	for _, code := range slices.Compact(want) {
		if _, ok := stepsOf(code); !ok {
			t.Errorf("%s has no row", code)
		}
	}
}

// entryCodes are the codes of what is wrong with .assay/accepted-drift.yml.
func entryCodes(t *testing.T) []string {
	t.Helper()
	var codes []string
	for _, name := range []string{"accepted.go", "parse.go"} {
		data, err := os.ReadFile(filepath.Join("../config/accepted", name))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`"(entry-[a-z-]+)"`).FindAllStringSubmatch(string(data), -1) {
			codes = append(codes, m[1])
		}
	}
	return codes
}

// failCodes reads from the source of a package the codes of its checks that fail, or warn,
// which strict makes fail: the third argument of every Fail and Warn.
func failCodes(t *testing.T, dir string) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(names) == 0 {
		t.Fatal(len(names), err)
	}
	var codes []string
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) < 4 {
				return true
			}
			if s, ok := call.Fun.(*ast.SelectorExpr); ok && (s.Sel.Name == "Fail" || s.Sel.Name == "Warn") {
				if lit, ok := call.Args[2].(*ast.BasicLit); ok && lit.Kind == token.STRING {
					if code, err := strconv.Unquote(lit.Value); err == nil && code != "" {
						codes = append(codes, code)
					}
				}
			}
			return true
		})
	}
	if len(codes) == 0 && strings.HasSuffix(dir, "ahd") {
		t.Fatal("no code in " + dir)
	}
	return codes
}
