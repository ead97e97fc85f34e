package explain

// ReasonRow is a reason code as the documentation has it: what it means, and the steps that
// it may call for, the first that applies being the one.
type ReasonRow struct {
	Code, Means string
	Steps       []string
}

// FieldRow is a field as the documentation has it. A star stands for anything.
type FieldRow struct{ Field, Means string }

var (
	inputSteps  = []string{"undo", "superseded", "re-run", "restore", "accept"}
	brokenInput = []string{"undo", "restore", "input"}
	repair      = []string{"repair"}
	placed      = []string{"moved", "path"}
	recorded    = []string{"from-base", "accept"}
	rerun       = []string{"re-run", "accept"}
)

// ReasonTable is all reason codes with steps of their own.
func ReasonTable() []ReasonRow {
	return []ReasonRow{
		{"hash-differs", "the input is not the one that was recorded", inputSteps},
		{"input-missing", "the recorded path leads to no file", []string{"moved", "restore", "find", "path"}},
		{"ambiguous", "the recorded path, from another machine, could be several files", placed},
		{"leaves-root", "the recorded path leads out of the repository, or into git's own folder", placed},
		{"malformed-path", "the recorded path can't be one", placed},
		{"not-compared", "there is no file to hash; the step is that of the input's path", placed},
		{"not-valid", "the input is not valid YAML or JSON", brokenInput},
		{"cannot-judge", "the input holds a construct whose value can't be promised", brokenInput},
		{"unreadable", "a file can't be read safely", []string{"input"}},
		{"rewritten", "a recorded value is another one than before this change, and the run is the same", recorded},
		{"redated", "the evidence names another run than before this change, and holds the old one's traces", recorded},
		{"removed", "the evidence was deleted, and what it vouches for was kept", []string{"from-base", "deleted"}},
		{"resolved-elsewhere", "a recorded path leads to another file than before this change", []string{"elsewhere"}},
		{"base-unreadable", "a file could not be read as it was before this change, so that nobody knows who brought the FAIL", []string{"fetch"}},
		{"contradicts", "the report's block says something else than its sidecar", []string{"sidecar", "render"}},
		{"report-edited", "a number of the published report is another one than before this change, and the run is the same", []string{"report-from-base", "accept"}},
		{"report-text", "the text of the published report was edited, and the run is the same (a warning; fails with strict)", []string{"report-from-base", "accept"}},
		{"block-gone", "the report has lost its block (a warning; fails with strict)", []string{"report-from-base", "accept"}},
		{"report-missing", "there is no report beside the sidecar (a warning; fails with strict)", []string{"report"}},
		{"unvouched", "the report has the block of a run, and there is no sidecar beside it (a warning where it was so before; fails with strict)", []string{"vouch", "accept"}},
		{"lookalike-block", "a part of the report looks like its block, and is not read (a warning; fails with strict)", []string{"report-from-base", "accept"}},
		{"ids-published", "the report shows request ids, where only their count belongs (a warning; fails with strict)", []string{"render", "repair"}},
		{"secret", "a file that would go into a bundle holds what looks like a secret", []string{"secret"}},
		{"possible-secret", "a recorded text looks like a secret", []string{"secret"}},
		{"unusable-path", "the path is not UTF-8, leads out of the repository, or stands twice in its folder", []string{"rename"}},
		{"unsupported-version", "the schema version is newer than this release", []string{"release"}},
		{"brief-missing", "only a critique has no brief (a warning; fails with strict)", repair},
		{"brief-unexpected", "a critique has no brief (a warning; fails with strict)", repair},
		{"duplicate-ids", "a request id stands twice (a warning; fails with strict)", repair},
		{"more-ids-than-calls", "there are more request ids than calls (a warning; fails with strict)", repair},
		{"ids-without-calls", "a runner that is a program has request ids (a warning; fails with strict)", repair},
		{"stored-all-the-same", "a backfilled sidecar has what was not stored (a warning; fails with strict)", repair},
		{"broken-json", "the sidecar stops being JSON", repair},
		{"duplicate-key", "a key stands twice", repair},
		{"empty", "a value is blank, or a list that must not be is empty", repair},
		{"in-the-future", "the recorded start lies in the future", repair},
		{"inconsistent", "two fields exclude each other", repair},
		{"invalid-utf8", "the text is not valid UTF-8", repair},
		{"malformed-commit", "not 40 hex digits", repair},
		{"malformed-hash", "not `sha256:` and 64 lower-case hex digits", repair},
		{"malformed-time", "not an ISO 8601 time", repair},
		{"missing", "the field is not there", repair},
		{"not-an-integer", "the schema version is no integer", repair},
		{"not-positive", "the samples are not a positive integer", repair},
		{"not-utc", "the recorded time is not in UTC", repair},
		{"out-of-range", "the number is larger than one can be", repair},
		{"too-many", "a list is longer than is checked", repair},
		{"unknown-fields", "the sidecar has fields that its version does not know (fails with strict)", repair},
		{"unknown-kind", "the kind of run is not known", repair},
		{"unknown-value", "only a backfilled sidecar may say unknown (a warning; fails with strict)", repair},
		{"wrong-type", "the value is of another type", repair},
		{"argv-disagrees", "the command contradicts a field (a warning; fails with strict)", rerun},
		{"not-requested", "a condition ran that was not requested (a warning; fails with strict)", rerun},
		{"skipped", "a requested condition did not run (a warning; fails with strict)", rerun},
		{"entry-malformed", "an entry of `.assay/accepted-drift.yml`, or the file, can't be read", []string{"entry"}},
		{"entry-over-broad", "an entry accepts every value of everything", []string{"entry"}},
		{"entry-too-far", "an entry ends more than 180 days away and is not permanent", []string{"entry"}},
		{"entry-expired", "the last day of an entry is over (a warning)", []string{"drop"}},
		{"entry-unused", "an entry accepts nothing that fails (a warning)", []string{"drop"}},
		{"superseded", "an input moved on, and a newer run has taken over all that this evidence says: nothing fails", nil},
		{"input-lost", "an input of a record is in no commit of the history, all of which is at hand: nothing fails", nil},
		{"not-rerun", "an input moved on, and a newer run has taken over only a part (a warning; fails with strict)", rerun},
		{"takes-over", "the evidence is the newest word on what older evidence says: nothing fails", nil},
		{"weaker", "newer evidence takes over with fewer samples, models or conditions (a warning; fails with strict)", rerun},
		{"internal-error", "the check itself broke", []string{"tell"}},
		{"interrupted", "the run ended before this check", []string{"again"}},
	}
}

// FieldTable is what the fields are that every kind has, or that stand in a sidecar.
func FieldTable() []FieldRow {
	return []FieldRow{
		{"evidence", "the file itself: that it is there, can be read, and is what it was"},
		{"claims", "what the evidence is the newest word on, and what it takes over from older evidence"},
		{"recorded.*", "a value that the evidence recorded, held against what it recorded before this change"},
		{"at", "which state of the inputs the evidence was held against"},
		{"*.path", "where an input lies: that the recorded path leads to a file, and to the same one as before"},
		{"*.hash", "whether an input is still the one that was recorded: its bytes, or its parsed value"},
		{"schema_version", "the version of the evidence's own format"},
		{"kind", "the kind of run"},
		{"*_commit", "the commit that was checked out when the run began"},
		{"git_dirty", "whether the work tree of the run was quite that commit"},
		{"invoked_at", "when the run began: a time in UTC that is not in the future"},
		{"argv", "the recorded command, held against the other fields"},
		{"sampling.*", "how often and how the models were asked"},
		{"models[*", "a model that was asked, and the ids of its answers"},
		{"report", "the report that is published beside the evidence"},
		{"report.block", "the block of the report that repeats the evidence, held against it field by field"},
	}
}

var reasonsByCode = func() map[string]ReasonRow {
	byCode := make(map[string]ReasonRow)
	for _, row := range ReasonTable() {
		byCode[row.Code] = row
	}
	return byCode
}()

// stepsOf are the steps that a reason code may call for; ok is false for a code that has no
// entry of its own.
func stepsOf(code string) (names []string, ok bool) {
	if row, ok := reasonsByCode[code]; ok {
		return row.Steps, true
	}
	return []string{"undo", "superseded", "re-run", "accept"}, false
}
