package evalkit

import (
	"fmt"
	"math"
	"unicode/utf8"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/jsondoc"
)

// Members of the closed objects of line 2 (fixture store, TargetOutputSchema).
var (
	outputKeys     = []string{"latencyMs", "text", "toolCalls", "tokenUsage", "cost", "raw"}
	toolCallKeys   = []string{"name", "args", "result"}
	tokenUsageKeys = []string{"input", "output"}
)

// maxSafeInteger is JavaScript's Number.MAX_SAFE_INTEGER.
const maxSafeInteger = 1<<53 - 1

// output judges line 2 against the schema with which the tool reads it. Its
// writer does not use that schema: what a target returns too much is recorded,
// and can never be replayed.
func (j *checker) output() {
	l := j.line(2)
	if l == nil {
		return // the missing line has a check
	}
	whole := j.closed(l, l.root(), "line 2.", []string{"output"})
	output := l.root().Get("output")
	switch {
	case output == nil && (l.broken() || !l.root().Is(jsondoc.Object)):
		return
	case output == nil:
		j.Fail("output", l.at(l.root()), "missing", "is missing"+noFixture)
		return
	case !output.Is(jsondoc.Object):
		j.Fail("output", l.spot(output), "wrong-type", mustBe("an object", output)+noFixture)
		return
	}
	if j.closed(l, output, "output.", outputKeys) && whole && !l.broken() {
		j.OK("output", l.at(output), "")
	}
	if n := output.Get("latencyMs"); n != nil {
		j.amount("output.latencyMs", l, n)
	} else if !l.broken() {
		j.Fail("output.latencyMs", l.at(output), "missing", "is missing"+noFixture)
	}
	if n := output.Get("text"); n != nil {
		c := j.OK("output.text", l.at(n), "")
		c.Recorded = fmt.Sprintf("%d characters", utf8.RuneCountInString(n.Text()))
		if !n.Is(jsondoc.String) {
			c.Recorded = shown(n.Text(), longest)
			c.Status, c.Code, c.Reason = verify.Fail, "wrong-type", mustBe("a string", n)+noFixture
		}
	}
	if n := output.Get("toolCalls"); n != nil {
		j.toolCalls(l, n)
	}
	if n := output.Get("tokenUsage"); n != nil {
		j.tokenUsage(l, n)
	}
	if n := output.Get("cost"); n != nil {
		j.amount("output.cost", l, n)
	}
	if n := output.Get("raw"); n != nil {
		j.raw(l, n)
	}
}

// amount judges a finite number that is not negative.
func (j *checker) amount(field string, l *line, n *jsondoc.Node) {
	c := j.OK(field, l.spot(n), "")
	switch v, ok := n.Float(); {
	case !ok:
		c.Status, c.Code, c.Reason = verify.Fail, "wrong-type", mustBe("a number", n)+noFixture
	case math.IsInf(v, 0):
		c.Status, c.Code, c.Reason = verify.Fail, "out-of-range", "is not finite"+noFixture
	case v < 0:
		c.Status, c.Code, c.Reason = verify.Fail, "negative", "is negative"+noFixture
	}
}

func (j *checker) toolCalls(l *line, calls *jsondoc.Node) {
	const field = "output.toolCalls"
	if !calls.Is(jsondoc.Array) {
		j.Fail(field, l.spot(calls), "wrong-type", mustBe("a list", calls)+noFixture)
		return
	}
	before := len(j.Checks)
	for i, call := range calls.Items() {
		if len(j.Checks)-before >= maxFindings {
			break
		}
		item := fmt.Sprintf("%s[%d]", field, i)
		if !call.Is(jsondoc.Object) {
			j.Fail(item, l.spot(call), "wrong-type", mustBe("an object", call)+noFixture)
			continue
		}
		j.closed(l, call, item+".", toolCallKeys)
		switch name := call.Get("name"); {
		case name == nil && l.broken():
		case name == nil:
			j.Fail(item+".name", l.at(call), "missing", "is missing"+noFixture)
		case !name.Is(jsondoc.String):
			j.Fail(item+".name", l.spot(name), "wrong-type", mustBe("a string", name)+noFixture)
		}
		if args := call.Get("args"); args != nil && !args.Is(jsondoc.Object) {
			j.Fail(item+".args", l.spot(args), "wrong-type", mustBe("an object", args)+noFixture)
		}
	}
	if len(j.Checks) == before {
		c := j.OK(field, l.at(calls), "")
		c.Recorded = fmt.Sprintf("%d calls", len(calls.Items()))
	}
}

func (j *checker) tokenUsage(l *line, usage *jsondoc.Node) {
	const field = "output.tokenUsage"
	if !usage.Is(jsondoc.Object) {
		j.Fail(field, l.spot(usage), "wrong-type", mustBe("an object", usage)+noFixture)
		return
	}
	before := len(j.Checks)
	j.closed(l, usage, field+".", tokenUsageKeys)
	for _, key := range tokenUsageKeys {
		n := usage.Get(key)
		if n == nil {
			continue
		}
		// jsondoc's Int takes 2^53 too, at which doubles begin to skip.
		switch v, whole := n.Int(); {
		case !n.Is(jsondoc.Number):
			j.Fail(field+"."+key, l.spot(n), "wrong-type", mustBe("a number", n)+noFixture)
		case !whole || v < 0 || v > maxSafeInteger:
			j.Fail(field+"."+key, l.spot(n), "out-of-range", "must be an integer from 0 to 2^53-1"+noFixture)
		}
	}
	if len(j.Checks) == before {
		c := j.OK(field, l.at(usage), "")
		c.Recorded = shown(string(l.doc.Raw(usage)), longest)
	}
}

// raw judges the target's raw response, which the tool drops unless it is told
// not to ("Record & Replay": stripRaw).
func (j *checker) raw(l *line, n *jsondoc.Node) {
	const field = "output.raw"
	if where := j.keepsRaw(); where != "" {
		j.OK(field, l.at(n), "kept on purpose: "+where)
		return
	}
	j.Warn(field, l.at(n), "raw-kept", "raw response kept; may hold secrets")
}
