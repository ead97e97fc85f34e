// Package dvc checks the lock of a DVC pipeline, dvc.lock.
//
// A team that uses DVC (https://dvc.org) describes its experiments as stages in dvc.yaml:
// this command, these inputs, these parameters, these results. Each run writes into
// dvc.lock what it was: the command, the md5 of every input and output, the values of the
// parameters. The lock is committed; the data is not. So the lock is the word that the
// metrics.json beside it came out of this code with these parameters, and it goes stale in
// silence: DVC's own commands look at data that a clean clone does not have.
//
//	tree := verify.NewTree(os.DirFS("repo"))
//	r := dvc.Format{}.Verify(ctx, &verify.Evidence{Path: "dvc.lock", Tree: tree})
//	for _, c := range r.Checks {
//		fmt.Println(c.Status, c.Field, c.Reason)
//	}
//	// FAIL stages.train.deps.src/train.py changed: train and 3 stages after it (…) have
//	// not been run again; metrics.json still shows the old run
//
// dvc.yaml says what is judged, the lock with what. What it promises beyond package verify:
//
//   - Where git holds the content, the verdict is that of "dvc status": the vectors in
//     testdata/dvc are the real tool's, and every difference stands in a table with its
//     reason. Nothing needs data, a cache or the network.
//   - Where git does not hold it, the recorded hashes are followed along the chain, from a
//     stage to the one before it, or to the *.dvc file; beyond that it says that it can't
//     know, and never that all is well.
//   - What a checkout on another system changes, line ends, is no drift.
//   - Nothing is run: no command, no Python file of parameters.
//
// The pieces, from the bottom: value.go, scalar.go and yaml.go are Python's values as
// DVC's readers make them; params.go reads files of parameters; pipeline.go,
// definition.go, foreach.go, vars.go and template.go read dvc.yaml; lock.go reads the
// lock and tracked.go *.dvc files; hash.go, ignore.go and folder.go hash what git holds;
// judge.go and stage.go go through the stages, and subject.go, chain.go, gone.go, cmd.go
// and paramrows.go make the rows.
//
// Comments cite DVC's source by its paths, as of DVC 3.67.1 and dvc-data 3.18.
package dvc
