package repo

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
)

// maxAttributes bounds one .gitattributes, in bytes. Git refuses larger ones than 100 MB.
const maxAttributes = 1 << 20

// Values of an attribute that are no text of their own (gitattributes(5)).
const (
	attrSet   = "\x00set"   // name
	attrUnset = "\x00unset" // -name
	attrNone  = ""          // !name, or not mentioned
)

// attribute is one assignment.
type attribute struct{ name, value string }

// attributeRule is one line of a .gitattributes.
type attributeRule struct {
	pattern ignorePattern
	sets    []attribute
}

// attributeFile is the lines of one file, and the folder that they are relative to.
type attributeFile struct {
	dir    string // "." for the root
	rules  []attributeRule
	macros map[string][]attribute
}

// parseAttributes reads the lines of a .gitattributes.
func parseAttributes(dir, text string) attributeFile {
	f := attributeFile{dir: dir, macros: map[string][]attribute{}}
	for line := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) {
		line = strings.TrimRight(strings.TrimLeft(line, " \t"), " \t\r\n")
		if line == "" || line[0] == '#' {
			continue
		}
		pattern, rest, ok := cutPattern(line)
		if !ok {
			continue
		}
		sets := parseSets(rest)
		if name, macro := strings.CutPrefix(pattern, "[attr]"); macro {
			f.macros[name] = sets
			continue
		}
		// A negative pattern is forbidden, and one for folders matches no file.
		if strings.HasPrefix(pattern, "!") || strings.HasSuffix(pattern, "/") {
			continue
		}
		if p, ok := parsePattern(pattern); ok {
			f.rules = append(f.rules, attributeRule{p, sets})
		}
	}
	return f
}

// cutPattern takes the pattern off a line; it may be quoted as a string of C.
func cutPattern(line string) (pattern, rest string, ok bool) {
	if line[0] != '"' {
		i := strings.IndexAny(line, " \t")
		if i < 0 {
			return line, "", true
		}
		return line[:i], line[i:], true
	}
	quoted, err := strconv.QuotedPrefix(line)
	if err != nil {
		return "", "", false
	}
	pattern, err = strconv.Unquote(quoted)
	return pattern, line[len(quoted):], err == nil
}

func parseSets(text string) []attribute {
	var sets []attribute
	for word := range strings.FieldsSeq(text) {
		name, value, hasValue := strings.Cut(word, "=")
		switch {
		case hasValue:
			sets = append(sets, attribute{name, value})
		case word[0] == '-':
			sets = append(sets, attribute{word[1:], attrUnset})
		case word[0] == '!':
			sets = append(sets, attribute{word[1:], attrNone})
		default:
			sets = append(sets, attribute{word, attrSet})
		}
	}
	return sets
}

// attributesOf are the attributes of a path by the files that apply to it, the strongest
// last.
func attributesOf(files []attributeFile, name string) map[string]string {
	macros := map[string][]attribute{
		"binary": {{"diff", attrUnset}, {"merge", attrUnset}, {"text", attrUnset}},
	}
	got := make(map[string]string)
	for _, f := range files {
		for macro, sets := range f.macros {
			macros[macro] = sets
		}
	}
	for _, f := range files {
		relative := name
		if f.dir != "." {
			relative = strings.TrimPrefix(name, f.dir+"/")
		}
		for i := range f.rules {
			p := &f.rules[i].pattern
			against := relative
			if p.anywhere {
				against = path.Base(relative)
			}
			if !match(p.glob, against) {
				continue
			}
			for _, set := range f.rules[i].sets {
				if set.value == attrSet {
					for _, inner := range macros[set.name] {
						got[inner.name] = inner.value
					}
				}
				got[set.name] = set.value
			}
		}
	}
	return got
}

// attributeFiles are those that apply to a path of the work tree: that for all
// repositories, one in each folder above it, and info/attributes. Links are not followed, as git does not.
func (c *Converter) attributeFiles(name string) ([]attributeFile, error) {
	files := []attributeFile{c.global}
	dirs := []string{"."}
	for i := range len(name) {
		if name[i] == '/' {
			dirs = append(dirs, name[:i])
		}
	}
	for _, dir := range dirs {
		f, err := c.attributeFile(dir)
		if err != nil {
			return nil, err
		}
		if f != nil {
			files = append(files, *f)
		}
	}
	return append(files, c.info), nil
}

func (c *Converter) attributeFile(dir string) (*attributeFile, error) {
	if f, ok := c.files[dir]; ok {
		return f, nil
	}
	name := filepath.FromSlash(path.Join(dir, ".gitattributes"))
	var parsed *attributeFile
	info, err := c.tree.repo.dir.Lstat(name)
	switch {
	case err == nil && info.Mode().IsRegular():
		text, err := readLimited(c.tree.repo.dir.Open(name))
		if err != nil {
			return nil, err
		}
		f := parseAttributes(dir, text)
		parsed = &f
	case err != nil && !errors.Is(cause(err), fs.ErrNotExist):
		return nil, err
	}
	c.files[dir] = parsed
	return parsed, nil
}

// readLimited reads a file of attributes that has just been opened; none is empty.
func readLimited(f *os.File, err error) (string, error) {
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxAttributes))
	return string(bytes.ToValidUTF8(text, nil)), err
}
