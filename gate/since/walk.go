package since

import (
	"bytes"
	"context"
	"errors"
	"regexp"
	"slices"
	"strconv"

	"github.com/replay-gate/replay-gate/gate/repo"
)

// walk is the history of one file as far as some question needed it.
type walk struct {
	h        *repo.History
	versions []repo.Version
}

// walk returns the one walk through the history of a path.
func (f *Finder) walk(path string) *walk {
	w := f.walks[path]
	if w == nil {
		w = &walk{h: f.repo.History(f.commit, path, repo.HistoryOptions{MaxCommits: f.o.MaxCommits})}
		f.walks[path] = w
	}
	return w
}

// at returns the version at a place in the walk, and walks on to it if it must.
func (w *walk) at(ctx context.Context, i int) (repo.Version, bool) {
	for len(w.versions) <= i {
		if !w.h.Next(ctx) {
			return repo.Version{}, false
		}
		w.versions = append(w.versions, w.h.Version())
	}
	return w.versions[i], true
}

// find returns the place of the newest version that is wanted, or -1, and how
// many could not be read. The error is what ended the search before its end.
func (w *walk) find(ctx context.Context, want func(repo.Version) (bool, error)) (place, unread int, err error) {
	for i := 0; ; i++ {
		v, ok := w.at(ctx, i)
		if !ok {
			return -1, unread, w.h.Err()
		}
		switch ok, err := want(v); {
		case errors.Is(err, errUnread):
			unread++
		case err != nil:
			return -1, unread, err
		case ok:
			return i, unread, nil
		}
	}
}

// names are the paths at which the file lay, newest first.
func (w *walk) names() []string {
	var names []string
	for _, v := range w.versions {
		if !slices.Contains(names, v.Path) {
			names = append(names, v.Path)
		}
	}
	return names
}

// staleFromBirth reports whether the evidence was committed with its hash when the
// input had already changed: the input did not have the hash there, and the commit
// that changed it last is in that commit's past. What can't be determined is not said.
func (a *answer) staleFromBirth(left repo.Commit) bool {
	if a.q.Evidence == "" {
		return false
	}
	birth, committed, known := a.birth()
	switch {
	case !known:
		return false
	case !committed:
		// What is committed came before it, if it records the hash at all.
		content, err := a.head.ReadFile(a.q.Evidence)
		return err == nil && bytes.Contains(content, []byte(a.q.Recorded))
	}
	if _, blob := a.holds(birth); blob != "" {
		return false
	}
	return a.isAncestor(left, birth)
}

// birth is the commit since which the evidence records the hash without a break.
// It is not committed when the evidence of the head does not record it.
func (a *answer) birth() (birth repo.Commit, committed, known bool) {
	w := a.walk(a.q.Evidence)
	for i := 0; ; i++ {
		v, ok := w.at(a.ctx, i)
		if !ok {
			complete := w.h.Err() == nil && w.h.End() == repo.Complete
			return birth, i > 0, complete
		}
		var content []byte
		if v.Blob != "" {
			var err error
			if content, err = a.repo.Blob(v.Blob); err != nil {
				return birth, false, false
			}
		}
		if !bytes.Contains(content, []byte(a.q.Recorded)) {
			return birth, i > 0, true
		}
		birth = v.Commit
		if v.Created {
			return birth, true, true
		}
	}
}

func (a *answer) isAncestor(older, newer repo.Commit) bool {
	key := [2]string{older.Hash, newer.Hash}
	is, known := a.ancestry[key]
	if !known {
		var err error
		if is, err = a.repo.IsAncestor(a.ctx, older, newer); err != nil {
			return false
		}
		a.ancestry[key] = is
	}
	return is
}

// mergedBy returns the number of the pull request whose merge brought a version
// in: the nearest merge that names one, and whose first parent does not have the commit.
func (a *answer) mergedBy(v repo.Version) int {
	for _, hash := range v.Merges {
		merge, err := a.repo.Resolve(hash)
		if err != nil {
			return 0
		}
		n := pullRequest(merge.Subject)
		if n == 0 {
			continue
		}
		first, err := a.repo.Resolve(merge.Parents[0])
		if err == nil && !a.isAncestor(v.Commit, first) {
			return n
		}
	}
	return 0
}

var (
	squashed = regexp.MustCompile(`\(#([0-9]{1,9})\)$`)
	merged   = regexp.MustCompile(`^Merge pull request #([0-9]{1,9}) `)
)

// pullRequest returns the number that a subject carries, in the two ways in which
// GitHub writes it: "... (#12)" for a squash, "Merge pull request #12 from ..." for a
// merge. Without one it is 0.
func pullRequest(subject string) int {
	for _, form := range []*regexp.Regexp{squashed, merged} {
		if m := form.FindStringSubmatch(subject); m != nil {
			n, _ := strconv.Atoi(m[1])
			return n
		}
	}
	return 0
}
