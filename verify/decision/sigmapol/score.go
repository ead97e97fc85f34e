package sigmapol

import "math"

// score gives one number for each candidate of the pool (SIGMA-POL §5). The order of the additions is that of the
// normal form, and each product is converted to float64 before it is used, which forbids fusing it with an addition:
// both are needed to get the engine's bits.
func (e *evaluator) score(s *node) []float64 {
	switch s.op.name {
	case "add":
		sum := make([]float64, len(e.pool))
		for _, arg := range s.args {
			for i, v := range e.score(arg.(*node)) {
				sum[i] += v
			}
		}
		return sum
	case "scale":
		w := s.num(0)
		return apply(e.score(s.term(1)), func(v float64) float64 { return float64(w * v) })
	case "neg":
		return apply(e.score(s.term(0)), func(v float64) float64 { return 1 - v })
	case "clamp":
		lo, hi := s.num(0), s.num(1)
		return apply(e.score(s.term(2)), func(v float64) float64 { return clamp(v, lo, hi) })
	case "normalize":
		return stretch(e.score(s.term(0)))
	case "gate":
		vs := e.score(s.term(1))
		for i := range vs {
			if !e.passes(s.term(0), i) {
				vs[i] = 0
			}
		}
		return vs
	}
	vs := make([]float64, len(e.pool))
	for i := range vs {
		switch s.op.name {
		case "field":
			vs[i] = e.number(s.str(0), i)
		case "lit":
			vs[i] = s.num(0)
		}
	}
	return vs
}

func apply(vs []float64, f func(float64) float64) []float64 {
	for i, v := range vs {
		vs[i] = f(v)
	}
	return vs
}

// clamp tests the lower bound first, which decides when the bounds are the wrong way round.
func clamp(v, lo, hi float64) float64 {
	switch {
	case v < lo:
		return lo
	case v > hi:
		return hi
	}
	return v
}

// stretch maps the scores to 0..1, the ends exactly, so that an infinite score never makes another one NaN. A flat
// population is all zeros.
func stretch(vs []float64) []float64 {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, v := range vs {
		if v < lo {
			lo = v
		}
		if v > hi {
			hi = v
		}
	}
	return apply(vs, func(v float64) float64 {
		switch {
		case hi <= lo:
			return 0
		case v >= hi:
			return 1
		case v <= lo:
			return 0
		}
		d := (v - lo) / (hi - lo)
		if math.IsNaN(d) {
			return 0
		}
		return d
	})
}
