package sigmapol

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// Bounds of admission. Depth and nodes are part of the language (SIGMA-POL §2); the size is ours.
const (
	MaxDepth = 64      // of terms within terms; the outermost is at depth 1
	MaxNodes = 4096    // operations in one term
	MaxBytes = 1 << 18 // of the JSON that [Parse] accepts
)

// Parse reads one term from JSON and admits it: arities, sorts, parameters, declared fields, known tiers, bounds
// (SIGMA-POL §2). It doesn't normalise. An empty Lua table has no kind, so [] and {} are both read as whichever the
// signature wants.
//
// The error is an [*UnknownOperationError] or an [*AdmissionError].
func Parse(raw []byte, schema Schema) (Term, error) {
	refuse := func(message string) (Term, error) {
		return Term{}, &AdmissionError{Path: "$", Message: message}
	}
	if len(raw) > MaxBytes {
		return refuse(fmt.Sprintf("term exceeds max size %d bytes", MaxBytes))
	}
	// encoding/json would put U+FFFD for what can't be read as text, and so give two documents one identity.
	if !utf8.Valid(raw) || hasLoneSurrogate(raw) {
		return refuse("term is not Unicode text")
	}
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		return refuse(fmt.Sprintf("term is not JSON: %v", err))
	}
	a := admission{world: &world{fields: schema.fields(), tiers: schema.ranks()}, infer: schema.Infer}
	root, err := a.term(v, "$", 1)
	if err != nil {
		return Term{}, err
	}
	return Term{root, a.world}, nil
}

// hasLoneSurrogate finds an escape like \ud800 that isn't half of a pair.
func hasLoneSurrogate(raw []byte) bool {
	for i := 0; i+1 < len(raw); i++ {
		if raw[i] != '\\' {
			continue
		}
		i++ // past the escaped byte, which may itself be a backslash
		if r := escapedRune(raw[i:]); utf16.IsSurrogate(r) {
			if i+5 >= len(raw) || raw[i+5] != '\\' || utf16.DecodeRune(r, escapedRune(raw[i+6:])) == utf8.RuneError {
				return true
			}
			i += 6
		}
	}
	return false
}

// escapedRune reads the start of raw as uXXXX, the rest of a JSON escape; 0 if it is none.
func escapedRune(raw []byte) rune {
	if len(raw) < 5 || raw[0] != 'u' {
		return 0
	}
	n, err := strconv.ParseUint(string(raw[1:5]), 16, 16)
	if err != nil {
		return 0
	}
	return rune(n)
}

type admission struct {
	world *world
	infer bool
	nodes int
}

func (a *admission) term(v any, path string, depth int) (*node, error) {
	if depth > MaxDepth {
		return nil, &AdmissionError{Path: path, Message: fmt.Sprintf("term exceeds max depth %d", MaxDepth)}
	}
	a.nodes++
	if a.nodes > MaxNodes {
		return nil, &AdmissionError{Path: path, Message: fmt.Sprintf("term exceeds max size %d nodes", MaxNodes)}
	}
	name, args, ok := split(v)
	if !ok {
		return nil, &AdmissionError{Path: path, Message: "a term is { op, ... } with a string op"}
	}
	op := signature[name]
	if op == nil {
		return nil, unknown(name, path)
	}
	if op.variadic && len(args) == 0 {
		return nil, &AdmissionError{Path: path, Message: name + " needs at least one argument"}
	}
	if !op.variadic && len(args) != len(op.args) {
		return nil, &AdmissionError{
			Path:    path,
			Message: fmt.Sprintf("%s takes %d argument(s), got %d", name, len(op.args), len(args)),
			cause:   olderPolicy(name, args),
		}
	}

	n := &node{op: op, args: make([]any, len(args))}
	for i, arg := range args {
		want := op.out
		if !op.variadic {
			want = op.args[i]
		}
		at := fmt.Sprintf("%s.%s[%d]", path, name, i+1)
		if !want.isTerm() {
			value, message := a.param(want, arg)
			if message != "" {
				return nil, &AdmissionError{Path: at, Message: message}
			}
			n.args[i] = value
			continue
		}
		sub, err := a.term(arg, at, depth+1)
		if err != nil {
			return nil, err
		}
		if sub.op.out != want {
			return nil, &AdmissionError{Path: at, Message: fmt.Sprintf("expected %s, got %s", want, sub.op.out)}
		}
		n.args[i] = sub
	}
	return n, nil
}

// split takes a term apart into its operation's name and its arguments.
func split(v any) (name string, args []any, ok bool) {
	list, _ := v.([]any)
	if len(list) == 0 {
		return "", nil, false
	}
	name, ok = list[0].(string)
	return name, list[1:], ok
}

func unknown(name, path string) error {
	if slices.Contains(evidenceOps, name) || slices.Contains(removedOps, name) {
		return &AdmissionError{Path: path, Message: fmt.Sprintf("unknown op '%s'", name), cause: ErrVersion1}
	}
	return &UnknownOperationError{Path: path, Operation: name}
}

// olderPolicy gives ErrVersion1 for the arguments of a v1 policy: six slots, the first of them evidence.
func olderPolicy(name string, args []any) error {
	if name == "policy" && len(args) == 6 {
		if first, _, _ := split(args[0]); slices.Contains(evidenceOps, first) {
			return ErrVersion1
		}
	}
	return nil
}
