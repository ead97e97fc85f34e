// Package image puts the release binaries into a container image, and the images of
// all platforms under one index.
//
//	index, err := image.Build(image.Contents{
//		Binaries: map[string]string{"amd64": "dist/linux_amd64/replay-gate", "arm64": "dist/linux_arm64/replay-gate"},
//		Licences: ".release/licences", Version: "v1.2.3", Commit: "0123…", Time: committed,
//	})
//	digest, err := image.Push(ctx, index, "ghcr.io/replay-gate/replay-gate")
//
// It promises: the same contents give the same digest, on any machine, at any time,
// from any folder. So nothing of a file but its bytes gets into a layer, every time
// is the commit's, and the certificates come from a Go module that go.sum pins.
package image
