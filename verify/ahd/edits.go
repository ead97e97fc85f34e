package ahd

// editsOf pairs the lines that are gone with those that have come, and tells which of
// their numbers were replaced or removed. text counts the lines that differ in more than
// their numbers.
func editsOf(old, now []reportLine) (edits []edit, text int) {
	taken := make([]bool, len(now))
	pair := func(l reportLine, same func(reportLine) bool) int {
		for i := range now {
			if !taken[i] && same(now[i]) {
				taken[i] = true
				return i
			}
		}
		return -1
	}
	// The same line with other numbers, and then the same row of a table with other words.
	var rest []reportLine
	for _, l := range old {
		if i := pair(l, func(n reportLine) bool { return n.skeleton == l.skeleton }); i >= 0 {
			edits = append(edits, replaced(l, now[i])...)
		} else {
			rest = append(rest, l)
		}
	}
	var others, come []reportLine
	for _, l := range rest {
		i := -1
		if l.label != "" {
			i = pair(l, func(n reportLine) bool { return n.label == l.label })
		}
		text++
		if i >= 0 {
			edits = append(edits, replaced(l, now[i])...)
		} else {
			others = append(others, l)
		}
	}
	for i, n := range now {
		if !taken[i] {
			come = append(come, n)
			text++
		}
	}
	// What is left may have been broken into other lines, so only the order counts.
	return append(edits, inOrder(others, come)...), text
}

// replaced tells the numbers of one line that are others in its new version.
func replaced(old, now reportLine) []edit {
	if len(old.numbers) != len(now.numbers) {
		return inOrder([]reportLine{old}, []reportLine{now})
	}
	var all []edit
	for i, n := range old.numbers {
		if m := now.numbers[i]; n.key != m.key {
			all = append(all, edit{n.text, m.text, now.line, labelOf(old)})
		}
	}
	return all
}

// placed is a number and the line that it stands on.
type placed struct {
	number
	in reportLine
}

func inLines(lines []reportLine) []placed {
	var all []placed
	for _, l := range lines {
		for _, n := range l.numbers {
			all = append(all, placed{n, l})
		}
	}
	return all
}

// maxTable bounds the comparison of two lists of numbers, in cells.
const maxTable = 4 << 20

// inOrder tells which numbers of old are not among those of now in the same order. One
// that stands where another stood has replaced it.
func inOrder(old, now []reportLine) []edit {
	a, b := inLines(old), inLines(now)
	for len(a) > 0 && len(b) > 0 && a[0].key == b[0].key {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1].key == b[len(b)-1].key {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	var all []edit
	var gone, come []placed
	flush := func() {
		for i, n := range gone {
			e := edit{old: n.text, label: labelOf(n.in)}
			if i < len(come) {
				e.new, e.line = come[i].text, come[i].in.line
			}
			all = append(all, e)
		}
		gone, come = nil, nil
	}
	if (len(a)+1)*(len(b)+1) > maxTable {
		gone, come = a, b
		flush()
		return all
	}
	longest := common(a, b)
	for len(a) > 0 || len(b) > 0 {
		switch {
		case len(a) > 0 && len(b) > 0 && a[0].key == b[0].key:
			flush()
			a, b = a[1:], b[1:]
		case len(b) == 0 || len(a) > 0 && longest[len(a)-1][len(b)] >= longest[len(a)][len(b)-1]:
			gone, a = append(gone, a[0]), a[1:]
		default:
			come, b = append(come, b[0]), b[1:]
		}
	}
	flush()
	return all
}

// common holds, for the last i numbers of a and the last j of b, how many they have in
// common in the same order.
func common(a, b []placed) [][]int32 {
	t := make([][]int32, len(a)+1)
	for i := range t {
		t[i] = make([]int32, len(b)+1)
		for j := 1; i > 0 && j <= len(b); j++ {
			if a[len(a)-i].key == b[len(b)-j].key {
				t[i][j] = t[i-1][j-1] + 1
			} else {
				t[i][j] = max(t[i-1][j], t[i][j-1])
			}
		}
	}
	return t
}

// labelOf says what the numbers of a line are about.
func labelOf(l reportLine) string {
	if l.label != "" {
		return l.label
	}
	return l.skeleton
}
