// Package valuediff says how two versions of an input differ, by what they mean.
//
// The hash of a structured input is that of its parsed value ("AHD replay, Hash
// contract"), so the difference is one of values too: comments, the order of
// keys and formatting are not in it.
//
//	before, err := canonical.Parse(recorded)
//	...
//	after, err := canonical.Parse(present)
//	...
//	edits, more := valuediff.Diff(before, after, valuediff.Limits{})
//	for _, e := range edits {
//		fmt.Println(e.Op, e.Path, e.Before, e.After)
//	}
//
// For an input that is compared by its bytes, [Unified] gives a short diff of lines.
//
// # What it promises
//
// There are no edits if and only if the canonical JSON of both values is the
// same, which is to say: if and only if their hashes are. The result depends on
// the two values alone and is always in the same order. Memory and time are
// bounded, also for values that aliases make much larger than their source.
//
// Values under keys that look secret (see [LooksSecret]) are not shown. All else
// is shown as it is, only shortened: escape it where it is shown.
package valuediff
