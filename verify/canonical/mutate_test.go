package canonical

import (
	"bytes"
	"math/rand/v2"
	"strings"
)

// traps are the values, keys and lines that YAML parsers disagree on most.
var traps = []string{
	"~", "null", "NULL", "nULL", "true", "TRUE", "yes", "off", "0777", "08", "0o17", "0x1F", "-0x1", "1_000", "10:30", "2026-04-22",
	".5", "5.", "+.5", "1e3", "12e4567", "-0", ".inf", "-.INF", ".nan", "9007199254740993", "1e21", "0b1", ".", "-", "--", "---", "...",
	`"\ud83d"`, `"\uD83D\uDE00"`, `"\/"`, `"x \` + "\n" + `  y"`, `"x\` + "\n\n" + ` y"`, `"\'"`, `"a` + "\n\n" + `  b"`, `'it''s'`, `'a` + "\n" + `  b'`, `""`, `''`, `"a" b`,
	"&a x", "*a", "&a.b 1", "&k: v", "*a:", "*a : 1", "&a", "&é 1", "!", "! 12", "!!str", "!!str 12", "!!int \"3\"", "!foo", "!foo [1]", "!e!x", "!<tag:yaml.org,2002:int> 4", "!!binary aGk=", "!!set {a, b}", "!!omap [a: 1]", "!!timestamp 2001-12-14", "!!merge <<", "<<", "<<: *a", "!!null", "!!float 1",
	"__proto__", "constructor", "10", "4294967294", "\"01\"", "a b", "a:b", "a: b", ": a", "? a", "? a\n: b", "- - a", "-\ta", "[ :x ]", "{a, b: }", "[a: 1]", "[a:, b]", "{a:}", "{a:, b: 1}", "[?x]", "[? x]", "[x?]", "{u: http://h?q}", "[-]", "[- a]", "[a, ]", "[, a]", "{a\n b: 1}", "{\"a\":1}", "{\"a\" :1}", "{{ x }}", "{{ a.b | c }}", "{{a: 1, b: c}: 2}", "[[a]]: 1", "[a,# c\nb]", "[a, # c\n b]", "{ # c\n a: 1 }", "[\n1\n]", "[a\n  b]", "@x", "`x`", "%x", "x #c", "x#c", "#c", "\"x\"# c", "x: # c", "|", ">", "|-", ">+", "|2", "|\n  x", ">\n  x\n   y\n  z", "|+\n  x\n\n", ">-\n\n  a\n\n  b", "|\n  \tx", "| # c\n  x", "| x",
	"\x01", "\u2028", "\u0085", "\uFEFF", "\u00a0", "\uFFFE", "😀", "é", "\xff", "\x7f", "\r", "\t", "\\", "a\\b", "a \\:x", "\\\"", "a\tb", "a\t#b", "https://a.b/?c=d#e",
}

// mutate changes a text in one to four places.
func mutate(r *rand.Rand, text []byte) []byte {
	for range 1 + r.IntN(4) {
		lines := bytes.SplitAfter(text, []byte("\n"))
		i := r.IntN(len(lines))
		line := string(lines[i])
		switch r.IntN(22) {
		case 0, 1, 2:
			line = replaceValue(r, line)
		case 3:
			line = strings.Repeat(" ", r.IntN(5)) + strings.TrimLeft(line, " ")
		case 4:
			line = strings.TrimPrefix(line, " ")
		case 5:
			line = " " + line
		case 6:
			line = ""
		case 7:
			line += line
		case 8:
			j := r.IntN(len(lines))
			line, lines[j] = string(lines[j]), lines[i]
		case 9:
			line = strings.TrimRight(line, "\r\n") + pick(r, "", " ", "  ")
		case 10:
			line += pick(r, "\n", "  \n", "\t\n", " \t\n", "# c\n", "  # c\n", "\t# c\n", "      # c\n")
		case 11:
			text := bytes.TrimRight(text, "\n")
			return append(text[:len(text):len(text)], pick(r, "", "\n\n", "  ", "\n  ", "\n    \n", "\n# c", "\n...", "\n...\n# c\n", "\n---\n", "\t", "\n\t")...)
		case 12:
			line = strings.Replace(line, "\n", pick(r, "\r\n", "\r", " \n", "\t\n", " # c\n", "# c\n"), 1)
		case 13, 14:
			line = insert(r, line, traps[r.IntN(len(traps))])
		case 15, 16:
			line = insert(r, line, pick(r, " ", "\t", "\n", ":", ": ", ",", "[", "]", "{", "}", "#", " #", "- ", "? ", "&a ", "*a", "! ", "!!str ", "\"", "'", "\\", "|", "\n  ", "\n\n"))
		case 17, 18:
			if len(line) > 1 {
				j := r.IntN(len(line) - 1)
				line = line[:j] + line[j+1:]
			}
		case 19:
			line = "- " + line
		case 20:
			line = traps[r.IntN(len(traps))] + "\n" + line
		case 21:
			line = strings.Replace(line, " ", pick(r, "\t", "  ", "\n", "\n ", " \t"), 1+r.IntN(2))
		}
		lines[i] = []byte(line)
		text = bytes.Join(lines, nil)
	}
	return text
}

// replaceValue puts a trap in place of what stands behind a colon or dash, or
// of the key before it.
func replaceValue(r *rand.Rand, line string) string {
	body := strings.TrimRight(line, "\r\n")
	end := line[len(body):]
	trap := traps[r.IntN(len(traps))]
	if i := strings.Index(body, ": "); i >= 0 {
		if r.IntN(3) == 0 {
			lead := len(body) - len(strings.TrimLeft(body, " -"))
			return body[:min(lead, i)] + trap + body[i:] + end
		}
		return body[:i+2] + trap + end
	}
	if i := strings.Index(body, "- "); i >= 0 {
		return body[:i+2] + trap + end
	}
	return body + pick(r, " ", "") + trap + end
}

func insert(r *rand.Rand, line, text string) string {
	i := r.IntN(len(line) + 1)
	return line[:i] + text + line[i:]
}

func pick(r *rand.Rand, from ...string) string { return from[r.IntN(len(from))] }
