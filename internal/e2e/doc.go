// Package e2e runs the gate as its users do: the action in a real workflow engine
// (nektos/act) on a consumer's pull request, before a GitHub on the loopback
// interface, and the image as a command.
//
// Its tests need a container engine, so they hide behind a build tag, and a
// script prepares what they need:
//
//	make e2e
//
// Everything is asserted from outside: what the engine saw of the step (exit code,
// outputs, step summary, log), what arrived at GitHub and at the engine's artifact
// server, and what the step left on the disk. A request that breaks a rule of GitHub
// fails the test. A test that can't run fails; none of them skips.
package e2e
