package bundle

import (
	"fmt"
	"slices"
	"strings"

	"github.com/replay-gate/replay-gate/verify"
)

// outputs renders the verdict again and compares with what the bundle carries: who reads
// the page in a bundle, or lets Assay run its suite, reads what was judged. Rows that are
// not replayed are rendered as recorded.
func (re *replay) outputs(result verify.Result, recorded *Record, o ReplayOptions) error {
	g := re.archive.Manifest.ReplayGate
	switch {
	case o.Render == nil:
		return nil
	case g.Rendering != o.Rendering:
		re.note("outputs/ and %s were rendered by another release (form %d, and this one has %d), and were not compared", traceName, g.Rendering, o.Rendering)
		return nil
	case len(re.found.Differences) > 0 && len(re.found.Missing) == 0:
		return nil // of another verdict
	case len(re.found.Missing) > 0:
		if !re.asRecorded(&result, recorded) {
			re.note("outputs/ and %s were not compared: what they are rendered from is missing", traceName)
			return nil
		}
	}
	rendered, err := o.Render(result, g.Strict)
	if err != nil {
		return fmt.Errorf("rendering the verdict: %w", err)
	}
	s, err := newSuite(&result, testIDs(result.Checks))
	if err != nil {
		return err
	}
	own := map[string][]byte{
		summaryName: rendered.Summary, junitName: rendered.JUnit, sarifName: rendered.SARIF, htmlName: rendered.HTML,
		configName: s.config, traceName: s.trace,
	}
	for name, data := range sorted(own) {
		e, ok := re.archive.Entry(name)
		_, listed := re.archive.Manifest.Files[name]
		switch {
		case !ok && listed: // noted as missing
		case !ok:
			re.found.Differences = append(re.found.Differences, Difference{name, "output", "", digest(data)})
		case e.SHA256 != digest(data):
			re.found.Differences = append(re.found.Differences, Difference{name, "output", e.SHA256, digest(data)})
		}
		re.found.Outputs++
	}
	re.strangers(own)
	return nil
}

// asRecorded puts the rows that are not replayed into a result as they were recorded. It
// is false where anything else differs, too.
func (re *replay) asRecorded(r *verify.Result, recorded *Record) bool {
	missing := make(map[string]bool)
	for _, m := range re.found.Missing {
		for _, field := range m.Fields {
			missing[field] = true
		}
	}
	now := make(map[string]verify.Check)
	again := numbered(r.Checks)
	for i, c := range r.Checks {
		now[again[i]] = c
	}
	rows := make([]verify.Check, len(recorded.Checks))
	for i, name := range numbered(recorded.Checks) {
		c, ok := now[name]
		switch {
		case missing[name]:
			rows[i] = recorded.Checks[i]
		case !ok:
			return false
		default:
			rows[i] = c
		}
		delete(now, name)
	}
	r.Checks = rows
	return len(now) == 0
}

// strangers says which files under outputs/ nobody vouches for.
func (re *replay) strangers(own map[string][]byte) {
	var names []string
	for _, e := range re.archive.Entries {
		_, known := own[e.Name]
		if !known && strings.HasPrefix(e.Name, "outputs/") && !strings.HasPrefix(e.Name, string(verify.PlaceReport)+"/") {
			names = append(names, e.Name)
		}
	}
	if len(names) > 0 {
		shown := names[:min(len(names), 3)]
		re.note("%d more under outputs/ (%s) can't be vouched for: replay-gate writes no such file", len(names), strings.Join(shown, ", "))
	}
}

// origin says what no replay can prove.
func (re *replay) origin() {
	m := &re.archive.Manifest
	names := slices.DeleteFunc([]string{m.GitSHA, baseOf(m)}, func(s string) bool { return s == "" })
	if len(names) == 0 {
		re.note("the bundle names no commit: where it comes from is not proven")
		return
	}
	re.note("that it comes from commit %s is not proven: replay-gate bundle check --rebuild proves it, or an attestation", verify.Shorten(strings.Join(names, ", held against "), 200))
}

func baseOf(m *Manifest) string {
	if m.ReplayGate == nil || m.ReplayGate.Base == nil {
		return ""
	}
	return m.ReplayGate.Base.Commit
}

func (re *replay) note(format string, args ...any) {
	re.found.Notes = append(re.found.Notes, fmt.Sprintf(format, args...))
}
