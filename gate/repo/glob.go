package repo

import (
	"strings"
)

// token is one element of a glob.
type token struct {
	kind  byte      // one of the constants below
	bytes [4]uint64 // for one: the set of bytes, a bit each
}

const (
	one      = iota // one byte of a set
	star            // *: any bytes but slashes
	anyDirs         // **/: nothing, or anything that ends in a slash
	anything        // ** at the end: at least one byte
)

func (t *token) add(b byte)      { t.bytes[b>>6] |= 1 << (b & 63) }
func (t *token) remove(b byte)   { t.bytes[b>>6] &^= 1 << (b & 63) }
func (t *token) has(b byte) bool { return t.bytes[b>>6]>>(b&63)&1 == 1 }
func (t *token) invert() {
	for i := range t.bytes {
		t.bytes[i] = ^t.bytes[i]
	}
}

// parseGlob reads a pattern byte by byte, as git does; false: it can match nothing.
func parseGlob(p string) ([]token, bool) {
	var glob []token
	for i := 0; i < len(p); i++ {
		t := token{kind: one}
		switch p[i] {
		case '*':
			stars := len(p[i:]) - len(strings.TrimLeft(p[i:], "*"))
			afterSlash, rest := i == 0 || p[i-1] == '/', p[i+stars:]
			i += stars - 1
			switch {
			case stars > 1 && afterSlash && strings.HasPrefix(rest, "/"):
				t.kind = anyDirs
				i++
			case stars > 1 && afterSlash && rest == "":
				t.kind = anything
			default:
				t.kind = star
			}
		case '?':
			t.invert()
			t.remove('/')
		case '[':
			n, ok := t.parseSet(p[i:])
			if !ok {
				return nil, false
			}
			i += n - 1
		case '\\':
			if i++; i == len(p) {
				return nil, false
			}
			t.add(p[i])
		default:
			t.add(p[i])
		}
		glob = append(glob, t)
	}
	return glob, true
}

// classes are the named sets of [[:name:]], ASCII only as in git.
var classes = map[string]func(byte) bool{
	"alnum":  func(b byte) bool { return isAlpha(b) || isDigit(b) },
	"alpha":  isAlpha,
	"blank":  func(b byte) bool { return b == ' ' || b == '\t' },
	"cntrl":  func(b byte) bool { return b < ' ' || b == 0x7f },
	"digit":  isDigit,
	"graph":  func(b byte) bool { return b > ' ' && b < 0x7f },
	"lower":  func(b byte) bool { return b >= 'a' && b <= 'z' },
	"print":  func(b byte) bool { return b >= ' ' && b < 0x7f },
	"punct":  func(b byte) bool { return b > ' ' && b < 0x7f && !isAlpha(b) && !isDigit(b) },
	"space":  func(b byte) bool { return b == ' ' || b >= '\t' && b <= '\r' },
	"upper":  func(b byte) bool { return b >= 'A' && b <= 'Z' },
	"xdigit": func(b byte) bool { return isDigit(b) || b|0x20 >= 'a' && b|0x20 <= 'f' },
}

func isAlpha(b byte) bool { return b|0x20 >= 'a' && b|0x20 <= 'z' }
func isDigit(b byte) bool { return b >= '0' && b <= '9' }

// parseSet reads [...] at the start of p and returns its length.
func (t *token) parseSet(p string) (n int, ok bool) {
	i := 1
	negated := i < len(p) && (p[i] == '!' || p[i] == '^')
	if negated {
		i++
	}
	for first := true; ; first = false {
		if i >= len(p) {
			return 0, false
		}
		if p[i] == ']' && !first {
			break
		}
		if strings.HasPrefix(p[i:], "[:") {
			if end := strings.Index(p[i:], ":]"); end > 0 {
				class, known := classes[p[i+2:max(i+2, i+end)]]
				if !known {
					return 0, false
				}
				for b := range 256 {
					if class(byte(b)) {
						t.add(byte(b))
					}
				}
				i += end + 2
				continue
			}
		}
		low, size := setByte(p[i:])
		i += size
		high := low
		if i+1 < len(p) && p[i] == '-' && p[i+1] != ']' {
			high, size = setByte(p[i+1:])
			i += 1 + size
		}
		for b := int(low); b <= int(high); b++ {
			t.add(byte(b))
		}
	}
	if negated {
		t.invert()
	}
	t.remove('/')
	return i + 1, true
}

// setByte returns the next byte of a set, which a backslash may quote.
func setByte(p string) (b byte, size int) {
	if p[0] == '\\' && len(p) > 1 {
		return p[1], 2
	}
	return p[0], 1
}

// match reports whether a glob matches all of s. Its time is bounded by the
// product of the lengths, whatever a hostile pattern holds: it keeps, for each
// token from the last to the first, which ends of s are matched from there on.
func match(glob []token, s string) bool {
	if s == "" {
		return false
	}
	// Most patterns are told apart by their ends.
	first, last := &glob[0], &glob[len(glob)-1]
	if first.kind == one && !first.has(s[0]) || last.kind == one && !last.has(s[len(s)-1]) {
		return false
	}
	next := make([]bool, len(s)+1)
	now := make([]bool, len(s)+1)
	next[len(s)] = true
	for t := len(glob) - 1; t >= 0; t-- {
		glob[t].ends(s, next, now)
		next, now = now, next
	}
	return next[0]
}

// ends says from which places in s on the token, and what stands behind it, match: next
// says that of what stands behind it.
func (t *token) ends(s string, next, now []bool) {
	now[len(s)] = t.kind != one && t.kind != anything && next[len(s)]
	reach := false // some later end, past a slash, is matched
	for i := len(s) - 1; i >= 0; i-- {
		switch t.kind {
		case one:
			now[i] = t.has(s[i]) && next[i+1]
		case star:
			now[i] = next[i] || s[i] != '/' && now[i+1]
		case anyDirs:
			reach = reach || s[i] == '/' && next[i+1]
			now[i] = next[i] || reach
		case anything:
			now[i] = true
		}
	}
}
