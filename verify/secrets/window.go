package secrets

import (
	"context"
	"strings"
	"unicode/utf8"
)

const (
	// reach is how far from its anchor a match of unbounded length is looked for,
	// and wideReach where it may hold blanks, in bytes. One that goes on where the
	// window ends is followed.
	reach     = 4 << 10
	wideReach = 32 << 10
	// maxMatch is how far such a match is followed.
	maxMatch = 1 << 20
)

// needs are texts without one of which behind its anchor a rule can't match: curl
// is in much prose, and its rules look six lines ahead.
var needs = map[string][]string{
	"curl-auth-header": {"-H", "--header"},
	"curl-auth-user":   {"-u", "--user"},
}

// windows finds the rule's matches in windows around its anchors. Windows that
// touch become one, so that a match is found as in the whole text.
func (v *verdicts) windows(ctx context.Context, c *compiled, at []place) error {
	from, to, floor := -1, -1, 0
	for i, a := range at {
		if i%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		lo, hi, ok := v.around(c, int(a.start))
		if !ok {
			continue
		}
		if from >= 0 && lo <= to {
			to = max(to, hi)
			continue
		}
		var err error
		if floor, err = v.window(ctx, c, from, to, floor); err != nil {
			return err
		}
		from, to = lo, hi
	}
	_, err := v.window(ctx, c, from, to, floor)
	return err
}

// around is the window around an anchor, or says that nothing can match there.
func (v *verdicts) around(c *compiled, start int) (lo, hi int, ok bool) {
	if c.bounded && start > 0 && isWord.has(v.text[start-1]) {
		return 0, 0, false
	}
	far := c.after + utf8.UTFMax // what may end a match is looked at, too
	if c.after < 0 {
		far = reach
		if !c.word {
			far = wideReach
		}
	}
	hi = min(start+far, len(v.text))
	if c.word {
		hi = min(hi, v.wordEnd(start, hi)+1)
	}
	if c.lead == 0 && hi-start < c.least {
		return 0, 0, false
	}
	if texts := needs[c.id]; texts != nil && !strings.Contains(v.text[start:hi], texts[0]) && !strings.Contains(v.text[start:hi], texts[1]) {
		return 0, 0, false
	}
	// One character more, for what a boundary is judged by.
	lo = max(start-c.lead-1, 0)
	for lo > 0 && !utf8.RuneStart(v.text[lo]) {
		lo--
	}
	return lo, hi, true
}

// wordEnd is where the first blank from start on stands, or hi. As the anchors of a
// rule come in order, each byte is looked at once.
func (v *verdicts) wordEnd(start, hi int) int {
	if start < v.wordFrom || start > v.wordTo {
		v.wordFrom, v.wordTo = start, start
	}
	for v.wordTo < hi {
		if c := v.text[v.wordTo]; c == ' ' || c >= '\t' && c <= '\r' {
			break
		}
		v.wordTo++
	}
	return min(v.wordTo, hi)
}

// window judges the matches in text[from:to] that start at floor or later, and
// gives the end of the last. Large windows are looked at in overlapping parts.
func (v *verdicts) window(ctx context.Context, c *compiled, from, to, floor int) (int, error) {
	if from < 0 {
		return floor, nil
	}
	overlap := min(max(c.lead+c.after, reach), piece/2)
	if c.after < 0 && !c.word {
		overlap = wideReach
	}
	for from = max(from, floor-1); from < to; from = max(from+1, floor-1) {
		if err := ctx.Err(); err != nil {
			return floor, err
		}
		hi, cut := to, to
		if to-from > piece+overlap {
			hi, cut = from+piece+overlap, from+piece
		}
		for _, m := range c.regexp().FindAllStringIndex(v.text[from:hi], -1) {
			start, end := from+m[0], from+m[1]
			switch {
			case start < floor || start == from && from > 0:
				continue // it is there for what a boundary is judged by
			case start >= cut:
			case end == hi && c.after < 0:
				end = v.follow(c, start, end)
				fallthrough
			default:
				floor = end
				v.match(c, start, end)
				continue
			}
			break // the next part sees more of it
		}
		if hi == to {
			break
		}
		from = cut - 2
	}
	return floor, nil
}

// follow is the end of the match at start, of which text[:end] sees the beginning.
func (v *verdicts) follow(c *compiled, start, end int) int {
	lo := max(start-1, 0)
	for hi := end; hi < len(v.text) && hi == end && end-start < maxMatch; {
		hi = min(start+4*(end-start)+reach, len(v.text))
		m := c.regexp().FindStringIndex(v.text[lo:hi])
		if m == nil || lo+m[0] != start {
			break
		}
		end = lo + m[1]
	}
	return end
}

// match judges a match: what is the secret in it, as gitleaks has it.
func (v *verdicts) match(c *compiled, start, end int) {
	text := v.text[start:end]
	trimmed := strings.TrimLeft(text, "\n")
	// gitleaks moves the end by all that it trims, and leaves the start.
	l := leak{rule: c.rule, start: start, end: start + len(strings.Trim(text, "\n"))}
	start += len(text) - len(trimmed)
	trimmed = strings.TrimRight(trimmed, "\n")
	l.secretStart, l.secretEnd = start, start+len(trimmed)
	groups := c.regexp().FindStringSubmatchIndex(trimmed)
	for i := 2; i+1 < len(groups); i += 2 {
		if groups[i+1] > groups[i] {
			l.secretStart, l.secretEnd = start+groups[i], start+groups[i+1]
			break
		}
	}
	v.judge(c, l)
}
