package dvc

import (
	"maps"
	"slices"
	"testing"

	"github.com/replay-gate/replay-gate/verify"
)

// Which version of an input is the recorded one: whatever a row can be about, told from the
// content alone, as history has it. [Hash] has a test of its own.
func TestRecall(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"dvc.yaml": "stages:\n  train:\n    cmd: python ${script} --lr ${lr}\n    deps: [src/train.py, data.csv]\n    params: [lr, model]\n" +
			"  train.big:\n    cmd: run\n    deps: [old.txt]\n",
		"params.yaml":  "lr: 0.2\nscript: a.py\nmodel: {depth: 3}\n",
		"src/train.py": "changed\n", "old.txt": "changed\n",
		"data.csv.dvc": "outs:\n- path: data.csv\n  hash: md5\n  md5: 00000000000000000000000000000000\n",
		"dvc.lock": "schema: '2.0'\nstages:\n  train:\n    cmd: python a.py --lr 0.1\n    deps:\n" +
			"    - {path: src/train.py, hash: md5, md5: " + md5Of("hello world\n") + "}\n    - {path: data.csv, hash: md5, md5: " + md5Of("data") + "}\n" +
			"    params:\n      params.yaml: {lr: 0.1, model: {depth: 2}}\n" +
			"  train.big:\n    cmd: run\n    deps:\n    - {path: old.txt, md5: " + md5Of("a\nb\n") + "}\n",
	}
	e := &verify.Evidence{Path: lockName, Tree: treeOf(files)}
	r := Format{}.Verify(t.Context(), e)
	for _, tc := range []struct {
		field, path, content string
		want                 bool
	}{
		{"stages.train.deps.src/train.py", "src/train.py", "hello world\n", true},
		{"stages.train.deps.src/train.py", "src/train.py", "hello world\r\n", true}, // git has CRLF
		{"stages.train.deps.src/train.py", "src/train.py", "changed\n", false},
		{"stages.train.big.deps.old.txt", "old.txt", "a\r\nb\r\n", true}, // md5-dos2unix
		{"stages.train.deps.data.csv", "data.csv.dvc", "outs:\n- path: data.csv\n  hash: md5\n  md5: " + md5Of("data") + "\n", true},
		{"stages.train.deps.data.csv", "data.csv.dvc", "outs:\n- path: data.csv\n  md5: " + md5Of("data") + "\n", false}, // another generation
		{"stages.train.deps.data.csv", "data.csv.dvc", "outs: [\n", false},
		{"stages.train.params.params.yaml:lr", "params.yaml", "lr: 1.0e-1\n", true},
		{"stages.train.params.params.yaml:lr", "params.yaml", "lr: 0.2\n", false},
		{"stages.train.params.params.yaml:lr", "params.yaml", "other: 0.1\n", false},
		{"stages.train.params.params.yaml:lr", "params.yaml", "lr: [\n", false},
		{"stages.train.params.params.yaml:model", "params.yaml", "model:\n  depth: 2\n", true},
		{"stages.train.cmd", pipelineName, "stages:\n  train:\n    cmd: python a.py --lr 0.1\n", true},
		{"stages.train.cmd", pipelineName, "stages:\n  train:\n    cmd: python b.py\n", false},
		{"stages.train.cmd", pipelineName, "stages:\n  other:\n    cmd: python a.py --lr 0.1\n", false},
		{"stages.train.cmd", pipelineName, "stages: [\n", false},
	} {
		asked := false
		for _, in := range r.Inputs {
			if in.Field != tc.field || in.Path != tc.path {
				continue
			}
			asked = true
			holds := Format{}.Recall(e, in)
			if holds == nil {
				t.Errorf("%s: nothing can tell of %+v", tc.field, in)
			} else if got := holds([]byte(tc.content)); got != tc.want {
				t.Errorf("%s: %q holds: %t", tc.field, tc.content, got)
			}
		}
		if !asked {
			t.Errorf("no input %s of %s: %+v", tc.path, tc.field, r.Inputs)
		}
	}
	for _, in := range []verify.Input{
		{Role: "dep", Path: "src", Field: "stages.train.deps.src", Hash: md5Of("") + ".dir", Hashes: verify.HashMD5},
		{Role: "params", Path: "params.yaml"},
		{Role: "pipeline", Path: pipelineName, Field: "stages.nowhere.cmd"},
		{Role: "pipeline", Path: pipelineName, Field: "stages.train.wdir"},
		{Role: "lock", Path: "other/dvc.lock", Field: "stages.train.deps.data.csv"},
	} {
		if (Format{}).Recall(e, in) != nil {
			t.Errorf("%+v can't be told", in)
		}
	}
}

func md5Of(text string) string { return Hash([]byte(text), verify.HashMD5) }

// Which state of a folder is the recorded one: by its list of files, completed and thinned
// out as that of the tree that is judged.
func TestRecallFolder(t *testing.T) {
	t.Parallel()
	list := func(files ...string) string {
		var members []member
		for i := 0; i < len(files); i += 2 {
			members = append(members, member{files[i], md5Of(files[i+1]), true})
		}
		return treeHash(members)
	}
	lock := func(hash, more string) string {
		return "schema: '2.0'\nstages:\n  train:\n    cmd: run\n    deps:\n    - {path: data, hash: md5, md5: " + hash + more + "}\n"
	}
	tracked := "outs:\n- path: big\n  hash: md5\n  md5: " + md5Of("large") + "\n"
	const now = "now, with another file"
	for _, tc := range []struct {
		name, lock string
		then       map[string]string
		want       bool
	}{
		{"the recorded files", lock(list("a", "1", "b", "2"), ", nfiles: 2"), map[string]string{"data/a": "1", "data/b": "2"}, true},
		{"with the line ends of Windows", lock(list("a", "1\r\n"), ", nfiles: 1"), map[string]string{"data/a": "1\n"}, true},
		{"less what .dvcignore leaves out", lock(list("a", "1"), ", nfiles: 1"), map[string]string{"data/a": "1", "data/a.tmp": "x"}, true},
		{"with what a *.dvc file tracks", lock(list("big", "large", "big.dvc", tracked), ", nfiles: 2"), map[string]string{"data/big.dvc": tracked}, true},
		{"how many is not recorded", lock(list("a", "1"), ""), map[string]string{"data/a": "1"}, true},
		{"another content", lock(list("a", "1"), ", nfiles: 1"), map[string]string{"data/a": "2"}, false},
		{"the right list, of another number than recorded", lock(list("a", "1"), ", nfiles: 2"), map[string]string{"data/a": "1"}, false},
		{"nothing", lock(list("a", "1"), ", nfiles: 1"), nil, false},
	} {
		files := map[string]string{
			"dvc.yaml": "stages:\n  train:\n    cmd: run\n    deps: [data]\n", "dvc.lock": tc.lock, ".dvcignore": "*.tmp\n",
			"data/now": now, "data/now2": now, "data/now3": now,
		}
		e := &verify.Evidence{Path: lockName, Tree: treeOf(files)}
		r := Format{}.Verify(t.Context(), e)
		k := slices.IndexFunc(r.Checks, func(c verify.Check) bool { return c.Code == "folder-differs" })
		if k < 0 {
			t.Errorf("%s: the folder does not differ: %+v", tc.name, r.Checks)
			continue
		}
		holds := Format{}.RecallFolder(e, r.Checks[k])
		if holds == nil {
			t.Errorf("%s: nothing can tell", tc.name)
			continue
		}
		then := map[string]string{"dvc.yaml": files["dvc.yaml"], ".dvcignore": files[".dvcignore"]}
		maps.Copy(then, tc.then)
		if got := holds(treeOf(then)); got != tc.want {
			t.Errorf("%s: holds: %t", tc.name, got)
		}
		if other := r.Checks[k]; (Format{}).RecallFolder(e, verify.Check{Field: other.Field, Code: "not-in-git", Input: "data", Recorded: other.Recorded}) != nil {
			t.Errorf("%s: a row of another reason can be told", tc.name)
		}
	}
}
