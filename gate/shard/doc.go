// Package shard parts one run of the gate among several machines, and puts what they found
// together again.
//
// A plan says whose evidence is whose. Each machine makes the same plan of the same commit,
// judges its share, and leaves a part: what judging gave, in a file. Whoever has all parts of
// one plan has what one machine would have come to:
//
//	plan := shard.New(subject, items, 4)
//	for _, p := range parts {
//		...
//	}
//	if err := plan.Complete(parts); err != nil {
//		return err // says what is missing, double or foreign
//	}
//
// A part holds no verdict. It holds what was found about each piece of evidence on each side,
// with what was read for it; claims, relations, attribution, causes and the verdict are come
// to where all parts are, by the code that comes to them on one machine. So what is shown
// can't depend on how the work was parted.
//
// The package reads and writes bytes, and opens nothing.
package shard
