package dvc

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// errTemplate: a text holds ${…} that does not lead to a plain value here.
var errTemplate = errors.New("holds ${…} that can't be resolved")

// maxText bounds all texts that one pipeline's templates make, in bytes; each element of a
// list that is copied costs as much as a short text.
const (
	maxText = 8 << 20
	cost    = 32
)

// scope is where ${…} looks names up: what a foreach or matrix stage adds first, then
// the pipeline's vars and parameters (dvc/parsing/context.py).
type scope struct {
	root  *dict
	err   error // what DVC refuses the vars for; it counts once a name is asked for
	items map[string]value
	room  *int // what is left of maxText
}

// with is the scope of one item of a foreach or matrix stage.
func (s *scope) with(items map[string]value) *scope {
	return &scope{root: s.root, err: s.err, items: items, room: s.room}
}

// resolve resolves every text in v, keys included (interpolate.recurse).
func (s *scope) resolve(v value) (value, error) {
	switch v := v.(type) {
	case string:
		return s.text(v)
	case []value:
		if *s.room -= cost * len(v); *s.room < 0 {
			return nil, errTemplate
		}
		items := make([]value, 0, len(v))
		for _, item := range v {
			r, err := s.resolve(item)
			if err != nil {
				return nil, err
			}
			items = append(items, r)
		}
		return items, nil
	case *dict:
		d := new(dict)
		for i, key := range v.keys {
			k, err := s.resolve(key)
			if err != nil {
				return nil, err
			}
			r, err := s.resolve(v.vals[i])
			if err != nil {
				return nil, err
			}
			d.set(k, r)
		}
		return d, nil
	}
	return v, nil
}

// text resolves one text. One that is a single ${…} becomes the value itself, whatever
// its type; in all others the values are printed.
func (s *scope) text(text string) (value, error) {
	if !strings.Contains(text, "${") {
		return text, nil
	}
	var b strings.Builder
	rest := text
	for {
		start, end := expression(rest)
		if start < 0 {
			b.WriteString(rest)
			break
		}
		v, err := s.lookup(rest[start+2 : end])
		if err != nil {
			return nil, err
		}
		if start == 0 && end+1 == len(text) {
			if _, ok := printed(v); !ok {
				return nil, errTemplate
			}
			return v, nil
		}
		shown, ok := printed(v)
		if !ok {
			return nil, errTemplate // a list; or a dict, which a command takes as flags
		}
		b.WriteString(rest[:start] + shown)
		rest = rest[end+1:]
		if b.Len() > maxText {
			return nil, errTemplate
		}
	}
	if *s.room -= b.Len(); *s.room < 0 {
		return nil, errTemplate
	}
	return strings.ReplaceAll(b.String(), `\${`, "${"), nil
}

// expression finds the first ${…} that no backslash escapes and that ends on its line:
// the places of its dollar and its closing brace. start is -1 for none.
func expression(text string) (start, end int) {
	for from := 0; ; {
		i := strings.Index(text[from:], "${")
		if i < 0 {
			return -1, 0
		}
		i += from
		if i == 0 || text[i-1] != '\\' {
			n := strings.IndexAny(text[i:], "}\n")
			if n >= 0 && text[i+n] == '}' {
				return i, i + n
			}
		}
		from = i + 2
	}
}

// lookup follows a.b[0].c: brackets are another spelling of dots.
func (s *scope) lookup(expr string) (value, error) {
	keys := strings.Split(strings.ReplaceAll(strings.ReplaceAll(expr, "[", "."), "]", ""), ".")
	var at value = s.root
	for i, key := range keys {
		key = strings.TrimSpace(key)
		if i == 0 {
			if v, ok := s.items[key]; ok {
				at = v
				continue
			}
			if s.err != nil {
				return nil, s.err
			}
		}
		var ok bool
		switch in := at.(type) {
		case *dict:
			at, ok = in.text(key)
		case []value:
			n, err := strconv.Atoi(key)
			if n < 0 {
				n += len(in)
			}
			if ok = err == nil && n >= 0 && n < len(in); ok {
				at = in[n]
			}
		}
		if !ok {
			return nil, fmt.Errorf("%w: %s is not among the vars and parameters", errTemplate, strconv.Quote(shown(expr)))
		}
	}
	return at, nil
}
