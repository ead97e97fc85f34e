// Package licences collects the licences of everything that is linked into the
// binaries of a release, for its archives and its image, and refuses a licence that
// nobody has allowed.
//
//	found, err := licences.Find(ctx, "/path/to/replay-gate", licences.Platforms)
//	err = licences.Check(found)          // every licence is known and allowed
//	err = licences.Write(found, ".release/licences")
//
// What counts is what the linker takes, on each platform: the packages that
// "go list -deps" names, not all that go.mod mentions. The licence of a package is
// the text in its folder and in those above it, up to the module's.
package licences
