package secrets

// gram is how many bytes of a secret in a row must not be shown.
const gram = 8

// grams is a set of runs of 8 bytes, each as one number.
type grams struct {
	set map[uint64]struct{}
	// filter rules most runs out without a look at the set.
	filter [1 << 10]uint64
	// rest takes what is beyond maxGrams, so that memory is bounded whatever is
	// learned: a filter that never forgets a run, and takes some for known that are not.
	rest []uint64
}

const (
	maxGrams  = 1 << 18
	restWords = 1 << 20
)

// mix spreads a run over all bits (Fibonacci hashing).
func mix(g uint64) uint64 {
	g *= 0x9e3779b97f4a7c15
	return g ^ g>>29
}

// add takes up the runs of s.
func (set *grams) add(s string) {
	if set.set == nil {
		set.set = make(map[uint64]struct{})
	}
	var g uint64
	for i := range len(s) {
		g = g>>8 | uint64(s[i])<<56
		if i < gram-1 {
			continue
		}
		h := mix(g)
		set.filter[h>>54] |= 1 << (h >> 48 & 63)
		if _, known := set.set[g]; known {
			continue
		}
		if len(set.set) < maxGrams {
			set.set[g] = struct{}{}
			continue
		}
		if set.rest == nil {
			set.rest = make([]uint64, restWords)
		}
		set.rest[h>>44] |= 1 << (h >> 38 & 63)
		set.rest[h>>12&(restWords-1)] |= 1 << (h >> 6 & 63)
	}
}

func (set *grams) has(g uint64) bool {
	h := mix(g)
	if set.filter[h>>54]&(1<<(h>>48&63)) == 0 {
		return false
	}
	if _, ok := set.set[g]; ok || set.rest == nil {
		return ok
	}
	return set.rest[h>>44]&(1<<(h>>38&63)) != 0 && set.rest[h>>12&(restWords-1)]&(1<<(h>>6&63)) != 0
}

// runs gives the parts of s of which every run of 8 bytes is known. A part that
// tells nothing is left out: a line of dashes is no piece of a secret.
func (set *grams) runs(s []byte, part func(from, to int)) {
	if len(set.set) == 0 {
		return
	}
	from, to, telling := 0, 0, false
	var g uint64
	for end := 1; end <= len(s); end++ {
		g = g>>8 | uint64(s[end-1])<<56
		if end < gram || !set.has(g) {
			continue
		}
		if end-gram > to {
			if telling {
				part(from, to)
			}
			from, telling = end-gram, false
		} else if to == 0 {
			from = end - gram
		}
		to = end
		telling = telling || tells(g)
	}
	if telling {
		part(from, to)
	}
}

// tells reports whether a run has more than two different bytes.
func tells(g uint64) bool {
	first, second := byte(g), byte(g)
	for range gram {
		if b := byte(g); b != first && b != second {
			if second != first {
				return true
			}
			second = b
		}
		g >>= 8
	}
	return false
}
