package aos

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/jsondoc"
)

// aspects are what a replay trace may claim to match, the member of an outcome
// and that of a trace record's step that decides it, and whether the document
// has it (PIN-009, Replay Trace Fields).
var aspects = []struct {
	name, outcome, step string
	required            bool
}{
	{"retry_count", "observability.backend_retries", "retry_count", true},
	{"error_codes", "code", "outcome_code", true},
	{"cost_cents", "cost_cents", "cost_cents", true},
	{"status", "status", "status", false},
	{"retryable", "retryable", "", false},
	{"side_effects", "side_effects", "", false},
}

// claimedOriginals are the places of the run that a replay trace is about. Of
// several files of that run, the one that is called the original comes first.
func claimedOriginals(t *verify.Tree, f *file) []string {
	id := originalID(f)
	if id == "" {
		return nil
	}
	s := stem(f.path)
	return slices.Concat(originalNames(s+outcomesEnding), originalNames(s+recordEnding), byRun(t, f, id, kindOutcomes, kindRecord))
}

// claimedReplays are the places of the replay that a replay trace speaks of.
func claimedReplays(t *verify.Tree, f *file) []string {
	s := stem(f.path)
	paths := []string{s + outcomesEnding, s + recordEnding}
	if id := f.doc.Root.Get("trace_id"); isText(id) && id.Text() != "" {
		x := indexOf(t)
		paths = append(paths, nearest(x.traces, f.path, id.Text(), kindOutcomes, kindRecord)...)
		paths = append(paths, nearest(x.runs, f.path, id.Text(), kindOutcomes, kindRecord)...)
	}
	return paths
}

// replayTrace judges what a replay says about itself, by recomputing it.
func (j *judge) replayTrace() {
	root := j.doc.Root
	switch n := root.Get("replay_mode"); {
	case isText(n) && contains([]string{"dry_run", "full_replay", "mock_replay"}, n.Text()):
		j.ok("replay_mode", n, "")
	case n == nil:
		j.wrong("replay_mode", root, n, "a string")
	default:
		j.fail("replay_mode", n, "unknown-mode", "unknown mode "+brief(n))
	}
	j.r.Recording.RunKind = shown(root.Get("replay_mode"))

	isRun := func(f *file) bool { return f.kind == kindOutcomes || f.kind == kindRecord }
	id := root.Get("original_run_id")
	ofRun := func(f *file) bool { return isRun(f) && hasRun(f, id.Text()) }
	original := j.find("original", claimedOriginals(j.e.Tree, j.file), ofRun)
	var replay *file
	if original != nil {
		replay = j.find("replay", claimedReplays(j.e.Tree, j.file), func(f *file) bool {
			return f.kind == original.kind && f.path != original.path
		})
	}
	switch {
	case !isText(id) || id.Text() == "":
		j.wrong("original_run_id", root, id, "a string that is not empty")
	case original == nil:
		j.warn("original_run_id", id, "original-not-found", "original not found: claims not verified")
	case replay == nil:
		j.warn("original_run_id", id, "replay-not-found", "replay not found: claims not verified").Observed = original.path
	default:
		c := j.ok("original_run_id", id, "held against "+verify.Shorten(replay.path, 200))
		c.Observed, c.Input = original.path, original.path
	}
	j.claims(root.Get("behavior_match"), original, replay)
}

// hasRun says that a file has evidence of the run.
func hasRun(f *file, id string) bool {
	if f.kind == kindRecord {
		return f.doc.Root.Get("run_id").Text() == id
	}
	for _, o := range outcomeList(f) {
		if o.Get("run_id").Text() == id {
			return true
		}
	}
	return false
}

// claims judges each member of behavior_match.
func (j *judge) claims(match *jsondoc.Node, original, replay *file) {
	const field = "behavior_match"
	if !match.Is(jsondoc.Object) {
		j.wrong(field, j.doc.Root, match, "an object")
		return
	}
	known := make(map[string]bool)
	for _, a := range aspects {
		known[a.name] = true
		switch claim, name := match.Get(a.name), field+"."+a.name; {
		case claim == nil && a.required && j.doc.Err == nil:
			j.warn(name, nil, "not-claimed", "is not claimed")
		case claim == nil:
		case !claim.Is(jsondoc.Bool):
			j.wrong(name, match, claim, "a boolean")
		case !isTrue(claim):
			j.fail(name, claim, "reported-mismatch", "replay reports a mismatch in "+a.name)
		case original == nil || replay == nil:
			j.info(name, claim, "not-verified", "claim not verified")
		default:
			path := a.outcome
			if original.kind == kindRecord {
				path = a.step
			}
			j.claim(name, a.name, path, claim, original, replay)
		}
	}
	r := j.rule(field)
	for _, m := range match.Members() {
		if !known[m.Name] {
			name := verify.Shorten(m.Name, 64)
			r.add(verify.Warn, field+"."+name, m.Value, "unknown-aspect", "cannot be recomputed: "+name+" is no aspect that is known")
		}
	}
	if len(r.rows) > 0 {
		r.end("")
	}
}

// claim recomputes one claim of a match from the pair.
func (j *judge) claim(field, aspect, path string, n *jsondoc.Node, original, replay *file) {
	if path == "" {
		j.info(field, n, "not-verified", "claim not verified: trace records do not have it")
		return
	}
	old, list := runSteps(original), runSteps(replay)
	reason := ""
	if len(old) != len(list) {
		reason = fmt.Sprintf("the original has %d steps, the replay %d", len(old), len(list))
	}
	for i := 0; i < min(len(old), len(list)) && reason == ""; i++ {
		a, b := member(old[i], path), member(list[i], path)
		name := strconv.Itoa(i)
		if id := list[i].Get("step_id"); isText(id) {
			name = brief(id)
		}
		switch {
		case aspect == "side_effects":
			if k, _, _ := differingEffect(list[i], old[i]); k >= 0 {
				reason = fmt.Sprintf("step %s differs in side effect %d", name, k)
			}
		case !sameScalar(a, b):
			reason = fmt.Sprintf("step %s has %s and %s", name, brief(a), brief(b))
		}
	}
	if reason == "" {
		j.ok(field, n, "recomputed from the pair").Observed = "true"
		return
	}
	c := j.fail(field, n, "false-claim", "claims "+aspect+" matches; "+reason)
	c.Observed, c.Input = "false", replay.path
}

// runSteps are the steps of a run, in whichever of the two kinds.
func runSteps(f *file) []*jsondoc.Node {
	if f.kind == kindRecord {
		return f.doc.Root.Get("steps").Items()
	}
	return outcomeList(f)
}
