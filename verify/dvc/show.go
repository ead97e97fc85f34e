package dvc

import (
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/replay-gate/replay-gate/verify"
)

// show writes v for a person, as JSON where JSON has it, and never much longer than a
// row can hold.
func show(v value) string {
	var b strings.Builder
	write(&b, v)
	return b.String()
}

func write(b *strings.Builder, v value) {
	if b.Len() > verify.MaxValue {
		return
	}
	switch v := v.(type) {
	case nil:
		b.WriteString("null")
	case bool:
		b.WriteString(strconv.FormatBool(v))
	case *big.Int:
		b.WriteString(digits(v))
	case float64:
		b.WriteString(repr(v))
	case string:
		b.WriteString(strconv.Quote(verify.Shorten(v, verify.MaxValue)))
	case moment:
		b.WriteString(v.String())
	case []value:
		b.WriteByte('[')
		for i, item := range v {
			if i > 0 {
				b.WriteString(", ")
			}
			write(b, item)
		}
		b.WriteByte(']')
	case *dict:
		b.WriteByte('{')
		for i, key := range v.keys {
			if i > 0 {
				b.WriteString(", ")
			}
			write(b, key)
			b.WriteString(": ")
			write(b, v.vals[i])
		}
		b.WriteByte('}')
	}
}

// digits writes an integer; one of thousands of digits is cut before it is made text.
func digits(i *big.Int) string {
	if i.BitLen() > 8*verify.MaxValue {
		return "(an integer of " + strconv.Itoa(i.BitLen()) + " bits)"
	}
	return i.String()
}

// repr is Python's repr of a float: the shortest digits that read back, with an exponent
// below 1e-4 and from 1e16 (float_repr_style "short").
func repr(f float64) string {
	switch {
	case math.IsNaN(f):
		return "nan"
	case math.IsInf(f, 1):
		return "inf"
	case math.IsInf(f, -1):
		return "-inf"
	}
	text := strconv.FormatFloat(f, 'e', -1, 64)
	mantissa, exponent, _ := strings.Cut(text, "e")
	n, _ := strconv.Atoi(exponent)
	if n < -4 || n >= 16 {
		return mantissa + "e" + exponent // Go, too, writes a sign and two digits
	}
	text = strconv.FormatFloat(f, 'f', -1, 64)
	if !strings.Contains(text, ".") {
		text += ".0"
	}
	return text
}

// printed is how DVC puts a value into a text (dvc/parsing/interpolate.py, to_str):
// Python's str, but true and false. ok is false for what it refuses to put there, and
// for a dict, which becomes command line flags.
func printed(v value) (text string, ok bool) {
	switch v := v.(type) {
	case nil:
		return "None", true
	case bool:
		return strconv.FormatBool(v), true
	case *big.Int:
		return v.String(), true
	case float64:
		return repr(v), true
	case string:
		return v, true
	}
	return "", false
}
