package canonical

import (
	"slices"
	"testing"
	"unicode/utf16"
)

func TestArrayIndex(t *testing.T) {
	for key, want := range map[string]uint32{"0": 0, "9": 9, "10": 10, "4294967294": 4294967294} {
		if n, ok := ArrayIndex(key); !ok || n != want {
			t.Errorf("ArrayIndex(%q) = %d, %t; want %d", key, n, ok, want)
		}
	}
	for _, key := range []string{"", "00", "01", "-1", "+1", "1.0", "1e3", " 1", "4294967295", "9999999999", "10000000000", "18446744073709551617", "１"} {
		if n, ok := ArrayIndex(key); ok {
			t.Errorf("ArrayIndex(%q) = %d; want none", key, n)
		}
	}
}

// TestCompareKeys holds CompareKeys against the comparison of the UTF-16 code
// units themselves (rule 33).
func TestCompareKeys(t *testing.T) {
	high, low := "\xED\xA0\xBD", "\xED\xB8\x80" // U+D83D and U+DE00 alone
	keys := []string{"", "a", "ab", "Z", "é", "ê", "\u07FF", "\u0800", "\uD7FF", "\uE000", "～", "\uFFFF", "😀", "😁", "\U0010FFFF", "a😀", "a～", "ab～",
		high, low, high + "x", "a" + high, high + "\uFFFF", "\u2028"}
	units := func(s string) (all []uint16) {
		for s != "" {
			r, n := decodeWTF8(s)
			if r > 0xFFFF {
				h, l := utf16.EncodeRune(r)
				all = append(all, uint16(h), uint16(l))
			} else {
				all = append(all, uint16(r))
			}
			s = s[n:]
		}
		return all
	}
	for _, a := range keys {
		for _, b := range keys {
			if got, want := CompareKeys(a, b), slices.Compare(units(a), units(b)); got != want {
				t.Errorf("CompareKeys(%q, %q) = %d, want %d", a, b, got, want)
			}
		}
	}
}

// TestObjectOrder is ECMAScript's order of own properties.
func TestObjectOrder(t *testing.T) {
	var o Object
	for _, key := range []string{"b", "10", "a", "9", "01", "b"} {
		o.Set(key, key)
	}
	if got, want := o.Keys(), []string{"9", "10", "b", "a", "01"}; !slices.Equal(got, want) || o.Len() != len(want) {
		t.Errorf("Keys = %q, Len = %d; want %q", got, o.Len(), want)
	}
	for i := range 40 { // enough for an index
		o.Set(string(rune('A'+i)), float64(i))
	}
	o.Set("A", "again")
	if v, ok := o.Get("A"); !ok || v != "again" || o.Len() != 5+40-2 {
		t.Errorf("Get(A) = %v, %t; Len = %d", v, ok, o.Len())
	}
	if v, ok := o.Get("none"); ok || v != nil {
		t.Errorf("Get(none) = %v, %t", v, ok)
	}
}

// TestNoInfinities: a Value is what JSON can show, keys excepted.
func TestNoInfinities(t *testing.T) {
	v, err := Parse([]byte("[.inf, -.inf, .nan, 1e999]"))
	if want := []Value{nil, nil, nil, nil}; err != nil || !slices.Equal(v.([]Value), want) {
		t.Errorf("Parse = %v, %v; want %v", v, err, want)
	}
}
