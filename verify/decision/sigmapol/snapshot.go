package sigmapol

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// MaxCandidates bounds the pool that [Decide] takes.
const MaxCandidates = 4096

// Candidate is one route to a model as the engine saw it: provider_id, model_family, tier, capabilities, offer, prices
// and the declared extension fields, as encoding/json decodes them.
type Candidate map[string]any

// Provider returns the candidate's provider_id.
func (c Candidate) Provider() string { return c.text("provider_id") }

// Family returns the candidate's model_family.
func (c Candidate) Family() string { return c.text("model_family") }

// Tier returns the candidate's tier; a candidate without one counts as "fallback".
func (c Candidate) Tier() string {
	if s := c.text("tier"); s != "" {
		return s
	}
	return "fallback"
}

// ServedBy returns who executes the route: the peer of a marketplace offer, otherwise the provider.
func (c Candidate) ServedBy() string {
	if peer, ok := table(c["offer"])["peer_id"].(string); ok {
		return peer
	}
	return c.Provider()
}

func (c Candidate) text(key string) string {
	s, _ := c[key].(string)
	return s
}

// key names the candidate's entry among the moving averages, and its place in a chain.
func (c Candidate) key() string { return c.Provider() + "|" + c.Family() }

// Context is what a decision depends on beside the candidates.
type Context struct {
	Request map[string]any // the caller's request, with its requirements and scope
	Seed    *float64       // of sampling and jitter; nil if the request had none
	State   map[string]any // ema, credits, breakers and disabled, each by provider or provider|family
}

// UnmarshalJSON reads {"request": …, "seed": …, "state": …}, with [] for an empty table.
func (c *Context) UnmarshalJSON(raw []byte) error {
	var wire struct {
		Request any      `json:"request"`
		Seed    *float64 `json:"seed"`
		State   any      `json:"state"`
	}
	if err := json.Unmarshal(raw, &wire); err != nil {
		return err
	}
	*c = Context{Request: table(wire.Request), Seed: wire.Seed, State: table(wire.State)}
	return nil
}

func (c Context) state(name string) map[string]any { return table(c.State[name]) }

func (c Context) requirements() map[string]any { return table(c.Request["requirements"]) }

// table reads a value as a record; anything else, an empty list above all, has no keys.
func table(v any) map[string]any {
	record, _ := v.(map[string]any)
	return record
}

// Snapshot is all that a decision was made from: the shape of the language's own golden vectors, with the host's
// declarations beside it.
type Snapshot struct {
	Candidates []Candidate // in the order of the pool, which decides ties
	Context    Context
	Schema     Schema
}

// DecodeSnapshot reads {"candidates": […], "ctx": {…}, "fields": {…}, "tier_order": […]}. Without fields the schema
// infers them. The size of raw is for the caller to bound.
func DecodeSnapshot(raw []byte) (Snapshot, error) {
	var wire struct {
		Candidates json.RawMessage `json:"candidates"`
		Context    *Context        `json:"ctx"`
		Fields     json.RawMessage `json:"fields"`
		TierOrder  json.RawMessage `json:"tier_order"`
	}
	if err := json.Unmarshal(raw, &wire); err != nil {
		return Snapshot{}, fmt.Errorf("reading snapshot: %w", err)
	}
	if wire.Candidates == nil || wire.Context == nil {
		return Snapshot{}, fmt.Errorf("reading snapshot: it needs both candidates and ctx")
	}
	s := Snapshot{Context: *wire.Context, Schema: Schema{Infer: wire.Fields == nil}}
	for _, part := range []struct {
		name string
		raw  json.RawMessage
		into any
	}{
		{"candidates", wire.Candidates, &s.Candidates},
		{"fields", wire.Fields, &s.Schema.Fields},
		{"tier_order", wire.TierOrder, &s.Schema.TierOrder},
	} {
		if err := decodeTable(part.raw, part.into); err != nil {
			return Snapshot{}, fmt.Errorf("reading snapshot %s: %w", part.name, err)
		}
	}
	return s, nil
}

// decodeTable decodes a list or record, either of which may be written as the other when it is empty, or be missing.
func decodeTable(raw json.RawMessage, into any) error {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 {
		return nil
	}
	// A hostile table can hold a million values, so it is not decoded just to see whether it is empty.
	if (raw[0] == '[' || raw[0] == '{') && len(bytes.TrimSpace(raw[1:len(raw)-1])) == 0 {
		return nil
	}
	return json.Unmarshal(raw, into)
}
