package since

import (
	"bytes"
	"errors"
	"regexp"
	"strconv"

	"github.com/replay-gate/replay-gate/gate/repo"
)

// find returns the newest version that has the recorded hash, or nil, and how many
// newer ones could not be read. The error is what ended the search before its end.
func (a *answer) find(w *repo.Walk) (found *repo.Version, unread int, err error) {
	for i := 0; ; i++ {
		v, ok, err := w.At(a.ctx, i)
		if !ok {
			return nil, unread, err
		}
		switch ok, err := a.matches(a.ctx, v.Blob, a.q); {
		case errors.Is(err, errUnread):
			unread++
		case err != nil:
			return nil, unread, err
		case ok:
			return &v, unread, nil
		}
	}
}

// staleFromBirth reports whether the evidence was committed with its hash when the
// input had already changed: the input did not have the hash there, and the commit
// that changed it last is in that commit's past. What can't be determined is not said.
func (a *answer) staleFromBirth(left repo.Commit) bool {
	if a.q.Evidence == "" || a.q.Recorded == "" {
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
	if _, blob, known := a.holds(birth); blob != "" || !known {
		return false
	}
	is, _ := a.isAncestor(left, birth)
	return is
}

// birth is the commit since which the evidence records the hash without a break.
// It is not committed when the evidence of the head does not record it.
func (a *answer) birth() (birth repo.Commit, committed, known bool) {
	w := a.histories.Of(a.q.Evidence)
	for i := 0; ; i++ {
		v, ok, err := w.At(a.ctx, i)
		if !ok {
			return birth, i > 0, err == nil && w.End() == repo.Complete
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

func (a *answer) isAncestor(older, newer repo.Commit) (is, known bool) {
	key := [2]string{older.Hash, newer.Hash}
	is, known = a.ancestry[key]
	if !known {
		var err error
		if is, err = a.repo.IsAncestor(a.ctx, older, newer); err != nil {
			return false, false
		}
		a.ancestry[key] = is
	}
	return is, true
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
		if err != nil {
			return 0
		}
		switch had, known := a.isAncestor(v.Commit, first); {
		case !known:
			return 0
		case !had:
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
