package sigmapol

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Encode writes the canonical bytes of a term: the version, a colon, and the term as (op arg arg ...) (SIGMA-POL §4).
// It writes the term as it is; what a policy is known by are the bytes of its normal form, Encode(Normalize(t)).
// Two terms in normal form have the same bytes only if they are the same term. The zero Term has none.
func Encode(t Term) []byte {
	if t.root == nil {
		return nil
	}
	return appendNode([]byte(Version+":"), t.root)
}

// Fingerprint is the key that traces record for a policy: two running sums over the bytes that [Encode] gives, in
// decimal, for example "1652159335-1103376766". It holds some 62 bits and anyone can forge it: it tells policies apart,
// it doesn't prove that they are the same.
func Fingerprint(encoded []byte) string {
	a, b := uint64(5381), uint64(52711)
	for _, c := range encoded {
		a = (a*31 + uint64(c)) % 2147483647
		b = (b*37 + uint64(c)) % 2147483629
	}
	return fmt.Sprintf("%d-%d", a, b)
}

// Identity is the full name of a policy: "sha256:" and the hash of the bytes that [Encode] gives, in lower-case hex.
func Identity(encoded []byte) string {
	return fmt.Sprintf("sha256:%x", sha256.Sum256(encoded))
}

func appendNode(b []byte, n *node) []byte {
	b = append(b, '(')
	b = append(b, n.op.name...)
	for _, arg := range n.args {
		b = append(b, ' ')
		if sub, ok := arg.(*node); ok {
			b = appendNode(b, sub)
		} else {
			b = appendValue(b, arg)
		}
	}
	return append(b, ')')
}

func appendValue(b []byte, v any) []byte {
	switch v := v.(type) {
	case float64:
		return appendNumber(b, v)
	case string:
		return appendString(b, v)
	case bool:
		return strconv.AppendBool(b, v)
	case []any:
		b = append(b, '[')
		for i, x := range v {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendValue(b, x)
		}
		return append(b, ']')
	case map[string]any:
		if len(v) == 0 { // an empty table of Lua is written as a list
			return append(b, "[]"...)
		}
		b = append(b, '{')
		for i, key := range slices.Sorted(maps.Keys(v)) {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendString(b, key)
			b = append(b, ':')
			b = appendValue(b, v[key])
		}
		return append(b, '}')
	}
	return b
}

// appendNumber writes whole numbers up to 2^53 as digits and everything else as C writes %.17g (SIGMA-POL §4.1).
func appendNumber(b []byte, v float64) []byte {
	if v == math.Trunc(v) && math.Abs(v) <= 1<<53 {
		return strconv.AppendInt(b, int64(v), 10) // which also makes -0 a 0
	}
	return strconv.AppendFloat(b, v, 'g', 17, 64)
}

var escapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\r", `\r`, "\t", `\t`)

// appendString escapes those five bytes and no others: control characters stay as they are.
func appendString(b []byte, s string) []byte {
	b = append(b, '"')
	b = append(b, escapes.Replace(s)...)
	return append(b, '"')
}
