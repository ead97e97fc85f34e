package canonical

import (
	"math"
	"math/big"
	"strconv"
	"strings"
)

// The YAML 1.2 core schema as the reference applies it to plain scalars
// (rules 13 to 22). Each function also serves the tag of its name, for which
// any scalar style will do (rule 24).

// coreValue resolves a plain scalar.
func coreValue(text string) Value {
	if text == "" {
		return nil
	}
	switch b := text[0]; {
	case b >= '0' && b <= '9', b == '-', b == '+', b == '.':
		if v, ok := intValue(text); ok {
			return v
		}
		if v, ok := floatValue(text); ok {
			return v
		}
	default:
		if isNull(text) {
			return nil
		}
		if v, ok := boolValue(text); ok {
			return v
		}
	}
	return text
}

func isNull(text string) bool {
	switch text {
	case "", "~", "null", "Null", "NULL":
		return true
	}
	return false
}

func boolValue(text string) (value, ok bool) {
	switch text {
	case "true", "True", "TRUE":
		return true, true
	case "false", "False", "FALSE":
		return false, true
	}
	return false, false
}

func intValue(text string) (float64, bool) {
	if rest, ok := strings.CutPrefix(text, "0o"); ok {
		return radixValue(rest, "01234567", 8)
	}
	if rest, ok := strings.CutPrefix(text, "0x"); ok {
		return radixValue(rest, "0123456789abcdefABCDEF", 16)
	}
	if !digitsOnly(unsigned(text)) {
		return 0, false
	}
	f, _ := strconv.ParseFloat(text, 64) // out of range gives the infinity wanted
	return f, true
}

// radixValue rounds to the nearest float64, as all numbers are (rule 21).
func radixValue(digits, alphabet string, base int) (float64, bool) {
	if digits == "" || strings.Trim(digits, alphabet) != "" {
		return 0, false
	}
	i, _ := new(big.Int).SetString(digits, base)
	f, _ := new(big.Float).SetInt(i).Float64()
	return f, true
}

func floatValue(text string) (float64, bool) {
	switch text {
	case ".nan", ".NaN", ".NAN":
		return math.NaN(), true
	}
	rest := unsigned(text)
	switch rest {
	case ".inf", ".Inf", ".INF":
		if text[0] == '-' {
			return math.Inf(-1), true
		}
		return math.Inf(1), true
	}
	mantissa, exponent, hasExponent := rest, "", false
	if i := strings.IndexAny(rest, "eE"); i >= 0 {
		mantissa, exponent, hasExponent = rest[:i], unsigned(rest[i+1:]), true
	}
	whole, fraction, hasDot := strings.Cut(mantissa, ".")
	switch {
	case hasExponent && !digitsOnly(exponent),
		!hasExponent && !hasDot,
		whole == "" && fraction == "",
		whole != "" && !digitsOnly(whole),
		fraction != "" && !digitsOnly(fraction):
		return 0, false
	}
	f, _ := strconv.ParseFloat(text, 64)
	return f, true
}

func unsigned(text string) string {
	if text != "" && (text[0] == '-' || text[0] == '+') {
		return text[1:]
	}
	return text
}

func digitsOnly(text string) bool {
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return false
		}
	}
	return text != ""
}
