package github

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	gh "github.com/google/go-github/v60/github"

	"github.com/replay-gate/replay-gate/internal/githubtest"
)

// clock is a clock that only sleeping moves.
type clock struct {
	mu   sync.Mutex
	now  time.Time
	naps []time.Duration
}

func newClock() *clock { return &clock{now: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)} }

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) Sleep(ctx context.Context, d time.Duration) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.naps = append(c.naps, d)
	c.now = c.now.Add(d)
	return ctx.Err()
}

func newClient(t testing.TB, g *githubtest.GitHub) (*Client, *clock) {
	t.Helper()
	at := newClock()
	c, err := NewClient(ClientOptions{API: g.API(), Token: g.Token, Repository: g.Repository, HTTP: HTTP{Now: at.Now, Sleep: at.Sleep}})
	if err != nil {
		t.Fatal(err)
	}
	return c, at
}

func TestNewClientRefuses(t *testing.T) {
	t.Parallel()
	good := ClientOptions{API: "https://git.example.org/api/v3", Token: "t", Repository: "o/r"}
	if _, err := NewClient(good); err != nil {
		t.Error(err)
	}
	for name, change := range map[string]func(*ClientOptions){
		"no API":             func(o *ClientOptions) { o.API = "" },
		"API with a user":    func(o *ClientOptions) { o.API = "https://u:p@h" },
		"repository a path":  func(o *ClientOptions) { o.Repository = "o/r/../x" },
		"repository a query": func(o *ClientOptions) { o.Repository = "o/r?x" },
		"no token":           func(o *ClientOptions) { o.Token = "" },
	} {
		o := good
		change(&o)
		if _, err := NewClient(o); err == nil {
			t.Errorf("%s: taken", name)
		} else if strings.Contains(err.Error(), "u:p") && name != "API with a user" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// limited is a request that GitHub limits, in the forms it has for it ("Rate
// limits for the REST API": 403 or 429; Retry-After, else the reset, else a
// minute).
func TestLimits(t *testing.T) {
	t.Parallel()
	at := newClock()
	for _, test := range []struct {
		name   string
		fault  githubtest.Fault
		wanted time.Duration
	}{
		{"429 with Retry-After", githubtest.Fault{Status: 429, Header: map[string]string{"Retry-After": "7"}}, 7 * time.Second},
		{"403 with Retry-After as a date", githubtest.Fault{Status: 403, Header: map[string]string{
			"Retry-After": at.now.Add(9 * time.Second).Format(http.TimeFormat)}}, 9 * time.Second},
		{"403 with nothing remaining", githubtest.Fault{Status: 403, Header: map[string]string{
			"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1767323065"}}, 21 * time.Second}, // 03:04:25, and one more
		{"403 that says secondary", githubtest.Fault{Status: 403,
			Body: `{"message":"You have exceeded a secondary rate limit."}`}, time.Minute},
		{"429 that says nothing", githubtest.Fault{Status: 429}, time.Minute},
		{"a reset in the past", githubtest.Fault{Status: 429, Header: map[string]string{
			"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1"}}, time.Second},
		{"503 with Retry-After", githubtest.Fault{Status: 503, Header: map[string]string{"Retry-After": "3"}}, 3 * time.Second},
	} {
		g := githubtest.Start(t)
		g.Fail(test.fault)
		c, at := newClient(t, g)
		if _, err := c.CheckRun(t.Context(), aCheckRun); err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if len(at.naps) != 1 || at.naps[0] != test.wanted {
			t.Errorf("%s: slept %v, want %v", test.name, at.naps, test.wanted)
		}
		if n := len(g.CheckRuns()); n != 1 {
			t.Errorf("%s: %d check runs", test.name, n)
		}
	}
}

// A limit that ends later than patience is not waited for.
func TestLimitBeyondPatience(t *testing.T) {
	t.Parallel()
	g := githubtest.Start(t)
	g.Fail(githubtest.Fault{Status: 403, Times: 9, Header: map[string]string{"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1767326645"}})
	c, at := newClient(t, g)
	_, err := c.CheckRun(t.Context(), aCheckRun)
	var u *UnavailableError
	if !errors.As(err, &u) || !u.Limited || !u.Until.Equal(time.Unix(1767326646, 0)) {
		t.Fatalf("err = %v", err)
	}
	if want := "making the check run: GitHub limits requests (403) until 2026-01-02T04:04:06Z, after 1 attempt"; err.Error() != want {
		t.Errorf("err = %q, want %q", err, want)
	}
	if len(at.naps) != 0 || len(g.Requests()) != 1 {
		t.Errorf("slept %v, sent %d", at.naps, len(g.Requests()))
	}
}

// The library would refuse further requests by the machine's clock, once it saw
// that none remain; waiting is ours.
func TestNothingRemaining(t *testing.T) {
	t.Parallel()
	g := githubtest.Start(t)
	g.Fail(githubtest.Fault{Status: 200, Body: "[]", Header: map[string]string{"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "4102444800"}})
	c, _ := newClient(t, g)
	for range 2 {
		if _, err := comments(t, c); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(g.Requests()); n != 2 {
		t.Errorf("%d requests, want 2", n)
	}
}

// Patience is for all requests of a client together, so that a slow GitHub
// can't hold a job for longer however many requests there are.
func TestPatienceIsShared(t *testing.T) {
	t.Parallel()
	g := githubtest.Start(t)
	g.Fail(githubtest.Fault{Status: 429, Times: 99, Header: map[string]string{"Retry-After": "50"}})
	c, at := newClient(t, g)
	for range 3 {
		if _, err := c.CheckRun(t.Context(), aCheckRun); err == nil {
			t.Fatal("no error")
		}
	}
	var total time.Duration
	for _, d := range at.naps {
		total += d
	}
	if total != 100*time.Second {
		t.Errorf("slept %v in total, want 100s of the 120s", total)
	}
}

// So is the time of attempts in vain: in a network that swallows requests, each
// attempt takes the half minute that dialling may take.
func TestPatienceEndsInASilentNetwork(t *testing.T) {
	t.Parallel()
	at := newClock()
	attempts := 0
	c, err := NewClient(ClientOptions{API: "https://git.example.org", Token: "t", Repository: "o/r", HTTP: HTTP{
		Now: at.Now, Sleep: at.Sleep,
		Transport: roundTripper(func(*http.Request) (*http.Response, error) {
			attempts++
			_ = at.Sleep(t.Context(), 30*time.Second)
			return nil, &net.OpError{Op: "dial", Err: errors.New("i/o timeout")}
		}),
	}})
	if err != nil {
		t.Fatal(err)
	}
	began := at.Now()
	for range 3 {
		var u *UnavailableError
		if _, err := c.CheckRun(t.Context(), aCheckRun); !errors.As(err, &u) {
			t.Fatal(err)
		}
	}
	// Four for the first request, in two minutes; then none.
	if took := at.Now().Sub(began); attempts != 4 || took > 150*time.Second {
		t.Errorf("%d attempts in %v", attempts, took)
	}
}

// A network that takes a request and never answers ends an attempt with what is left of the
// patience, for whoever shares it.
func TestABlackHoleIsWaitedForOnce(t *testing.T) {
	t.Parallel()
	attempts := 0
	http := HTTP{Budget: NewBudget(50 * time.Millisecond), Transport: roundTripper(func(r *http.Request) (*http.Response, error) {
		attempts++
		<-r.Context().Done()
		return nil, r.Context().Err()
	})}
	for range 4 {
		c, err := NewClient(ClientOptions{API: "https://git.example.org", Token: "t", Repository: "o/r", HTTP: http})
		if err != nil {
			t.Fatal(err)
		}
		var u *UnavailableError
		if _, err := c.CheckRun(t.Context(), aCheckRun); !errors.As(err, &u) {
			t.Fatal(err)
		}
	}
	if attempts != 1 || http.Budget.Left() > 0 {
		t.Errorf("%d attempts, %v left", attempts, http.Budget.Left())
	}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// comments stands for any request that only reads.
func comments(t *testing.T, c *Client) ([]*gh.IssueComment, error) {
	t.Helper()
	all, _, err := c.api.Issues.ListComments(t.Context(), c.owner, c.name, 1, nil)
	return all, apiError("listing comments", "pull-requests: read", err)
}

func TestServerErrorsAreRepeated(t *testing.T) {
	t.Parallel()
	g := githubtest.Start(t)
	// The broken connection comes first, because net/http itself repeats a GET
	// on a used one.
	g.Fail(githubtest.Fault{Status: 0}, githubtest.Fault{Status: 502, Times: 2}, githubtest.Fault{Status: 500})
	c, at := newClient(t, g)
	if all, err := comments(t, c); err != nil || len(all) != 0 {
		t.Fatalf("%v, %v", all, err)
	}
	for i, d := range at.naps {
		if low := time.Second << i; d < low || d > low*3/2 {
			t.Errorf("wait %d is %v, want 1 to 1.5 times %v", i, d, low)
		}
	}
	if len(at.naps) != 4 {
		t.Errorf("%d waits, want 4", len(at.naps))
	}

	g.Fail(githubtest.Fault{Status: 503, Times: 99})
	_, err := comments(t, c)
	var u *UnavailableError
	if !errors.As(err, &u) || u.Status != 503 || u.Attempts != 5 || u.Limited {
		t.Errorf("err = %v", err)
	}
}

// A request that may have been carried out is sent once more, no further:
// whether the answer is a gateway's or is lost.
func TestAmbiguousWritesAreSentAtMostTwice(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]githubtest.Fault{
		"gateway times out": {Method: "POST", Status: 504, Late: true, Times: 9},
		"connection breaks": {Method: "POST", Status: 0, Late: true, Times: 9},
	} {
		g := githubtest.Start(t)
		g.Fail(fault)
		c, _ := newClient(t, g)
		_, err := c.CheckRun(t.Context(), aCheckRun)
		var u *UnavailableError
		if !errors.As(err, &u) || u.Attempts != 2 {
			t.Errorf("%s: %v", name, err)
		}
		if n := len(g.CheckRuns()); n != 2 {
			t.Errorf("%s: %d check runs", name, n)
		}
	}
}

// Nothing listens: no request was carried out, so it is tried as often as any.
func TestRefusedConnection(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(http.NotFoundHandler())
	s.Close()
	at := newClock()
	c, err := NewClient(ClientOptions{API: s.URL, Token: "secret-token", Repository: "o/r", HTTP: HTTP{Now: at.Now, Sleep: at.Sleep}})
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.CheckRun(t.Context(), aCheckRun)
	var u *UnavailableError
	if !errors.As(err, &u) || u.Attempts != 5 || u.Err == nil {
		t.Errorf("err = %v", err)
	}
	if strings.Contains(err.Error(), "secret-token") {
		t.Errorf("the error holds the token: %v", err)
	}
}

func TestCancelled(t *testing.T) {
	t.Parallel()
	g := githubtest.Start(t)
	g.Fail(githubtest.Fault{Status: 503, Times: 9})
	ctx, cancel := context.WithCancel(t.Context())
	c, err := NewClient(ClientOptions{API: g.API(), Token: g.Token, Repository: g.Repository, HTTP: HTTP{Sleep: func(context.Context, time.Duration) error {
		cancel()
		return ctx.Err()
	}}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.CheckRun(ctx, aCheckRun); !errors.Is(err, context.Canceled) {
		t.Errorf("err = %v", err)
	}
	if n := len(g.Requests()); n != 1 {
		t.Errorf("%d requests after the end", n)
	}
}

// A server that does not answer holds nobody longer than they want to wait.
func TestSlow(t *testing.T) {
	t.Parallel()
	g := githubtest.Start(t)
	g.Fail(githubtest.Fault{Delay: time.Hour, Pass: true})
	c, _ := newClient(t, g)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := c.CheckRun(ctx, aCheckRun); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("err = %v", err)
	}
}

func TestSleepEndsWithTheContext(t *testing.T) {
	t.Parallel()
	if err := sleep(t.Context(), time.Nanosecond); err != nil {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := sleep(ctx, time.Hour); !errors.Is(err, context.Canceled) {
		t.Errorf("err = %v", err)
	}
}

// The token goes to the API and nowhere a redirect may lead.
func TestTokenStaysWithTheAPI(t *testing.T) {
	t.Parallel()
	var got []string
	elsewhere := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got = append(got, r.Header.Get("Authorization"))
		w.Write([]byte("[]"))
	}))
	defer elsewhere.Close()
	api := httptest.NewServer(http.RedirectHandler(elsewhere.URL, http.StatusTemporaryRedirect))
	defer api.Close()
	c, err := NewClient(ClientOptions{API: api.URL, Token: "secret-token", Repository: "o/r"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := comments(t, c); err != nil {
		t.Fatal(err)
	}
	if len(got) != 1 || got[0] != "" {
		t.Errorf("the other server got %q", got)
	}
}

func TestHostileReplies(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"empty": "", "HTML": "<html>", "null": "null", "array": "[]", "id is text": `{"id":"x"}`, "deep": strings.Repeat("[", 20000),
	} {
		g := githubtest.Start(t)
		g.Fail(githubtest.Fault{Status: 201, Body: body})
		c, _ := newClient(t, g)
		if r, err := c.CheckRun(t.Context(), aCheckRun); err == nil {
			t.Errorf("%s: %+v", name, r)
		}
	}
	g := githubtest.Start(t)
	g.Fail(githubtest.Fault{Status: 422, Body: `{"message":"\u001b[31m::error::x\n` + strings.Repeat("x", 5000) + `"}`})
	c, _ := newClient(t, g)
	_, err := c.CheckRun(t.Context(), aCheckRun)
	if err == nil || len(err.Error()) > 500 || strings.ContainsAny(err.Error(), "\x1b\n") {
		t.Errorf("err = %q", err)
	}
}
