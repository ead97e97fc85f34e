package dvc

import (
	"errors"
	"fmt"
	"path"
	"strings"
)

// stage reads the definition of one stage. An error is what DVC refuses dvc.yaml for;
// what only can't be told here is noted in the stage.
func (b *builder) stage(name string, d *dict, s *scope) (*stage, error) {
	st := &stage{name: name, wdir: b.dir, uncached: make(map[string]bool)}
	raw := func(key string) value { v, _ := d.text(key); return v }
	if w := raw("wdir"); w != nil {
		st.wdir, st.err = b.wdir(w, s)
	}
	if own := raw("vars"); own != nil && st.err == nil {
		c := vars{tree: b.tree, root: s.root, whole: copied(b.names.whole), room: s.room}
		err := s.err
		if err == nil {
			err = c.load(own, st.wdir)
		}
		s = &scope{root: c.root, err: err, items: s.items, room: s.room}
		b.names.files = append(b.names.files, c.files...)
	}
	switch raw("cmd").(type) {
	case string, []value:
	default:
		return nil, errors.New("cmd must be a text or a list")
	}
	st.cmd, st.cmdErr = s.resolve(raw("cmd"))
	var err error
	if st.frozen, err = flag(d, "frozen"); err != nil {
		return nil, err
	}
	if st.always, err = flag(d, "always_changed"); err != nil {
		return nil, err
	}
	if st.deps, st.depsErr, err = paths(d, "deps", s); err != nil {
		return nil, err
	}
	for _, key := range []string{"outs", "metrics", "plots"} {
		list, unresolved, err := paths(d, key, s)
		if err != nil {
			return nil, err
		}
		st.outs, st.outsErr = append(st.outs, list...), errors.Join(st.outsErr, unresolved)
		if unresolved == nil {
			for _, name := range uncached(d, key, s) {
				st.uncached[name] = true
			}
		}
	}
	st.params, st.paramsErr, err = paramDeps(raw("params"), s)
	return st, err
}

func flag(d *dict, key string) (bool, error) {
	v, ok := d.text(key)
	if !ok {
		return false, nil
	}
	b, ok := v.(bool)
	if !ok {
		return false, errors.New(key + " must be true or false")
	}
	return b, nil
}

func copied(m map[string]bool) map[string]bool {
	c := make(map[string]bool, len(m))
	for k, v := range m {
		c[k] = v
	}
	return c
}

func (b *builder) wdir(w value, s *scope) (string, error) {
	text, ok := w.(string)
	if !ok {
		return "", fmt.Errorf("%w: wdir must be a text", errTemplate)
	}
	v, err := s.text(text)
	if err != nil {
		return "", err
	}
	text, _ = printed(v)
	dir, ok := within(b.dir, text)
	if !ok {
		return "", fmt.Errorf("wdir %s lies outside of the repository", shown(text))
	}
	return dir, nil
}

// paths are the paths in a list of texts, or of mappings from a path to its settings, as
// they are spelled. unresolved says that some are missing.
func paths(d *dict, key string, s *scope) (list []string, unresolved, err error) {
	v, ok := d.text(key)
	if !ok {
		return nil, nil, nil
	}
	items, ok := v.([]value)
	if !ok {
		return nil, nil, errors.New(key + " must be a list")
	}
	if *s.room -= cost * len(items); *s.room < 0 {
		return nil, errTemplate, nil
	}
	for _, item := range items {
		names := []value{item}
		if settings, ok := item.(*dict); ok && key != "deps" {
			names = settings.keys
		}
		for _, n := range names {
			text, ok := n.(string)
			if !ok {
				return nil, nil, errors.New(key + " must be a list of paths")
			}
			r, failed := s.text(text)
			name, ok := r.(string)
			if failed != nil || !ok {
				unresolved = errTemplate
				continue
			}
			list = append(list, name)
		}
	}
	return list, unresolved, nil
}

// uncached are the outputs that DVC leaves to git: those with "cache: false".
func uncached(d *dict, key string, s *scope) []string {
	var names []string
	v, _ := d.text(key)
	items, _ := v.([]value)
	for _, item := range items {
		settings, _ := item.(*dict)
		if settings == nil {
			continue
		}
		for i, k := range settings.keys {
			all := []value{settings.vals[i]}
			if list, ok := settings.vals[i].([]value); ok {
				all = list // a plot may have several settings
			}
			for _, one := range all {
				props, _ := one.(*dict)
				if cache, ok := props.text("cache"); !ok || cache != value(false) {
					continue
				}
				if r, err := s.resolve(k); err == nil {
					if name, ok := r.(string); ok {
						names = append(names, clean(name))
					}
				}
			}
		}
	}
	return names
}

// clean is one spelling of all that mean one path. DVC 3 writes a path into the lock as
// dvc.yaml spells it, others cleaned it; Windows takes both slashes.
func clean(name string) string {
	if scheme.MatchString(name) || name == "" {
		return name
	}
	return path.Clean(strings.ReplaceAll(name, `\`, "/"))
}

// paramDeps are the parameters of a stage (dvc/dependency, _merge_params): keys of
// params.yaml, and mappings from a file to keys; a file without keys counts whole.
func paramDeps(v value, s *scope) (list []paramDep, unresolved, err error) {
	if v == nil {
		return nil, nil, nil
	}
	items, ok := v.([]value)
	if !ok {
		return nil, nil, errors.New("params must be a list")
	}
	c := collector{at: make(map[string]int), whole: make(map[string]bool)}
	for _, item := range items {
		r, failed := s.resolve(item)
		if failed != nil {
			unresolved = errTemplate
			continue
		}
		switch r := r.(type) {
		case *dict:
			if err := c.files(r); err != nil {
				return nil, nil, err
			}
		default:
			key, ok := printed(r)
			if !ok {
				return nil, nil, errors.New("params must hold keys and files")
			}
			c.add(defaultParams, key)
		}
	}
	for i := range c.list {
		if c.whole[c.list[i].file] {
			c.list[i].keys = nil
		}
	}
	return c.list, unresolved, nil
}

type collector struct {
	list  []paramDep
	at    map[string]int
	whole map[string]bool
}

func (c *collector) add(file string, keys ...string) {
	i, ok := c.at[file]
	if !ok {
		i = len(c.list)
		c.at[file] = i
		c.list = append(c.list, paramDep{file: file})
	}
	c.list[i].keys = append(c.list[i].keys, keys...)
}

func (c *collector) files(d *dict) error {
	for i, key := range d.keys {
		file, ok := key.(string)
		if !ok {
			return errors.New("params must name files by texts")
		}
		file = clean(file)
		keys, isList := d.vals[i].([]value)
		if !isList && !isEmpty(d.vals[i]) {
			return errors.New("params of " + shown(file) + " must be a list of keys")
		}
		if len(keys) == 0 {
			c.whole[file] = true
		}
		c.add(file)
		for _, k := range keys {
			text, ok := printed(k)
			if !ok {
				return errors.New("params of " + shown(file) + " must be a list of keys")
			}
			c.add(file, text)
		}
	}
	return nil
}

// isEmpty is Python's "not v".
func isEmpty(v value) bool {
	d, ok := orEmpty(v).(*dict)
	return ok && len(d.keys) == 0
}
