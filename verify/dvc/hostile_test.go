package dvc

import (
	"fmt"
	"strings"
	"testing"

	"github.com/replay-gate/replay-gate/verify"
)

// Texts made to cost much: each is refused or cut short, with a FAIL, and there are never
// more rows than a report can hold.
func TestHostileTextsAreBounded(t *testing.T) {
	t.Parallel()
	x := strings.Repeat
	var deps, list, bomb, groups strings.Builder
	for i := range 30_000 {
		fmt.Fprintf(&deps, "    - path: d%d\n      md5: %032x\n      size: 1\n", i, i)
		fmt.Fprintf(&list, "    - d%d\n", i)
	}
	bomb.WriteString("l0: &l0 [x, x, x, x, x, x, x, x]\n")
	for i := 1; i < 12; i++ {
		fmt.Fprintf(&bomb, "l%d: &l%d [*l%d, *l%d, *l%d, *l%d]\n", i, i, i-1, i-1, i-1, i-1)
	}
	for g := range 20 {
		fmt.Fprintf(&groups, "  g%d:\n    foreach: ${items}\n    do:\n      cmd: run ${item}\n      deps: &d%d\n%s", g, g, x("      - ${item}/a.txt\n", 200))
	}
	items := "items: [" + x("a, ", 100)
	for i := range 1500 {
		items += fmt.Sprintf("i%d, ", i)
	}
	lock := "schema: '2.0'\nstages:\n  a:\n    cmd: run\n    deps:\n"
	pipeline := "stages:\n  a:\n    cmd: run\n    deps:\n"
	for name, files := range map[string]map[string]string{
		"many dependencies": {"dvc.lock": lock + deps.String(), "dvc.yaml": pipeline + list.String()},
		"not recorded":      {"dvc.lock": lock + "    - path: x\n", "dvc.yaml": pipeline + list.String()},
		"aliases":           {"dvc.lock": "schema: '2.0'\nstages:\n  a:\n    cmd: run\n    params:\n      params.yaml:\n        l11: 1\n", "dvc.yaml": "stages:\n  a:\n    cmd: run\n    params: [l11]\n", "params.yaml": bomb.String()},
		"a group":           {"dvc.lock": lock + "    - path: x\n", "dvc.yaml": "stages:\n" + groups.String(), "params.yaml": items + "z]\n"},
		"a deep path":       {"dvc.lock": lock + "    - path: " + x("a/", 100_000) + "b\n      md5: abc\n", "dvc.yaml": "stages: {b: {cmd: run}, a: {cmd: run2}}"},
		"a group of groups": {"dvc.lock": "schema: '2.0'\nstages:\n  " + x("@", 50_000) + ": {cmd: x}\n", "dvc.yaml": "stages: {'@': {foreach: '${no}', do: {cmd: x}}, a: {}}"},
		"a long pattern":    {"dvc.lock": lock + "    - path: src\n      md5: " + x("0", 32) + ".dir\n      nfiles: 1\n", "dvc.yaml": pipeline + "    - src\n", ".dvcignore": x("**/a*", 100_000), "src/a": ""},
		"TOML":              {"dvc.lock": "schema: '2.0'\nstages:\n  a:\n    cmd: run\n    params:\n      p.toml:\n        a: 1\n", "dvc.yaml": "stages:\n  a:\n    cmd: ru\n    params: [{p.toml: [a]}]\n", "p.toml": "a = " + x("[", 200_000)},
		"dotted TOML":       {"dvc.lock": "schema: '2.0'\nstages:\n  a:\n    cmd: run\n    params:\n      p.toml:\n        a: 1\n", "dvc.yaml": "stages:\n  a:\n    cmd: ru\n    params: [{p.toml: [a]}]\n", "p.toml": "a" + x(".a", 100_000) + " = 1\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := judged(t, files, lockName)
			if r.Count(verify.Fail) == 0 || len(r.Checks) > 5000 || len(r.Inputs) > maxInputs {
				t.Errorf("%d rows, %d FAIL, %d inputs", len(r.Checks), r.Count(verify.Fail), len(r.Inputs))
			}
		})
	}
}
