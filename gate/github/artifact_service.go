package github

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// artifactService is the results service of one run, as the runner tells of it.
type artifactService struct {
	address string // of the service's methods, with a slash at the end
	token   string
	backend backend
	http    *http.Client
	now     func() time.Time
}

// backend names run and job to the service.
type backend struct {
	Run string `json:"workflow_run_backend_id"`
	Job string `json:"workflow_job_run_backend_id"`
}

type createArtifact struct {
	backend
	Name      string `json:"name"`
	ExpiresAt string `json:"expires_at,omitempty"`
	// Version 4 is the zip that every implementation of the service knows; 7 is
	// new in 2026, has a MimeType, and allows for any content.
	Version  int    `json:"version"`
	MimeType string `json:"mime_type,omitempty"`
}

type finalizeArtifact struct {
	backend
	Name string `json:"name"`
	Size string `json:"size"` // an int64 is a string in protobuf's JSON
	Hash string `json:"hash"`
}

// serviceReply is the union of the replies. Members come in snake_case from
// GitHub and in camelCase from others.
type serviceReply struct {
	OK         bool   `json:"ok"`
	Signed     string `json:"signed_upload_url"`
	SignedC    string `json:"signedUploadUrl"`
	Artifact   string `json:"artifact_id"`
	ArtifactC  string `json:"artifactId"`
	Code       string `json:"code"` // of an error
	ErrMessage string `json:"msg"`
}

func (a *Actions) artifactService(h HTTP) (*artifactService, error) {
	token := a.env("ACTIONS_RUNTIME_TOKEN")
	if token == "" {
		return nil, ErrNoRuntime
	}
	origin, err := url.Parse(a.env("ACTIONS_RESULTS_URL"))
	if err != nil || origin.Host == "" || (origin.Scheme != "https" && origin.Scheme != "http") {
		return nil, fmt.Errorf("%w: the runner gave no ACTIONS_RESULTS_URL", ErrNoArtifactService)
	}
	b, err := backendOf(token)
	if err != nil {
		return nil, err
	}
	client := &http.Client{
		Transport: h.retrier(),
		// The token is for the service alone, and a signed address is final.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	now := h.Now
	if now == nil {
		now = time.Now
	}
	return &artifactService{
		address: origin.Scheme + "://" + origin.Host + "/twirp/github.actions.results.api.v1.ArtifactService/",
		token:   token, backend: b, http: client, now: now,
	}, nil
}

// backendOf reads run and job out of the runtime token, a JWT whose claim scp
// holds "Actions.Results:<run>:<job>" among others. Its signature is the
// service's to check.
func backendOf(token string) (backend, error) {
	parts := strings.Split(token, ".")
	if len(parts) != 3 || len(token) > 64<<10 {
		return backend{}, fmt.Errorf("%w: the runtime token is no JWT", ErrNoArtifactService)
	}
	content, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(parts[1], "="))
	var claims struct {
		Scopes string `json:"scp"`
	}
	if err == nil {
		err = json.Unmarshal(content, &claims)
	}
	if err != nil {
		return backend{}, fmt.Errorf("%w: the runtime token can't be read", ErrNoArtifactService)
	}
	for _, scope := range strings.Fields(claims.Scopes) {
		if ids := strings.Split(scope, ":"); len(ids) == 3 && ids[0] == "Actions.Results" && ids[1] != "" && ids[2] != "" {
			return backend{ids[1], ids[2]}, nil
		}
	}
	return backend{}, fmt.Errorf("%w: the runtime token has no scope Actions.Results", ErrNoArtifactService)
}

// refusal is an error that the service answered with.
type refusal struct {
	status  int
	message string
}

func (e *refusal) Error() string {
	return fmt.Sprintf("the artifact service refused: %d %s", e.status, e.message)
}

// create starts an artifact and returns the signed address for its content. It
// settles on a name and a type that the service takes, and leaves them in c.
func (s *artifactService) create(ctx context.Context, c *createArtifact, raw bool) (string, error) {
	name := c.Name
	for n := 1; n <= maxNames; {
		c.Name = nthName(name, n, raw)
		reply, err := s.call(ctx, "CreateArtifact", c)
		var r *refusal
		switch {
		case errors.As(err, &r) && r.status == http.StatusConflict:
			n++
			continue
		case errors.As(err, &r) && r.status == http.StatusBadRequest && strings.Contains(r.message, "mime_type") && c.MimeType != octets && raw:
			c.MimeType = octets
			continue
		case err != nil:
			return "", err
		}
		signed := reply.Signed
		if signed == "" {
			signed = reply.SignedC
		}
		u, err := url.Parse(signed)
		if err != nil || u.Host == "" || (u.Scheme != "https" && u.Scheme != "http") || u.RawQuery == "" || u.Fragment != "" {
			return "", errors.New("the artifact service gave no address to upload to")
		}
		return signed, nil
	}
	return "", fmt.Errorf("%w: %s, and %d more", ErrNameTaken, name, maxNames-1)
}

const octets = "application/octet-stream"

func (s *artifactService) finalize(ctx context.Context, name string, size int64, digest string) (int64, error) {
	reply, err := s.call(ctx, "FinalizeArtifact", finalizeArtifact{s.backend, name, strconv.FormatInt(size, 10), digest})
	if err != nil {
		return 0, err
	}
	id := reply.Artifact
	if id == "" {
		id = reply.ArtifactC
	}
	n, err := strconv.ParseInt(id, 10, 64)
	if err != nil || n <= 0 {
		return 0, errors.New("the artifact service gave no id")
	}
	return n, nil
}

func (s *artifactService) call(ctx context.Context, method string, request any) (serviceReply, error) {
	body, err := json.Marshal(request)
	if err != nil {
		return serviceReply{}, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.address+method, bytes.NewReader(body))
	if err != nil {
		return serviceReply{}, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	req.Header.Set("Authorization", "Bearer "+s.token)
	req.Header.Set("User-Agent", "replay-gate")
	resp, err := s.http.Do(req)
	if err != nil {
		return serviceReply{}, withoutAddress(err)
	}
	defer resp.Body.Close()
	content, err := io.ReadAll(resp.Body)
	if err != nil {
		return serviceReply{}, err
	}
	var reply serviceReply
	err = json.Unmarshal(content, &reply)
	message := cut(oneLine(reply.ErrMessage), 300)
	switch {
	case strings.Contains(strings.ToLower(message), "insufficient usage"):
		return serviceReply{}, fmt.Errorf("%w: %s", ErrQuota, message)
	case resp.StatusCode == http.StatusNotFound && reply.Code != "not_found":
		return serviceReply{}, fmt.Errorf("%w: its address answers 404", ErrNoArtifactService)
	case resp.StatusCode != http.StatusOK:
		return serviceReply{}, &refusal{resp.StatusCode, message}
	case err != nil || !reply.OK:
		return serviceReply{}, fmt.Errorf("the artifact service's answer to %s is not its own", method)
	}
	return reply, nil
}

// maskSignature masks the secret of a signed address, in each form in which it
// could be logged.
func (a *Actions) maskSignature(log io.Writer, signed string) {
	_, query, _ := strings.Cut(signed, "?")
	for _, pair := range strings.Split(query, "&") {
		name, raw, _ := strings.Cut(pair, "=")
		if !strings.EqualFold(name, "sig") {
			continue
		}
		a.Mask(log, raw)
		if plain, err := url.QueryUnescape(raw); err == nil && plain != raw {
			a.Mask(log, plain)
			if again := url.QueryEscape(plain); again != raw {
				a.Mask(log, again)
			}
		}
	}
}
