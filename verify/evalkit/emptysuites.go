package evalkit

import (
	"fmt"
	"path"
)

// listedSuites are the suites whose cases are known, in the order of the declaration and
// then of eval.config.
func (fx *fixture) listedSuites() []string {
	var names []string
	seen := make(map[string]bool)
	add := func(name string) {
		if ids, _ := fx.listedCases(name); !seen[name] && len(ids) > 0 && len(names) < maxCases {
			names = append(names, name)
		}
		seen[name] = true
	}
	for _, s := range fx.f.Suites {
		add(s.Name)
	}
	if fx.config != nil {
		for _, x := range fx.config.texts {
			if x.key == "name" && !x.computed && fx.config.isSuite(x.object) {
				add(x.value)
			}
		}
	}
	return names
}

// fixtureIn is a fixture of a suite beside this one's; empty if there is none, so that the
// suite can't be replayed at all.
func (fx *fixture) fixtureIn(suite string) string {
	t, dir := fx.e.Tree, path.Join(path.Dir(path.Dir(fx.e.Path)), fixtureName(suite))
	ids, _ := fx.listedCases(suite)
	for _, id := range ids {
		if name := path.Join(dir, fixtureName(id)+fixtureEnding); t.Exists(name) {
			return name
		}
	}
	if others := t.Under(dir); len(others) > 0 {
		return others[0] // of cases that are not listed, which its own rows say
	}
	return ""
}

// otherSuites are the suites of the project without any fixture, said by the first fixture
// of the first suite that has some. files are the fixtures that this rests on: one of each
// suite for that fixture, one of the first suite for all others.
func (fx *fixture) otherSuites() (files, empty []string) {
	own := fx.metaText("suiteId")
	before := true // no suite with fixtures stands before this one
	for _, suite := range fx.listedSuites() {
		if suite == own {
			before = false
			continue
		}
		switch at := fx.fixtureIn(suite); {
		case at == "":
			empty = append(empty, suite)
		case before:
			return []string{at}, nil
		default:
			files = append(files, at)
		}
	}
	if before {
		return nil, nil // its own cases are not known: it speaks for no other suite
	}
	return files, empty
}

// emptySuites judges whether the other suites have any fixture: in replay the first case of
// one that has none is an error, and ends the run.
func (j *checker) emptySuites() {
	if _, _, first := j.suiteFiles(); !first {
		return
	}
	_, empty := j.otherSuites()
	if len(empty) == 0 {
		return
	}
	names := make([]string, 0, len(empty))
	for _, suite := range empty {
		names = append(names, quote(suite))
	}
	c := j.Add(j.worse(), "suite.fixtures", start, "suite-without-fixture",
		fmt.Sprintf(`no fixture at all for suite %s, whose cases are listed: replay will stop with "No fixture found"`, list(names)))
	j.record(c, empty[0])
}
