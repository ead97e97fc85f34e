package judge

import (
	"cmp"

	"github.com/replay-gate/replay-gate/verify"
)

// record is what the evidence at path records on one side; the zero Record for a kind
// that records nothing. It is read once.
func (p *pass) record(side Side, f *found, path string) verify.Record {
	if rec, ok := f.records[path]; ok {
		p.seen = append(p.seen, rec.reads)
		return rec.Record
	}
	rec := readRecord(side, f, path)
	f.records[path] = rec
	p.seen = append(p.seen, rec.reads)
	return rec.Record
}

func readRecord(side Side, f *found, path string) recording {
	tree, reads := side.Tree.Noting()
	rec := recording{reads: reads}
	format := f.formats[path]
	if l, ok := format.(lapsed); ok {
		format = l.Format
	}
	if r, ok := format.(verify.Recorder); ok && f.raw[path] == "" {
		rec.Record = r.Record(&verify.Evidence{Path: path, Tree: tree, NoHints: true})
	}
	return rec
}

// readRecords reads on both sides what the evidence that was edited records, all at once:
// relations ask for it one by one.
func (p *pass) readRecords() {
	type asked struct {
		Side
		found *found
		path  string
		recording
	}
	var all []asked
	ask := func(s Side, f *found, path string) {
		if _, known := f.records[path]; !known {
			all = append(all, asked{Side: s, found: f, path: path})
		}
	}
	for i := range p.out.Evidence {
		if e := &p.out.Evidence[i]; e.Own && len(p.Bases) > 0 && e.Bases[0] != nil && e.Bases[0] != e.Head {
			ask(p.Head, p.head, e.Path)
			ask(p.Bases[0].Side, &p.bases[0], cmp.Or(e.OldPath, e.Path))
		}
	}
	verify.AtOnce(len(all), 0, func(i int) { all[i].recording = readRecord(all[i].Side, all[i].found, all[i].path) })
	for _, a := range all {
		a.found.records[a.path] = a.recording
	}
}

// recording is what evidence records, and what was read to know it.
type recording struct {
	verify.Record
	reads *verify.Reads
}
