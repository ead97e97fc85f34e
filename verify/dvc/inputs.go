package dvc

import (
	"cmp"
	"io/fs"
	"slices"

	"github.com/replay-gate/replay-gate/verify"
)

// maxInputs bounds the inputs of one lock.
const maxInputs = 5000

// inputs collects the files that a verdict rests on.
type inputs struct {
	own  string // the evidence's own path
	list []verify.Input
	seen map[verify.Input]bool
}

// roles is the order in which a bundle carries inputs: what says how to judge, then what
// is small and edited by hand, then data.
var roles = []string{"pipeline", "dvcignore", "params", "vars", "tracked", "lock", "dep", "out", "member"}

func (in *inputs) add(i verify.Input) {
	i.Place = verify.PlaceInputs
	if in.seen == nil {
		in.seen = make(map[verify.Input]bool)
	}
	if !fs.ValidPath(i.Path) || i.Path == in.own || in.seen[i] || len(in.list) >= maxInputs {
		return
	}
	in.seen[i] = true
	in.list = append(in.list, i)
}

// forget takes back all but the first n that were added.
func (in *inputs) forget(n int) {
	for _, i := range in.list[n:] {
		delete(in.seen, i)
	}
	in.list = in.list[:n]
}

func (in *inputs) sorted() []verify.Input {
	slices.SortFunc(in.list, func(a, b verify.Input) int {
		return cmp.Or(
			cmp.Compare(slices.Index(roles, a.Role), slices.Index(roles, b.Role)),
			cmp.Compare(a.Path, b.Path), cmp.Compare(a.Field, b.Field), cmp.Compare(a.Key, b.Key), cmp.Compare(a.Hash, b.Hash),
		)
	})
	return in.list
}
