package gate

import (
	"bytes"
	"cmp"

	"github.com/replay-gate/replay-gate/gate/change"
	"github.com/replay-gate/replay-gate/verify"
)

// lineFinder finds where in an input the change begins that breaks evidence,
// so that a reviewer reads the finding in the diff. Each input is read once.
type lineFinder struct {
	change *change.Change
	found  map[string]int
}

// of is the first line of the head's file that differs from the base's; 0 when
// the change does not touch the file, or nothing can be said.
func (l *lineFinder) of(name string) int {
	if n, ok := l.found[name]; ok {
		return n
	}
	if l.found == nil {
		l.found = make(map[string]int)
	}
	l.found[name] = 0
	if len(l.change.Bases) == 0 {
		return 0
	}
	b := l.change.Bases[0]
	const limit = 4 << 20
	was, err1 := verify.NewTree(b.Tree).ReadFile(cmp.Or(b.Renamed[name], name), limit)
	is, err2 := verify.NewTree(l.change.Head).ReadFile(name, limit)
	if err1 != nil || err2 != nil || bytes.Equal(was, is) {
		return 0
	}
	n := 1
	for len(was) > 0 && len(is) > 0 {
		a, restA, _ := bytes.Cut(was, []byte("\n"))
		b, restB, _ := bytes.Cut(is, []byte("\n"))
		if !bytes.Equal(a, b) || len(restB) == 0 {
			break
		}
		was, is, n = restA, restB, n+1
	}
	l.found[name] = n
	return n
}
