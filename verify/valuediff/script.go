package valuediff

// maxDistance bounds the edit script that is looked for, in elements removed and
// added. What is further apart is compared by position.
const maxDistance = 1000

// hunk says that a[a0:a1] became b[b0:b1]; between hunks the elements are equal.
type hunk struct{ a0, a1, b0, b1 int }

// script returns the shortest way from a to b (Myers, An O(ND) Difference
// Algorithm and Its Variations, 1986). When that takes more than maxDistance edits
// or more than the work left, it is one hunk without the common ends. Work is
// counted in elements compared.
func script(a, b []int, work *int) []hunk {
	start, end := commonEnds(a, b)
	*work -= start + end
	a, b = a[start:len(a)-end], b[start:len(b)-end]
	if len(a) == 0 && len(b) == 0 {
		return nil
	}
	whole := []hunk{{start, start + len(a), start, start + len(b)}}
	if len(a) == 0 || len(b) == 0 {
		return whole
	}
	s := search{a: a, b: b}
	if !s.run(work) {
		return whole
	}
	return s.hunks(start)
}

// commonEnds counts the elements that both begin with, and those that both end with.
func commonEnds(a, b []int) (start, end int) {
	for start < len(a) && start < len(b) && a[start] == b[start] {
		start++
	}
	for end < len(a)-start && end < len(b)-start && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	return start, end
}

// search is the search for the shortest way from a to b.
type search struct {
	a, b []int
	// rounds[d] holds how far into a each diagonal k (place in a minus place in b)
	// comes with d edits, for k from -d to d in steps of 2; -1 is out of reach.
	rounds [][]int32
}

// reach is how far round d comes on diagonal k.
func (s *search) reach(d, k int) int {
	if d < 0 || k < -d || k > d {
		return -1
	}
	return int(s.rounds[d][(k+d)/2])
}

// step is where round d starts on diagonal k, and the diagonal it came from.
func (s *search) step(d, k int) (x, from int) {
	if d == 0 {
		return 0, 0
	}
	x = -1
	if down := s.reach(d-1, k+1); down >= 0 && down-k <= len(s.b) {
		x, from = down, k+1
	}
	if right := s.reach(d-1, k-1); right >= 0 && right < len(s.a) && right+1 > x {
		x, from = right+1, k-1
	}
	return x, from
}

// run goes round by round until one comes to the end of both, and reports whether one did.
func (s *search) run(work *int) bool {
	for d := 0; d <= maxDistance && *work > 0; d++ {
		round := make([]int32, d+1)
		s.rounds = append(s.rounds, round)
		for k := -d; k <= d; k += 2 {
			begin, _ := s.step(d, k)
			x := begin
			for x >= 0 && x < len(s.a) && x-k < len(s.b) && s.a[x] == s.b[x-k] {
				x++
			}
			*work -= x - begin + 1
			round[(k+d)/2] = int32(x)
		}
		if s.reach(d, len(s.a)-len(s.b)) == len(s.a) {
			return true
		}
	}
	return false
}

// edits says, backwards along the way that run found, which elements of a go and which of
// b come.
func (s *search) edits() (removed, added []bool) {
	removed, added = make([]bool, len(s.a)), make([]bool, len(s.b))
	k := len(s.a) - len(s.b)
	for d := len(s.rounds) - 1; d > 0; d-- {
		x, from := s.step(d, k)
		if from < k {
			removed[x-1] = true
		} else {
			added[x-k-1] = true
		}
		k = from
	}
	return removed, added
}

// hunks are the edits side by side, for a and b that stand at start.
func (s *search) hunks(start int) []hunk {
	removed, added := s.edits()
	var all []hunk
	for i, j := 0, 0; i < len(removed) || j < len(added); {
		h := hunk{a0: start + i, b0: start + j}
		for i < len(removed) && removed[i] {
			i++
		}
		for j < len(added) && added[j] {
			j++
		}
		if h.a1, h.b1 = start+i, start+j; h.a1 > h.a0 || h.b1 > h.b0 {
			all = append(all, h)
		} else {
			i, j = i+1, j+1
		}
	}
	return all
}
