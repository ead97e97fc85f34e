package gate

import (
	"bytes"
	"cmp"
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
	"github.com/replay-gate/replay-gate/gate/since"
	"github.com/replay-gate/replay-gate/summary"
	"github.com/replay-gate/replay-gate/verify"
)

// writeBundles writes a replay bundle for every piece of evidence that the
// options ask for, and notes them in the report.
func writeBundles(ctx context.Context, r *repo.Repository, c *change, s *scope, head *verify.Tree, results []verify.Result, report *summary.Report, histories *repo.Histories, o Options) error {
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
	dirtyForAll := c.headCommit.Hash == "" || c.dirty[config.Name] || slices.ContainsFunc(cassettes, func(name string) bool { return c.dirty[name] })
	timed, cancel := context.WithTimeout(ctx, cmp.Or(o.HistoryTime, since.DefaultMaxTime))
	defer cancel()
	m := maker{tree: head, commit: c.headCommit, past: newPast(timed, r, c.head, histories), strict: o.Strict, cassettes: cassettes}

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
			b, err := m.make(ctx, s.targets[i], o.judgedAt(c, res.Path), dirtyForAll || touches(c.dirty, res))
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

// maker makes the bundles of one tree.
type maker struct {
	tree      *verify.Tree
	commit    repo.Commit // that the tree holds; zero when there is none
	past      *past       // of that commit; nil when it is not at hand
	strict    bool
	cassettes []string
}

// noHistory is what a page says in place of a timeline. The reason is not told apart:
// every clone without the whole history gives the same bytes.
const noHistory = "The history of the inputs was not at hand when this page was made: the clone was shallow or partial, or time ran out. " +
	"In a full clone, replay-gate timeline shows it"

// make judges one target by its tree alone, and makes the bundle of that. What
// goes in depends on the commit with its history, and the evidence: on no base, no
// attribution, no clock, and no settings but the tree's own.
func (m *maker) make(ctx context.Context, t target, now time.Time, dirty bool) (*bundle.Bundle, error) {
	for _, f := range ownFormats(m.tree) {
		if f.Kind() == t.format.Kind() {
			t.format = f
		}
	}
	item := verify.Item{Path: t.path, Format: t.format, Now: now}
	r := verify.Engine{Strict: m.strict}.Verify(ctx, m.tree, []verify.Item{item})[0]
	if r.Kind != "ahd" && m.tree.Exists(config.Name) {
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
	secrets, err := leaks(m.tree)
	if err != nil {
		return nil, err
	}
	history, err := m.past.tell(&pure, r, m.tree)
	if err != nil {
		return nil, err
	}
	src := bundle.Source{
		Result: r, Tree: m.tree, Strict: m.strict, GitSHA: m.commit.Hash, GitDirty: dirty, History: history != nil,
		Secrets: secrets, Cassettes: m.cassettes,
		Outputs: bundle.Outputs{
			Summary: summary.EvidenceSummary(tool, r, m.strict),
			JUnit:   junit.Bytes(), SARIF: sarif.Bytes(),
		},
	}
	switch {
	case history == nil:
		history = &verify.Timeline{Notes: []string{noHistory}}
	case len(history.Lanes) > 0:
		src.Outputs.Timeline = summary.TimelineSVG(history)
	}
	src.Outputs.HTML = summary.HTML([]summary.Evidence{pure}, tool, history)
	if !dirty {
		src.Created = m.commit.When.UTC().Truncate(time.Second)
	}
	return bundle.Build(src)
}
