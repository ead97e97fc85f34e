package since

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/replay-gate/replay-gate/gate/repo"
	"github.com/replay-gate/replay-gate/verify"
)

// DefaultMaxTime is how long all walks of one [Finder] may take together.
const DefaultMaxTime = 10 * time.Second

// Options bound the search. The zero value means the defaults.
type Options struct {
	// Base is the commit before the change; zero when there is none.
	Base repo.Commit
	// HistoryOnly answers from the history of the head alone: a recorded commit
	// outside of it counts for nothing, whether or not this clone has it. Without a
	// Base, and with the whole history at hand, every clone then gives the same answers.
	HistoryOnly bool
	// MaxEdits bounds the edits in all answers together; 0 means [valuediff.MaxEdits]
	// for each.
	MaxEdits int
	// MaxTime bounds all questions together; 0 means DefaultMaxTime, and a negative
	// one no bound but the context of a question.
	MaxTime time.Duration
	// Seen is told each version of an input that an answer quotes; nil for nobody.
	Seen func(ctx context.Context, content []byte)
}

// Question is about one input of one piece of evidence.
type Question struct {
	Evidence string // path of the evidence, or empty
	Input    string // path of the input in the head
	Recorded string // "sha256:" and 64 hex digits
	Modes    Modes  // which hashes of the input may equal Recorded
	// Holds tells in place of Modes whether a version is the recorded one; Recorded is then
	// whatever stands in the evidence since, or empty, and Modes says how to show it.
	Holds func(content []byte) bool
	// HoldsIn tells it of a folder: Input is one then.
	HoldsIn func(folder *repo.Snapshot) bool
	// Key is the part of the input that is asked about, its names joined by dots, or several
	// with commas between them; empty for all of it. Edits of other parts are not shown.
	Key    string
	Commit string // recorded commit (40 hex digits), or empty
}

// Finder answers questions about one state of the files. Several goroutines may
// ask; they are answered one after the other.
type Finder struct {
	repo      *repo.Repository
	head      *repo.Snapshot
	histories *repo.Histories
	commit    repo.Commit // that the histories start at
	o         Options

	mu       sync.Mutex
	left     time.Duration
	edits    int // that are left of MaxEdits
	listed   int // files of states of folders
	seed     maphash.Seed
	sums     map[blobID]sums
	held     map[heldKey]bool
	differ   map[differKey]differing
	ancestry map[[2]string]bool
}

// New returns a Finder for the state head of r: the work tree, or a commit. The
// histories start at its commit; they are of no use before the first one.
func New(r *repo.Repository, head *repo.Snapshot, histories *repo.Histories, o Options) *Finder {
	if o.MaxTime == 0 {
		o.MaxTime = DefaultMaxTime
	}
	return &Finder{
		repo: r, head: head, histories: histories, commit: histories.From(), o: o, left: o.MaxTime, edits: o.MaxEdits,
		seed: maphash.MakeSeed(), sums: map[blobID]sums{}, held: map[heldKey]bool{}, differ: map[differKey]differing{}, ancestry: map[[2]string]bool{},
	}
}

// Why answers a question. It is the zero value if the input has the recorded hash.
func (f *Finder) Why(ctx context.Context, q Question) verify.Why {
	f.mu.Lock()
	defer f.mu.Unlock()
	bounded := ctx
	if f.o.MaxTime > 0 {
		var cancel func()
		bounded, cancel = context.WithTimeout(ctx, f.left)
		started := time.Now()
		defer func() {
			cancel()
			f.left = max(0, f.left-time.Since(started))
		}()
	}
	a := answer{Finder: f, q: q, ctx: bounded, outer: ctx}
	var present []byte
	err := error(fs.ErrNotExist)
	if q.HoldsIn == nil {
		if present, err = f.head.ReadFile(q.Input); err == nil && q.match(present) {
			return verify.Why{}
		}
	}
	a.history()
	before := a.recorded()
	if err == nil && before != nil {
		if f.o.Seen != nil {
			f.o.Seen(ctx, before)
			f.o.Seen(ctx, present)
		}
		a.difference(before, present)
	}
	a.why.Note = strings.Join(a.notes, "; ")
	return a.why
}

// answer is a question while it is being answered.
type answer struct {
	*Finder
	q     Question
	ctx   context.Context // ends with the time that is left
	outer context.Context
	why   verify.Why
	notes []string
	// found is the newest version with the recorded hash; nil if there is none.
	found *repo.Version
}

// name sets the case and the words for it.
func (a *answer) name(code, note string) {
	a.why.Case = code
	a.note(note)
}

func (a *answer) note(note string) { a.notes = append(a.notes, note) }

// history finds the newest version with the recorded hash, and the commit that
// replaced it.
func (a *answer) history() {
	if a.commit.Hash == "" {
		a.name(verify.CaseUnavailable, "history not available (no commits yet)")
		return
	}
	w := a.walk()
	found, unread, err := a.find(w)
	switch {
	case found != nil:
		a.found = found
		a.since(w)
	case err != nil:
		a.stopped(err)
	case w.End() == repo.Limit:
		a.undetermined()
	case w.End() == repo.Shallow:
		n, _ := a.repo.Shallow()
		a.name(verify.CaseUnavailable, fmt.Sprintf("history not available (shallow clone: %d commits)", n))
	default:
		a.name(verify.CaseNeverMatched, "no commit of this history has the recorded version")
	}
	if found == nil && unread > 0 {
		a.note(fmt.Sprintf("%d of its versions can't be read as a value", unread))
	}
}

// walk is the history of the input.
func (a *answer) walk() *repo.Walk {
	if a.q.HoldsIn != nil {
		return a.histories.OfFolder(a.q.Input)
	}
	return a.histories.Of(a.q.Input)
}

// stopped words an error that ended the walk.
func (a *answer) stopped(err error) {
	switch {
	case a.outer.Err() != nil:
		a.name(verify.CaseUnavailable, "history not available (interrupted)")
	case errors.Is(err, context.DeadlineExceeded):
		a.undetermined()
	case errors.Is(err, errMuch):
		a.name(verify.CaseUndetermined, "not determined: too many files in the history of its folder")
	case errors.Is(err, repo.ErrMissingObject):
		a.name(verify.CaseUnavailable, "history not available (partial clone: objects are missing)")
	default:
		a.name(verify.CaseUnavailable, "history not available ("+verify.Shorten(err.Error(), verify.MaxValue/2)+")")
	}
}

func (a *answer) undetermined() {
	words := fmt.Sprintf("not determined within %d commits", a.histories.MaxCommits())
	if a.o.MaxTime > 0 {
		words += fmt.Sprintf(" or %s seconds", strconv.FormatFloat(a.o.MaxTime.Seconds(), 'f', -1, 64))
	}
	a.name(verify.CaseUndetermined, words)
}

// since names the commit after the found version.
func (a *answer) since(w *repo.Walk) {
	if a.found.Newer < 0 {
		a.name(verify.CaseUncommitted, "the change is not committed")
		return
	}
	left, _, err := w.At(a.ctx, a.found.Newer)
	if err != nil {
		a.stopped(err)
		return
	}
	v := version(left.Commit, left.Path)
	if v.PullRequest == 0 {
		v.PullRequest = a.mergedBy(left)
	}
	a.why.Since = &v
	if a.staleFromBirth(left.Commit) {
		a.name(verify.CaseStaleFromBirth, "the input had changed already when the evidence was committed")
	}
	if left.Blob == "" {
		a.note("that commit deleted the input")
	}
}

// version describes a commit; what an author wrote is bounded.
func version(c repo.Commit, path string) verify.Version {
	return verify.Version{
		Commit: c.Hash, Path: path, Date: c.When,
		Author:      verify.Shorten(c.AuthorName, verify.MaxValue),
		Subject:     verify.Shorten(c.Subject, verify.MaxValue),
		PullRequest: pullRequest(c.Subject),
	}
}

// recorded returns the content of the file that has the recorded hash, and says where it was
// found: in the base, at the recorded commit, else in the history.
func (a *answer) recorded() []byte {
	blob := ""
	take := func(c repo.Commit) (holds, known bool) {
		name, id, known := a.holds(c)
		if id != "" && blob == "" {
			v := version(c, name)
			a.why.Recorded, blob = &v, id
		}
		return id != "", known
	}
	if a.o.Base.Hash != "" {
		take(a.o.Base)
	}
	if a.q.Commit != "" {
		c, where, ok := a.recordedCommit()
		if !ok {
			a.note("the recorded commit " + short(a.q.Commit) + " is not in this " + where)
		} else if holds, known := take(c); holds {
			a.why.HoldsAt = c.Hash
			a.note("the evidence describes it as it was at " + short(c.Hash))
		} else if known {
			a.note("it was not this at the recorded commit " + short(c.Hash) + " either")
		} else {
			a.note("not determined whether it holds at the recorded commit " + short(c.Hash))
		}
	}
	if blob == "" && a.found != nil {
		v := version(a.found.Commit, a.found.Path)
		a.why.Recorded, blob = &v, a.found.Blob
	}
	if blob == "" || a.q.HoldsIn != nil {
		return nil
	}
	content, err := a.repo.Blob(blob)
	if err != nil {
		return nil // it was read to be hashed; there is nothing to compare then
	}
	return content
}

// recordedCommit returns the commit that the evidence names, and whether it is where
// it is looked for.
func (a *answer) recordedCommit() (c repo.Commit, where string, ok bool) {
	where = "repository"
	if a.repo.Has(a.q.Commit) {
		var err error
		c, err = a.repo.Resolve(a.q.Commit)
		ok = err == nil
	}
	if a.o.HistoryOnly {
		where = "history"
		if ok {
			ok, _ = a.isAncestor(c, a.commit)
		}
	}
	return c, where, ok
}

// holds returns where the input has the recorded hash at a commit, under the
// present name or one that it had before, and the blob; both are empty if it does not.
// It is not known where some of its names or contents are out of reach.
func (a *answer) holds(c repo.Commit) (name, blob string, known bool) {
	w, at := a.walk(), a.repo.BlobAt
	if a.q.HoldsIn != nil {
		at = a.repo.FolderAt
	}
	var tried []string
	there, known := false, true
	for i := -1; ; i++ {
		name := a.q.Input
		if i >= 0 {
			v, ok, err := w.At(a.ctx, i)
			if !ok {
				return "", "", known && (there || err == nil && w.End() == repo.Complete)
			}
			name = v.Path
		}
		if slices.Contains(tried, name) {
			continue
		}
		tried = append(tried, name)
		id, err := at(c, name)
		if err != nil {
			known = false
		}
		if id == "" {
			continue
		}
		there = true
		// Not bounded in time: these are one or two files that decide much.
		switch ok, err := a.matches(a.outer, id, a.q); {
		case ok && err == nil:
			return name, id, true
		case err != nil:
			known = known && errors.Is(err, errUnread)
		}
	}
}

func short(hash string) string { return hash[:min(len(hash), 12)] }
