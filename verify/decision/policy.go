package decision

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/decision/sigmapol"
	"github.com/replay-gate/replay-gate/verify/jsondoc"
)

// schema is what a trace's policy is read under. A trace doesn't carry the
// declarations of its host, so the sorts of fields are inferred; the tiers are
// those of the snapshot, if there is one.
func (j *checker) schema() sigmapol.Schema {
	return sigmapol.Schema{Infer: true, TierOrder: j.snapshot.value.Schema.TierOrder}
}

// policyTerm judges the policy that ran: present, of this version of the
// language, admissible, and in normal form.
func (j *checker) policyTerm(t *trace) {
	const field = "policy_term"
	n := t.trace.Get(field)
	if absent(n) {
		j.Warn(field, j.doc.Spot(n), "no-policy-term", "no policy_term (older host or closure profile): fingerprint cannot be checked")
		return
	}
	term, err := sigmapol.Parse(j.doc.Raw(n), j.schema())
	if err == nil && term.Sort() != sigmapol.Policy {
		err = &sigmapol.AdmissionError{Path: "$", Message: fmt.Sprintf("expected %s, got %s", sigmapol.Policy, term.Sort())}
	}
	if err != nil {
		status, code, reason := j.refusal(err)
		t.unknown = status == verify.Warn
		j.Add(status, field, j.doc.Spot(n), code, reason)
		return
	}
	j.OK(field, j.doc.Spot(n), "")
	t.policy, t.admitted = sigmapol.Normalize(term), true
	t.encoded = sigmapol.Encode(t.policy)
	if term.IsNormal() {
		j.OK(field+".normal_form", j.doc.Spot(n), "")
	} else {
		j.Fail(field+".normal_form", j.doc.Spot(n), "not-normal", "not in normal form: edited after emission")
	}
}

// refusal words why a term can't be read. What a newer engine or its host may
// have declared is not called wrong.
func (j *checker) refusal(err error) (status verify.Status, code, reason string) {
	if unknown, ok := errors.AsType[*sigmapol.UnknownOperationError](err); ok {
		return verify.Warn, "unknown-operation",
			"unknown operation " + quote(unknown.Operation) + ": written for a newer engine, not verified"
	}
	if errors.Is(err, sigmapol.ErrVersion1) {
		return verify.Fail, "version-1", "sigma-pol/v1 term (six slots) under a v2 label: " + err.Error()
	}
	// Hosts name their own tiers, and only the snapshot records them.
	refused, ok := errors.AsType[*sigmapol.AdmissionError](err)
	if ok && strings.HasPrefix(refused.Message, "unknown tier ") && len(j.schema().TierOrder) == 0 {
		return verify.Warn, "unknown-tier", refused.Message + ": not one of the language's own, and no snapshot declares it; not verified"
	}
	return verify.Fail, "not-admissible", "not admissible: " + err.Error()
}

var lanes = regexp.MustCompile(`^(0|[1-9][0-9]{0,9})-(0|[1-9][0-9]{0,9})$`)

// wellFormed reports whether a fingerprint is two decimal lanes, each below
// its modulus (SIGMA-POL §4).
func wellFormed(fingerprint string) bool {
	m := lanes.FindStringSubmatch(fingerprint)
	if m == nil {
		return false
	}
	a, _ := strconv.ParseUint(m[1], 10, 64)
	b, _ := strconv.ParseUint(m[2], 10, 64)
	return a < 2147483647 && b < 2147483629
}

// fingerprint holds the recorded fingerprint against the policy.
func (j *checker) fingerprint(t *trace) {
	const field = "policy_fingerprint"
	n := t.trace.Get(field)
	switch {
	case absent(n) && absent(t.trace.Get("policy_term")):
		j.Info(field, j.doc.Spot(n), "no-identity", "closure profile: a policy without identity")
	case absent(n):
		j.Warn(field, j.doc.Spot(n), "missing", "no fingerprint beside the policy_term")
	case !n.Is(jsondoc.String):
		j.Fail(field, j.doc.Spot(n), "wrong-type", mustBe("a string", n))
	case !wellFormed(n.Text()):
		j.Fail(field, j.doc.Spot(n), "malformed", "malformed: must be two decimal lanes, such as 1652159335-1103376766")
	case !t.admitted:
		j.Info(field, j.doc.Spot(n), "not-compared", "no policy to compute it from")
	default:
		want := sigmapol.Fingerprint(t.encoded)
		j.compare(field, n, n.Text(), want, "fingerprint-differs", "expected "+want+", recorded "+n.Text())
	}
}

// identity shows the policy's full name. Nothing in a trace records it, but
// the repository may pin it.
func (j *checker) identity(t *trace) {
	const field = "identity"
	n := t.trace.Get("policy_term")
	pinned := j.config.PinnedIdentities
	if !t.admitted {
		switch {
		case len(pinned) == 0:
		case t.unknown:
			j.Warn(field, j.doc.Spot(n), "not-compared", "the policy can't be read, so the pinned one is not confirmed")
		default:
			j.Fail(field, j.doc.Spot(n), "not-pinned", "no admissible policy_term, so nothing shows that the pinned policy ran")
		}
		return
	}
	id := sigmapol.Identity(t.encoded)
	var c *verify.Check
	switch {
	case len(pinned) == 0:
		c = j.Info(field, j.doc.Spot(n), "identity", "the SHA-256 of the policy's canonical encoding")
	case slices.Contains(pinned, id):
		c = j.OK(field, j.doc.Spot(n), "the pinned policy")
	default:
		c = j.Fail(field, j.doc.Spot(n), "not-pinned", "policy is not the pinned one")
		c.Recorded = kept(strings.Join(pinned, ", "))
	}
	c.Observed = id
}

// policyFile holds the policy as its author wrote it against the one that ran.
// The filter of the latter may have grown by the host's envelope.
func (j *checker) policyFile(t *trace) {
	const field = "policy"
	name := stem(j.e.Path) + policyEnding
	n := t.trace.Get("policy_term")
	if !j.e.Tree.Exists(name) {
		return
	}
	var c *verify.Check
	data, err := j.e.Tree.ReadFile(name, sigmapol.MaxBytes)
	if err != nil {
		c = j.Fail(field, j.doc.Spot(n), "unreadable", "the policy file could not be read: "+verify.ReadReason(err))
	} else if written, err := sigmapol.Parse(data, j.schema()); err != nil {
		status, code, reason := j.refusal(err)
		c = j.Add(status, field, j.doc.Spot(n), code, "the policy file: "+reason)
	} else if !t.admitted {
		c = j.Info(field, j.doc.Spot(n), "not-compared", "the trace has no policy that can be compared")
	} else if slots := sigmapol.DifferingSlots(written, t.policy); len(slots) > 0 {
		plural := "slot " + slots[0] + " differs"
		if len(slots) > 1 {
			plural = "slots " + strings.Join(slots, ", ") + " differ"
		}
		c = j.Fail(field, j.doc.Spot(n), "another-policy", "trace ran another policy: "+plural)
	} else {
		c = j.OK(field, j.doc.Spot(n), "the policy file's slots are those that ran")
	}
	c.Input = name
}

// routerFingerprint holds the fingerprint around the trace against the one in
// it.
func (j *checker) routerFingerprint(t *trace) {
	const member = "policy_fingerprint"
	n, inner := t.around.Get(member), t.trace.Get(member)
	if n == nil || t.around == t.trace {
		return
	}
	text := func(n *jsondoc.Node) string {
		if absent(n) {
			return "null"
		}
		return n.Text()
	}
	reason := "x_router and trace disagree"
	if !t.router {
		reason = "its fingerprint is not that of its trace"
	}
	j.compare(t.label()+member, n, text(n), text(inner), "fingerprints-disagree", reason)
}
