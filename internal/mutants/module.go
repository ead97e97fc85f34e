package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// suite is the tests of one package, compiled.
type suite struct {
	pkg    string
	dir    string // in the copy
	binary string
	mu     sync.Mutex
	tests  []*test
}

// listed is what go list says of a package.
type listed struct {
	ImportPath, Dir, Name     string
	GoFiles, Deps             []string
	TestGoFiles, XTestGoFiles []string
}

func list(ctx context.Context, dir string, patterns ...string) ([]listed, error) {
	cmd := exec.CommandContext(ctx, "go", append([]string{"list", "-json=ImportPath,Dir,Name,GoFiles,Deps,TestGoFiles,XTestGoFiles"}, patterns...)...)
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	text, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	var all []listed
	for d := json.NewDecoder(strings.NewReader(string(text))); ; {
		var p listed
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
}

// support is what each package with mutants gets. It notes each mutant that is come by in
// the file that MUTANTS_SEEN names.
const support = `package %s

import (
	"os"
	"strconv"
	"sync"
)

var (
	mutantActive, _ = strconv.Atoi(os.Getenv("REPLAY_GATE_MUTANT"))
	mutantSeen      = os.Getenv("REPLAY_GATE_MUTANTS_SEEN")
	mutantMet       sync.Map
)

func mutantOn(n int) bool {
	if mutantSeen != "" {
		mutantNote(n)
	}
	return n == mutantActive
}

func mutantNote(n int) {
	if _, met := mutantMet.LoadOrStore(n, true); met {
		return
	}
	if f, err := os.OpenFile(mutantSeen, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600); err == nil {
		f.WriteString(strconv.Itoa(n) + "\n")
		f.Close()
	}
}

func mutantPick[T any](n int, is, other T) T {
	if mutantOn(n) {
		return other
	}
	return is
}
`

// copyModule copies what git knows of the module to a folder, and makes all that matches the
// patterns one that can be flipped.
func copyModule(ctx context.Context, to string, patterns []string) ([]point, error) {
	files, err := exec.CommandContext(ctx, "git", "ls-files", "-co", "--exclude-standard", "-z").Output()
	if err != nil {
		return nil, fmt.Errorf("git ls-files: %w", err)
	}
	for name := range strings.SplitSeq(strings.TrimRight(string(files), "\x00"), "\x00") {
		if err := copyFile(filepath.Join(to, name), name); err != nil && !errors.Is(err, os.ErrNotExist) {
			return nil, err
		}
	}
	program, err := list(ctx, to, "-deps", ".")
	if err != nil {
		return nil, err
	}
	linked := make(map[string]bool)
	for _, p := range program {
		linked[p.ImportPath] = true
	}
	packages, err := list(ctx, to, patterns...)
	if err != nil {
		return nil, err
	}
	packages = slices.DeleteFunc(packages, func(p listed) bool { return !linked[p.ImportPath] }) // it judges nothing
	var all []point
	for _, p := range packages {
		before := len(all)
		for _, name := range p.GoFiles {
			full := filepath.Join(p.Dir, name)
			src, err := os.ReadFile(full)
			if err != nil {
				return nil, err
			}
			rel, err := filepath.Rel(to, full)
			if err != nil {
				return nil, err
			}
			out, points, err := instrument(p.ImportPath, filepath.ToSlash(rel), src, len(all)+1)
			if err != nil {
				return nil, err
			}
			all = append(all, points...)
			if err := os.WriteFile(full, out, 0o600); err != nil {
				return nil, err
			}
		}
		if len(all) > before {
			if err := os.WriteFile(filepath.Join(p.Dir, "zz_mutants.go"), fmt.Appendf(nil, support, p.Name), 0o600); err != nil {
				return nil, err
			}
		}
	}
	return all, nil
}

func copyFile(to, from string) error {
	info, err := os.Lstat(from)
	if err != nil || info.IsDir() {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	if info.Mode()&os.ModeSymlink != 0 {
		target, err := os.Readlink(from)
		if err != nil {
			return err
		}
		return os.Symlink(target, to)
	}
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, data, info.Mode().Perm())
}
