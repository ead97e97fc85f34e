package explain

// RunRow is a code that a whole run ends with, as the documentation has it.
type RunRow struct {
	Code  string
	Means string
	// Do is what to do about it, in general; the run itself says more.
	Do string
}

// RunTable is all codes that a run, or a replay, can end with.
func RunTable() []RunRow {
	return []RunRow{
		{"E_REPLAY_DRIFT", "evidence fails that the policy fails on", "the report begins with the causes and says for each what to do"},
		{"E_EVIDENCE_UNCHECKED", "something could not be judged", "mend what the report names"},
		{"E_INVALID_ARGS", "the call can't be meant", "see `--help` of the command"},
		{"E_NOT_A_REPOSITORY", "there is no git repository here", "run it inside one, or name one with `--root`"},
		{"E_UNSUPPORTED_REPOSITORY", "the repository is of a form that this program does not read", "convert it as the message says, or run it in a plain clone"},
		{"E_UNKNOWN_REVISION", "a revision leads to no commit", "check the spelling, or fetch it"},
		{"E_UNTRUSTED_TRIGGER", "the workflow runs with the secrets of the base on the files of a fork", "run it on `pull_request`"},
		{"E_EVENT_UNREADABLE", "the event of the workflow is not one that can be read", "run it as the action, or with `--base`"},
		{"E_CFG_PARSE", "settings, or a bundle, can't be read", "mend the settings; get the bundle again"},
		{"E_REPLAY_LIMIT_EXCEEDED", "something is larger than is read", "don't use it, unless you know why it is so large"},
		{"E_REPLAY_MISSING_DEPENDENCY", "something that the verdict rests on is missing", "get what is named, from where it is named"},
		{"E_PARTS_INCOMPLETE", "`merge` has not each part of one plan, once", "run the jobs of the shards again that the message names"},
		{"E_REPLAY_DIFFERS", "a replay does not come to the recorded verdict, or two bundles differ", "see whether another release made the bundle, or what it was made from"},
		{"E_REPLAY_LIVE_FAILED", "the recorded command ran and failed", "see its output; the offline verdict is not affected"},
		{"E_COMMAND_FAILED", "the command that was to be recorded failed, so nothing was written", "see its output"},
		{"E_IO", "the disk, or the repository on it, failed", "check room and permissions, and `git fsck`"},
		{"E_NETWORK_ERROR", "GitHub could not be reached, or kept failing", "run it again"},
		{"E_PERMISSION_DENIED", "an upgrade is required, and the token may not make it", "give the job the permission, or don't require it"},
		{"E_REQUIRED_UNAVAILABLE", "an upgrade is required, and is not to be had here", "don't require it here"},
		{"E_NO_BASE", "the base that the event names can't be had, so nobody knows what this change brought", "check out with `fetch-depth: 2` or more"},
		{"E_UNREADABLE", "a file could not be had, so nobody knows whether evidence holds", "run it in a full clone"},
		{"E_CHANGED_WHILE_RUNNING", "a file changed while the gate ran", "run it again"},
		{"E_INTERRUPTED", "the run was interrupted", "run it again"},
		{"E_TIMEOUT", "time ran out", "give it more with `--timeout`, or name the evidence with `--evidence`"},
	}
}
