package dvc

import (
	"path"
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
	if text, ok := g.memo[st.name]; ok {
		return text
	}
	if len(g.memo) > maxNext {
		return shown(st.name) + " has not been run again"
	}
	seen := map[string]bool{st.name: true}
	var later []string
	queue := []*stage{st}
	var results []string
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		for _, out := range at.outs {
			if at.uncached[clean(out)] {
				results = append(results, path.Join(at.wdir, out))
			}
		}
		for _, i := range g.next[at.name] {
			if next := g.stages[i]; !seen[next.name] {
				seen[next.name] = true
				later = append(later, next.name)
				queue = append(queue, next)
			}
		}
	}
	var b strings.Builder
	b.WriteString(shown(st.name))
	if len(later) > 0 {
		b.WriteString(" and " + plural(len(later), "stage") + " after it (" + listed(later) + ")")
	}
	b.WriteString(verb(len(later) == 0, " has", " have") + " not been run again")
	if len(results) > 0 {
		b.WriteString("; " + listed(results) + verb(len(results) == 1, " still shows", " still show") + " the old run")
	}
	g.memo[st.name] = b.String()
	return b.String()
}

func verb(one bool, singular, plural string) string {
	if one {
		return singular
	}
	return plural
}
