package gate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/replay-gate/replay-gate/bundle"
	"github.com/replay-gate/replay-gate/gate/repo"
	"github.com/replay-gate/replay-gate/gate/since"
	"github.com/replay-gate/replay-gate/summary"
	"github.com/replay-gate/replay-gate/verify"
)

// writeBundles writes a replay bundle for every piece of evidence that the
// options ask for, and notes them in the report.
func writeBundles(ctx context.Context, r *repo.Repository, c *change, s *scope, head *verify.Tree, results []verify.Result, report *summary.Report, histories *repo.Histories, o Options) error {
	if o.BundleFor == "none" || len(results) == 0 {
		return nil
	}
	root, err := os.OpenRoot(r.Root())
	if err != nil {
		return infraError(err)
	}
	defer root.Close()
	timed, cancel := context.WithTimeout(ctx, cmp.Or(o.HistoryTime, since.DefaultMaxTime))
	defer cancel()
	makers, err := newMakers(timed, r, c, head, histories, o)
	if err != nil {
		return infraError(err)
	}

	runs := make(map[string]string) // run id -> the evidence that is bundled under it
	var done atomic.Int64
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(workers())
	for i := range results {
		res, ev := &results[i], &report.Evidence[i]
		if s.targets[i].removed != nil || res.Kind == bundle.Kind || !judged(res) || (o.BundleFor == "failed" && res.Count(verify.Fail) == 0) {
			continue
		}
		// Copies of one sidecar under one name are one run, and have one bundle.
		id := bundle.RunID(*res)
		if first, taken := runs[id]; taken && res.SHA256 != "" {
			ev.Bundle = &summary.Bundle{RunID: id, Note: "no bundle of its own: it is the same run as " + first}
			continue
		}
		runs[id] = res.Path
		g.Go(func() error {
			if err := ctx.Err(); err != nil {
				return interrupted(err)
			}
			b, err := makers.make(ctx, s.targets[i], res, o.judgedAt(c, res.Path))
			if err := ctx.Err(); err != nil {
				return interrupted(err)
			}
			var se *bundle.SecretsError
			if errors.As(err, &se) {
				ev.Fields = append(ev.Fields, summary.Field{Check: se.Row(), Attribution: c.broughtBy(se.Path)})
			}
			if err != nil {
				// What can't be bundled is said and does not end the run: the verdict
				// stands without it.
				ev.Bundle = &summary.Bundle{RunID: id, Note: "no bundle: " + err.Error()}
				return nil
			}
			for _, w := range b.Warnings {
				row := w.Row()
				row.Status, row.Reason = verify.Warn, w.Warning()
				ev.Fields = append(ev.Fields, summary.Field{Check: row})
			}
			w, err := b.WriteFile(root, o.BundleDir)
			if err != nil {
				return infraError(fmt.Errorf("writing the bundle of %s: %w", res.Path, err))
			}
			ev.Bundle = &summary.Bundle{RunID: b.RunID, Path: w.Path, SHA256: w.SHA256, Size: w.Size, Timeline: b.Timeline()}
			o.Progress("writing bundles", int(done.Add(1)), len(results))
			return nil
		})
	}
	return g.Wait()
}

// judged reports whether there is a verdict to bundle: a file that was only
// recognised as no evidence, or as an input of some, has none.
func judged(r *verify.Result) bool {
	return r.Count(verify.Info) < len(r.Checks)
}
