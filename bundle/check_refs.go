package bundle

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/replay-gate/replay-gate/verify"
)

// contents judges the minimum that a bundle must hold (Replay Bundle v1,
// sections 3.3 and 4).
func (x *examination) contents(t *table) {
	m := x.manifest
	var has []string
	for _, c := range []struct {
		what string
		ok   bool
	}{
		{"configuration", m.ConfigDigest != ""},
		{"trace", m.TraceDigest != "" || m.TracePath != ""},
		{"summary", m.Outputs != nil && m.Outputs.Summary != ""},
	} {
		if c.ok {
			has = append(has, c.what)
		}
	}
	switch {
	case len(has) == 0:
		t.add("minimum contents", verify.Fail, codeNothing,
			"has neither a configuration's digest, nor a trace or its digest, nor a summary", "", "")
	case !slices.Contains(has, "summary"):
		t.add("minimum contents", verify.Warn, "no-summary", "has no summary, so the original outcome can't be shown", "", strings.Join(has, ", "))
	default:
		t.ok("minimum contents", "", strings.Join(has, ", "))
	}
}

// references judges digests and paths in the manifest that point at entries.
func (x *examination) references(t *table) {
	x.digests(t)
	m := x.manifest
	if m.TracePath != "" {
		x.path(t, "manifest.trace_path", m.TracePath, "files/")
	}
	if o := m.Outputs; o != nil {
		for _, p := range []struct{ field, path string }{{"run", o.Run}, {"summary", o.Summary}, {"junit", o.JUnit}, {"sarif", o.SARIF}} {
			if p.path != "" {
				x.path(t, "manifest.outputs."+p.field, p.path, "outputs/")
			}
		}
	}
	x.spelledPaths(t)
	files := x.laidOut(t)
	if m.ReplayGate != nil {
		x.vouched(t, files)
	}
}

// digests judges the digests that are of a file of the bundle.
func (x *examination) digests(t *table) {
	m := x.manifest
	byDigest := make(map[string]string, len(x.entries))
	for _, e := range slices.Backward(x.entries) {
		byDigest[e.SHA256] = e.Name
	}
	// Two digests are those of a file that can be told (Replay Bundle v1, section 3.1).
	of := map[string]string{"manifest.config_digest": x.config(), "manifest.trace_digest": m.TracePath}
	for _, d := range []struct{ field, digest string }{
		{"manifest.config_digest", m.ConfigDigest}, {"manifest.policy_digest", m.PolicyDigest},
		{"manifest.baseline_digest", m.BaselineDigest}, {"manifest.trace_digest", m.TraceDigest},
	} {
		if d.digest == "" {
			continue
		}
		canonical, bare, ok := digestForm(d.digest)
		name, found := byDigest[canonical]
		switch {
		case !ok:
			t.add(d.field, verify.Fail, "malformed-digest", "is not sha256: and 64 lower-case hex digits", d.digest, "")
		case x.differs(of[d.field], canonical):
			e, _ := x.find(of[d.field])
			t.add(d.field, verify.Fail, "digest-differs", fmt.Sprintf("is not that of %q", e.Name), d.digest, e.SHA256)
		case !found:
			t.add(d.field, verify.Warn, "not-in-bundle", "no file of the bundle has this digest", d.digest, "")
		case bare:
			t.add(d.field, verify.Warn, "bare-digest", "is written without sha256:", d.digest, name)
		default:
			t.ok(d.field, d.digest, name)
		}
	}
}

// spelledPaths judges the paths that entries have in the repository, where that is not
// their own.
func (x *examination) spelledPaths(t *table) {
	m := x.manifest
	for name, spelled := range sorted(m.Paths) {
		field := fmt.Sprintf("manifest.paths[%q]", name)
		repo, ok := repoPathIn(append(places[:], placeBase), name, m.Paths)
		switch _, exists := x.find(name); {
		case !exists:
			t.add(field, verify.Warn, "absent", "names no entry of the bundle", spelled, "")
		case !ok || !fs.ValidPath(repo):
			t.add(field, verify.Fail, "bad-path", "is no path of a repository", spelled, "")
		default:
			t.ok(field, spelled, repo)
		}
	}
}

// laidOut are the entries by their paths in the repository. It judges those of which two
// would lie at one place.
func (x *examination) laidOut(t *table) map[string]Entry {
	m := x.manifest
	files, wrong := layOut(places[:], x.entries, m.Paths)
	_, wrongBase := layOut([]string{placeBase}, x.entries, m.Paths)
	wrong = append(wrong, wrongBase...)
	for _, p := range wrong[:min(len(wrong), maxNamed)] {
		t.add(p.rule, p.status, p.code, p.sentence(), "", "")
	}
	if len(wrong) > maxNamed {
		t.add("repository paths", verify.Fail, "more", fmt.Sprintf("and %d more", len(wrong)-maxNamed), "", "")
	}
	return files
}

// vouched judges the digests of the evidence and its inputs, and that the evidence is there.
func (x *examination) vouched(t *table, files map[string]Entry) {
	m, g := x.manifest, x.manifest.ReplayGate
	if e, ok := files[g.Evidence]; ok && g.EvidenceDigest != "" && e.SHA256 != g.EvidenceDigest && !strings.HasPrefix(e.Name, "cassettes/") {
		t.add("manifest.replay_gate.evidence_digest", verify.Fail, "digest-differs", "is not that of the evidence", g.EvidenceDigest, e.SHA256)
	}
	for spelled, sum := range sorted(g.Inputs) {
		name, err := unescapeName(spelled)
		if e, ok := files[name]; err == nil && ok && e.SHA256 != sum && !strings.HasPrefix(e.Name, "cassettes/") {
			t.add(fmt.Sprintf("manifest.replay_gate.inputs[%q]", spelled), verify.Fail, "digest-differs", "is not that of the file", sum, e.SHA256)
		}
	}
	if _, ok := files[g.Evidence]; ok {
		t.ok("manifest.replay_gate.evidence", g.Evidence, "")
	} else if m.Coverage != nil && len(m.Coverage.Complete) == 0 && len(m.Coverage.Incomplete) > 0 {
		t.add("manifest.replay_gate.evidence", verify.Warn, "left-out", "was left out, and replay_coverage says so", g.Evidence, "")
	} else {
		t.add("manifest.replay_gate.evidence", verify.Fail, codeAbsent, "names no file of the bundle", g.Evidence, "")
	}
}

// config is the name of the suite that Assay would run; empty if there is none. It takes
// the first of all YAML and JSON under files/ (its cli/replay), after the two names of its
// own.
func (x *examination) config() string {
	for _, name := range []string{configName, "files/eval.yaml"} {
		if _, ok := x.find(name); ok {
			return name
		}
	}
	for _, e := range x.entries {
		if strings.HasPrefix(e.Name, "files/") && slices.Contains([]string{".yaml", ".yml", ".json"}, path.Ext(e.Name)) {
			return e.Name
		}
	}
	return ""
}

// differs reports whether the entry called name is there and has another digest.
func (x *examination) differs(name, digest string) bool {
	e, ok := x.find(name)
	return ok && e.SHA256 != digest
}

// path judges a path of the manifest: it must stay inside, and exist. Assay
// joins it to a folder as it stands, so an absolute one would lead anywhere.
func (x *examination) path(t *table, field, value, prefix string) {
	name, err := normalizeName(value)
	_, exists := x.find(value)
	switch {
	case err != nil:
		t.add(field, verify.Fail, "bad-path", err.Error(), value, "")
	case name != value:
		t.add(field, verify.Fail, "bad-path", fmt.Sprintf("does not stay inside as it is spelled; inside it would be %q", name), value, "")
	case !exists:
		t.add(field, verify.Fail, codeAbsent, "names no entry of the bundle", value, "")
	case !strings.HasPrefix(value, prefix):
		t.add(field, verify.Warn, "unusual-place", "is not under "+prefix, value, "")
	default:
		t.ok(field, value, "")
	}
}

// coverage judges replay_coverage beyond its shape, which the manifest's reader
// has judged.
func (x *examination) coverage(t *table) {
	const field = "manifest.replay_coverage"
	c := x.manifest.Coverage
	if c == nil {
		return
	}
	complete := make(map[string]bool, len(c.Complete))
	for _, id := range c.Complete {
		complete[id] = true
	}
	incomplete := make(map[string]bool, len(c.Incomplete))
	both, unexplained := 0, 0
	for _, id := range c.Incomplete {
		incomplete[id] = true
		if complete[id] {
			both++
		}
		if c.Reason[id] == "" {
			unexplained++
		}
	}
	stray := 0
	for id := range c.Reason {
		if !incomplete[id] {
			stray++
		}
	}
	observed := fmt.Sprintf("%d complete, %d incomplete", len(c.Complete), len(c.Incomplete))
	switch {
	case both > 0:
		t.add(field, verify.Fail, "contradiction", fmt.Sprintf("%d tests are both complete and incomplete", both), "", observed)
	case unexplained > 0:
		t.add(field, verify.Warn, "no-reason", fmt.Sprintf("%d incomplete tests have no reason", unexplained), "", observed)
	case stray > 0:
		t.add(field, verify.Warn, "stray-reason", fmt.Sprintf("%d reasons are about no incomplete test", stray), "", observed)
	default:
		t.ok(field, "", observed)
	}
}

// extras says which members of the manifest were ignored (Replay Bundle v1,
// section 6: unknown fields must be).
func (x *examination) extras(t *table) {
	if len(x.unknown) == 0 {
		return
	}
	names := make([]string, 0, 8)
	for _, name := range x.unknown[:min(len(x.unknown), 8)] {
		names = append(names, fmt.Sprintf("%q", verify.Shorten(name, 64)))
	}
	t.add("manifest", verify.Info, "unknown-fields", fmt.Sprintf("%d unknown fields are ignored", len(x.unknown)), strings.Join(names, ", "), "")
}
