package sigmapol

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
)

// FieldSort is the sort of a field of a candidate: the sort of value that a policy may expect there.
type FieldSort string

// The sorts of fields.
const (
	NumField  FieldSort = "Num"
	BoolField FieldSort = "Bool"
)

// Field declares one field that policies may observe (SIGMA-POL §3). Default is the value of a candidate that lacks the
// field: a float64 for Num, a bool for Bool, and nil if nobody has said.
type Field struct {
	Sort    FieldSort
	Default any
}

// UnmarshalJSON reads {"sort": "Num" | "Bool", "default": value} and refuses a default of another sort.
func (f *Field) UnmarshalJSON(raw []byte) error {
	var wire struct {
		Sort    FieldSort `json:"sort"`
		Default any       `json:"default"`
	}
	if err := json.Unmarshal(raw, &wire); err != nil {
		return err
	}
	_, isNum := wire.Default.(float64)
	_, isBool := wire.Default.(bool)
	if !(wire.Sort == NumField && isNum) && !(wire.Sort == BoolField && isBool) {
		return fmt.Errorf("a field declares sort Num or Bool and a default of that sort, not %q and %v", wire.Sort, wire.Default)
	}
	*f = Field(wire)
	return nil
}

// Schema is what a host declares beside the language. The zero value knows the core fields and tiers, and nothing more.
type Schema struct {
	// Fields are the declared extension fields by name. A core field can't be declared anew: the engine refuses to
	// start with such a configuration, and here the core declaration stands.
	Fields map[string]Field

	// TierOrder lists the tiers, lowest first. Nil means fallback, marketplace, partner.
	TierOrder []string

	// Infer admits fields that nobody declared, with the sort of their first use. A trace doesn't carry the
	// declarations, so this is the way to read its policy; a term that then uses a field both ways is still refused.
	Infer bool
}

// coreFields is the vocabulary that every host offers (SIGMA-POL §3). The defaults are cautious: a candidate without a
// price fails a price ceiling.
var coreFields = map[string]Field{
	"price_in":     {NumField, math.Inf(1)},
	"price_out":    {NumField, math.Inf(1)},
	"latency_ms":   {NumField, math.Inf(1)},
	"tok_s":        {NumField, 0.0},
	"success_rate": {NumField, 1.0},
	"credits":      {NumField, 0.0},
	"context":      {NumField, 0.0},
	"has_tee":      {BoolField, false},
	"no_log":       {BoolField, false},
	"breaker_open": {BoolField, false},
	"disabled":     {BoolField, false},
}

func (s Schema) fields() map[string]Field {
	all := maps.Clone(s.Fields)
	if all == nil {
		all = make(map[string]Field)
	}
	maps.Copy(all, coreFields)
	return all
}

// ranks numbers the tiers from 1 up; the last of equal names counts, as in the engine.
func (s Schema) ranks() map[string]int {
	order := s.TierOrder
	if order == nil {
		order = []string{"fallback", "marketplace", "partner"}
	}
	ranks := make(map[string]int, len(order))
	for i, name := range order {
		ranks[name] = i + 1
	}
	return ranks
}
