// Package verify checks recorded evidence against the files it claims to
// belong to.
//
// Evidence is a recorded file that says something about a run: a replay
// sidecar, a fixture, a trace. It pins its inputs by hash. Verification asks,
// field by field, whether what was recorded still holds, and answers with a
// [Check] for every field, whether it holds or not:
//
//	tree := verify.NewTree(os.DirFS("repo"))
//	engine := verify.Engine{Now: now}
//	results := engine.Verify(ctx, tree, []verify.Item{{
//		Path:   "docs/evals/swiss.replay.json",
//		Format: ahd.Format{},
//	}})
//	for _, c := range results[0].Checks {
//		fmt.Println(c.Status, c.Field, c.Reason)
//	}
//
// Three promises hold for every kind of evidence:
//
//   - Verification is a pure function of (evidence, fs.FS). The same code
//     checks the work tree, any commit, the base of a pull request, the inside
//     of a bundle, and a tree behind an API. It opens no socket, runs no
//     program, reads no clock, and prints nothing.
//   - Every check is collected; nothing stops at the first failure. A finding
//     is a value. A file that can't be read is a finding too.
//   - Everything in the tree is hostile. Sizes, depths and counts are bounded,
//     and a panic in a format becomes a finding of that one piece of evidence.
//
// A kind of evidence is a [Format], in a room of its own below this package.
package verify
