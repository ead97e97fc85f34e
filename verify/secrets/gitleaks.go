package secrets

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// rule is a rule of gitleaks, or one of ours in its manner, and what lets it be evaluated near the places where it
// can match (internal/interop-gitleaks derives that from the expression).
type rule struct {
	id       string
	regex    string
	keywords []string // the text must hold one, in any case
	entropy  float64  // of the secret, in bits a character, which it must exceed
	digit    bool     // the secret has a digit; prose has none
	allowed  []allowance

	// anchors are texts of which every match holds one; none: it can match anywhere.
	anchors    []string
	fold       bool // anchors are in lower case and count in any
	bounded    bool // a match begins with an anchor, at the boundary of a word
	word       bool // a match has no blank but the one that ends it
	lead       int  // bytes of a match before the anchor, at most
	after      int  // bytes of a match from the anchor's start on, at most; -1: any number
	least      int  // and at least
	assignment *assignment
}

// allowance excuses what a rule found.
type allowance struct {
	target    string // what the expressions look at: the secret (""), "match" or "line"
	regexes   []string
	hints     string // in lower case, between NULs: without one the expressions do not match; or empty
	stopwords string // in lower case, one a line; the secret holds one
}

// leak is what a rule found: its match, and the secret in it.
type leak struct {
	rule                   *rule
	start, end             int
	secretStart, secretEnd int
	line                   int // where the match starts, from 1
}

func (r *rule) kind() Kinds {
	if strings.HasPrefix(r.id, "form/") {
		return Forms
	}
	return Gitleaks
}

// ruleSet is all rules, ready to be evaluated.
type ruleSet struct {
	words    *automaton
	lengths  []int
	keyword  [][]int // word -> rules that have it as a keyword
	anchor   [][]int // word -> rules that have it as an anchor
	placed   []bool  // word -> whether it matters where it stands
	own      map[string]uint16
	rules    []*compiled
	anywhere []*allowed
}

// compiled is a rule with what is built when a text first needs it.
type compiled struct {
	*rule
	words   []uint16 // the anchors in the automaton
	exact   map[string]bool
	folded  map[string]bool // what exact spells, in lower case
	regexp  func() *regexp.Regexp
	values  func() []sequence
	excused func() []*allowed
}

// gitleaks is built when the first text is scanned; its expressions, which take
// most of the time, each when a text holds its keyword.
var gitleaks = sync.OnceValue(func() *ruleSet {
	s := &ruleSet{}
	index := make(map[string]uint16)
	var words []string
	id := func(word string) uint16 {
		n, ok := index[word]
		if !ok {
			n = uint16(len(words))
			index[word] = n
			words, s.lengths = append(words, word), append(s.lengths, len(word))
			s.keyword, s.anchor = append(s.keyword, nil), append(s.anchor, nil)
		}
		return n
	}
	all := slices.Concat(gitleaksRules, formRules)
	for i := range all {
		c := compile(&all[i])
		for _, k := range c.keywords {
			n := id(k)
			s.keyword[n] = append(s.keyword[n], i)
		}
		for _, a := range c.anchors {
			n := id(strings.ToLower(a))
			if !slices.Contains(c.words, n) {
				c.words = append(c.words, n)
				s.anchor[n] = append(s.anchor[n], i)
			}
		}
		s.rules = append(s.rules, c)
	}
	s.own = make(map[string]uint16)
	for _, w := range slices.Concat(nameWords, []string{urlMark, beginMark, "authorization", "sk-", "sk_"}) {
		s.own[w] = id(w)
	}
	s.placed = make([]bool, len(words))
	for i := range s.placed {
		s.placed[i] = len(s.anchor[i]) > 0
	}
	for _, i := range s.own {
		s.placed[i] = true
	}
	s.words = newAutomaton(words)
	s.anywhere = compileAllowed(gitleaksAllowed)
	return s
})

func compile(r *rule) *compiled {
	c := &compiled{rule: r}
	spellings := r.anchors
	if r.assignment != nil {
		spellings = r.assignment.exact
	}
	if !r.fold || r.assignment != nil && len(spellings) > 0 {
		c.exact, c.folded = make(map[string]bool), make(map[string]bool)
		for _, s := range spellings {
			c.exact[s], c.folded[strings.ToLower(s)] = true, true
		}
	}
	c.regexp = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(r.regex) })
	c.values = sync.OnceValue(func() []sequence { return sequences(r.assignment.secret) })
	c.excused = sync.OnceValue(func() []*allowed { return compileAllowed(r.allowed) })
	return c
}

// spelled reports whether an anchor counts as it is spelled in the text.
func (c *compiled) spelled(text string) bool {
	return c.exact == nil || c.exact[text] || !c.folded[strings.ToLower(text)]
}

// piece is how much is looked at between two looks at the context, in bytes.
const piece = 64 << 10

// hits are the places of words in a text.
type hits struct {
	touched []uint16  // the words that are there
	present []bool    // word -> whether it is
	at      [][]int32 // word -> where it starts, if that matters
	wanted  []bool    // rule -> whether one of its keywords is there
}

// free are hits to use again: most texts are short, and hold few words.
var free = sync.Pool{New: func() any {
	n := len(gitleaks().lengths)
	return &hits{present: make([]bool, n), at: make([][]int32, n), wanted: make([]bool, len(gitleaks().rules))}
}}

// manyPlaces is from how many places on a list is not kept for the next text.
const manyPlaces = 1 << 12

func (h *hits) release() {
	for _, w := range h.touched {
		if h.present[w] = false; cap(h.at[w]) > manyPlaces {
			h.at[w] = nil
		}
		h.at[w] = h.at[w][:0]
	}
	h.touched = h.touched[:0]
	free.Put(h)
}

func (s *ruleSet) hits(ctx context.Context, text string) (*hits, error) {
	h := free.Get().(*hits)
	state := uint16(0)
	for from := 0; from < len(text); from += piece {
		if err := ctx.Err(); err != nil {
			h.release()
			return nil, err
		}
		state = s.words.scan(state, text, from, min(from+piece, len(text)), func(word uint16, end int) {
			if !h.present[word] {
				h.present[word] = true
				h.touched = append(h.touched, word)
			}
			if s.placed[word] {
				h.at[word] = append(h.at[word], int32(end-s.lengths[word]))
			}
		})
	}
	return h, nil
}

// find gives what the rules of the wanted kinds find in text, sorted by place: for
// gitleaks' own, what its DetectString finds without the file's name, and with the
// comments that switch rules off ignored.
func (s *ruleSet) find(ctx context.Context, text string, h *hits, kinds Kinds) ([]leak, error) {
	v := &verdicts{text: text, anywhere: s.anywhere}
	clear(h.wanted)
	for _, word := range h.touched {
		for _, i := range s.keyword[word] {
			h.wanted[i] = true
		}
	}
	for i, c := range s.rules {
		if !h.wanted[i] || kinds&c.kind() == 0 {
			continue
		}
		if err := s.evaluate(ctx, v, c, h); err != nil {
			return nil, err
		}
	}
	return v.sorted(), nil
}

func (s *ruleSet) evaluate(ctx context.Context, v *verdicts, c *compiled, h *hits) error {
	if len(c.anchors) == 0 {
		_, err := v.window(ctx, c, 0, len(v.text), 0)
		return err
	}
	at := s.anchors(v.text, c, h)
	if c.assignment != nil {
		return v.assignments(ctx, c, at)
	}
	return v.windows(ctx, c, at)
}

// place is where an anchor stands.
type place struct{ start, end int32 }

// anchors are the places of the rule's anchors, sorted.
func (s *ruleSet) anchors(text string, c *compiled, h *hits) []place {
	var at []place
	used := 0
	for _, w := range c.words {
		if len(h.at[w]) > 0 {
			used++
		}
		n := int32(s.lengths[w])
		for _, start := range h.at[w] {
			if c.exact == nil || c.spelled(text[start:start+n]) {
				at = append(at, place{start, start + n})
			}
		}
	}
	if used > 1 {
		slices.SortFunc(at, func(a, b place) int { return int(a.start) - int(b.start) })
	}
	return at
}

// places are the places of some of our own words, sorted.
func (s *ruleSet) places(h *hits, words ...string) []int32 {
	if len(words) == 1 {
		return h.at[s.own[words[0]]]
	}
	var at []int32
	for _, w := range words {
		at = append(at, h.at[s.own[w]]...)
	}
	if !slices.IsSorted(at) {
		slices.Sort(at)
	}
	return at
}
