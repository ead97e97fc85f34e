// Package gate runs the whole way from a change to a verdict.
//
// A change is a base and a head. The gate finds the evidence that the change
// affects, has it checked on both sides, says of every FAIL who brought it,
// applies the policy, and writes a replay bundle per run:
//
//	report, err := gate.Run(ctx, gate.Options{Root: ".", Base: "origin/main"})
//	if err != nil {
//		return err // could not run; see Error for exit code and next step
//	}
//	os.Exit(report.ExitCode)
//
// The order is fixed and nothing flows back up: change, scope, verification,
// attribution, policy, bundles, report. Rendering is package summary's work, and
// talking to GitHub is package gate/github's.
//
// Three rules keep a gate honest. A base that can't be had is said, never
// guessed: then every FAIL counts as introduced, and everything is in scope. An
// empty base never means that nothing changed. And only what a change brought
// fails it, unless the policy says otherwise: old debt is shown, not charged.
package gate
