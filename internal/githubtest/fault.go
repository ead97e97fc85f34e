package githubtest

import (
	"net/http"
	"strings"
	"time"
)

// Fault makes requests go wrong.
type Fault struct {
	Method string // "" is any
	Path   string // how the path begins; "" is any
	Times  int    // how many requests; 0 is one
	// Status is answered, with Header and Body. 0 closes the connection without
	// an answer.
	Status int
	Header map[string]string
	Body   string
	// Late does the work before it goes wrong, as when a proxy's patience ends
	// before the server's answer.
	Late bool
	// Delay comes before the answer, or until the client gives up.
	Delay time.Duration
	// Pass answers as if nothing were wrong, after Delay.
	Pass bool
}

// Fail adds faults. Of several that fit a request the first is taken.
func (g *GitHub) Fail(faults ...Fault) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, f := range faults {
		f.Times = max(f.Times, 1)
		g.faults = append(g.faults, &f)
	}
}

func (g *GitHub) takeFault(method, path string) *Fault {
	for _, f := range g.faults {
		if f.Times > 0 && (f.Method == "" || f.Method == method) && strings.HasPrefix(path, f.Path) {
			f.Times--
			return f
		}
	}
	return nil
}

// before does what comes before the work, and reports whether the work is to be
// done.
func (f *Fault) before(w http.ResponseWriter, r *http.Request) bool {
	if f.Delay > 0 {
		select {
		case <-time.After(f.Delay):
		case <-r.Context().Done():
			return false
		}
	}
	if f.Late || f.Pass {
		return true
	}
	f.answer(w)
	return false
}

func (f *Fault) answer(w http.ResponseWriter) {
	if f.Status == 0 {
		panic(http.ErrAbortHandler) // closes the connection
	}
	for k, v := range f.Header {
		w.Header().Set(k, v)
	}
	w.WriteHeader(f.Status)
	_, _ = w.Write([]byte(f.Body))
}
