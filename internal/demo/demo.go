// Package demo shows the gate catching a drift, on a repository of its own.
//
// [Make] lays down a small git repository: on main two eval reports with their
// replay sidecars, on a branch a change that edits both tokens. One edit changes
// a colour and a rule; the other only moves keys and adds comments. The gate
// has to tell them apart: the first breaks the published numbers, the second does
// not.
//
// [MakeWithPin] lays a pin beside the sidecars, and its change edits the prompt that the
// pin names, too.
//
//	d, err := demo.Make(dir)
//	report, err := gate.Run(ctx, gate.Options{Root: dir, Base: d.Base, Head: d.Head})
//
// Nothing about it is staged but the files: it is a real repository, and the gate
// that runs on it is the real one.
package demo

import (
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/go-git/go-git/v5"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"
)

//go:embed all:files
var files embed.FS

// Demo is a repository with a change in it.
type Demo struct {
	Base, Head string // revisions
	// Edited is the token whose edit breaks evidence.
	Edited string
	// Prompt is the prompt whose edit breaks the pin of Pinned; empty without one.
	Prompt, Pinned string
}

// Make creates the repository in dir, which must be empty. Its commits have fixed
// authors and times, so that every run shows the same ids and the same bundles.
func Make(dir string) (Demo, error) {
	d := Demo{Base: "main", Head: "soften-the-accent", Edited: "tokens/swiss-editorial.yml"}
	return d, d.make(dir, []string{"base"}, []string{"head"})
}

// MakeWithPin is Make with a pin beside the sidecars.
func MakeWithPin(dir string) (Demo, error) {
	d := Demo{
		Base: "main", Head: "soften-the-accent", Edited: "tokens/swiss-editorial.yml",
		Prompt: "evals/prompts/summarise.md", Pinned: "evals/report.md",
	}
	return d, d.make(dir, []string{"base", "pin-base"}, []string{"head", "pin-head"})
}

// make creates the repository from the folders of its two commits.
func (d Demo) make(dir string, base, head []string) error {
	r, err := git.PlainInitWithOptions(dir, &git.PlainInitOptions{
		InitOptions: git.InitOptions{DefaultBranch: plumbing.NewBranchReferenceName(d.Base)},
	})
	if err != nil {
		return fmt.Errorf("creating the demo repository: %w", err)
	}
	w, err := r.Worktree()
	if err != nil {
		return fmt.Errorf("creating the demo repository: %w", err)
	}
	when := time.Date(2026, 5, 4, 9, 0, 0, 0, time.UTC)
	if err := commit(w, dir, base, "Publish two eval reports", when); err != nil {
		return err
	}
	branch := plumbing.NewBranchReferenceName(d.Head)
	if err := w.Checkout(&git.CheckoutOptions{Branch: branch, Create: true}); err != nil {
		return fmt.Errorf("creating the demo branch: %w", err)
	}
	return commit(w, dir, head, "Soften the accent, tidy the green token", when.Add(26*time.Hour))
}

// commit lays embedded folders over the work tree and commits all of it.
func commit(w *git.Worktree, dir string, from []string, message string, when time.Time) error {
	for _, folder := range from {
		if err := layOut(dir, folder); err != nil {
			return fmt.Errorf("laying out the demo's files: %w", err)
		}
	}
	if err := w.AddGlob("."); err != nil {
		return fmt.Errorf("adding the demo's files: %w", err)
	}
	who := &object.Signature{Name: "Demo Author", Email: "demo@example.com", When: when}
	if _, err := w.Commit(message, &git.CommitOptions{Author: who, Committer: who}); err != nil {
		return fmt.Errorf("committing the demo's files: %w", err)
	}
	return nil
}

// layOut writes the files of an embedded folder.
func layOut(dir, from string) error {
	sub, err := fs.Sub(files, "files/"+from)
	if err != nil {
		return err
	}
	return fs.WalkDir(sub, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		target := filepath.Join(dir, filepath.FromSlash(name))
		if d.IsDir() {
			return os.MkdirAll(target, 0o755)
		}
		data, err := fs.ReadFile(sub, name)
		if err != nil {
			return err
		}
		return os.WriteFile(target, data, 0o644)
	})
}
