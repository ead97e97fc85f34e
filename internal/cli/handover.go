package cli

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/replay-gate/replay-gate/bundle"
	"github.com/replay-gate/replay-gate/gate"
	"github.com/replay-gate/replay-gate/gate/repo"
)

// handedOver is a source of commits of which one machine keeps what comes, and the others of
// the plan take it from there: the base is fetched once for all. What is taken is checked as
// what comes over the network is, object by object.
type handedOver struct {
	root, folder string // folder is inside root
	keep         bool
	from         repo.Source
}

func (a *app) handOver(o *gate.Options, keep bool, from repo.Source) repo.Source {
	root, ok := repo.FindRoot(a.root)
	if o.Parts == "" || !ok {
		return from
	}
	return handedOver{root, path.Join(o.Parts, "fetched"), keep, from}
}

// maxKept bounds what is kept in memory on its way to the folder, in bytes: more is fetched
// by each machine.
const maxKept = 256 << 20

// Pack implements [repo.Source].
func (h handedOver) Pack(ctx context.Context, w io.Writer, want, have, shallow []string) error {
	asked := sha256.Sum256([]byte(strings.Join(want, " ") + "\n" + strings.Join(have, " ") + "\n" + strings.Join(shallow, " ")))
	name := path.Join(h.folder, hex.EncodeToString(asked[:])+".pack")
	root, err := os.OpenRoot(h.root)
	if err != nil {
		return err
	}
	defer root.Close()
	if !h.keep {
		err := copyFrom(root, w, name)
		if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return h.from.Pack(ctx, w, want, have, shallow)
	}
	kept := &capped{left: maxKept}
	if err := h.from.Pack(ctx, io.MultiWriter(w, kept), want, have, shallow); err != nil || kept.left < 0 {
		return err
	}
	return bundle.WriteFile(root, name, kept.data)
}

func copyFrom(root *os.Root, w io.Writer, name string) error {
	info, err := root.Lstat(filepath.FromSlash(name))
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%s is not a plain file", name)
	}
	f, err := root.Open(filepath.FromSlash(name))
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(w, f)
	return err
}

// capped keeps what is written to it, up to a bound.
type capped struct {
	data []byte
	left int
}

func (c *capped) Write(p []byte) (int, error) {
	if c.left -= len(p); c.left >= 0 {
		c.data = append(c.data, p...)
	} else {
		c.data = nil
	}
	return len(p), nil
}
