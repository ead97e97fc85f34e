package github

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
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

// maxCommentPages bounds the requests that look for the comment, 100 comments
// each.
const maxCommentPages = 10

// Comment makes the gate's comment on a pull request, or brings it up to date.
// It is recognised by a mark at its start that pages do not show, and only
// among comments that an app wrote, as github-actions does: anyone can write
// the mark, and whoever wrote a comment can change what it says later.
func (c *Client) Comment(ctx context.Context, r CommentRequest) (CommentResult, error) {
	const doing, permission = "commenting on the pull request", "pull-requests: write"
	if r.Number <= 0 || len(r.Body) > MaxComment || strings.TrimSpace(r.Body) == "" {
		return CommentResult{}, fmt.Errorf("%s: %d bytes on number %d; the limit is %d", doing, len(r.Body), r.Number, MaxComment)
	}
	mark := fmt.Sprintf("<!-- replay-gate:%x -->\n", sha256.Sum256([]byte(r.Key)))
	body := mark + r.Body
	found, err := c.findComment(ctx, r.Number, mark)
	if err != nil {
		return CommentResult{}, apiError(doing, permission, err)
	}
	existed, changed := found != nil, true
	switch {
	case found == nil && r.OnlyUpdate:
		return CommentResult{}, nil
	case found == nil:
		found, _, err = c.api.Issues.CreateComment(ctx, c.owner, c.name, r.Number, &gh.IssueComment{Body: &body})
	case found.GetBody() != body:
		found, _, err = c.api.Issues.EditComment(ctx, c.owner, c.name, found.GetID(), &gh.IssueComment{Body: &body})
	default:
		changed = false
	}
	if err != nil {
		return CommentResult{}, apiError(doing, permission, err)
	}
	res := CommentResult{ID: found.GetID(), URL: found.GetHTMLURL()}
	// A comment that says what it said is as visible as it was made then.
	if changed && (r.Hidden || existed) {
		if err := c.hide(ctx, found.GetNodeID(), r.Hidden); err != nil {
			return res, apiError("hiding the comment, or showing it again", permission, err)
		}
	}
	return res, nil
}

// The mutations of GitHub's GraphQL API; REST has nothing to hide a comment with.
const (
	minimize   = `mutation($id: ID!) { minimizeComment(input: {subjectId: $id, classifier: RESOLVED}) { minimizedComment { isMinimized } } }`
	unminimize = `mutation($id: ID!) { unminimizeComment(input: {subjectId: $id}) { unminimizedComment { isMinimized } } }`
)

// hide folds a comment away, or shows it again. Doing so twice changes nothing.
func (c *Client) hide(ctx context.Context, node string, hidden bool) error {
	query := unminimize
	if hidden {
		query = minimize
	}
	// The one API lies beside the other: /graphql beside /, /api/graphql beside
	// /api/v3 on GitHub Enterprise Server.
	at := *c.api.BaseURL
	at.Path = strings.TrimSuffix(strings.TrimSuffix(at.Path, "/"), "/v3") + "/graphql"
	req, err := c.api.NewRequest(http.MethodPost, at.String(), map[string]any{
		"query": query, "variables": map[string]string{"id": node},
	})
	if err != nil {
		return err
	}
	var answer struct {
		Errors []struct {
			Message string `json:"message"`
		} `json:"errors"`
	}
	if _, err := c.api.Do(ctx, req, &answer); err != nil {
		return err
	}
	if len(answer.Errors) > 0 {
		return errors.New("GitHub says: " + clip(answer.Errors[0].Message))
	}
	return nil
}

func (c *Client) findComment(ctx context.Context, number int, mark string) (*gh.IssueComment, error) {
	opts := &gh.IssueListCommentsOptions{ListOptions: gh.ListOptions{PerPage: 100}}
	for opts.Page = 1; opts.Page <= maxCommentPages; opts.Page++ {
		page, _, err := c.api.Issues.ListComments(ctx, c.owner, c.name, number, opts)
		if err != nil {
			return nil, err
		}
		for _, comment := range page {
			// GitHub may give back CRLF for LF.
			start := strings.Replace(comment.GetBody(), "\r\n", "\n", 1)
			if comment.GetUser().GetType() == "Bot" && strings.HasPrefix(start, mark) {
				return comment, nil
			}
		}
		if len(page) < opts.PerPage {
			return nil, nil
		}
	}
	return nil, errors.New("there are too many comments to look for the gate's own")
}
