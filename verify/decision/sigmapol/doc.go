// Package sigmapol reads, identifies and evaluates policies written in sigma-pol/v2, the term language with which the
// unhardcoded router decides which model answers a request.
//
// A policy is data: nested arrays, an operation name first, then its arguments. A decision trace carries the policy it
// ran, the fingerprint of that policy, the candidates it ranked and rejected, and the path of attempts that followed.
// This package recomputes each of those, so that a trace can be held against the policy it names:
//
//	term, err := sigmapol.Parse(raw, sigmapol.Schema{Infer: true})
//	if err != nil {
//		// *UnknownOperationError: written for a newer engine, nothing can be said.
//		// *AdmissionError: not a sigma-pol/v2 term; errors.Is(err, ErrVersion1) if it is one of the version before.
//	}
//	encoded := sigmapol.Encode(sigmapol.Normalize(term))
//	fmt.Println(sigmapol.Fingerprint(encoded), sigmapol.Identity(encoded))
//
// From the trace alone one can check that the term is in normal form ([Term.IsNormal]), that its fingerprint is the
// recorded one, that each rejection reason is one the filter can give ([PossibleReasons]), that the ranked rows obey the
// policy ([CheckRanking]), and that the attempts follow the fail plan ([Walk]). With a snapshot of the candidates and
// the context ([DecodeSnapshot]), [Decide] recomputes the decision itself.
//
// What it promises:
//
//   - Equal policies have equal bytes, and so equal fingerprint and identity, whatever the order of their parts.
//   - Scores equal those of the reference engine bit for bit: every product is rounded before it is added, so no
//     compiler may fuse the two. Only + - * / and comparisons are used.
//   - Everything is a pure function; nothing is read but the arguments. Hostile terms cost bounded time and memory, and
//     nothing panics.
//
// The language is that of genlayerlabs/unhardcoded-engine (docs/SIGMA-POL.md). Where its text and its engine disagree,
// the engine decides: prices come from the candidate first and the averages second; latency, speed and success rate
// come from the candidate only; min_quality is still a requirement.
package sigmapol
