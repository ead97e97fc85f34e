package image

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// Source is where the code of the image lies; registries link it.
const Source = "https://github.com/replay-gate/replay-gate"

// Contents is what an image is made from.
type Contents struct {
	// Binaries are the paths of the Linux binaries, by architecture as Go names it.
	Binaries map[string]string
	// Licences is the folder with the licences of everything in the binaries.
	Licences string
	// Version is the tag of the release, such as v1.2.3.
	Version string
	// Commit is the full id of the commit that the binaries were built from.
	Commit string
	// Time is when that commit was made. Everything in the image bears it.
	Time time.Time
}

// Build makes the index with an image for each architecture, in the order of their
// names. Nothing is written and no network is used.
func Build(c Contents) (v1.ImageIndex, error) {
	if len(c.Binaries) == 0 {
		return nil, errors.New("no binary to put into an image")
	}
	if c.Version == "" || c.Commit == "" || c.Time.IsZero() {
		return nil, fmt.Errorf("version %q, commit %q and time %s must all be given", c.Version, c.Commit, c.Time)
	}
	c.Time = c.Time.UTC().Truncate(time.Second)
	base, err := baseLayer(c.Licences, c.Time)
	if err != nil {
		return nil, err
	}
	index := mutate.IndexMediaType(empty.Index, types.OCIImageIndex)
	for _, arch := range slices.Sorted(maps.Keys(c.Binaries)) {
		binary, err := binaryLayer(c.Binaries[arch], c.Time)
		if err != nil {
			return nil, err
		}
		img, err := build(c, arch, base, binary)
		if err != nil {
			return nil, fmt.Errorf("image for %s: %w", arch, err)
		}
		index = mutate.AppendManifests(index, mutate.IndexAddendum{
			Add:        img,
			Descriptor: v1.Descriptor{Platform: &v1.Platform{OS: "linux", Architecture: arch}},
		})
	}
	return mutate.Annotations(index, labels(c)).(v1.ImageIndex), nil
}

// build is the image of one architecture. What changes with each release is the last
// layer, so that a machine with an older release pulls that one only.
func build(c Contents, arch string, base, binary v1.Layer) (v1.Image, error) {
	img := mutate.MediaType(empty.Image, types.OCIManifestSchema1)
	img = mutate.ConfigMediaType(img, types.OCIConfigJSON)
	img, err := mutate.ConfigFile(img, &v1.ConfigFile{
		OS:           "linux",
		Architecture: arch,
		Created:      v1.Time{Time: c.Time},
		RootFS:       v1.RootFS{Type: "layers"},
		Config: v1.Config{
			Entrypoint: []string{"/replay-gate"},
			Labels:     labels(c),
			// No User and no WorkingDir: a container action must run as root, in the folder
			// that the runner mounts.
		},
	})
	if err != nil {
		return nil, err
	}
	history := func(what string) v1.History {
		return v1.History{Created: v1.Time{Time: c.Time}, CreatedBy: "replay-gate release: " + what}
	}
	return mutate.Append(img,
		mutate.Addendum{Layer: base, History: history("certificates and licences"), MediaType: types.OCILayer},
		mutate.Addendum{Layer: binary, History: history("binary"), MediaType: types.OCILayer},
	)
}

// labels are the keys that the OCI image specification (annotations.md) defines.
// They equal those of the Dockerfile; the version is that of the tag.
func labels(c Contents) map[string]string {
	return map[string]string{
		"org.opencontainers.image.title":       "Replay Gate",
		"org.opencontainers.image.description": "Checks recorded eval evidence in a pull request, field by field",
		"org.opencontainers.image.source":      Source,
		"org.opencontainers.image.licenses":    "Apache-2.0",
		"org.opencontainers.image.version":     c.Version,
		"org.opencontainers.image.revision":    c.Commit,
		"org.opencontainers.image.created":     c.Time.Format(time.RFC3339),
	}
}
