package valuediff

import "slices"

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
	start := 0
	for start < len(a) && start < len(b) && a[start] == b[start] {
		start++
	}
	end := 0
	for end < len(a)-start && end < len(b)-start && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	*work -= start + end
	a, b = a[start:len(a)-end], b[start:len(b)-end]
	switch {
	case len(a) == 0 && len(b) == 0:
		return nil
	case len(a) == 0, len(b) == 0:
		return []hunk{{start, start + len(a), start, start + len(b)}}
	}
	removed, added, ok := shortest(a, b, work)
	if !ok {
		return []hunk{{start, start + len(a), start, start + len(b)}}
	}
	var hunks []hunk
	for i, j := 0, 0; i < len(a) || j < len(b); {
		if i < len(a) && j < len(b) && !removed[i] && !added[j] {
			i, j = i+1, j+1
			continue
		}
		h := hunk{a0: start + i, b0: start + j}
		for i < len(a) && removed[i] {
			i++
		}
		for j < len(b) && added[j] {
			j++
		}
		h.a1, h.b1 = start+i, start+j
		hunks = append(hunks, h)
	}
	return hunks
}

// shortest says which elements of a go and which of b come.
func shortest(a, b []int, work *int) (removed, added []bool, ok bool) {
	// rounds[d] holds how far into a each diagonal k (place in a minus place in b)
	// comes with d edits, for k from -d to d in steps of 2; -1 is out of reach.
	var rounds [][]int32
	reach := func(d, k int) int {
		if d < 0 || k < -d || k > d {
			return -1
		}
		return int(rounds[d][(k+d)/2])
	}
	// step is where round d starts on diagonal k, and the diagonal it came from.
	step := func(d, k int) (x, from int) {
		if d == 0 {
			return 0, 0
		}
		x = -1
		if down := reach(d-1, k+1); down >= 0 && down-k <= len(b) {
			x, from = down, k+1
		}
		if right := reach(d-1, k-1); right >= 0 && right < len(a) && right+1 > x {
			x, from = right+1, k-1
		}
		return x, from
	}
	for d := 0; ; d++ {
		if d > maxDistance || *work <= 0 {
			return nil, nil, false
		}
		rounds = append(rounds, make([]int32, d+1))
		for k := -d; k <= d; k += 2 {
			x, _ := step(d, k)
			begin := x
			for x >= 0 && x < len(a) && x-k < len(b) && a[x] == b[x-k] {
				x++
			}
			*work -= x - begin + 1
			rounds[d][(k+d)/2] = int32(x)
		}
		if reach(d, len(a)-len(b)) == len(a) {
			break
		}
	}
	removed, added = make([]bool, len(a)), make([]bool, len(b))
	k := len(a) - len(b)
	for d := range slices.Backward(rounds) {
		if d == 0 {
			break
		}
		x, from := step(d, k)
		if from < k {
			removed[x-1] = true
		} else {
			added[x-k-1] = true
		}
		k = from
	}
	return removed, added, true
}
