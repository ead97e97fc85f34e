package gate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/bmatcuk/doublestar/v4"
	"golang.org/x/sync/errgroup"

	"github.com/replay-gate/replay-gate/gate/config"
	"github.com/replay-gate/replay-gate/gate/repo"
	"github.com/replay-gate/replay-gate/summary"
	"github.com/replay-gate/replay-gate/verify"
)

// target is one piece of evidence in scope.
type target struct {
	path    string // at the head; at the base when removed
	oldPath string // at the base, when it differs
	format  verify.Format
	because string
	removed *verify.Check // set when the change deleted the evidence
	raw     string        // the path as git has it, when the file can't be opened by it
	then    *verify.Tree  // the recorded commit's tree, when the evidence was judged in it
}

// scope is which evidence a change affects.
type scope struct {
	mode    string
	total   int
	targets []target
}

// findScope lists the evidence of the head tree and picks what the change
// affects: evidence that the change touches, and evidence whose inputs it
// touches. When the changed files are unknown, all of it is in scope.
func findScope(ctx context.Context, c *change, head *verify.Tree, kinds []kind, o Options) (*scope, error) {
	s := &scope{mode: o.Scope}
	if !c.filesKnown {
		s.mode = "all"
	}
	found := append(discover(c.evidenceFiles(head, o), kinds), discoverUnusable(c.head, kinds)...)
	s.total = len(found)
	if len(o.Evidence) > 0 {
		return s, s.name(o.Evidence, head, kinds)
	}

	c.notRecognised(kinds)
	touched := make(map[string]string) // path -> what happened to it
	renamed := make(map[string]string) // new path -> old path
	for _, f := range c.files {
		switch f.Kind {
		case repo.Added:
			touched[f.Path] = "was added"
		case repo.Modified:
			touched[f.Path] = "changed"
		case repo.Deleted:
			touched[f.Path] = "was deleted"
		case repo.Renamed:
			touched[f.Path] = "was renamed from " + f.OldPath
			touched[f.OldPath] = "was renamed to " + f.Path
			renamed[f.Path] = f.OldPath
		}
	}

	for _, raw := range c.unusableSince() {
		touched[raw] = "was added or changed"
	}

	var inputs [][]string
	if s.mode == "affected" && len(touched) > 0 {
		var err error
		if inputs, err = readInputs(ctx, c, head, found, o); err != nil {
			return nil, err
		}
	}
	for i, t := range found {
		t.oldPath = renamed[t.path]
		what, own := touched[cmp.Or(t.raw, t.path)]
		switch {
		case s.mode == "all":
			t.because = "scope is all"
		case own:
			t.because = "it " + what
		case inputs != nil:
			for _, in := range inputs[i] {
				if what, ok := touched[in]; ok {
					t.because = in + " " + what
					break
				}
			}
		}
		if t.because != "" {
			s.targets = append(s.targets, t)
		}
	}
	s.targets = append(s.targets, removedEvidence(c, head, kinds)...)
	slices.SortFunc(s.targets, func(a, b target) int { return cmp.Compare(a.path, b.path) })
	return s, nil
}

// name puts the named evidence in scope, and nothing else.
func (s *scope) name(paths []string, head *verify.Tree, kinds []kind) error {
	s.mode = "named"
	for _, p := range paths {
		k, ok := claim(p, kinds)
		if !ok {
			return usageError(ReasonInvalidArgs, "name a file that the globs of a kind of evidence match, such as x.replay.json",
				"%s is no evidence of a known kind", p)
		}
		if !head.Exists(p) {
			return usageError(ReasonInvalidArgs, "check the spelling; paths count from the root of the repository",
				"%s does not exist in the tree", p)
		}
		s.targets = append(s.targets, target{path: p, format: k.Format, because: "it was named"})
	}
	return nil
}

// lookalikes are names that recorded evidence goes by. The trailing star keeps
// formats that nobody has heard of yet from being dropped in silence.
var lookalikes = []string{"**/*.replay.*", "**/*.trace.*", "**/*.cassette.*", "**/*.outcomes.*", "**/replay.bundle"}

// notRecognised says which files of the change look like evidence and are of no
// known kind. What the settings turn off is known, and not listed.
func (c *change) notRecognised(kinds []kind) {
	known := kindsFor(config.Settings{})
	var names []string
	for _, f := range c.files {
		if f.Kind == repo.Deleted || !matches(f.Path, lookalikes) {
			continue
		}
		_, claimed := claim(f.Path, kinds)
		_, turnedOff := claim(f.Path, known)
		if !claimed && !turnedOff {
			names = append(names, f.Path)
		}
	}
	if len(names) == 0 {
		return
	}
	const most = 10
	message := "Not recognised, though it looks like evidence: " + strings.Join(names[:min(len(names), most)], ", ")
	if more := len(names) - most; more > 0 {
		message += fmt.Sprintf(" and %d more", more)
	}
	c.notices = append(c.notices, summary.Notice{
		Status: verify.Info, Code: "not-recognised", Message: message,
		NextStep: "if a known kind of evidence lies there, name the place in " + config.Name,
	})
}

func matches(name string, globs []string) bool {
	return slices.ContainsFunc(globs, func(g string) bool { return doublestar.MatchUnvalidated(g, name) })
}

// kind is a format with the globs that are in force for it.
type kind struct {
	verify.Format
	patterns []string
}

// kindsFor are the formats with the globs that are in force.
func kindsFor(s config.Settings) []kind {
	var kinds []kind
	for _, f := range Formats(s) {
		k := kind{f, f.Patterns()}
		if globs, ok := s.Evidence[f.Kind()]; ok {
			k.patterns = globs
		}
		kinds = append(kinds, k)
	}
	return kinds
}

// discover finds the evidence among files. One file is of one kind: the first
// that claims it.
func discover(files []string, kinds []kind) []target {
	var found []target
	for _, name := range files {
		if k, ok := claim(name, kinds); ok {
			found = append(found, target{path: name, format: k.Format})
		}
	}
	return found
}

// evidenceFiles are the files that may be evidence: all but those that the gate
// itself left in its folder for bundles, which are not committed.
func (c *change) evidenceFiles(head *verify.Tree, o Options) []string {
	return slices.DeleteFunc(slices.Clone(head.Files()), func(name string) bool { return c.isOutput(name, o) })
}

func claim(name string, kinds []kind) (kind, bool) {
	for _, k := range kinds {
		if matches(name, k.patterns) {
			return k, true
		}
	}
	return kind{}, false
}

// readInputs is the reverse index: it asks every piece of evidence once for its
// inputs, in a tree in which deleted files still exist, so that a deleted
// input finds its evidence too.
func readInputs(ctx context.Context, c *change, head *verify.Tree, found []target, o Options) ([][]string, error) {
	both := head.Sibling(withDeleted(c))
	inputs := make([][]string, len(found))
	var done atomic.Int64
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(workers())
	for i, t := range found {
		g.Go(func() error {
			inputs[i] = t.format.Inputs(&verify.Evidence{Path: t.path, Tree: both})
			o.Progress("reading evidence", int(done.Add(1)), len(found))
			return ctx.Err()
		})
	}
	if err := g.Wait(); err != nil {
		return nil, interrupted(err)
	}
	return inputs, nil
}

// removedEvidence finds evidence that the change deleted, renamed away or put a
// submodule in the place of, where its kind minds.
func removedEvidence(c *change, head *verify.Tree, kinds []kind) []target {
	var removed []target
	for _, f := range c.files {
		gone, because := f.Path, "it was deleted"
		switch f.Kind {
		case repo.Renamed:
			gone, because = f.OldPath, "it was renamed to "+f.Path
		case repo.Modified:
			if _, still := slices.BinarySearch(head.Files(), f.Path); still {
				continue
			}
			because = "a submodule took its place"
		case repo.Added:
			continue
		}
		k, ok := claim(gone, kinds)
		if !ok {
			continue
		}
		if r, ok := k.Format.(verify.Remover); ok {
			if check, wrong := r.Removed(gone, head); wrong {
				removed = append(removed, target{path: gone, format: k.Format, because: because, removed: &check})
			}
		}
	}
	return removed
}

// union is the head with the files that the change deleted still in place.
type union struct {
	head  fs.FS
	base  fs.FS // nil when out of reach
	gone  map[string]bool
	files func() []string
}

func withDeleted(c *change) *union {
	u := &union{head: c.head, gone: make(map[string]bool)}
	if c.base != nil {
		u.base = c.base
	}
	for _, f := range c.files {
		switch f.Kind {
		case repo.Deleted:
			u.gone[f.Path] = true
		case repo.Renamed:
			u.gone[f.OldPath] = true
		}
	}
	u.files = sync.OnceValue(func() []string {
		names := slices.Clone(c.head.Files())
		for name := range u.gone {
			names = append(names, name)
		}
		slices.Sort(names)
		return slices.Compact(names)
	})
	return u
}

func (u *union) Open(name string) (fs.File, error) {
	f, err := u.head.Open(name)
	if u.gone[name] && u.base != nil && errors.Is(err, fs.ErrNotExist) {
		return u.base.Open(name)
	}
	return f, err
}

func (u *union) Stat(name string) (fs.FileInfo, error) {
	info, err := fs.Stat(u.head, name)
	if !u.gone[name] || !errors.Is(err, fs.ErrNotExist) {
		return info, err
	}
	if u.base == nil {
		return gone(path.Base(name)), nil
	}
	return fs.Stat(u.base, name)
}

// Files lists the files of both, sorted.
func (u *union) Files() []string { return u.files() }
