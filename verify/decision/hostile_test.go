package decision

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/replay-gate/replay-gate/verify"
)

// Each member of a trace and of its x_router, replaced by each type: no rule
// stumbles, and every check can be rendered.
func TestWrongTypesEverywhere(t *testing.T) {
	values := []any{nil, true, -1.5, "", "\x00\n|`@a", []any{}, []any{[]any{}}, object{}, object{"a": 1}, []any{object{"reason": object{}}}, strings.Repeat("x", 5000)}
	v := failover(t)
	for _, value := range values {
		for name := range v.trace() {
			judged(t, Format{}, true, edit{"t." + name, value})
			for _, list := range []string{"ranked", "rejected", "decision_path"} {
				judged(t, Format{}, true, edit{"t." + list + ".0", value})
			}
		}
		for name := range router(v) {
			judged(t, Format{}, true, edit{"x." + name, value})
		}
		for name := range v.Snapshot {
			judged(t, Format{}, true, edit{"s." + name, value})
		}
		for _, list := range []string{"ranked", "rejected", "decision_path"} {
			for name := range v.trace()[list].([]any)[0].(object) {
				judged(t, Format{}, true, edit{"t." + list + ".0." + name, value})
			}
		}
		f := clone(flowTrace(t)).(object)
		set(f, "flow_nodes.1", object{"node": value, "provider": value, "decision_trace": value})
		renderable(t, check(tree(f, nil, nil)))
	}
}

// Long lists end as a bounded number of checks.
func TestLongLists(t *testing.T) {
	const n = 10_000
	v := failover(t)
	for field, item := range map[string]any{
		"ranked":        object{"provider_id": "p", "model_family": "m", "tier": "t", "score": 1},
		"rejected":      object{"provider": "p", "model": "m", "reason": "bot"},
		"decision_path": object{"event": "attempted", "provider_id": 1},
	} {
		list := make([]any, n)
		for i := range list {
			list[i] = item
		}
		for _, list := range [][]any{list, make([]any, n)} {
			r := judged(t, Format{}, true, edit{"t." + field, list})
			if got := len(r.Checks); got > 3*maxFindings+30 {
				t.Errorf("%s: %d checks", field, got)
			}
			if !strings.Contains(bad(r), "FAIL "+field+" ") {
				t.Errorf("%s: nothing says that there is more:\n%s", field, bad(r))
			}
		}
	}
	// A path that is right for as long as it goes.
	path := make([]any, n)
	for i := range path {
		path[i] = object{"event": "attempted", "provider_id": "p", "model_family": "m", "attempt": 1, "latency_ms": 1}
	}
	if got := bad(judged(t, Format{}, false, edit{"t.decision_path", path})); !strings.HasPrefix(got, "FAIL decision_path[0] path-differs") {
		t.Errorf("got %s", got)
	}
	// Members of one trace for every value that a document may have.
	fsys := tree(router(v), nil, nil)
	fsys[tracePath].Data = []byte(`{"decision_trace": {"rejected": [` + strings.Repeat("1,", 1<<20) + `1]}}`)
	if got := bad(check(fsys)); got != "FAIL evidence broken-json" {
		t.Errorf("got %s", got)
	}
}

// Files beside the trace are bounded too, and take bounded memory.
func TestHostileCompanions(t *testing.T) {
	v := failover(t)
	fill := func(unit string, size int) string { return strings.Repeat(unit, size/len(unit)) }
	for name, snapshot := range map[string]string{
		"too large":         `{"candidates": [` + fill("{},", maxSnapshot) + `{}], "ctx": {}}`,
		"many candidates":   `{"candidates": [` + fill("{},", maxSnapshot-100) + `{}], "ctx": {}}`,
		"many empty fields": `{"candidates": [], "ctx": {"request": [` + fill("{},", maxSnapshot-100) + `{}]}}`,
		"deep":              `{"candidates": ` + fill("[", 1<<20),
		"no JSON":           "\xff\x00",
		"empty":             "",
	} {
		fsys := tree(router(v), nil, nil)
		fsys[snapshotPath] = &fstest.MapFile{Data: []byte(snapshot)}
		runtime.GC()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		r := check(fsys)
		runtime.ReadMemStats(&after)
		renderable(t, r)
		// Everything allocated, freed or not, is an upper bound of what was in use.
		if used := (after.TotalAlloc - before.TotalAlloc) >> 20; used > 200 {
			t.Errorf("%s: %d MB", name, used)
		}
		if got := bad(r); !strings.Contains(got, "snapshot") {
			t.Errorf("%s: %s", name, got)
		}
	}
	for name, policy := range map[string]string{
		"too large": `["top", "` + fill("x", 1<<20) + `"]`,
		"deep":      fill(`["not",`, 1<<17),
		"no JSON":   "\xff",
	} {
		fsys := tree(router(v), nil, nil)
		fsys[policyPath] = &fstest.MapFile{Data: []byte(policy)}
		r := check(fsys)
		renderable(t, r)
		if c := row(t, r, "policy"); c.Status != verify.Fail {
			t.Errorf("%s: %+v", name, c)
		}
	}
}

// The largest pool and term that can be decided on.
func TestLargestDecision(t *testing.T) {
	v := failover(t)
	candidates := make([]any, 4096)
	for i := range candidates {
		c := clone(v.Snapshot["candidates"].([]any)[3]).(object)
		c["provider_id"] = fmt.Sprint("p", i)
		c["capabilities"] = object{}
		candidates[i] = c
	}
	sum := []any{"add"}
	for i := range 2000 {
		sum = append(sum, []any{"scale", i + 2, []any{"field", "price_out"}})
	}
	r := judged(t, Format{}, true, edit{"s.candidates", candidates}, edit{"t.policy_term.2", sum})
	if row(t, r, "snapshot.rejected").Status == "" {
		t.Error("not decided")
	}
}
