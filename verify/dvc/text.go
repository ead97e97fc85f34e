package dvc

import (
	"fmt"
	"strings"

	"github.com/replay-gate/replay-gate/verify"
)

// longest bounds a name that a reason quotes, in bytes.
const longest = 96

func shown(s string) string { return verify.Shorten(s, longest) }

// plural counts things: "1 file", "3 files".
func plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// listed joins the first few names and counts the rest.
func listed(names []string) string {
	const most = 3
	var some []string
	for _, n := range names[:min(most, len(names))] {
		some = append(some, shown(n))
	}
	text := strings.Join(some, ", ")
	if len(names) > most {
		text += fmt.Sprintf(" and %d more", len(names)-most)
	}
	return text
}
