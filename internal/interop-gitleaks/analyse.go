package main

import (
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// analysis is what lets a rule be evaluated around the places where it can match
// instead of over the whole text.
type analysis struct {
	anchors []string // every match holds one of these texts
	fold    bool     // in any case; else the anchors are spelled as they must be
	bounded bool     // a match begins with an anchor, at a word's boundary
	word    bool     // a match has no blank but at its very end
	lead    int      // at most so many bytes of a match stand before the anchor
	after   int      // from the anchor's start on, a match has at most so many bytes; -1: any
	least   int      // and at least so many
}

const unbounded = -1

// terminator ends most rules; only with it can a match that is a word end in a blank.
var terminators = []string{`(?:[\x60'"\s;]|\\[nr]|$)`, `(?:[\x60'"\s;]|\\[nr]|$|\b)`, `(?:[^\w-]|\z)`, `(?:[^a-zA-Z0-9+/]|\z)`}

func analyse(regex string) analysis {
	re, err := syntax.Parse(regex, syntax.Perl)
	if err != nil {
		panic(err)
	}
	body := regex
	for _, t := range terminators {
		body = strings.TrimSuffix(body, t)
	}
	inner, err := syntax.Parse(body, syntax.Perl)
	if err != nil {
		panic(err)
	}
	a := analysis{word: !takesBlank(inner), after: unbounded}
	best := finder{most: 32, class: 6}.find(re, 0)
	if best == nil {
		return a
	}
	a.anchors, a.fold, a.lead = best.texts, best.fold, best.lead
	if a.fold {
		for i := range a.anchors {
			a.anchors[i] = strings.ToLower(a.anchors[i])
		}
	}
	slices.Sort(a.anchors)
	a.anchors = slices.Compact(a.anchors)
	a.bounded = a.lead == 0 && (strings.HasPrefix(regex, `\b`) || strings.HasPrefix(regex, `(?i)\b`))
	if most := longest(re); most != unbounded {
		a.after = most
	}
	a.least = max(shortest(inner)-a.lead, 0)
	return a
}

// finder bounds what is looked for.
type finder struct {
	most, class int  // texts in a set, and characters in a class that is spelled out
	anywhere    bool // however much stands before the anchor
}

// hints are words one of which, in any case, is in all that the expression matches;
// none if that is not known.
func hints(regex string) []string {
	re, err := syntax.Parse(regex, syntax.Perl)
	if err != nil {
		panic(err)
	}
	a := finder{most: 512, class: 6, anywhere: true}.find(re, 0)
	if a == nil || a.least() < 2 {
		return nil
	}
	for i := range a.texts {
		a.texts[i] = strings.ToLower(a.texts[i])
	}
	slices.Sort(a.texts)
	return slices.Compact(a.texts)
}

// anchor is a set of texts one of which every match holds.
type anchor struct {
	texts []string
	fold  bool
	lead  int
}

func (a *anchor) least() int {
	n := 1 << 20
	for _, t := range a.texts {
		n = min(n, len(t))
	}
	return n
}

// find is the best anchor in re, of which lead bytes of the match stand before at most.
func (f finder) find(re *syntax.Regexp, lead int) *anchor {
	switch re.Op {
	case syntax.OpCapture:
		return f.find(re.Sub[0], lead)
	case syntax.OpLiteral, syntax.OpCharClass:
		if texts, fold, ok := f.texts(re); ok {
			return &anchor{texts, fold, lead}
		}
	case syntax.OpRepeat:
		if re.Min > 0 {
			return f.find(re.Sub[0], lead)
		}
	case syntax.OpPlus:
		return f.find(re.Sub[0], lead)
	case syntax.OpAlternate:
		all := &anchor{}
		for _, sub := range re.Sub {
			a := f.find(sub, lead)
			if a == nil {
				return nil
			}
			all.texts, all.fold, all.lead = append(all.texts, a.texts...), all.fold || a.fold, max(all.lead, a.lead)
		}
		return all
	case syntax.OpConcat:
		var best *anchor
		better := func(a *anchor) {
			if a != nil && a.least() >= 2 && (best == nil || min(a.least(), 6) > min(best.least(), 6)) {
				best = a
			}
		}
		for i := 0; i < len(re.Sub); i++ {
			run := &anchor{texts: []string{""}, lead: lead}
			for j := i; j < len(re.Sub); j++ {
				more, fold, ok := f.texts(re.Sub[j])
				if !ok || len(more)*len(run.texts) > f.most {
					break
				}
				var product []string
				for _, a := range run.texts {
					for _, b := range more {
						product = append(product, a+b)
					}
				}
				run.texts, run.fold = product, run.fold || fold
			}
			better(run)
			better(f.find(re.Sub[i], lead))
			n := longest(re.Sub[i])
			if n == unbounded && !f.anywhere {
				break
			}
			lead += n
		}
		return best
	}
	return nil
}

// texts are all that re can match, if they are few.
func (f finder) texts(re *syntax.Regexp) (all []string, fold, ok bool) {
	switch re.Op {
	case syntax.OpLiteral:
		if r := re.Rune[0]; len(re.Rune) == 1 && re.Flags&syntax.FoldCase != 0 {
			// The parser makes [Mm] of it, too.
			return slices.Compact([]string{string(unicode.ToUpper(r)), string(unicode.ToLower(r))}), false, true
		}
		return []string{string(re.Rune)}, re.Flags&syntax.FoldCase != 0, true
	case syntax.OpCapture:
		return f.texts(re.Sub[0])
	case syntax.OpEmptyMatch, syntax.OpWordBoundary, syntax.OpBeginText:
		return []string{""}, false, true
	case syntax.OpCharClass:
		for i := 0; i < len(re.Rune); i += 2 {
			for r := re.Rune[i]; r <= re.Rune[i+1]; r++ {
				if all = append(all, string(r)); len(all) > f.class {
					return nil, false, false
				}
			}
		}
		return all, false, true
	case syntax.OpAlternate:
		for _, sub := range re.Sub {
			more, folded, ok := f.texts(sub)
			if !ok {
				return nil, false, false
			}
			all, fold = append(all, more...), fold || folded
		}
		return all, fold, len(all) <= f.most
	case syntax.OpQuest:
		more, folded, ok := f.texts(re.Sub[0])
		return append(more, ""), folded, ok
	case syntax.OpConcat:
		all = []string{""}
		for _, sub := range re.Sub {
			more, folded, ok := f.texts(sub)
			if !ok || len(all)*len(more) > f.most {
				return nil, false, false
			}
			var product []string
			for _, a := range all {
				for _, b := range more {
					product = append(product, a+b)
				}
			}
			all, fold = product, fold || folded
		}
		return all, fold, true
	}
	return nil, false, false
}

// longest is how many bytes a match of re has at most.
func longest(re *syntax.Regexp) int {
	switch re.Op {
	case syntax.OpLiteral:
		return len(string(re.Rune)) * width(re)
	case syntax.OpCharClass:
		if len(re.Rune) > 0 && re.Rune[len(re.Rune)-1] < utf8.RuneSelf {
			return 1
		}
		return utf8.UTFMax
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return utf8.UTFMax
	case syntax.OpCapture, syntax.OpQuest:
		return longest(re.Sub[0])
	case syntax.OpStar, syntax.OpPlus:
		return unbounded
	case syntax.OpRepeat:
		n := longest(re.Sub[0])
		if re.Max < 0 || n == unbounded {
			return unbounded
		}
		return n * re.Max
	case syntax.OpConcat, syntax.OpAlternate:
		total := 0
		for _, sub := range re.Sub {
			n := longest(sub)
			switch {
			case n == unbounded:
				return unbounded
			case re.Op == syntax.OpConcat:
				total += n
			default:
				total = max(total, n)
			}
		}
		return total
	}
	return 0
}

// width is how many bytes a letter that matches in any case may take more.
func width(re *syntax.Regexp) int {
	if re.Flags&syntax.FoldCase != 0 {
		return 3
	}
	return 1
}

// shortest is how many bytes a match of re has at least.
func shortest(re *syntax.Regexp) int {
	switch re.Op {
	case syntax.OpLiteral:
		return len(re.Rune)
	case syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return 1
	case syntax.OpCapture, syntax.OpPlus:
		return shortest(re.Sub[0])
	case syntax.OpRepeat:
		return re.Min * shortest(re.Sub[0])
	case syntax.OpConcat:
		n := 0
		for _, sub := range re.Sub {
			n += shortest(sub)
		}
		return n
	case syntax.OpAlternate:
		n := 1 << 20
		for _, sub := range re.Sub {
			n = min(n, shortest(sub))
		}
		return n
	}
	return 0
}

// takesBlank reports whether a match of re can hold white space.
func takesBlank(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return true
	case syntax.OpLiteral:
		return slices.ContainsFunc(re.Rune, unicode.IsSpace)
	case syntax.OpCharClass:
		for i := 0; i < len(re.Rune); i += 2 {
			for _, blank := range " \t\n\v\f\r" {
				if re.Rune[i] <= blank && blank <= re.Rune[i+1] {
					return true
				}
			}
		}
		return false
	}
	return slices.ContainsFunc(re.Sub, takesBlank)
}
