package dvc

import (
	"bytes"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/replay-gate/replay-gate/verify"
)

// Bounds on a .dvcignore file.
const (
	maxIgnoreFile  = 256 << 10
	maxPatterns    = 2000
	maxPatternSize = 1024
)

// Files with rules of what to leave out: DVC's, and git's, which are written alike.
const (
	ignoreFile    = ".dvcignore"
	gitIgnoreFile = ".gitignore"
)

// pattern is one line of a .dvcignore, compiled as DVC does it (pathspec's gitignore
// patterns, dvc/ignore.py).
type pattern struct {
	re      *regexp.Regexp
	dirOnly bool
	ignore  bool
}

// rules are the patterns of one folder's .dvcignore; nil for a folder without one.
type rules struct {
	base     string // the folder
	patterns []pattern
}

type rulesKey struct{ dir, name string }

// rulesOf reads the .dvcignore or .gitignore in folder dir.
func rulesOf(t *verify.Tree, dir, name string) *rules {
	return verify.Once(t, rulesKey{dir, name}, func(t *verify.Tree) *rules {
		data, err := t.ReadFile(path.Join(dir, name), maxIgnoreFile)
		if err != nil {
			return nil
		}
		r := &rules{base: dir}
		for line := range bytes.Lines(data) {
			if p, ok := compile(strings.TrimSpace(string(line))); ok && len(r.patterns) < maxPatterns {
				r.patterns = append(r.patterns, p)
			}
		}
		return r
	})
}

// compile translates a pattern to a regular expression, segment by segment, as
// GitIgnoreSpecPattern.pattern_to_regex does. It matches from a path's start and may end
// at a slash. ok is false for a comment, a blank line, and what git discards.
func compile(text string) (p pattern, ok bool) {
	if text == "" || text == "/" || strings.HasPrefix(text, "#") || len(text) > maxPatternSize {
		return pattern{}, false
	}
	rest, negated := strings.CutPrefix(text, "!")
	p.ignore, p.dirOnly = !negated, strings.HasSuffix(rest, "/")
	segments := strings.Split(rest, "/")
	switch {
	case segments[0] == "":
		segments = segments[1:]
	case (len(segments) == 1 || len(segments) == 2 && segments[1] == "") && segments[0] != "**":
		segments = append([]string{"**"}, segments...)
	}
	if len(segments) == 0 {
		return pattern{}, false
	}
	if last := len(segments) - 1; segments[last] == "" {
		segments[last] = "**"
	}
	segments = slices.CompactFunc(segments, func(a, b string) bool { return a == "**" && b == "**" })
	if p.dirOnly && len(segments) == 1 || strings.Join(segments, "/") == "**/*/**" {
		return pattern{}, false // "**/", "*/": in git all folders; DVC's regular expression matches nothing
	}
	text, ok = translate(segments)
	if !ok {
		return pattern{}, false
	}
	re, err := regexp.Compile(text)
	if err != nil {
		return pattern{}, false
	}
	p.re = re
	return p, true
}

func translate(segments []string) (text string, ok bool) {
	if len(segments) == 1 && segments[0] == "**" {
		return ".", true
	}
	var b strings.Builder
	slash, last := false, len(segments)-1
	for i, segment := range segments {
		switch {
		case segment == "**" && i == 0:
			b.WriteString("^(?:.+/)?")
			continue
		case segment == "**" && i < last:
			b.WriteString("(?:/.+)?")
			slash = true
			continue
		case segment == "**":
			b.WriteString("/")
			continue
		case i == 0:
			b.WriteString("^")
		}
		if slash {
			b.WriteString("/")
		}
		if segment == "*" {
			b.WriteString("[^/]+")
		} else if !glob(&b, segment) {
			return "", false
		}
		if i == last {
			b.WriteString("(?:/|$)")
		}
		slash = true
	}
	return b.String(), true
}

// glob translates one segment (_translate_segment_glob).
func glob(b *strings.Builder, segment string) (ok bool) {
	for i := 0; i < len(segment); i++ {
		switch c := segment[i]; c {
		case '\\':
			if i++; i == len(segment) {
				return false
			}
			b.WriteString(regexp.QuoteMeta(segment[i : i+1]))
		case '*':
			b.WriteString("[^/]*")
		case '?':
			b.WriteString("[^/]")
		case '[':
			end := bracketEnd(segment, i+1)
			if end < 0 {
				return false
			}
			inner := segment[i+1 : end]
			b.WriteByte('[')
			if inner[0] == '!' || inner[0] == '^' {
				b.WriteByte('^')
				inner = inner[1:]
			}
			// Python takes a bracket within brackets as it is; Go reads [: as a class.
			b.WriteString(strings.NewReplacer(`\`, `\\`, `[`, `\[`).Replace(inner) + "]")
			i = end
		default:
			if c < 0x80 {
				b.WriteString(regexp.QuoteMeta(segment[i : i+1]))
			} else {
				b.WriteByte(c)
			}
		}
	}
	return true
}

// bracketEnd is where the bracket expression whose inside begins at i ends; -1 for one
// that does not.
func bracketEnd(segment string, i int) int {
	start := i
	if i < len(segment) && (segment[i] == '!' || segment[i] == '^') {
		i++
	}
	if i < len(segment) && segment[i] == ']' {
		i++
	}
	for i < len(segment) && segment[i] != ']' {
		i++
	}
	if i >= len(segment) || i == start {
		return -1
	}
	return i
}

// match says what the rules say of a path below their folder; decided is false if none
// matches. The last one that does counts.
func (r *rules) match(name string, dir bool) (ignore, decided bool) {
	if r == nil {
		return false, false
	}
	if r.base != "." {
		name = strings.TrimPrefix(name, r.base+"/")
	}
	for i := len(r.patterns) - 1; i >= 0; i-- {
		p := &r.patterns[i]
		if p.dirOnly && !dir {
			continue
		}
		if p.re.MatchString(name) || dir && p.re.MatchString(name+"/") {
			return p.ignore, true
		}
	}
	return false, false
}

// ignorer decides which files DVC or git leaves out, folder by folder from the top.
type ignorer struct {
	tree *verify.Tree
	root string // of the DVC repository
	name string // of the files with the rules
	dirs map[string]bool
}

func newIgnorer(t *verify.Tree, root, name string) *ignorer {
	return &ignorer{tree: t, root: root, name: name, dirs: map[string]bool{root: false, ".": false}}
}

// file reports whether DVC leaves out the file at name.
func (g *ignorer) file(name string) bool {
	return g.dir(path.Dir(name)) || g.one(name, false)
}

// dir reports whether DVC does not go into the folder at name.
func (g *ignorer) dir(name string) bool {
	if ignored, known := g.dirs[name]; known {
		return ignored
	}
	ignored := g.dir(path.Dir(name)) || g.one(name, true)
	g.dirs[name] = ignored
	return ignored
}

// one asks the rules of all folders above name, the nearest first: their patterns stand
// behind those of the folders above (pathspec_math.merge_patterns).
func (g *ignorer) one(name string, dir bool) bool {
	switch path.Base(name) {
	case ".git", ".hg", ".dvc": // always; the files among them are never data
		if dir || path.Base(name) == ".git" {
			return true
		}
	}
	for folder := path.Dir(name); ; folder = path.Dir(folder) {
		if ignore, decided := rulesOf(g.tree, folder, g.name).match(name, dir); decided {
			return ignore
		}
		if folder == g.root || folder == "." {
			return false
		}
	}
}
