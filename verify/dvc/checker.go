package dvc

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/replay-gate/replay-gate/verify"
)

// Bounds on the work for one lock.
const (
	maxRows    = 4000
	maxSteps   = 1 << 24   // of comparing parameters
	maxListing = 1_000_000 // files of all its folders
	maxTries   = 50        // folders whose line ends are tried file by file
)

// checker judges one lock.
type checker struct {
	ctx    context.Context //nolint:containedctx // of one judgement; dropped with it
	e      *verify.Evidence
	t      *verify.Tree
	root   string // of the DVC repository
	lock   *lock
	pipe   *pipeline
	outs   map[string]*producer
	left   map[string]string // outputs of stages that are gone from dvc.yaml
	after  *graph
	ignore *ignorer
	rows   verify.Rows
	in     inputs
	steps  int // what is left of maxSteps, maxListing and maxTries
	files  int
	tries  int
	stale  []stale
	crlf   []string // files that match with CRLF only
	lf     []string // with LF only
}

func newJudge(ctx context.Context, e *verify.Evidence) *checker {
	dir := path.Dir(e.Path)
	j := &checker{
		ctx: ctx, e: e, t: e.Tree, root: rootOf(e.Tree, dir),
		pipe: readPipeline(e.Tree, path.Join(dir, pipelineName)),
		rows: verify.Rows{Path: e.Path},
	}
	j.ignore = newIgnorer(j.t, j.root, ignoreFile)
	j.in.own, j.steps, j.files, j.tries = e.Path, maxSteps, maxListing, maxTries
	return j
}

// all judges the stages: those of dvc.yaml in its order, then what only the lock has.
func (j *checker) all() {
	switch {
	case j.pipe.absent:
		j.rows.Warn(pipelineName, verify.Spot{}, "no-pipeline", pipelineName+" does not exist beside the lock: nothing says what the recorded stages rest on now").Input = j.pipe.path
	case j.pipe.err != nil:
		c := j.rows.Fail(pipelineName, verify.Spot{}, "unreadable", pipelineName+" can't be read: "+j.pipe.err.Error())
		c.Input = j.pipe.path
		return
	}
	j.outs = j.ownOuts()
	j.left = j.leftOuts()
	j.after = newGraph(j.pipe)
	for _, name := range j.pipe.vars {
		j.in.add(verify.Input{Role: "vars", Path: name})
	}
	for _, st := range j.pipe.stages {
		if j.ctx.Err() != nil {
			j.rows.Fail("file", verify.Spot{}, "interrupted", "not checked to the end: "+j.ctx.Err().Error())
			return
		}
		if j.full() {
			break
		}
		if recorded := j.lock.byName[st.name]; recorded != nil {
			j.stage(st, recorded)
		} else {
			j.neverRun(st)
		}
	}
	for _, recorded := range j.lock.stages {
		if j.pipe.byName[recorded.name] == nil && !j.full() {
			j.unlisted(recorded)
		}
	}
	j.lineEnds()
	j.follows()
	if j.full() {
		j.rows.Fail("file", verify.Spot{}, "too-many", fmt.Sprintf("not checked to the end: it has more than %d rows", maxRows))
	}
	if len(j.rows.Checks) == 0 {
		j.rows.Info("stages", verify.Spot{}, "no-stages", "records no stage, and "+pipelineName+" has none")
	}
}

// aside judges, keeps nothing of what was found, and reports whether all of it holds.
func (j *checker) aside(judge func()) (holds bool) {
	rows, stale, crlf, lf, inputs := len(j.rows.Checks), len(j.stale), len(j.crlf), len(j.lf), len(j.in.list)
	judge()
	holds = !slices.ContainsFunc(j.rows.Checks[rows:], func(c verify.Check) bool {
		return c.Status == verify.Fail || c.Status == verify.Warn || c.Unproven
	})
	j.rows.Checks, j.stale, j.crlf, j.lf = j.rows.Checks[:rows], j.stale[:stale], j.crlf[:crlf], j.lf[:lf]
	j.in.forget(inputs)
	return holds
}

// full reports whether there are as many rows as one lock may have.
func (j *checker) full() bool { return len(j.rows.Checks) >= maxRows }

// lineEnds says once how many files hold only in other line ends.
func (j *checker) lineEnds() {
	say := func(names []string, ends ends, whose string) {
		slices.Sort(names)
		names = slices.Compact(names)
		if len(names) > 0 {
			j.rows.Info("line-ends", verify.Spot{}, "line-ends", plural(len(names), "recorded path")+" hold with "+ends.String()+" line ends only, "+whose+": "+listed(names))
		}
	}
	say(j.crlf, asCRLF, "those of a Windows checkout")
	say(j.lf, asLF, "and git holds CRLF")
}

// ignoreFiles adds every .dvcignore that had a say in the list of a folder.
func (j *checker) ignoreFiles(dir string, f *folder) {
	seen := make(map[string]bool)
	visit := func(dir string) {
		for ; !seen[dir]; dir = path.Dir(dir) {
			seen[dir] = true
			if rulesOf(j.t, dir, ignoreFile) != nil {
				j.in.add(verify.Input{Role: "dvcignore", Path: path.Join(dir, ignoreFile)})
			}
			if dir == j.root || dir == "." {
				return
			}
		}
	}
	visit(dir)
	for _, m := range f.members {
		visit(path.Join(dir, path.Dir(m.rel)))
	}
}

// field names what is judged of a stage.
func field(stage string, parts ...string) string {
	return "stages." + stage + "." + strings.Join(parts, ".")
}
