// Package conformance holds docs/conformance.md to the truth: each statement of the five
// documents names tests that are there, or gives a reason.
//
//	go test ./internal/conformance
//
// It is no part of the program.
package conformance
