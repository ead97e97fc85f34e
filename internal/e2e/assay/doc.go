// Package assay runs Assay's own command line over bundles that the gate wrote:
//
//	make interop-assay
//
// The command (the crate assay-cli) is installed from the crates registry first,
// which takes a quarter of an hour, so these tests hide behind the build tag
// interop_assay. docs/interop.md says what they last saw.
package assay
