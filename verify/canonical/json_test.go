package canonical

import (
	"math"
	"testing"
)

// TestAppendNumber holds the boundaries of Number::toString (ECMAScript), as
// Node prints them.
func TestAppendNumber(t *testing.T) {
	for _, c := range []struct {
		f    float64
		want string
	}{
		{0, "0"}, {math.Copysign(0, -1), "0"}, {1, "1"}, {-1.5, "-1.5"}, {100, "100"},
		{1e20, "100000000000000000000"}, {999999999999999900000, "999999999999999900000"}, {1e21, "1e+21"}, {-1e21, "-1e+21"}, {1.5e300, "1.5e+300"},
		{1e-6, "0.000001"}, {1.5e-6, "0.0000015"}, {1e-7, "1e-7"}, {1.5e-7, "1.5e-7"}, {-1e-7, "-1e-7"}, {5e-324, "5e-324"},
		{math.MaxFloat64, "1.7976931348623157e+308"}, {0.30000000000000004, "0.30000000000000004"}, {9007199254740993, "9007199254740992"},
		{math.NaN(), "null"}, {math.Inf(1), "null"}, {math.Inf(-1), "null"},
	} {
		if got := string(AppendNumber([]byte("x"), c.f)); got != "x"+c.want {
			t.Errorf("AppendNumber(%v) = %s, want x%s", c.f, got, c.want)
		}
	}
}

// TestAppendString is JSON.stringify of one string.
func TestAppendString(t *testing.T) {
	for s, want := range map[string]string{
		"":                         `""`,
		"a\"b\\c/<>&'":             `"a\"b\\c/<>&'"`,
		"\b\f\n\r\t\x00\x1f\x0b":   `"\b\f\n\r\t\u0000\u001f\u000b"`,
		"\x7f\u0080\u2028é😀\uFFFD": "\"\x7f\u0080\u2028é😀\uFFFD\"",
		"x\xED\xA0\xBDy":           `"x\ud83dy"`,
		"\xED\xB8\x80":             `"\ude00"`,
		"a\xffb\xE2\x82":           "\"a\uFFFDb\uFFFD\uFFFD\"",
	} {
		if got := string(AppendString(nil, s)); got != want {
			t.Errorf("AppendString(%q) = %s, want %s", s, got, want)
		}
	}
}

// TestAppendJSONOfBuiltValues is for callers that build a value themselves.
func TestAppendJSONOfBuiltValues(t *testing.T) {
	inner := new(Object)
	inner.Set("__proto__", "never shown")
	inner.Set("b", nil)
	inner.Set("a", []Value{true, 1.5, "x", int(7)})
	outer := new(Object)
	outer.Set("z", inner)
	outer.Set("2", false)
	if got, want := string(AppendJSON(nil, outer)), `{"2":false,"z":{"a":[true,1.5,"x",null],"b":null}}`; got != want {
		t.Errorf("AppendJSON = %s, want %s", got, want)
	}
}
