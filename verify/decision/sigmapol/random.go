package sigmapol

import (
	"errors"
	"math"
)

const modulus = 2147483647 // of MINSTD; every product below stays under 2^53, so float64 is exact

// random is the generator that the language prescribes: MINSTD, warmed up by four steps (SIGMA-POL §1).
type random struct{ state float64 }

func newRandom(seed float64) *random {
	r := &random{mod(seed)}
	if r.state <= 0 {
		r.state += modulus - 1
	}
	for range 4 {
		r.next()
	}
	return r
}

// next gives a number between 0 and 1.
func (r *random) next() float64 {
	r.state = mod(float64(r.state * 16807))
	return r.state / modulus
}

// mod is the remainder as Lua has it: never negative for a positive modulus.
func mod(v float64) float64 {
	v = math.Mod(v, modulus)
	if v < 0 {
		v += modulus
	}
	return v
}

var errSeed = errors.New("the seed is beyond 2^53: what the engine makes of it depends on the Lua it runs on")

// seed gives the seed of the context, 0 if there is none.
func (e *evaluator) seed() float64 {
	if e.ctx.Seed == nil {
		return 0
	}
	if math.Abs(*e.ctx.Seed) > 1<<53 && e.err == nil {
		e.err = errSeed
	}
	return *e.ctx.Seed
}
