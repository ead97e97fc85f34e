package dvc

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// What a plain scalar may be, as ruamel.yaml 0.19 has it (resolver.py): YAML 1.2 with
// underscores and binary numbers, and the rules of 1.1 below a %YAML 1.1 directive.
var (
	float12 = regexp.MustCompile(`^(?:[-+]?(?:[0-9][0-9_]*)\.[0-9_]*(?:[eE][-+]?[0-9]+)?|[-+]?(?:[0-9][0-9_]*)(?:[eE][-+]?[0-9]+)|[-+]?\.[0-9_]+(?:[eE][-+][0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$`)
	float11 = regexp.MustCompile(`^(?:[-+]?(?:[0-9][0-9_]*)\.[0-9_]*(?:[eE][-+]?[0-9]+)?|[-+]?(?:[0-9][0-9_]*)(?:[eE][-+]?[0-9]+)|\.[0-9_]+(?:[eE][-+][0-9]+)?|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$`)
	int12   = regexp.MustCompile(`^(?:[-+]?0b[0-1_]+|[-+]?0o?[0-7_]+|[-+]?[0-9_]+|[-+]?0x[0-9a-fA-F_]+)$`)
	int11   = regexp.MustCompile(`^(?:[-+]?0b[0-1_]+|[-+]?0?[0-7_]+|[-+]?(?:0|[1-9][0-9_]*)|[-+]?0x[0-9a-fA-F_]+|[-+]?[1-9][0-9_]*(?::[0-5]?[0-9])+)$`)
	stamp   = regexp.MustCompile(`^([0-9]{4})-([0-9]{2})-([0-9]{2})$|^([0-9]{4})-([0-9][0-9]?)-([0-9][0-9]?)(?:[Tt]|[ \t]+)([0-9][0-9]?):([0-9]{2}):([0-9]{2})(?:\.([0-9]*))?(?:[ \t]*(?:(Z)|([-+])([0-9][0-9]?)(?::([0-9]{2}))?))?$`)
)

// maxDigits bounds a number, in characters. Python refuses integers of more than 4,300
// digits.
const maxDigits = 4300

var errNumber = errors.New("a number that Python refuses")

// plain is the value of a scalar without quotes or tag.
func plain(text string, v11 bool) (value, error) {
	if b, ok := boolean(text, v11); ok {
		return b, nil
	}
	floats, ints := float12, int12
	if v11 {
		floats, ints = float11, int11
	}
	first := byte(0)
	if text != "" {
		first = text[0]
	}
	switch {
	case text == "" || text == "~" || text == "null" || text == "Null" || text == "NULL":
		return nil, nil
	case !strings.ContainsRune("-+.0123456789", rune(first)) || len(text) > 2*maxDigits:
		return text, nil
	case floats.MatchString(text):
		return float(text, v11)
	case first != '.' && ints.MatchString(text):
		return integer(text, v11)
	case stamp.MatchString(text):
		return instant(text)
	}
	return text, nil
}

func boolean(text string, v11 bool) (b, ok bool) {
	switch text {
	case "true", "True", "TRUE":
		return true, true
	case "false", "False", "FALSE":
		return false, true
	}
	if !v11 {
		return false, false
	}
	switch text {
	case "y", "Y", "yes", "Yes", "YES", "on", "On", "ON":
		return true, true
	case "n", "N", "no", "No", "NO", "off", "Off", "OFF":
		return false, true
	}
	return false, false
}

// float follows construct_yaml_float.
func float(text string, v11 bool) (value, error) {
	text = strings.ToLower(strings.ReplaceAll(text, "_", ""))
	negative := strings.HasPrefix(text, "-")
	text = strings.TrimLeft(text, "+-")
	var f float64
	switch {
	case text == ".inf":
		f = math.Inf(1)
	case text == ".nan":
		f = math.NaN()
	case v11 && strings.Contains(text, ":"):
		for part := range strings.SplitSeq(text, ":") {
			digit, err := strconv.ParseFloat(part, 64)
			if err != nil {
				return nil, errNumber
			}
			f = f*60 + digit
		}
	default:
		var err error
		if f, err = strconv.ParseFloat(text, 64); err != nil && !errors.Is(err, strconv.ErrRange) {
			return nil, errNumber
		}
	}
	if negative {
		f = -f
	}
	return f, nil
}

// integer follows construct_yaml_int; integers are exact, however large.
func integer(text string, v11 bool) (value, error) {
	text = strings.ReplaceAll(text, "_", "")
	negative := strings.HasPrefix(text, "-")
	if text != "" && (text[0] == '-' || text[0] == '+') {
		text = text[1:]
	}
	base := 10
	switch {
	case strings.HasPrefix(text, "0b"):
		text, base = text[2:], 2
	case strings.HasPrefix(text, "0x"):
		text, base = text[2:], 16
	case strings.HasPrefix(text, "0o"):
		text, base = text[2:], 8
	case v11 && strings.HasPrefix(text, "0"):
		base = 8
	case v11 && strings.Contains(text, ":"):
		return sexagesimal(text, negative)
	}
	i, ok := new(big.Int).SetString(text, base)
	if !ok || len(text) > maxDigits {
		return nil, errNumber
	}
	if negative {
		i.Neg(i)
	}
	return i, nil
}

func sexagesimal(text string, negative bool) (value, error) {
	sum := new(big.Int)
	for part := range strings.SplitSeq(text, ":") {
		digit, ok := new(big.Int).SetString(part, 10)
		if !ok {
			return nil, errNumber
		}
		sum.Add(sum.Mul(sum, big.NewInt(60)), digit)
	}
	if negative {
		sum.Neg(sum)
	}
	return sum, nil
}

// instant follows ruamel's create_timestamp.
func instant(text string) (value, error) {
	m := stamp.FindStringSubmatch(text)
	if m == nil {
		return nil, fmt.Errorf("no timestamp: %q", text)
	}
	n := func(i int) int { v, _ := strconv.Atoi(m[i]); return v }
	if m[1] != "" {
		t := time.Date(n(1), time.Month(n(2)), n(3), 0, 0, 0, 0, time.UTC)
		return dated(moment{date: true, t: t}, n(2), n(3))
	}
	fraction := (m[10] + "000000")[:6]
	micros, _ := strconv.Atoi(fraction)
	zone := time.UTC
	if m[12] != "" {
		offset := n(13)*3600 + n(14)*60
		if m[12] == "-" {
			offset = -offset
		}
		zone = time.FixedZone("", offset)
	}
	t := time.Date(n(4), time.Month(n(5)), n(6), n(7), n(8), n(9), micros*1000, zone)
	if n(7) > 23 || n(8) > 59 || n(9) > 59 {
		return nil, errNumber
	}
	return dated(moment{zoned: m[11] != "" || m[12] != "", t: t}, n(5), n(6))
}

// dated refuses the 30th of February, as Python's datetime does.
func dated(m moment, month, day int) (value, error) {
	if int(m.t.Month()) != month || m.t.Day() != day {
		return nil, errNumber
	}
	return m, nil
}
