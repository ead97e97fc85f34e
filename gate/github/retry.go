package github

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const (
	maxAttempts    = 5               // of one request
	attemptTimeout = 2 * time.Minute // of one attempt, reply included
	maxReply       = 32 << 20        // bytes of one reply
	// limitedFor is how long GitHub asks to wait when it limits a client and
	// does not say for how long ("Rate limits for the REST API").
	limitedFor = time.Minute
)

// retrier sends a request again while that can help: when the server or the way
// to it fails, and when it limits the client, for as long as it says. Replies
// come whole, so that an answer that breaks off is a failure like any other.
//
// A request that changes something and may have been carried out, because only
// the answer was lost, is sent once more and no further: two check runs of one
// name are a nuisance, five are a bug.
type retrier struct {
	next  http.RoundTripper
	now   func() time.Time
	sleep func(context.Context, time.Duration) error
	// budget is for all waiting together, for failing attempts and between them.
	budget *Budget
}

func (t *retrier) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Body != nil {
		defer req.Body.Close() // every attempt takes a body of its own
	}
	if t.budget.Left() == 0 {
		return nil, &UnavailableError{Err: errNoPatience}
	}
	lost := 0 // answers that were lost after the request may have been carried out
	for attempt := 1; ; attempt++ {
		began := t.now()
		resp, err := t.attempt(req)
		if ctxErr := req.Context().Err(); ctxErr != nil {
			return nil, ctxErr
		}
		f := t.judge(resp, err)
		if f == nil {
			return resp, nil
		}
		if f.mayBeDone && req.Method != http.MethodGet && req.Method != http.MethodPut {
			lost++
		}
		wait := f.wait
		if wait == 0 {
			wait = time.Second << (attempt - 1)
			wait += time.Duration(rand.Int64N(int64(wait/2) + 1)) // so that parallel jobs part
		}
		t.budget.spend(t.now().Sub(began))
		if f.final || attempt == maxAttempts || lost > 1 || !t.budget.mayWait(wait) {
			return nil, f.error(attempt, t.now())
		}
		if err := t.sleep(req.Context(), wait); err != nil {
			return nil, err
		}
	}
}

// attempt sends the request once and reads the whole reply.
func (t *retrier) attempt(req *http.Request) (*http.Response, error) {
	timeout := min(attemptTimeout, t.budget.Left())
	ctx, cancel := context.WithTimeout(req.Context(), timeout)
	defer cancel()
	once := req.Clone(ctx)
	if req.Body != nil && req.Body != http.NoBody {
		if req.GetBody == nil {
			return nil, errors.New("the request can't be repeated")
		}
		body, err := req.GetBody()
		if err != nil {
			return nil, err
		}
		once.Body = body
	}
	resp, err := t.next.RoundTrip(once)
	var content []byte
	if err == nil {
		defer resp.Body.Close()
		content, err = io.ReadAll(io.LimitReader(resp.Body, maxReply+1))
	}
	if err != nil && ctx.Err() != nil && req.Context().Err() == nil {
		return nil, fmt.Errorf("nothing came within %v", timeout.Round(time.Second))
	}
	if err != nil {
		return nil, err
	}
	if len(content) > maxReply {
		return nil, errReplyTooLarge
	}
	resp.Body = io.NopCloser(bytes.NewReader(content))
	resp.Request = req
	return resp, nil
}

var errReplyTooLarge = fmt.Errorf("the reply is larger than %d MiB", maxReply>>20)

// failure is why an attempt failed, when another may not.
type failure struct {
	status    int
	err       error // without an answer
	mayBeDone bool
	final     bool
	limited   bool
	wait      time.Duration // that the server asked for; 0: did not say
}

// judge returns what went wrong, or nil for a reply that another attempt would
// not change.
func (t *retrier) judge(resp *http.Response, err error) *failure {
	if err != nil {
		var dial *net.OpError
		var cert *tls.CertificateVerificationError
		return &failure{
			err:       err,
			mayBeDone: !errors.As(err, &dial) || dial.Op != "dial",
			final:     errors.As(err, &cert) || errors.Is(err, errReplyTooLarge),
		}
	}
	f := &failure{status: resp.StatusCode, wait: t.asked(resp.Header)}
	switch resp.StatusCode {
	case http.StatusTooManyRequests:
		f.limited = true
	case http.StatusForbidden: // both of GitHub's limits come as 403 too
		f.limited = resp.Header.Get("Retry-After") != "" || resp.Header.Get("X-RateLimit-Remaining") == "0" ||
			mentions(resp, "secondary rate limit")
	case http.StatusInternalServerError, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		f.mayBeDone = true
		return f
	}
	if !f.limited {
		return nil
	}
	if f.wait == 0 {
		f.wait = limitedFor
	}
	return f
}

// asked is how long the server asks to wait: Retry-After, in seconds or as a
// date, else until the limit is reset; 0 when it does not say.
func (t *retrier) asked(h http.Header) time.Duration {
	const most = 24 * time.Hour
	if s := h.Get("Retry-After"); s != "" {
		if n, err := strconv.ParseUint(s, 10, 31); err == nil {
			return min(max(time.Duration(n)*time.Second, time.Second), most)
		}
		if at, err := http.ParseTime(s); err == nil {
			return min(max(at.Sub(t.now()), time.Second), most)
		}
	}
	if h.Get("X-RateLimit-Remaining") == "0" {
		if n, err := strconv.ParseInt(h.Get("X-RateLimit-Reset"), 10, 64); err == nil {
			// A second more, because the time is in whole seconds.
			return min(max(time.Unix(n, 0).Sub(t.now())+time.Second, time.Second), most)
		}
	}
	return 0
}

// mentions looks for words in a reply, and leaves it unread.
func mentions(resp *http.Response, words string) bool {
	content, _ := io.ReadAll(resp.Body) // bytes in memory
	resp.Body = io.NopCloser(bytes.NewReader(content))
	return strings.Contains(strings.ToLower(string(content)), words)
}

func (f *failure) error(attempts int, now time.Time) *UnavailableError {
	e := &UnavailableError{Status: f.status, Attempts: attempts, Err: f.err}
	if f.limited {
		e.Limited, e.Until = true, now.Add(f.wait).UTC()
	}
	return e
}

// sleep waits, or ends with the context.
func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
