package evalkit

import (
	"bytes"
	"path"
	"strings"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/canonical"
	"github.com/replay-gate/replay-gate/verify/jsondoc"
)

// maxCaseFile bounds a case file, in bytes.
const maxCaseFile = 4 << 20

// declared says that cases come from the declaration.
const declared = "the declaration"

// cases are those of the fixture's own suite.
func (fx *fixture) cases() (ids []string, from string, known bool) {
	return fx.casesOf(fx.metaText("suiteId"))
}

// casesOf are all case ids of a suite: as declared, or from the case
// file that eval.config names beside the suite's name. known is false if they
// can't be told. from is where they were looked for.
func (fx *fixture) casesOf(suite string) (ids []string, from string, known bool) {
	if s := fx.f.suite(suite); s != nil && s.Cases != nil {
		return s.Cases, declared, true
	}
	from = fx.config.caseFile(suite)
	if from == "" {
		return nil, "", false
	}
	ids, known = caseIDs(fx.e.Tree, from)
	return ids, from, known
}

type casesKey string // path

type caseList struct {
	ids   []string
	known bool
}

// caseIDs reads the ids in a case file, JSON Lines or a YAML list. Like the
// tool it has no use for a file with anything wrong in it.
func caseIDs(t *verify.Tree, name string) (ids []string, known bool) {
	l := verify.Once(t, casesKey(name), func(t *verify.Tree) caseList {
		data, err := t.ReadFile(name, maxCaseFile)
		if err != nil {
			return caseList{}
		}
		data = bytes.TrimPrefix(data, []byte(byteOrderMark))
		switch strings.ToLower(path.Ext(name)) {
		case ".jsonl":
			return jsonCases(data)
		case ".yaml", ".yml":
			return yamlCases(data)
		}
		return caseList{}
	})
	return l.ids, l.known
}

// jsonCases reads one case a line; lines that start with // or # are comments.
func jsonCases(data []byte) caseList {
	l := caseList{known: true}
	for text := range bytes.Lines(data) {
		text = bytes.TrimSpace(text)
		if len(text) == 0 || text[0] == '#' || bytes.HasPrefix(text, []byte("//")) {
			continue
		}
		doc := jsondoc.Parse(text)
		id := doc.Root.Get("id")
		if doc.Err != nil || !id.Is(jsondoc.String) {
			return caseList{}
		}
		l.ids = append(l.ids, id.Text())
	}
	return l
}

func yamlCases(data []byte) caseList {
	v, err := canonical.Parse(data)
	if err != nil {
		return caseList{}
	}
	items, ok := v.([]canonical.Value)
	if !ok {
		return caseList{}
	}
	l := caseList{known: true}
	for _, item := range items {
		object, ok := item.(*canonical.Object)
		if !ok {
			return caseList{}
		}
		id, _ := object.Get("id")
		text, ok := id.(string)
		if !ok {
			return caseList{}
		}
		l.ids = append(l.ids, text)
	}
	return l
}

// stillListed is where the case of the fixture <folder>/<stem>.jsonl is listed;
// empty if it isn't.
func (f Format) stillListed(tree *verify.Tree, project, folder, stem string) string {
	for _, s := range f.Suites {
		if fixtureName(s.Name) == folder && s.Cases != nil {
			if fixtureNames(tree, s.Cases)[stem] {
				return declared
			}
			return ""
		}
	}
	c := findConfig(tree, project)
	if c == nil {
		return ""
	}
	suite, named := c.names[folder]
	if !named {
		return ""
	}
	if file := c.caseFile(suite); file != "" {
		if ids, known := caseIDs(tree, file); known {
			if fixtureNames(tree, ids)[stem] {
				return path.Base(file)
			}
			return ""
		}
	}
	if _, named := c.names[stem]; named {
		return c.base()
	}
	return ""
}

// namesKey is a list of ids, by where it is kept.
type namesKey struct {
	first *string
	count int
}

// fixtureNames are the names of the fixtures of cases, made once for a tree: a
// change may remove as many fixtures as there are cases.
func fixtureNames(t *verify.Tree, ids []string) map[string]bool {
	if len(ids) == 0 {
		return nil
	}
	return verify.Once(t, namesKey{&ids[0], len(ids)}, func(*verify.Tree) map[string]bool {
		names := make(map[string]bool, len(ids))
		for _, id := range ids {
			names[fixtureName(id)] = true
		}
		return names
	})
}
