package github

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

const (
	uploadPack = "git-upload-pack"
	// silence is how long a server may say nothing while it makes or sends a pack.
	// git's own says something every five seconds (uploadpack.keepAlive).
	silence        = time.Minute
	maxPackTries   = 3
	maxRedirects   = 5
	maxAdvertised  = 1000 // lines of what a server can do
	resultType     = "application/x-" + uploadPack + "-result"
	advertisedType = "application/x-" + uploadPack + "-advertisement"
)

// connection sends the two requests of a fetch.
type connection struct {
	token   string
	retrier *retrier
}

func (r Remote) connection() *connection {
	return &connection{r.Token, r.HTTP.retrier()}
}

func (c *connection) request(ctx context.Context, method, address string, body io.Reader) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, method, address, body)
	if err != nil {
		return nil, err
	}
	req.Header.Set("User-Agent", agent)
	req.Header.Set("Git-Protocol", "version=2")
	if c.token != "" {
		req.SetBasicAuth("x-access-token", c.token)
	}
	return req, nil
}

// discover asks what the server can do, and returns the address that the
// repository has now: one that was renamed is found by a redirect.
func (c *connection) discover(ctx context.Context, address string) (string, error) {
	const tail = "/info/refs"
	req, err := c.request(ctx, http.MethodGet, address+tail+"?service="+uploadPack, nil)
	if err != nil {
		return "", err
	}
	client := &http.Client{Transport: c.retrier, CheckRedirect: sameServer}
	resp, err := client.Do(req)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	if err := gitError(resp); err != nil {
		return "", err
	}
	if resp.Header.Get("Content-Type") != advertisedType {
		return "", errNoProtocol
	}
	if err := speaksV2(resp.Body); err != nil {
		return "", err
	}
	final := *resp.Request.URL
	final.RawQuery = ""
	return strings.TrimSuffix(final.String(), tail), nil
}

// sameServer refuses a redirect that the token must not follow.
func sameServer(req *http.Request, via []*http.Request) error {
	first := via[0].URL
	switch {
	case len(via) > maxRedirects:
		return errors.New("too many redirects")
	case req.URL.Scheme != first.Scheme || req.URL.Host != first.Host || !strings.HasSuffix(req.URL.Path, "/info/refs"):
		return errors.New("the server sends us to another one, which is not followed")
	}
	return nil
}

// speaksV2 reads what the server can do.
func speaksV2(reply io.Reader) error {
	lines := &pktReader{r: reply}
	line, mark, err := lines.text()
	if err == nil && strings.HasPrefix(line, "# service=") {
		// Some servers say so in version 2 too, and then a flush.
		if _, mark, err = lines.text(); err == nil && mark == pktFlush {
			line, mark, err = lines.text()
		}
	}
	if err != nil {
		return err
	}
	if mark != pktData || line != "version 2" {
		return errNoProtocol
	}
	for range maxAdvertised {
		line, mark, err := lines.text()
		name, value, _ := strings.Cut(line, "=")
		switch {
		case err != nil:
			return err
		case mark != pktData:
			return nil
		case name == "object-format" && value != "sha1":
			return fmt.Errorf("the server's repository has %s object names; only sha1 can be read", cut(oneLine(value), 100))
		}
	}
	return errNoProtocol
}

// fetch asks for the pack, and once more where nothing of it has come.
func (c *connection) fetch(ctx context.Context, w io.Writer, address string, request []byte) error {
	for try := 1; ; try++ {
		began := c.retrier.now()
		out := &countedWriter{w: w}
		err := c.fetchOnce(ctx, out, address, request)
		var again *again
		if !errors.As(err, &again) {
			return err
		}
		c.retrier.budget.spend(c.retrier.now().Sub(began))
		wait := time.Second << try
		if out.n > 0 || try == maxPackTries || !c.retrier.budget.mayWait(wait) {
			return &UnavailableError{Status: again.status, Attempts: try, Err: again.err}
		}
		if err := c.retrier.sleep(ctx, wait); err != nil {
			return err
		}
	}
}

// again is a failure that another attempt may not have.
type again struct {
	status int
	err    error
}

func (a *again) Error() string { return fmt.Sprint(a.status, " ", a.err) }

// countedWriter knows whether something was written.
type countedWriter struct {
	w io.Writer
	n int64
}

func (c *countedWriter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}

var errSilent = errors.New("the server says nothing any more")

func (c *connection) fetchOnce(ctx context.Context, w io.Writer, address string, request []byte) error {
	patience := min(silence, c.retrier.budget.Left())
	if patience == 0 {
		return &UnavailableError{Err: errNoPatience}
	}
	alive, end := context.WithCancelCause(ctx)
	defer end(nil)
	watch := time.AfterFunc(patience, func() { end(errSilent) })
	defer watch.Stop()

	req, err := c.request(alive, http.MethodPost, address+"/"+uploadPack, bytes.NewReader(request))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/x-"+uploadPack+"-request")
	req.Header.Set("Accept", resultType)
	failed := func(err error) error {
		if cause := context.Cause(alive); cause != nil {
			err = cause
		}
		return &again{0, withoutAddress(err)}
	}
	resp, err := c.retrier.next.RoundTrip(req)
	if err != nil {
		return failed(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode >= 500 || resp.StatusCode == http.StatusTooManyRequests {
		return &again{resp.StatusCode, nil}
	}
	if err := gitError(resp); err != nil {
		return err
	}
	if resp.Header.Get("Content-Type") != resultType {
		return errNoProtocol
	}
	err = readPack(w, &watchedReader{resp.Body, watch, patience})
	var refused *gitRefusal
	var ours *writeError
	if err == nil || errors.Is(err, errNoProtocol) || errors.As(err, &refused) || errors.As(err, &ours) {
		return err
	}
	return failed(err) // the way to the server
}

// watchedReader puts the end off with all that comes.
type watchedReader struct {
	r        io.Reader
	watch    *time.Timer
	patience time.Duration
}

func (r *watchedReader) Read(p []byte) (int, error) {
	n, err := r.r.Read(p)
	if n > 0 {
		r.watch.Reset(r.patience)
	}
	return n, err
}
