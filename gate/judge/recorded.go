package judge

import (
	"cmp"
	"slices"
	"strings"

	"github.com/replay-gate/replay-gate/verify"
)

// sameRun reports whether the evidence at old on base i and that at path on the head
// record the same run. Kinds whose evidence names no run have nothing that speaks against
// it.
func (p *pass) sameRun(i int, old, path string) bool {
	return p.oneRun(p.record(p.Bases[i].Side, &p.bases[i], old), p.record(p.Head, p.head, path))
}

// oneRun reports whether two records name the same run: alike, or with secrets masked that
// stood in the name.
func (p *pass) oneRun(was, is verify.Record) bool {
	if was.Identity == is.Identity {
		return true
	}
	if p.Secret == nil || was.Identity == "" || is.Identity == "" {
		return false
	}
	before, names, maskings := make(map[string]string), 0, 0
	for _, v := range was.Values {
		if v.Weight == verify.Naming {
			before[v.Path] = v.Text
		}
	}
	for _, v := range is.Values {
		if v.Weight != verify.Naming {
			continue
		}
		names++
		switch old, ok := before[v.Path]; {
		case ok && old == v.Text:
		case ok && p.masked(old, v.Text):
			maskings++
		default:
			return false
		}
	}
	return maskings > 0 && names == len(before)
}

// movedFrom finds the evidence of base i that lies at path now: gone from where it lay, of
// the same kind, about the same subject, or of the same run.
func (p *pass) movedFrom(i int, path string) string {
	f := &p.bases[i]
	if f.gone == nil {
		f.gone = make(map[string]string)
		for old, format := range f.formats {
			if p.head.has(old) {
				continue
			}
			for _, key := range keysOf(format.Kind(), p.record(p.Bases[i].Side, f, old)) {
				if first, taken := f.gone[key]; !taken || old < first {
					f.gone[key] = old
				}
			}
		}
	}
	if len(f.gone) == 0 {
		return ""
	}
	for _, key := range keysOf(p.head.formats[path].Kind(), p.record(p.Head, p.head, path)) {
		if old := f.gone[key]; old != "" {
			return old
		}
	}
	return ""
}

func keysOf(kind string, r verify.Record) []string {
	var keys []string
	if r.Identity != "" {
		keys = append(keys, kind+"\x00run\x00"+r.Identity)
	}
	if r.Subject != "" {
		keys = append(keys, kind+"\x00subject\x00"+r.Subject)
	}
	return keys
}

// recorded holds evidence whose record the change touches against its version on the base:
// the same run with other contents is rewritten, another run with the old one's traces is
// redated.
func (p *pass) recorded(e *Account) {
	if len(p.Bases) == 0 || e.Bases[0] == nil || e.Bases[0] == e.Head || !p.touchesRecord(e) {
		return
	}
	was, is := p.record(p.Bases[0].Side, &p.bases[0], cmp.Or(e.OldPath, e.Path)), p.record(p.Head, p.head, e.Path)
	switch {
	case was.Identity == "":
	case is.Identity == "" && e.Head.Unchecked == "":
		e.add(verify.Fail, "recorded", verify.Location{}, CodeRewritten, "what names the run is gone: the evidence recorded a run on the base, and records none now")
	case is.Identity == "": // it can't be read, which fails
	case p.oneRun(was, is):
		p.rewritten(e, e.Bases[0], was, is)
	default:
		p.redated(e, was, is)
	}
}

// touchesRecord reports whether the change touches what e records: the evidence itself, or
// another file that is part of its record, such as a signature beside it.
func (p *pass) touchesRecord(e *Account) bool {
	if e.Own {
		return true
	}
	p.record(p.Head, p.head, e.Path)
	return p.head.records[e.Path].reads.Any(nil, func(r verify.Read) bool { return p.Bases[0].Differs(r) != "" })
}

// rewritten adds a row for each recorded value that is another one than on the base, where
// it was judged as base.
func (p *pass) rewritten(e *Account, base *verify.Result, was, is verify.Record) {
	before := make(map[string]verify.Value, len(was.Values))
	for _, v := range was.Values {
		before[v.Path] = v
	}
	for _, v := range is.Values {
		old, ok := before[v.Path]
		delete(before, v.Path)
		switch {
		case !ok:
			p.changed(e, base, v, nil, &v)
		case old.Text != v.Text:
			p.changed(e, base, v, &old, &v)
		}
	}
	for _, v := range was.Values {
		if _, gone := before[v.Path]; gone {
			p.changed(e, base, v, &v, nil)
		}
	}
}

// changed adds the row for one recorded value: old is nil for what was added, new for what
// is gone.
func (p *pass) changed(e *Account, base *verify.Result, v verify.Value, old, new *verify.Value) {
	field := "recorded." + v.Path
	at := verify.Location{Path: e.Path}
	if new != nil {
		at.Line, at.Column = new.Line, new.Column
	}
	var row *Row
	switch {
	case old == nil:
		row = e.add(verify.Info, field, at, "added", "was added; the run is the same")
	case v.Weight == verify.Noted:
		row = e.add(verify.Info, field, at, "noted", "is another one than on the base; the specification lets it differ")
	case new == nil:
		row = e.add(verify.Fail, field, at, CodeRewritten, "is gone; the run is the same, so it can't have recorded another value")
	case repaired(base, e.Head, v.Path):
		row = e.add(verify.Info, field, at, "repaired", "was not well-formed on the base")
	case v.Weight == verify.Placed && p.sameContent(e, base, old, new):
		row = e.add(verify.Info, field, at, CodeMoved, "leads to the same content as on the base")
	case p.masked(old.Text, new.Text):
		row = e.add(verify.Info, field, at, "masked", "a secret in it was masked")
		row.Observed = new.Shown
		return // the old text is one that nobody should see again
	case v.Weight == verify.Naming:
		row = e.add(verify.Info, field, at, "noted", "is spelt otherwise than on the base; it names the same run")
	default:
		row = e.add(verify.Fail, field, at, CodeRewritten, "is another value than on the base, though the run is the same")
	}
	if old != nil {
		row.Recorded = old.Shown
	}
	if new != nil {
		row.Observed = new.Shown
	}
}

// formCodes are the reason codes of values that are not of their form, whatever the files
// say: they can be put right without a run.
var formCodes = []string{
	"ambiguous", "duplicate-key", "empty", "leaves-root", "missing", "not-an-integer", "not-utc", "wrong-type",
}

// repaired reports whether the value at path failed on the base for its form alone, and
// does not fail now.
func repaired(base, head *verify.Result, path string) bool {
	form := false
	for _, c := range base.Checks {
		if c.Field != path || c.Status != verify.Fail {
			continue
		}
		if !slices.Contains(formCodes, c.Code) && !strings.HasPrefix(c.Code, "malformed-") {
			return false
		}
		form = true
	}
	fails := slices.ContainsFunc(head.Checks, func(c verify.Check) bool { return c.Field == path && c.Status == verify.Fail })
	return form && !fails
}

// sameContent reports whether two recorded paths lead to the same bytes, each on its side.
func (p *pass) sameContent(e *Account, base *verify.Result, old, new *verify.Value) bool {
	was := inputAt(base, old.Shown)
	is := inputAt(e.Head, new.Shown)
	if was == "" || is == "" {
		return false
	}
	if was == is {
		return true
	}
	a, err1 := p.noted(p.Bases[0].Tree).ReadFile(was, verify.MaxInput)
	b, err2 := p.noted(p.Head.Tree).ReadFile(is, verify.MaxInput)
	return err1 == nil && err2 == nil && string(a) == string(b)
}

// inputAt is where the recorded path leads, by the judgement of its side.
func inputAt(r *verify.Result, recorded string) string {
	for _, in := range r.Inputs {
		if in.Recorded == recorded && recorded != "" && !in.Missing {
			return in.Path
		}
	}
	return ""
}
