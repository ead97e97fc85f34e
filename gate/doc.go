// Package gate runs the whole way from a change to a verdict.
//
// A change is a base and a head. All evidence of both is judged with the same code, what
// differs is attributed and explained, the policy decides, and every checked run gets a
// bundle from which anyone can replay the verdict:
//
//	report, err := gate.Run(ctx, gate.Options{Root: ".", Base: "origin/main", Clock: now})
//	if err != nil {
//		return err // could not run; see Error for exit code and next step
//	}
//	os.Exit(report.ExitCode)
//
// Run reads like the picture of it: change, judge, explain, decide, scrub, bundle, render,
// publish. Each stage is a function with typed input and output, and nothing flows back:
// what decides does not render, and what renders does not decide.
//
// Several machines share the work where one is too slow: [Plan] says how, [Shard] judges one
// share, and Run with Options.Merge comes to the same report from the parts of all.
//
// A gate is honest when it can't be green by accident. Intact means that everything was
// judged and holds: unreadable is not absent, a base that can't be had acquits nobody, and
// which evidence a change affects is what differs between two judgements, never a guess
// that decides what is looked at.
package gate
