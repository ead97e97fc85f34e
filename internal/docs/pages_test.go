package main

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/replay-gate/replay-gate/gate"
)

const root = "../.."

// pages are the texts for people, by their paths from the root.
func pages(t *testing.T) map[string]string {
	t.Helper()
	found := make(map[string]string)
	for _, glob := range []string{"*.md", "docs/*.md", "examples/*/README.md", "testdata/*.md", "testdata/*/README.md"} {
		names, err := filepath.Glob(filepath.Join(root, glob))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			rel, _ := filepath.Rel(root, name)
			found[filepath.ToSlash(rel)] = string(data)
		}
	}
	return found
}

var (
	fences  = regexp.MustCompile("(?ms)^ *```.*?^ *```$")
	spans   = regexp.MustCompile("`[^`\n]*`")
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)|(?:src|srcset|href)="([^"]+)"`)
	heading = regexp.MustCompile(`(?m)^#{1,6} +(.+?) *$`)
	unsaid  = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
)

// anchors are the names that GitHub gives to a page's headings.
func anchors(page string) map[string]bool {
	found := make(map[string]bool)
	for _, m := range heading.FindAllStringSubmatch(fences.ReplaceAllString(page, ""), -1) {
		name := strings.ToLower(unsaid.ReplaceAllString(m[1], ""))
		found[strings.ReplaceAll(name, " ", "-")] = true
	}
	return found
}

// Every link between the pages leads to a file that there is, and to a heading in it
// (issue 17: links and commands are under test).
func TestLinks(t *testing.T) {
	t.Parallel()
	all := pages(t)
	checked := 0
	for _, name := range slices.Sorted(maps.Keys(all)) {
		text := spans.ReplaceAllString(fences.ReplaceAllString(all[name], ""), "")
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			target := m[1] + m[2]
			if strings.Contains(target, "://") || strings.HasPrefix(target, "mailto:") {
				continue
			}
			checked++
			file, anchor, _ := strings.Cut(target, "#")
			to := name
			if file != "" {
				to = filepath.ToSlash(filepath.Join(filepath.Dir(name), file))
			}
			if _, err := os.Stat(filepath.Join(root, to)); err != nil {
				t.Errorf("%s: %s leads to no file", name, target)
			} else if anchor != "" && !anchors(all[to])[anchor] {
				t.Errorf("%s: %s leads to no heading of %s", name, target, to)
			}
		}
	}
	if checked < 40 {
		t.Errorf("only %d links found", checked)
	}
}

// The README is what a stranger needs (issue 17), and leads to every page there is.
func TestReadmeIsShortAndLeadsEverywhere(t *testing.T) {
	t.Parallel()
	all := pages(t)
	if n := strings.Count(all["README.md"], "\n"); n >= 150 {
		t.Errorf("the README has %d lines", n)
	}
	for name := range all {
		if (strings.HasPrefix(name, "docs/") || !strings.Contains(name, "/")) && name != "README.md" &&
			!strings.Contains(all["README.md"], "]("+name+")") {
			t.Errorf("the README does not lead to %s", name)
		}
	}
}

// The table of kinds is what they say of themselves.
func TestEvidenceListsTheKinds(t *testing.T) {
	t.Parallel()
	page := pages(t)["docs/evidence.md"]
	want := kinds(gate.Formats())
	if !strings.Contains(page, "kinds prints. -->\n"+want+"<!-- ") {
		t.Errorf("docs/evidence.md does not have what go run ./internal/docs kinds prints:\n%s", want)
	}
	for _, f := range gate.Formats() {
		if strings.Count(page, "\n| `"+f.Kind()+"` |") < 2 {
			t.Errorf("docs/evidence.md does not say what is checked of the kind %s", f.Kind())
		}
	}
}
