package pin

import (
	"strings"
	"time"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/jsondoc"
)

// Record reads what a pin records of its run. A run is known by its command and the time
// it began; a pin without them was made without a run, and nothing is compared. A pin
// that was written by hand to fit is then the one lie that nothing shows.
func (Format) Record(e *verify.Evidence) verify.Record {
	s, err := open(e)
	if err != nil || s.inner == nil || s.inner.Err != nil || s.root().Get("predicateType").Text() != linkType {
		return verify.Record{}
	}
	predicate := s.root().Get("predicate")
	argv, ok := words(predicate.Get("command"))
	started := predicate.Get("byproducts").Get(ownKey).Get("startedOn")
	at, err := time.Parse(time.RFC3339, started.Text())
	if !ok || len(argv) == 0 || !started.Is(jsondoc.String) || err != nil {
		return verify.Record{}
	}
	r := verify.Record{
		Identity: at.UTC().Format(time.RFC3339Nano) + " " + strings.Join(argv, "\x00"),
		Values:   s.inner.Recorded(s.root(), weigh),
	}
	if s.envelope != nil { // places in the payload are none in the file
		for i := range r.Values {
			r.Values[i].Line, r.Values[i].Column = 0, 0
		}
	}
	return r
}

// weigh says what another value at a path means, for the same run.
func weigh(path string) (verify.Weight, bool) {
	switch own := "predicate.byproducts." + ownKey + "."; {
	case path == own+"inputs", path == own+"tool":
		return verify.Noted, true // the first follows from the materials, and is checked
	case strings.HasPrefix(path, own+"notes"), strings.HasPrefix(path, own+"notPinned"):
		return verify.Noted, true
	case strings.HasSuffix(path, "].name") && (strings.HasPrefix(path, "subject[") || strings.HasPrefix(path, "predicate.materials[")):
		return verify.Placed, true
	}
	return verify.Claimed, true
}
