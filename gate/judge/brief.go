package judge

import (
	"cmp"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/replay-gate/replay-gate/verify"
)

// In a brief judgement the results of most evidence are let go of as they come: of what holds
// and reads nothing that differs from a base, there is nothing to list. It is the same on
// every base, so that nothing about it was introduced, fixed, rewritten or removed. What is
// kept are its claims, as newer evidence may take them over.

// untouched reports whether a result holds, and is that of every base.
func (q *Question) untouched(r *verify.Result) bool {
	if r.Kind == "" || r.Reads == nil || r.Count(verify.Fail) > 0 || q.Held != nil && slices.ContainsFunc(r.Checks, undecided) && q.recalls(r.Kind) {
		return false
	}
	return !slices.ContainsFunc(q.Bases, func(b Base) bool {
		return r.Reads.Any(nil, func(read verify.Read) bool { return b.Differs(read) != "" })
	})
}

// recalls reports whether the history may tell of a kind's rows that can't tell.
func (q *Question) recalls(kind string) bool {
	return slices.ContainsFunc(q.Kinds, func(k Kind) bool {
		_, ok := k.Format.(verify.FolderRecaller)
		return ok && k.Kind() == kind
	})
}

// share gives a result on a base the rows of the head, where they are the same: of most of what
// a change touches, all that anybody ever sees are these.
func (f *found) share(r *verify.Result) {
	if f.like == nil {
		return
	}
	if is := f.like.results[r.Path]; is != nil && reflect.DeepEqual(is.Checks, r.Checks) {
		r.Checks = slices.Clip(is.Checks)
	}
}

// mayRefer reports whether a result looked at a file that may turn out to be evidence only
// because of that.
func (f *found) mayRefer(r *verify.Result) bool {
	return r.Reads.Any(nil, func(read verify.Read) bool {
		return read.Op == verify.OpFile && read.Outcome == verify.Found && read.Name != r.Path &&
			(f.sifted[read.Name] != nil || f.plain[read.Name] != nil)
	})
}

// keptClaims are claims that keep nothing else in memory: a name is a part of the text that it
// was read from.
func keptClaims(claims []verify.Claim) []verify.Claim {
	kept := slices.Clone(slices.Clip(claims))
	for i := range kept {
		c := &kept[i]
		c.About, c.Name = strings.Clone(c.About), strings.Clone(c.Name)
		if strings.HasPrefix(c.About, c.Topic) {
			c.Topic = c.About[:len(c.Topic)]
		}
	}
	return kept
}

// unhold judges again what is held on the head and no evidence of the same kind on a base: of
// that there is something to say.
func (p *pass) unhold() {
	for path := range p.head.held {
		for i := range p.bases {
			if f := p.bases[i].formats[path]; f == nil || f.Kind() != p.head.formats[path].Kind() {
				p.head.results[path] = p.again(path)
				delete(p.head.held, path)
				break
			}
		}
	}
}

// again judges evidence of the head that is held. Judging is a function of the tree, so the
// result is the one that was let go of.
func (p *pass) again(path string) *verify.Result {
	en := verify.Engine{Now: p.Now, Strict: p.Strict, Concurrency: 1}
	return &en.Verify(p.ctx, p.Head.Tree, []verify.Item{{Path: path, Format: p.head.formats[path]}})[0]
}

// onFirstBase is the result of evidence on the first base.
func (p *pass) onFirstBase(path string) *verify.Result {
	if _, held := p.head.held[path]; held {
		return p.again(path)
	}
	return p.bases[0].results[path]
}

// has reports whether there is evidence at path.
func (f *found) has(path string) bool {
	_, held := f.held[path]
	return held || f.results[path] != nil
}

// holding is what is held.
func (f *found) holding() []Held {
	all := make([]Held, 0, len(f.held))
	for path := range f.held {
		all = append(all, Held{path, f.formats[path]})
	}
	slices.SortFunc(all, func(a, b Held) int { return cmp.Compare(a.Path, b.Path) })
	return all
}

// onBasePaths are the paths of what is evidence on the first base, sorted.
func (p *pass) onBasePaths() []string {
	paths := slices.AppendSeq(slices.Collect(maps.Keys(p.bases[0].results)), maps.Keys(p.head.held))
	slices.Sort(paths)
	return paths
}
