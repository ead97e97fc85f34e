package dvc

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

// graph knows which stages run after which: a stage that reads what another writes, the
// whole of it or a part, comes after it.
type graph struct {
	stages []*stage
	next   map[string][]int // stage -> stages that read from it, in dvc.yaml's order
	memo   map[string]string
}

// maxNext bounds the stages that are looked at behind one, and those that are looked
// behind.
const maxNext = 100

func newGraph(p *pipeline) *graph {
	g := &graph{stages: p.stages, next: make(map[string][]int), memo: make(map[string]string)}
	writers := make(map[string]string) // path -> stage
	parents := make(map[string][]string)
	for _, st := range p.stages {
		for _, out := range st.outs {
			p, ok := within(st.wdir, out)
			if !ok {
				continue
			}
			writers[p] = st.name
			for dir := path.Dir(p); dir != "." && len(parents[dir]) < maxNext; dir = path.Dir(dir) {
				parents[dir] = append(parents[dir], st.name)
			}
		}
	}
	for i, st := range p.stages {
		from := make(map[string]bool)
		for _, dep := range st.deps {
			p, ok := within(st.wdir, dep)
			if !ok {
				continue
			}
			for _, name := range parents[p] {
				from[name] = true
			}
			for ; p != "."; p = path.Dir(p) {
				if name, ok := writers[p]; ok {
					from[name] = true
				}
			}
		}
		for name := range from {
			if len(g.next[name]) < maxNext {
				g.next[name] = append(g.next[name], i)
			}
		}
	}
	return g
}

// after words what an author has to know of a stage whose inputs changed: which stages
// were not run again, and which committed results are still the old ones.
func (g *graph) after(st *stage) string {
	text, ok := g.memo[st.name]
	switch {
	case ok:
	case len(g.memo) > maxNext:
		return shown(st.name) + " has not been run again"
	default:
		text = g.behind([]*stage{st})
		g.memo[st.name] = text
	}
	return text
}

// behind words it of several stages, whose inputs changed together: those that come after
// another one of them are among the later ones.
func (g *graph) behind(changed []*stage) string {
	seen := make(map[string]bool)
	var first, later, results []string
	reach := func(st *stage, into *[]string) {
		queue := []*stage{st}
		for seen[st.name] = true; len(queue) > 0; queue = queue[1:] {
			at := queue[0]
			*into = append(*into, at.name)
			into = &later
			for _, out := range at.outs {
				if at.uncached[clean(out)] {
					results = append(results, path.Join(at.wdir, out))
				}
			}
			for _, i := range g.next[at.name] {
				if next := g.stages[i]; !seen[next.name] {
					seen[next.name] = true
					queue = append(queue, next)
				}
			}
		}
	}
	for _, st := range g.upstreamFirst(changed) {
		if !seen[st.name] {
			reach(st, &first)
		}
	}
	var b strings.Builder
	b.WriteString(listed(first))
	one := len(first) == 1
	if len(later) > 0 {
		b.WriteString(" and " + plural(len(later), "stage") + " after " + verb(one, "it", "them") + " (" + listed(later) + ")")
	}
	b.WriteString(verb(one && len(later) == 0, " has", " have") + " not been run again")
	if len(results) > 0 {
		b.WriteString("; " + listed(results) + verb(len(results) == 1, " still shows", " still show") + " the old run")
	}
	return b.String()
}

// upstreamFirst sorts stages so that none comes before one that it runs after: those from
// which more of the others are reached come first.
func (g *graph) upstreamFirst(stages []*stage) []*stage {
	if len(stages) < 2 || len(stages) > maxNext {
		return stages
	}
	reached := make(map[*stage]int, len(stages))
	for _, st := range stages {
		seen := map[string]bool{st.name: true}
		for queue := []string{st.name}; len(queue) > 0; queue = queue[1:] {
			for _, i := range g.next[queue[0]] {
				if name := g.stages[i].name; !seen[name] {
					seen[name] = true
					queue = append(queue, name)
				}
			}
		}
		for _, other := range stages {
			if seen[other.name] {
				reached[st]++
			}
		}
	}
	sorted := slices.Clone(stages)
	slices.SortStableFunc(sorted, func(a, b *stage) int { return cmp.Compare(reached[b], reached[a]) })
	return sorted
}

// stale is a row that fails for a stage whose inputs are not those of its last run.
type stale struct {
	row   int
	stage *stage
}

// follows says in each row that fails for a changed input what all stages that read this
// input leave behind: so that one edit has one story, however many stages it concerns.
func (j *checker) follows() {
	stages := make(map[string][]*stage)
	for _, s := range j.stale {
		input := j.rows.Checks[s.row].Input
		if all := stages[input]; len(all) == 0 || all[len(all)-1] != s.stage {
			stages[input] = append(all, s.stage)
		}
	}
	told := make(map[string]string, len(stages))
	for _, s := range j.stale {
		row := &j.rows.Checks[s.row]
		if told[row.Input] == "" && len(told) < maxNext {
			told[row.Input] = j.after.behind(stages[row.Input])
		}
		row.Follows = told[row.Input]
	}
}

// behind words what a changed input of st leaves behind, for the row that is added next.
func (j *checker) behind(st *stage) string {
	j.stale = append(j.stale, stale{len(j.rows.Checks), st})
	return j.after.after(st)
}

func verb(one bool, singular, plural string) string {
	if one {
		return singular
	}
	return plural
}
