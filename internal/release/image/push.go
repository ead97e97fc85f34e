package image

import (
	"context"
	"fmt"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/remote"
)

// Save writes the index as an OCI image layout, which carries it from the job that
// builds to the one that may push.
func Save(index v1.ImageIndex, folder string) error {
	p, err := layout.Write(folder, empty.Index)
	if err != nil {
		return err
	}
	return p.AppendIndex(index)
}

// Load reads the one index of a layout that Save wrote.
func Load(folder string) (v1.ImageIndex, error) {
	outer, err := layout.ImageIndexFromPath(folder)
	if err != nil {
		return nil, err
	}
	manifest, err := outer.IndexManifest()
	if err != nil {
		return nil, err
	}
	if len(manifest.Manifests) != 1 {
		return nil, fmt.Errorf("%s holds %d images, want 1", folder, len(manifest.Manifests))
	}
	return outer.ImageIndex(manifest.Manifests[0].Digest)
}

// Push sends the index to the repository by its digest alone, asks the registry for
// it, and returns the reference to pin: repository@sha256:…. A tag comes with the
// release, when the commit that names the digest exists (see Tag). Who pushes is in
// the Docker configuration file, as for docker push.
func Push(ctx context.Context, index v1.ImageIndex, repository string) (string, error) {
	repo, err := name.NewRepository(repository)
	if err != nil {
		return "", err
	}
	digest, err := index.Digest()
	if err != nil {
		return "", err
	}
	ref := repo.Digest(digest.String())
	if err := remote.WriteIndex(ref, index, options(ctx)...); err != nil {
		return "", fmt.Errorf("pushing %s: %w", ref, err)
	}
	held, err := remote.Head(ref, options(ctx)...)
	if err != nil {
		return "", fmt.Errorf("asking for %s after the push: %w", ref, err)
	}
	if held.Digest != digest {
		return "", fmt.Errorf("the registry holds %s after a push of %s", held.Digest, digest)
	}
	return ref.String(), nil
}

// Tag names what lies under a digest.
func Tag(ctx context.Context, reference string, tags ...string) error {
	ref, err := name.NewDigest(reference)
	if err != nil {
		return err
	}
	held, err := remote.Get(ref, options(ctx)...)
	if err != nil {
		return err
	}
	for _, tag := range tags {
		if err := remote.Tag(ref.Tag(tag), held, options(ctx)...); err != nil {
			return fmt.Errorf("tagging %s as %s: %w", ref, tag, err)
		}
	}
	return nil
}

func options(ctx context.Context) []remote.Option {
	return []remote.Option{remote.WithContext(ctx), remote.WithAuthFromKeychain(authn.DefaultKeychain)}
}
