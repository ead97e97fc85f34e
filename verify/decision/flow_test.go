package decision

import (
	"fmt"
	"strings"
	"testing"

	"github.com/replay-gate/replay-gate/verify"
)

// flowTrace is a flow of two decisions and a step that decides nothing.
func flowTrace(tb testing.TB) object {
	node := func(name string, v vector) object {
		return object{
			"node": name, "kind": "generation", "inputs": []any{},
			"provider": v.Result["chosen"].(object)["provider_id"], "served_model_id": v.Result["chosen"].(object)["served_model_id"],
			"policy_fingerprint": v.trace()["policy_fingerprint"],
			"decision_trace":     v.trace(),
		}
	}
	return object{
		"policy_fingerprint": nil, "flow_fingerprint": "12-34", "started_at_ms": 1772366400000, "total_latency_ms": 3000,
		"flow_nodes": []any{
			node("draft", sample(tb, "01-quickstart-cheapest")),
			object{"node": "merge", "kind": "data", "inputs": []any{"draft"}, "cost_reported": 0},
			node("final", failover(tb)),
		},
	}
}

// Each node of a flow is judged as a trace of its own (Traces, flow_nodes[]).
func TestFlow(t *testing.T) {
	tests := []struct {
		name   string
		edits  map[string]any
		want   string
		reason string
	}{
		{"as recorded", nil, "", ""},
		{"a node's fingerprint", map[string]any{"flow_nodes.2.policy_fingerprint": "1-2"},
			"FAIL flow_nodes[2].policy_fingerprint fingerprints-disagree", `node "final": its fingerprint is not that of its trace`},
		{"a node's trace", map[string]any{"flow_nodes.0.decision_trace.rejected.0.reason": "bot"},
			"FAIL flow_nodes[0].rejected[0].reason impossible-reason", `node "draft": no rule of this policy yields "bot"`},
		{"a node's provider", map[string]any{"flow_nodes.2.provider": "deepseek"},
			"FAIL flow_nodes[2].provider not-the-answering-model", `node "final": reported model`},
		{"a node without its trace", map[string]any{"flow_nodes.0.decision_trace": nil},
			"FAIL flow_nodes[0].decision_trace no-decision-trace", ""},
		{"a node that is none", map[string]any{"flow_nodes.1": 7}, "FAIL flow_nodes[1].decision_trace wrong-type", "node 2: must be an object"},
		// "Closed references", "Acyclic", "Exactly one input node" (SIGMA-FLOW §3).
		{"an input that is no node", map[string]any{"flow_nodes.2.inputs": []any{"draft", "merge", "ghost", "spook"}},
			"FAIL flow_nodes[2].inputs[3] unknown-node", `"spook" is no node that ran before`},
		{"an input that runs later", map[string]any{"flow_nodes.0.inputs": []any{"final"}}, "FAIL flow_nodes[2].node duplicate-node", "after a node that it feeds"},
		{"a node that feeds itself", map[string]any{"flow_nodes.1.inputs": []any{"merge"}},
			"FAIL flow_nodes[1].inputs[0] unknown-node\nFAIL flow_nodes[1].node duplicate-node", ""},
		{"the flow's input", map[string]any{"flow_nodes.0.inputs": []any{"n0"}, "flow_nodes.1.inputs": []any{"n0", "draft"}}, "", ""},
		{"a node twice", map[string]any{"flow_nodes.1.node": "draft", "flow_nodes.1.inputs": []any{}}, "FAIL flow_nodes[1].node duplicate-node", `node "draft" stands twice`},
		{"the node that failed", map[string]any{"failed_node": "final"}, "", ""},
		{"a node that failed before the end", map[string]any{"failed_node": "draft"}, "FAIL failed_node not-the-last-node", ""},
		{"no nodes", map[string]any{"flow_nodes": object{}}, "warn flow_nodes no-decision", ""},
		{"flow_fingerprint", map[string]any{"flow_fingerprint": "x"}, "FAIL flow_fingerprint malformed", ""},
		{"an operation of a newer engine", map[string]any{"flow_nodes.0.decision_trace.policy_term.1": []any{"novel"}},
			"warn flow_nodes[0].policy_term unknown-operation", `node "draft": unknown operation "novel"`},
		{"a policy of its own beside the nodes", map[string]any{"policy_term": []any{"top"}},
			"FAIL policy_term not-admissible\nwarn policy_fingerprint missing\nFAIL ranked missing\nFAIL rejected missing\nFAIL decision_path missing", ""},
	}
	for _, tt := range tests {
		for shape, evidence := range map[string]func(object) object{
			"bare":         func(f object) object { return f },
			"x_router":     func(f object) object { return object{"provider": "p", "model_family": "m", "decision_trace": f} },
			"in the body":  func(f object) object { return object{"x_router": object{"decision_trace": f}} },
			"not nested":   func(f object) object { return object{"x_router": f} },
			"among others": func(f object) object { f["ranked"], f["decision_path"] = object{}, object{}; return f },
		} {
			if shape == "among others" && strings.HasPrefix(tt.name, "a policy") {
				continue
			}
			t.Run(tt.name+" "+shape, func(t *testing.T) {
				f := clone(flowTrace(t)).(object)
				for path, value := range tt.edits {
					set(f, path, value)
				}
				r := check(tree(evidence(f), nil, nil))
				renderable(t, r)
				if got := bad(r); got != tt.want {
					t.Fatalf("got\n%s\nwant\n%s", got, tt.want)
				}
				for _, c := range r.Checks {
					if c.Status == verify.Fail && !strings.Contains(c.Reason, tt.reason) {
						t.Errorf("reason %q, want %q", c.Reason, tt.reason)
					}
				}
				if row(t, r, "snapshot").Code != "not-recomputed" || r.Recording.RunKind != "flow" {
					t.Errorf("%+v", r.Recording)
				}
			})
		}
	}
}

// Flows within flows, and their nodes, are bounded.
func TestFlowBounds(t *testing.T) {
	f := object{"flow_nodes": []any{object{"node": "leaf"}}}
	for i := range maxFlowDepth {
		f = object{"flow_nodes": []any{object{"node": fmt.Sprint(i), "decision_trace": f}}}
	}
	got := bad(check(tree(f, nil, nil)))
	if want := "FAIL " + strings.Repeat("flow_nodes[0].", maxFlowDepth) + "flow_nodes too-deep"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	inner := f["flow_nodes"].([]any)[0].(object)["decision_trace"]
	if got := bad(check(tree(inner, nil, nil))); got != "" {
		t.Errorf("got %s", got)
	}

	var nodes []any
	for i := range maxFlowNodes {
		nodes = append(nodes, object{"node": fmt.Sprint(i)})
	}
	if got := bad(check(tree(object{"flow_nodes": nodes}, nil, nil))); got != "" {
		t.Errorf("got %s", got)
	}
	nodes = append(nodes, object{"node": "n"}, object{"node": "n"})
	r := check(tree(object{"flow_nodes": nodes}, nil, nil))
	if got := bad(r); got != "FAIL flow_nodes too-many-nodes" {
		t.Errorf("got %s", got)
	}
}

// The files beside a flow belong to none of its nodes.
func TestFlowWithFilesBeside(t *testing.T) {
	v := failover(t)
	r := check(tree(flowTrace(t), v.Snapshot, []byte(v.Policy)))
	if got := bad(r); got != "" {
		t.Errorf("got %s", got)
	}
	for _, c := range r.Checks {
		if strings.HasSuffix(c.Field, "].snapshot") || strings.Contains(c.Field, "].snapshot.") || strings.HasSuffix(c.Field, "].policy") {
			t.Errorf("%+v", c)
		}
	}
	if c := row(t, r, "policy"); c.Input != policyPath || c.Code != "not-compared" {
		t.Errorf("%+v", c)
	}
	if c := row(t, r, "snapshot"); c.Input != snapshotPath || !strings.Contains(c.Reason, "each node of a flow has its own request") {
		t.Errorf("%+v", c)
	}
}
