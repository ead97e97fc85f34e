// Package secrets holds the project's one list of what looks like a secret, and the
// one scanner for it: Assay's rules, the default rules of gitleaks, the forms of
// widely used credentials, and names that say that what follows is secret.
//
//	for _, f := range secrets.Find(data) {
//		fmt.Println(f.Line, f.Rule) // and never what stands there
//	}
//
// A [Masker] learns secrets from whole texts and takes them, and every piece of
// them, out of strings. [Scrub] takes out what Assay would refuse, in JSON without
// breaking it. A [Cache] scans each content once.
//
// # What it promises
//
// Cost is linear in the length of the text, whatever it holds; a scan ends soon
// after its context. For the rules of gitleaks it finds what the library itself finds
// in the same text (internal/interop-gitleaks holds both against each other), but
// for these bounds: a match of unbounded length is looked for within 4 KiB of the
// word that announces it (32 KiB where it may hold blanks, such as a private key) and
// followed up to 1 MiB, and of letters outside of ASCII that fold into it (U+017F,
// U+212A) it knows nothing.
//
// Nothing here reads a file, opens a connection or starts a process.
package secrets
