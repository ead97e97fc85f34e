package secrets

import (
	"context"
	"regexp/syntax"
	"slices"
	"strings"
)

// assignment is the shape that most rules of gitleaks have (its
// cmd/generate/config/utils): a name that holds a word, an operator, and a value.
//
//	(?i)[\w.-]{0,50}?(?:WORD)(?:[ \t\w.-]{0,20})[\s'"]{0,3}
//	(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}(SECRET)(?:[\x60'"\s;]|\\[nr]|$)
//
// The regexp package takes microseconds for a byte of text that is full of such
// words; what follows finds the same matches in nanoseconds. One thing differs: it
// knows the letters of ASCII only, where (?i) also folds U+017F and U+212A.
type assignment struct {
	back   int      // characters of the name before the word, at most
	exact  []string // spellings of words that count only so
	secret string
}

// bytesOf is a set of ASCII characters.
type bytesOf [4]uint64

func (s *bytesOf) add(b byte)      { s[b>>6] |= 1 << (b & 63) }
func (s *bytesOf) has(b byte) bool { return s[b>>6]&(1<<(b&63)) != 0 }
func setOf(text string) (s bytesOf) {
	for i := range len(text) {
		s.add(text[i])
	}
	return s
}

const wordBytes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

var (
	isWord    = setOf(wordBytes)
	isName    = setOf(wordBytes + ".-")
	isGap     = setOf(wordBytes + ".- \t")
	isQuoted  = setOf(" \t\n\f\r'\"")
	isOpening = setOf(" \t\n\f\r'\"`=")
	isClosing = setOf(" \t\n\f\r'\"`;")
)

const maxGap, maxQuoted, maxOpening = 20, 3, 5

// assignments finds the rule's matches as the expression finds them: the leftmost
// first, and none that overlaps an earlier one.
func (v *verdicts) assignments(ctx context.Context, c *compiled, at []place) error {
	values := c.values()
	escapes := "nr"
	if strings.HasPrefix(c.regex, "(?i)") {
		escapes = "nrNR"
	}
	floor := 0
	for i, a := range at {
		if i%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		start := int(a.start)
		if start < floor {
			continue
		}
		from, to, end, ok := value(v.text, int(a.end), values, escapes)
		if !ok {
			continue
		}
		name := start
		for name > floor && start-name < c.assignment.back && isName.has(v.text[name-1]) {
			name--
		}
		floor = end
		if v.text[end-1] == '\n' {
			end-- // gitleaks issue 1352
		}
		v.judge(c, leak{rule: c.rule, start: name, end: end, secretStart: from, secretEnd: to})
	}
	return nil
}

// value finds what is assigned to the name whose word ends at i: the secret, and
// the end of the match. Neither a gap nor quotes can hold an operator's first
// character, so there is only one place for the operator.
func value(text string, i int, values []sequence, escapes string) (from, to, end int, ok bool) {
	i += run(text, i, &isGap, maxGap)
	i += run(text, i, &isQuoted, maxQuoted)
	if i >= len(text) {
		return 0, 0, 0, false
	}
	var tried uint64 // places that were tried, from i on
	var room [3]int
	for _, op := range operators(text, i, room[:0]) {
		for opening := run(text, op, &isOpening, maxOpening); opening >= 0; opening-- {
			from := op + opening
			if bit := uint64(1) << (from - i); tried&bit == 0 {
				tried |= bit
				for _, s := range values {
					if to, ok := s.match(text, from); ok {
						if end, ok := closed(text, to, escapes); ok {
							return from, to, end, true
						}
					}
				}
			}
		}
	}
	return 0, 0, 0, false
}

// operators are the ends of the operators at i, in the order of the expression.
func operators(text string, i int, ends []int) []int {
	second := byte(0)
	if i+1 < len(text) {
		second = text[i+1]
	}
	switch text[i] {
	case '=':
		ends = append(ends, i+1)
		if second == '>' {
			ends = append(ends, i+2)
		}
	case '>', ',':
		ends = append(ends, i+1)
	case ':':
		n := 1
		for n < 3 && i+n < len(text) && text[i+n] == ':' {
			n++
		}
		if i+n < len(text) && text[i+n] == '=' {
			ends = append(ends, i+n+1)
		}
		ends = append(ends, i+1)
	case '|':
		if second == '|' {
			ends = append(ends, i+2)
		}
	case '?':
		if second == '=' {
			ends = append(ends, i+2)
		}
	}
	return ends
}

// run is how many of the characters from i on are in the set, up to limit; a
// negative limit is none.
func run(text string, i int, set *bytesOf, limit int) int {
	n := 0
	for n != limit && i+n < len(text) && set.has(text[i+n]) {
		n++
	}
	return n
}

// closed reports whether what closes a value stands at i, and where it ends. A
// backslash closes it before one of escapes.
func closed(text string, i int, escapes string) (end int, ok bool) {
	switch {
	case i == len(text):
		return i, true
	case isClosing.has(text[i]):
		return i + 1, true
	case text[i] == '\\' && i+1 < len(text) && strings.IndexByte(escapes, text[i+1]) >= 0:
		return i + 2, true
	}
	return 0, false
}

// sequence is one alternative of a rule's SECRET: runs of characters, one after
// the other. No run can take a character of what follows it (a test holds that), so
// there is one way to match.
type sequence []repeat

type repeat struct {
	set      bytesOf
	min, max int // max -1: any number
}

func (s sequence) match(text string, i int) (end int, ok bool) {
	for k := range s {
		n := run(text, i, &s[k].set, s[k].max)
		if n < s[k].min {
			return 0, false
		}
		i += n
	}
	return i, true
}

// sequences takes the expression of a secret apart.
func sequences(regex string) []sequence {
	re, err := syntax.Parse(regex, syntax.Perl)
	if err != nil {
		panic("secrets: a generated rule can't be parsed: " + err.Error())
	}
	return alternatives(re)
}

func alternatives(re *syntax.Regexp) []sequence {
	one := func(set bytesOf, least, most int) []sequence { return []sequence{{{set, least, most}}} }
	switch re.Op {
	case syntax.OpCapture:
		return alternatives(re.Sub[0])
	case syntax.OpLiteral:
		var s sequence
		for _, r := range re.Rune {
			set := setOf(string(r))
			if re.Flags&syntax.FoldCase != 0 && isWord.has(byte(r)) && r > '9' && r != '_' {
				set.add(byte(r) ^ 0x20)
			}
			s = append(s, repeat{set, 1, 1})
		}
		return []sequence{s}
	case syntax.OpCharClass:
		return one(classOf(re), 1, 1)
	case syntax.OpStar:
		return one(classOf(re.Sub[0]), 0, -1)
	case syntax.OpPlus:
		return one(classOf(re.Sub[0]), 1, -1)
	case syntax.OpQuest:
		return one(classOf(re.Sub[0]), 0, 1)
	case syntax.OpRepeat:
		return one(classOf(re.Sub[0]), re.Min, re.Max)
	case syntax.OpAlternate:
		var all []sequence
		for _, sub := range re.Sub {
			all = append(all, alternatives(sub)...)
		}
		return all
	case syntax.OpConcat:
		all := []sequence{nil}
		for _, sub := range re.Sub {
			var longer []sequence
			for _, head := range all {
				for _, tail := range alternatives(sub) {
					longer = append(longer, slices.Concat(head, tail))
				}
			}
			all = longer
		}
		return all
	}
	panic("secrets: a generated rule has a form that is not provided for: " + re.String())
}

// classOf are the characters that re, which takes one, can take.
func classOf(re *syntax.Regexp) (set bytesOf) {
	if re.Op == syntax.OpLiteral {
		return alternatives(re)[0][0].set
	}
	if re.Op != syntax.OpCharClass {
		panic("secrets: a generated rule repeats more than a character: " + re.String())
	}
	for i := 0; i < len(re.Rune); i += 2 {
		for r := re.Rune[i]; r <= re.Rune[i+1] && r < 0x80; r++ {
			set.add(byte(r))
		}
	}
	return set
}
