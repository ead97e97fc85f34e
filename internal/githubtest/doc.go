// Package githubtest is a GitHub for tests: the part of its REST API, of the
// results service and of the blob store that the gate uses, on the loopback
// interface.
//
//	g := githubtest.Start(t)
//	client, err := github.NewClient(github.ClientOptions{API: g.API(), Token: g.Token, Repository: g.Repository})
//
// It is strict where GitHub is strict, so that a client which passes here has
// not merely met a friend: every REST request and reply is held against
// GitHub's own OpenAPI description (a slice of it is checked in), and what the
// description does not say (a completed check run has a conclusion; a column
// needs a single line; the name of an artifact is taken; blocks are committed
// in the order of the list; size and hash are those of the bytes) is checked by
// hand, from GitHub's documentation and from its own clients. What breaks a
// rule gets GitHub's reply, and fails the test when it ends.
//
// A [GitHub] is an [net/http.Handler] and needs no test, so that a workflow
// engine can be run against it.
package githubtest
