// Package bundle writes, reads and checks replay bundles: one archive per piece
// of evidence, with everything that its verdict rests on.
//
// A bundle is Replay Bundle v1, a .tar.gz that also the Assay CLI reads:
//
//	manifest.json             what is inside, every digest, where it comes from
//	cassettes/<path>          recorded provider responses
//	files/assay.yaml          the verdict as an Assay suite: one test per field
//	files/evidence/<path>     the evidence
//	files/inputs/<path>       the inputs that it pins
//	files/trace.jsonl         what each of the suite's tests observes
//	outputs/report/<path>     the report that the evidence belongs to
//	outputs/summary.json      the verdict, also as junit.xml, sarif.json, and report.html
//
// Writing is one pure step and one careful one:
//
//	b, err := bundle.Build(bundle.Source{Result: result, Tree: tree, GitSHA: sha, Created: when})
//	...
//	written, err := b.WriteFile(root, ".assay/bundles") // <run_id>.tar.gz
//
// Reading never trusts. [Read] refuses what is not a bundle with a
// *[FormatError] and what is too large with a *[LimitError]; what is readable
// and wrong (a digest that differs, a file that nothing lists) is a finding.
// [Check] says the same as one check per rule:
//
//	a, err := bundle.Read(f, bundle.DefaultLimits())
//	defer a.Close()
//	tree := verify.NewTree(a.FS()) // evidence and inputs at their repository paths
//
// [Replay] comes to the verdict again, from the bundle's own files alone:
//
//	r, err := bundle.Replay(ctx, a, formats, bundle.ReplayOptions{Records: records})
//	// r.Outcome: bundle.Holds, bundle.Differs or bundle.MissingDependency
//
// A bundle is for sharing, so what looks like a secret keeps it from being written
// ([SecretsError]), and cassettes go in scrubbed.
//
// Three promises hold. The same commit and the same evidence give the same
// bytes on any machine: no absolute path, no name of the machine goes in, and no clock
// but for evidence that is not committed. An archive costs the memory that [Limits] allow and not what its headers
// claim. And whatever an archive says, nothing is written outside of the folder
// that a caller opened for it.
package bundle
