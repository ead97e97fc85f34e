package ahd

import (
	"regexp"
	"strconv"
	"strings"
)

// number is a number that a report publishes.
type number struct {
	key  string // equal for equal numbers, however written: "71%", "1234ms"
	text string // as written: "71 %"
}

// digits is a number as people write it, with the currency in front or the unit behind, if
// it has one.
var digits = regexp.MustCompile(`^([$€£]?)([-+−]?)([$€£]?)(\d{1,3}(?:[,_]\d{3})+(?:\.\d+)?|\d+(?:[.,]\d+)?|\.\d+)(?:[eE]([-+]?\d{1,3}))?([%‰×]|[A-Za-zµ/]{1,9})?$`)

// units are the words that make a number of prose one that was measured.
var units = map[string]bool{
	"%": true, "‰": true, "pp": true, "pt": true, "pts": true, "points": true, "percent": true, "x": true, "×": true,
	"ns": true, "µs": true, "us": true, "ms": true, "s": true, "sec": true, "secs": true, "seconds": true, "min": true, "mins": true, "minutes": true, "h": true, "hours": true,
	"B": true, "kB": true, "KB": true, "MB": true, "GB": true, "KiB": true, "MiB": true, "GiB": true, "bytes": true, "px": true,
	"tok": true, "tokens": true, "tok/s": true, "tokens/s": true, "samples": true, "tells": true, "USD": true, "EUR": true, "ct": true, "cents": true,
}

// between parts the words of a line: what stands around a number without belonging to it.
func between(r rune) bool {
	return strings.ContainsRune(" \t|()[]{}<>=~≈≤≥±;:–—→/*_`\"'!?&", r)
}

// numbersOf finds the numbers that a line publishes: those in the cells of a table, and
// those of prose with a decimal point, a unit or a percent sign. Names that hold digits,
// dates and versions are none. The skeleton is the line with each of them as
// "#", and without emphasis.
func numbersOf(line string, cell bool) (all []number, skeleton string) {
	var b strings.Builder
	rest := line
	if title := strings.TrimLeft(line, "#"); len(title) < len(line) && strings.HasPrefix(title, " ") {
		// The number of a section is none of the run's.
		if first, after, ok := strings.Cut(strings.TrimLeft(title, " "), " "); ok && strings.Trim(first, "0123456789.") == "" {
			rest = after
			b.WriteString(line[:len(line)-len(after)])
		}
	}
	for rest != "" {
		start := strings.IndexFunc(rest, func(r rune) bool { return !between(r) })
		if start < 0 {
			break
		}
		b.WriteString(rest[:start])
		rest = rest[start:]
		end := strings.IndexFunc(rest, between)
		if end < 0 {
			end = len(rest)
		}
		word := strings.TrimRight(rest[:end], ".,")
		n, taken := readNumber(word, rest[len(word):], cell)
		if taken == 0 {
			b.WriteString(rest[:end])
			rest = rest[end:]
			continue
		}
		all = append(all, n)
		b.WriteByte('#')
		rest = rest[taken:]
	}
	return all, strings.Join(strings.Fields(strings.NewReplacer("*", "", "`", "").Replace(b.String())), " ")
}

// readNumber reads the number that is word, with a unit at the start of behind; taken is 0
// when word is no number that counts.
func readNumber(word, behind string, cell bool) (n number, taken int) {
	m := digits.FindStringSubmatch(word)
	if m == nil {
		return number{}, 0
	}
	unit, taken := m[6], len(word)
	if unit != "" && !units[unit] {
		return number{}, 0 // "26b" is a part of a name
	}
	n.text = word
	if unit == "" {
		blank := len(behind) - len(strings.TrimLeft(behind, " \u00a0"))
		next := behind[blank:]
		if end := strings.IndexFunc(next, between); end >= 0 && next[:end] != "tok" && next[:end] != "tokens" {
			next = next[:end]
		}
		if next = strings.TrimRight(next, ".,"); blank < 3 && units[next] && next != "x" {
			unit, taken = next, taken+blank+len(next)
			n.text = word + " " + next
		}
	}
	decimal := strings.ContainsAny(m[4], ".,") || m[5] != ""
	if !cell && !decimal && unit == "" && m[1]+m[3] == "" {
		return number{}, 0
	}
	n.key = m[1] + m[3] + sameValue(m[2], m[4], m[5]) + unit
	return n, taken
}

// sameValue writes a value one way: "0.710" is "0.71", and "1,234" is "1234".
func sameValue(sign, digits, exponent string) string {
	plain := strings.ReplaceAll(digits, "_", "")
	if i := strings.LastIndexByte(plain, ','); i >= 0 {
		if len(plain)-i == 4 && !strings.HasPrefix(plain, "0,") {
			plain = strings.ReplaceAll(plain, ",", "")
		} else {
			plain = strings.Replace(plain, ",", ".", 1)
		}
	}
	if exponent != "" {
		plain += "e" + exponent
	}
	f, err := strconv.ParseFloat(plain, 64)
	if err != nil {
		return sign + plain
	}
	if sign == "-" || sign == "−" {
		f = -f
	}
	return strconv.FormatFloat(f, 'g', -1, 64)
}
