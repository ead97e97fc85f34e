package licences

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Platform is a system and an architecture that a release has a binary for.
type Platform struct{ OS, Arch string }

// Platforms are those of .goreleaser.yaml.
var Platforms = []Platform{
	{"linux", "amd64"}, {"linux", "arm64"}, {"darwin", "amd64"}, {"darwin", "arm64"}, {"windows", "amd64"}, {"windows", "arm64"},
}

// Module is a module of which packages are linked.
type Module struct {
	Path, Version string
	// Texts are its licences and notices, by path in the module.
	Texts []Text
}

// Text is a file that has to go along.
type Text struct {
	Name string // path in the module, with slashes
	Data []byte
}

// standardLibrary is the name under which Go's own licence goes along.
const standardLibrary = "std"

// textName matches the files that hold a licence, or what a licence asks to pass on.
// REUSE (reuse.software) keeps licences in a folder LICENSES.
var textName = regexp.MustCompile(`(?i)^(licen[cs]e|copying|unlicense|notice|patents)([.-].*)?$`)

// Find lists the modules that are linked into the command in the folder, with their
// texts, sorted by path.
func Find(ctx context.Context, folder string, platforms []Platform) ([]Module, error) {
	folders := map[[2]string]map[string]bool{}
	roots := map[[2]string]string{}
	for _, p := range platforms {
		packages, err := list(ctx, folder, p)
		if err != nil {
			return nil, err
		}
		for _, pkg := range packages {
			if pkg.Module == nil || pkg.Module.Main {
				continue
			}
			m := pkg.Module
			if m.Replace != nil {
				m.Dir = m.Replace.Dir
			}
			key := [2]string{m.Path, m.Version}
			roots[key] = m.Dir
			if folders[key] == nil {
				folders[key] = map[string]bool{m.Dir: true, filepath.Join(m.Dir, "LICENSES"): true}
			}
			for dir := pkg.Dir; dir != m.Dir && strings.HasPrefix(dir, m.Dir); dir = filepath.Dir(dir) {
				folders[key][dir] = true
			}
		}
	}
	if len(roots) == 0 {
		return nil, errors.New("go list names no module: the walk is broken")
	}
	modules := []Module{}
	for key, root := range roots {
		m := Module{Path: key[0], Version: key[1]}
		for dir := range folders[key] {
			texts, err := textsIn(root, dir)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", m.Path, err)
			}
			m.Texts = append(m.Texts, texts...)
		}
		slices.SortFunc(m.Texts, func(a, b Text) int { return strings.Compare(a.Name, b.Name) })
		modules = append(modules, m)
	}
	std, err := goItself(ctx)
	if err != nil {
		return nil, err
	}
	modules = append(modules, std)
	slices.SortFunc(modules, func(a, b Module) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(a.Version, b.Version))
	})
	return modules, nil
}

// textsIn reads the licence files of one folder of a module.
func textsIn(root, dir string) ([]Text, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	all := filepath.Base(dir) == "LICENSES"
	var texts []Text
	for _, e := range entries {
		if !e.Type().IsRegular() || !all && !textName.MatchString(e.Name()) || strings.HasSuffix(e.Name(), ".go") {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		name, err := filepath.Rel(root, filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		texts = append(texts, Text{filepath.ToSlash(name), data})
	}
	return texts, nil
}

// goItself is the standard library and the runtime, which are linked too.
func goItself(ctx context.Context) (Module, error) {
	out, err := exec.CommandContext(ctx, "go", "env", "GOROOT", "GOVERSION").Output()
	if err != nil {
		return Module{}, fmt.Errorf("go env: %w", err)
	}
	root, version, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	texts, err := textsIn(root, root)
	if err == nil && len(texts) == 0 {
		err = fmt.Errorf("%s holds no licence of Go", root)
	}
	return Module{Path: standardLibrary, Version: version, Texts: texts}, err
}

type listedPackage struct {
	Dir    string
	Module *struct {
		Path, Version, Dir string
		Main               bool
		Replace            *struct{ Dir string }
	}
}

// list runs go list for one platform.
func list(ctx context.Context, folder string, p Platform) ([]listedPackage, error) {
	cmd := exec.CommandContext(ctx, "go", "list", "-deps", "-json=Dir,Module", ".")
	cmd.Dir = folder
	cmd.Env = append(os.Environ(), "GOOS="+p.OS, "GOARCH="+p.Arch, "CGO_ENABLED=0")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list for %s/%s: %w\n%s", p.OS, p.Arch, err, &stderr)
	}
	var packages []listedPackage
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var pkg listedPackage
		if err := d.Decode(&pkg); err == io.EOF {
			return packages, nil
		} else if err != nil {
			return nil, fmt.Errorf("reading what go list says: %w", err)
		}
		packages = append(packages, pkg)
	}
}
