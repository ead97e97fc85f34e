package repo

import (
	"bytes"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/config"
	"github.com/go-git/go-git/v5/plumbing"
	format "github.com/go-git/go-git/v5/plumbing/format/config"
)

// Upstream returns the full name of the reference that a branch is compared with when
// nobody says another: its upstream, as .git/config has it (git-config(1), branch.<name>.merge),
// or else where origin's HEAD leads. An empty branch is the one that is checked out. ok is
// false when neither names a commit that is here.
func (r *Repository) Upstream(branch string) (ref string, ok bool) {
	if branch == "" {
		branch = r.Branch()
	}
	var names []string
	if cfg := r.config(); cfg != nil && branch != "" {
		names = append(names, tracking(cfg, branch))
	}
	if head, err := r.objects.reference("refs/remotes/origin/HEAD"); err == nil && head.Type() == plumbing.SymbolicReference {
		names = append(names, head.Target().String())
	}
	for _, name := range names {
		if name == "" {
			continue
		}
		if _, err := r.refTarget(name); err == nil {
			return name, true
		}
	}
	return "", false
}

// Branch is the short name of the branch that is checked out, and empty when HEAD is
// detached.
func (r *Repository) Branch() string {
	head, err := r.objects.reference("HEAD")
	if err != nil || head.Type() != plumbing.SymbolicReference {
		return ""
	}
	return head.Target().Short()
}

// HasBranch reports whether there is a local branch of this name.
func (r *Repository) HasBranch(name string) bool {
	_, err := r.objects.reference("refs/heads/" + name)
	return err == nil
}

// Names are those of the branches, tags and remote branches, as people write them, sorted.
func (r *Repository) Names() []string {
	own := r.objects.take()
	defer r.objects.put(own)
	refs, err := own.stores[0].IterReferences()
	if err != nil {
		return nil
	}
	var names []string
	_ = refs.ForEach(func(ref *plumbing.Reference) error {
		if name := ref.Name(); name.IsBranch() || name.IsRemote() || name.IsTag() {
			names = append(names, name.Short())
		}
		return nil
	})
	slices.Sort(names)
	return slices.Compact(names)
}

// UserName is git's user.name here. more are files of git's configuration beyond the
// repository's own, the weakest first.
func (r *Repository) UserName(more ...string) string {
	name := ""
	take := func(cfg *format.Config) {
		if cfg != nil && cfg.Section("user").Option("name") != "" {
			name = cfg.Section("user").Option("name")
		}
	}
	for _, file := range more {
		if text, err := readSmall(file); err == nil {
			take(decodeConfig(text))
		}
	}
	take(r.config())
	return strings.TrimSpace(name)
}

// config is the repository's own configuration; nil when it can't be read.
func (r *Repository) config() *format.Config {
	text, err := readSmall(r.commonDir + "/config")
	if err != nil {
		return nil
	}
	return decodeConfig(text)
}

func decodeConfig(text []byte) *format.Config {
	cfg := format.New()
	if format.NewDecoder(bytes.NewReader(text)).Decode(cfg) != nil {
		return nil
	}
	return cfg
}

// tracking is the full name of the reference that follows a branch's upstream; empty for
// none.
func tracking(cfg *format.Config, branch string) string {
	b := cfg.Section("branch").Subsection(branch)
	remote, merge := b.Option("remote"), plumbing.ReferenceName(b.Option("merge"))
	switch {
	case remote == "" || merge == "":
		return ""
	case remote == ".":
		return merge.String()
	}
	for _, spec := range cfg.Section("remote").Subsection(remote).OptionAll("fetch") {
		if s := config.RefSpec(spec); s.Validate() == nil && s.Match(merge) {
			return s.Dst(merge).String()
		}
	}
	return ""
}
