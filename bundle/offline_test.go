package bundle

import (
	"bytes"
	"context"
	"errors"
	"net"
	"net/http"
	"os"
	"testing"
)

// roundTrip is an http.RoundTripper.
type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// Replay Bundle v1, section 5.3: offline is hermetic. This package imports neither
// net nor os/exec (package importtable), and nothing that it calls uses a default
// client, transport or resolver. That no socket is opened at all is seen from
// outside, in a network namespace (internal/cli, hermetic.txtar).
func TestNothingDials(t *testing.T) {
	refused := errors.New("nothing may dial")
	transport, resolver := http.DefaultTransport, net.DefaultResolver
	t.Cleanup(func() { http.DefaultTransport, net.DefaultResolver = transport, resolver })
	var asked []string
	http.DefaultTransport = roundTrip(func(r *http.Request) (*http.Response, error) {
		asked = append(asked, r.URL.String())
		return nil, refused
	})
	net.DefaultResolver = &net.Resolver{PreferGo: true, Dial: func(_ context.Context, network, address string) (net.Conn, error) {
		asked = append(asked, network+" "+address)
		return nil, refused
	}}
	b, _ := pinned(t, false, nil)
	a := mustRead(t, b.Bytes())
	if r := mustReplay(t, a); r.Outcome != Holds {
		t.Errorf("%+v", r)
	}
	Check(bytes.NewReader(b.Bytes()), "b", DefaultLimits())
	root, err := os.OpenRoot(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	if _, err := a.Extract(root); err != nil {
		t.Error(err)
	}
	if len(asked) > 0 {
		t.Errorf("asked for %q", asked)
	}
	// The trap catches who steps on it.
	if _, err := http.Get("http://example.invalid/"); !errors.Is(err, refused) || len(asked) != 1 {
		t.Errorf("%v, asked for %q", err, asked)
	}
}
