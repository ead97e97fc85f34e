// Package importtable holds the project's import table under test: which room may
// import which (DESIGN, section 3), and which library or part of the standard
// library belongs behind which door. An edge that is not in the table fails.
//
// The direction of the arrows is the design. A verifier that can't import the
// network can't use it; a rendering that can't import the gate can't decide.
package importtable
