package github

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	gh "github.com/google/go-github/v60/github"
)

// ClientOptions say which repository to speak of, and where. API, Token and
// Repository are required.
type ClientOptions struct {
	API        string // address of the REST API; see [Actions.API]
	Token      string // GITHUB_TOKEN
	Repository string // owner/name
	HTTP       HTTP
}

// HTTP says how requests are sent. The zero value is the default.
type HTTP struct {
	// Patience bounds how long all waiting for limits and for failing servers
	// may take together; default [DefaultPatience].
	Patience time.Duration
	// Budget is what Patience is taken from, where several clients share it;
	// default is one of Patience for each client.
	Budget *Budget
	// Transport sends requests; default [http.DefaultTransport].
	Transport http.RoundTripper
	// Now and Sleep are the clock; default the system's.
	Now   func() time.Time
	Sleep func(context.Context, time.Duration) error
}

// Client speaks with GitHub's REST API about one repository. It repeats what is
// worth repeating, within bounds, and its errors say what to do:
// [*PermissionError], [*UnavailableError]. It is safe for use by several
// goroutines.
type Client struct {
	api         *gh.Client
	owner, name string
}

// NewClient returns a client. It sends nothing yet.
func NewClient(o ClientOptions) (*Client, error) {
	base, err := url.Parse(httpURL(o.API) + "/")
	if err != nil || base.Host == "" {
		return nil, fmt.Errorf("%q is no address of an API (GITHUB_API_URL)", cut(o.API, 100))
	}
	if !fullName.MatchString(o.Repository) {
		return nil, fmt.Errorf("%q is no repository (GITHUB_REPOSITORY)", cut(o.Repository, 100))
	}
	if o.Token == "" {
		return nil, errors.New("no token: give the action's input token, which is ${{ github.token }} by default")
	}
	c := &Client{api: gh.NewClient(&http.Client{Transport: &authoriser{base, o.Token, o.HTTP.retrier()}})}
	c.api.BaseURL = base // WithEnterpriseURLs would guess at the path
	c.api.UserAgent = "replay-gate"
	c.owner, c.name, _ = strings.Cut(o.Repository, "/")
	return c, nil
}

func (h HTTP) retrier() *retrier {
	t := &retrier{next: h.Transport, now: h.Now, sleep: h.Sleep, budget: h.Budget}
	if t.next == nil {
		t.next = http.DefaultTransport
	}
	if t.now == nil {
		t.now = time.Now
	}
	if t.sleep == nil {
		t.sleep = sleep
	}
	if t.budget == nil {
		t.budget = NewBudget(h.Patience)
	}
	return t
}

// authoriser adds the token to requests for the API, and to no other: the
// library's own adds it also where a redirect leads elsewhere.
type authoriser struct {
	base  *url.URL
	token string
	next  http.RoundTripper
}

func (a *authoriser) RoundTrip(req *http.Request) (*http.Response, error) {
	req = req.Clone(req.Context())
	req.Header.Del("Authorization")
	if req.URL.Scheme == a.base.Scheme && req.URL.Host == a.base.Host {
		req.Header.Set("Authorization", "Bearer "+a.token)
	}
	resp, err := a.next.RoundTrip(req)
	if err == nil {
		// The library refuses further requests by its own clock once it has
		// seen that a limit is reached; waiting is the retrier's task.
		for _, h := range []string{"X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"} {
			resp.Header.Del(h)
		}
	}
	return resp, err
}
