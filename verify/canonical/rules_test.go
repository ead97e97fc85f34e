package canonical

import (
	"errors"
	"strings"
	"testing"
)

// Outcomes that show no hash.
const (
	notValid    = "not valid"
	cannotJudge = "cannot judge"
)

// outcome is the canonical JSON of a text, or how it was refused.
func outcome(text string) (string, error) {
	v, err := Parse([]byte(text))
	switch {
	case err == nil:
		return string(AppendJSON(nil, v)), nil
	case errors.As(err, new(*NotValidError)):
		return notValid, err
	case errors.As(err, new(*CannotJudgeError)):
		return cannotJudge, err
	}
	return "an error of another type", err
}

// TestRules holds the 57 rules of the reference's reading, one or more cases
// each. Every JSON text was computed by npm yaml 2.9.1, not by this package.
func TestRules(t *testing.T) {
	for _, c := range []struct {
		rule       int
		what       string
		text, want string
	}{
		// Input.
		{1, "one U+FFFD for each maximal ill-formed subpart", "a: x\xff\xe2\x82y", `{"a":"x` + "\uFFFD\uFFFD" + `y"}`},
		{2, "a byte order mark at the start of a line before the document goes", "\uFEFF# c\n\uFEFFa: 1", `{"a":1}`},
		{3, "before a list it breaks the document", "\uFEFF- a", notValid},
		{4, "elsewhere it is text", "a: \uFEFFx", `{"a":"` + "\uFEFF" + `x"}`},
		{5, "only LF and CRLF end a line", "a: x\u2028y", `{"a":"x` + "\u2028" + `y"}`},
		{6, "control characters are text", "a: \"x\x01y\"", `{"a":"x\u0001y"}`},
		{7, "a missing last newline changes no block scalar", "a: |\n  x", `{"a":"x\n"}`},
		{8, "keep chomping adds it", "a: |+\n  x", `{"a":"x\n"}`},
		{9, "no document is null", "# c\n", `null`},
		{10, "a second document fails", "a: 1\n---\n", notValid},
		{10, "so does text behind the end marker", "a: 1\n...\nb", notValid},
		{11, "%YAML 1.1 is another language", "%YAML 1.1\n---\na: yes\nb: 017\nc: 1_0\nd: 1:30\ne: 2026-04-22", cannotJudge},
		{12, "other versions and unknown directives change nothing", "%YAML 1.3\n%FOO x\n---\na: yes", `{"a":"yes"}`},
		{12, "a directive needs a --- line", "%YAML 1.2\na: yes", notValid},

		// Plain scalars.
		{13, "null", `[~, null, NULL, nULL, "null"]`, `[null,null,null,"nULL","null"]`},
		{14, "bool", `[TRUE, False, tRUE, yes, no, on, Off, y]`, `[true,false,"tRUE","yes","no","on","Off","y"]`},
		{15, "a decimal int may have leading zeros", `[0777, 08, +12, -3]`, `[777,8,12,-3]`},
		{16, "octal and hex have a lower-case prefix and no sign", `[0o17, 0x1F, -0o17, 0X1F, 0o8]`, `[15,31,"-0o17","0X1F","0o8"]`},
		{17, "no binary, no _, no base 60, no dates", `[0b101, 1_000, 10:30, 2026-04-22]`, `["0b101","1_000","10:30","2026-04-22"]`},
		{18, "float", `[.5, 5., +.5, 1.10, ., 1.2.3]`, `[0.5,5,0.5,1.1,".","1.2.3"]`},
		{19, "exponent", `[1e3, 1.e3, .1E-2, 1e, 12e4567]`, `[1000,1000,0.001,"1e",null]`},
		{20, "infinities and NaN are null", `[.inf, -.INF, .nan, -.nan, Infinity]`, `[null,null,null,"-.nan","Infinity"]`},
		{21, "all numbers are float64", `[9007199254740993, 0x20000000000001, 1e400]`, `[9007199254740992,9007199254740992,null]`},
		{22, "a scalar over lines is folded, then tested", "a: 1\n  2", `{"a":"1 2"}`},

		// Tags.
		{23, "! makes a string", `[! 12, ! null, !]`, `["12","null",""]`},
		{24, "a core tag applies only to a form of its own", `[!!int "12", !!float 1, !!bool yes, !!int 1.5, !!null x]`, `[12,"1","yes","1.5","x"]`},
		{25, "!!str", `[!!str 12, !!str ]`, `["12",""]`},
		{26, "an unknown tag leaves text and collection", `[!foo 12, !foo , !Sub "x", !foo [1]]`, `["12","","x",[1]]`},
		{27, "!!binary shows its bytes", `!!binary aGk=`, `{"0":104,"1":105}`},
		{28, "!!timestamp, !!set and !!omap show nothing", `[!!timestamp 2001-12-14, !!set {a, b}, !!omap [x: 1]]`, `[{},{},{}]`},
		{29, "a bad !!timestamp fails", `!!timestamp x`, notValid},
		{29, "a !!set with values fails", `!!set {a: 1}`, notValid},
		{29, "an !!omap with repeats fails", `!!omap [a: 1, a: 2]`, notValid},
		{30, "an undefined handle fails", `a: !e!x 1`, notValid},

		// Keys.
		{31, "a key is the string of its value", `{null: 0, true: 1, 1.0: 2, 0x10: 3, 1e21: 4, .inf: 5, -0: 6}`, `{"0":6,"1":2,"16":3,"":0,"1e+21":4,"Infinity":5,"true":1}`},
		{32, "array indexes come first", `{b: 1, "10": 2, "9": 3, "01": 4, "-1": 5, "4294967295": 6}`, `{"9":3,"10":2,"-1":5,"01":4,"4294967295":6,"b":1}`},
		{33, "the rest sorts by UTF-16 code unit", `{"😀": 1, "～": 2, "Z": 3, "a": 4}`, `{"Z":3,"a":4,"😀":1,"～":2}`},
		{34, "__proto__ is dropped", `{__proto__: {a: 1}, b: {__proto__: 2, c: 3}}`, `{"b":{"c":3}}`},
		{34, "but takes part in the repeat check", `{__proto__: 1, __proto__: 2}`, notValid},
		{35, "<< is an ordinary key", `{a: &a {x: 1}, b: {<<: *a}}`, `{"a":{"x":1},"b":{"<<":{"x":1}}}`},
		{36, "!!merge << merges", `{a: &a {x: 1}, b: {!!merge <<: *a, y: 2}}`, `{"a":{"x":1},"b":{"x":1,"y":2}}`},
		{37, "repeats fail when type and value are equal", `{1: a, 1.0: b}`, notValid},
		{38, "1 and \"1\" may both stand, the later wins", `{1: a, "1": b}`, `{"1":"b"}`},
		{39, "alias keys and NaN are no repeats", `{&k a: 1, *k : 2, .nan: 3, .NaN: 4}`, `{"NaN":4,"a":2}`},
		{40, "an alias to a collection as a key is its source", `{a: &a [1], *a : 2}`, `{"*a":2,"a":[1]}`},
		{41, "a collection as a key is written out", `a: {{ x }}`, `{"a":{"{ x }":null}}`},
		{41, "a template with a filter", `- {{user.name | upper}} # c`, `[{"{ user.name | upper }":null}]`},
		{41, "three brackets", `a: {{{ f(x) }}}`, `{"a":{"{ ? { f(x) } }":null}}`},
		{41, "lists and pairs", `[{[a,b]: 1}, {{k: v, n: 12}: 2}, [[c]: 3]]`, `[{"[ a, b ]":1},{"{ k: v, n: 12 }":2},[{"[ c ]":3}]]`},
		{41, "empty ones", `{[ ]: 1, {}: 2}`, `{"[]":1,"{}":2}`},
		{41, "the first key of the document", "# c\n[a]: 1\nb: 2", `{"[ a ]":1,"b":2}`},
		{41, "it repeats nothing, and the later wins", `{{x}: 1, {x}: 2, "{ x }": 3}`, `{"{ x }":3}`},
		{41, "but what it holds may", `{{x, x}: 1}`, cannotJudge},
		{41, "a later key of a block", "a: 1\n[b]: 2", cannotJudge},
		{41, "a key of a block below another", "a:\n  [b]: 1", cannotJudge},
		{41, "an explicit key", "? [a]\n: 1", cannotJudge},
		{41, "other scalars than words and whole numbers", `{{ "x" }}`, cannotJudge},
		{41, "numbers that are written another way", `{{ 012 }}`, cannotJudge},
		{41, "words that are no strings", `{{ true }}`, cannotJudge},
		{41, "a key without a value behind its colon", `{{ x: }}`, cannotJudge},
		{41, "a pair in a list", `{[x, y: 1]: 1}`, `{"[ x, { y: 1 } ]":1}`},
		{41, "pairs below pairs", `{{x: {y: 1}}: 1}`, cannotJudge},
		{41, "a comment or another line inside", "{{ x # c\n }}", cannotJudge},
		{41, "one that gets long when it is written", `{{` + strings.Repeat("aa,", 17) + `b}}`, cannotJudge},
		{41, "a long one", `{{ ` + strings.Repeat("x", maxWritten-4) + `1 }}`, cannotJudge},
		{42, "an implicit key of 1024 units", strings.Repeat("a", 1024) + ": 1", `{"` + strings.Repeat("a", 1024) + `":1}`},
		{42, "1025 units", strings.Repeat("a", 1025) + ": 1", notValid},
		{42, "the units are those of UTF-16", strings.Repeat("😀", 513) + ": 1", notValid},

		// Anchors.
		{43, "an alias means the last anchor before it", `[&a 1, *a, &a 2, *a]`, `[1,1,2,2]`},
		{44, "anchor names", `[&a.b/c:d! 1, *a.b/c:d! ]`, `[1,1]`},
		{45, "a cycle fails", `&a [*a]`, notValid},
		{45, "an unknown name fails", `[*a]`, notValid},
		{46, "100 uses of one anchor", "[&x 1" + strings.Repeat(", *x", 99) + "]", "[1" + strings.Repeat(",1", 99) + "]"},
		{46, "101 uses", "[&x 1" + strings.Repeat(", *x", 100) + "]", notValid},
		{47, "an alias takes no tag", `[&a 1, !!str *a]`, notValid},

		// Layout.
		{48, "a flow line at the column of its parent key", "a: [\n1 ]", notValid},
		{48, "the outermost bracket may stand there", "a: [\n  1\n]", `{"a":[1]}`},
		{48, "an inner one may not", "a: [[\n  1\n]]", notValid},
		{48, "nor an anchor or a tag without a value", "a: {n:\n&x}", notValid},
		{48, "nor behind a collection as a key", "a: {{ n } :\n!!str\n}", notValid},
		{49, "a quoted line at the column of its parent key", "a: \"x\ny\"", notValid},
		{50, "a comment needs white space before it", "[1,# c\n2]", notValid},
		{51, "*a: is an alias named a:", `{a: &a x, *a: y}`, notValid},
		{52, "a tab may not indent a block", "a:\n\tb: 1", notValid},
		{53, "but may stand on a blank or comment line", "a: 1\n\t# c\n\t\nb: 2", `{"a":1,"b":2}`},
		{54, "unless the line above is a key without a value", "a:\n\t\nb: 1", notValid},

		// Output.
		{55, "numbers", `[-0, 1e21, 123456789012345678901234567890, 1e-7, 0.000001, 1.50]`, `[0,1e+21,1.2345678901234568e+29,1e-7,0.000001,1.5]`},
		{56, "escapes", `["<&>\u2028\x7f\x1b\e/é"]`, `["<&>` + "\u2028\x7f" + `\u001b\u001b/é"]`},
		{57, "surrogates", `["\uD83D\uDE00", "\uD83D"]`, `["😀","\ud83d"]`},
	} {
		got, err := outcome(c.text)
		if got != c.want {
			t.Errorf("rule %d, %s: %.200q\n got %.300s (%v)\nwant %.300s", c.rule, c.what, c.text, got, err, c.want)
		}
	}
}

// TestErrorsShowNoHash: a text that can't be judged must not look judged.
func TestErrorsShowNoHash(t *testing.T) {
	for _, text := range []string{"a: [", "a: {{ true }}", "%YAML 1.1\n---\na: 1\n"} {
		if sum, err := Hash([]byte(text)); sum != "" || err == nil {
			t.Errorf("Hash(%q) = %q, %v; want no hash and an error", text, sum, err)
		}
	}
}
