package githubtest

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Comment is a comment on a pull request.
type Comment struct {
	ID     int64
	Number int    // of the pull request
	Author string // of the API: [GitHub.Viewer]
	Body   string
	Hidden bool // folded away
}

// Comments returns the comments on the server, oldest first.
func (g *GitHub) Comments() []Comment {
	g.mu.Lock()
	defer g.mu.Unlock()
	var all []Comment
	for _, c := range g.comments {
		all = append(all, *c)
	}
	return all
}

// AddComment adds a comment that someone else wrote.
func (g *GitHub) AddComment(number int, author, body string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.comments = append(g.comments, &Comment{ID: g.nextID(), Number: number, Author: author, Body: body})
}

func (g *GitHub) issueComments(r *http.Request, number string, body []byte) reply {
	n, err := strconv.Atoi(number)
	if err != nil {
		return failed(http.StatusNotFound, "Not Found")
	}
	if r.Method == http.MethodGet {
		found := []map[string]any{}
		var on []*Comment
		for _, c := range g.comments {
			if c.Number == n {
				on = append(on, c)
			}
		}
		for _, c := range page(r, on, len(on)) {
			found = append(found, g.showComment(c))
		}
		return reply{status: http.StatusOK, body: found}
	}
	c := &Comment{Number: n, Author: g.Viewer}
	if rep := g.setBody(c, body); rep.status != 0 {
		return rep
	}
	c.ID = g.nextID()
	g.comments = append(g.comments, c)
	return reply{status: http.StatusCreated, body: g.showComment(c)}
}

func (g *GitHub) editComment(r *http.Request, id string, body []byte) reply {
	i := slices.IndexFunc(g.comments, func(c *Comment) bool { return strconv.FormatInt(c.ID, 10) == id })
	if i < 0 {
		return failed(http.StatusNotFound, "Not Found")
	}
	if r.Method == http.MethodDelete {
		g.comments = slices.Delete(g.comments, i, i+1)
		return reply{status: http.StatusNoContent}
	}
	if rep := g.setBody(g.comments[i], body); rep.status != 0 {
		return rep
	}
	return reply{status: http.StatusOK, body: g.showComment(g.comments[i])}
}

func (g *GitHub) setBody(c *Comment, body []byte) reply {
	var in struct {
		Body string `json:"body"`
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return g.refuse("comment: %v", err)
	}
	if n := utf8.RuneCountInString(in.Body); n == 0 || n > 65536 {
		return g.refuse("comment of %d characters", n)
	}
	c.Body = in.Body
	return reply{}
}

func (g *GitHub) showComment(c *Comment) map[string]any {
	kind := "User"
	if len(c.Author) > 5 && c.Author[len(c.Author)-5:] == "[bot]" {
		kind = "Bot"
	}
	on := "https://github.com/" + g.Repository + "/pull/" + strconv.Itoa(c.Number)
	address := on + "#issuecomment-" + strconv.FormatInt(c.ID, 10)
	user := map[string]any{"login": c.Author, "id": 41898282, "node_id": "U_1", "gravatar_id": "", "type": kind, "site_admin": false}
	for _, k := range []string{
		"avatar_url", "url", "html_url", "followers_url", "following_url", "gists_url", "starred_url", "subscriptions_url",
		"organizations_url", "repos_url", "events_url", "received_events_url",
	} {
		user[k] = "https://github.com/x"
	}
	return map[string]any{
		"id": c.ID, "node_id": nodeID(c), "url": address, "html_url": address, "issue_url": on, "user": user, "body": c.Body,
		"created_at": now(), "updated_at": now(),
	}
}

func nodeID(c *Comment) string { return "IC_" + strconv.FormatInt(c.ID, 10) }

// graphql answers the query for who wrote comments, and the two mutations that
// hide a comment and show it again, as the published GraphQL schema has them. An
// error is an answer with status 200.
func (g *GitHub) graphql(r *http.Request, body []byte) reply {
	var in struct {
		Query     string
		Variables struct {
			ID  string
			IDs []string
		}
	}
	if err := json.Unmarshal(body, &in); r.Method != http.MethodPost || err != nil {
		return g.refuse("graphql: %s, %v", r.Method, err)
	}
	if r.Header.Get("Authorization") != "Bearer "+g.Token {
		return failed(http.StatusUnauthorized, "Bad credentials")
	}
	data := func(v any) reply {
		return reply{status: http.StatusOK, body: map[string]any{"data": v}}
	}
	wrong := func(kind, message string) reply {
		return reply{status: http.StatusOK, body: map[string]any{"data": nil, "errors": []map[string]any{{"type": kind, "message": message}}}}
	}
	find := func(id string) int {
		return slices.IndexFunc(g.comments, func(c *Comment) bool { return nodeID(c) == id })
	}
	if in.Query == "query($ids: [ID!]!) { nodes(ids: $ids) { ... on IssueComment { viewerDidAuthor isMinimized } } }" {
		if n := len(in.Variables.IDs); n == 0 || n > 100 {
			return g.refuse("graphql: %d ids", n)
		}
		nodes := []any{}
		for _, id := range in.Variables.IDs {
			i := find(id)
			if i < 0 {
				return wrong("NOT_FOUND", "Could not resolve to a node with the global id of '"+id+"'.")
			}
			nodes = append(nodes, map[string]any{"viewerDidAuthor": g.comments[i].Author == g.Viewer, "isMinimized": g.comments[i].Hidden})
		}
		return data(map[string]any{"nodes": nodes})
	}
	hide := strings.Contains(in.Query, " minimizeComment(input: {subjectId: $id, classifier: RESOLVED})")
	if !hide && !strings.Contains(in.Query, " unminimizeComment(input: {subjectId: $id})") {
		return g.refuse("graphql: unknown query %q", in.Query)
	}
	i := find(in.Variables.ID)
	switch {
	case i < 0:
		return wrong("NOT_FOUND", "Could not resolve to a node with the global id of '"+in.Variables.ID+"'.")
	case g.ReadOnly:
		return wrong("FORBIDDEN", "Resource not accessible by integration")
	}
	g.comments[i].Hidden = hide
	return data(map[string]any{})
}
