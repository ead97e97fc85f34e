package judge

import (
	"bytes"
	"crypto/sha256"
	"maps"
	"path"
	"slices"

	"github.com/replay-gate/replay-gate/verify"
)

// removed lists what was evidence on the base and is none on the head. It fails while
// what it vouched for lives on: its report, also under another name, or evidence that was
// held against it.
func (p *pass) removed() {
	if len(p.Bases) == 0 || p.Named != nil || p.out.Lost != "" {
		return
	}
	kept := make(map[string]bool)
	for _, e := range p.out.Evidence {
		kept[e.Path] = true
		kept[e.OldPath] = true
	}
	base := &p.bases[0]
	for _, path := range slices.Sorted(maps.Keys(base.results)) {
		if kept[path] {
			continue
		}
		e := Account{
			Path: path, Format: base.formats[path], Head: base.results[path], Bases: []*verify.Result{base.results[path]},
			Affected: "it was removed", Own: true, Removed: true,
		}
		what := "is gone: it was evidence on the base"
		if p.noted(p.Head.Tree).Exists(path) {
			what = "is evidence no more: a file lies in its place"
		}
		if heir := p.heir(path, base.results[path]); heir != "" {
			row := e.add(verify.Fail, "evidence", verify.Location{}, CodeRemoved, "%s, and %s, which it vouched for, is still there", what, heir)
			row.Input = heir
		} else {
			e.add(verify.Warn, "evidence", verify.Location{}, CodeRemoved, "%s, and so is what it vouched for", what)
		}
		if lost := e.Head.Lost; lost != "" && e.Rows[0].Status != verify.Fail {
			e.add(verify.Fail, "base", verify.Location{}, CodeBaseUnreadable, "what it vouched for on the base can't be told: %s", lost).Attribution = verify.Unknown
		}
		p.settle(&e, 0)
		if p.unpaired != "" {
			e.unknown(0)
		}
		p.out.Evidence = append(p.out.Evidence, e)
	}
}

// heir is what the evidence at path on the base vouched for and the head still has, or what
// still asks for it.
func (p *pass) heir(path string, r *verify.Result) string {
	head := p.noted(p.Head.Tree)
	for _, in := range r.Inputs {
		if !in.Subject || in.Path == "" || in.Missing {
			continue
		}
		if head.Exists(in.Path) {
			return in.Path
		}
		if now := p.renamedTo(in.Path); now != "" {
			return now
		}
		if now := p.copyOf(in.Path); now != "" {
			return now
		}
	}
	if a, ok := p.bases[0].formats[path].(verify.Awaiter); ok {
		if by := a.Awaited(path, head); by != "" {
			return by
		}
	}
	return p.readers()[path]
}

// renamedTo is where git's rename detection finds a path of the base on the head.
func (p *pass) renamedTo(old string) string {
	if p.renamed == nil {
		p.renamed = make(map[string]string)
		for now, from := range p.Bases[0].Renamed {
			p.renamed[from] = now
		}
	}
	return p.renamed[old]
}

// copyOf is a file of the head with the content that a file of the base has, which is gone:
// of the same ending, as a report that is a report no more vouches for nothing.
func (p *pass) copyOf(old string) string {
	data, err := p.noted(p.Bases[0].Tree).ReadFile(old, verify.MaxInput)
	if err != nil || len(bytes.TrimSpace(data)) == 0 {
		return ""
	}
	if p.contents == nil {
		p.contents = make(map[string]map[string]string)
	}
	ending := path.Ext(old)
	known, ok := p.contents[ending]
	if !ok {
		known = make(map[string]string)
		head := p.noted(p.Head.Tree)
		for _, name := range head.Files() {
			if path.Ext(name) != ending || p.Ignore != nil && p.Ignore(name) {
				continue
			}
			if data, err := head.ReadFile(name, verify.MaxInput); err == nil {
				known[hashOf(data)] = name
			}
		}
		p.contents[ending] = known
	}
	return known[hashOf(data)]
}

func hashOf(data []byte) string {
	sum := sha256.Sum256(data)
	return string(sum[:])
}

// readers gives for each piece of evidence that is gone a piece that is still there and
// was held against it on the base.
func (p *pass) readers() map[string]string {
	if p.readersOf != nil {
		return p.readersOf
	}
	p.readersOf = make(map[string]string)
	base := p.bases[0].results
	gone := func(r verify.Read) bool {
		return r.Op == verify.OpFile && r.Outcome == verify.Found && base[r.Name] != nil && p.head.results[r.Name] == nil
	}
	known := make(map[*verify.Reads]bool)
	for _, path := range slices.Sorted(maps.Keys(base)) {
		reads := base[path].Reads
		if p.head.results[path] == nil || !reads.Any(known, gone) {
			continue
		}
		for _, r := range reads.All() {
			if gone(r) && p.readersOf[r.Name] == "" {
				p.readersOf[r.Name] = path
			}
		}
	}
	return p.readersOf
}
