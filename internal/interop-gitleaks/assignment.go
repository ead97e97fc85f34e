package main

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
)

// The shape that most rules have (cmd/generate/config/utils of the library): a name
// that holds a word, an operator, and a value.
const (
	namePart  = `[\w.-]{0,50}?`
	afterWord = `(?:[ \t\w.-]{0,20})[\s'"]{0,3}`
	operator  = `(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}(`
	closing   = `)(?:[\x60'"\s;]|\\[nr]|$)`
)

// assignment is a rule of that shape.
type assignment struct {
	words  []string // in lower case
	exact  []string // spellings of those words that count only so
	secret string   // the value's expression
	back   int      // so many characters of the name may stand before the word
}

// assignmentOf takes a rule of that shape apart, or gives nil.
func assignmentOf(regex string) *assignment {
	back, middle, flags := 50, afterWord+operator, "(?i)"
	body, ok := strings.CutPrefix(regex, `(?i)`+namePart)
	if !ok {
		if body, ok = strings.CutPrefix(regex, namePart+`(?i:`+namePart); !ok {
			return nil
		}
		back, middle, flags = 100, afterWord+")"+operator, ""
	}
	word, secret, ok := strings.Cut(body, middle)
	secret, closed := strings.CutSuffix(secret, closing)
	if !ok || !closed || strings.Contains(secret, closing) {
		return nil
	}
	re, err := syntax.Parse("(?i)"+word, syntax.Perl)
	if err != nil {
		panic(err)
	}
	words, _, ok := finder{most: 32, class: 6}.texts(re)
	if !ok || re.MaxCap() > 0 {
		return nil
	}
	for i := range words {
		words[i] = strings.ToLower(words[i])
	}
	slices.Sort(words)
	a := &assignment{words: slices.Compact(words), back: back, secret: flags + secret}
	for i, w := range a.words {
		if i > 0 && strings.HasPrefix(w, a.words[i-1]) {
			return nil // which one is meant depends on what follows
		}
	}
	for _, m := range regexp.MustCompile(`\(\?-i:([^)]*)\)`).FindAllStringSubmatch(word, -1) {
		re, err := syntax.Parse(m[1], syntax.Perl)
		if err != nil {
			panic(err)
		}
		exact, _, _ := finder{most: 32, class: 6}.texts(re)
		a.exact = append(a.exact, exact...)
	}
	slices.Sort(a.exact)
	return a
}
