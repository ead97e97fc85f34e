package gate

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/replay-gate/replay-gate/bundle"
	"github.com/replay-gate/replay-gate/gate/change"
	"github.com/replay-gate/replay-gate/gate/config"
	"github.com/replay-gate/replay-gate/gate/judge"
	"github.com/replay-gate/replay-gate/gate/reason"
	"github.com/replay-gate/replay-gate/verify"
)

// carried is the verdict on judged evidence as its bundle carries it: the gate's rows,
// without who brought them. Attribution says what a change did and not what holds, so the
// same evidence in another change has the same bundle. related says that some rows are
// held against the base.
func carried(e *judge.Account) (r verify.Result, related bool) {
	r = *e.Head
	r.Checks = nil
	for k, row := range e.Rows {
		c := row.Check
		switch {
		case c.Code == judge.CodeRecordedCommit || c.Code == judge.CodeCommitUnavailable || c.Field == bundle.FieldSecrets:
			continue // where the inputs are from, which the manifest says; what no bundle should have
		case k >= len(e.Head.Checks) && row.Attribution == verify.Fixed:
			continue
		case k >= len(e.Head.Checks):
			related = true
		default:
			// A row that can't tell, and which the base decided.
			related = related || e.Head.Checks[k].Unproven && row.HeldAt == "" && c.Status != e.Head.Checks[k].Status
			c.Reason = strings.TrimSuffix(c.Reason, judge.ChangedAgain)
		}
		c.Hint, c.Command = "", nil // a hint may rest on any file
		r.Checks = append(r.Checks, c)
	}
	return r, related
}

// judging comes to the verdict of a bundle from what it holds, with the same code that
// judged the change, and without the secrets of its files. Trees share with like what is
// remembered by content, and recorded gets the recording as it is; both may be nil.
func judging(ctx context.Context, now time.Time, like *verify.Tree, v veil, recorded *verify.Recording) bundle.Judge {
	return func(a *bundle.Archive) (verify.Result, error) {
		e, base, err := judgedAgain(ctx, a, now, like)
		if err != nil || e == nil {
			return verify.Result{Path: a.Manifest.ReplayGate.Evidence, Kind: a.Manifest.ReplayGate.Kind}, err
		}
		if recorded != nil {
			*recorded = e.Head.Recording
		}
		r, _ := carried(v.over(ctx, e, base))
		return r, nil
	}
}

// judgedAgain is the evidence of a bundle as it is judged from what the bundle holds, and
// the base that it was held against; both may be nil.
func judgedAgain(ctx context.Context, a *bundle.Archive, now time.Time, like *verify.Tree) (*judge.Account, *verify.Tree, error) {
	g := a.Manifest.ReplayGate
	head := verify.NewTree(a.FS())
	if like != nil {
		head = like.Sibling(a.FS())
	}
	q := judge.Question{
		Head: judge.Side{Tree: head}, Now: a.JudgedAt(now), Strict: g.Strict,
		Secret: func(text string) bool { return len(bundle.AssaySecrets([]byte(text))) > 0 },
	}
	var base *verify.Tree
	if files := a.BaseFS(); files != nil {
		base = head.Sibling(files)
		q.Bases = []judge.Base{{Side: judge.Side{Tree: base}, Differs: differs(head, base), Renamed: renamed(g)}}
	}
	q.Kinds = carriedKinds(a, &q)
	j := judge.Judge(ctx, q)
	if err := ctx.Err(); err != nil {
		return nil, nil, reason.Interrupted(err)
	}
	for i := range j.Evidence {
		if e := &j.Evidence[i]; e.Path == g.Evidence && !e.Removed {
			return e, base, nil
		}
	}
	return nil, nil, nil
}

// carriedKinds are the kind of the evidence that a bundle carries, at the places where it
// and what its rows rest on lie, with the settings in force.
func carriedKinds(a *bundle.Archive, q *judge.Question) []judge.Kind {
	g := a.Manifest.ReplayGate
	settings := carriedSettings(a)
	for _, f := range settings.Formats {
		if f.Kind() != g.Kind {
			continue
		}
		globs := []string{quoteGlob(g.Evidence)}
		for _, p := range bundle.Spelled(g.Peers) {
			globs = append(globs, quoteGlob(p))
		}
		k := judge.Kind{Format: f, Globs: globs, Configured: globs}
		if len(q.Bases) > 0 {
			for _, old := range renamed(g) {
				k.Globs = append(k.Globs, quoteGlob(old))
			}
			if k.Configured = k.Globs; lapsed(f, settings, g.Evidence, q) {
				k.Configured = k.Globs[1:]
			}
		}
		return []judge.Kind{k}
	}
	return nil
}

// lapsed reports whether the evidence has lost its marks since the base, where no setting
// names its place.
func lapsed(f verify.Format, s config.Settings, path string, q *judge.Question) bool {
	if (judge.Kind{Globs: s.Evidence[f.Kind()]}).At(path) {
		return false
	}
	marked := func(t *verify.Tree) bool {
		data, err := t.Aside().ReadFile(path, verify.MaxEvidence)
		return err == nil && f.Marks(path, data)
	}
	return !marked(q.Head.Tree) && marked(q.Bases[0].Tree)
}

// strictFixtures is the option of that name in a manifest.
const strictFixtures = "strict-fixtures"

// carriedSettings are those that were in force when the bundle was made: what a replay of
// it gives depends on it alone.
func carriedSettings(a *bundle.Archive) config.Settings {
	g := a.Manifest.ReplayGate
	o := Options{StrictFixtures: g != nil && slices.Contains(g.Options, strictFixtures)}
	none := config.Settings{Formats: o.formats()}
	from := a.FS()
	switch {
	case g == nil:
	case g.Settings == settingsNone:
		return none
	case g.Settings == settingsBase && a.BaseFS() != nil:
		from = a.BaseFS()
	}
	s, _, err := change.ReadSettings(verify.NewTree(from), o.formats())
	if err != nil {
		return none // as if there were none, as when the bundle was made
	}
	return s
}

// The values of a manifest's replay_gate.settings, besides the empty one.
const (
	settingsBase = "base"
	settingsNone = "none"
)

func renamed(g *bundle.ReplayGate) map[string]string {
	names := make(map[string]string)
	for now, old := range g.Base.Renamed {
		if both := bundle.Spelled([]string{now, old}); len(both) == 2 {
			names[both[0]] = both[1]
		}
	}
	return names
}

// differs says what happened between two trees of a bundle to what a read asks for.
func differs(head, base *verify.Tree) func(verify.Read) string {
	return func(r verify.Read) string {
		same := false
		switch r.Op {
		case verify.OpNamed:
			same = slices.Equal(head.Aside().Named(r.Name), base.Aside().Named(r.Name))
		case verify.OpUnder:
			same = slices.Equal(head.Aside().Under(r.Name), base.Aside().Under(r.Name))
		default:
			is, err1 := head.Aside().ReadFile(r.Name, verify.MaxInput)
			was, err2 := base.Aside().ReadFile(r.Name, verify.MaxInput)
			same = (err1 == nil) == (err2 == nil) && string(is) == string(was)
			if err1 != nil && err2 != nil {
				same = verify.ReadReason(err1) == verify.ReadReason(err2)
			}
		}
		if same {
			return ""
		}
		return r.Name + " was changed"
	}
}

// quoteGlob is the glob that matches one path.
func quoteGlob(path string) string {
	var b strings.Builder
	for _, c := range path {
		if strings.ContainsRune(`*?[]{}\`, c) {
			b.WriteByte('\\')
		}
		b.WriteRune(c)
	}
	return b.String()
}
