package repo

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
)

// maxIgnore bounds one ignore file, in bytes. What follows is not read.
const maxIgnore = 256 << 10

// maxPattern bounds one pattern, in bytes: no path is longer. A longer one ignores nothing.
const maxPattern = 4 << 10

// ignorePattern is one line of a .gitignore (gitignore(5)).
type ignorePattern struct {
	glob     []token
	negated  bool // !pattern: not ignored after all
	dirsOnly bool // pattern/
	anywhere bool // no slash: matches the last name of a path
}

// ignoreFile is the patterns of one file, and the folder they are relative to.
type ignoreFile struct {
	dir      string // "." for the root
	patterns []ignorePattern
}

// ignoreFiles are those that apply in a folder, the strongest last.
type ignoreFiles []ignoreFile

// ignored reports what the last matching pattern says of a path whose folder is
// not ignored itself.
func (files ignoreFiles) ignored(name string, isDir bool) bool {
	for i := len(files) - 1; i >= 0; i-- {
		relative := name
		if files[i].dir != "." {
			relative = name[len(files[i].dir)+1:]
		}
		for j := len(files[i].patterns) - 1; j >= 0; j-- {
			p := &files[i].patterns[j]
			if p.dirsOnly && !isDir {
				continue
			}
			against := relative
			if p.anywhere {
				against = path.Base(relative)
			}
			if match(p.glob, against) {
				return !p.negated
			}
		}
	}
	return false
}

// readPatterns reads an ignore file that has just been opened.
func readPatterns(f *os.File, err error) ([]ignorePattern, error) {
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxIgnore))
	return parseIgnore(string(text)), err
}

// parseIgnore reads the lines of a .gitignore.
func parseIgnore(text string) []ignorePattern {
	var patterns []ignorePattern
	for line := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) {
		line = strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
		if strings.HasPrefix(line, "#") {
			continue
		}
		if p, ok := parsePattern(trimBlanks(line)); ok {
			patterns = append(patterns, p)
		}
	}
	return patterns
}

// trimBlanks removes trailing blanks, unless a backslash quotes them.
func trimBlanks(line string) string {
	end := 0
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case ' ':
			continue
		case '\\':
			i++
		}
		end = min(i+1, len(line))
	}
	return line[:end]
}

func parsePattern(line string) (p ignorePattern, ok bool) {
	line, p.negated = strings.CutPrefix(line, "!")
	line, p.dirsOnly = strings.CutSuffix(line, "/")
	p.anywhere = !strings.Contains(line, "/")
	line = strings.TrimPrefix(line, "/")
	if line == "" || len(line) > maxPattern {
		return p, false
	}
	p.glob, ok = parseGlob(line)
	return p, ok
}
