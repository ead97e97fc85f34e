package evalkit

import (
	"bytes"
	"encoding/json"
	"reflect"

	"github.com/replay-gate/replay-gate/verify"
)

// base is the fixture before the change, nil when there is none that could be
// compared with.
func (fx *fixture) base() *fixture {
	if fx.e.Base == nil || fx.e.BasePath == "" {
		return nil
	}
	data, err := fx.e.Base.ReadFile(fx.e.BasePath, verify.MaxEvidence)
	if err != nil {
		return nil
	}
	before := fx
	if !bytes.Equal(data, fx.data) {
		before = &fixture{}
		before.lines, _, _ = readLines(data, 2)
	}
	if before.line(1).broken() || before.line(2).broken() {
		return nil
	}
	return before
}

// baseRecordedAt judges whether a fixture that the change touches was recorded
// after the one it replaces.
func (j *judge) baseRecordedAt(base *fixture) {
	l, n := j.line(1), j.metaNode("recordedAt")
	if base == nil || n == nil {
		return
	}
	now, ok := parseTime(n.Text())
	before, okBefore := parseTime(base.metaText("recordedAt"))
	if !ok || !okBefore {
		return // one of the two has failed for it
	}
	c := j.checkNode(verify.OK, "base.recordedAt", l, n, "", "")
	c.Observed = shown(base.metaText("recordedAt"), longest)
	if now.Before(before) {
		c.Status, c.Code, c.Reason = verify.Warn, "older-than-base", "older than the fixture it replaces"
	}
}

// baseOutput judges what a recording can't do: change the output, or the hash
// that ties it to a target, without moving recordedAt.
func (j *judge) baseOutput(base *fixture) {
	if base == nil {
		return
	}
	moved := j.metaText("recordedAt") != base.metaText("recordedAt")
	l, n := j.line(1), j.metaNode("configHash")
	if before := base.metaText("configHash"); n != nil && before != "" {
		c := j.checkNode(verify.OK, "base.configHash", l, n, "", "")
		c.Observed = shown(before, longest)
		if n.Text() != before && !moved {
			c.Status, c.Code = verify.Fail, "edited-by-hand"
			c.Reason = "configHash edited by hand: a recording always moves recordedAt"
		}
	}
	l = j.line(2)
	output := l.root().Get("output")
	if output == nil || l.broken() {
		return
	}
	const field = "base.output"
	switch {
	case sameValue(l.doc.Raw(output), base.line(2).raw("output")):
		j.check(verify.OK, field, l.at(output), "", "")
	case !moved:
		j.check(verify.Fail, field, l.at(output), "edited-by-hand",
			"recorded output edited by hand: a recording always moves recordedAt")
	default:
		c := j.check(verify.Info, field, l.at(output), "re-recorded", "re-recorded: the output is another one")
		c.Recorded, c.Observed = shown(j.metaText("recordedAt"), longest), shown(base.metaText("recordedAt"), longest)
	}
}

// raw is the text of a member of the line's object.
func (l *line) raw(name string) []byte {
	return l.doc.Raw(l.root().Get(name))
}

// sameValue reports whether two JSON texts hold the same value: spacing and
// the order of keys are not what a recording says.
func sameValue(a, b []byte) bool {
	if bytes.Equal(a, b) {
		return true
	}
	var x, y any
	if json.Unmarshal(a, &x) != nil || json.Unmarshal(b, &y) != nil {
		return false
	}
	return reflect.DeepEqual(x, y)
}
