package evalkit

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/replay-gate/replay-gate/verify"
)

// maxDead bounds the fixtures that a split suite names and a verdict rests on.
const maxDead = 100

// suite is what the fixtures in one folder say together. The hash covers the
// suite's name and targetVersion and nothing else, so there is one hash in a
// folder, or some of its fixtures are dead.
type suite struct {
	fixtures []sibling          // those that belong in the folder, by path
	newestOf map[string]sibling // by hash
	newest   sibling            // recorded last
	rival    sibling            // recorded last of those with another hash than newest
}

// sibling is one fixture of a suite.
type sibling struct {
	path       string
	hash       string
	recordedAt time.Time
}

type suiteKey string // path of the folder

// suiteIn reads the first line of every fixture in a folder, once per tree.
func suiteIn(t *verify.Tree, dir string) *suite {
	return verify.Once(t, suiteKey(dir), func(t *verify.Tree) *suite {
		s := &suite{newestOf: make(map[string]sibling)}
		folder := path.Base(dir)
		for _, name := range t.Under(dir) {
			if path.Dir(name) != dir || !strings.HasSuffix(name, fixtureEnding) {
				continue
			}
			data, err := t.ReadFile(name, verify.MaxEvidence)
			if err != nil {
				continue
			}
			fx := fixture{}
			fx.lines, _, _ = readLines(data, 1)
			hash := fx.metaText("configHash")
			if !isConfigHash(hash) || fixtureName(fx.metaText("suiteId")) != folder {
				continue // fails on its own account, and says nothing about this suite
			}
			at, _ := parseTime(fx.metaText("recordedAt"))
			s.add(sibling{name, strings.Clone(hash), at})
		}
		for _, f := range s.newestOf {
			if f.hash != s.newest.hash && (s.rival.path == "" || f.later(s.rival)) {
				s.rival = f
			}
		}
		return s
	})
}

func (s *suite) add(f sibling) {
	s.fixtures = append(s.fixtures, f)
	if n, ok := s.newestOf[f.hash]; !ok || f.later(n) {
		s.newestOf[f.hash] = f
	}
	if s.newest.path == "" || f.later(s.newest) {
		s.newest = f
	}
}

// later orders by time of recording, and by path where that is the same.
func (f sibling) later(g sibling) bool {
	if c := f.recordedAt.Compare(g.recordedAt); c != 0 {
		return c > 0
	}
	return f.path < g.path
}

// live is the hash that the suite is now recorded with: the expected one, if
// any fixture has it, else that of the fixture recorded last. It is empty when
// two of them share that time.
func (s *suite) live(expected string) string {
	if _, ok := s.newestOf[expected]; ok {
		return expected
	}
	if s.rival.recordedAt.Equal(s.newest.recordedAt) {
		return ""
	}
	return s.newest.hash
}

type deadKey struct{ dir, live string }

// dead lists fixtures that have another hash than live, at most maxDead.
func (s *suite) dead(t *verify.Tree, dir, live string) []string {
	return verify.Once(t, deadKey{dir, live}, func(*verify.Tree) []string {
		var paths []string
		for _, f := range s.fixtures {
			if f.hash != live && len(paths) < maxDead {
				paths = append(paths, f.path)
			}
		}
		return paths
	})
}

// suiteSplit is what one fixture has to say about a suite with several hashes.
type suiteSplit struct {
	code, reason string
	observed     string
	// witnesses are the fixtures that the verdict rests on; with them and the
	// fixture itself alone it is the same.
	witnesses []string
}

// suiteSplit judges whether the fixture's suite has one hash; nil if it has, or
// if the fixture does not belong to the suite of its folder.
func (fx *fixture) suiteSplit() *suiteSplit {
	hash := fx.metaText("configHash")
	if !isConfigHash(hash) || fixtureName(fx.metaText("suiteId")) != fx.folder {
		return nil
	}
	t, dir := fx.e.Tree, path.Dir(fx.e.Path)
	s := suiteIn(t, dir)
	if len(s.newestOf) < 2 {
		return nil
	}
	live := s.live(fx.expectedHash())
	sp := &suiteSplit{witnesses: []string{s.newest.path, s.rival.path}}
	switch live {
	case "":
		other := s.newest
		if other.hash == hash {
			other = s.rival
		}
		sp.code, sp.observed = "suite-split", other.hash
		sp.reason = fmt.Sprintf("the suite has two hashes, recorded at the same time: %s has another, and the tool can replay only one",
			quote(path.Base(other.path)))
	case hash:
		dead := s.dead(t, dir, live)
		sp.witnesses = append(append(sp.witnesses, s.newestOf[live].path), dead...)
		sp.code, sp.observed = "suite-split", live
		sp.reason = "the suite has two hashes: " + counted(dead)
	default:
		sp.witnesses = append(sp.witnesses, s.newestOf[live].path)
		sp.code, sp.observed = "dead", live
		sp.reason = fmt.Sprintf("dead: the suite has two hashes, and its current one is that of %s; the tool will refuse this fixture",
			quote(path.Base(s.newestOf[live].path)))
	}
	slices.Sort(sp.witnesses)
	sp.witnesses = slices.DeleteFunc(slices.Compact(sp.witnesses), func(p string) bool { return p == fx.e.Path })
	return sp
}

// counted words the dead fixtures: "2 fixtures are dead: a.jsonl, b.jsonl".
func counted(dead []string) string {
	const most = 3
	var names []string
	for _, p := range dead[:min(most, len(dead))] {
		names = append(names, shown(path.Base(p), longest))
	}
	if len(dead) > most {
		names = append(names, "…")
	}
	count := fmt.Sprintf("%d fixtures are", len(dead))
	switch len(dead) {
	case 1:
		count = "1 fixture is"
	case maxDead:
		count = fmt.Sprintf("%d fixtures or more are", maxDead)
	}
	return count + " dead: " + strings.Join(names, ", ")
}

// suiteHash judges the rule of one hash for each suite.
func (j *checker) suiteHash() {
	n := j.metaNode("configHash")
	if n == nil || !isConfigHash(n.Text()) || j.metaNode("suiteId") == nil ||
		fixtureName(j.metaText("suiteId")) != j.folder {
		return
	}
	c := j.OK("suite.configHash", j.line(1).spot(n), "")
	if sp := j.suiteSplit(); sp != nil {
		c.Status, c.Code, c.Reason, c.Observed = verify.Fail, sp.code, sp.reason, sp.observed
		j.rerecord(c)
	}
}

// inputs are the files that the verdict rests on, besides the fixture.
func (fx *fixture) inputs() []verify.Input {
	var all []verify.Input
	_, from, _ := fx.cases()
	listed := from != "" && from != declared
	if fx.config != nil {
		all = append(all, verify.Input{Role: "config", Path: fx.config.path, Place: verify.PlaceInputs})
		for _, name := range fx.config.modules {
			all = append(all, verify.Input{Role: "config", Path: name, Place: verify.PlaceInputs})
		}
	}
	if listed {
		all = append(all, verify.Input{
			Role: "cases", Path: from, Missing: !fx.e.Tree.Exists(from), Place: verify.PlaceInputs,
		})
	}
	others, _, first := fx.suiteFiles()
	if first {
		witnesses, _ := fx.otherSuites()
		others = append(others, witnesses...)
	}
	if sp := fx.suiteSplit(); sp != nil {
		others = append(others, sp.witnesses...)
	}
	slices.Sort(others)
	for _, p := range slices.Compact(others) {
		if p != fx.e.Path {
			all = append(all, verify.Input{Role: "fixture", Path: p, Place: verify.PlaceCassettes})
		}
	}
	return all
}
