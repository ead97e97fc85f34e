package ahd

import (
	"fmt"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/jsondoc"
)

// known are the members of schema version 1 (AHD replay, Fields and Backfilled
// sidecars), by the object they belong to.
var known = map[string][]string{
	"": {
		"schema_version", "kind", "ahd_version", "ahd_commit", "git_dirty", "node_version", "platform",
		"invoked_at", "argv", "token", "brief", "sampling", "models", "conditions", "backfilled",
	},
	"token":      {"path", "hash"},
	"brief":      {"path", "hash"},
	"sampling":   {"n", "temperature", "seed"},
	"models":     {"id", "provider", requestIDs},
	"conditions": {"requested", "effective"},
}

// unknowns gathers member names that the schema does not have.
type unknowns struct {
	seen  map[string]bool
	names []string
	first jsondoc.Member
}

func (u *unknowns) visit(object *jsondoc.Node, section, prefix string) {
members:
	for _, m := range object.Members() {
		for _, k := range known[section] {
			if m.Name == k {
				continue members
			}
		}
		name := prefix + verify.Shorten(m.Name, 64)
		if u.seen[name] {
			continue
		}
		if u.seen == nil {
			u.seen, u.first = make(map[string]bool), m
		}
		u.seen[name] = true
		u.names = append(u.names, name)
	}
}

// unknownFields counts what newer writers have added: optional fields need no
// new schema version, and readers ignore them (AHD replay, When schema_version
// bumps).
func (j *checker) unknownFields() {
	root := j.doc.Root
	var u unknowns
	u.visit(root, "", "")
	for _, section := range []string{"token", "brief", "sampling"} {
		u.visit(root.Get(section), section, section+".")
	}
	for _, m := range root.Get("models").Items() {
		u.visit(m, "models", "models[].")
	}
	u.visit(root.Get("conditions"), "conditions", "conditions.")
	if len(u.names) == 0 {
		return
	}
	status, reason := verify.Info, "ignored: "
	if j.e.Strict {
		status, reason = verify.Fail, "not in schema version 1: "
	}
	c := j.Add(status, "unknown fields", verify.Spot{}, "unknown-fields", reason+list(u.names))
	c.Recorded = fmt.Sprintf("%d unknown", len(u.names))
	c.Location.Line, c.Location.Column = j.doc.MemberPosition(u.first)
}
