package image

import (
	"archive/tar"
	"context"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"io"
	"log"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/registry"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/validate"
)

var committed = time.Date(2026, 5, 1, 4, 19, 45, 0, time.UTC)

// contents lays out what a release is made from in a folder of its own.
func contents(t *testing.T) Contents {
	t.Helper()
	folder := t.TempDir()
	write := func(name, data string) string {
		full := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
		return full
	}
	write("licences/THIRD_PARTY.md", "# Licences\n")
	write("licences/licences/example.com/m/LICENSE", "MIT\n")
	return Contents{
		Binaries: map[string]string{"arm64": write("a/replay-gate", "ARM"), "amd64": write("b/replay-gate", "AMD")},
		Licences: filepath.Join(folder, "licences"),
		Version:  "v1.2.3", Commit: strings.Repeat("a", 40), Time: committed,
	}
}

func digest(t *testing.T, c Contents) string {
	t.Helper()
	index, err := Build(c)
	if err != nil {
		t.Fatal(err)
	}
	d, err := index.Digest()
	if err != nil {
		t.Fatal(err)
	}
	return d.String()
}

// The same commit gives the same digest, whatever the files' times, modes and
// folders are; anything that the image is made from changes it.
func TestSameContentsSameDigest(t *testing.T) {
	want := digest(t, contents(t))
	elsewhere := contents(t)
	for _, binary := range elsewhere.Binaries {
		if err := errors.Join(os.Chmod(binary, 0o777), os.Chtimes(binary, time.Unix(1, 0), time.Unix(1, 0))); err != nil {
			t.Fatal(err)
		}
	}
	elsewhere.Time = committed.In(time.FixedZone("elsewhere", 3600)).Add(time.Millisecond)
	if got := digest(t, elsewhere); got != want {
		t.Errorf("the same contents elsewhere give %s, want %s", got, want)
	}
	for name, change := range map[string]func(*Contents){
		"version": func(c *Contents) { c.Version = "v1.2.4" },
		"commit":  func(c *Contents) { c.Commit = strings.Repeat("b", 40) },
		"time":    func(c *Contents) { c.Time = c.Time.Add(time.Second) },
		"binary":  func(c *Contents) { c.Binaries["arm64"] = c.Binaries["amd64"] },
		"licence": func(c *Contents) {
			if err := os.WriteFile(filepath.Join(c.Licences, "NEW"), nil, 0o644); err != nil {
				t.Fatal(err)
			}
		},
	} {
		c := contents(t)
		change(&c)
		if digest(t, c) == want {
			t.Errorf("another %s does not change the digest", name)
		}
	}
}

// The image is what the Dockerfile's is: root, no working folder, the binary as the
// entry point; plus the licences.
func TestImage(t *testing.T) {
	index, err := Build(contents(t))
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	if err := Save(index, folder); err != nil {
		t.Fatal(err)
	}
	if index, err = Load(folder); err != nil {
		t.Fatal(err)
	}
	if err := validate.Index(index); err != nil {
		t.Fatal(err)
	}
	manifest, err := index.IndexManifest()
	if err != nil {
		t.Fatal(err)
	}
	var platforms []string
	for _, m := range manifest.Manifests {
		platforms = append(platforms, m.Platform.String())
		img, err := index.Image(m.Digest)
		if err != nil {
			t.Fatal(err)
		}
		config, err := img.ConfigFile()
		if err != nil {
			t.Fatal(err)
		}
		if c := config.Config; len(c.Entrypoint) != 1 || c.Entrypoint[0] != "/replay-gate" || c.User != "" || c.WorkingDir != "" ||
			c.Labels["org.opencontainers.image.version"] != "v1.2.3" || config.Architecture != m.Platform.Architecture {
			t.Errorf("%s: configuration %+v", m.Platform, config)
		}
		files := entries(t, img)
		want := map[string]string{"amd64": "AMD", "arm64": "ARM"}[m.Platform.Architecture]
		if f := files["replay-gate"]; string(f.data) != want || f.mode != 0o755 {
			t.Errorf("%s: the binary is %+v, want %s", m.Platform, f, want)
		}
		if f := files["tmp/"]; f.mode != 0o1777 {
			t.Errorf("%s: /tmp has mode %o", m.Platform, f.mode)
		}
		if f := files["usr/share/doc/replay-gate/licences/example.com/m/LICENSE"]; string(f.data) != "MIT\n" {
			t.Errorf("%s: the licence is %+v", m.Platform, f)
		}
		expectCertificates(t, files["etc/ssl/certs/ca-certificates.crt"].data)
	}
	if got := strings.Join(platforms, " "); got != "linux/amd64 linux/arm64" {
		t.Errorf("platforms %s", got)
	}
}

// entries are the files of all layers; each bears the commit's time, and root's.
func entries(t *testing.T, img v1.Image) map[string]file {
	t.Helper()
	layers, err := img.Layers()
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]file{}
	for _, l := range layers {
		r, err := l.Uncompressed()
		if err != nil {
			t.Fatal(err)
		}
		for archive := tar.NewReader(r); ; {
			h, err := archive.Next()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			data, err := io.ReadAll(archive)
			if err != nil {
				t.Fatal(err)
			}
			if !h.ModTime.Equal(committed) || h.Uid != 0 || h.Gid != 0 || h.Uname != "" || h.Gname != "" {
				t.Errorf("%s: time %s, owner %d %d %s %s", h.Name, h.ModTime, h.Uid, h.Gid, h.Uname, h.Gname)
			}
			files[h.Name] = file{name: h.Name, mode: h.Mode, data: data}
		}
	}
	return files
}

func expectCertificates(t *testing.T, data []byte) {
	t.Helper()
	found := 0
	for block, rest := pem.Decode(data); block != nil; block, rest = pem.Decode(rest) {
		if _, err := x509.ParseCertificate(block.Bytes); err != nil {
			t.Error(err)
		}
		found++
	}
	if found < 100 {
		t.Errorf("only %d certificates", found)
	}
}

func TestBuildRefuses(t *testing.T) {
	for name, change := range map[string]func(*Contents){
		"no binary":      func(c *Contents) { c.Binaries = nil },
		"missing binary": func(c *Contents) { c.Binaries["amd64"] += ".gone" },
		"no version":     func(c *Contents) { c.Version = "" },
		"no commit":      func(c *Contents) { c.Commit = "" },
		"no time":        func(c *Contents) { c.Time = time.Time{} },
		"no licences":    func(c *Contents) { c.Licences = t.TempDir() },
	} {
		c := contents(t)
		change(&c)
		if _, err := Build(c); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// From the layout that one job saves to the reference that the next one pins.
func TestPush(t *testing.T) {
	server := httptest.NewServer(registry.New(registry.Logger(log.New(io.Discard, "", 0))))
	defer server.Close()
	repository := strings.TrimPrefix(server.URL, "http://") + "/replay-gate"
	c := contents(t)
	index, err := Build(c)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	if err := Save(index, folder); err != nil {
		t.Fatal(err)
	}
	loaded, err := Load(folder)
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	ref, err := Push(ctx, loaded, repository)
	if err != nil {
		t.Fatal(err)
	}
	if want := repository + "@" + digest(t, c); ref != want {
		t.Errorf("pushed %s, want %s", ref, want)
	}
	if err := Tag(ctx, ref, "v1.2.3", "v1"); err != nil {
		t.Fatal(err)
	}
	for _, tag := range []string{"v1.2.3", "v1"} {
		tagged, err := name.NewTag(repository + ":" + tag)
		if err != nil {
			t.Fatal(err)
		}
		if held, err := remote.Head(tagged); err != nil || !strings.HasSuffix(ref, held.Digest.String()) {
			t.Errorf("%s: %v, %v", tag, held, err)
		}
	}
	if err := Tag(ctx, repository+"@sha256:"+strings.Repeat("0", 64), "v9"); err == nil {
		t.Error("a digest that nobody pushed got a tag")
	}
}
