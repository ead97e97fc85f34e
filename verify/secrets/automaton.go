package secrets

// automaton finds many words in one pass (Aho and Corasick, 1975). Words are in
// lower-case ASCII and match in any case. Bytes that no word has share one class,
// so that the table stays small enough for a cache.
type automaton struct {
	class   [256]uint8
	classes int
	next    []uint16 // state*classes + class -> state
	ends    [][]uint16
	end     []bool // state -> whether any word ends there
}

func newAutomaton(words []string) *automaton {
	a := &automaton{classes: 1}
	for _, w := range words {
		for i := range len(w) {
			if a.class[w[i]] == 0 {
				a.class[w[i]] = uint8(a.classes)
				a.classes++
			}
		}
	}
	for b := byte('A'); b <= 'Z'; b++ {
		a.class[b] = a.class[b-'A'+'a']
	}
	a.grow()
	for i, w := range words {
		a.add(w, uint16(i))
	}
	a.link()
	return a
}

// grow adds a state.
func (a *automaton) grow() uint16 {
	a.next = append(a.next, make([]uint16, a.classes)...)
	a.ends = append(a.ends, nil)
	return uint16(len(a.ends) - 1)
}

func (a *automaton) add(word string, id uint16) {
	state := uint16(0)
	for i := range len(word) {
		at := int(state)*a.classes + int(a.class[word[i]])
		if a.next[at] == 0 {
			to := a.grow()
			a.next[at] = to
		}
		state = a.next[at]
	}
	a.ends[state] = append(a.ends[state], id)
}

// link turns the tree of words into an automaton: where the tree has no branch, it
// goes on as the longest suffix that is in the tree would.
func (a *automaton) link() {
	fail := make([]uint16, len(a.ends))
	queue := make([]uint16, 0, len(a.ends))
	for c := range a.classes {
		if s := a.next[c]; s != 0 {
			queue = append(queue, s)
		}
	}
	for i := 0; i < len(queue); i++ {
		s := queue[i]
		a.ends[s] = append(a.ends[s], a.ends[fail[s]]...)
		for c := range a.classes {
			at := int(s)*a.classes + c
			back := a.next[int(fail[s])*a.classes+c]
			if to := a.next[at]; to != 0 {
				fail[to] = back
				queue = append(queue, to)
			} else {
				a.next[at] = back
			}
		}
	}
	a.end = make([]bool, len(a.ends))
	for s := range a.ends {
		a.end[s] = len(a.ends[s]) > 0
	}
}

// scan calls hit for every word that ends in text[from:to], with the place behind
// its end, and gives the state for the text that follows.
func (a *automaton) scan(state uint16, text string, from, to int, hit func(word uint16, end int)) uint16 {
	for i := from; i < to; i++ {
		state = a.next[int(state)*a.classes+int(a.class[text[i]])]
		if a.end[state] {
			for _, w := range a.ends[state] {
				hit(w, i+1)
			}
		}
	}
	return state
}

// contains reports whether text holds any word.
func (a *automaton) contains(text string) bool {
	state := uint16(0)
	for i := range len(text) {
		state = a.next[int(state)*a.classes+int(a.class[text[i]])]
		if a.end[state] {
			return true
		}
	}
	return false
}
