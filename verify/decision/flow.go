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
func (j *judge) flow(f found, depth int) {
	n := f.trace.Get("flow_fingerprint")
	switch {
	case absent(n):
	case !wellFormed(n.Text()):
		j.fail("flow_fingerprint", n, "malformed", "malformed: must be two decimal lanes")
	default:
		j.info("flow_fingerprint", n, "not-compared", "cannot be recomputed: the flow itself is not recorded")
	}
	nodes, _ := list(f.trace.Get("flow_nodes"))
	decides, _ := f.kinds()
	if len(nodes) == 0 && !decides {
		j.warn("flow_nodes", f.trace.Get("flow_nodes"), "no-decision", "no node, so nothing was decided")
	}
	if depth == 0 && !decides {
		j.filesBeside(f)
	}
	if len(nodes) > 0 && depth == maxFlowDepth {
		j.fail("flow_nodes", f.trace.Get("flow_nodes"), "too-deep", fmt.Sprintf("flows within flows deeper than %d levels are not checked", maxFlowDepth))
		return
	}
	prefix, who := j.prefix, j.who
	for i, node := range nodes {
		if j.nodes++; j.nodes > maxFlowNodes {
			if j.nodes == maxFlowNodes+1 {
				j.fail("flow_nodes", node, "too-many-nodes", fmt.Sprintf("more than %d nodes: the rest is not checked", maxFlowNodes))
			}
			break
		}
		j.prefix = fmt.Sprintf("%sflow_nodes[%d].", prefix, i)
		name := fmt.Sprint(i + 1)
		if id := node.Get("node"); id.Is(jsondoc.String) {
			name = quote(id.Text())
		}
		j.who = who + "node " + name + ": "
		j.flowNode(node, depth)
		j.prefix, j.who = prefix, who
	}
}

func (j *judge) flowNode(node *jsondoc.Node, depth int) {
	const field = "decision_trace"
	switch t := node.Get(field); {
	case !node.Is(jsondoc.Object):
		j.fail(field, node, "wrong-type", mustBe("an object", node))
	case t.Is(jsondoc.Object) && len(t.Members()) > 0:
		j.trace(found{trace: t, around: node}, depth+1)
	case !absent(node.Get("policy_fingerprint")) || !absent(node.Get("provider")):
		j.fail(field, node, "no-decision-trace", "a model answered, and there is no trace of the decision")
	default:
		j.info(field, node, "no-decision", "no decision was made here")
	}
}

// filesBeside says that the files beside a flow are not compared with it: what
// each node ran, and was given, is not in any one of them.
func (j *judge) filesBeside(f found) {
	n := f.trace.Get("flow_nodes")
	if policy := stem(j.e.Path) + policyEnding; j.e.Tree.Exists(policy) {
		j.info("policy", n, "not-compared", "the policy file was not compared: each node of a flow has its own policy").Input = policy
	}
	c := j.info("snapshot", n, "not-recomputed", "decisions not recomputed: each node of a flow has its own request and time")
	if j.snapshot.exists {
		c.Input = j.snapshot.path
	}
}
