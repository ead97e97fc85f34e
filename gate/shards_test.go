package gate_test

import (
	"crypto/md5"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/replay-gate/replay-gate/gate"
	"github.com/replay-gate/replay-gate/gate/shard"
)

// everything is a change that does to evidence of several kinds whatever a change can: claims
// and records, one run rewritten, one removed, one copied, one renamed, a pin and a DVC lock
// whose inputs moved on, and causes with evidence all over.
func everything(s *site) {
	s.At = 1_788_000_000 // after all of the runs
	s.weeklies()
	s.report("2026-08-05-green", green, "2026-08-05", "m-1")
	s.report("2026-08-06-green", green, "2026-08-06", "m-2")
	s.report("2026-08-07-swiss", swiss, "2026-08-07", "m-6")
	s.report("2026-08-08-swiss", swiss, "2026-08-08", "m-7")
	s.report("2026-08-09-swiss", swiss, "2026-08-09", "m-8")
	for _, name := range []string{"evals/config.yml", "evals/prompts/answer.md", "evals/prompts/clarify.md", "evals/report.md", "evals/report.md.pin.json", "requirements.txt"} {
		data, err := os.ReadFile(filepath.Join("..", "examples", "pin", filepath.FromSlash(name)))
		if err != nil {
			s.T.Fatal(err)
		}
		s.put(name, string(data))
	}
	s.put("src/train.py", "print('train')\n")
	s.put("params.yaml", "train:\n  lr: 0.1\n")
	s.put("dvc.yaml", "stages:\n  train:\n    cmd: python src/train.py\n    deps:\n    - src/train.py\n    params:\n    - train.lr\n")
	s.put("dvc.lock", fmt.Sprintf("schema: '2.0'\nstages:\n  train:\n    cmd: python src/train.py\n    deps:\n    - path: src/train.py\n      hash: md5\n      md5: %x\n      size: %d\n    params:\n      params.yaml:\n        train.lr: 0.1\n",
		md5.Sum([]byte(s.files["src/train.py"])), len(s.files["src/train.py"])))
	s.commit("A pin and a lock")
	s.base()

	s.edit(swiss, "base: 17", "base: 18")
	s.edit(green, "#1a7f37", "#116329")
	s.commit("Other tokens")
	s.edit("docs/evals/2026-08-07-swiss.replay.json", `"n": 30`, `"n": 300`)
	s.Git("rm", "-q", "docs/evals/2026-08-05-green.replay.json")
	s.Git("mv", "docs/evals/2026-08-09-swiss.replay.json", "docs/evals/2026-08-09-renamed.replay.json")
	s.Git("mv", "docs/evals/2026-08-09-swiss.md", "docs/evals/2026-08-09-renamed.md")
	s.put("docs/evals/2026-08-09-renamed.replay.json", strings.Replace(s.files["docs/evals/2026-08-09-swiss.replay.json"], `"n": 30`, `"n": 31`, 1))
	// New, and stale: it would take over from an older one, if it held.
	s.put("docs/evals/2026-08-13-stale.replay.json", strings.NewReplacer("2026-08-08T", "2026-08-13T", `"2026-08-08-swiss-m-7"`, `"another"`).Replace(s.files["docs/evals/2026-08-08-swiss.replay.json"]))
	s.put("docs/evals/2026-08-13-stale.md", "# Stale\n")
	s.put("docs/evals/2026-08-10-copy.replay.json", strings.Replace(s.files["docs/evals/2026-08-08-swiss.replay.json"], "2026-08-08T", "2026-08-10T", 1))
	s.put("docs/evals/2026-08-10-copy.md", s.files["docs/evals/2026-08-08-swiss.md"])
	s.put("docs/evals/2026-08-11-alone.md", s.files["docs/evals/2026-08-08-swiss.md"])
	s.commit("Evidence itself")
	s.report("2026-08-12-swiss", swiss, "2026-08-12", "m-1", "m-2")
	s.put("evals/prompts/answer.md", s.files["evals/prompts/answer.md"]+"Be brief.\n")
	s.put("params.yaml", "train:\n  lr: 0.2\n")
	s.put("src/train.py", "print('train better')\n")
	s.commit("Another prompt, another rate")
}

// sharded runs a change on n machines, each with a clone of its own, and leaves the parts in
// a folder.
func (s *site) sharded(t *testing.T, n int, o gate.Options, parts string) {
	t.Helper()
	if err := os.MkdirAll(parts, 0o755); err != nil {
		t.Fatal(err)
	}
	for i := range n {
		o := o
		o.Root = s.cloned(t)
		share := shard.Share{Index: 1 + i, Count: n}
		if _, err := gate.Shard(t.Context(), o, share); err != nil {
			t.Fatalf("shard %s: %v", share, err)
		}
		if err := os.Rename(filepath.Join(o.Root, gate.DefaultBundleDir), filepath.Join(parts, fmt.Sprint("part-", i))); err != nil {
			t.Fatal(err)
		}
	}
}

// cloned is a clone on another machine.
func (s *site) cloned(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "clone")
	s.Git("clone", "-q", "--no-local", s.Dir, dir)
	// What no commit has: the branch base.
	cmd := exec.Command("git", "-C", dir, "branch", "-q", "base", "origin/base")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return dir
}

// contents are the files of a folder, by name.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	files := make(map[string]string)
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		files[e.Name()] = string(data)
	}
	return files
}

func compareFolders(t *testing.T, got, want map[string]string) {
	t.Helper()
	for name, content := range want {
		if got[name] != content {
			t.Errorf("%s is another one than that of one machine", name)
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			t.Errorf("%s: one machine writes no such file", name)
		}
	}
}

// Issue 17: the merged report equals the unsharded one byte for byte, over 1 to 9 shards, and
// so does everything beside it, bundles included.
func TestMergedIsUnsharded(t *testing.T) {
	t.Parallel()
	all := newSite(t)
	everything(all)
	options := gate.Options{Base: "base", Clock: now, Version: "0.0.0"}
	whole := options
	whole.Root = all.cloned(t)
	report, err := gate.Run(t.Context(), whole)
	if err != nil {
		t.Fatal(err)
	}
	if report.ExitCode != 1 || len(report.Causes) < 5 {
		t.Fatalf("exit %d and %d causes: the change does not do what it is for", report.ExitCode, len(report.Causes))
	}
	want := contents(t, filepath.Join(whole.Root, gate.DefaultBundleDir))
	for n := 1; n <= 9; n++ {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			merged := options
			merged.Root = all.cloned(t)
			merged.Merge, merged.Parts, merged.Shards = true, gate.DefaultParts, n
			all.sharded(t, n, options, filepath.Join(merged.Root, gate.DefaultParts))
			if _, err := gate.Run(t.Context(), merged); err != nil {
				t.Fatal(err)
			}
			compareFolders(t, contents(t, filepath.Join(merged.Root, gate.DefaultBundleDir)), want)
		})
	}
}

// The same of the situations that people are in, of which each is about another thing.
func TestMergedSituations(t *testing.T) {
	t.Parallel()
	for _, one := range situations() {
		if one.name == "uncommitted" {
			continue // no other machine has it
		}
		t.Run(one.name, func(t *testing.T) {
			t.Parallel()
			at := newSite(t)
			one.make(at)
			options := gate.Options{Base: "base", Clock: now, Version: "0.0.0", Scope: "all", Strict: one.name == "old-debt"}
			whole := options
			whole.Root = at.cloned(t)
			if _, err := gate.Run(t.Context(), whole); err != nil {
				t.Fatal(err)
			}
			merged := options
			merged.Root, merged.Merge = at.cloned(t), true
			at.sharded(t, 3, options, filepath.Join(merged.Root, gate.DefaultParts))
			if _, err := gate.Run(t.Context(), merged); err != nil {
				t.Fatal(err)
			}
			compareFolders(t, contents(t, filepath.Join(merged.Root, gate.DefaultBundleDir)), contents(t, filepath.Join(whole.Root, gate.DefaultBundleDir)))
		})
	}
}

// What the shards judged is not judged again; what they made is taken as it is, unless it is
// not what they say, or rests on what only one machine has.
func TestMergeBelievesParts(t *testing.T) {
	t.Parallel()
	at := newSite(t)
	at.put(".gitignore", ".assay/bundles/\nlocal/\n")
	at.report("2026-08-03-swiss", swiss, "2026-08-03", "m-1")
	at.files["local/own.yml"] = "id: own\n"
	at.report("2026-08-04-own", "local/own.yml", "2026-08-04", "m-1")
	at.Git("rm", "-q", "--cached", "local/own.yml", "--ignore-unmatch")
	at.base()
	at.edit(swiss, "base: 17", "base: 18")
	at.commit("Larger scale")

	options := gate.Options{Base: "base", Clock: now, Version: "0.0.0", Scope: "all"}
	merged := options
	merged.Root, merged.Merge = at.cloned(t), true
	parts := filepath.Join(merged.Root, gate.DefaultParts)
	at.sharded(t, 2, options, parts)
	var mu sync.Mutex
	judged := make(map[string]int)
	merged.Progress = func(stage string, _, _ int) {
		mu.Lock()
		defer mu.Unlock()
		if strings.HasPrefix(stage, "checking") {
			judged[stage]++
		}
	}
	clean, err := gate.Run(t.Context(), merged)
	if err != nil {
		t.Fatal(err)
	}
	if len(judged) != 0 {
		t.Errorf("judged again: %v", judged)
	}

	// The input of one piece lies on this machine alone.
	if err := os.Mkdir(filepath.Join(merged.Root, "local"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(merged.Root, "local/own.yml"), []byte("id: own\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := gate.Run(t.Context(), merged); err != nil {
		t.Fatal(err)
	}
	if judged["checking evidence"] != 1 || judged["checking the base"] != 1 {
		t.Errorf("judged %v, want the one piece that rests on a file of this machine, on both sides", judged)
	}
	if err := os.RemoveAll(filepath.Join(merged.Root, "local")); err != nil {
		t.Fatal(err)
	}

	// A bundle that was exchanged is made again.
	files, err := filepath.Glob(filepath.Join(parts, "*", "*.tar.gz"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%v, %v", files, err)
	}
	for _, name := range files {
		if err := os.WriteFile(name, []byte("another"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	again, err := gate.Run(t.Context(), merged)
	if err != nil {
		t.Fatal(err)
	}
	for i, e := range again.Evidence {
		if was := clean.Evidence[i].Bundle; e.Bundle == nil || was == nil || e.Bundle.SHA256 != was.SHA256 {
			t.Errorf("%s: bundle %+v, was %+v", e.Path, e.Bundle, was)
		}
	}
}
