// Package repo shows the states of a local git repository as file systems.
//
// A gate asks one question of two states: does this evidence hold for the files
// of the change, and did it hold before? So the work tree and every commit come
// as the same type, a [Snapshot], which is an [io/fs.FS], and [Repository.Diff] tells
// how two of them differ:
//
//	r, err := repo.Open(".")
//	if err != nil {
//		return err
//	}
//	defer r.Close()
//	c, err := r.Resolve("origin/main")
//	if err != nil {
//		return err
//	}
//	base, err := r.CommitTree(c)
//	if err != nil {
//		return err
//	}
//	head, err := r.WorkTree()
//	if err != nil {
//		return err
//	}
//	changes, err := r.Diff(base, head)
//
// # What it promises
//
// No git binary is needed and none is run. No hook, filter or other program that
// the repository names is run. The owner of the files does not matter: git refuses a
// repository of another user ("dubious ownership") because its configuration
// could start programs, and nothing here does. Environment variables such as
// GIT_DIR are not read.
//
// Nothing outside the root is ever read through a tree. Symbolic links are
// followed inside the tree only, never into .git, and only regular files can be
// opened: see [ErrEscapes] and [ErrNotRegular]. Sizes, depths and counts are
// bounded: see [ErrTooLarge].
//
// Unreadable is not absent. [io/fs.ErrNotExist] means that the state has no such file, and
// nothing else: an object that is missing ([ErrMissingObject]) or damaged
// ([ErrCorruptObject]) is an error of its own, and so is a submodule that is not at hand
// ([ErrSubmodule]).
//
// A Snapshot may be used by several goroutines at the same time.
//
// # What it does not do
//
// Content filters are not applied: not line endings (core.autocrlf, eol), not
// Git LFS, not working-tree-encoding. A file of the work tree reads as it is on
// disk, a file of a commit as it is stored. A filtered file that the index
// calls unmodified still counts as unmodified in [Repository.Diff], but
// [Snapshot.BlobID] does not vouch for it when the sizes differ.
//
// The user's global ignore file (core.excludesFile) is not read, so that a state
// has the same files on every machine. Replacement objects (refs/replace) and
// grafts are ignored. The files of submodules are in no list; they can be opened where
// they are at hand: on disk for the work tree, in .git/modules for a commit. Repositories
// with SHA-256 object names, reftable references or a split index are refused
// with [ErrUnsupported].
package repo
