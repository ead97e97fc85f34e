package gate

import (
	"bytes"
	"slices"

	"github.com/replay-gate/replay-gate/gate/repo"
	"github.com/replay-gate/replay-gate/summary"
	"github.com/replay-gate/replay-gate/verify"
)

// changedLines finds where in an input the change begins that breaks evidence,
// so that a reviewer reads the finding in the diff. Each input is read once.
type changedLines struct {
	*change
	found map[string]int
}

// note sets the line on the FAILs that the change introduced.
func (l *changedLines) note(fields []summary.Field) {
	for i := range fields {
		if f := &fields[i]; f.Attribution == summary.Introduced && f.Input != "" {
			f.InputLine = l.line(f.Input)
		}
	}
}

// line is the first line of the head's file that differs from the base's; 0 when
// the change does not touch the file, or nothing can be said.
func (l *changedLines) line(name string) int {
	if n, ok := l.found[name]; ok {
		return n
	}
	if l.found == nil {
		l.found = make(map[string]int)
	}
	l.found[name] = 0
	i := slices.IndexFunc(l.files, func(c repo.Change) bool { return c.Path == name })
	if i < 0 || l.base == nil {
		return 0
	}
	before := l.files[i].OldPath
	if before == "" {
		before = name
	}
	const limit = 4 << 20
	was, err1 := verify.NewTree(l.base).ReadFile(before, limit)
	is, err2 := verify.NewTree(l.head).ReadFile(name, limit)
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
