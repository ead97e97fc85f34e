package dvc

import (
	"math"
	"math/big"
	"strconv"
	"strings"
	"time"
)

// A value is what DVC's readers of YAML, JSON and TOML make of a text, as Python sees
// it: nil, bool, *big.Int, float64, string, []value, *dict or moment.
type value any

// dict is a Python dict: keys in the order of their first appearance, found by ==, so
// that 1, 1.0 and True are one key.
type dict struct {
	keys []value
	vals []value
	at   map[string]int
}

// moment is a datetime.date, or a datetime.datetime with or without a zone.
type moment struct {
	date, zoned bool
	t           time.Time
}

func (d *dict) get(key value) (value, bool) {
	i, ok := d.at[hashed(key)]
	if !ok {
		return nil, false
	}
	return d.vals[i], true
}

// text is the value of a key that is a string.
func (d *dict) text(key string) (value, bool) {
	if d == nil {
		return nil, false
	}
	return d.get(key)
}

func (d *dict) set(key, v value) {
	if d.at == nil {
		d.at = make(map[string]int)
	}
	h := hashed(key)
	if i, ok := d.at[h]; ok {
		d.vals[i] = v
		return
	}
	d.at[h] = len(d.keys)
	d.keys, d.vals = append(d.keys, key), append(d.vals, v)
}

// hashed is equal for keys that Python's == calls equal. A list as a key becomes a
// tuple; a dict can't be one, and no reader lets it.
func hashed(v value) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case bool:
		if v {
			return "i1"
		}
		return "i0"
	case *big.Int:
		return "i" + v.String()
	case float64:
		if i, ok := whole(v); ok {
			return "i" + i.String()
		}
		return "f" + strconv.FormatFloat(v, 'g', -1, 64)
	case string:
		return "s" + v
	case moment:
		return "t" + v.String()
	case []value:
		var b strings.Builder
		for _, item := range v {
			h := hashed(item)
			b.WriteString("l" + strconv.Itoa(len(h)) + ":" + h)
		}
		return "(" + b.String()
	}
	return "?"
}

// whole is f as an integer, if it is one.
func whole(f float64) (*big.Int, bool) {
	if f != math.Trunc(f) || math.IsInf(f, 0) || math.IsNaN(f) {
		return nil, false
	}
	i, _ := new(big.Float).SetFloat64(f).Int(nil)
	return i, true
}

// equal is Python's ==, by which DVC compares a parameter with its recorded value
// (dvc/dependency/param.py, workspace_status): 10 and 10.0 and, for 1, True are equal.
// A comparison that takes more than steps, which it uses up, says that they are not:
// aliases make a small file a large value.
func equal(a, b value, steps *int) bool {
	if *steps--; *steps < 0 {
		return false
	}
	if x, ok := number(a); ok {
		y, ok := number(b)
		return ok && x.Cmp(y) == 0
	}
	switch a := a.(type) {
	case nil:
		return b == nil
	case float64: // infinite, or not a number
		b, ok := b.(float64)
		return ok && a == b
	case string:
		b, ok := b.(string)
		return ok && a == b
	case moment:
		b, ok := b.(moment)
		return ok && a.equal(b)
	case []value:
		b, ok := b.([]value)
		return ok && equalLists(a, b, steps)
	case *dict:
		b, ok := b.(*dict)
		return ok && equalDicts(a, b, steps)
	}
	return false
}

func equalLists(a, b []value, steps *int) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !equal(a[i], b[i], steps) {
			return false
		}
	}
	return true
}

func equalDicts(a, b *dict, steps *int) bool {
	if len(a.keys) != len(b.keys) {
		return false
	}
	for i, key := range a.keys {
		if other, ok := b.get(key); !ok || !equal(a.vals[i], other, steps) {
			return false
		}
	}
	return true
}

func (m moment) equal(o moment) bool { return m.date == o.date && m.zoned == o.zoned && m.t.Equal(o.t) }

// number is the exact value of a finite number; a bool is one.
func number(v value) (*big.Rat, bool) {
	switch v := v.(type) {
	case bool:
		if v {
			return big.NewRat(1, 1), true
		}
		return new(big.Rat), true
	case *big.Int:
		return new(big.Rat).SetInt(v), true
	case float64:
		if r := new(big.Rat).SetFloat64(v); r != nil {
			return r, true
		}
	}
	return nil, false
}

// holdsNaN reports whether a NaN is in v. It equals nothing, itself included, so DVC
// calls such a parameter changed for ever.
func holdsNaN(v value, steps *int) bool {
	if *steps--; *steps < 0 {
		return false
	}
	switch v := v.(type) {
	case float64:
		return math.IsNaN(v)
	case []value:
		for _, item := range v {
			if holdsNaN(item, steps) {
				return true
			}
		}
	case *dict:
		for _, item := range v.vals {
			if holdsNaN(item, steps) {
				return true
			}
		}
	}
	return false
}

func (m moment) String() string {
	switch {
	case m.date:
		return m.t.Format(time.DateOnly)
	case m.zoned:
		return m.t.Format("2006-01-02 15:04:05.999999-07:00")
	}
	return m.t.Format("2006-01-02 15:04:05.999999")
}
