package gate

import (
	"bytes"
	"context"
	"reflect"
	"strings"

	"github.com/replay-gate/replay-gate/bundle"
	"github.com/replay-gate/replay-gate/gate/judge"
	"github.com/replay-gate/replay-gate/gate/reason"
	"github.com/replay-gate/replay-gate/summary"
	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/secrets"
)

// scrubber finds secrets in whole files, once for each content, and takes them out of every
// string of the report: the only place where that is done (DESIGN, section 2).
type scrubber struct {
	cache  secrets.Cache
	masker *secrets.Masker
}

func newScrubber() *scrubber {
	s := new(scrubber)
	s.masker = s.cache.Masker()
	return s
}

// learn looks for secrets in a whole text, before anything of it is cut.
func (s *scrubber) learn(ctx context.Context, text []byte) []secrets.Found {
	found, err := s.cache.Find(ctx, text, secrets.All)
	if err == nil {
		s.masker.Remember(text, found)
	}
	return found
}

// escaped are secrets that escapes in JSON hide: what is rendered from it shows them.
func (s *scrubber) escaped(ctx context.Context, text []byte) []secrets.Found {
	if !bytes.Contains(text, []byte(`\u`)) {
		return nil
	}
	found, _ := s.cache.FindRendered(ctx, text, secrets.All)
	return found
}

// maxSecrets bounds the places that are listed for one file.
const maxSecrets = 100

// bundled is what a bundle must not hold of what learn found: the rules by which Assay
// refuses one, and those of gitleaks. Names that say that a value is secret hide it in the
// report, and accuse nobody.
func bundled(found []secrets.Found) []bundle.Secret {
	var all []bundle.Secret
	for _, f := range found {
		if (strings.HasPrefix(f.Rule, "assay/") || strings.HasPrefix(f.Rule, "gitleaks/")) && !f.Prose && len(all) < maxSecrets {
			all = append(all, bundle.Secret{Line: f.Line, Rule: f.Rule})
		}
	}
	return all
}

// screened is what package bundle is told of what learn found: what bundled tells, and in
// addition "bearer" in prose, for which Assay would refuse the bundle.
func screened(found []secrets.Found) (all []bundle.Secret, prose bool) {
	all = bundled(found)
	prose = len(all) == 0
	for _, f := range found {
		if f.Prose && strings.HasPrefix(f.Rule, "assay/") && len(all) < maxSecrets {
			all = append(all, bundle.Secret{Line: f.Line, Rule: f.Rule})
		}
	}
	return all, prose
}

// readSecrets learns the secrets of everything that the report may quote, and adds a row to
// evidence of which no bundle can be shared: before anything is decided.
func (x *run) readSecrets(ctx context.Context) error {
	verify.AtOnce(len(x.judged.Evidence), 0, func(i int) {
		if x.shown[i] {
			x.readSecretsOf(ctx, &x.judged.Evidence[i])
		}
	})
	for _, text := range [][]byte{x.change.Accepted, x.change.AcceptedBefore} {
		x.scrubber.learn(ctx, text)
	}
	if err := ctx.Err(); err != nil {
		return reason.Interrupted(err)
	}
	return nil
}

func (x *run) readSecretsOf(ctx context.Context, e *judge.Account) {
	bundles := x.BundleFor != "none" && x.wanted(e)
	for _, name := range quoted(e) {
		for k, tree := range append([]*verify.Tree{e.Tree}, x.bases...) {
			if tree == nil {
				continue // removed evidence
			}
			data, err := tree.Aside().ReadFile(name, verify.MaxInput)
			if err != nil {
				continue
			}
			found := bundled(append(x.scrubber.learn(ctx, data), x.scrubber.escaped(ctx, data)...))
			if k == 0 && bundles && len(found) > 0 {
				x.accuse(e, &bundle.SecretsError{Path: name, Secrets: found})
			}
		}
	}
}

// quoted are the files of which a report may quote something.
func quoted(e *judge.Account) []string {
	names := []string{e.Path}
	for _, in := range e.Head.Inputs {
		if in.Path != "" {
			names = append(names, in.Path)
		}
	}
	if e.OldPath != "" {
		names = append(names, e.OldPath)
	}
	return names
}

// accuse adds the row for a file with a secret. A recorded response goes into the bundle
// scrubbed; what is an output is bundled with a warning (Replay Bundle v1, section 6.1).
func (x *run) accuse(e *judge.Account, found *bundle.SecretsError) {
	if found.Path == e.Path && e.Head.Place == verify.PlaceCassettes {
		return
	}
	row := judge.Row{Check: found.Row()}
	for _, in := range e.Head.Inputs {
		if in.Path == found.Path && in.Place == verify.PlaceReport {
			row.Status, row.Reason = verify.Warn, found.Warning()
		}
	}
	if row.Status == verify.Fail {
		row.Attribution = x.broughtBy(found.Path)
	}
	e.Rows = append(e.Rows, row)
}

// broughtBy attributes a FAIL that is about a single file as it is, and not about
// a recorded value: whoever touched the file brought it.
func (x *run) broughtBy(path string) verify.Attribution {
	switch {
	case len(x.change.Bases) == 0:
		return verify.Unknown
	case x.change.Bases[0].Differs(verify.Read{Op: verify.OpFile, Name: path, Outcome: verify.Found}) != "":
		return verify.Introduced
	}
	return verify.PreExisting
}

// scrub takes the secrets out of the report and of the history beside it, before anything
// is rendered.
func (x *run) scrub(ctx context.Context, r *summary.Report, history *verify.Timeline) error {
	x.scrubber.clean(ctx, r, history)
	if err := ctx.Err(); err != nil {
		return reason.Interrupted(err)
	}
	return nil
}

// eachString replaces every string that v holds, at any depth. Keys of maps are names of
// files.
func eachString(v reflect.Value, with func(string) string) {
	switch v.Kind() {
	case reflect.String:
		if s := v.String(); s != "" && v.CanSet() {
			v.SetString(with(s))
		}
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			eachString(v.Elem(), with)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				eachString(v.Field(i), with)
			}
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			eachString(v.Index(i), with)
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			value := reflect.New(v.Type().Elem()).Elem()
			value.Set(v.MapIndex(key))
			eachString(value, with)
			v.SetMapIndex(key, value)
		}
	}
}
