package valuediff

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/canonical"
)

const (
	// maxShown bounds a shown value, in characters.
	maxShown = 120
	// cutNote follows what was cut.
	cutNote = "… (cut at 120 characters)"
	// maxKey bounds one key in a path, and maxPath the whole path, in bytes.
	maxKey  = 120
	maxPath = 480
)

// show is canonical JSON cut at maxShown characters, secrets masked.
func show(v canonical.Value) string {
	// A character has at most four bytes, so beyond this nothing is shown.
	p := printer{limit: 4*maxShown + 4}
	p.value(v)
	return noted(string(p.buf))
}

// noted cuts s at maxShown characters, and says so.
func noted(s string) string {
	if cut := verify.Clip(s, maxShown+1); cut != s {
		return strings.TrimSuffix(cut, "…") + cutNote
	}
	return s
}

// printer writes canonical JSON until there is more than will be shown.
type printer struct {
	buf   []byte
	limit int
}

func (p *printer) full() bool { return len(p.buf) > p.limit }

func (p *printer) value(v canonical.Value) {
	switch v := v.(type) {
	case string:
		p.text(v)
	case []canonical.Value:
		p.buf = append(p.buf, '[')
		for i, item := range v {
			if p.full() {
				return
			}
			if i > 0 {
				p.buf = append(p.buf, ',')
			}
			p.value(item)
		}
		p.buf = append(p.buf, ']')
	case *canonical.Object:
		p.buf = append(p.buf, '{')
		for i, key := range sortedKeys(v) {
			if p.full() {
				return
			}
			if i > 0 {
				p.buf = append(p.buf, ',')
			}
			p.text(key)
			p.buf = append(p.buf, ':')
			if LooksSecret(key) {
				p.text(Masked)
				continue
			}
			item, _ := v.Get(key)
			p.value(item)
		}
		p.buf = append(p.buf, '}')
	default:
		p.buf = canonical.AppendJSON(p.buf, v)
	}
}

// text writes a string, or as much of it as can be shown.
func (p *printer) text(s string) {
	if len(s) > p.limit {
		cut := p.limit
		for cut > 0 && !utf8.RuneStart(s[cut]) {
			cut--
		}
		s = s[:cut]
	}
	p.buf = canonical.AppendString(p.buf, s)
}

// sortedKeys are the keys that the canonical JSON has, in its order: array
// indexes by number, then the rest by UTF-16 code units, without __proto__.
func sortedKeys(o *canonical.Object) []string {
	keys := slices.DeleteFunc(o.Keys(), func(key string) bool { return key == "__proto__" })
	slices.SortFunc(keys, compareKeys)
	return keys
}

func compareKeys(a, b string) int {
	i, aIndex := canonical.ArrayIndex(a)
	j, bIndex := canonical.ArrayIndex(b)
	switch {
	case aIndex && bIndex:
		return cmp.Compare(i, j)
	case aIndex:
		return -1
	case bIndex:
		return 1
	}
	return canonical.CompareKeys(a, b)
}

// place is where a value stands; paths are spelled out only for the edits.
type place struct {
	up    *place
	key   string
	index int // -1: key counts
}

func (at *place) member(key string) *place { return &place{at, key, -1} }
func (at *place) element(index int) *place { return &place{at, "", index} }

// String spells the path: "a.b[3]", with keys that are no identifiers quoted.
func (at *place) String() string {
	var steps []*place
	for ; at != nil; at = at.up {
		steps = append(steps, at)
	}
	if len(steps) == 0 {
		return "."
	}
	var path []byte
	for i, step := range slices.Backward(steps) {
		switch {
		case len(path) > maxPath:
			return string(path) + "…"
		case step.index >= 0:
			path = append(path, '[')
			path = strconv.AppendInt(path, int64(step.index), 10)
			path = append(path, ']')
		case isIdentifier(step.key):
			if i < len(steps)-1 {
				path = append(path, '.')
			}
			path = append(path, step.key...)
		default:
			key := printer{limit: maxKey}
			key.text(step.key)
			path = append(path, '[')
			path = append(path, key.buf...)
			if len(step.key) > maxKey {
				path = append(path, "…"...)
			}
			path = append(path, ']')
		}
	}
	return string(path)
}

// isIdentifier reports whether a key needs no quotes in a path. Hyphens need none:
// most keys of a style token have one.
func isIdentifier(key string) bool {
	if key == "" || len(key) > maxKey {
		return false
	}
	for i := range len(key) {
		switch b := key[i]; {
		case b >= 'a' && b <= 'z', b >= 'A' && b <= 'Z', b == '_':
		case i > 0 && (b >= '0' && b <= '9' || b == '-'):
		default:
			return false
		}
	}
	return true
}
