package gate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/replay-gate/replay-gate/bundle"
	"github.com/replay-gate/replay-gate/gate/config"
	"github.com/replay-gate/replay-gate/gate/repo"
	"github.com/replay-gate/replay-gate/summary"
	"github.com/replay-gate/replay-gate/verify"
)

// writeBundles writes a replay bundle for every piece of evidence that the
// options ask for, and notes them in the report.
func writeBundles(ctx context.Context, r *repo.Repository, c *change, s *scope, head *verify.Tree, results []verify.Result, report *summary.Report, o Options) error {
	if o.BundleFor == "none" {
		return nil
	}
	root, err := os.OpenRoot(r.Root())
	if err != nil {
		return infraError(err)
	}
	defer root.Close()
	var cassettes []string
	for _, name := range head.Files() {
		if matches(name, o.Cassettes) {
			cassettes = append(cassettes, name)
		}
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
		if first, taken := runs[id]; taken {
			ev.Bundle = &summary.Bundle{RunID: id, Note: "no bundle: the same run is in the bundle of " + first}
			continue
		}
		runs[id] = res.Path
		g.Go(func() error {
			if err := ctx.Err(); err != nil {
				return interrupted(err)
			}
			dirty := c.headCommit.Hash == "" || touches(c.dirty, res) || slices.ContainsFunc(cassettes, func(name string) bool { return c.dirty[name] })
			b, err := bundleOf(ctx, head, s.targets[i], o.judgedAt(c, res.Path), c.headCommit, dirty, o.Strict, cassettes)
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
			ev.Bundle = &summary.Bundle{RunID: b.RunID, Path: w.Path, SHA256: w.SHA256, Size: w.Size}
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

// touches reports whether the evidence or one of its inputs is among paths.
func touches(paths map[string]bool, r *verify.Result) bool {
	if paths[r.Path] {
		return true
	}
	for _, in := range r.Inputs {
		if paths[in.Path] {
			return true
		}
	}
	return false
}

// bundleOf judges one target by its tree alone, and makes the bundle of that. What
// goes in depends on the commit and the evidence: on no base, no attribution, no
// clock, and no settings but the tree's own.
func bundleOf(ctx context.Context, tree *verify.Tree, t target, now time.Time, at repo.Commit, dirty, strict bool, cassettes []string) (*bundle.Bundle, error) {
	for _, f := range ownFormats(tree) {
		if f.Kind() == t.format.Kind() {
			t.format = f
		}
	}
	item := verify.Item{Path: t.path, Format: t.format, Now: now}
	r := verify.Engine{Strict: strict}.Verify(ctx, tree, []verify.Item{item})[0]
	if r.Kind != "ahd" && tree.Exists(config.Name) {
		r.Inputs = append(r.Inputs, verify.Input{Role: "settings", Path: config.Name, Place: verify.PlaceInputs})
	}
	// Without a version: a bundle's bytes must not change with the release of
	// the tool that happens to write it.
	tool := summary.Tool{Name: "replay-gate"}
	pure := Evidence(&r, t.format.Title())
	pure.Because = ""

	var junit, sarif bytes.Buffer
	if err := summary.WriteJUnit(&junit, pure.Path, []summary.Evidence{pure}); err != nil {
		return nil, fmt.Errorf("rendering JUnit: %w", err)
	}
	if err := summary.WriteSARIF(&sarif, tool, []summary.Evidence{pure}); err != nil {
		return nil, fmt.Errorf("rendering SARIF: %w", err)
	}
	secrets, err := leaks(tree)
	if err != nil {
		return nil, err
	}
	src := bundle.Source{
		Result: r, Tree: tree, Strict: strict, GitSHA: at.Hash, GitDirty: dirty, Secrets: secrets, Cassettes: cassettes,
		Outputs: bundle.Outputs{
			Summary: summary.EvidenceSummary(tool, r, strict),
			JUnit:   junit.Bytes(), SARIF: sarif.Bytes(),
			HTML: summary.HTML([]summary.Evidence{pure}, tool),
		},
	}
	if !dirty {
		src.Created = at.When.UTC().Truncate(time.Second)
	}
	return bundle.Build(src)
}
