package github

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

const (
	aCommit    = "0123456789abcdef0123456789abcdef01234567"
	advertised = "000eversion 2\n000bagent=x0017object-format=sha1\n0000"
)

// answer is what a fake git server says to one of the two requests.
type answer struct {
	status  int
	kind    string // "" is the right one
	body    string
	header  map[string]string
	abandon bool // closes the connection in the midst
}

// gitServer answers the first request as get says, the others with posts, the last one again
// and again.
func gitServer(t *testing.T, get answer, posts ...answer) (Remote, *atomic.Int32) {
	t.Helper()
	var n atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a, kind := get, advertisedType
		if r.Method == http.MethodPost {
			_, _ = io.Copy(io.Discard, r.Body)
			a, kind = posts[min(int(n.Add(1))-1, len(posts)-1)], resultType
		}
		if a.kind != "" {
			kind = a.kind
		}
		w.Header().Set("Content-Type", kind)
		for k, v := range a.header {
			w.Header().Set(k, v)
		}
		if a.status != 0 {
			w.WriteHeader(a.status)
		}
		_, _ = io.WriteString(w, a.body)
		if a.abandon {
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		}
	}))
	t.Cleanup(server.Close)
	return Remote{URL: server.URL + "/o/r", Token: "secret", HTTP: HTTP{Sleep: func(context.Context, time.Duration) error { return nil }}}, &n
}

func pkt(s string) string { return fmt.Sprintf("%04x%s", len(s)+4, s) }

func TestPack(t *testing.T) {
	t.Parallel()
	good := answer{body: pkt("shallow-info\n") + pkt("shallow "+aCommit) + "0001" + pkt("packfile\n") +
		pkt("\x02counting") + pkt("\x01PA") + pkt("\x01") + pkt("\x01CK") + "0000"}
	for _, test := range []struct {
		name  string
		get   answer
		posts []answer
		says  string // "" is success
		sent  int32  // requests for the pack
	}{
		{"good", answer{body: advertised}, []answer{good}, "", 1},
		{"with the name of the service", answer{body: pkt("# service=git-upload-pack\n") + "0000" + advertised}, []answer{good}, "", 1},
		{"a failure first", answer{body: advertised}, []answer{{status: 502}, good}, "", 2},
		{"failures only", answer{body: advertised}, []answer{{status: 503}}, "not available: 503 Service Unavailable, after 3 attempts", 3},
		{"version 0", answer{body: pkt("# service=git-upload-pack\n") + "0000" + pkt(aCommit+" HEAD\x00caps\n") + "0000"}, []answer{good}, "not git's protocol, version 2", 0},
		{"a page", answer{kind: "text/html", body: "<html>Sign in</html>"}, []answer{good}, "not git's protocol", 0},
		{"garbage", answer{body: "<html>"}, []answer{good}, "not git's protocol", 0},
		{"endless abilities", answer{body: pkt("version 2\n") + strings.Repeat(pkt("x"), 2000)}, []answer{good}, "not git's protocol", 0},
		{"sha256", answer{body: pkt("version 2\n") + pkt("object-format=sha256\n") + "0000"}, []answer{good}, "sha256 object names", 0},
		{"no repository", answer{status: 404}, []answer{good}, `the token lacks "contents: read" (404`, 0},
		{"no permission", answer{status: 403}, []answer{good}, `the token lacks "contents: read" (403`, 0},
		{"a bad token", answer{status: 401}, []answer{good}, "does not take the token", 0},
		{"moved to another server", answer{status: 301, header: map[string]string{"Location": "http://example.org/o/r/info/refs"}}, []answer{good}, "another one, which is not followed", 0},
		{"moved for ever", answer{status: 301, header: map[string]string{"Location": "/o/r/info/refs?service=git-upload-pack"}}, []answer{good}, "too many redirects", 0},
		{"moved for the pack", answer{body: advertised}, []answer{{status: 302, header: map[string]string{"Location": "/x"}}}, "refuses: 302", 1},
		{"a page instead of a pack", answer{body: advertised}, []answer{{kind: "text/html", body: "<html>"}}, "not git's protocol", 1},
		{"not there", answer{body: advertised}, []answer{{body: pkt("ERR upload-pack: not our ref " + aCommit)}}, "no such commit", 1},
		{"another error", answer{body: advertised}, []answer{{body: pkt("ERR \x1b[31mno\n::error::x")}}, "refuses: ", 1},
		{"an error in the pack", answer{body: advertised}, []answer{{body: pkt("packfile\n") + pkt("\x03out of memory\n") + "0000"}}, "refuses: out of memory", 1},
		{"an unknown section", answer{body: advertised}, []answer{{body: pkt("surprise\n")}}, "not git's protocol", 1},
		{"an unknown band", answer{body: advertised}, []answer{{body: pkt("packfile\n") + pkt("\x07x")}}, "not git's protocol", 1},
		{"an empty line", answer{body: advertised}, []answer{{body: pkt("packfile\n") + "0004"}}, "not git's protocol", 1},
		{"breaks off before the pack", answer{body: advertised}, []answer{{body: pkt("packfile\n"), abandon: true}, good}, "", 2},
		{"breaks off in the pack", answer{body: advertised}, []answer{{body: pkt("packfile\n") + pkt("\x01PA"), abandon: true}, good}, "no answer from GitHub", 1},
		{"ends in the pack", answer{body: advertised}, []answer{{body: pkt("packfile\n") + pkt("\x01PA")}, good}, "breaks off", 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			r, sent := gitServer(t, test.get, test.posts...)
			var pack bytes.Buffer
			err := r.Pack(t.Context(), &pack, []string{aCommit}, nil, nil)
			if test.says == "" && (err != nil || pack.String() != "PACK") {
				t.Errorf("got %q, %v", &pack, err)
			}
			if test.says != "" && (err == nil || !strings.Contains(err.Error(), test.says)) {
				t.Errorf("got %v, want one that says %q", err, test.says)
			}
			if err != nil && strings.ContainsAny(err.Error(), "\n\x1b") || err != nil && strings.Contains(err.Error(), "secret") {
				t.Errorf("got %q", err)
			}
			if sent.Load() != test.sent {
				t.Errorf("%d requests for the pack, want %d", sent.Load(), test.sent)
			}
		})
	}
}

// A repository that was renamed is found where it is now, on the same server.
func TestPackOfARenamedRepository(t *testing.T) {
	t.Parallel()
	var asked []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		user, password, _ := r.BasicAuth()
		asked = append(asked, r.Method+" "+r.URL.Path+" "+user+" "+password+" "+r.Header.Get("Git-Protocol"))
		switch {
		case strings.HasPrefix(r.URL.Path, "/old/"):
			http.Redirect(w, r, "/new/r/info/refs?"+r.URL.RawQuery, http.StatusMovedPermanently)
		case r.Method == http.MethodGet:
			w.Header().Set("Content-Type", advertisedType)
			_, _ = io.WriteString(w, advertised)
		default:
			w.Header().Set("Content-Type", resultType)
			_, _ = io.WriteString(w, pkt("packfile\n")+"0000")
		}
	}))
	t.Cleanup(server.Close)
	r := Remote{URL: server.URL + "/old/r", Token: "t"}
	if err := r.Pack(t.Context(), io.Discard, []string{aCommit}, nil, nil); err != nil {
		t.Fatal(err)
	}
	who := " x-access-token t version=2"
	want := []string{"GET /old/r/info/refs" + who, "GET /new/r/info/refs" + who, "POST /new/r/git-upload-pack" + who}
	if !slices.Equal(asked, want) {
		t.Errorf("got %q", asked)
	}
}

// An error of whoever takes the pack is not the server's, and nothing is asked again.
func TestPackThatIsNotTaken(t *testing.T) {
	t.Parallel()
	full := errors.New("the disk is full")
	r, sent := gitServer(t, answer{body: advertised}, answer{body: pkt("packfile\n") + pkt("\x01PACK") + "0000"})
	if err := r.Pack(t.Context(), failingWriter{full}, []string{aCommit}, nil, nil); !errors.Is(err, full) || sent.Load() != 1 {
		t.Errorf("got %v, %d requests", err, sent.Load())
	}
	for _, bad := range []Remote{{URL: "file:///etc"}, {URL: "https://user:pass@example.org/o/r"}, {URL: ""}} {
		if err := bad.Pack(t.Context(), io.Discard, []string{aCommit}, nil, nil); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: got %v", bad.URL, err)
		}
	}
	if err := r.Pack(t.Context(), io.Discard, []string{"main\ndone"}, nil, nil); err == nil {
		t.Error("a name was taken for an id")
	}
}

type failingWriter struct{ err error }

func (w failingWriter) Write([]byte) (int, error) { return 0, w.err }

func TestRemoteURL(t *testing.T) {
	t.Parallel()
	for server, want := range map[string]string{
		"https://github.com": "https://github.com/o/r", "https://git.example.org/": "https://git.example.org/o/r", "": "", "ssh://x": "",
	} {
		a, _ := Detect(func(name string) string {
			if name == "GITHUB_SERVER_URL" {
				return server
			}
			return ""
		})
		if got := a.RemoteURL("o/r"); got != want {
			t.Errorf("%q: got %q, want %q", server, got, want)
		}
		if got := a.RemoteURL("../x"); got != "" {
			t.Errorf("got %q", got)
		}
	}
}

func FuzzReadPack(f *testing.F) {
	f.Add([]byte(pkt("shallow-info\n") + pkt("shallow x") + "0001" + pkt("packfile\n") + pkt("\x01PACK") + "0000"))
	f.Add([]byte(pkt("ERR not our ref") + "ffff"))
	f.Add([]byte("0003"))
	f.Fuzz(func(t *testing.T, reply []byte) {
		var pack bytes.Buffer
		err := readPack(&pack, bytes.NewReader(reply))
		if pack.Len() > len(reply) || err != nil && strings.ContainsAny(err.Error(), "\r\n\x1b") {
			t.Fatalf("%d bytes, %q", pack.Len(), err)
		}
		_ = speaksV2(bytes.NewReader(reply))
	})
}
