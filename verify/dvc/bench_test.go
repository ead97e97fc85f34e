package dvc

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/replay-gate/replay-gate/verify"
)

// large is a pipeline of 200 stages, each with two dependencies, two parameters and an
// output, and one that reads a folder of 20,000 files.
func large() fstest.MapFS {
	fsys := make(fstest.MapFS)
	put := func(name, text string) { fsys[name] = &fstest.MapFile{Data: []byte(text)} }
	var pipeline, recorded, params strings.Builder
	pipeline.WriteString("stages:\n")
	recorded.WriteString("schema: '2.0'\nstages:\n")
	entry := func(name, text string) {
		fmt.Fprintf(&recorded, "    - path: %s\n      hash: md5\n      md5: %s\n      size: %d\n", name, Hash([]byte(text), verify.HashMD5), len(text))
	}
	for i := range 200 {
		code, in, out := fmt.Sprintf("src/s%d.py", i), fmt.Sprintf("out/%d.json", i), fmt.Sprintf("out/%d.json", i+1)
		put(code, code)
		put(in, in)
		put(out, out)
		fmt.Fprintf(&params, "s%d: {a: 1, b: 0.5}\n", i)
		fmt.Fprintf(&pipeline, "  s%d:\n    cmd: python %s\n    deps: [%s, %s]\n    params: [s%d.a, s%d.b]\n    outs: [%s: {cache: false}]\n", i, code, code, in, i, i, out)
		fmt.Fprintf(&recorded, "  s%d:\n    cmd: python %s\n    deps:\n", i, code)
		entry(code, code)
		entry(in, in)
		fmt.Fprintf(&recorded, "    params:\n      params.yaml:\n        s%d.a: 1\n        s%d.b: 0.5\n    outs:\n", i, i)
		entry(out, out)
	}
	var members []member
	for i := range 20_000 {
		rel := fmt.Sprintf("%02d/%05d.txt", i%50, i)
		text := strings.Repeat(rel+"\n", 20)
		put("data/"+rel, text)
		members = append(members, member{rel, Hash([]byte(text), verify.HashMD5), true})
	}
	byRel := make(map[string]member)
	for _, m := range members {
		byRel[m.rel] = m
	}
	pipeline.WriteString("  all:\n    cmd: cat data\n    deps: [data]\n    outs: [all.txt]\n")
	fmt.Fprintf(&recorded, "  all:\n    cmd: cat data\n    deps:\n    - path: data\n      hash: md5\n      md5: %s\n      size: 1\n      nfiles: 20000\n", treeHash(ordered(byRel)))
	fmt.Fprintf(&recorded, "    outs:\n    - path: all.txt\n      hash: md5\n      md5: %032d\n      size: 1\n", 7)
	put("dvc.yaml", pipeline.String())
	put("dvc.lock", recorded.String())
	put("params.yaml", params.String())
	put(".dvcignore", "*.pyc\n__pycache__/\n!keep.pyc\nlogs/**\n")
	return fsys
}

func TestLargePipeline(t *testing.T) {
	t.Parallel()
	r := Format{}.Verify(t.Context(), &verify.Evidence{Path: lockName, Tree: verify.NewTree(large())})
	if r.Count(verify.Fail) > 0 || r.Count(verify.Warn) > 0 || r.Count(verify.OK) != 200*6+2 {
		t.Errorf("%d ok\n%s", r.Count(verify.OK), told(r))
	}
}

func BenchmarkLargePipeline(b *testing.B) {
	fsys := large()
	b.ReportAllocs()
	for b.Loop() {
		Format{}.Verify(b.Context(), &verify.Evidence{Path: lockName, Tree: verify.NewTree(fsys)})
	}
}
