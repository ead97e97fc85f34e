package evalkit

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"

	"github.com/replay-gate/replay-gate/verify"
)

// Record reads what the fixture records: a recording of a case always has a time of its
// own, so one with the same time and other contents was edited by hand. All of the
// output is graded or gated, latency and cost too; the raw response is not, and may be
// taken out as the tool itself does ("Record & Replay": stripRaw), and what version of the
// tool wrote the file the tool does not ask either.
func (f Format) Record(e *verify.Evidence) verify.Record {
	data, err := e.Tree.ReadFile(e.Path, verify.MaxEvidence)
	if err != nil {
		return verify.Record{}
	}
	fx := fixture{}
	fx.lines, _, _ = readLines(data, 2)
	if fx.line(1).broken() || fx.line(2).broken() {
		return verify.Record{}
	}
	suite, id, at := fx.metaText("suiteId"), fx.metaText("caseId"), fx.metaText("recordedAt")
	if suite == "" || id == "" || at == "" {
		return verify.Record{}
	}
	subject := strconv.Quote(suite) + " " + strconv.Quote(id)
	rec := verify.Record{Identity: subject + " " + strconv.Quote(at), Subject: subject}
	output := fx.line(2).recorded()
	rec.Traces = []string{traceOf(output)}
	rec.Values = append(fx.line(1).recorded(), output...)
	slices.SortStableFunc(rec.Values, func(a, b verify.Value) int { return strings.Compare(a.Path, b.Path) })
	rec.Values = slices.CompactFunc(rec.Values, func(a, b verify.Value) bool { return a.Path == b.Path })
	return rec
}

// recorded lists the values of a line, without secrets and at their places in the file.
func (l *line) recorded() []verify.Value {
	all := l.doc.Recorded(l.root(), weigh)
	for i := range all {
		v := &all[i]
		v.Shown, v.Line, v.Column = shown(v.Shown, verify.MaxValue), l.number, v.Column+l.shift
	}
	return all
}

// weigh says what it means that the value at path is another one for the same recording.
func weigh(path string) (verify.Weight, bool) {
	raw := path == "output.raw" || strings.HasPrefix(path, "output.raw.") || strings.HasPrefix(path, "output.raw[")
	if raw || path == "_meta.frameworkVersion" {
		return verify.Noted, true
	}
	switch path {
	case "_meta.suiteId", "_meta.caseId", "_meta.recordedAt":
		return verify.Naming, true
	}
	return verify.Claimed, true
}

// traceOf is a hash of what was recorded of the target.
func traceOf(output []verify.Value) string {
	h := sha256.New()
	for _, v := range output {
		if v.Weight == verify.Claimed {
			h.Write([]byte(strconv.Quote(v.Path) + v.Text + "\n"))
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}
