package valuediff_test

import (
	"fmt"

	"github.com/replay-gate/replay-gate/verify/canonical"
	"github.com/replay-gate/replay-gate/verify/valuediff"
)

func ExampleDiff() {
	before, err := canonical.Parse([]byte("palette: {accent: red}\nforbid: [blob, gradient]\n"))
	if err != nil {
		fmt.Println(err)
		return
	}
	after, err := canonical.Parse([]byte("forbid: # by now three\n  - blob\n  - glow\n  - gradient\npalette: {accent: blue}\n"))
	if err != nil {
		fmt.Println(err)
		return
	}
	edits, more := valuediff.Diff(before, after, valuediff.Limits{})
	for _, e := range edits {
		fmt.Println(e.Op, e.Path, e.Before, e.After)
	}
	fmt.Println(more, "more")
	// Output:
	// added forbid[1]  "glow"
	// changed palette.accent "red" "blue"
	// 0 more
}
