package pin

import (
	"path"
	"regexp"
	"time"

	"github.com/replay-gate/replay-gate/verify"
)

// date finds a day in a path, with the time that may follow it:
// "2026-05-01", "20260501", "2026_05_01T12-30-45.123456".
var date = regexp.MustCompile(`((?:19|20)\d\d)[-_.]?(0[1-9]|1[0-2])[-_.]?(0[1-9]|[12]\d|3[01])(?:[T_-]?[0-2]\d[-_:.]?[0-5]\d(?:[-_:.]?[0-5]\d)?(?:\.\d+)?Z?)?`)

// maxAhead is how far ahead of the present a date in a name is believed.
const maxAhead = 48 * time.Hour

// undated is a name without its dates, and the last day in it.
func undated(name string) (plain string, day time.Time, ok bool) {
	at := date.FindAllStringSubmatchIndex(name, -1)
	last := 0
	for _, m := range at {
		if m[0] > 0 && isDigit(name[m[0]-1]) || m[1] < len(name) && isDigit(name[m[1]]) {
			continue // part of a longer number
		}
		text := name[m[2]:m[3]] + "-" + name[m[4]:m[5]] + "-" + name[m[6]:m[7]]
		d, err := time.Parse(time.DateOnly, text)
		if err != nil {
			continue
		}
		plain, day, ok = plain+name[last:m[0]]+"<date>", d, true
		last = m[1]
	}
	return plain + name[last:], day, ok
}

func isDigit(b byte) bool { return b >= '0' && b <= '9' }

// claims are the words that a pin has on its results: the newest pin of a result whose
// name differs only in a date describes the present. A pin of which no result has a
// date in its name is always about the present.
func claims(subjects []artifact, e *verify.Evidence, base string, at time.Time) []verify.Claim {
	var all []verify.Claim
	dated, now := false, time.Time{}
	for i := range subjects {
		plain, day, ok := undated(path.Join(base, subjects[i].name))
		c := verify.Claim{About: "pin " + short(plain), Name: short(plain), At: at}
		if ok && at.IsZero() {
			now = e.Now.Time()
		}
		switch {
		case !ok:
			// Only this pin has a word on it, so that it keeps the pin in the present.
			c.About, c.Name = "pin "+short(plain)+" in "+short(e.Path), short(plain)
		case at.IsZero() && (now.IsZero() || !day.After(now.Add(maxAhead))):
			c.At = day
		}
		dated = dated || ok
		all = append(all, c)
	}
	if !dated {
		return nil
	}
	return all
}
