package github

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"
)

var (
	// ErrNoRuntime: the runner gave this step no token for artifacts. It gives
	// one to actions, not to the run: steps of a workflow.
	ErrNoRuntime = errors.New("the runner gave no token for artifacts (ACTIONS_RUNTIME_TOKEN); only actions get one")
	// ErrNoArtifactService: the server has no artifact service of version 4, as
	// GitHub Enterprise Server.
	ErrNoArtifactService = errors.New("this GitHub has no artifact service of version 4")
	// ErrQuota: the owner's storage for artifacts is used up.
	ErrQuota = errors.New("the storage for artifacts is used up")
	// ErrNameTaken: the run has artifacts of this name and of those that were
	// tried instead.
	ErrNameTaken = errors.New("the run has an artifact of this name")
)

// ArtifactRequest is an artifact to upload.
type ArtifactRequest struct {
	// Name of the artifact. If the run has one of this name, "-2" is added, and
	// so on: a re-run and a matrix must not lose what they found.
	Name string
	// Files are what it holds.
	Files []ArtifactFile
	// Raw uploads a single file as it is, instead of a zip that holds it, so
	// that the artifact's digest is the file's sha256. Its name is then the
	// file's.
	Raw bool
	// RetentionDays is how long GitHub keeps it; 0, and more than the
	// repository allows, is what the repository allows.
	RetentionDays int
	HTTP          HTTP
}

// ArtifactFile is a file of an artifact.
type ArtifactFile struct {
	// Name is the path inside the artifact, with "/".
	Name string
	// Open gives the content. It is called twice, once to measure.
	Open func() (io.ReadCloser, error)
}

// Artifact is an uploaded artifact.
type Artifact struct {
	ID   int64
	Name string
	URL  string // its page; people must be logged in to download
	// Digest is "sha256:" and the hash of what GitHub stores: of the zip, or of
	// the single file of a raw artifact.
	Digest string
	Size   int64
	// Expires is when GitHub deletes it; zero when it was not asked for.
	Expires time.Time
}

// UploadArtifact uploads an artifact as the actions of GitHub do. It needs none
// of the permissions of a workflow, so that it also works for pull requests
// from forks.
//
// The signature with which GitHub lets it write is masked on log before
// anything else can log it. Content is read as it is sent, 8 MiB at a time.
//
// The protocol is not documented; it was learned from the client that GitHub
// publishes (npm @actions/artifact), in the form that other implementations of
// the service take as well. Errors tell apart [ErrNoRuntime],
// [ErrNoArtifactService], [ErrQuota], [ErrNameTaken] and [*UnavailableError].
func (a *Actions) UploadArtifact(ctx context.Context, log io.Writer, r ArtifactRequest) (Artifact, error) {
	result, err := a.uploadArtifact(ctx, log, r)
	if err != nil {
		return Artifact{}, fmt.Errorf("uploading the artifact: %w", err)
	}
	return result, nil
}

func (a *Actions) uploadArtifact(ctx context.Context, log io.Writer, r ArtifactRequest) (Artifact, error) {
	content, err := r.content()
	if err != nil {
		return Artifact{}, err
	}
	s, err := a.artifactService(r.HTTP)
	if err != nil {
		return Artifact{}, err
	}
	if r.Raw {
		r.Name = r.Files[0].Name
	}
	c := createArtifact{backend: s.backend, Name: r.Name, Version: 4}
	if r.Raw {
		c.Version, c.MimeType = 7, mimeType(r.Name)
	}
	var expires time.Time
	if days := a.retention(r.RetentionDays); days > 0 {
		expires = s.now().UTC().AddDate(0, 0, days).Truncate(time.Second)
		c.ExpiresAt = expires.Format(time.RFC3339)
	}
	signed, err := s.create(ctx, &c, r.Raw)
	if err != nil {
		return Artifact{}, err
	}
	a.maskSignature(log, signed)

	up := newBlockUpload(ctx, s.http, signed)
	if err := content(up); err != nil {
		return Artifact{}, err
	}
	mime := c.MimeType
	if mime == "" {
		mime = "application/zip"
	}
	if err := up.commit(mime); err != nil {
		return Artifact{}, err
	}
	id, err := s.finalize(ctx, c.Name, up.size, up.digest())
	if err != nil {
		return Artifact{}, err
	}
	return Artifact{
		ID: id, Name: c.Name, URL: a.Links().Artifact(id), Digest: up.digest(), Size: up.size, Expires: expires,
	}, nil
}

// content returns what writes the bytes to upload.
func (r ArtifactRequest) content() (func(io.Writer) error, error) {
	if len(r.Files) == 0 {
		return nil, errors.New("it would be empty")
	}
	seen := make(map[string]bool)
	for _, f := range r.Files {
		if f.Name == "." || !fs.ValidPath(f.Name) || strings.ContainsAny(f.Name, forbidden) || seen[f.Name] {
			return nil, fmt.Errorf("%q is no name for a file in an artifact, or is there twice", cut(f.Name, 100))
		}
		seen[f.Name] = true
	}
	if !r.Raw {
		if r.Name == "" || strings.ContainsAny(r.Name, forbidden+"/") {
			return nil, fmt.Errorf("%q is no name for an artifact", cut(r.Name, 100))
		}
		files := slices.Clone(r.Files)
		slices.SortFunc(files, func(a, b ArtifactFile) int { return strings.Compare(a.Name, b.Name) })
		return func(w io.Writer) error { return writeZip(w, files) }, nil
	}
	if len(r.Files) > 1 || strings.Contains(r.Files[0].Name, "/") {
		return nil, errors.New("a raw artifact is exactly one file, in no folder")
	}
	return func(w io.Writer) error {
		f, err := r.Files[0].Open()
		if err != nil {
			return err
		}
		defer f.Close()
		_, err = io.Copy(w, f)
		return err
	}, nil
}

// forbidden are the characters that GitHub takes in no name, of artifacts and
// of the files in them.
const forbidden = "\":<>|*?\r\n\\"

// mimeType is the type of a raw artifact, of those that GitHub is known to
// take.
func mimeType(name string) string {
	switch path.Ext(name) {
	case ".gz", ".tgz":
		return "application/gzip"
	case ".json":
		return "application/json"
	}
	return "application/octet-stream"
}

// maxNames is how many names are tried for one artifact.
const maxNames = 6

// nthName is the name to try when n-1 others were taken: numbered, and the last
// one random, because the jobs of a large matrix all come for the same numbers. A
// raw artifact keeps its ending, because the file that people download has its
// name.
func nthName(name string, n int, raw bool) string {
	if n == 1 {
		return name
	}
	suffix := strconv.Itoa(n)
	if n == maxNames {
		suffix = strings.ToLower(rand.Text()[:8])
	}
	ending := ""
	if raw {
		ending = path.Ext(name)
		if strings.HasSuffix(name, ".tar.gz") {
			ending = ".tar.gz"
		}
	}
	return strings.TrimSuffix(name, ending) + "-" + suffix + ending
}

// retention clamps days to what the repository allows.
func (a *Actions) retention(days int) int {
	most, err := strconv.Atoi(a.env("GITHUB_RETENTION_DAYS"))
	if err == nil && most > 0 {
		return min(days, most)
	}
	return days
}
