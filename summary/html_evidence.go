package summary

import (
	"strings"

	"github.com/replay-gate/replay-gate/verify"
)

// htmlEvidence is one piece of evidence on the page.
type htmlEvidence struct {
	*Entry
	ID      string // of its section
	Open    bool
	Status  string // the worst of its fields, for the filter
	Words   string
	Tables  []htmlTable
	Omitted string // how many fields are not shown; empty when all are
	Facts   []htmlFact
	Steps   []htmlStep
}

// htmlTable is a part of the fields: those that need a look, and the rest.
type htmlTable struct {
	Caption string
	Open    bool
	Wide    bool // has a column for the attribution
	Rows    []htmlRow
}

type htmlFact struct{ Label, Value string }

// htmlStep is commands to copy, and what they do.
type htmlStep struct {
	Intro string
	Lines []string
}

// newHTMLEvidence takes as many fields as there is room for, what fails first.
func newHTMLEvidence(p htmlPiece) *htmlEvidence {
	e := p.Entry
	h := &htmlEvidence{
		Entry: e, ID: p.id(), Open: p.Alone || e.failing(), Status: string(e.worst()),
		Words: e.Counts.words(), Facts: htmlFacts(e), Steps: htmlSteps(e),
	}
	look := htmlTable{Open: true}
	rest := htmlTable{Open: e.Counts.Fail+e.Counts.Warn == 0}
	shown := 0
	for _, s := range []verify.Status{verify.Fail, verify.Warn, verify.OK, verify.Info} {
		t := &rest
		if s == verify.Fail || s == verify.Warn {
			t = &look
		}
		for i := range e.Fields {
			if f := &e.Fields[i]; f.Status == s && shown < p.Room {
				t.Rows = append(t.Rows, newHTMLRow(e, f, i+1))
				t.Wide = t.Wide || f.Attribution != ""
				shown++
			}
		}
	}
	if omitted := len(e.Fields) - shown; omitted > 0 {
		h.Omitted = count(omitted, "field") + " not shown because of the size of this page"
	}
	look.Caption = Counts{Fail: e.Counts.Fail, Warn: e.Counts.Warn}.words()
	rest.Caption = Counts{OK: e.Counts.OK, Info: e.Counts.Info}.words()
	for _, t := range []htmlTable{look, rest} {
		if len(t.Rows) > 0 {
			h.Tables = append(h.Tables, t)
		}
	}
	return h
}

// htmlFacts is what the evidence says about itself.
func htmlFacts(e *Entry) []htmlFact {
	rec := e.Recording
	commit := rec.Commit
	if rec.Dirty != nil && *rec.Dirty && commit != "" {
		commit += " (dirty)"
	}
	tool := strings.TrimSpace(rec.Tool + " " + rec.ToolVersion)
	label := rec.CommitField
	if label == "" {
		label = "commit"
	}
	bundle := ""
	if e.Bundle != nil {
		bundle = e.Bundle.Path
		if bundle == "" {
			bundle = e.Bundle.Note
		}
	}
	var facts []htmlFact
	for _, f := range []htmlFact{
		{"kind of run", rec.RunKind}, {"recorded by", tool}, {label, commit}, {"started", rec.InvokedAt}, {"seed", rec.Seed},
		{"platform", rec.Platform}, {"runtime", rec.Runtime}, {"hash of the evidence", e.SHA256},
		{"formerly", e.OldPath}, {"in scope because", e.Because}, {"bundle", bundle},
	} {
		if f.Value != "" {
			facts = append(facts, f)
		}
	}
	return facts
}

// htmlSteps are the commands that repeat the verdict, and the run.
func htmlSteps(e *Entry) []htmlStep {
	var steps []htmlStep
	add := func(intro string, words ...string) {
		if line, ok := shellLine(words, maxCommand); ok {
			steps = append(steps, htmlStep{intro, []string{line}})
		}
	}
	const again = "Come to the same verdict again, offline, from the bundle"
	switch b := e.Bundle; {
	case b == nil:
		add(again+" that holds this page (here called bundle.tar.gz)", "replay-gate", "replay", "--bundle=bundle.tar.gz")
	case b.Path != "":
		add(again, "replay-gate", "replay", "--bundle="+b.Path)
	}
	if e.Kind == "ahd" && !e.Removed {
		add("Check the evidence against the files of the repository", append([]string{"replay-gate", "verify"}, guarded([]string{e.Path})...)...)
	}
	words, lines := recordedRun(&e.Recording, "", e.Recording.Platform)
	return append(steps, htmlStep{words, lines})
}

// worst is the status that a reader looks for a piece of evidence by.
func (e *Entry) worst() verify.Status {
	switch {
	case e.failing():
		return verify.Fail
	case e.Counts.Warn > 0:
		return verify.Warn
	}
	return verify.OK
}
