package github

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/replay-gate/replay-gate/internal/githubtest"
)

func inMemory(name, content string) ArtifactFile {
	return ArtifactFile{Name: name, Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(content)), nil }}
}

// step is a runner whose artifacts go to g, and a request that waits without
// waiting.
func step(g *githubtest.GitHub, env ...string) (*Actions, ArtifactRequest) {
	at := newClock()
	env = append([]string{
		"ACTIONS_RESULTS_URL", g.URL() + "/some/path", "ACTIONS_RUNTIME_TOKEN", g.RuntimeToken,
		"GITHUB_SERVER_URL", "https://github.com", "GITHUB_REPOSITORY", g.Repository, "GITHUB_RUN_ID", "7",
	}, env...)
	return runnerWith(env...), ArtifactRequest{
		Name: "replay-bundles-gate-1", HTTP: HTTP{Now: at.Now, Sleep: at.Sleep},
		Files: []ArtifactFile{inMemory("report.json", "{}\n"), inMemory("bundles/a.tar.gz", "not really")},
	}
}

func TestUploadArtifact(t *testing.T) {
	t.Parallel()
	for _, camel := range []bool{false, true} {
		g := githubtest.Start(t)
		g.CamelCase = camel
		a, r := step(g)
		got, err := a.UploadArtifact(t.Context(), io.Discard, r)
		if err != nil {
			t.Fatal(err)
		}
		stored := g.Artifacts()[0]
		sum := sha256.Sum256(stored.Content)
		want := Artifact{
			ID: stored.ID, Name: "replay-bundles-gate-1", Size: int64(len(stored.Content)), Digest: "sha256:" + hex.EncodeToString(sum[:]),
			URL: fmt.Sprintf("https://github.com/octo-org/replays/actions/runs/7/artifacts/%d", stored.ID),
		}
		if got != want || stored.ContentType != "application/zip" {
			t.Errorf("got %+v, want %+v, stored as %s", got, want, stored.ContentType)
		}
		z, err := zip.NewReader(bytes.NewReader(stored.Content), want.Size)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, f := range z.File {
			names = append(names, f.Name)
			if f.Method != zip.Store || f.Flags&0x8 != 0 {
				t.Errorf("%s: method %d, flags %x; want it stored, with its size before it", f.Name, f.Method, f.Flags)
			}
		}
		if content, _ := z.Open("report.json"); fmt.Sprint(names) != "[bundles/a.tar.gz report.json]" || content == nil {
			t.Errorf("entries %v", names)
		} else if b, _ := io.ReadAll(content); string(b) != "{}\n" {
			t.Errorf("report.json is %q", b)
		}
	}
}

// The same files in any order give the same bytes, so that the digest is
// theirs.
func TestArtifactIsDeterministic(t *testing.T) {
	t.Parallel()
	var digests []string
	for _, names := range [][]string{{"a", "b", "é"}, {"é", "b", "a"}} {
		g := githubtest.Start(t)
		a, r := step(g)
		r.Files = nil
		for _, n := range names {
			r.Files = append(r.Files, inMemory(n, "content of "+n))
		}
		got, err := a.UploadArtifact(t.Context(), io.Discard, r)
		if err != nil {
			t.Fatal(err)
		}
		digests = append(digests, got.Digest)
		z, err := zip.NewReader(bytes.NewReader(g.Artifacts()[0].Content), got.Size)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range z.File {
			if year := f.Modified.Year(); year != 1980 || f.Mode() != 0o644 || f.NonUTF8 {
				t.Errorf("%s: of %d, mode %v, not UTF-8: %v", f.Name, year, f.Mode(), f.NonUTF8)
			}
		}
	}
	if digests[0] != digests[1] {
		t.Error(digests)
	}
}

// The requests are those of @actions/artifact 6.2.1, recorded with one file of
// 141 bytes, but for two things: zips go as version 4 without mime_type, as
// that client sent them until 2026, because other implementations know nothing
// else; and block ids count up.
func TestArtifactTrace(t *testing.T) {
	t.Parallel()
	const ids = `"workflow_run_backend_id":"ce7f54c7-61c7-4aae-887f-30da475f5f1a","workflow_job_run_backend_id":"ca395085-040a-526b-2ce8-bdc85f692774"`
	const service = "POST /twirp/github.actions.results.api.v1.ArtifactService/"
	trace := func(raw bool) string {
		g := githubtest.Start(t)
		a, r := step(g, "GITHUB_RETENTION_DAYS", "90")
		r.RetentionDays, r.Raw = 5, raw
		r.Files = []ArtifactFile{inMemory("small.tar.gz", strings.Repeat("x", 141))}
		if _, err := a.UploadArtifact(t.Context(), io.Discard, r); err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		for _, req := range g.Requests() {
			path := regexp.MustCompile(`/blobs/[0-9]+`).ReplaceAllString(req.Path, "<url>")
			fmt.Fprintf(&b, "%s %s", req.Method, path)
			if req.Query != "" {
				_, own, _ := strings.Cut(req.Query, githubtest.Signature)
				fmt.Fprint(&b, own)
			}
			fmt.Fprintln(&b)
			for _, h := range []string{"Content-Type", "X-Ms-Version", "X-Ms-Blob-Content-Type"} {
				if v := req.Header.Get(h); v != "" {
					fmt.Fprintf(&b, "  %s: %s\n", strings.ToLower(h), v)
				}
			}
			if len(req.Body) > 0 && !strings.Contains(req.Query, "comp=block&") {
				body := regexp.MustCompile(`sha256:[0-9a-f]{64}`).ReplaceAllString(string(req.Body), "sha256:<hex>")
				fmt.Fprintf(&b, "  %s\n", body)
			}
		}
		return b.String()
	}
	want := func(name, mime, more, size string) string {
		return service + "CreateArtifact\n  content-type: application/json\n" +
			`  {` + ids + `,"name":"` + name + `","expires_at":"2026-01-07T03:04:05Z",` + more + "}\n" +
			"PUT <url>&comp=block&blockid=MDAwMDAwMDAw\n  content-type: application/octet-stream\n  x-ms-version: 2026-04-06\n" +
			"PUT <url>&comp=blocklist\n  content-type: application/xml; charset=UTF-8\n  x-ms-version: 2026-04-06\n  x-ms-blob-content-type: " + mime + "\n" +
			`  <?xml version="1.0" encoding="UTF-8" standalone="yes"?><BlockList><Latest>MDAwMDAwMDAw</Latest></BlockList>` + "\n" +
			service + "FinalizeArtifact\n  content-type: application/json\n" +
			`  {` + ids + `,"name":"` + name + `","size":"` + size + `","hash":"sha256:<hex>"}` + "\n"
	}
	// 141 bytes, a local header of 30 and a central one of 46 with 12 bytes of
	// name each, and an end of 22
	if got, want := trace(false), want("replay-bundles-gate-1", "application/zip", `"version":4`, "263"); got != want {
		t.Errorf("zip: got\n%s\nwant\n%s", got, want)
	}
	if got, want := trace(true), want("small.tar.gz", "application/gzip", `"version":7,"mime_type":"application/gzip"`, "141"); got != want {
		t.Errorf("raw: got\n%s\nwant\n%s", got, want)
	}
}

// zeros is an endless file of nothing.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// Content goes in blocks of 8 MiB, one after the other; a raw artifact's digest
// is the file's own.
func TestArtifactBlocks(t *testing.T) {
	t.Parallel()
	const size = 20 << 20
	g := githubtest.Start(t)
	g.Fail(githubtest.Fault{Method: "PUT", Status: 503, Times: 2}, githubtest.Fault{Method: "PUT", Status: 0, Late: true})
	a, r := step(g)
	r.Raw = true
	r.Files = []ArtifactFile{{Name: "big.tar.gz", Open: func() (io.ReadCloser, error) {
		return io.NopCloser(io.LimitReader(zeros{}, size)), nil
	}}}
	got, err := a.UploadArtifact(t.Context(), io.Discard, r)
	if err != nil {
		t.Fatal(err)
	}
	// head -c 20971520 /dev/zero | sha256sum
	const want = "sha256:cd52d81e25f372e6fa4db2c0dfceb59862c1969cab17096da352b34950c973cc"
	if got.Digest != want || got.Size != size || got.Name != "big.tar.gz" {
		t.Errorf("%+v", got)
	}
	var lengths []int
	for _, req := range g.Requests() {
		if strings.Contains(req.Query, "comp=block&") {
			lengths = append(lengths, len(req.Body))
		}
	}
	if fmt.Sprint(lengths) != fmt.Sprint([]int{8 << 20, 8 << 20, 8 << 20, 8 << 20, 8 << 20, 4 << 20}) {
		t.Errorf("blocks of %v: the first must be sent four times", lengths)
	}
}

func TestArtifactEmptyFile(t *testing.T) {
	t.Parallel()
	g := githubtest.Start(t)
	a, r := step(g)
	r.Raw, r.Files = true, []ArtifactFile{inMemory("empty", "")}
	got, err := a.UploadArtifact(t.Context(), io.Discard, r)
	// sha256sum < /dev/null
	if err != nil || got.Size != 0 || got.Digest != "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" {
		t.Errorf("%+v, %v", got, err)
	}
}

// A name that is taken gets a number, before the ending where people see the
// name as a file's.
func TestArtifactNameTaken(t *testing.T) {
	t.Parallel()
	g := githubtest.Start(t)
	a, r := step(g)
	var names []string
	for range 5 {
		got, err := a.UploadArtifact(t.Context(), io.Discard, r)
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, got.Name)
	}
	if want := "[replay-bundles-gate-1 replay-bundles-gate-1-2 replay-bundles-gate-1-3 replay-bundles-gate-1-4 replay-bundles-gate-1-5]"; fmt.Sprint(names) != want {
		t.Errorf("names %v", names)
	}
	// GitHub allows for a matrix of 256 jobs, which all have one key.
	seen := make(map[string]bool)
	for range 20 {
		got, err := a.UploadArtifact(t.Context(), io.Discard, r)
		if err != nil || seen[got.Name] || !strings.HasPrefix(got.Name, "replay-bundles-gate-1-") {
			t.Fatalf("%+v, %v", got, err)
		}
		seen[got.Name] = true
	}
	g.Fail(githubtest.Fault{Path: "/twirp/", Status: 409, Body: `{"code":"already_exists","msg":"Conflict"}`, Times: 6})
	if _, err := a.UploadArtifact(t.Context(), io.Discard, r); !errors.Is(err, ErrNameTaken) {
		t.Errorf("every name taken: %v", err)
	}
	for name, want := range map[string]string{"a.b.tar.gz": "a.b-2.tar.gz", "a.json": "a-2.json", "a": "a-2"} {
		if got := nthName(name, 2, true); got != want {
			t.Errorf("after %s comes %s, want %s", name, got, want)
		}
	}
}

// The service took some types only, at first (actions/toolkit#2324).
func TestArtifactTypeRefused(t *testing.T) {
	t.Parallel()
	g := githubtest.Start(t)
	g.Fail(githubtest.Fault{Status: 400, Body: `{"code":"invalid_argument","msg":"a valid mime_type is required for this artifact version"}`})
	a, r := step(g)
	r.Raw, r.Files = true, r.Files[:1]
	if _, err := a.UploadArtifact(t.Context(), io.Discard, r); err != nil {
		t.Fatal(err)
	}
	if got := g.Artifacts()[0]; got.MimeType != "application/octet-stream" || got.ContentType != "application/octet-stream" {
		t.Errorf("%+v", got)
	}
}

func TestArtifactErrors(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name  string
		env   []string
		fault githubtest.Fault
		want  error
	}{
		{"a run: step", []string{"ACTIONS_RUNTIME_TOKEN", ""}, githubtest.Fault{}, ErrNoRuntime},
		{"no results service", []string{"ACTIONS_RESULTS_URL", ""}, githubtest.Fault{}, ErrNoArtifactService},
		{"not an address", []string{"ACTIONS_RESULTS_URL", "file:///etc"}, githubtest.Fault{}, ErrNoArtifactService},
		{"token is no JWT", []string{"ACTIONS_RUNTIME_TOKEN", "abc"}, githubtest.Fault{}, ErrNoArtifactService},
		{"token is no JSON", []string{"ACTIONS_RUNTIME_TOKEN", "a.!!.c"}, githubtest.Fault{}, ErrNoArtifactService},
		{"no scope", []string{"ACTIONS_RUNTIME_TOKEN", "e30.e30.e30"}, githubtest.Fault{}, ErrNoArtifactService},
		{"four parts", []string{"ACTIONS_RUNTIME_TOKEN", githubtest.RuntimeToken("a", "b:c")}, githubtest.Fault{}, ErrNoArtifactService},
		{"404", nil, githubtest.Fault{Status: 404, Body: "<html>"}, ErrNoArtifactService},
		{"quota", nil, githubtest.Fault{Status: 403, Body: `{"code":"resource_exhausted","msg":"insufficient usage to create artifact"}`}, ErrQuota},
		{"no proper answer", nil, githubtest.Fault{Status: 200, Body: "<html>"}, nil},
		{"not ok", nil, githubtest.Fault{Status: 200, Body: `{"ok":false}`}, nil},
		{"no address", nil, githubtest.Fault{Status: 200, Body: `{"ok":true,"signed_upload_url":"file:///etc/passwd?sig=x"}`}, nil},
		{"a redirect", nil, githubtest.Fault{Status: 307, Header: map[string]string{"Location": "https://elsewhere.example"}}, nil},
		{"refused", nil, githubtest.Fault{Status: 400, Body: `{"code":"invalid_argument","msg":"no\u001b[31m"}`}, nil},
		{"blob store refuses", nil, githubtest.Fault{Method: "PUT", Status: 403, Header: map[string]string{"x-ms-error-code": "AuthenticationFailed"}}, nil},
		{"no id", nil, githubtest.Fault{Path: "/twirp/github.actions.results.api.v1.ArtifactService/Fin", Status: 200, Body: `{"ok":true,"artifact_id":"-1"}`}, nil},
	} {
		g := githubtest.Start(t)
		if test.fault.Status != 0 {
			g.Fail(test.fault)
		}
		a, r := step(g, test.env...)
		got, err := a.UploadArtifact(t.Context(), io.Discard, r)
		if err == nil || (test.want != nil && !errors.Is(err, test.want)) {
			t.Errorf("%s: %+v, %v; want %v", test.name, got, err, test.want)
			continue
		}
		if test.fault.Status == 307 && !strings.Contains(err.Error(), "307") {
			t.Errorf("%s was followed: %v", test.name, err)
		}
		if s := err.Error(); strings.Contains(s, "sig=") || strings.Contains(s, g.RuntimeToken) || strings.ContainsAny(s, "\x1b\n") {
			t.Errorf("%s: the error says too much: %q", test.name, s)
		}
	}
	g := githubtest.Start(t)
	g.Fail(githubtest.Fault{Method: "PUT", Status: 0, Times: 99})
	a, r := step(g)
	_, err := a.UploadArtifact(t.Context(), io.Discard, r)
	var u *UnavailableError
	if !errors.As(err, &u) || strings.Contains(err.Error(), "sig") {
		t.Errorf("blob store is gone: %v", err)
	}
}

func TestArtifactRequestRefused(t *testing.T) {
	t.Parallel()
	g := githubtest.Start(t)
	f := inMemory("a", "")
	for name, r := range map[string]ArtifactRequest{
		"empty":              {Name: "n"},
		"no name":            {Files: []ArtifactFile{f}},
		"name is a path":     {Name: "a/b", Files: []ArtifactFile{f}},
		"name with a break":  {Name: "a\nb", Files: []ArtifactFile{f}},
		"file leaves":        {Name: "n", Files: []ArtifactFile{inMemory("../a", "")}},
		"absolute file":      {Name: "n", Files: []ArtifactFile{inMemory("/a", "")}},
		"Windows file":       {Name: "n", Files: []ArtifactFile{inMemory(`a\b`, "")}},
		"same file twice":    {Name: "n", Files: []ArtifactFile{f, f}},
		"raw of two":         {Raw: true, Files: []ArtifactFile{f, inMemory("b", "")}},
		"raw in a folder":    {Raw: true, Files: []ArtifactFile{inMemory("a/b", "")}},
		"file can't be read": {Name: "n", Files: []ArtifactFile{{Name: "a", Open: func() (io.ReadCloser, error) { return nil, errFull }}}},
	} {
		a, with := step(g)
		r.HTTP = with.HTTP
		if got, err := a.UploadArtifact(t.Context(), io.Discard, r); err == nil {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// A file that is not what it was when it was measured would make a broken zip.
func TestArtifactFileChanges(t *testing.T) {
	t.Parallel()
	g := githubtest.Start(t)
	a, r := step(g)
	n := 0
	r.Files = []ArtifactFile{{Name: "a", Open: func() (io.ReadCloser, error) {
		n++
		return io.NopCloser(strings.NewReader(strings.Repeat("x", n))), nil
	}}}
	if _, err := a.UploadArtifact(t.Context(), io.Discard, r); err == nil || !strings.Contains(err.Error(), "changed while") {
		t.Errorf("err = %v", err)
	}
}

// The signature is masked in every form, before anything else is logged.
func TestArtifactSignatureIsMasked(t *testing.T) {
	t.Parallel()
	g := githubtest.Start(t)
	a, r := step(g)
	var log bytes.Buffer
	if _, err := a.UploadArtifact(t.Context(), &log, r); err != nil {
		t.Fatal(err)
	}
	var masked []string
	for _, c := range parseLog(log.String()) {
		if c.name != "add-mask" {
			t.Errorf("command %+v", c)
		}
		masked = append(masked, c.data)
	}
	if want := []string{githubtest.Signature, "Zm9v/a+b~c*d="}; len(masked) < 2 || masked[0] != want[0] || masked[1] != want[1] {
		t.Errorf("masked %q, want at first %q", masked, want)
	}
	for _, line := range strings.Split(strings.TrimSpace(log.String()), "\n") {
		if !strings.HasPrefix(line, "::add-mask::") {
			t.Errorf("logged: %s", line)
		}
	}
}

func TestArtifactRetention(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		most       string
		days, want int
	}{{"90", 5, 5}, {"3", 5, 3}, {"", 5, 5}, {"90", 0, 0}, {"x", 5, 5}} {
		if got := runnerWith("GITHUB_RETENTION_DAYS", test.most).retention(test.days); got != test.want {
			t.Errorf("%d of %q days: %d, want %d", test.days, test.most, got, test.want)
		}
	}
}
