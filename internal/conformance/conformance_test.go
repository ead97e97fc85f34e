package conformance

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// documents are how many statements each document makes, by the letter of its rows.
var documents = map[string]int{"A": 46, "B": 47, "E": 22, "O": 38, "U": 21}

const root = "../.."

var (
	rowOf    = regexp.MustCompile(`^\| ([A-Z])(\d+) \| (.+?) \| (.+?) \|$`)
	scriptOf = regexp.MustCompile("`script/([a-z_]+)`")
	testOf   = regexp.MustCompile("`([a-z0-9/]+)\\.((?:Test|Fuzz)\\w+)(?:/([^`]+))?`")
	argument = "Argued: "
)

// "each line there is tested, or its refusal is argued in docs/conformance.md" (issue 13).
func TestEveryStatementIsHeld(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join(root, "docs/conformance.md"))
	if err != nil {
		t.Fatal(err)
	}
	tests := make(map[string]string) // package -> text of its tests
	counted := make(map[string]int)
	tested, argued := 0, 0
	for line := range strings.Lines(string(page)) {
		m := rowOf.FindStringSubmatch(strings.TrimRight(line, "\n"))
		if m == nil {
			if strings.HasPrefix(line, "| ") && !strings.HasPrefix(line, "| |") && !strings.HasPrefix(line, "| ---") {
				t.Errorf("not a row: %s", line)
			}
			continue
		}
		letter, number, statement, held := m[1], m[2], m[3], m[4]
		if counted[letter]++; number != fmt.Sprint(counted[letter]) {
			t.Errorf("%s%s is row %d of its document", letter, number, counted[letter])
		}
		if len(statement) < 15 {
			t.Errorf("%s%s cites nothing", letter, number)
		}
		named := namedTests(t, tests, letter+number, held)
		switch reason, isArgument := strings.CutPrefix(held, argument); {
		case isArgument && len(reason) < 60:
			t.Errorf("%s%s: %q is no argument", letter, number, reason)
		case isArgument:
			argued++
		case named == 0:
			t.Errorf("%s%s has neither a test nor a reason", letter, number)
		default:
			tested++
		}
	}
	for letter, want := range documents {
		if counted[letter] != want {
			t.Errorf("%s has %d statements, want %d", letter, counted[letter], want)
		}
	}
	if says := fmt.Sprintf("174 statements, %d tested, %d argued.", tested, argued); !strings.Contains(string(page), says) {
		t.Errorf("the page does not say %q", says)
	}
}

// namedTests counts the tests that a cell names, and complains of each that is not there.
func namedTests(t *testing.T, texts map[string]string, row, cell string) (n int) {
	t.Helper()
	for _, m := range scriptOf.FindAllStringSubmatch(cell, -1) {
		n++
		if _, err := os.Stat(filepath.Join(root, "internal/cli/testdata/script", m[1]+".txtar")); err != nil {
			t.Errorf("%s: no script %s", row, m[1])
		}
	}
	for _, m := range testOf.FindAllStringSubmatch(cell, -1) {
		n++
		text := testsOf(t, texts, m[1])
		switch from := strings.Index(text, "\nfunc "+m[2]+"("); {
		case from < 0:
			t.Errorf("%s: no test %s in %s", row, m[2], m[1])
		case m[3] != "" && !strings.Contains(body(text[from+1:]), `"`+m[3]+`"`):
			t.Errorf("%s: %s.%s has no case %q", row, m[1], m[2], m[3])
		}
	}
	return n
}

// body is a function's text up to the next one's.
func body(text string) string {
	before, _, _ := strings.Cut(text, "\n}\n")
	return before
}

// testsOf is the text of a package's tests.
func testsOf(t *testing.T, texts map[string]string, pkg string) string {
	t.Helper()
	if text, ok := texts[pkg]; ok {
		return text
	}
	names, err := filepath.Glob(filepath.Join(root, pkg, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		b.WriteString("\n" + string(data))
	}
	texts[pkg] = b.String()
	return texts[pkg]
}
