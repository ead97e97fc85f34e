package github

import (
	"errors"
	"strings"
	"testing"

	"github.com/replay-gate/replay-gate/internal/githubtest"
)

func comment(t *testing.T, c *Client, r CommentRequest) CommentResult {
	t.Helper()
	got, err := c.Comment(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// One comment for each gate, updated in place, made only where it is wanted.
func TestComment(t *testing.T) {
	t.Parallel()
	g := githubtest.Start(t)
	c, _ := newClient(t, g)
	if got := comment(t, c, CommentRequest{Number: 5, Key: "k", Body: "intact", OnlyUpdate: true}); got.ID != 0 || len(g.Comments()) != 0 {
		t.Errorf("%+v was made though there was none to update", got)
	}
	first := comment(t, c, CommentRequest{Number: 5, Key: "k", Body: "# drift"})
	if first.ID == 0 || !strings.Contains(first.URL, "#issuecomment-") {
		t.Errorf("%+v", first)
	}
	other := comment(t, c, CommentRequest{Number: 5, Key: "another gate", Body: "b"})
	second := comment(t, c, CommentRequest{Number: 5, Key: "k", Body: "intact again", OnlyUpdate: true})
	if second != first || other.ID == first.ID || len(g.Comments()) != 2 {
		t.Errorf("first %+v, second %+v, other %+v", first, second, other)
	}
	if body := g.Comments()[0].Body; !strings.HasPrefix(body, "<!-- replay-gate:") || !strings.HasSuffix(body, " -->\nintact again") {
		t.Errorf("body %q", body)
	}
	before := len(g.Requests())
	comment(t, c, CommentRequest{Number: 5, Key: "k", Body: "intact again"})
	if n := len(g.Requests()) - before; n != 2 {
		t.Errorf("%d requests for a comment that is up to date, want 2: which there are, and whose", n)
	}
}

// When all is intact again the comment is hidden, and it comes back with the next
// drift; on GitHub Enterprise Server the other API lies beside /api/v3.
func TestCommentIsHiddenAndShownAgain(t *testing.T) {
	t.Parallel()
	for _, prefix := range []string{"", "/api/v3"} {
		g := githubtest.Start(t)
		g.Prefix = prefix
		c, _ := newClient(t, g)
		for i, step := range []CommentRequest{
			{Number: 5, Key: "k", Body: "# drift"},
			{Number: 5, Key: "k", Body: "intact", Hidden: true},
			{Number: 5, Key: "k", Body: "# drift again"},
		} {
			comment(t, c, step)
			if all := g.Comments(); len(all) != 1 || all[0].Hidden != step.Hidden {
				t.Errorf("prefix %q, step %d: %+v", prefix, i, all)
			}
		}
	}
}

// GraphQL refuses with status 200.
func TestCommentThatCannotBeHidden(t *testing.T) {
	t.Parallel()
	g := githubtest.Start(t)
	c, _ := newClient(t, g)
	g.Fail(githubtest.Fault{Path: "/graphql", Status: 200, Body: `{"data":null,"errors":[{"type":"FORBIDDEN","message":"Resource not accessible by integration"}]}`})
	got, err := c.Comment(t.Context(), CommentRequest{Number: 5, Key: "k", Body: "intact", Hidden: true})
	if err == nil || !strings.Contains(err.Error(), "not accessible") || got.ID == 0 {
		t.Errorf("%+v, %v", got, err)
	}
}

// Whoever opened the pull request can copy the mark into a comment of their
// own, and later write into that comment what they like; and so may an app that
// says what it is told to.
func TestCommentOfSomeoneElse(t *testing.T) {
	t.Parallel()
	for _, viewer := range []string{"github-actions[bot]", "ada", "a-gate[bot]"} {
		g := githubtest.Start(t)
		g.Viewer = viewer
		c, _ := newClient(t, g)
		comment(t, c, CommentRequest{Number: 4, Key: "k", Body: "x"})
		copied := g.Comments()[0].Body
		g.AddComment(5, "mallory", copied)
		g.AddComment(5, "another[bot]", copied)
		g.AddComment(5, viewer, "text before\n"+copied)
		first := comment(t, c, CommentRequest{Number: 5, Key: "k", Body: "# drift"})
		g.AddComment(5, "mallory", copied)
		// A personal access token finds its comment as the job's own token does.
		second := comment(t, c, CommentRequest{Number: 5, Key: "k", Body: "# more drift"})
		all := g.Comments()
		if first != second || len(all) != 6 || all[4].ID != first.ID || !strings.HasSuffix(all[4].Body, "# more drift") {
			t.Errorf("%s: first %+v, second %+v of %+v", viewer, first, second, all)
		}
		for _, i := range []int{1, 2, 3, 5} {
			if strings.Contains(all[i].Body, "drift") {
				t.Errorf("%s: somebody else's comment was edited: %+v", viewer, all[i])
			}
		}
	}
}

// Without GitHub's word on who wrote it nothing is edited, and nothing is added.
func TestCommentOfUnknownAuthor(t *testing.T) {
	t.Parallel()
	for answer, want := range map[string]string{
		`{"data":{"nodes":[]}}`: "does not say who",
		`{"data":null}`:         "does not say who",
		`{"data":{"nodes":1}}`:  "not one to the query",
		`{"data":null,"errors":[{"type":"FORBIDDEN","message":"Resource not accessible by personal access token"}]}`: `lacks "pull-requests: write"`,
		`{"data":null,"errors":[{"type":"NOT_FOUND","message":"Could not resolve to a node"}]}`:                      "GitHub says: Could not",
	} {
		g := githubtest.Start(t)
		c, _ := newClient(t, g)
		comment(t, c, CommentRequest{Number: 5, Key: "k", Body: "a"})
		g.Fail(githubtest.Fault{Path: "/graphql", Status: 200, Body: answer})
		_, err := c.Comment(t.Context(), CommentRequest{Number: 5, Key: "k", Body: "b"})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: err = %v", answer, err)
		}
		if all := g.Comments(); len(all) != 1 || !strings.HasSuffix(all[0].Body, "\na") {
			t.Errorf("%s: %+v", answer, all)
		}
	}
}

// A comment that a person hid, or that could not be hidden when it was written,
// is put right though its text is up to date.
func TestCommentIsAsVisibleAsItShouldBe(t *testing.T) {
	t.Parallel()
	g := githubtest.Start(t)
	c, _ := newClient(t, g)
	comment(t, c, CommentRequest{Number: 5, Key: "k", Body: "# drift"})
	g.Fail(githubtest.Fault{Path: "/graphql", Status: 200, Body: `{"data":{"nodes":[{"viewerDidAuthor":true,"isMinimized":false}]}}`},
		githubtest.Fault{Path: "/graphql", Status: 200, Body: `{"data":null,"errors":[{"type":"SERVICE_UNAVAILABLE","message":"later"}]}`})
	if _, err := c.Comment(t.Context(), CommentRequest{Number: 5, Key: "k", Body: "intact", Hidden: true}); err == nil {
		t.Error("no error though the comment could not be hidden")
	}
	comment(t, c, CommentRequest{Number: 5, Key: "k", Body: "intact", Hidden: true})
	if all := g.Comments(); len(all) != 1 || !all[0].Hidden {
		t.Errorf("%+v, want it hidden", all)
	}
}

func TestCommentAmongMany(t *testing.T) {
	t.Parallel()
	g := githubtest.Start(t)
	c, _ := newClient(t, g)
	for range 250 {
		g.AddComment(5, "mona", "hi")
	}
	first := comment(t, c, CommentRequest{Number: 5, Key: "k", Body: "a"})
	if second := comment(t, c, CommentRequest{Number: 5, Key: "k", Body: "b"}); second != first {
		t.Errorf("%+v, then %+v", first, second)
	}
	// Found early, it does not matter how many come after it.
	for range 1000 {
		g.AddComment(5, "mallory", g.Comments()[250].Body)
	}
	if third := comment(t, c, CommentRequest{Number: 5, Key: "k", Body: "c"}); third != first {
		t.Errorf("%+v, then %+v", first, third)
	}
	for range 1000 {
		g.AddComment(6, "mona", "hi")
	}
	if got, err := c.Comment(t.Context(), CommentRequest{Number: 6, Key: "k", Body: "a"}); err == nil {
		t.Errorf("%+v among more comments than are looked at", got)
	}
}

func TestCommentErrors(t *testing.T) {
	t.Parallel()
	g := githubtest.Start(t)
	g.ReadOnly = true
	c, _ := newClient(t, g)
	var p *PermissionError
	if _, err := c.Comment(t.Context(), CommentRequest{Number: 5, Key: "k", Body: "a"}); !errors.As(err, &p) || p.Missing != "pull-requests: write" {
		t.Errorf("err = %v", err)
	}
	for _, r := range []CommentRequest{{Number: 5}, {Body: "a"}, {Number: 5, Body: strings.Repeat("x", MaxComment+1)}} {
		if _, err := c.Comment(t.Context(), r); err == nil {
			t.Errorf("%d, %d bytes: taken", r.Number, len(r.Body))
		}
	}
	g.ReadOnly = false
	comment(t, c, CommentRequest{Number: 5, Key: "k", Body: strings.Repeat("x", MaxComment)})
}
