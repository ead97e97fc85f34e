package verify

import (
	"context"
	"time"
)

// Format is one kind of evidence. Implementations hold no state: one value
// serves many goroutines and many trees.
type Format interface {
	// Kind is the stable, lower-case name of this kind, such as "ahd".
	Kind() string
	// Title names this kind for people, such as "AHD replay sidecar".
	Title() string
	// Patterns are the globs (doublestar syntax, slash-separated) of the paths
	// at which evidence of this kind lies.
	Patterns() []string
	// Inputs returns the paths that the verdict on e depends on, whether or not
	// they exist, sorted and without e's own path. It is called for every piece of
	// evidence of a tree, so that a change of an input finds the evidence that
	// pins it; it must be cheap and returns nil for what it can't read.
	Inputs(e *Evidence) []string
	// Verify judges e. It never fails: what can't be checked is a check.
	Verify(ctx context.Context, e *Evidence) Result
}

// Evidence is one piece of evidence in one tree, with all that judging it may
// depend on.
type Evidence struct {
	Path string
	Tree *Tree
	// Base is the tree before the change and BasePath the evidence's path
	// there; nil when there is none. Only formats whose rules compare the two
	// versions look at it.
	Base     *Tree
	BasePath string
	// Now is the time against which recorded times are judged.
	Now time.Time
	// Strict makes unknown fields fail.
	Strict bool
	// NoHints says that nobody will read hints, so that no file need be read to
	// find one.
	NoHints bool
}

// Remover is a [Format] that minds when a change deletes its evidence.
type Remover interface {
	// Removed judges the absence of the evidence that lay at path: tree is the
	// tree after the change. It returns false if nothing is wrong with it.
	Removed(path string, tree *Tree) (Check, bool)
}
