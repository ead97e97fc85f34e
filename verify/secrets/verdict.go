package secrets

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// allowed is an allowance, ready to be asked.
type allowed struct {
	target    string
	regexes   []*regexp.Regexp
	hints     *automaton // of words without which no expression matches, or nil
	stopwords *automaton // or nil
}

func compileAllowed(list []allowance) []*allowed {
	var all []*allowed
	for _, a := range list {
		c := &allowed{target: a.target}
		for _, r := range a.regexes {
			c.regexes = append(c.regexes, regexp.MustCompile(r))
		}
		if a.hints != "" {
			c.hints = newAutomaton(strings.Split(a.hints, "\x00"))
		}
		if a.stopwords != "" {
			c.stopwords = newAutomaton(strings.Split(a.stopwords, "\n"))
		}
		all = append(all, c)
	}
	return all
}

// verdicts gathers the leaks of one text.
type verdicts struct {
	text     string
	anywhere []*allowed
	leaks    []leak

	breaks []int32 // where lines end, found when first asked for
	lines  bool
	// The last line an allowance was asked about, and its answer: every line is
	// asked about once, however much is found in it.
	asked             *allowed
	lineFrom, lineEnd int
	excused           bool
	// A part of the text that has no blank (window.go).
	wordFrom, wordTo int
	// The end of the last line that was cut off at its \r.
	returnFrom, returnEnd int
}

// judge keeps a match unless the rule's entropy or an allowance excuses it.
func (v *verdicts) judge(c *compiled, l leak) {
	secret := v.text[l.secretStart:l.secretEnd]
	if c.entropy != 0 && entropy(secret) <= c.entropy {
		return
	}
	if c.digit && !strings.ContainsAny(secret, "0123456789") {
		return
	}
	anywhere := v.anywhere
	if c.kind() == Forms {
		anywhere = nil
	}
	for _, list := range [2][]*allowed{anywhere, c.excused()} {
		for _, a := range list {
			if v.excuses(a, l, secret) {
				return
			}
		}
	}
	l.line = 1 + v.lineOf(l.start)
	v.leaks = append(v.leaks, l)
}

func (v *verdicts) excuses(a *allowed, l leak, secret string) bool {
	if a.stopwords != nil && a.stopwords.contains(secret) {
		return true
	}
	switch a.target {
	case "match":
		// gitleaks' match is without the line breaks around it.
		match := strings.Trim(v.text[l.start:l.end], "\n")
		return (a.hints == nil || a.hints.contains(match)) && matchesAny(a.regexes, match)
	case "line":
		from, to := v.lineAround(l)
		if v.asked != a || v.lineFrom != from || v.lineEnd != to {
			v.asked, v.lineFrom, v.lineEnd = a, from, to
			v.excused = matchesAny(a.regexes, v.text[from:to])
		}
		return v.excused
	}
	return matchesAny(a.regexes, secret)
}

func matchesAny(regexes []*regexp.Regexp, s string) bool {
	return s != "" && slices.ContainsFunc(regexes, func(r *regexp.Regexp) bool { return r.MatchString(s) })
}

// lineOf is the number of line breaks up to and with the one at i.
func (v *verdicts) lineOf(i int) int {
	if !v.lines {
		v.lines = true
		for from := 0; ; {
			n := strings.IndexByte(v.text[from:], '\n')
			if n < 0 {
				break
			}
			v.breaks = append(v.breaks, int32(from+n))
			from += n + 1
		}
	}
	n, found := slices.BinarySearch(v.breaks, int32(i))
	if found {
		n++
	}
	return n
}

// lineAround is the line of a match as gitleaks has it (its detect/location.go): with
// the break before it, or, for what starts behind the last break, all the text before.
func (v *verdicts) lineAround(l leak) (from, to int) {
	n := v.lineOf(l.start)
	if n < len(v.breaks) {
		if n > 0 {
			from = int(v.breaks[n-1])
		}
		to = int(v.breaks[n])
		if k, _ := slices.BinarySearch(v.breaks, int32(l.end)); k > 0 && k < len(v.breaks) && int(v.breaks[k-1]) < l.end {
			to = int(v.breaks[k])
		}
		return from, max(to, l.end)
	}
	if len(v.breaks) == 0 {
		return 0, len(v.text)
	}
	if l.end < v.returnFrom || l.end > v.returnEnd || v.returnEnd == 0 {
		v.returnFrom, v.returnEnd = l.end, len(v.text)
		if i := strings.IndexAny(v.text[l.end:], "\r\n"); i >= 0 {
			v.returnEnd = l.end + i
		}
	}
	return 0, v.returnEnd
}

// entropy is Shannon's, in bits a character, as gitleaks computes it (its
// detect/utils.go): characters are counted, and divided by bytes.
func entropy(s string) float64 {
	if s == "" {
		return 0
	}
	var counts [utf8.RuneSelf]int
	others := make(map[rune]int)
	for _, r := range s {
		if r < utf8.RuneSelf {
			counts[r]++
		} else {
			others[r]++
		}
	}
	bits, whole := 0.0, 1/float64(len(s))
	add := func(count int) {
		if count > 0 {
			p := float64(count) * whole
			bits -= p * math.Log2(p)
		}
	}
	for _, n := range counts {
		add(n)
	}
	for _, n := range others {
		add(n)
	}
	return bits
}

// genericRule gives way to the others.
const genericRule = "generic-api-key"

// maxRivals bounds how many other findings of a line a generic one is held against;
// of more, only those that overlap it count.
const maxRivals = 64

// sorted are the leaks by place. What the generic rule found is left out where a
// rule for something certain found it on the same line, too.
func (v *verdicts) sorted() []leak {
	certain := make(map[int][]leak)
	for _, l := range v.leaks {
		if l.rule.id != genericRule {
			certain[l.line] = append(certain[l.line], l)
		}
	}
	for _, rivals := range certain {
		if len(rivals) > maxRivals {
			slices.SortFunc(rivals, func(a, b leak) int { return cmp.Compare(a.secretStart, b.secretStart) })
		}
	}
	kept := v.leaks[:0]
	for _, l := range v.leaks {
		if l.rule.id == genericRule && v.isCertain(l, certain[l.line]) {
			continue
		}
		kept = append(kept, l)
	}
	slices.SortFunc(kept, func(a, b leak) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.end, b.end), cmp.Compare(a.rule.id, b.rule.id))
	})
	return kept
}

func (v *verdicts) isCertain(l leak, rivals []leak) bool {
	if len(rivals) > maxRivals {
		i, _ := slices.BinarySearchFunc(rivals, l.secretEnd, func(r leak, end int) int { return cmp.Compare(r.secretStart, end) })
		rivals = rivals[max(i-maxRivals, 0):i]
	}
	secret := v.text[l.secretStart:l.secretEnd]
	return slices.ContainsFunc(rivals, func(r leak) bool {
		return strings.Contains(v.text[r.secretStart:r.secretEnd], secret)
	})
}
