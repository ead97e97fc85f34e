package summary

import (
	"fmt"
	"io"
	"time"

	"github.com/replay-gate/replay-gate/summary/visible"
	"github.com/replay-gate/replay-gate/verify"
)

// TimelineSchema names the version of a timeline's JSON form; see [Schema].
const TimelineSchema = "replay-gate.timeline/v1"

// maxUnpinned bounds the versions of one input that no evidence pins, unless
// Verbose asks for all of them.
const maxUnpinned = 10

// maxListed bounds the evidence of an input that holds, unless Verbose asks for all of it.
const maxListed = 20

// WriteTimelineJSON writes t, indented, with a final newline.
func WriteTimelineJSON(w io.Writer, t *verify.Timeline) error {
	return writeIndented(w, struct {
		Schema string `json:"schema"` // always [TimelineSchema]
		*verify.Timeline
	}{TimelineSchema, t})
}

// WriteTimeline writes t for a person: a table for each input, the newest version
// first, and below each version the evidence that pins it. With Quiet it only writes
// how much there is.
func WriteTimeline(w io.Writer, t *verify.Timeline, o Terminal) error {
	s := &screen{Terminal: o}
	if !o.Quiet {
		for i := range t.Lanes {
			s.lane(t, &t.Lanes[i])
			s.line("", "")
		}
		for _, n := range t.Notes {
			s.labelled(string(verify.Info), n)
		}
	}
	s.labelled("total", timelineWords(t))
	return s.writeTo(w)
}

// timelineWords counts what is in a timeline.
func timelineWords(t *verify.Timeline) string {
	pins, drifts := 0, 0
	for i := range t.Lanes {
		pins, drifts = pins+len(t.Lanes[i].Pins), drifts+t.Lanes[i].Drifts()
	}
	return joined([]string{count(len(t.Lanes), "input"), count(len(t.Commits), "commit"), pinWords(pins, drifts)})
}

func laneWords(l *verify.Lane) string {
	words := joined([]string{count(len(l.Versions), "version"), pinWords(len(l.Pins), l.Drifts())})
	if l.Missing {
		return "missing · " + words
	}
	return words
}

func pinWords(pins, drifts int) string {
	switch {
	case drifts == 0:
		return thousands(pins) + " ok"
	case drifts == pins:
		return thousands(drifts) + " FAIL"
	}
	return thousands(drifts) + " FAIL · " + thousands(pins-drifts) + " ok"
}

// pinStatus is the status of the hash that p records.
func pinStatus(p verify.Pin) verify.Status {
	if p.Drift {
		return verify.Fail
	}
	return verify.OK
}

// lane writes one input.
func (s *screen) lane(t *verify.Timeline, l *verify.Lane) {
	s.wrapped("", "", joined([]string{l.Input, laneWords(l)}))
	pins := make(map[int][]verify.Pin)
	for _, p := range l.Pins {
		pins[p.Version] = append(pins[p.Version], p)
	}
	unpinned, omitted := 0, 0
	for i := len(l.Versions) - 1; i >= 0; i-- {
		if len(pins[i]) == 0 {
			if unpinned++; unpinned > maxUnpinned && !s.Verbose {
				omitted++
				continue
			}
		}
		word := ""
		if i == len(l.Versions)-1 {
			word = "now"
		}
		s.laneVersion(t, l.Versions[i], word)
		s.pins(pins[i])
	}
	if omitted > 0 {
		s.wrapped("", indent, count(omitted, "more version")+" that no evidence pins; --verbose shows them")
	}
	if unfound := pins[-1]; len(unfound) > 0 {
		s.wrapped("", indent, "in no version that was found:")
		s.pins(unfound)
	}
	if l.Note != "" {
		s.wrapped(verify.Info, indent+"info  ", l.Note)
	}
}

func (s *screen) laneVersion(t *verify.Timeline, v verify.LaneVersion, word string) {
	c := t.Commits[v.Commit]
	words := verify.Clip(visible.Text(c.Subject), maxCell) + " · " + verify.Clip(visible.Text(c.Author), maxCell)
	if v.Path != "" {
		words += " · as " + v.Path
	}
	if v.Deleted {
		words = "deleted · " + words
	}
	s.wrapped("", fmt.Sprintf("%s%-4s  %s  %s  ", indent, word, c.Date.UTC().Format(time.DateOnly), verify.Clip(visible.Text(shortID(c.Commit)), 12)), words)
}

// pins writes evidence, what drifted first.
func (s *screen) pins(pins []verify.Pin) {
	holding := 0
	for _, status := range []verify.Status{verify.Fail, verify.OK} {
		for _, p := range pins {
			if pinStatus(p) != status {
				continue
			}
			if status == verify.OK {
				if holding++; holding > maxListed && !s.Verbose {
					continue
				}
			}
			s.wrapped(status, fmt.Sprintf("%s      %-4s  ", indent, status), joined([]string{p.Evidence, p.Role}))
		}
	}
	if more := holding - maxListed; more > 0 && !s.Verbose {
		s.wrapped(verify.OK, indent+"      ok    ", thousands(more)+" more; --verbose shows them")
	}
}
