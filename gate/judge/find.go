package judge

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/replay-gate/replay-gate/verify"
)

// found is the evidence of one side.
type found struct {
	formats map[string]verify.Format // by path
	results map[string]*verify.Result
	held    map[string][]verify.Claim  // of the head: see brief
	raw     map[string]string          // path as it is shown -> as git has it
	plain   map[string]verify.Format   // at a default glob, without marks
	queue   []string                   // to be judged, sorted
	sifted  map[string][]verify.Format // the kinds that a file at default globs may be of
	then    map[string]*verify.Tree    // the recorded commit's tree, of what was judged in it
	notes   map[string]verify.Check    // what is to be said about that
	lost    string                     // why the side can't be listed
	brief   bool                       // what is held is not kept
	records map[string]recording       // what was recorded, of what was asked about
	words   words                      // of a base: the newest on each thing, when it was asked
	gone    map[string]string          // of a base: what names evidence that the head lacks -> its path
	like    *found                     // of a base: the head
}

// find lists what may be evidence of a side: the queue is, and what is to be sifted shows it
// by its marks.
func (q *Question) find(side Side) found {
	f := found{
		sifted:  make(map[string][]verify.Format),
		formats: make(map[string]verify.Format), results: make(map[string]*verify.Result), held: make(map[string][]verify.Claim),
		raw: make(map[string]string), plain: make(map[string]verify.Format),
		then: make(map[string]*verify.Tree), notes: make(map[string]verify.Check),
		records: make(map[string]recording),
	}
	if q.Named != nil {
		for _, path := range q.Named {
			if k, ok := q.claim(path); ok && !absent(side.Tree, path) {
				f.take(path, k.Format)
			}
		}
		return f
	}
	matchers := make([]matcher, len(q.Kinds))
	for i, k := range q.Kinds {
		matchers[i] = matcherOf(k.Globs)
	}
	view, reads := side.Tree.Noting()
	names := view.Files()
	if lost, ok := reads.Lost(); ok {
		f.lost = lost.Name + ": " + lost.Why
	}
	for _, path := range names {
		if q.Ignore != nil && q.Ignore(path) {
			continue
		}
		q.look(&f, matchers, path)
	}
	for _, raw := range side.Unusable {
		path := strings.ToValidUTF8(raw, "\uFFFD")
		if k, ok := q.claim(path); ok {
			f.take(path, unusable{k.Format, raw})
			f.raw[path] = raw
		}
	}
	return f
}

// look decides of which kinds the file at path may be, and in which order: those at whose
// globs it lies, up to one of which settings name the place.
func (q *Question) look(f *found, matchers []matcher, path string) {
	var kinds []verify.Format
	for i, k := range q.Kinds {
		if !matchers[i].matches(path) {
			continue
		}
		if slices.ContainsFunc(k.Configured, func(g string) bool { return doublestar.MatchUnvalidated(g, path) }) {
			if kinds == nil {
				f.take(path, k.Format)
				return
			}
			kinds = append(kinds, placed{k.Format})
			break
		}
		kinds = append(kinds, k.Format)
	}
	if kinds != nil {
		f.sifted[path] = kinds
	}
}

// placed is a kind where settings name the place: what lies there is evidence.
type placed struct{ verify.Format }

// Marks are not asked for.
func (placed) Marks(string, []byte) bool { return true }

// sort notes of which kind the file at path turned out to be, and reports whether it is
// evidence. It is empty for none.
func (f *found) sort(path, kind string) bool {
	kinds := f.sifted[path]
	delete(f.sifted, path)
	i := slices.IndexFunc(kinds, func(k verify.Format) bool { return k.Kind() == kind })
	if i < 0 {
		f.plain[path] = kinds[0]
		return false
	}
	f.formats[path] = kinds[i]
	if p, ok := kinds[i].(placed); ok {
		f.formats[path] = p.Format
	}
	return true
}

// follow sorts the files of a base that are the same on the head as there: they need not be
// read to know what they are.
func (f *found) follow(head *found, differs func(verify.Read) string) {
	for path := range f.sifted {
		format, plain := head.formats[path], head.plain[path]
		if format == nil && plain == nil || differs(verify.Read{Op: verify.OpFile, Name: path, Outcome: verify.Found}) != "" {
			continue
		}
		delete(f.sifted, path)
		if format != nil {
			f.take(path, format)
		} else {
			f.plain[path] = plain
		}
	}
}

func (f *found) take(path string, format verify.Format) {
	delete(f.plain, path)
	f.formats[path] = format
	f.queue = append(f.queue, path)
}

// claim is the first kind at one of whose globs path lies.
func (q *Question) claim(path string) (Kind, bool) {
	for _, k := range q.Kinds {
		if k.At(path) {
			return k, true
		}
	}
	return Kind{}, false
}

// At reports whether path lies where evidence of the kind may.
func (k Kind) At(path string) bool {
	return slices.ContainsFunc(k.Globs, func(g string) bool { return doublestar.MatchUnvalidated(g, path) })
}

// Place adds to the globs of kinds those that files of some trees give, unless settings say
// where evidence lies. Each side is looked at under those of all, so that what a change does
// to them hides no evidence.
func Place(kinds []Kind, trees ...*verify.Tree) []Kind {
	kinds = slices.Clone(kinds)
	for i := range kinds {
		k := &kinds[i]
		placer, ok := k.Format.(verify.Placer)
		if !ok || len(k.Configured) > 0 {
			continue
		}
		for _, t := range trees {
			for _, g := range placer.PatternsIn(t.Aside()) {
				if doublestar.ValidatePattern(g) && !slices.Contains(k.Globs, g) {
					k.Globs = append(slices.Clip(k.Globs), g)
				}
			}
		}
	}
	return kinds
}

// adopt makes evidence of a file that was evidence on a base, whatever became of its
// marks.
func (f *found) adopt(base found) {
	for path, format := range base.formats {
		if f.plain[path] != nil {
			f.take(path, lapsed{format})
		}
	}
	slices.Sort(f.queue)
}

// referred makes evidence of the files without marks that judged evidence looked at and could
// make nothing of. What it took for an input is judged with it.
func (f *found) referred(judged []string) {
	if len(f.plain) == 0 {
		return
	}
	refers := func(r verify.Read) bool {
		return r.Op == verify.OpFile && r.Outcome == verify.Found && f.plain[r.Name] != nil
	}
	known := make(map[*verify.Reads]bool)
	for _, path := range judged {
		result := f.results[path]
		if !result.Reads.Any(known, refers) {
			continue
		}
		for _, r := range result.Reads.All() {
			input := slices.ContainsFunc(result.Inputs, func(in verify.Input) bool { return in.Path == r.Name })
			if refers(r) && r.Name != path && !input {
				f.take(r.Name, f.plain[r.Name])
			}
		}
	}
	slices.Sort(f.queue)
	f.queue = slices.Compact(f.queue)
}

// others are the files at default globs that are no evidence.
func (f *found) others() []string {
	names := make([]string, 0, len(f.plain))
	for path := range f.plain {
		names = append(names, path)
	}
	slices.Sort(names)
	return names
}

// matcher finds the files at some globs. Most files of a tree end in none of their
// endings, and cost no more than to see that.
type matcher []struct{ tail, glob string }

func matcherOf(globs []string) (m matcher) {
	for _, g := range globs {
		// Two stars stand for no folder as well, so a file at the root has no slash in front.
		tail := strings.TrimPrefix(g[strings.LastIndexAny(g, `*?[]{}\`)+1:], "/")
		m = append(m, struct{ tail, glob string }{tail, g})
	}
	return m
}

func (m matcher) matches(path string) bool {
	for _, g := range m {
		if strings.HasSuffix(path, g.tail) && doublestar.MatchUnvalidated(g.glob, path) {
			return true
		}
	}
	return false
}

// lapsed judges what was evidence on a base and has lost its marks: it fails, even if its
// kind finds nothing wrong.
type lapsed struct{ verify.Format }

// Verify judges e as the kind that it was of.
func (l lapsed) Verify(ctx context.Context, e *verify.Evidence) verify.Result {
	r := l.Format.Verify(ctx, e)
	if r.Count(verify.Fail) == 0 {
		rows := verify.Rows{Path: e.Path, Checks: r.Checks}
		r.Unchecked = cmp.Or(r.Unchecked, "is no longer evidence of its kind: what marks it is gone")
		rows.Fail("evidence", verify.Spot{}, "no-longer-recognised", r.Unchecked)
		r.Checks = rows.Checks
	}
	return r
}

// unusable judges evidence that can't be opened by its path: always a FAIL, and never
// a silent skip (DESIGN, section 5).
type unusable struct {
	verify.Format        // that claims the path
	raw           string // the path as git has it: any bytes
}

// Verify says what is wrong with the path.
func (u unusable) Verify(_ context.Context, e *verify.Evidence) verify.Result {
	reason := "can't be opened: its path is not UTF-8"
	if utf8.ValidString(u.raw) {
		reason = "can't be opened: its path leads out of the repository or into .git, or stands twice in its folder"
	}
	rows := verify.Rows{Path: e.Path}
	rows.Fail("evidence", verify.Spot{}, "unusable-path", reason).Observed = verify.Shorten(strconv.QuoteToASCII(u.raw), verify.MaxValue)
	return verify.Result{Unchecked: reason, Checks: rows.Checks}
}

// absent reports whether a tree has nothing under a name. What can't be read is there.
func absent(tree *verify.Tree, path string) bool {
	_, err := tree.Aside().ReadFile(path, verify.MaxEvidence)
	var re *verify.ReadError
	return errors.As(err, &re) && re.Outcome == verify.Absent
}
