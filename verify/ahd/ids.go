package ahd

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/jsondoc"
)

// spawned are the runners that are programs, not services: there is no HTTP envelope to
// take an id from (AHD replay, Fields: "Empty for CLI-spawned runners").
var spawned = regexp.MustCompile(`(?i)^(claude-code|gemini-cli|codex)\b|-cli$`)

// requestIDs judges how many provider request ids a model has: "one id per successful
// provider call" (AHD replay, Fields). seen holds those of the models before it.
func (j *checker) requestIDs(field string, model, ids *jsondoc.Node, seen map[string]bool) {
	count, twice := 0, 0
	for _, id := range ids.Items() {
		if seen[id.Text()] {
			twice++
		}
		seen[id.Text()] = true
		count++
	}
	provider, _, _ := strings.Cut(model.Get("id").Text(), ":")
	isSpawned := spawned.MatchString(model.Get("provider").Text()) || spawned.MatchString(provider)
	calls, known := j.calls()
	var row *verify.Check
	switch {
	case twice > 0:
		row = j.Warn(field, j.at(ids), "duplicate-ids", fmt.Sprintf("%d of them stand twice, and each call has an id of its own", twice))
	case isSpawned && count > 0:
		row = j.Warn(field, j.at(ids), "ids-without-calls", "the runner is a program that was started, and has no provider to give ids")
	case isSpawned, !known, j.isBackfilled(), float64(count) == calls:
		row = j.OK(field, j.at(ids), "")
	case float64(count) > calls:
		row = j.Warn(field, j.at(ids), "more-ids-than-calls", fmt.Sprintf("%d ids for %.0f calls", count, calls))
	default:
		row = j.Info(field, j.at(ids), "fewer-ids-than-calls", fmt.Sprintf("%d of %.0f calls", count, calls))
	}
	row.Recorded = captured(ids)
}

// calls is how many calls a model had to answer: n samples for each condition that ran. How
// many a critique makes is not recorded.
func (j *checker) calls() (calls float64, known bool) {
	root := j.doc.Root
	n, ok := root.Get("sampling").Get("n").Float()
	effective := root.Get("conditions").Get("effective")
	if !ok || n < 1 || j.broken() || len(effective.Items()) == 0 || root.Get("kind").Text() == kindCritique {
		return 0, false
	}
	return n * float64(len(effective.Items())), true
}

// idLike is what no one would write in place of ids but ids.
var idLike = regexp.MustCompile(`^[A-Za-z0-9_.:/+=-]{6,}$`)

// publishedIDs judges request ids that stand in a report as they are: "the markdown
// rendering surfaces only a count … rather than the values" (AHD replay, Markdown
// redactions). It reports whether the value was one of ids.
func (j *checker) publishedIDs(field string, n *jsondoc.Node, en entry, report string) bool {
	if en.key != requestIDs || !n.Is(jsondoc.Array) || isCount(en.value) || len(en.value) > maxElements {
		return false
	}
	inner, list := strings.CutPrefix(withoutComment(en.value), "[")
	recorded := make(map[string]bool)
	for _, id := range n.Items() {
		recorded[id.Text()] = true
	}
	if list && strings.Trim(inner, "] ") == "" {
		return false
	}
	strange, all := 0, elements(strings.TrimSuffix(strings.TrimRight(strings.TrimSuffix(inner, "]"), " "), ","))
	for _, id := range all {
		if !list && (!idLike.MatchString(id) || !strings.ContainsAny(id, "0123456789")) {
			return false
		}
		if !recorded[id] {
			strange++
		}
	}
	var row *verify.Check
	if strange > 0 {
		row = j.Fail(field, j.at(n), "contradicts", fmt.Sprintf("%s gives %d request ids on line %d that were not recorded", verify.Shorten(report, 512), strange, en.line))
	} else {
		row = j.Warn(field, j.at(n), "ids-published", fmt.Sprintf("%s gives the request ids themselves on line %d, where only their count belongs", verify.Shorten(report, 512), en.line))
	}
	row.Recorded, row.Observed, row.Input = captured(n), fmt.Sprintf("%d ids", len(all)), report
	return true
}
