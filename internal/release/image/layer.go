package image

import (
	"archive/tar"
	"bytes"
	"encoding/pem"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
	"golang.org/x/crypto/x509roots/fallback/bundle"
)

// Where things lie in the image. The gate and Go's crypto/x509 look there.
const (
	binaryPath       = "replay-gate"
	certificatesPath = "etc/ssl/certs/ca-certificates.crt"
	licencesPath     = "usr/share/doc/replay-gate"
)

// file is an entry of a layer.
type file struct {
	name string // without a leading slash; a trailing one makes it a folder
	mode int64
	data []byte
}

// baseLayer holds what does not change from release to release: certificates, an
// empty /tmp that everyone may write, and the licences.
func baseLayer(licences string, at time.Time) (v1.Layer, error) {
	files := []file{
		{name: "tmp/", mode: 0o1777},
		{name: certificatesPath, mode: 0o644, data: certificates()},
	}
	root := os.DirFS(licences)
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(root, name)
		files = append(files, file{name: path.Join(licencesPath, name), mode: 0o644, data: data})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("reading the licences: %w", err)
	}
	if len(files) == 2 {
		return nil, fmt.Errorf("reading the licences: %s holds none", licences)
	}
	return layer(files, at)
}

func binaryLayer(name string, at time.Time) (v1.Layer, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("reading the binary: %w", err)
	}
	return layer([]file{{name: binaryPath, mode: 0o755, data: data}}, at)
}

// certificates are Mozilla's root certificates as PEM, in the module's order. Those
// that Mozilla trusts with a constraint are left out: a PEM file can't state it.
func certificates() []byte {
	var b bytes.Buffer
	for root := range bundle.Roots() {
		if root.Constraint == nil {
			// A bytes.Buffer takes everything.
			_ = pem.Encode(&b, &pem.Block{Type: "CERTIFICATE", Bytes: root.Certificate})
		}
	}
	return b.Bytes()
}

// layer makes a layer of the files, and of the folders that lead to them.
func layer(files []file, at time.Time) (v1.Layer, error) {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, f := range withFolders(files) {
		header := &tar.Header{Typeflag: tar.TypeReg, Name: f.name, Mode: f.mode, Size: int64(len(f.data)), ModTime: at, Format: tar.FormatPAX}
		if strings.HasSuffix(f.name, "/") {
			header.Typeflag = tar.TypeDir
		}
		if err := w.WriteHeader(header); err != nil {
			return nil, err
		}
		if _, err := w.Write(f.data); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	open := func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(b.Bytes())), nil }
	return tarball.LayerFromOpener(open, tarball.WithMediaType(types.OCILayer))
}

// withFolders adds the folders above each file, and sorts by name, which puts a
// folder before what it holds.
func withFolders(files []file) []file {
	all := slices.Clone(files)
	known := map[string]bool{}
	for _, f := range files {
		known[f.name] = true
	}
	for _, f := range files {
		for dir := path.Dir(strings.TrimSuffix(f.name, "/")); dir != "."; dir = path.Dir(dir) {
			if !known[dir+"/"] {
				known[dir+"/"] = true
				all = append(all, file{name: dir + "/", mode: 0o755})
			}
		}
	}
	slices.SortFunc(all, func(a, b file) int { return strings.Compare(a.name, b.name) })
	return all
}
