package sigmapol

import (
	"errors"
	"fmt"
	"maps"
)

// ErrCustomTransform means that a policy changes the request by a transform that only its host knows.
var ErrCustomTransform = errors.New("custom transform")

// Transform returns the request that a policy, or a transform alone, sends to a candidate (SIGMA-POL §5). The request
// itself stays as it is. A filter is not run: the result names it under "_filters", for the host to run.
func Transform(t Term, request map[string]any, candidate Candidate, ctx Context) (map[string]any, error) {
	xform := Normalize(t).slotOf(Xform)
	if xform == nil {
		return nil, fmt.Errorf("transforming takes a term of sort Policy or Xform, not %q", t.Sort())
	}
	e := evaluator{world: t.world, pool: []Candidate{candidate}, ctx: ctx}
	out := maps.Clone(request)
	if out == nil {
		out = make(map[string]any)
	}
	e.transform(xform, out)
	return out, e.err
}

func (e *evaluator) transform(x *node, request map[string]any) {
	switch x.op.name {
	case "seq":
		for _, step := range x.arguments() {
			e.transform(step, request)
		}
	case "when":
		if e.passes(x.term(0), 0) {
			e.transform(x.term(1), request)
		}
	case "set_param":
		if x.args[1] == "from_ctx" { // a value like any other in the term, but the engine takes it for the seed
			e.setSeed(request, x.str(0))
		} else {
			request[x.str(0)] = x.args[1]
		}
	case "inject_seed":
		e.setSeed(request, x.str(0))
	case "clamp_param":
		if v, ok := request[x.str(0)].(float64); ok {
			request[x.str(0)] = clamp(v, x.num(1), x.num(2))
		}
	case "jitter":
		if e.ctx.Seed != nil {
			name := x.str(0)
			old, _ := request[name].(float64)
			shift := float64((float64(newRandom(e.substream("jitter:"+name)).next()*2) - 1) * x.num(1))
			request[name] = old + shift
		}
	case "filter_text":
		e.attach(request, "text", x.args[0])
	case "filter_image":
		e.attach(request, "image", x.args[0])
	case "custom":
		if e.err == nil {
			e.err = fmt.Errorf("%w %q: its host alone knows what it does", ErrCustomTransform, x.str(0))
		}
	}
}

func (e *evaluator) setSeed(request map[string]any, name string) {
	if e.ctx.Seed == nil {
		delete(request, name)
		return
	}
	request[name] = *e.ctx.Seed
}

// substream derives the seed of one parameter's jitter, so that parameters vary independently.
func (e *evaluator) substream(salt string) float64 {
	h := uint64(0)
	for _, c := range []byte(salt) {
		h = (h*31 + uint64(c)) % modulus
	}
	return mod(e.seed() + float64(h))
}

func (e *evaluator) attach(request map[string]any, kind string, recipe any) {
	directive := map[string]any{"recipe": recipe}
	if e.ctx.Seed != nil {
		directive["seed"] = mod(e.seed())
	}
	filters := maps.Clone(table(request["_filters"]))
	if filters == nil {
		filters = make(map[string]any)
	}
	filters[kind] = directive
	request["_filters"] = filters
}
