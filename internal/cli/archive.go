package cli

import (
	"errors"
	"io/fs"
	"os"

	"github.com/replay-gate/replay-gate/bundle"
	"github.com/replay-gate/replay-gate/gate"
	"github.com/replay-gate/replay-gate/gate/reason"
)

// legacyBundle is where a bundle was looked for before bundles had names of their
// own (Replay Bundle v1, section 2).
const legacyBundle = ".assay/replay.bundle"

// openBundle reads the bundle that name means: an archive, whatever it is called,
// "-" for standard input, or a folder that one was unpacked into.
func (a *app) openBundle(name string) (*bundle.Archive, error) {
	b, err := a.readBundle(name)
	var fe *bundle.FormatError
	var le *bundle.LimitError
	var ge *gate.Error
	switch {
	case errors.As(err, &ge):
		return nil, err
	case errors.Is(err, fs.ErrNotExist):
		return nil, usage("name a .tar.gz, a folder with manifest.json in it, or - for standard input", "there is no bundle %s", name)
	case errors.As(err, &fe), errors.As(err, &le):
		return nil, gate.BundleError(err)
	case err != nil:
		return nil, &gate.Error{Exit: gate.ExitInfra, Reason: reason.IO, Err: err, NextStep: "check that the file can be read and that the temporary folder has room"}
	}
	return b, nil
}

func (a *app) readBundle(name string) (*bundle.Archive, error) {
	if name == "-" {
		return bundle.Read(a.In, bundle.DefaultLimits())
	}
	// Before it is opened: opening a FIFO waits for a writer.
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return nil, err
	case info.IsDir():
		root, err := os.OpenRoot(name)
		if err != nil {
			return nil, err
		}
		defer root.Close()
		return bundle.ReadFolder(root.FS(), bundle.DefaultLimits())
	case !info.Mode().IsRegular():
		return nil, usage("name a .tar.gz, a folder with manifest.json in it, or - for standard input", "%s is not a regular file", name)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return bundle.Read(f, bundle.DefaultLimits())
}
