package repo

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"

	"github.com/go-git/go-billy/v5/osfs"
	"github.com/go-git/go-git/v5/plumbing/format/config"
	"github.com/go-git/go-git/v5/plumbing/hash"
	"github.com/go-git/go-git/v5/storage/filesystem/dotgit"
)

// maxGitFile bounds the small files of .git that are read whole (config, .git, commondir).
const maxGitFile = 1 << 20

// Repository is a local git repository with a work tree. Its methods may be
// called from several goroutines; Close only when all of them are done.
type Repository struct {
	root       string // absolute path of the work tree
	gitDir     string // of this work tree: HEAD, index
	commonDir  string // of all work trees: objects, refs, config, info/exclude
	fileMode   bool   // core.fileMode: the executable bit on disk is meaningful
	partial    bool   // a partial clone: any object may be missing
	dir        *os.Root
	objects    *objects
	nodes      nodeCache              // for walks through history
	listed     atomic.Pointer[listed] // the first commit that was: others are like it
	submodules submodules
	cut        atomic.Bool // history of a fetched commit is not here
}

// FindRoot returns the nearest folder at or above dir that holds .git, as an
// absolute path.
func FindRoot(dir string) (string, bool) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", false
	}
	for {
		// One that can't be looked at is no reason to take a repository above it.
		if _, err := os.Stat(filepath.Join(dir, ".git")); !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR) {
			return dir, true
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", false
		}
		dir = parent
	}
}

// Open opens the repository whose work tree holds dir: dir itself or the nearest
// folder above it with a .git, which may also be a file (linked work trees,
// submodules). The error is [ErrNotRepository] where there is none and
// [ErrUnsupported] where its format cannot be read.
func Open(dir string) (*Repository, error) {
	if info, err := os.Stat(dir); isFault(err) {
		return nil, fmt.Errorf("opening the repository: %w", err)
	} else if err != nil || !info.IsDir() {
		return nil, fmt.Errorf("%s: %w: there is no such folder", dir, ErrNotRepository)
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("opening the repository: %w", err)
	}
	root, ok := FindRoot(dir)
	if !ok {
		return nil, fmt.Errorf("%s: %w: neither it nor a folder above it holds .git; in a workflow, run actions/checkout first", dir, ErrNotRepository)
	}
	return openRoot(root)
}

// openRoot opens the repository whose work tree is root.
func openRoot(root string) (*Repository, error) {
	r := &Repository{root: root, fileMode: true}
	var err error
	if r.gitDir, r.commonDir, err = gitDirs(root); err != nil {
		return nil, err
	}
	if err := r.readConfig(); err != nil {
		return nil, err
	}
	if r.dir, err = os.OpenRoot(root); err != nil {
		return nil, fmt.Errorf("opening the work tree: %w", err)
	}
	layout := dotgit.NewRepositoryFilesystem(osfs.New(r.gitDir), osfs.New(r.commonDir))
	if r.objects, err = openObjects(layout, r.commonDir, r.partial); err != nil {
		r.dir.Close()
		return nil, err
	}
	return r, nil
}

// Root returns the absolute path of the work tree.
func (r *Repository) Root() string { return r.root }

// Close releases the open packs and folders. Trees of r can't be read afterwards.
func (r *Repository) Close() error {
	return errors.Join(r.submodules.close(), r.objects.close(), r.dir.Close())
}

// gitDirs returns the git folder of the work tree at root, and the one it shares
// with other work trees (gitrepository-layout: "gitdir:" files, commondir).
func gitDirs(root string) (gitDir, commonDir string, err error) {
	gitDir = filepath.Join(root, ".git")
	info, err := os.Stat(gitDir)
	if err != nil {
		return "", "", fmt.Errorf("opening the repository: %w", err)
	}
	if !info.IsDir() {
		text, err := readSmall(gitDir)
		if err != nil {
			return "", "", fmt.Errorf("opening the repository: %w", err)
		}
		target, ok := strings.CutPrefix(strings.TrimRight(string(text), "\r\n"), "gitdir: ")
		if !ok {
			return "", "", fmt.Errorf("%s: %w: the .git file names no folder", root, ErrNotRepository)
		}
		gitDir = within(root, target)
	}
	commonDir = gitDir
	switch text, err := readSmall(filepath.Join(gitDir, "commondir")); {
	case err == nil:
		commonDir = within(gitDir, strings.TrimRight(string(text), "\r\n"))
	case !errors.Is(err, fs.ErrNotExist):
		return "", "", fmt.Errorf("opening the repository: %w", err)
	}
	for _, need := range []string{filepath.Join(gitDir, "HEAD"), filepath.Join(commonDir, "objects")} {
		switch _, err := os.Stat(need); {
		case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
			return "", "", fmt.Errorf("%s: %w: its git folder is incomplete, %s is not there (a linked work tree needs its main repository beside it)",
				root, ErrNotRepository, need)
		case err != nil:
			return "", "", fmt.Errorf("opening the repository: %w", err)
		}
	}
	return gitDir, commonDir, nil
}

// within resolves a path that a file in dir holds.
func within(dir, target string) string {
	if filepath.IsAbs(target) {
		return filepath.Clean(target)
	}
	return filepath.Join(dir, target)
}

// readConfig checks the format of the repository (gitrepository-layout,
// "repository format") and takes the one setting that changes how files compare.
//
// go-git refuses every extension it does not know. Sparse checkouts set
// worktreeConfig and partial clones partialClone; both only say where more
// configuration or more objects may be, so reading stays correct with them.
func (r *Repository) readConfig() error {
	text, err := readSmall(filepath.Join(r.commonDir, "config"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("reading the repository's configuration: %w", err)
	}
	cfg := config.New()
	if err := config.NewDecoder(strings.NewReader(string(text))).Decode(cfg); err != nil {
		return fmt.Errorf("reading the repository's configuration: %w", err)
	}
	core := cfg.Section("core")
	r.fileMode = !isFalse(core.Option("filemode"))
	version := core.Option("repositoryformatversion")
	if version != "" && version != "0" && version != "1" {
		return unsupported("use a clone that this git makes: git clone", "repository format version %q", version)
	}
	for _, remote := range cfg.Section("remote").Subsections {
		promisor := remote.Option("promisor")
		r.partial = r.partial || promisor != "" && !isFalse(promisor)
	}
	for _, option := range cfg.Section("extensions").Options {
		name, value := strings.ToLower(option.Key), strings.ToLower(option.Value)
		r.partial = r.partial || name == "partialclone"
		switch name {
		case "noop", "noop-v1", "preciousobjects", "partialclone", "worktreeconfig", "relativeworktrees":
		case "objectformat":
			if value != "sha1" || hash.Size != 20 {
				return unsupported("keep the evidence in a repository with sha1 names; a clone of this one has its format", "object format %q; only sha1 can be read", value)
			}
		case "refstorage":
			if value != "files" {
				return unsupported("write the references as files: git refs migrate --ref-format=files", "reference format %q; only files can be read", value)
			}
		default:
			// Version 0 predates extensions: there git ignores those it doesn't know.
			if version == "1" {
				return unsupported("use a clone without it; git config extensions."+option.Key+" tells its value", "extension %q", option.Key)
			}
		}
	}
	return nil
}

// isFalse reports whether git takes a value of its configuration for false.
func isFalse(value string) bool {
	return slices.Contains([]string{"false", "no", "off", "0"}, strings.ToLower(value))
}

// readSmall reads a file of .git that has no reason to be large.
func readSmall(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxGitFile+1))
	if err == nil && len(text) > maxGitFile {
		err = fmt.Errorf("%s: %w", name, ErrTooLarge)
	}
	return text, err
}
