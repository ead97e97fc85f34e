package githubtest

import (
	"net/http"
	"strings"
)

// rest answers a request of the REST API.
func (g *GitHub) rest(r *http.Request, path string, body []byte) reply {
	rep := g.authorise(r, path)
	if rep.status == 0 {
		in, err := g.schema.request(r, path, body)
		if err != nil {
			g.problem("%s %s: %v", r.Method, path, err)
			rep = invalid(err.Error())
		} else {
			rep = g.route(r, strings.TrimPrefix(path, "/repos/"+g.Repository), body)
			_, raw := rep.body.([]byte)
			if rep.status < 300 && rep.body != nil && !raw {
				if err := g.schema.response(in, rep.status, rep.bytes()); err != nil {
					g.problem("the reply to %s %s is not GitHub's: %v", r.Method, path, err)
				}
			}
		}
	}
	if rep.header == nil {
		rep.header = make(map[string]string)
	}
	rep.header["X-GitHub-Request-Id"] = "0000:000000:0000000:0000000:00000000"
	rep.header["X-RateLimit-Limit"] = "1000"
	rep.header["X-RateLimit-Remaining"] = "990"
	rep.header["X-RateLimit-Reset"] = "4102444800"
	return rep
}

// authorise answers a request that gets no further.
func (g *GitHub) authorise(r *http.Request, path string) reply {
	switch {
	case r.UserAgent() == "":
		g.problem("%s %s: no User-Agent", r.Method, path)
		return reply{status: http.StatusForbidden, body: []byte("Request forbidden by administrative rules.")}
	case r.Header.Get("Authorization") != "Bearer "+g.Token:
		return failed(http.StatusUnauthorized, "Bad credentials")
	case !strings.HasPrefix(path, "/repos/"+g.Repository+"/"):
		return failed(http.StatusNotFound, "Not Found")
	case r.Method != http.MethodGet && g.Hidden:
		return failed(http.StatusNotFound, "Not Found")
	case r.Method != http.MethodGet && g.ReadOnly:
		return failed(http.StatusForbidden, "Resource not accessible by integration")
	}
	return reply{}
}

func (g *GitHub) route(r *http.Request, path string, body []byte) reply {
	part := strings.Split(strings.Trim(path, "/"), "/")
	switch {
	case len(part) == 1 && part[0] == "check-runs":
		return g.createCheckRun(body)
	case len(part) == 2 && part[0] == "check-runs":
		return g.updateCheckRun(part[1], body)
	case len(part) == 3 && part[0] == "issues" && part[2] == "comments":
		return g.issueComments(r, part[1], body)
	case len(part) == 3 && part[0] == "issues" && part[1] == "comments":
		return g.editComment(r, part[2], body)
	}
	return failed(http.StatusNotFound, "Not Found")
}

// failed is GitHub's form of an error.
func failed(status int, message string) reply {
	return reply{status: status, body: map[string]any{
		"message": message, "documentation_url": "https://docs.github.com/rest", "status": http.StatusText(status),
	}}
}

func invalid(message string) reply {
	return reply{status: http.StatusUnprocessableEntity, body: map[string]any{
		"message": "Invalid request.\n\n" + message, "documentation_url": "https://docs.github.com/rest",
	}}
}
