package evalkit

import (
	"fmt"
	"path"
	"strings"

	"github.com/replay-gate/replay-gate/verify"
)

// maxCases bounds the cases of a suite that are looked for one by one.
const maxCases = 1000

// lacksSuite reports whether the config surely has no suite of that name, as after it was
// renamed: it names suites, none of them by what it computes or takes from other files.
func (c *evalConfig) lacksSuite(suite string) bool {
	if c == nil || c.truncated || suite == "" {
		return false
	}
	if _, named := c.names[fixtureName(suite)]; named {
		return false
	}
	suites := 0
	for _, x := range c.texts {
		relative := strings.HasPrefix(x.value, "./") || strings.HasPrefix(x.value, "../")
		switch {
		case x.key == "name" && x.computed, x.key == spread, relative && x.key != "cases":
			return false
		case x.key == "name" && c.isSuite(x.object):
			suites++
		}
	}
	return suites > 0
}

// inlineCases are the ids of the cases that stand in the suite's object itself. There may
// be more that can't be seen.
func (c *evalConfig) inlineCases(suite string) []string {
	if c == nil {
		return nil
	}
	own := c.objectOf(suite)
	var ids []string
	for _, x := range c.texts {
		if own != 0 && x.key == "id" && !x.computed && c.parents[x.object] == (parent{own, "cases"}) {
			ids = append(ids, x.value)
		}
	}
	return ids
}

// listedCases are cases of a suite that replay will ask for, and where they are listed.
func (fx *fixture) listedCases(suite string) (ids []string, from string) {
	ids, from, known := fx.casesOf(suite)
	if !known {
		ids, from = fx.config.inlineCases(suite), ""
		if fx.config != nil {
			from = fx.config.path
		}
	}
	if len(ids) > maxCases {
		return nil, ""
	}
	return ids, from
}

// suiteFiles are the fixtures of the suite that the rule of [judge.suiteCases] rests on: for the
// first of the suite those of all its cases, for any other one the first. missing are the
// cases without one.
func (fx *fixture) suiteFiles() (files, missing []string, first bool) {
	ids, _ := fx.listedCases(fx.metaText("suiteId"))
	if len(ids) == 0 || fixtureName(fx.metaText("suiteId")) != fx.folder {
		return nil, nil, false
	}
	t, dir := fx.e.Tree, path.Dir(fx.e.Path)
	s := suiteIn(t, dir)
	if len(s.fixtures) == 0 {
		return nil, nil, false
	}
	if at := s.fixtures[0].path; at != fx.e.Path {
		return []string{at}, nil, false
	}
	here := make(map[string]bool)
	for _, name := range t.Under(dir) {
		here[name] = true
	}
	for _, id := range ids {
		if name := path.Join(dir, fixtureName(id)+fixtureEnding); here[name] {
			files = append(files, name)
		} else {
			missing = append(missing, id)
		}
	}
	return files, missing, true
}

// suiteCases judges whether each case of the suite has a fixture, once for the suite: in
// replay a missing one is an error, and ends the run.
func (j *checker) suiteCases() {
	_, missing, first := j.suiteFiles()
	if !first {
		return
	}
	const field = "suite.cases"
	ids, from := j.listedCases(j.metaText("suiteId"))
	if len(missing) == 0 {
		j.OK(field, start, fmt.Sprintf("all %d have a fixture", len(ids)))
		return
	}
	names := make([]string, 0, maxListed)
	for _, id := range missing {
		if len(names) < maxListed {
			id = quote(id)
		}
		names = append(names, id)
	}
	where := from
	if from != declared {
		where = shown(path.Base(from), longest)
	}
	c := j.Add(j.worse(), field, start, "case-without-fixture",
		fmt.Sprintf(`no fixture for %s of %s: replay will stop with "No fixture found"`, list(names), where))
	j.rerecord(c)
}

// Awaited says where the case of the fixture that lay at name is still listed: declared,
// or named in eval.config or in a case file; empty if nowhere. The name of a fixture holds
// a hash of its case, so the case is found by its name alone.
func (f Format) Awaited(name string, tree *verify.Tree) (where string) {
	project, folder, file := f.split(name)
	stem, ok := strings.CutSuffix(file, fixtureEnding)
	if !ok {
		return ""
	}
	return f.stillListed(tree, project, folder, stem)
}
