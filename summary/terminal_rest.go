package summary

import (
	"fmt"

	"github.com/replay-gate/replay-gate/verify"
)

// mostWarnings bounds the warnings that are listed without --verbose.
const mostWarnings = 5

// pieces writes the evidence, field by field: all of it with Verbose; where nothing was
// compared and so no cause tells what is wrong, what fails or warns.
func (s *screen) pieces(r *Report) {
	if s.Quiet {
		return
	}
	alone := r.Scope.Mode == "named"
	if !s.Verbose && !alone {
		s.warnings(r)
		return
	}
	s.line("", "")
	for i := range r.Evidence {
		s.piece(&r.Evidence[i])
	}
}

// warnings lists what deserves a look in evidence that the change touches, and no cause
// tells.
func (s *screen) warnings(r *Report) {
	n := 0
	for i := range r.Evidence {
		e := &r.Evidence[i]
		for _, f := range e.Fields {
			if f.Status != verify.Warn || f.Accepted || f.Code == "not-rerun" {
				continue
			}
			if n++; n == 1 {
				s.line("", "")
			}
			if n <= mostWarnings {
				s.wrapped(verify.Warn, "warn   ", e.Path+", "+f.Field+": "+f.Reason)
			}
		}
	}
	if n > mostWarnings {
		s.wrapped("", body, fmt.Sprintf("and %d more warnings: --verbose, or the report, has them all", n-mostWarnings))
	}
}
