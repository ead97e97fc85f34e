package cli

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/replay-gate/replay-gate/gate"
	"github.com/replay-gate/replay-gate/gate/change"
	"github.com/replay-gate/replay-gate/gate/config"
	"github.com/replay-gate/replay-gate/gate/judge"
	"github.com/replay-gate/replay-gate/gate/reason"
	"github.com/replay-gate/replay-gate/gate/repo"
	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/ahd"
)

// named is what an argument of a command means: a file or folder below a root.
type named struct {
	arg  string
	root string // absolute
	path string // from the root, slash-separated; "." for all of it
	dir  bool
}

// locate finds what arg means: a file; a report, which stands for its sidecar; a sidecar or
// report without its ending; or a folder. An empty arg is the whole repository.
func (a *app) locate(arg string) (named, error) {
	if arg == "" {
		n, err := a.place(named{arg: ".", dir: true}, ".")
		n.path = "."
		return n, err
	}
	file := arg
	info, err := os.Lstat(arg)
	switch {
	case err == nil && info.IsDir():
		return a.place(named{arg: arg, dir: true}, arg)
	case strings.HasSuffix(arg, ".md"), err != nil && !strings.HasSuffix(arg, ".json"):
		file = ahd.SidecarFor(arg)
	}
	if _, err := os.Lstat(file); err != nil {
		what := "there is no such file"
		if file != arg {
			what = "there is no replay sidecar " + file
		}
		return named{}, &gate.Error{Exit: gate.ExitUsage, Reason: reason.InvalidArgs, Err: fmt.Errorf("%s: %s", arg, what),
			NextStep: "name a piece of evidence, a report that has one beside it, or a folder"}
	}
	return a.place(named{arg: arg}, file)
}

// place finds the root that file belongs to, and the file's path there. The file
// need not exist, its folder must.
func (a *app) place(n named, file string) (named, error) {
	abs, err := filepath.Abs(file)
	if err != nil {
		return n, usage("run it from a folder that exists", "%w", err)
	}
	// The folder is resolved and the file is not: a sidecar that is a link out of
	// the root has to be refused, not followed.
	at := filepath.Dir(abs)
	if n.dir {
		at = abs
	}
	dir, err := filepath.EvalSymlinks(at)
	if err != nil {
		return n, usage("check the path", "%w", err)
	}
	if abs = dir; !n.dir {
		abs = filepath.Join(dir, filepath.Base(file))
	}
	if n.root = a.root; n.root == "" {
		n.root = rootAbove(dir)
	} else if n.root, err = filepath.EvalSymlinks(n.root); err == nil {
		n.root, err = filepath.Abs(n.root)
	}
	if err != nil {
		return n, usage("give --root a folder that exists", "--root: %w", err)
	}
	rel, err := filepath.Rel(n.root, abs)
	if err != nil || !filepath.IsLocal(rel) {
		return n, usage("give a --root that holds it", "%s is not below the root %s", file, n.root)
	}
	n.path = filepath.ToSlash(rel)
	return n, nil
}

// holds reports whether the argument means the evidence at p.
func (n named) holds(p string) bool {
	return n.path == p || n.dir && (n.path == "." || strings.HasPrefix(p, n.path+"/"))
}

// opened is a root whose evidence was judged.
type opened struct {
	tree     *verify.Tree
	evidence []judge.Account
	close    func()
}

// judgeAt judges what is named below one root, by the settings that lie there, each input
// as it is in the tree.
func (a *app) judgeAt(ctx context.Context, root string, names []named) (*opened, error) {
	f, err := filesAt(root)
	if err != nil {
		return nil, err
	}
	o := &opened{tree: verify.NewTree(f), close: f.close}
	s, _, err := change.ReadSettings(o.tree, gate.Formats())
	if err != nil {
		f.close()
		return nil, &gate.Error{Exit: gate.ExitUsage, Reason: reason.Parse, Err: err, NextStep: "mend the file; docs/schema describes it"}
	}
	var kinds []judge.Kind
	for _, f := range s.Formats {
		globs := f.Patterns()
		if own, ok := s.Evidence[f.Kind()]; ok {
			globs = own
		}
		kinds = append(kinds, judge.Kind{Format: f, Globs: globs, Configured: s.Evidence[f.Kind()]})
	}
	q := judge.Question{Head: judge.Side{Tree: o.tree}, Kinds: kinds, Ignore: f.own, Now: a.Now, At: judge.AtTree}
	if !slices.ContainsFunc(names, func(n named) bool { return n.dir }) {
		q.Named, q.Ignore = []string{}, nil // what is named is meant
		for i := range kinds {              // what is named is evidence, wherever it lies
			for _, n := range names {
				if kind := kindOf(kinds, n.path, o.tree); kind == kinds[i].Format.Kind() {
					kinds[i].Globs = append(slices.Clone(kinds[i].Globs), config.Literal(n.path))
				}
			}
		}
		for _, n := range names {
			q.Named = append(q.Named, n.path)
		}
	}
	for _, e := range gate.Veiled(ctx, judge.Judge(ctx, q).Evidence) {
		if slices.ContainsFunc(names, func(n named) bool { return n.holds(e.Path) }) {
			o.evidence = append(o.evidence, e)
		}
	}
	return o, nil
}

// kindOf is the kind of a file that was named: of the globs that it lies at, or else by its
// marks.
func kindOf(kinds []judge.Kind, name string, tree *verify.Tree) string {
	data, err := tree.Aside().ReadFile(name, verify.MaxEvidence)
	for _, byMarks := range []bool{false, true} {
		for _, k := range kinds {
			if byMarks && err == nil && k.Kind() != "bundle" && k.Marks(name, data) || !byMarks && k.At(name) {
				return k.Kind()
			}
		}
	}
	return ""
}

// files are those below a root.
type files struct {
	fs.FS
	// own says which of them are the gate's own output, left there by a run.
	own   func(path string) bool
	close func()
}

// filesAt opens a root: the work tree of a repository as git sees it, or any folder.
func filesAt(root string) (*files, error) {
	if top, ok := repo.FindRoot(root); ok && top == root {
		if r, err := repo.Open(root); err == nil {
			if t, err := r.WorkTree(); err == nil {
				return &files{t, uncommitted(r), func() { r.Close() }}, nil
			}
			r.Close()
		}
	}
	r, err := os.OpenRoot(root)
	if err != nil {
		return nil, &gate.Error{Exit: gate.ExitInfra, Reason: reason.IO, Err: err, NextStep: "check that the folder can be read"}
	}
	return &files{r.FS(), gate.OwnOutput, func() { r.Close() }}, nil
}

// uncommitted is which of the gate's own output nobody has committed: what was, is evidence.
func uncommitted(r *repo.Repository) func(path string) bool {
	head, err := r.Head()
	if err != nil {
		return gate.OwnOutput // there is no commit
	}
	t, err := r.CommitTree(head)
	return func(path string) bool { return gate.OwnOutput(path) && err == nil && !t.Lists(path) }
}

// evidenceBelow gives the paths, from the root, of the evidence that args mean in one
// repository.
func (a *app) evidenceBelow(ctx context.Context, args []string) (root string, paths []string, err error) {
	for _, arg := range args {
		n, err := a.locate(arg)
		if err != nil {
			return "", nil, err
		}
		if root = cmp.Or(root, n.root); n.root != root {
			return "", nil, usage("name evidence of one repository at a time", "%s is in another repository than %s", arg, args[0])
		}
		if !n.dir {
			paths = append(paths, n.path)
			continue
		}
		o, err := a.judgeAt(ctx, n.root, []named{n})
		if err != nil {
			return "", nil, err
		}
		o.close()
		for _, e := range o.evidence {
			paths = append(paths, e.Path)
		}
	}
	slices.Sort(paths)
	return root, slices.Compact(paths), nil
}

// shownAs is how a piece of evidence is called in the answer to what the user gave.
func shownAs(names []named, p string) string {
	for _, n := range names {
		if n.path == p {
			return n.arg
		}
	}
	return path.Clean(p)
}
