package ahd

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/replay-gate/replay-gate/verify"
)

// fence is the opening line of a fenced block, however deep it stands: its marks, and what
// is said of its content.
var fence = regexp.MustCompile("^[ \\t>*+-]*(`{3,}|~{3,})[ \\t]*(.*?)[ \\t\\r]*$")

// blockKey is a line that belongs in a replay block.
var blockKey = regexp.MustCompile(`^[ \t]*ahd_version[ \t]*:`)

// lookalike is a place in a report that a reader would take for the replay block, and that
// no verifier reads.
type lookalike struct {
	line int
	what string
}

// maxLookalikes bounds what is told of one report.
const maxLookalikes = 5

// lookalikes finds what looks like the replay block and is not it. The block is the first
// one fenced by three backticks at the start of a line (AHD replay, Two surfaces: a fenced
// ```yaml ahd-replay block).
func lookalikes(report []byte) []lookalike {
	at, _ := findBlock(report)
	var all []lookalike
	if entries, found := parseBlock(report); found && len(entries) == 0 {
		all = append(all, lookalike{at.line, "the replay block is empty, and what stands below it is not read"})
	}
	offset, line := 0, 0
	for raw := range strings.Lines(string(report)) {
		from := offset
		offset, line = offset+len(raw), line+1
		if len(all) == maxLookalikes {
			break
		}
		if !strings.Contains(raw, "```") && !strings.Contains(raw, "~~~") && !strings.Contains(raw, "ahd_version") {
			continue
		}
		isBlock := from == at.from && at.line > 0
		outside := at.line == 0 || from < at.from || from >= at.to
		near := len(all) > 0 && all[len(all)-1].line >= line-64 // the values of what was told of
		switch what := resembles(raw); {
		case isBlock:
		case what != "":
			all = append(all, lookalike{line, what})
		case blockKey.MatchString(raw) && outside && !near:
			all = append(all, lookalike{line, "values of a replay block outside of one, which are not read"})
		}
	}
	return all
}

// resembles says how a line opens what is not the replay block, though it is named so; empty
// for any other line.
func resembles(line string) string {
	m := fence.FindStringSubmatch(strings.TrimRight(line, "\n"))
	switch {
	case m == nil || !strings.Contains(strings.ToLower(m[2]), "ahd-replay"):
		return ""
	case strings.TrimRight(line, " \t\r\n") == blockFence:
		return "a second replay block, which is not read"
	case m[1] != "```":
		return "a block between other fences than the replay block's, which is not read"
	}
	return "a block that does not start as the replay block does, and is not read"
}

// lookalikes warns of each of them.
func (j *checker) lookalikes(report []byte, name string) {
	for _, l := range lookalikes(report) {
		row := j.Warn("report.block", verify.Spot{}, "lookalike-block", "line "+strconv.Itoa(l.line)+" of the report: "+l.what)
		row.Input = name
	}
}

// recordedValue is a value that only a block of a run has, not one that explains the format.
var recordedValue = regexp.MustCompile(`^(sha256:[0-9a-f]{7,64}…?|\d{4}-\d\d-\d\dT\d\d:\d\d[\d:.]*Z)$`)

// VouchedPatterns match the reports, all of whose names end in ".md".
func (Format) VouchedPatterns() []string { return []string{"**/*" + reportEnding} }

// VoucherOf is the place of the sidecar of a report that carries the replay block of a
// run.
func (Format) VoucherOf(report string, data []byte) string {
	if !strings.HasSuffix(report, reportEnding) || !HasBlock(data) {
		return ""
	}
	return SidecarFor(report)
}

// HasBlock reports whether a report carries the replay block of a run, so that a sidecar
// belongs beside it ("The block lands in two places alongside every report"). A block whose
// values are placeholders explains the format.
func HasBlock(report []byte) bool {
	entries, _ := parseBlock(report)
	for _, en := range entries {
		if (en.key == "hash" || en.key == "invoked_at") && recordedValue.MatchString(withoutComment(en.value)) {
			return true
		}
	}
	return false
}
