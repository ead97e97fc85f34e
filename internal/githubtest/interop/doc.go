// Package interop holds this project's artifact client and its [githubtest]
// server against programs of others: GitHub's own client (npm
// @actions/artifact), and the server of the workflow engine act (in the module
// below, which alone depends on it).
//
// They need npm and a network, so a plain go test does not run them: run.sh
// does, and with it .ci/run. What it installs is pinned, by package-lock.json and
// go.sum.
//
// [githubtest]:
// https://pkg.go.dev/github.com/replay-gate/replay-gate/internal/githubtest
package interop
