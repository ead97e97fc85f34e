package github

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	gh "github.com/google/go-github/v60/github"
)

// PermissionError says that the token may not do what was asked.
type PermissionError struct {
	// Missing is the permission that the job needs, as a workflow writes it:
	// "checks: write". It is empty when GitHub does not take the token at all.
	Missing string
	Status  int    // 401, 403, or 404: GitHub hides what a token may not know of
	Message string // GitHub's own words
}

func (e *PermissionError) Error() string {
	switch e.Status {
	case http.StatusUnauthorized:
		return fmt.Sprintf("GitHub does not take the token (%d %s)", e.Status, e.Message)
	case http.StatusNotFound:
		return fmt.Sprintf("it is not there, or the token lacks %q (%d %s)", e.Missing, e.Status, e.Message)
	}
	return fmt.Sprintf("the token lacks %q (%d %s)", e.Missing, e.Status, e.Message)
}

// UnavailableError says that GitHub did not answer, or limits this client, and
// that patience is at an end.
type UnavailableError struct {
	Status   int // of the last answer; 0 when there was none
	Attempts int
	// Limited says that a rate limit was reached; it ends at Until.
	Limited bool
	Until   time.Time
	Err     error // why there was no answer; nil when there was one
}

func (e *UnavailableError) Error() string {
	attempts := "1 attempt"
	if e.Attempts > 1 {
		attempts = fmt.Sprintf("%d attempts", e.Attempts)
	}
	switch {
	case e.Limited:
		return fmt.Sprintf("GitHub limits requests (%d) until %s, after %s", e.Status, e.Until.Format(time.RFC3339), attempts)
	case errors.Is(e.Err, errNoPatience):
		return fmt.Sprintf("GitHub was not asked: %v", e.Err)
	case e.Err != nil:
		return fmt.Sprintf("no answer from GitHub after %s: %v", attempts, e.Err)
	}
	return fmt.Sprintf("GitHub is not available: %d %s, after %s", e.Status, http.StatusText(e.Status), attempts)
}

// Unwrap gives the cause.
func (e *UnavailableError) Unwrap() error { return e.Err }

// apiError makes of an error of the API what callers branch on. permission is
// what the call needs.
func apiError(doing, permission string, err error) error {
	if err == nil {
		return nil
	}
	var answer *gh.ErrorResponse
	if errors.As(err, &answer) && answer.Response != nil {
		status, message := answer.Response.StatusCode, cut(oneLine(answer.Message), 300)
		switch status {
		case http.StatusUnauthorized:
			return fmt.Errorf("%s: %w", doing, &PermissionError{"", status, message})
		case http.StatusForbidden, http.StatusNotFound:
			return fmt.Errorf("%s: %w", doing, &PermissionError{permission, status, message})
		}
		return fmt.Errorf("%s: GitHub refused: %d %s", doing, status, message)
	}
	return fmt.Errorf("%s: %w", doing, withoutAddress(err))
}

// withoutAddress drops the address that net/http puts into its errors: a signed
// one is a secret.
func withoutAddress(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		return u.Err
	}
	return err
}
