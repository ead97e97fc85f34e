package ahd

import (
	"fmt"
	"strings"
	"testing"
)

// lineOf is a line of a report that holds numbers of one letter each.
func lineOf(label, letters string) reportLine {
	l := reportLine{label: label, skeleton: label}
	for _, c := range strings.Fields(letters) {
		l.numbers = append(l.numbers, number{text: c, key: c})
	}
	return l
}

func editsShown(edits []edit) string {
	var all []string
	for _, e := range edits {
		all = append(all, fmt.Sprintf("%s>%s", e.old, e.new))
	}
	return strings.Join(all, " ")
}

// What is left of two lists once the longest that they have in common is taken out, in its
// order, was replaced where something stands in its place, and removed where nothing does.
func TestInOrder(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ old, now, want string }{
		{"", "", ""}, {"a", "a", ""}, {"a b c", "a b c", ""}, {"a", "", "a>"}, {"", "a", ""}, {"a", "b", "a>b"},
		{"a b c", "a c", "b>"}, {"a c", "a b c", ""}, {"a b c", "a x c", "b>x"},
		{"a b c d", "x b y z", "a>x c>y d>z"}, {"p a q b r", "x a y b", "p>x q>y r>"}, {"p a q b r", "a b", "p> q> r>"},
		{"a b c d e", "b d", "a> c> e>"}, {"p a p b q", "x a y b z", "p>x p>y q>z"},
	} {
		if got := editsShown(inOrder([]reportLine{lineOf("l", tc.old)}, []reportLine{lineOf("l", tc.now)})); got != tc.want {
			t.Errorf("%s to %s: %q, want %q", tc.old, tc.now, got, tc.want)
		}
	}
}

// A row is found again by its text, and one whose words are others by its label.
func TestEditsOf(t *testing.T) {
	t.Parallel()
	row := func(label, words, numbers string) reportLine {
		l := lineOf(label, numbers)
		l.skeleton = label + words
		return l
	}
	edits, text := editsOf(
		[]reportLine{row("m1", "x", "a b"), row("m2", "x", "c d")},
		[]reportLine{row("m2", "y", "c e"), row("m1", "y", "a f")},
	)
	if got := editsShown(edits); got != "b>f d>e" || text != 2 {
		t.Errorf("%q, %d lines", got, text)
	}
	edits, text = editsOf([]reportLine{row("m1", "x", "a"), row("m2", "x", "b")}, []reportLine{row("m2", "x", "c"), row("m1", "x", "d"), row("m3", "x", "e")})
	if got := editsShown(edits); got != "a>d b>c" || text != 1 {
		t.Errorf("%q, %d lines", got, text)
	}
}
