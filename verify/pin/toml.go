package pin

import (
	"bytes"
	"encoding"
	"fmt"
	"math"

	"github.com/pelletier/go-toml/v2"

	"github.com/replay-gate/replay-gate/verify/canonical"
)

// maxBrackets bounds the nesting of a TOML file. The parser recurses, and a string can
// hide how deep it does, so that all brackets are counted.
const maxBrackets = 50_000

// parseTOML reads TOML 1.0. Dates, times, and numbers that JSON can't show keep their
// spelling.
func parseTOML(data []byte) (v canonical.Value, err error) {
	defer func() { // the input is hostile
		if p := recover(); p != nil {
			v, err = nil, &canonical.CannotJudgeError{Construct: "something that the TOML parser fails on"}
		}
	}()
	if len(data) > canonical.MaxSize {
		return nil, &canonical.CannotJudgeError{Construct: fmt.Sprintf("larger than %d MiB", canonical.MaxSize>>20)}
	}
	if bytes.Count(data, []byte("["))+bytes.Count(data, []byte("{")) > maxBrackets {
		return nil, &canonical.CannotJudgeError{Construct: "too many brackets"}
	}
	var root map[string]any
	if err := toml.Unmarshal(data, &root); err != nil {
		return nil, fmt.Errorf("not valid TOML: %w", err)
	}
	return fromTOML(root)
}

func fromTOML(v any) (canonical.Value, error) {
	switch v := v.(type) {
	case map[string]any:
		o := new(canonical.Object)
		for key, member := range v { // canonical JSON sorts
			if key == "__proto__" { // and leaves this one out
				return nil, &canonical.CannotJudgeError{Construct: "a key __proto__"}
			}
			c, err := fromTOML(member)
			if err != nil {
				return nil, err
			}
			o.Set(key, c)
		}
		return o, nil
	case []any:
		list := make([]canonical.Value, len(v))
		for i, item := range v {
			c, err := fromTOML(item)
			if err != nil {
				return nil, err
			}
			list[i] = c
		}
		return list, nil
	case int64:
		return canonical.ExactInt(v), nil
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return canonical.Spelled(fmt.Sprint(v)), nil
		}
		return v, nil
	case string, bool:
		return v, nil
	case encoding.TextMarshaler:
		text, err := v.MarshalText()
		return canonical.Spelled(text), err
	}
	return nil, &canonical.CannotJudgeError{Construct: fmt.Sprintf("a %T", v)}
}
