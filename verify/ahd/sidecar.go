package ahd

import (
	"encoding/json"
	"path"
	"strings"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/jsondoc"
)

// PackageName is the framework's own package. The folder of a package.json of
// that name is the root that relative paths start at (AHD replay, What changes
// between runs).
const PackageName = "@adastracomputing/ahd"

// schemaVersion is the newest version that this package can read. A greater
// one is refused, because it may have changed what a field means (AHD replay,
// When schema_version bumps).
const schemaVersion = 1

// sidecar is the text of one sidecar and where it lies.
type sidecar struct {
	e    *verify.Evidence
	data []byte
	doc  *jsondoc.Document
	root string // folder of the tree that recorded paths start at
}

func open(e *verify.Evidence) (*sidecar, error) {
	data, err := e.Tree.ReadFile(e.Path, verify.MaxEvidence)
	if err != nil {
		return nil, err
	}
	return &sidecar{e: e, data: data, doc: jsondoc.Parse(data), root: rootOf(e.Tree, path.Dir(e.Path))}, nil
}

// broken says that the text stops being JSON somewhere.
func (s *sidecar) broken() bool { return s.doc.Err != nil }

// whole reports whether n was read to its end. In a broken text the last list
// or object may not have been, and its length means nothing.
func (s *sidecar) whole(n *jsondoc.Node) bool {
	return n != nil && (!s.broken() || json.Valid(s.doc.Raw(n)))
}

// version is the recorded schema version, 0 when there is none.
func (s *sidecar) version() float64 {
	v, _ := s.doc.Root.Get("schema_version").Float()
	return v
}

// isBackfilled says that the sidecar was reconstructed after the run (AHD
// replay, Backfilled sidecars).
func (s *sidecar) isBackfilled() bool {
	n := s.doc.Root.Get("backfilled")
	return n.Is(jsondoc.Bool) && n.Text() == "true"
}

func isText(n *jsondoc.Node) bool { return n.Is(jsondoc.String) }

// shown is the text of a scalar, as checks show it. It is a copy: the text of a
// node is a part of the whole file's, and one check must not keep that alive.
func shown(n *jsondoc.Node) string {
	return strings.Clone(verify.Shorten(n.Text(), verify.MaxValue))
}

type rootKey string

// rootOf is the folder that the relative paths of a sidecar in dir start at:
// the nearest one, upwards, whose package.json is named as the framework's
// (AHD replay, What changes between runs), else the top of the tree.
func rootOf(t *verify.Tree, dir string) string {
	if dir == "." || dir == "/" {
		return "."
	}
	return verify.Once(t, rootKey(dir), func(t *verify.Tree) string {
		data, err := t.ReadFile(path.Join(dir, manifest), maxManifest)
		if err == nil && jsondoc.Parse(data).Root.Get("name").Text() == PackageName {
			return dir
		}
		return rootOf(t, path.Dir(dir))
	})
}

// RootOf is the folder of the tree that the recorded paths of the sidecar at path
// start at; "." for the top.
func RootOf(t *verify.Tree, sidecar string) string { return rootOf(t, path.Dir(sidecar)) }

// FrameworkVersion is the version that the framework's own package.json in folder
// dir states; false when there is none.
func FrameworkVersion(t *verify.Tree, dir string) (string, bool) {
	data, err := t.ReadFile(path.Join(dir, manifest), maxManifest)
	if err != nil {
		return "", false
	}
	root := jsondoc.Parse(data).Root
	version := root.Get("version").Text()
	return version, version != "" && root.Get("name").Text() == PackageName
}

// manifest is the file that names a package, and maxManifest bounds it, in bytes.
const (
	manifest    = "package.json"
	maxManifest = 1 << 20
)

// rootFile is the path of the package.json that set the root; empty when the
// root is the top of the tree, which it is without any as well.
func (s *sidecar) rootFile() string {
	if s.root == "." {
		return ""
	}
	return path.Join(s.root, manifest)
}
