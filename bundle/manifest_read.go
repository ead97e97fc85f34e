package bundle

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/jsondoc"
)

// parseManifest reads manifest.json as Assay does: names are case-sensitive,
// unknown members are ignored (and returned, by name), null is absence, and a
// repeated name or a wrong type is an error. So is a required member that is
// missing. Which values make sense is not judged here.
//
// An error is a *[LimitError], or else what is wrong with the text; all of that
// is returned, and of the manifest what could be read.
func parseManifest(data []byte, l Limits) (m *Manifest, unknown []string, wrong []problem, err error) {
	if err := boundJSON(data, l, "the manifest"); err != nil {
		return nil, nil, nil, err
	}
	p := manifestReader{doc: jsondoc.Parse(data)}
	if e := p.doc.Err; e != nil {
		p.wrong = append(p.wrong, problem{ruleManifest, "not-json", "", "is not JSON: " + e.Error(), verify.Fail})
		return nil, nil, p.wrong, nil
	}
	if hasHalfPair(data) {
		p.fail("", "half-pair", "has an escape that is half of a surrogate pair, and so no character")
	}
	for _, w := range p.doc.Problems {
		p.fail(w.Field, w.Code, w.Reason)
	}
	m = &Manifest{}
	unknown = p.root(m)
	return m, unknown, p.wrong, nil
}

// boundJSON refuses, before anything is built from it, a text that nests too
// deep or holds too many values. It counts brackets and commas outside of
// strings, as Assay does for the depth, so it also judges what is not JSON; there
// is at most one value for each of them.
func boundJSON(data []byte, l Limits, what string) error {
	depth, values, inString := 0, 1, false
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
		case c == '{' || c == '[':
			depth++
			values++
		case c == '}' || c == ']':
			depth = max(0, depth-1)
		case c == ',':
			values++
		}
		if depth > l.Depth {
			return &LimitError{Dimension: "levels of nesting in " + what, Limit: int64(l.Depth)}
		}
		if values > l.Values {
			return &LimitError{Dimension: "values in " + what, Limit: int64(l.Values)}
		}
	}
	return nil
}

// hasHalfPair reports whether JSON holds an escape for one half of a surrogate pair
// alone. Assay refuses it; its replacement would make two names one.
func hasHalfPair(data []byte) bool {
	const unit = len(`\ud800`)
	escape := func(i int) uint64 {
		if i+unit > len(data) || data[i] != '\\' || data[i+1] != 'u' {
			return 0
		}
		c, _ := strconv.ParseUint(string(data[i+2:i+unit]), 16, 16)
		return c
	}
	for i := 0; i < len(data); i++ {
		if data[i] != '\\' {
			continue
		}
		switch c := escape(i); {
		case c >= 0xd800 && c < 0xdc00:
			if low := escape(i + unit); low < 0xdc00 || low >= 0xe000 {
				return true
			}
			i += unit
		case c >= 0xdc00 && c < 0xe000:
			return true
		}
		i++ // a backslash that is escaped begins nothing
	}
	return false
}

// manifestReader turns JSON nodes into members of the manifest and notes what
// does not fit.
type manifestReader struct {
	doc   *jsondoc.Document
	wrong []problem
}

func (p *manifestReader) fail(field, code, reason string) {
	if len(p.wrong) >= jsondoc.MaxProblems {
		return
	}
	rule := ruleManifest
	if field != "" {
		rule += "." + field
	}
	p.wrong = append(p.wrong, problem{rule, code, "", reason, verify.Fail})
}

// reader reads one member into its place.
type reader func(field string, n *jsondoc.Node)

// object reads the members of n for which there is a reader and returns the
// names of the others.
func (p *manifestReader) object(field string, n *jsondoc.Node, readers map[string]reader) (unknown []string) {
	if !p.is(field, n, jsondoc.Object) {
		return nil
	}
	for _, m := range n.Members() {
		read, known := readers[m.Name]
		if !known {
			unknown = append(unknown, m.Name)
		} else if !m.Value.Is(jsondoc.Null) {
			read(join(field, m.Name), m.Value)
		}
	}
	return unknown
}

// require notes which of the named members the object n lacks.
func (p *manifestReader) require(field string, n *jsondoc.Node, names ...string) {
	for _, name := range names {
		if n.Is(jsondoc.Object) && n.Get(name).Kind() <= jsondoc.Null {
			p.fail(join(field, name), "missing", "is missing")
		}
	}
}

func join(field, name string) string {
	if field == "" {
		return name
	}
	return field + "." + name
}

func (p *manifestReader) is(field string, n *jsondoc.Node, k jsondoc.Kind) bool {
	if n.Is(k) {
		return true
	}
	p.fail(field, "wrong-type", fmt.Sprintf("is %s, not %s", n.Kind(), k))
	return false
}

func (p *manifestReader) text(to *string) reader {
	return func(field string, n *jsondoc.Node) {
		if p.is(field, n, jsondoc.String) {
			*to = n.Text()
		}
	}
}

func (p *manifestReader) flag(to **bool) reader {
	return func(field string, n *jsondoc.Node) {
		if p.is(field, n, jsondoc.Bool) {
			v := n.Text() == "true"
			*to = &v
		}
	}
}

func (p *manifestReader) uint(max uint64, set func(uint64)) reader {
	return func(field string, n *jsondoc.Node) {
		if !p.is(field, n, jsondoc.Number) {
			return
		}
		v, err := strconv.ParseUint(n.Text(), 10, 64)
		if err != nil || v > max {
			p.fail(field, "wrong-type", fmt.Sprintf("is %q, not an integer from 0 to %d", verify.Shorten(n.Text(), 40), max))
			return
		}
		set(v)
	}
}

func (p *manifestReader) uint32(to **uint32) reader {
	return p.uint(math.MaxUint32, func(v uint64) { u := uint32(v); *to = &u })
}

func (p *manifestReader) list(to *[]string) reader {
	return func(field string, n *jsondoc.Node) {
		if !p.is(field, n, jsondoc.Array) {
			return
		}
		*to = make([]string, len(n.Items()))
		for i, item := range n.Items() {
			p.text(&(*to)[i])(field, item)
		}
	}
}

func (p *manifestReader) texts(to *map[string]string) reader {
	return func(field string, n *jsondoc.Node) {
		if !p.is(field, n, jsondoc.Object) {
			return
		}
		*to = make(map[string]string, len(n.Members()))
		for _, m := range n.Members() {
			var v string
			p.text(&v)(join(field, m.Name), m.Value)
			(*to)[m.Name] = v
		}
	}
}

// free judges an object whose members are anybody's: only numbers have a bound, that
// of Assay's reader.
func (p *manifestReader) free(field string, n *jsondoc.Node) {
	if !p.is(field, n, jsondoc.Object) {
		return
	}
	var numbers func(n *jsondoc.Node) bool
	numbers = func(n *jsondoc.Node) bool {
		f, _ := n.Float()
		return !math.IsInf(f, 0) && !slices.ContainsFunc(n.Items(), func(n *jsondoc.Node) bool { return !numbers(n) }) &&
			!slices.ContainsFunc(n.Members(), func(m jsondoc.Member) bool { return !numbers(m.Value) })
	}
	if !numbers(n) {
		p.fail(field, "number-range", "has a number beyond the range of a float64")
	}
}

// nested reads an object with a place of its own.
func nested[T any](p *manifestReader, to **T, readers func(*T) map[string]reader) reader {
	return func(field string, n *jsondoc.Node) {
		*to = new(T)
		p.object(field, n, readers(*to))
	}
}

func (p *manifestReader) root(m *Manifest) (unknown []string) {
	var version *uint32
	unknown = p.object("", p.doc.Root, map[string]reader{
		"schema_version":   p.uint32(&version),
		"assay_version":    p.text(&m.AssayVersion),
		"created_at":       p.text(&m.CreatedAt),
		"source_run_path":  p.text(&m.SourceRunPath),
		"selection_method": p.text(&m.SelectionMethod),
		"git_sha":          p.text(&m.GitSHA),
		"git_dirty":        p.flag(&m.GitDirty),
		"workflow_run_id":  p.text(&m.WorkflowRunID),
		"config_digest":    p.text(&m.ConfigDigest),
		"policy_digest":    p.text(&m.PolicyDigest),
		"baseline_digest":  p.text(&m.BaselineDigest),
		"trace_digest":     p.text(&m.TraceDigest),
		"trace_path":       p.text(&m.TracePath),
		"outputs": nested(p, &m.Outputs, func(o *OutputPaths) map[string]reader {
			return map[string]reader{"run": p.text(&o.Run), "summary": p.text(&o.Summary), "junit": p.text(&o.JUnit), "sarif": p.text(&o.SARIF)}
		}),
		"toolchain": nested(p, &m.Toolchain, func(t *Toolchain) map[string]reader {
			return map[string]reader{
				"rustc": p.text(&t.Rustc), "cargo": p.text(&t.Cargo), "cargo_lock_hash": p.text(&t.CargoLockHash), "node": p.text(&t.Node),
				"runner": nested(p, &t.Runner, func(r *Runner) map[string]reader {
					return map[string]reader{"os": p.text(&r.OS), "arch": p.text(&r.Arch),
						"container_image_digest": p.text(&r.ContainerImageDigest), "ci": p.flag(&r.CI)}
				}),
			}
		}),
		"seeds": nested(p, &m.Seeds, func(s *Seeds) map[string]reader {
			return map[string]reader{"seed_version": p.uint32(&s.SeedVersion), "order_seed": p.text(&s.OrderSeed), "judge_seed": p.text(&s.JudgeSeed)}
		}),
		"replay_coverage": p.coverage(m),
		"scrub_policy": nested(p, &m.ScrubPolicy, func(s *ScrubPolicy) map[string]reader {
			return map[string]reader{"include_prompts": p.flag(&s.IncludePrompts), "scrub_cassettes": p.flag(&s.ScrubCassettes), "name": p.text(&s.Name)}
		}),
		"files": p.files(m),
		"env":   p.free,
		"paths": p.texts(&m.Paths),
		"replay_gate": nested(p, &m.ReplayGate, func(g *ReplayGate) map[string]reader {
			is := func(to *bool) reader {
				return func(field string, n *jsondoc.Node) { *to = p.is(field, n, jsondoc.Bool) && n.Text() == "true" }
			}
			return map[string]reader{
				"evidence": p.text(&g.Evidence), "kind": p.text(&g.Kind), "strict": is(&g.Strict), "options": p.list(&g.Options),
				"settings": p.text(&g.Settings), "rendering": p.uint(math.MaxUint32, func(v uint64) { g.Rendering = uint32(v) }), "at": p.text(&g.At),
				"scrubbed":        p.uint(math.MaxUint32, func(v uint64) { g.Scrubbed = uint32(v) }),
				"evidence_digest": p.text(&g.EvidenceDigest), "inputs": p.texts(&g.Inputs), "peers": p.list(&g.Peers),
				"listed": p.list(&g.Listed), "unreadable": p.texts(&g.Unreadable),
				"base": nested(p, &g.Base, func(b *Base) map[string]reader {
					return map[string]reader{
						"commit": p.text(&b.Commit), "absent": p.list(&b.Absent),
						"unreadable": p.texts(&b.Unreadable), "renamed": p.texts(&b.Renamed),
					}
				}),
			}
		}),
	})
	if version != nil {
		m.SchemaVersion = *version
	}
	p.require("", p.doc.Root, "schema_version", "assay_version")
	return unknown
}

func (p *manifestReader) coverage(m *Manifest) reader {
	return func(field string, n *jsondoc.Node) {
		c := &Coverage{}
		m.Coverage = c
		p.object(field, n, map[string]reader{
			"complete_tests": p.list(&c.Complete), "incomplete_tests": p.list(&c.Incomplete), "reason": p.texts(&c.Reason),
		})
		p.require(field, n, "complete_tests", "incomplete_tests")
	}
}

func (p *manifestReader) files(m *Manifest) reader {
	return func(field string, n *jsondoc.Node) {
		if !p.is(field, n, jsondoc.Object) {
			return
		}
		m.Files = make(map[string]File, len(n.Members()))
		for _, member := range n.Members() {
			var f File
			at := fmt.Sprintf("%s[%q]", field, member.Name)
			if !utf8.ValidString(member.Name) {
				continue // reported already
			}
			p.object(at, member.Value, map[string]reader{
				"sha256": p.text(&f.SHA256), "size": p.uint(math.MaxUint64, func(v uint64) { f.Size = v }),
				"mode": p.uint32(&f.Mode), "content_type": p.text(&f.ContentType),
			})
			p.require(at, member.Value, "sha256", "size")
			m.Files[member.Name] = f
		}
	}
}
