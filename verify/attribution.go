package verify

// Attribution says who brought a FAIL.
type Attribution string

// The attributions (DESIGN, section 1).
const (
	Introduced  Attribution = "introduced"   // by this change
	PreExisting Attribution = "pre-existing" // on the base already
	Fixed       Attribution = "fixed"        // on the base, and no longer
	Unknown     Attribution = "unknown"      // the base can't be read
)
