package dvc

import (
	"context"
	"path"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/canonical"
)

// Format is the lock of a DVC pipeline as a kind of evidence. The zero value is ready for
// use.
type Format struct{}

// Kind is "dvc".
func (Format) Kind() string { return "dvc" }

// Title is "DVC lock".
func (Format) Title() string { return "DVC lock" }

// Patterns matches every dvc.lock. DVC can't be told another name.
func (Format) Patterns() []string { return []string{"**/" + lockName} }

// Marks reports whether data is a lock, however damaged.
func (Format) Marks(name string, data []byte) bool { return isLock(name, data) }

// Verify judges every stage of the lock and of the dvc.yaml beside it.
func (Format) Verify(ctx context.Context, e *verify.Evidence) verify.Result {
	rec := verify.Recording{Tool: "dvc", Name: runName(e.Path)}
	data, err := e.Tree.ReadFile(e.Path, verify.MaxEvidence)
	if err != nil {
		return verify.Unreadable(e, "file", rec, err)
	}
	r := verify.Result{SHA256: canonical.RawHash(data), Recording: rec}
	j := newJudge(ctx, e)
	j.in.add(verify.Input{Role: "pipeline", Path: j.pipe.path, Missing: j.pipe.absent})
	if j.lock, err = readLock(data); err != nil {
		r.Unchecked = j.refused(err)
	} else {
		j.file(data)
		j.all()
	}
	r.Checks, r.Inputs = j.rows.Checks, j.in.sorted()
	return r
}

// runName is the folder of the lock, which is what its project calls itself.
func runName(name string) string {
	if base := path.Base(path.Dir(name)); base != "." && base != "/" {
		return base
	}
	return "dvc"
}

// refused adds the row for a lock of which nothing can be judged.
func (j *checker) refused(err error) (reason string) {
	p, ok := err.(*problem) //nolint:errorlint // readLock's own
	if !ok {
		p = &problem{code: "not-yaml", reason: err.Error()}
	}
	j.rows.Fail("file", p.at, p.code, "the lock "+p.reason)
	return "the lock " + p.reason
}

// file judges the lock as a file.
func (j *checker) file(data []byte) {
	for _, p := range j.lock.problems {
		at := p.at
		at.Text = ""
		j.rows.Fail("file", at, p.code, p.reason)
	}
	if j.lock.version == 1 {
		j.rows.Info("schema", verify.Spot{Line: 1, Column: 1}, "lock-version-1", "a lock of version 1, which DVC 3 refuses; judged as DVC 2 did")
	}
	if len(data) > 0 && data[len(data)-1] != '\n' {
		j.rows.Warn("file.end", verify.Spot{}, "no-final-newline", "the last line has no line end, which DVC always writes: cut off, or edited")
	}
}
