package dvc

import (
	"fmt"
	"math/big"
	"strings"
)

// maxItems bounds the stages that one foreach or matrix makes.
const maxItems = 2000

// foreach makes one stage of each item of a list or mapping: "train@item", with
// ${item} and, for a mapping, ${key} (ForeachDefinition).
func (b *builder) foreach(name string, each value, template *dict, s *scope) {
	data, err := s.iterable(each)
	if err != nil {
		b.open[name] = err
		return
	}
	switch data := data.(type) {
	case *dict:
		for i, k := range data.keys {
			key, ok := printed(k)
			if !ok || i >= maxItems {
				b.open[name] = errTemplate
				return
			}
			b.item(name, key, template, s.with(map[string]value{"item": data.vals[i], "key": key}))
		}
	case []value:
		composite := false
		for _, v := range data {
			composite = composite || isComposite(v)
		}
		for i, v := range data {
			key, ok := printed(v)
			if composite {
				key, ok = fmt.Sprint(i), true
			}
			if !ok || i >= maxItems {
				b.open[name] = errTemplate
				return
			}
			b.item(name, key, template, s.with(map[string]value{"item": v}))
		}
	default:
		b.open[name] = fmt.Errorf("%w: foreach needs a list or a mapping", errTemplate)
	}
}

func isComposite(v value) bool {
	switch v.(type) {
	case []value, *dict:
		return true
	}
	return false
}

// iterable resolves what a foreach or matrix runs over: a text that is one ${…} may
// stand for a list or a mapping here.
func (s *scope) iterable(v value) (value, error) {
	switch v := v.(type) {
	case string:
		if start, end := expression(v); start == 0 && end+1 == len(v) {
			return s.lookup(v[2:end])
		}
		return s.text(v)
	case []value:
		items := make([]value, 0, len(v))
		for _, item := range v {
			r, err := s.iterable(item)
			if err != nil {
				return nil, err
			}
			items = append(items, r)
		}
		return items, nil
	case *dict:
		d := new(dict)
		for i, key := range v.keys {
			r, err := s.iterable(v.vals[i])
			if err != nil {
				return nil, err
			}
			d.set(key, r)
		}
		return d, nil
	}
	return v, nil
}

// item adds one stage of a group. What DVC refuses in it leaves the group open.
func (b *builder) item(group, key string, template *dict, s *scope) {
	if b.room < 0 {
		b.open[group] = errTemplate
		return
	}
	st, err := b.stage(group+"@"+key, template, s)
	if err != nil {
		b.open[group] = fmt.Errorf("%w: %w", errTemplate, err)
		return
	}
	b.add(st)
}

// matrix makes one stage of each combination: "train@a-1", with ${item.NAME} and
// ${key} (MatrixDefinition).
func (b *builder) matrix(name string, m value, d *dict, s *scope) {
	data, err := s.iterable(m)
	axes, ok := data.(*dict)
	if err != nil || !ok {
		b.open[name] = errTemplate
		return
	}
	template := new(dict)
	for i, key := range d.keys {
		if key != value("matrix") {
			template.set(key, d.vals[i])
		}
	}
	total := big.NewInt(1)
	lists := make([][]value, len(axes.keys))
	for i := range axes.keys {
		list, ok := axes.vals[i].([]value)
		if !ok {
			b.open[name] = errTemplate
			return
		}
		lists[i] = list
		total.Mul(total, big.NewInt(int64(len(list))))
	}
	if total.Cmp(big.NewInt(maxItems)) > 0 {
		b.open[name] = errTemplate
		return
	}
	for n := range int(total.Int64()) {
		item, fragments := new(dict), make([]string, len(lists))
		for i := len(lists) - 1; i >= 0; i-- {
			at := n % len(lists[i])
			n /= len(lists[i])
			v := lists[i][at]
			text, ok := printed(v)
			if !ok {
				axis, _ := printed(axes.keys[i])
				text = fmt.Sprintf("%s%d", axis, at)
			}
			fragments[i] = text
			item.set(axes.keys[i], v)
		}
		key := strings.Join(fragments, "-")
		b.item(name, key, template, s.with(map[string]value{"item": item, "key": key}))
	}
}
