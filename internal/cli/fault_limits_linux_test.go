package cli

import (
	"fmt"
	"strings"
	"testing"
)

// Few open files: the verdict is right from 16 on, however many objects lie loose, and
// below that the run says what there is too little of. (Under seven the program itself
// can't start.)
func (f faults) limits(t *testing.T) {
	t.Parallel()
	for own, s := range scenes(t, 23) {
		for n := 7; n <= 17; n++ {
			for _, head := range []string{"", " --head HEAD"} {
				got := f.run(t, s, fmt.Sprintf(`ulimit -n %d; "$@"%s`, n, head), nil)
				said := strings.Contains(got.out+got.chatty, "ulimit -n") || strings.Contains(got.out+got.chatty, "E_UNREADABLE")
				if got.code != own && (got.code != 3 || !said || n >= 16) {
					t.Errorf("%d files%s: exit %d\n%s\n%s", n, head, got.code, got.out, got.chatty)
				}
				if got.code == own && !whole(t, s.Repo) {
					t.Errorf("%d files%s: the folder of bundles is not whole", n, head)
				}
			}
		}
	}
}
