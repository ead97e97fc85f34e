package githubtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// GitHub is one server with one repository. Set the exported fields before the
// first request.
type GitHub struct {
	Repository   string // owner/name
	Token        string // of the REST API
	Viewer       string // the account behind Token
	RuntimeToken string // of the results service; see [RuntimeToken]
	// Prefix of the REST API: "" as on github.com, or "/api/v3" as on GitHub
	// Enterprise Server.
	Prefix string
	// ReadOnly refuses every REST request that writes with 403, as for a pull
	// request from a fork; Hidden refuses with 404, as GitHub does for what a
	// token may not even know of.
	ReadOnly, Hidden bool
	// CamelCase makes the results service answer in camelCase, as other
	// implementations of it do.
	CamelCase bool

	url      string // set by Start
	schema   *schema
	mu       sync.Mutex
	faults   []*Fault
	requests []Request
	problems []string

	lastID    int64
	checkRuns []*CheckRun
	comments  []*Comment
	artifacts []*Artifact
}

// Request is what the server received.
type Request struct {
	Method string
	Path   string // without prefix and query
	Query  string
	Header http.Header
	Body   []byte
}

// New returns a server that nothing listens for yet.
func New() *GitHub {
	return &GitHub{
		Repository: "octo-org/replays", Token: "ghs_0123456789abcdefghijklmnopqrstuvwxyz", Viewer: "github-actions[bot]",
		RuntimeToken: RuntimeToken("ce7f54c7-61c7-4aae-887f-30da475f5f1a", "ca395085-040a-526b-2ce8-bdc85f692774"),
		schema:       loadSchema(),
	}
}

// Start returns a server that listens until the test ends, which then fails for
// every rule of GitHub that a request broke.
func Start(t testing.TB) *GitHub {
	t.Helper()
	g := New()
	s := httptest.NewServer(g)
	g.url = s.URL
	t.Cleanup(func() {
		s.Close()
		for _, p := range g.Problems() {
			t.Error("githubtest: " + p)
		}
	})
	return g
}

// URL is the server's own address, without a slash at the end: the base of the
// results service.
func (g *GitHub) URL() string { return g.url }

// API is the address of the REST API.
func (g *GitHub) API() string { return g.url + g.Prefix }

// Requests returns what was received so far.
func (g *GitHub) Requests() []Request {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Clone(g.requests)
}

// Problems returns which rules were broken so far, and forgets them.
func (g *GitHub) Problems() []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	p := g.problems
	g.problems = nil
	return p
}

func (g *GitHub) problem(format string, args ...any) {
	g.problems = append(g.problems, fmt.Sprintf(format, args...))
}

// ServeHTTP answers one request.
func (g *GitHub) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client gave up
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	path := r.URL.Path
	graphql := path == strings.TrimSuffix(g.Prefix, "/v3")+"/graphql"
	rest := !graphql && !strings.HasPrefix(path, twirp) && !strings.HasPrefix(path, blobStore)
	if rest {
		var ok bool
		if path, ok = strings.CutPrefix(path, g.Prefix); !ok {
			http.NotFound(w, r)
			return
		}
	}
	g.mu.Lock()
	g.requests = append(g.requests, Request{r.Method, path, r.URL.RawQuery, r.Header.Clone(), body})
	fault := g.takeFault(r.Method, path)
	g.mu.Unlock()
	if fault != nil && !fault.before(w, r) {
		return
	}

	g.mu.Lock()
	var reply reply
	switch {
	case strings.HasPrefix(path, twirp):
		reply = g.results(r, strings.TrimPrefix(path, twirp), body)
	case strings.HasPrefix(path, blobStore):
		reply = g.blob(r, strings.TrimPrefix(path, blobStore), body)
	case graphql:
		reply = g.graphql(r, body)
	default:
		reply = g.rest(r, path, body)
	}
	g.mu.Unlock()
	if fault != nil && fault.Late {
		fault.answer(w)
		return
	}
	reply.write(w)
}

// reply is an answer: JSON, or raw bytes.
type reply struct {
	status int
	header map[string]string
	body   any // []byte is written as it is
}

func (r reply) write(w http.ResponseWriter) {
	for k, v := range r.header {
		w.Header().Set(k, v)
	}
	content := r.bytes()
	if _, raw := r.body.([]byte); !raw && content != nil {
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
	}
	w.WriteHeader(r.status)
	_, _ = w.Write(content) // the client may be gone
}

func (r reply) bytes() []byte {
	switch b := r.body.(type) {
	case nil:
		return nil
	case []byte:
		return b
	}
	content, err := json.Marshal(r.body)
	if err != nil {
		panic(err) // a reply of this package that is no JSON is a bug in it
	}
	return content
}

func (g *GitHub) nextID() int64 {
	g.lastID++
	return 1_000_000 + g.lastID
}

func page[T any](r *http.Request, all []T, limit int) []T {
	q := r.URL.Query()
	size, number := 30, 1
	if n, err := strconv.Atoi(q.Get("per_page")); err == nil && n >= 1 {
		size = min(n, 100)
	}
	if n, err := strconv.Atoi(q.Get("page")); err == nil && n >= 1 {
		number = n
	}
	all = all[:min(len(all), limit)]
	from := min((number-1)*size, len(all))
	return all[from:min(from+size, len(all))]
}

func now() string { return time.Now().UTC().Format(time.RFC3339) }
