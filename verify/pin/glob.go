package pin

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
)

// Bounds for the globs of one pin, which are anybody's text.
const (
	maxGlobs     = 256
	maxGlobBytes = 1024
	maxChoices   = 256
	maxGlobWork  = 1 << 28 // steps, less than a second
)

var errGlob = errors.New("malformed glob")

// Glob is a pattern for paths: ? and [a-z] stand for one character of a name, * for any
// number, ** as a whole element for any number of folders, {a,b} for either. Matching
// takes time in proportion to pattern and path, whatever the pattern.
type Glob struct {
	dir     string
	choices [][]token
}

// token is one element of a pattern.
type token struct {
	kind    byte // one of the constants below
	char    rune // literal
	negated bool // set
	ranges  [][2]rune
}

const (
	literal = iota
	any1    // ?
	set     // [...]
	star    // *
	folders // **/
	rest    // ** at the end
)

// IsGlob reports whether text has a glob's special characters.
func IsGlob(text string) bool { return strings.ContainsAny(text, "*?[{") }

// ParseGlob reads a pattern, which counts from the root of the tree.
func ParseGlob(pattern string) (*Glob, error) {
	if len(pattern) > maxGlobBytes {
		return nil, fmt.Errorf("%w: longer than %d bytes", errGlob, maxGlobBytes)
	}
	choices, err := expandBraces(pattern)
	if err != nil {
		return nil, err
	}
	g := &Glob{}
	for i, choice := range choices {
		dir := fixedDir(choice)
		if i > 0 {
			dir = commonDir(g.dir, dir)
		}
		g.dir = dir
		tokens, err := parseTokens(choice)
		if err != nil {
			return nil, err
		}
		g.choices = append(g.choices, tokens)
	}
	return g, nil
}

// Dir is the deepest folder that everything that matches lies in; "." for the root.
func (g *Glob) Dir() string { return g.dir }

// cost bounds the steps that matching a path of n bytes takes.
func (g *Glob) cost(n int) int {
	tokens := 0
	for _, choice := range g.choices {
		tokens += len(choice) + 1
	}
	return tokens * (n + 1)
}

// Match reports whether all of the path name matches.
func (g *Glob) Match(name string) bool {
	runes := []rune(name)
	for _, tokens := range g.choices {
		if matchTokens(tokens, runes) {
			return true
		}
	}
	return false
}

// expandBraces writes {a,b} out, also nested, into at most maxChoices patterns.
func expandBraces(pattern string) ([]string, error) {
	open := strings.IndexByte(pattern, '{')
	if open < 0 {
		return []string{pattern}, nil
	}
	var parts []string
	depth, from, end := 0, open+1, -1
	for i := open; i < len(pattern) && end < 0; i++ {
		switch pattern[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				parts, end = append(parts, pattern[from:i]), i
			}
		case ',':
			if depth == 1 {
				parts, from = append(parts, pattern[from:i]), i+1
			}
		}
	}
	if end < 0 {
		return nil, fmt.Errorf("%w: { without }", errGlob)
	}
	var all []string
	for _, part := range parts {
		more, err := expandBraces(pattern[:open] + part + pattern[end+1:])
		if err != nil {
			return nil, err
		}
		if all = append(all, more...); len(all) > maxChoices {
			return nil, fmt.Errorf("%w: more than %d alternatives", errGlob, maxChoices)
		}
	}
	return all, nil
}

// fixedDir is the folder before the first special character.
func fixedDir(pattern string) string {
	if i := strings.IndexAny(pattern, "*?[\\"); i >= 0 {
		pattern = pattern[:i]
	}
	if dir := path.Dir(pattern); fs.ValidPath(dir) {
		return dir
	}
	return "."
}

func commonDir(a, b string) string {
	for a != "." && a != b && !strings.HasPrefix(b, a+"/") {
		a = path.Dir(a)
	}
	return a
}

func parseTokens(pattern string) ([]token, error) {
	var tokens []token
	runes := []rune(pattern)
	for i := 0; i < len(runes); i++ {
		t := token{char: runes[i]}
		switch runes[i] {
		case '?':
			t.kind = any1
		case '*':
			atStart := i == 0 || runes[i-1] == '/'
			stars := 1
			for i+stars < len(runes) && runes[i+stars] == '*' {
				stars++
			}
			next := i + stars
			switch {
			case stars > 1 && atStart && next == len(runes):
				t.kind = rest
			case stars > 1 && atStart && runes[next] == '/':
				t.kind, next = folders, next+1
			default:
				t.kind = star
			}
			i = next - 1
		case '[':
			n, err := t.parseSet(runes[i:])
			if err != nil {
				return nil, err
			}
			i += n - 1
		case '\\':
			if i++; i == len(runes) {
				return nil, fmt.Errorf("%w: ends in a backslash", errGlob)
			}
			t.char = runes[i]
		}
		tokens = append(tokens, t)
	}
	return tokens, nil
}

// parseSet reads [a-z] or [!a-z] at the start of runes and returns its length.
func (t *token) parseSet(runes []rune) (int, error) {
	t.kind = set
	i := 1
	if i < len(runes) && (runes[i] == '!' || runes[i] == '^') {
		t.negated = true
		i++
	}
	for first := true; i < len(runes); first = false {
		if runes[i] == ']' && !first {
			return i + 1, nil
		}
		low := runes[i]
		high := low
		if i+2 < len(runes) && runes[i+1] == '-' && runes[i+2] != ']' {
			high = runes[i+2]
			i += 2
		}
		t.ranges = append(t.ranges, [2]rune{low, high})
		i++
	}
	return 0, fmt.Errorf("%w: [ without ]", errGlob)
}

func (t *token) has(r rune) bool {
	if r == '/' {
		return false
	}
	for _, span := range t.ranges {
		if span[0] <= r && r <= span[1] {
			return !t.negated
		}
	}
	return t.negated
}

// matchTokens keeps, for each token from the last to the first, which ends of s are
// matched from there on.
func matchTokens(tokens []token, s []rune) bool {
	// Most patterns are told apart by their ends.
	if n := len(tokens); n > 0 && tokens[n-1].kind == literal && (len(s) == 0 || s[len(s)-1] != tokens[n-1].char) {
		return false
	}
	next, now := make([]bool, len(s)+1), make([]bool, len(s)+1)
	next[len(s)] = true
	for i := len(tokens) - 1; i >= 0; i-- {
		tokens[i].step(s, next, now)
		next, now = now, next
	}
	return next[0]
}

// step says in now which ends of s the token and what follows it match, where next says
// it of what follows.
func (t *token) step(s []rune, next, now []bool) {
	end := len(s)
	switch t.kind {
	case star:
		now[end] = next[end]
		for k := end - 1; k >= 0; k-- {
			now[k] = next[k] || s[k] != '/' && now[k+1]
		}
	case folders:
		now[end] = next[end]
		reach := false // some later end, past a slash, is matched
		for k := end - 1; k >= 0; k-- {
			reach = reach || s[k] == '/' && next[k+1]
			now[k] = next[k] || reach
		}
	case rest:
		now[end] = false
		for k := range end {
			now[k] = true
		}
	default:
		now[end] = false
		for k, r := range s {
			now[k] = next[k+1] && t.takes(r)
		}
	}
}

// takes reports whether the token, which stands for one character, can be r.
func (t *token) takes(r rune) bool {
	switch t.kind {
	case literal:
		return r == t.char
	case any1:
		return r != '/'
	}
	return t.has(r)
}
