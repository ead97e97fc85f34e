// Package since says of an input that drifted what changed, which commit did it,
// and whether it still holds at the recorded commit.
//
//	f := since.New(repository, headTree, since.Options{Base: baseCommit})
//	why := f.Why(ctx, since.Question{
//		Evidence: "docs/evals/run.replay.json",
//		Input:    "tokens/swiss.yml",
//		Recorded: "sha256:...",
//		Modes:    since.Canonical,
//		Commit:   "0123...",
//	})
//	if why.Since != nil {
//		fmt.Println(why.Since.Commit, why.Since.Subject)
//	}
//
// # How it finds the answer
//
// The recorded version is found by its hash, never by trust: in the base, at the
// recorded commit, else in the history of the file, renames followed. The
// commit that is named is the one after the newest version which has the
// recorded hash. So a revert that healed a drift hides the drift before it, and
// a drift after the revert is the one that counts.
//
// # What it promises
//
// One walk through history serves every question about an input, and each blob
// is hashed once. Commits and time are bounded ([Options]); what could not be
// determined is a case of its own and never a guess. Everything in the answer is data
// as it was found: escape it where it is shown.
package since
