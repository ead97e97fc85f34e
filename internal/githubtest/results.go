package githubtest

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

const twirp = "/twirp/github.actions.results.api.v1.ArtifactService/"

// Artifact is an artifact on the server. It has an ID once it is finalized.
type Artifact struct {
	ID       int64
	Name     string
	Version  int
	MimeType string // as the request to create it said
	// ContentType is the type with which the blob was committed.
	ContentType string
	Content     []byte
	ExpiresAt   string

	run, job  string
	upload    string // last part of the blob's address
	blocks    map[string][]byte
	committed bool
}

// Artifacts returns the artifacts on the server, oldest first.
func (g *GitHub) Artifacts() []Artifact {
	g.mu.Lock()
	defer g.mu.Unlock()
	var all []Artifact
	for _, a := range g.artifacts {
		all = append(all, *a)
	}
	return all
}

// RuntimeToken makes a token as the runner gives it to a step, for a run and a
// job of the results service. On GitHub both ids are UUIDs.
func RuntimeToken(run, job string) string {
	part := func(v any) string {
		b, err := json.Marshal(v)
		if err != nil {
			panic(err) // strings and maps of strings always marshal
		}
		return base64.RawURLEncoding.EncodeToString(b)
	}
	return part(map[string]string{"typ": "JWT", "alg": "RS256"}) + "." +
		part(map[string]string{"scp": "Actions.GenericRead:00000000-0000-0000-0000-000000000000 Actions.Results:" + run + ":" + job + " Actions.UploadArtifacts"}) +
		"." + base64.RawURLEncoding.EncodeToString([]byte("signature"))
}

var (
	uuid = regexp.MustCompile(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)
	// types that GitHub is known to take for version 7.
	mimeTypes = []string{"application/zip", "application/gzip", "application/octet-stream", "application/json", "text/plain"}
)

// results answers a call of the results service.
func (g *GitHub) results(r *http.Request, method string, body []byte) reply {
	switch {
	case r.Method != http.MethodPost || !strings.HasPrefix(r.Header.Get("Content-Type"), "application/json"):
		g.problem("results service: %s with content type %q", r.Method, r.Header.Get("Content-Type"))
		return g.twirpError(http.StatusNotFound, "bad_route", "unexpected content type or method")
	case r.Header.Get("Authorization") != "Bearer "+g.RuntimeToken:
		return g.twirpError(http.StatusUnauthorized, "unauthenticated", "authentication failed")
	}
	switch method {
	case "CreateArtifact":
		return g.createArtifact(r, body)
	case "FinalizeArtifact":
		return g.finalizeArtifact(body)
	case "ListArtifacts":
		return g.listArtifacts(body)
	case "GetSignedArtifactURL":
		return g.signedURL(r, body)
	}
	return g.twirpError(http.StatusNotFound, "bad_route", "no handler for "+method)
}

type backendIDs struct {
	Run string `json:"workflow_run_backend_id"`
	Job string `json:"workflow_job_run_backend_id"`
}

// check holds the ids of a request against those in the token.
func (g *GitHub) check(b backendIDs) string {
	if !uuid.MatchString(b.Run) || !uuid.MatchString(b.Job) {
		return "backend ids are not UUIDs"
	}
	if g.RuntimeToken != RuntimeToken(b.Run, b.Job) {
		return "backend ids are not those of the token"
	}
	return ""
}

// strictly decodes a request, unknown members being an error.
func strictly(body []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(body))
	d.DisallowUnknownFields()
	return d.Decode(v)
}

func (g *GitHub) createArtifact(r *http.Request, body []byte) reply {
	var in struct {
		backendIDs
		Name      string `json:"name"`
		ExpiresAt string `json:"expires_at"`
		Version   int    `json:"version"`
		MimeType  string `json:"mime_type"`
	}
	if err := strictly(body, &in); err != nil {
		return g.badCall("CreateArtifact: %v", err)
	}
	if why := g.check(in.backendIDs); why != "" {
		return g.badCall("CreateArtifact: %s", why)
	}
	if _, err := time.Parse(time.RFC3339, in.ExpiresAt); in.ExpiresAt != "" && err != nil {
		return g.badCall("CreateArtifact: expires_at: %v", err)
	}
	switch {
	case in.Name == "" || strings.ContainsAny(in.Name, "\":<>|*?\r\n\\/"):
		return g.badCall("CreateArtifact: name %q", in.Name)
	case in.Version != 4 && in.Version != 7:
		return g.badCall("CreateArtifact: version %d", in.Version)
	case in.Version == 4 && in.MimeType != "":
		// Servers older than version 7 of the protocol do not know the member.
		return g.badCall("CreateArtifact: unknown field mime_type in version 4")
	case in.Version == 7 && !slices.Contains(mimeTypes, in.MimeType):
		return g.twirpError(http.StatusBadRequest, "invalid_argument", "a valid mime_type is required for this artifact version")
	case slices.ContainsFunc(g.artifacts, func(a *Artifact) bool { return a.Name == in.Name }):
		return g.twirpError(http.StatusConflict, "already_exists", "Conflict: an artifact with this name already exists on the workflow run")
	}
	a := &Artifact{
		Name: in.Name, Version: in.Version, MimeType: in.MimeType, ExpiresAt: in.ExpiresAt,
		run: in.Run, job: in.Job, upload: strconv.FormatInt(g.nextID(), 10), blocks: make(map[string][]byte),
	}
	g.artifacts = append(g.artifacts, a)
	return g.twirpReply(map[string]any{"ok": true, "signed_upload_url": g.signed(r, a, "rcw")})
}

func (g *GitHub) finalizeArtifact(body []byte) reply {
	var in struct {
		backendIDs
		Name string          `json:"name"`
		Size json.RawMessage `json:"size"`
		Hash string          `json:"hash"`
	}
	if err := strictly(body, &in); err != nil {
		return g.badCall("FinalizeArtifact: %v", err)
	}
	if why := g.check(in.backendIDs); why != "" {
		return g.badCall("FinalizeArtifact: %s", why)
	}
	i := slices.IndexFunc(g.artifacts, func(a *Artifact) bool { return a.Name == in.Name && a.ID == 0 })
	if i < 0 {
		return g.twirpError(http.StatusNotFound, "not_found", "artifact not found")
	}
	a := g.artifacts[i]
	sum := sha256.Sum256(a.Content)
	switch {
	case !a.committed:
		return g.badCall("FinalizeArtifact: no block list was committed")
	// int64 is a string in protobuf's JSON.
	case string(in.Size) != fmt.Sprintf(`"%d"`, len(a.Content)):
		return g.badCall("FinalizeArtifact: size %s of %d bytes", in.Size, len(a.Content))
	case in.Hash != "sha256:"+hex.EncodeToString(sum[:]):
		return g.badCall("FinalizeArtifact: hash %q is not that of the content", in.Hash)
	}
	a.ID = g.nextID()
	return g.twirpReply(map[string]any{"ok": true, "artifact_id": strconv.FormatInt(a.ID, 10)})
}

// listArtifacts and signedURL are what the official client needs to download.
func (g *GitHub) listArtifacts(body []byte) reply {
	var in struct {
		backendIDs
		NameFilter string `json:"name_filter"`
		IDFilter   string `json:"id_filter"`
	}
	if err := strictly(body, &in); err != nil {
		return g.badCall("ListArtifacts: %v", err)
	}
	found := []map[string]any{}
	for _, a := range g.artifacts {
		if a.ID == 0 || (in.NameFilter != "" && a.Name != in.NameFilter) {
			continue
		}
		sum := sha256.Sum256(a.Content)
		found = append(found, map[string]any{
			"workflow_run_backend_id": a.run, "workflow_job_run_backend_id": a.job, "database_id": strconv.FormatInt(a.ID, 10),
			"name": a.Name, "size": strconv.Itoa(len(a.Content)), "created_at": now(), "digest": "sha256:" + hex.EncodeToString(sum[:]),
		})
	}
	return g.twirpReply(map[string]any{"artifacts": found})
}

func (g *GitHub) signedURL(r *http.Request, body []byte) reply {
	var in struct {
		backendIDs
		Name string `json:"name"`
	}
	if err := strictly(body, &in); err != nil {
		return g.badCall("GetSignedArtifactURL: %v", err)
	}
	i := slices.IndexFunc(g.artifacts, func(a *Artifact) bool { return a.Name == in.Name && a.ID != 0 })
	if i < 0 {
		return g.twirpError(http.StatusNotFound, "not_found", "artifact not found")
	}
	return g.twirpReply(map[string]any{"signed_url": g.signed(r, g.artifacts[i], "r")})
}

// badCall answers 400 and notes which rule was broken.
func (g *GitHub) badCall(format string, args ...any) reply {
	g.problem(format, args...)
	return g.twirpError(http.StatusBadRequest, "invalid_argument", fmt.Sprintf(format, args...))
}

func (g *GitHub) twirpError(status int, code, msg string) reply {
	return reply{status: status, body: map[string]string{"code": code, "msg": msg}}
}

func (g *GitHub) twirpReply(body map[string]any) reply {
	if g.CamelCase {
		for from, to := range map[string]string{"signed_upload_url": "signedUploadUrl", "artifact_id": "artifactId", "signed_url": "signedUrl"} {
			if v, ok := body[from]; ok {
				delete(body, from)
				body[to] = v
			}
		}
	}
	return reply{status: http.StatusOK, body: body}
}
