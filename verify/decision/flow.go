package decision

import (
	"fmt"

	"github.com/replay-gate/replay-gate/verify/jsondoc"
)

// Bounds of a flow. Published flows have a handful of nodes, none within
// another.
const (
	maxFlowNodes = 256 // in all of a file
	maxFlowDepth = 4
)

// flow judges the nodes of a flow, each as a trace of its own.
func (j *checker) flow(f found, depth int) {
	n := f.trace.Get("flow_fingerprint")
	switch {
	case absent(n):
	case !wellFormed(n.Text()):
		j.Fail("flow_fingerprint", j.doc.Spot(n), "malformed", "malformed: must be two decimal lanes")
	default:
		j.Info("flow_fingerprint", j.doc.Spot(n), "not-compared", "cannot be recomputed: the flow itself is not recorded")
	}
	nodes, _ := list(f.trace.Get("flow_nodes"))
	decides, _ := f.kinds()
	if len(nodes) == 0 && !decides {
		j.Warn("flow_nodes", j.doc.Spot(f.trace.Get("flow_nodes")), "no-decision", "no node, so nothing was decided")
	}
	if depth == 0 && !decides && !j.several {
		j.filesBeside(f.trace.Get("flow_nodes"), "each node of a flow")
	}
	j.flowGraph(f, nodes)
	if len(nodes) > 0 && depth == maxFlowDepth {
		j.Fail("flow_nodes", j.doc.Spot(f.trace.Get("flow_nodes")), "too-deep", fmt.Sprintf("flows within flows deeper than %d levels are not checked", maxFlowDepth))
		return
	}
	for i, node := range nodes {
		if j.nodes++; j.nodes > maxFlowNodes {
			if j.nodes == maxFlowNodes+1 {
				j.Fail("flow_nodes", j.doc.Spot(node), "too-many-nodes", fmt.Sprintf("more than %d nodes: the rest is not checked", maxFlowNodes))
			}
			break
		}
		name := fmt.Sprint(i + 1)
		if id := node.Get("node"); id.Is(jsondoc.String) {
			name = quote(id.Text())
		}
		j.within(fmt.Sprintf("flow_nodes[%d].", i), "node "+name+": ", func() { j.flowNode(node, depth) })
	}
}

func (j *checker) flowNode(node *jsondoc.Node, depth int) {
	const field = "decision_trace"
	switch t := node.Get(field); {
	case !node.Is(jsondoc.Object):
		j.Fail(field, j.doc.Spot(node), "wrong-type", mustBe("an object", node))
	case t.Is(jsondoc.Object) && len(t.Members()) > 0:
		j.trace(found{trace: t, around: node}, depth+1)
	case !absent(node.Get("policy_fingerprint")) || !absent(node.Get("provider")):
		j.Fail(field, j.doc.Spot(node), "no-decision-trace", "a model answered, and there is no trace of the decision")
	default:
		j.Info(field, j.doc.Spot(node), "no-decision", "no decision was made here")
	}
}

// filesBeside says that the files beside several decisions, at n, are not compared with
// them: what each one ran, and was given, is not in any one of them.
func (j *checker) filesBeside(n *jsondoc.Node, each string) {
	if policy := stem(j.e.Path) + policyEnding; j.e.Tree.Exists(policy) {
		j.Info("policy", j.doc.Spot(n), "not-compared", "the policy file was not compared: "+each+" has its own policy").Input = policy
	}
	c := j.Info("snapshot", j.doc.Spot(n), "not-recomputed", "decisions not recomputed: "+each+" has its own request and time")
	if j.snapshot.exists {
		c.Input = j.snapshot.path
	}
}

// flowGraph judges the edges between the nodes of a flow: ids are given once, an input is
// a node that ran before, or the flow's one input node, which is not listed, and a flow
// that failed ends with the node that did (SIGMA-FLOW §3: closed references, acyclic, a
// single source).
func (j *checker) flowGraph(f found, nodes []*jsondoc.Node) {
	var bad findings
	ran := make(map[string]bool)
	source := ""
	for i, node := range nodes[:min(len(nodes), maxFlowNodes)] {
		field := fmt.Sprintf("flow_nodes[%d]", i)
		id := node.Get("node")
		inputs, _ := list(node.Get("inputs"))
		for k, in := range inputs {
			name := in.Text()
			if !ran[name] && source == "" {
				source = name
			}
			if !in.Is(jsondoc.String) || name == id.Text() || !ran[name] && name != source {
				if bad.room(in) {
					j.Fail(fmt.Sprintf("%s.inputs[%d]", field, k), j.doc.Spot(in), "unknown-node", quote(name)+" is no node that ran before, and a flow has one input")
				}
			}
		}
		if !id.Is(jsondoc.String) {
			continue
		}
		if (ran[id.Text()] || id.Text() == source) && bad.room(id) {
			j.Fail(field+".node", j.doc.Spot(id), "duplicate-node", "node "+quote(id.Text())+" stands twice, or after a node that it feeds")
		}
		ran[id.Text()] = true
	}
	j.rest(bad, "flow_nodes")
	if failed := f.trace.Get("failed_node"); !absent(failed) && len(nodes) > 0 && failed.Text() != nodes[len(nodes)-1].Get("node").Text() {
		j.Fail("failed_node", j.doc.Spot(failed), "not-the-last-node", "a flow ends with the node that fails, which is "+quote(nodes[len(nodes)-1].Get("node").Text()))
	} else if bad.n == 0 && len(nodes) > 0 {
		j.OK("flow_nodes", j.doc.Spot(f.trace.Get("flow_nodes")), "").Observed = count(len(nodes), "node")
	}
}
