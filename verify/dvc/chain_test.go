package dvc

import (
	"fmt"
	"strings"
	"testing"
)

// What git does not hold is compared with who recorded it: a stage of the same lock that
// dvc.yaml still lists, of another lock, or the folder that it lies in.
func TestChain(t *testing.T) {
	t.Parallel()
	dirOf := func(path, hash string) string {
		return fmt.Sprintf("    - {path: %s, hash: md5, md5: %s.dir, size: 1, nfiles: 1}\n", path, hash)
	}
	pipe := func(aOuts, bDeps, rest string) string {
		return "stages:\n  a:\n    cmd: run a\n    deps: [src]\n    outs: [" + aOuts + "]\n" + rest + "  b:\n    cmd: run b\n    deps: [" + bDeps + "]\n"
	}
	lock := func(aOuts, bDeps string) string {
		return "schema: '2.0'\nstages:\n  a:\n    cmd: run a\n    deps:\n" + entryOf("src", "s") + "    outs:\n" + aOuts +
			"  b:\n    cmd: run b\n    deps:\n" + bDeps
	}
	one, two := entryOf("m.bin", "1"), entryOf("m.bin", "2")
	const out = "info stages.a.outs.m.bin not-in-git?\n"
	for _, tc := range []struct {
		name, pipe, lock, want string
		more                   map[string]string
	}{
		{"the same", pipe("m.bin", "m.bin", ""), lock(one, one), out, nil},
		{"another", pipe("m.bin", "m.bin", ""), lock(one, two), out + "FAIL stages.b.deps.m.bin chain-broken\n", nil},
		{"spelled otherwise", pipe("./m.bin", "m.bin", ""), lock(one, two), out + "FAIL stages.b.deps.m.bin chain-broken\n", nil},
		{"of a stage whose outputs can't be told", pipe("m.bin, '${no}'", "m.bin", ""), lock(one, two), out + "FAIL stages.b.deps.m.bin chain-broken\n", nil},
		{"of a stage that no longer writes it", pipe("n.bin", "m.bin", ""), lock(one, two),
			"info stages.a.outs.m.bin no-longer-listed\nFAIL stages.a.outs.n.bin not-recorded\ninfo stages.b.deps.m.bin not-in-git?\n", nil},
		{"of a stage whose folder can't be told", pipe("m.bin", "m.bin", "    wdir: '${no}'\n"), lock(one, two),
			"info stages.a.wdir templated\ninfo stages.a.cmd templated?\ninfo stages.a.deps.src templated?\ninfo stages.a.outs.m.bin templated?\ninfo stages.b.deps.m.bin not-in-git?\n", nil},
		{"inside of a folder", pipe("d", "d/e/x", ""), lock(dirOf("d", sum("l")), entryOf("d/e/x", "1")),
			"info stages.a.outs.d not-in-git?\ninfo stages.b.deps.d/e/x not-in-git?\n", nil},
		{"a folder, the same", pipe("d", "d", ""), lock(dirOf("d", sum("l")), dirOf("d", sum("l"))), "info stages.a.outs.d not-in-git?\n", nil},
		{"a folder, another", pipe("d", "d", ""), lock(dirOf("d", sum("l")), dirOf("d", sum("k"))),
			"info stages.a.outs.d not-in-git?\nFAIL stages.b.deps.d chain-broken\n", nil},
		{"a folder of which git has a part", pipe("d", "d", ""), lock(dirOf("d", sum("l")), dirOf("d", sum("k"))),
			"info stages.a.outs.d not-in-git?\nFAIL stages.b.deps.d chain-broken\n", map[string]string{"d/.gitignore": "x\n"}},
		{"another lock's", pipe("n", "m.bin", ""), lock(entryOf("n", "n"), two), "info stages.a.outs.n not-in-git?\nFAIL stages.b.deps.m.bin chain-broken\n",
			map[string]string{
				"sub/dvc.yaml": "stages:\n  o:\n    cmd: run\n    outs: [../m.bin]\n",
				"sub/dvc.lock": "schema: '2.0'\nstages:\n  o:\n    cmd: run\n    outs:\n" + entryOf("../m.bin", "1"),
			}},
		{"another lock's, broken", pipe("n", "m.bin", ""), lock(entryOf("n", "n"), two), "info stages.a.outs.n not-in-git?\ninfo stages.b.deps.m.bin not-in-git?\n",
			map[string]string{"sub/dvc.yaml": "stages:\n  o:\n    cmd: run\n    outs: [../m.bin]\n", "sub/dvc.lock": "<<<<<<< a\n"}},
		{"by another rule", pipe("m.bin", "m.bin", ""), lock(strings.Replace(one, "      hash: md5\n", "", 1), two), out + "info stages.b.deps.m.bin other-generation\n", nil},
		{"without a hash", pipe("m.bin", "m.bin", ""), lock("    - {path: m.bin, size: 1}\n", two), "FAIL stages.a.outs.m.bin no-hash\ninfo stages.b.deps.m.bin not-in-git?\n", nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			files := map[string]string{"dvc.yaml": tc.pipe, lockName: tc.lock, "src": "s"}
			for name, text := range tc.more {
				files[name] = text
			}
			r := judged(t, files, lockName)
			if got := proofs(r); got != tc.want {
				t.Errorf("\n%swant\n%s", got, tc.want)
			}
			switch c := rowOf(r, "stages.b.deps.m.bin"); tc.name {
			case "by another rule":
				if !strings.Contains(c.Reason, "(DVC 2)") || c.Observed != sum("1") {
					t.Errorf("%+v", c)
				}
			case "another lock's":
				if !strings.Contains(c.Reason, "stage o of sub/dvc.lock records other content") {
					t.Errorf("%+v", c)
				}
			}
			if tc.name == "inside of a folder" {
				if c := rowOf(r, "stages.b.deps.d/e/x"); !strings.Contains(c.Reason, "inside of what stage a records") {
					t.Errorf("%+v", c)
				}
			}
		})
	}
}

// A folder is completed with what stages write into it and git does not hold.
func TestFolderWithResults(t *testing.T) {
	t.Parallel()
	listing := treeHash([]member{{"a", sum("1"), true}, {"m.bin", sum("2"), false}})
	for _, tc := range []struct{ name, recorded, out, want string }{
		{"holds", listing, entryOf("src/m.bin", "2"), ""},
		{"differs", listing, entryOf("src/m.bin", "3"), "FAIL stages.b.deps.src folder-differs\n"},
		{"by another rule", listing, strings.Replace(entryOf("src/m.bin", "2"), "      hash: md5\n", "", 1), "warn stages.b.deps.src folder-differs?\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			r := judged(t, map[string]string{
				"src/a":    "1",
				"dvc.yaml": "stages:\n  a:\n    cmd: run a\n    deps: [src/a]\n    outs: [src/m.bin]\n  b:\n    cmd: run b\n    deps: [src]\n",
				"dvc.lock": "schema: '2.0'\nstages:\n  a:\n    cmd: run a\n    deps:\n" + entryOf("src/a", "1") + "    outs:\n" + tc.out +
					"  b:\n    cmd: run b\n    deps:\n    - {path: src, hash: md5, md5: " + tc.recorded + ", size: 2, nfiles: 2}\n",
			}, lockName)
			want := "info stages.a.outs.src/m.bin not-in-git?\n" + tc.want
			if got := proofs(r); got != want {
				t.Errorf("\n%swant\n%s", got, want)
			}
		})
	}
}

// One edit has one story: of all stages that read it, those first that the others come after.
func TestFollows(t *testing.T) {
	t.Parallel()
	r := judged(t, map[string]string{
		"p": "2", "params.yaml": "x: 2\ny: 2\n",
		"dvc.yaml": "stages:\n  b:\n    cmd: run b\n    deps: [p, w/d]\n    params: [x, y]\n    outs: [b.json: {cache: false}]\n" +
			"  a:\n    cmd: run a\n    deps: [p]\n    params: [x]\n    outs: [w/d/e/f]\n  c:\n    cmd: run c\n    deps: [b.json]\n",
		"dvc.lock": "schema: '2.0'\nstages:\n  b:\n    cmd: run b\n    deps:\n" + entryOf("p", "1") + "    params:\n      params.yaml: {x: 1, y: 1}\n" +
			"  a:\n    cmd: run a\n    deps:\n" + entryOf("p", "1") + "    params:\n      params.yaml: {x: 1}\n  c:\n    cmd: run c\n",
	}, lockName)
	want := map[string]string{
		"stages.a.deps.p":               "a and 2 stages after it (b, c) have not been run again; b.json still shows the old run",
		"stages.b.params.params.yaml:x": "a and 2 stages after it (b, c) have not been run again; b.json still shows the old run",
	}
	want["stages.b.deps.p"], want["stages.b.params.params.yaml:y"] = want["stages.a.deps.p"], want["stages.b.params.params.yaml:x"]
	for field, follows := range want {
		if c := rowOf(r, field); c.Follows != follows {
			t.Errorf("%s: %q", field, c.Follows)
		}
	}
	if c := rowOf(r, "stages.b.deps.p"); !strings.HasPrefix(c.Reason, "changed: b and 1 stage after it (c) have not been run again") {
		t.Errorf("%q", c.Reason)
	}
}
