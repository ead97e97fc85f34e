package repo

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/go-git/go-git/v5/plumbing/format/config"
)

// UserConfig says where git's configuration beyond a repository's own lies. The zero
// value is that of a machine without any.
type UserConfig struct {
	// Files are those of the configuration, the weakest first; one that isn't there counts
	// as empty.
	Files []string
	// Home is what "~/" stands for; empty where there is none.
	Home string
	// Attributes is the file of attributes for all repositories, unless
	// core.attributesFile names another; empty for none.
	Attributes string
}

// maxIncludes bounds how deep files of the configuration include each other, as git does.
const maxIncludes = 10

// configure takes what matters from a file of git's configuration and from what it
// includes (git-config, Includes).
func (c *Converter) configure(name string, depth int) error {
	text, err := readSmall(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("reading git's configuration: %w", err)
	}
	// A later line wins, wherever it stands, so that each section is taken by itself.
	for _, part := range sections(string(text)) {
		cfg := config.New()
		if err := config.NewDecoder(strings.NewReader(part)).Decode(cfg); err != nil {
			return fmt.Errorf("reading git's configuration: %w", err)
		}
		c.settings(cfg)
		for _, include := range c.includes(cfg, name) {
			if depth == maxIncludes {
				return fmt.Errorf("reading git's configuration: %s: included too deep", name)
			}
			if err := c.configure(include, depth+1); err != nil {
				return err
			}
		}
	}
	return nil
}

// header is the line that begins a section, on which a setting may follow: go-git wants
// that on a line of its own.
var header = regexp.MustCompile(`(?m)^[ \t]*\[[^\]"\n]*(?:"(?:[^"\\\n]|\\.)*")?[ \t]*\]`)

// sections are the parts of a text, each from the line that begins it.
func sections(text string) []string {
	var all []string
	at := header.FindAllStringIndex(text, -1)
	for i, h := range at {
		end := len(text)
		if i+1 < len(at) {
			end = at[i+1][0]
		}
		all = append(all, text[h[0]:h[1]]+"\n"+text[h[1]:end])
	}
	return all
}

// settings takes the settings of one section.
func (c *Converter) settings(cfg *config.Config) {
	core := cfg.Section("core")
	if core.HasOption("autocrlf") {
		switch value := strings.ToLower(core.Option("autocrlf")); {
		case value == "input":
			c.autocrlf = "input"
		case value == "" || isFalse(value):
			c.autocrlf = ""
		default:
			c.autocrlf = "true"
		}
	}
	if core.HasOption("attributesFile") {
		// Git takes a relative path from where it runs, which is the root.
		c.attributes = c.expand(core.Option("attributesFile"), c.tree.repo.root)
	}
	for _, filter := range cfg.Section("filter").Subsections {
		if filter.Option("clean") != "" || filter.Option("process") != "" {
			c.filters[filter.Name] = true
		}
	}
}

// includes are the files that one section of the file at name includes.
func (c *Converter) includes(cfg *config.Config, name string) []string {
	paths := cfg.Section("include").OptionAll("path")
	for _, sub := range cfg.Section("includeIf").Subsections {
		if c.applies(sub.Name, filepath.Dir(name)) {
			paths = append(paths, sub.OptionAll("path")...)
		}
	}
	for i, p := range paths {
		paths[i] = c.expand(p, filepath.Dir(name))
	}
	return paths
}

// applies judges a condition on the git folder. Others are taken for not met: what a
// branch or a remote decides is hardly how files are stored.
func (c *Converter) applies(condition, dir string) bool {
	keyword, pattern, _ := strings.Cut(condition, ":")
	at := filepath.ToSlash(c.tree.repo.gitDir)
	switch keyword {
	case "gitdir":
	case "gitdir/i":
		at, pattern = strings.ToLower(at), strings.ToLower(pattern)
	default:
		return false
	}
	switch {
	case strings.HasPrefix(pattern, "~/"), strings.HasPrefix(pattern, "./"):
		pattern = filepath.ToSlash(c.expand(pattern, dir)) + strings.Repeat("/", trailing(pattern))
	case !filepath.IsAbs(filepath.FromSlash(pattern)):
		pattern = "**/" + pattern
	}
	if strings.HasSuffix(pattern, "/") {
		pattern += "**"
	}
	ok, err := doublestar.Match(pattern, at)
	return ok && err == nil
}

// trailing counts the slash at the end, which joining paths takes away.
func trailing(pattern string) int {
	if strings.HasSuffix(pattern, "/") {
		return 1
	}
	return 0
}

// expand is the file that a path in the configuration names, which counts from dir.
func (c *Converter) expand(name, dir string) string {
	if rest, ok := strings.CutPrefix(name, "~/"); ok {
		return filepath.Join(c.home, filepath.FromSlash(rest))
	}
	if name = filepath.FromSlash(name); filepath.IsAbs(name) || name == "" {
		return name
	}
	return filepath.Join(dir, name)
}
