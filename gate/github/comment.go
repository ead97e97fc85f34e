package github

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"

	gh "github.com/google/go-github/v60/github"
)

// MaxComment bounds the body of a comment, in bytes; GitHub takes 65,536
// characters, and some are for the mark by which the comment is found.
const MaxComment = 65000

// CommentRequest is the one comment of a gate on a pull request.
type CommentRequest struct {
	Number int // of the pull request
	// Key tells the gates of a repository apart, such as the check's name.
	Key string
	// Body is markdown of at most [MaxComment] bytes.
	Body string
	// Hidden folds the comment away as resolved, as people do with "Hide".
	Hidden bool
	// OnlyUpdate changes the comment when there is one, and makes none.
	OnlyUpdate bool
}

// CommentResult is the comment as it stands; zero when there is none.
type CommentResult struct {
	ID  int64
	URL string
}

const commentPermission = "pull-requests: write"

// maxCommentPages bounds the requests that look for the comment, 100 comments
// each.
const maxCommentPages = 10

// Comment makes the gate's comment on a pull request, or brings it up to date.
// It is recognised by a mark at its start that pages do not show, and by GitHub's
// word that this token's own account wrote it, be that an app or a person: anyone
// can write the mark, and whoever wrote a comment can change what it says later.
func (c *Client) Comment(ctx context.Context, r CommentRequest) (CommentResult, error) {
	const doing = "commenting on the pull request"
	if r.Number <= 0 || len(r.Body) > MaxComment || strings.TrimSpace(r.Body) == "" {
		return CommentResult{}, fmt.Errorf("%s: %d bytes on number %d; the limit is %d", doing, len(r.Body), r.Number, MaxComment)
	}
	mark := fmt.Sprintf("<!-- replay-gate:%x -->\n", sha256.Sum256([]byte(r.Key)))
	body := mark + r.Body
	found, hidden, err := c.findComment(ctx, r.Number, mark)
	if err != nil {
		return CommentResult{}, apiError(doing, commentPermission, err)
	}
	switch {
	case found == nil && r.OnlyUpdate:
		return CommentResult{}, nil
	case found == nil:
		found, _, err = c.api.Issues.CreateComment(ctx, c.owner, c.name, r.Number, &gh.IssueComment{Body: &body})
	case withLF(found.GetBody()) != body:
		found, _, err = c.api.Issues.EditComment(ctx, c.owner, c.name, found.GetID(), &gh.IssueComment{Body: &body})
	}
	if err != nil {
		return CommentResult{}, apiError(doing, commentPermission, err)
	}
	res := CommentResult{ID: found.GetID(), URL: found.GetHTMLURL()}
	if hidden != r.Hidden {
		if err := c.hide(ctx, found.GetNodeID(), r.Hidden); err != nil {
			return res, apiError("hiding the comment, or showing it again", commentPermission, err)
		}
	}
	return res, nil
}

// findComment finds the gate's own comment and whether it is folded away; nil
// when there is none.
func (c *Client) findComment(ctx context.Context, number int, mark string) (found *gh.IssueComment, hidden bool, err error) {
	opts := &gh.IssueListCommentsOptions{ListOptions: gh.ListOptions{PerPage: 100}}
	for opts.Page = 1; opts.Page <= maxCommentPages; opts.Page++ {
		page, _, err := c.api.Issues.ListComments(ctx, c.owner, c.name, number, opts)
		if err != nil {
			return nil, false, err
		}
		last := len(page) < opts.PerPage
		marked := slices.DeleteFunc(page, func(comment *gh.IssueComment) bool {
			return !strings.HasPrefix(withLF(comment.GetBody()), mark)
		})
		if found, hidden, err = c.own(ctx, marked); found != nil || err != nil || last {
			return found, hidden, err
		}
	}
	return nil, false, errors.New("there are too many comments to look for the gate's own")
}

// own is the first of at most 100 comments that this token's account wrote, and
// whether it is folded away; nil when it wrote none.
func (c *Client) own(ctx context.Context, comments []*gh.IssueComment) (found *gh.IssueComment, hidden bool, err error) {
	if len(comments) == 0 {
		return nil, false, nil
	}
	ids := make([]string, len(comments))
	for i, comment := range comments {
		ids[i] = comment.GetNodeID()
	}
	var answer struct {
		Nodes []*struct{ ViewerDidAuthor, IsMinimized bool }
	}
	if err := c.graphql(ctx, commentPermission, authorship, map[string]any{"ids": ids}, &answer); err != nil {
		return nil, false, err
	}
	if len(answer.Nodes) != len(comments) {
		return nil, false, errors.New("GitHub does not say who wrote the comments")
	}
	for i, node := range answer.Nodes {
		if node != nil && node.ViewerDidAuthor {
			return comments[i], node.IsMinimized, nil
		}
	}
	return nil, false, nil
}

// withLF undoes the CRLF that GitHub may give back for LF.
func withLF(s string) string { return strings.ReplaceAll(s, "\r\n", "\n") }

// What REST has no means for: the account behind the token, be it an app's or a
// person's, and hiding a comment.
const (
	authorship = `query($ids: [ID!]!) { nodes(ids: $ids) { ... on IssueComment { viewerDidAuthor isMinimized } } }`
	minimize   = `mutation($id: ID!) { minimizeComment(input: {subjectId: $id, classifier: RESOLVED}) { minimizedComment { isMinimized } } }`
	unminimize = `mutation($id: ID!) { unminimizeComment(input: {subjectId: $id}) { unminimizedComment { isMinimized } } }`
)

// hide folds a comment away, or shows it again.
func (c *Client) hide(ctx context.Context, node string, hidden bool) error {
	query := unminimize
	if hidden {
		query = minimize
	}
	return c.graphql(ctx, commentPermission, query, map[string]any{"id": node}, nil)
}
