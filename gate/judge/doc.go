// Package judge says what holds: of all evidence of a change's head and of its bases,
// field by field, who brought what no longer does.
//
// It judges whole trees, and guesses at nothing. Every piece of evidence of the head is
// judged, and every piece of each base, with the same code; what a change affects is what
// differs between the two:
//
//	j := judge.Judge(ctx, judge.Question{
//		Head:  judge.Side{Tree: head},
//		Bases: []judge.Base{{Side: judge.Side{Tree: base}, Differs: delta.Differs}},
//		Kinds: kinds, Now: now,
//	})
//	for _, e := range j.Evidence {
//		for _, row := range e.Rows {
//			fmt.Println(e.Path, row.Status, row.Field, row.Attribution)
//		}
//	}
//
// A base costs little where nothing differs: the engine records what each judgement read,
// and where a base gives the same to each of these reads, the verdict on the head is the
// verdict there. That is no estimate. A record without gaps is all it rests on.
//
// On top of the two judgements stand the relations between them, each one rule for all
// kinds: what was recorded stays as it was recorded, evidence does not vanish, recorded
// paths lead where they led, and the newest word on something describes the present.
//
// The package knows trees and no repository, opens nothing, and reads no clock. So a rule
// is tested on maps, in milliseconds.
package judge
