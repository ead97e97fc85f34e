package summary

import (
	"fmt"
	"path"
	"regexp"
	"strings"

	"github.com/replay-gate/replay-gate/verify"
)

// Incomplete reports whether the run ended before it could judge: there is no
// evidence because of that, and not because none was affected.
func (r *Report) Incomplete() bool { return r.ExitCode != 0 && r.Scope.Mode == "" }

// failures words the FAILs, those of this change first.
func (c Counts) failures() []string {
	var parts []string
	add := func(n int, format string) {
		if n > 0 {
			parts = append(parts, fmt.Sprintf(format, n))
		}
	}
	add(c.Introduced, "%d FAIL introduced here")
	add(c.Unknown, "%d FAIL of unknown attribution")
	add(c.Fail-c.Introduced-c.Unknown-c.PreExisting, "%d FAIL")
	if len(parts) > 0 {
		add(c.PreExisting, "%d pre-existing")
	} else if c.PreExisting > 0 {
		parts = append(parts, "This change introduced no drift", fmt.Sprintf("%d FAIL pre-existing", c.PreExisting))
	}
	add(c.Fixed, "%d fixed here")
	return parts
}

// words sums up the fields of one piece of evidence.
func (c Counts) words() string {
	var parts []string
	for _, p := range []struct {
		n    int
		word string
	}{
		{c.Introduced, "FAIL introduced"}, {c.PreExisting, "FAIL pre-existing"}, {c.Unknown, "FAIL of unknown attribution"},
		{c.Fail - c.Introduced - c.PreExisting - c.Unknown, "FAIL"},
		{c.Warn, "warn"}, {c.OK, "ok"}, {c.Info, "info"}, {c.Fixed, "fixed"},
	} {
		if p.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", p.n, p.word))
		}
	}
	if len(parts) == 0 {
		return "no fields"
	}
	return strings.Join(parts, " · ")
}

func (c Counts) total() int { return c.OK + c.Fail + c.Warn + c.Info }

// failing reports whether e belongs to what a reader must see first.
func (e *Entry) failing() bool { return e.Counts.Fail > 0 || e.Unchecked != "" }

// whyNothing says why a run without evidence is green.
func whyNothing(r *Report) string {
	switch {
	case r.Scope.Total == 0:
		return "There is no evidence in the tree."
	case r.Scope.Mode == "changed":
		return fmt.Sprintf("The tree holds %s of evidence, and none of them is among the %s.", count(r.Scope.Total, "piece"), count(r.Change.Files, "changed file"))
	}
	return fmt.Sprintf("The tree holds %s of evidence, and none of them rests on the %s.", count(r.Scope.Total, "piece"), count(r.Change.Files, "changed file"))
}

// count writes n things: "1 piece", "2 pieces", "1,204 pieces".
func count(n int, thing string) string {
	s := thousands(n) + " " + thing
	if n != 1 {
		s += "s"
	}
	return s
}

func thousands(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// reportPath is where the report lies: beside the bundles.
func reportPath(r *Report) string {
	if r.Folder != "" {
		return path.Join(r.Folder, "report.json")
	}
	for _, e := range r.Evidence {
		if e.Bundle != nil && e.Bundle.Path != "" {
			return path.Join(path.Dir(e.Bundle.Path), "report.json")
		}
	}
	return "report.json"
}

var commitID = regexp.MustCompile(`^[0-9a-f]{40}$`)

// shown are the recorded and the observed value of c for a person: hashes and
// commit ids are shortened, unless two different ones would then look the same.
func shown(c verify.Check) (recorded, observed string) {
	recorded, observed = shortID(c.Recorded), shortID(c.Observed)
	if recorded == observed && c.Recorded != c.Observed {
		return c.Recorded, c.Observed
	}
	return recorded, observed
}

func shortID(s string) string {
	if commitID.MatchString(s) {
		return s[:12]
	}
	return shortHashes(s)
}
