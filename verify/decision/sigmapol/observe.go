package sigmapol

import "fmt"

// evaluator evaluates one term over one pool. The first thing that the language leaves undefined stays in err, and
// everything evaluated after it is meaningless.
type evaluator struct {
	world  *world
	pool   []Candidate
	ctx    Context
	needed map[string]bool // of the request; see needs
	err    error
}

func (e *evaluator) fail(format string, args ...any) {
	if e.err == nil {
		e.err = fmt.Errorf(format, args...)
	}
}

// observe gives the value of a field of candidate i: as the candidate, the averages or the host's state have it, else
// the declared default (SIGMA-POL §3).
func (e *evaluator) observe(name string, i int) any {
	if v := e.recorded(name, e.pool[i]); v != nil {
		return v
	}
	field := e.world.fields[name]
	if field.Default == nil {
		e.fail("candidate %d has no %q, and no default was declared for it", i, name)
	}
	return field.Default
}

func (e *evaluator) recorded(name string, c Candidate) any {
	switch name {
	case "price_in", "price_out":
		if v := c[name]; v != nil {
			return v
		}
		return table(e.ctx.state("ema")[c.key()])[name]
	case "credits":
		return e.ctx.state("credits")[c.Provider()]
	case "context":
		return table(c["capabilities"])["context"]
	case "breaker_open":
		return e.ctx.state("breakers")[c.Provider()] == true
	case "disabled":
		return e.ctx.state("disabled")[c.Provider()] != nil
	}
	return c[name]
}

// number observes a field of sort Num. The engine stops with an error on a value of another kind, so nothing can be
// said about such a decision.
func (e *evaluator) number(name string, i int) float64 {
	v, ok := e.observe(name, i).(float64)
	if !ok {
		e.fail("candidate %d: %q is not a number", i, name)
	}
	return v
}

// truthy is truth in Lua: everything but nil and false.
func truthy(v any) bool { return v != nil && v != false }

// same is equality in Lua for plain values; two tables are never the same.
func same(a, b any) bool {
	switch a.(type) {
	case nil, bool, float64, string:
		return a == b
	}
	return false
}
