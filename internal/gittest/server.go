package gittest

import (
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"os/exec"
	"strings"
	"sync"
)

// Server is git's own http-backend on loopback.
type Server struct {
	// Token is what the password has to be; empty: anybody may read.
	Token string
	// Before may answer a request itself, and then returns true.
	Before func(http.ResponseWriter, *http.Request) bool

	url      string
	backend  http.Handler
	mu       sync.Mutex
	requests []string
}

// Serve serves g until the test ends. Set the fields of the server before the first request.
func Serve(g *Repo) *Server {
	g.T.Helper()
	s := NewServer(g.Dir, g.Env)
	listener := httptest.NewServer(s)
	g.T.Cleanup(listener.Close)
	s.url = listener.URL + "/octo-org/replays"
	return s
}

// NewServer serves the repository in dir as /owner/name, whatever these are, and is a handler
// that nothing listens for yet. env is the environment of git; see [Repo].
func NewServer(dir string, env []string) *Server {
	git, err := exec.LookPath("git")
	if err != nil {
		git = "git" // requests fail
	}
	return &Server{backend: &cgi.Handler{
		Path: git, Args: []string{"http-backend"}, Dir: dir,
		Env: append([]string{"GIT_PROJECT_ROOT=" + dir, "GIT_HTTP_EXPORT_ALL=1"}, env...),
	}}
}

// URL is the address of the repository.
func (s *Server) URL() string { return s.url }

// Requests are the methods and addresses of what was asked for so far.
func (s *Server) Requests() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.requests...)
}

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.requests = append(s.requests, r.Method+" "+r.URL.RequestURI())
	s.mu.Unlock()
	if s.Before != nil && s.Before(w, r) {
		return
	}
	if user, password, ok := r.BasicAuth(); s.Token != "" && (!ok || user != "x-access-token" || password != s.Token) {
		w.Header().Set("WWW-Authenticate", `Basic realm="git"`)
		http.Error(w, "no token, or another one", http.StatusUnauthorized)
		return
	}
	// /owner/name/info/refs, with name as it is or with .git, is /.git/info/refs of the folder.
	part := strings.SplitN(strings.TrimPrefix(r.URL.Path, "/"), "/", 3)
	if len(part) < 3 {
		http.NotFound(w, r)
		return
	}
	inside := r.Clone(r.Context())
	inside.URL.Path, inside.URL.RawPath = "/.git/"+part[2], ""
	s.backend.ServeHTTP(w, inside)
}
