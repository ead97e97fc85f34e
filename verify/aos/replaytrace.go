package aos

import (
	"fmt"
	"iter"
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
	{aspectSideEffects, "side_effects", "", false},
}

const aspectSideEffects = "side_effects"

// claimedOriginals are the places of the run that a replay trace is about. Of
// several files of that run, the one that is called the original comes first.
func claimedOriginals(t *verify.Tree, f *file) iter.Seq[string] {
	id := originalID(f)
	if id == "" {
		return func(func(string) bool) {}
	}
	s := stem(f.path)
	names := slices.Concat(originalNames(s+outcomesEnding), originalNames(s+recordEnding))
	return inTurn(slices.Values(names), byRun(t, f, id, kindOutcomes, kindRecord))
}

// claimedReplays are the places of the replay that a replay trace speaks of.
func claimedReplays(t *verify.Tree, f *file) iter.Seq[string] {
	s := stem(f.path)
	paths := slices.Values([]string{s + outcomesEnding, s + recordEnding})
	id := f.doc.Root.Get("trace_id").Text()
	if id == "" {
		return paths
	}
	return inTurn(paths, func(yield func(string) bool) {
		x := indexOf(t)
		inTurn(
			slices.Values(nearest(x.traces, f.path, id, kindOutcomes, kindRecord)),
			slices.Values(nearest(x.runs, f.path, id, kindOutcomes, kindRecord)),
		)(yield)
	})
}

// replayTrace judges what a replay says about itself, by recomputing it.
func (j *checker) replayTrace() {
	root := j.doc.Root
	switch n := root.Get("replay_mode"); {
	case isText(n) && contains([]string{"dry_run", "full_replay", "mock_replay"}, n.Text()):
		j.OK("replay_mode", j.spot(n), "")
	case n == nil:
		j.wrong("replay_mode", root, n, "a string")
	default:
		j.Fail("replay_mode", j.spot(n), "unknown-mode", "unknown mode "+brief(n))
	}
	j.r.Recording.RunKind = shown(root.Get("replay_mode"))

	isRun := func(f *file) bool { return f.kind == kindOutcomes || f.kind == kindRecord }
	id := root.Get("original_run_id")
	ofRun := func(f *file) bool { return isRun(f) && hasRun(f, id.Text()) }
	original := j.find(verify.Input{Role: "original", Subject: true}, claimedOriginals(j.e.Tree, j.file), ofRun)
	var replay *file
	if original != nil {
		replay = j.find(verify.Input{Role: "replay", Subject: true}, claimedReplays(j.e.Tree, j.file), func(f *file) bool {
			return f.kind == original.kind && f.path != original.path
		})
	}
	switch {
	case !isText(id) || id.Text() == "":
		j.wrong("original_run_id", root, id, "a string that is not empty")
	case original == nil:
		j.Warn("original_run_id", j.spot(id), "original-not-found", "original not found: claims not verified")
	case replay == nil:
		j.Warn("original_run_id", j.spot(id), "replay-not-found", "replay not found: claims not verified").Observed = original.path
	default:
		c := j.OK("original_run_id", j.spot(id), "held against "+verify.Shorten(replay.path, 200))
		c.Observed, c.Input = original.path, original.path
	}
	j.claims(root.Get("behavior_match"), original, replay)
	if replay != nil && replay.kind == kindOutcomes && root.Get("replay_mode").Text() == modeDryRun {
		j.dryRunOf(replay)
	}
}

// dryRunOf judges that the replay that is called a dry run had no side effects.
func (j *checker) dryRunOf(replay *file) {
	const field = "replay_mode.side_effects"
	n := j.doc.Root.Get("replay_mode")
	for _, o := range outcomeList(replay) {
		if len(o.Get("side_effects").Items()) > 0 {
			j.Fail(field, j.spot(n), "dry-run-side-effect", "a dry run has no side effects, and step "+brief(o.Get("step_id"))+" has").Input = replay.path
			return
		}
	}
	j.OK(field, j.spot(n), "a dry run has none").Input = replay.path
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
func (j *checker) claims(match *jsondoc.Node, original, replay *file) {
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
			j.Warn(name, verify.Spot{}, "not-claimed", "is not claimed")
		case claim == nil:
		case !claim.Is(jsondoc.Bool):
			j.wrong(name, match, claim, "a boolean")
		case !isTrue(claim):
			j.Fail(name, j.spot(claim), "reported-mismatch", "replay reports a mismatch in "+a.name)
		case original == nil || replay == nil:
			j.Info(name, j.spot(claim), "not-verified", "claim not verified")
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
	if len(r.rows.Checks) > 0 {
		r.end("")
	}
}

// claim recomputes one claim of a match from the pair.
func (j *checker) claim(field, aspect, path string, n *jsondoc.Node, original, replay *file) {
	if aspect == aspectSideEffects && j.doc.Root.Get("replay_mode").Text() == modeDryRun {
		j.Info(field, j.spot(n), "dry-run", "not compared: a dry run has no side effects")
		return
	}
	if path == "" {
		j.Info(field, j.spot(n), "not-verified", "claim not verified: trace records do not have it")
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
		j.OK(field, j.spot(n), "recomputed from the pair").Observed = "true"
		return
	}
	c := j.Fail(field, j.spot(n), "false-claim", "claims "+aspect+" matches; "+reason)
	c.Observed, c.Input = "false", replay.path
}

// runSteps are the steps of a run, in whichever of the two kinds.
func runSteps(f *file) []*jsondoc.Node {
	if f.kind == kindRecord {
		return f.doc.Root.Get("steps").Items()
	}
	return outcomeList(f)
}
