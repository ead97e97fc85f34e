package gate

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/replay-gate/replay-gate/gate/judge"
	"github.com/replay-gate/replay-gate/internal/gittest"
	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/ahd"
)

// Of random repositories and random edits, through links, submodules and renames, in the work
// tree and as commits, the verdict is that of somebody who judges every file of both trees
// afresh, and compares (issue 10, Proof).
func TestProperty(t *testing.T) {
	t.Parallel()
	runs := 24
	if testing.Short() {
		runs = 6
	}
	lib := gittest.New(t)
	lib.Write("swiss.yml", "id: 0\n")
	lib.Commit("one")
	for seed := range runs {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			p := play{Repo: gittest.New(t), Rand: rand.New(rand.NewPCG(uint64(seed), 7)), lib: lib.Dir}
			p.found()
			p.Commit("base")
			p.Git("tag", "base")
			for range 1 + p.IntN(4) {
				p.edit()
			}
			p.compare(t, "")
			p.Commit("head")
			p.compare(t, "HEAD")
		})
	}
}

// play is one random repository.
type play struct {
	*gittest.Repo
	*rand.Rand
	lib string
	log []string
}

func (p *play) do(format string, args ...any) { p.log = append(p.log, fmt.Sprintf(format, args...)) }

// tokens are where inputs lie, some behind links and one in a submodule.
var tokens = []string{"tokens/a.yml", "tokens/b.yml", "linked.yml", "folder/b.yml", "lib/swiss.yml", "chain.yml"}

func (p *play) found() {
	for i, name := range tokens[:2] {
		p.Write(name, fmt.Sprintf("id: %d\n", i))
	}
	p.Write("store/b.yml", "id: 1\n")
	p.link("linked.yml", "tokens/a.yml")
	p.link("chain.yml", "linked.yml")
	p.link("folder", "tokens")
	if p.IntN(2) == 0 {
		p.Git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", p.lib, "lib")
	}
	for i := range 3 {
		p.record(fmt.Sprint("evals/r", i), i)
	}
}

func (p *play) link(name, target string) {
	_ = os.RemoveAll(p.Path(name))
	p.Mkdir(path.Dir(name))
	if err := os.Symlink(target, p.Path(name)); err != nil {
		p.T.Fatal(err)
	}
}

func (p *play) record(stem string, day int) {
	token := tokens[p.IntN(len(tokens))]
	data, err := os.ReadFile(p.Path(token))
	if err != nil {
		data = []byte("id: nowhere\n")
	}
	if p.IntN(5) == 0 {
		data = []byte("id: never\n")
	}
	hash, err := ahd.TokenHash(data)
	if err != nil {
		hash = "sha256:" + strings.Repeat("0", 64)
	}
	recorded := token
	if p.IntN(3) == 0 {
		recorded = "/far/away/" + token
	}
	text, err := ahd.Run{
		Kind: "critique", Version: "1", NodeVersion: "v22", Platform: "linux-x64", InvokedAt: fmt.Sprintf("2026-01-%02dT00:00:00.000Z", 1+day),
		Argv: []string{"node", "ahd.js", "critique"}, Token: ahd.InputRef{Path: recorded, Hash: hash}, Sampling: ahd.Sampling{N: 1 + p.IntN(3)},
		Models: []ahd.Model{{ID: "m", Provider: "p", ProviderRequestIDs: []string{fmt.Sprint("id-", p.IntN(6))}}},
	}.Sidecar()
	if err != nil {
		p.T.Fatal(err)
	}
	p.do("record %s of %s", stem, recorded)
	p.put(stem+".replay.json", string(text))
	p.put(stem+".md", fmt.Sprintf("# R\n\n| m | %d %% |\n", p.IntN(3)))
}

// put writes a file, unless something else than a file is in its way.
func (p *play) put(name, text string) {
	for at := name; at != "."; at = path.Dir(at) {
		if info, err := os.Lstat(p.Path(at)); err == nil && info.IsDir() == (at == name) {
			_ = os.RemoveAll(p.Path(at))
		}
	}
	p.Write(name, text)
}

func (p *play) edit() {
	files := strings.Split(p.Git("ls-files"), "\n")
	name := files[p.IntN(len(files))]
	switch p.IntN(9) {
	case 0, 1:
		at := tokens[p.IntN(2)]
		p.do("edit %s", at)
		p.put(at, fmt.Sprintf("id: %d\n", p.IntN(4)))
	case 2:
		p.do("remove %s", name)
		_ = os.RemoveAll(p.Path(name))
	case 3:
		to := []string{"evals/", "moved/", "tokens/"}[p.IntN(3)] + path.Base(name)
		if _, err := os.Lstat(p.Path(name)); err == nil && !strings.HasPrefix(name, "lib") {
			p.do("move %s to %s", name, to)
			p.Mkdir(path.Dir(to))
			_ = os.Rename(p.Path(name), p.Path(to))
		}
	case 4:
		at, to := []string{"linked.yml", "folder", "chain.yml", "evals/r0.md"}[p.IntN(4)], []string{"tokens/b.yml", "store", "store/b.yml", "../outside"}[p.IntN(4)]
		p.do("link %s to %s", at, to)
		p.link(at, to)
	case 5:
		p.record(fmt.Sprint("evals/r", p.IntN(5)), p.IntN(9))
	case 6:
		p.do("decoy")
		p.put("away/"+tokens[p.IntN(2)], "id: decoy\n")
	case 7:
		if _, err := os.Stat(p.Path("lib/.git")); err == nil {
			p.do("move the submodule")
			p.Write("lib/swiss.yml", fmt.Sprintf("id: lib %d\n", p.IntN(3)))
			p.Git("-C", "lib", "commit", "-qam", "x", "--allow-empty")
		}
	case 8:
		p.do("touch evals/r1.md")
		p.put("evals/r1.md", fmt.Sprintf("# R\n\n| m | %d %% |\n", p.IntN(3)))
	}
}

// compare judges the change as the gate does, and as somebody who takes nothing for the same.
func (p *play) compare(t *testing.T, head string) {
	t.Helper()
	const gate, oracle, brief = 0, 1, 2
	var told [3][]string
	whole := make(map[string]bool)    // evidence of which the brief account has the rows
	affected := make(map[string]bool) // what the gate shows
	for i := range told {
		o, err := Options{Root: p.Dir, Base: "base", Head: head, Clock: time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)}.withDefaults()
		if err != nil {
			t.Fatal(err)
		}
		r, err := open(o.Root)
		if err != nil {
			t.Fatal(err)
		}
		x, err := o.begin(context.Background(), r)
		if err != nil {
			t.Fatal(err)
		}
		q := x.question()
		q.Brief = i == brief
		if i == oracle {
			real := q.Bases[0].Differs
			q.Bases[0].Differs = func(r verify.Read) string {
				if what := real(r); what != "" || strings.HasSuffix(r.Name, ".md") {
					return what
				}
				return "it may have"
			}
		}
		j := judge.Judge(context.Background(), q)
		for _, h := range j.Held {
			if whole[h.Path] = false; i != brief || affected[h.Path] {
				t.Errorf("at %q after %s: the rows of %s were let go of", head, strings.Join(p.log, "; "), h.Path)
			}
		}
		if n := len(j.Evidence) + len(j.Held); i > gate && n != len(whole) {
			t.Errorf("at %q after %s: %d pieces of evidence, not %d", head, strings.Join(p.log, "; "), n, len(whole))
		}
		for _, e := range j.Evidence {
			whole[e.Path] = true
			affected[e.Path] = i == gate && e.Affected != "" || affected[e.Path]
			for _, row := range e.Rows {
				told[i] = append(told[i], fmt.Sprintf("%s %s %s %s %s", row.Status, e.Path, row.Field, row.Code, row.Attribution))
			}
		}
		r.Close()
	}
	for i := range told {
		slices.Sort(told[i])
	}
	if !slices.Equal(told[gate], told[oracle]) {
		t.Errorf("at %q after %s:\n%s", head, strings.Join(p.log, "; "), difference(told[gate], told[oracle]))
	}
	// What is let go of is nothing that anybody sees: no FAIL, nothing that the change affects.
	seen := slices.DeleteFunc(slices.Clone(told[gate]), func(row string) bool {
		status, rest, _ := strings.Cut(row, " ")
		path, _, _ := strings.Cut(rest, " ")
		return status != "FAIL" && !whole[path]
	})
	listed := slices.DeleteFunc(told[brief], func(row string) bool {
		_, rest, _ := strings.Cut(row, " ")
		path, _, _ := strings.Cut(rest, " ")
		return !whole[path]
	})
	if !slices.Equal(seen, listed) {
		t.Errorf("in brief, at %q after %s:\n%s", head, strings.Join(p.log, "; "), difference(seen, listed))
	}
}

func difference(a, b []string) string {
	var all []string
	for _, s := range a {
		if !slices.Contains(b, s) {
			all = append(all, "only the one: "+s)
		}
	}
	for _, s := range b {
		if !slices.Contains(a, s) {
			all = append(all, "only the other: "+s)
		}
	}
	return strings.Join(all, "\n")
}
