package cli

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/replay-gate/replay-gate/gate"
	"github.com/replay-gate/replay-gate/gate/change"
	"github.com/replay-gate/replay-gate/gate/config"
	"github.com/replay-gate/replay-gate/gate/judge"
	"github.com/replay-gate/replay-gate/verify"
)

// maxLook bounds the files that are looked into for evidence at unusual places.
const maxLook = 2000

// look is what init finds besides evidence where it is expected.
type look struct {
	elsewhere []misplaced
	globs     map[string][]string // the default ones of the kinds that lie elsewhere
	runsGate  string              // the workflow that runs the gate already
	ignored   bool                // whether git ignores bundles
}

// misplaced is evidence where no glob looks.
type misplaced struct {
	Path  string `json:"path"`
	Kind  string `json:"kind"`
	Title string `json:"title"`
}

// unmistakable are the kinds whose marks no other tool's file has.
var unmistakable = []string{"ahd", "pin"}

func lookAround(root string) (*look, error) {
	f, err := filesAt(root)
	if err != nil {
		return nil, err
	}
	defer f.close()
	t := verify.NewTree(f)
	l := &look{elsewhere: []misplaced{}, globs: make(map[string][]string)}
	l.misplaced(t, f.own)
	for _, name := range t.Under(".github/workflows") {
		text, err := t.ReadFile(name, 1<<20)
		if err == nil && (strings.Contains(string(text), "replay-gate/replay-gate@") || strings.Contains(string(text), "replay-gate gate")) {
			l.runsGate = name
		}
	}
	text, _ := t.ReadFile(".gitignore", 1<<20) // without one nothing is ignored
	for line := range strings.Lines(string(text)) {
		line = strings.Trim(strings.TrimSpace(line), "/*")
		l.ignored = l.ignored || line == gate.DefaultBundleDir || line == ".assay"
	}
	return l, nil
}

// misplaced finds evidence with marks that leave no doubt, and no glob that matches.
func (l *look) misplaced(t *verify.Tree, own func(path string) bool) {
	s, _, err := change.ReadSettings(t, gate.Formats())
	if err != nil {
		return // the run before has said so
	}
	var all, sure []judge.Kind
	for _, f := range s.Formats {
		globs, ok := s.Evidence[f.Kind()]
		if !ok {
			globs = f.Patterns()
		}
		k := judge.Kind{Format: f, Globs: globs}
		if all = append(all, k); slices.Contains(unmistakable, f.Kind()) {
			sure = append(sure, k)
		}
	}
	looked := 0
	for _, name := range t.Files() {
		if !strings.HasSuffix(name, ".json") || own(name) || slices.ContainsFunc(all, func(k judge.Kind) bool { return k.At(name) }) {
			continue
		}
		if looked++; looked > maxLook {
			return
		}
		data, err := t.ReadFile(name, verify.MaxEvidence)
		if err != nil || len(bytes.TrimSpace(data)) <= len("{}") {
			continue // nothing in it says whose it is
		}
		for _, k := range sure {
			if k.Marks(name, data) {
				l.elsewhere = append(l.elsewhere, misplaced{name, k.Kind(), k.Title()})
				l.globs[k.Kind()] = k.Globs
				break
			}
		}
	}
}

// settings are those under which what lies elsewhere is evidence.
func (l *look) settings() string {
	var b strings.Builder
	b.WriteString("# Where evidence lies, besides the usual places.\nevidence:\n")
	for _, kind := range slices.Sorted(maps.Keys(l.globs)) {
		fmt.Fprintf(&b, "  %s:\n", kind)
		globs := slices.Clone(l.globs[kind])
		for _, m := range l.elsewhere {
			if m.Kind == kind {
				globs = append(globs, config.Literal(m.Path))
			}
		}
		for _, g := range globs {
			fmt.Fprintf(&b, "    - %q\n", g)
		}
	}
	return b.String()
}
