package sigmapol

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
)

var (
	relations = []string{"lt", "le", "eq", "ne", "ge", "gt"}
	verbs     = []string{"retry_same", "next_candidate", "next_provider_same_model", "disable_provider", "abort"}
	chainKeys = []string{"provider", "provider_id", "model", "model_family"}
)

// param admits one parameter. It gives the value as the rest of the package wants it, or a message that refuses it.
func (a *admission) param(sort Sort, v any) (value any, message string) {
	switch sort {
	case action:
		return checkAction(v)
	case recipe:
		return checkRecipe(v)
	case chain:
		return checkChain(v)
	case num, count:
		return v, checkNumber(sort, v)
	case scalar:
		return v, checkScalar(v)
	}
	s, isString := v.(string)
	switch sort {
	case rel:
		if !slices.Contains(relations, s) {
			return nil, "expected a relation (lt|le|eq|ne|ge|gt)"
		}
	case numField, boolField:
		if !isString {
			return nil, "expected a field name"
		}
		return s, a.field(sort, s)
	case tier:
		if _, known := a.world.tiers[s]; !isString || !known {
			return nil, fmt.Sprintf("unknown tier '%s'", luaText(v))
		}
	default: // the open namespaces
		if !isString {
			return nil, fmt.Sprintf("expected a string (%s)", sort)
		}
	}
	return v, ""
}

func checkNumber(sort Sort, v any) (message string) {
	n, isNum := v.(float64)
	switch {
	case sort == num && !isNum:
		return "expected a finite number"
	case sort == count && (!isNum || n < 1 || n != math.Trunc(n)):
		return "expected a positive integer (Count >= 1)"
	}
	return ""
}

func checkScalar(v any) (message string) {
	switch v.(type) {
	case float64, string, bool:
		return ""
	}
	return "expected a scalar (number|string|boolean)"
}

func (a *admission) field(sort Sort, name string) (message string) {
	want := NumField
	if sort == boolField {
		want = BoolField
	}
	field, declared := a.world.fields[name]
	switch {
	case !declared && !a.infer:
		return fmt.Sprintf("undeclared field '%s'", name)
	case !declared:
		a.world.fields[name] = Field{Sort: want}
	case field.Sort != want:
		return fmt.Sprintf("field '%s' has sort %s, expected %s", name, field.Sort, want)
	}
	return ""
}

// checkAction admits what a fail plan does: a verb, its typed settings, and further keys that only hosts understand,
// which must be numbers. The engine lets an object pass as backoff_ms; the language says number or list, and so do we.
func checkAction(v any) (any, string) {
	record, ok := asRecord(v)
	if _, isList := v.([]any); !ok && !isList {
		return nil, "Action must be a record"
	}
	for _, key := range []string{"action", "then_action"} {
		verb, present := record[key]
		if s, _ := verb.(string); (present || key == "action") && !slices.Contains(verbs, s) {
			return nil, fmt.Sprintf("Action.%s invalid: %s", key, luaText(verb))
		}
	}
	for _, key := range []string{"attempts", "open_breaker_ms"} {
		if x, present := record[key]; present && !isNumber(x) {
			return nil, fmt.Sprintf("Action.%s must be a number", key)
		}
	}
	if backoff, present := record["backoff_ms"]; present && !isNumber(backoff) {
		list, ok := asList(backoff)
		if !ok {
			return nil, "Action.backoff_ms must be a number or array"
		}
		if !all(list, isNumber) {
			return nil, "Action.backoff_ms entries must be numbers"
		}
	}
	for _, key := range slices.Sorted(maps.Keys(record)) {
		switch key {
		case "action", "then_action", "attempts", "open_breaker_ms", "backoff_ms":
			continue
		}
		if !isNumber(record[key]) {
			return nil, fmt.Sprintf("Action key '%s' must map to a finite number", key)
		}
	}
	return record, ""
}

func checkRecipe(v any) (any, string) {
	steps, ok := asList(v)
	if !ok {
		return nil, "Recipe must be an array"
	}
	for i, step := range steps {
		if _, isString := step.(string); isString {
			continue
		}
		record, ok := asRecord(step)
		if _, isList := step.([]any); !ok && !isList {
			return nil, fmt.Sprintf("Recipe[%d] must be a string or flat record", i+1)
		}
		if !ok || !all(slices.Collect(maps.Values(record)), isNumber) {
			return nil, fmt.Sprintf("Recipe[%d] must map string keys to numbers", i+1)
		}
	}
	return steps, ""
}

// checkChain admits a list of closed records. A key more would let two chains that mean the same differ in identity.
func checkChain(v any) (any, string) {
	entries, ok := asList(v)
	if !ok {
		return nil, "Chain must be an array"
	}
	for i, entry := range entries {
		record, _ := asRecord(entry)
		_, hasProvider := first(record, "provider", "provider_id")
		_, hasModel := first(record, "model", "model_family")
		if !hasProvider || !hasModel {
			return nil, fmt.Sprintf("Chain[%d] must be { provider=, model= }", i+1)
		}
		for _, key := range slices.Sorted(maps.Keys(record)) {
			if !slices.Contains(chainKeys, key) {
				return nil, fmt.Sprintf("Chain[%d]: unknown key '%s'", i+1, key)
			}
			if _, isString := record[key].(string); !isString {
				return nil, fmt.Sprintf("Chain[%d] must be { provider=, model= }", i+1)
			}
		}
	}
	return entries, ""
}

// first returns the string under the first of two keys that is there.
func first(record map[string]any, key, otherwise string) (string, bool) {
	v, present := record[key]
	if !present {
		v = record[otherwise]
	}
	s, ok := v.(string)
	return s, ok
}

// asList and asRecord read a table of Lua: empty, it fits both.
func asList(v any) ([]any, bool) {
	if record, ok := v.(map[string]any); ok && len(record) == 0 {
		return []any{}, true
	}
	list, ok := v.([]any)
	return list, ok
}

func asRecord(v any) (map[string]any, bool) {
	if list, ok := v.([]any); ok && len(list) == 0 {
		return map[string]any{}, true
	}
	record, ok := v.(map[string]any)
	return record, ok
}

// isNumber holds for every JSON number: Parse refuses those beyond the range of float64, so they are all finite.
func isNumber(v any) bool {
	_, ok := v.(float64)
	return ok
}

func all(vs []any, test func(any) bool) bool {
	return !slices.ContainsFunc(vs, func(v any) bool { return !test(v) })
}

// luaText writes a value the way the engine's messages do.
func luaText(v any) string {
	switch v := v.(type) {
	case nil:
		return "nil"
	case string:
		return v
	case bool:
		return strconv.FormatBool(v)
	case float64:
		return strconv.FormatFloat(v, 'g', 14, 64)
	}
	return "table"
}
