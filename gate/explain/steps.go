package explain

import (
	"strings"

	"github.com/replay-gate/replay-gate/verify"
)

// StepRow is a step as the documentation has it.
type StepRow struct {
	Name string
	// When says when it applies, and Says what a reader is told. Words in capitals stand for
	// what the evidence says.
	When, Says string

	make func(s subject) (Step, bool) // false: it does not apply
}

const always = "always"

// StepTable is all steps that a FAIL may call for.
func StepTable() []StepRow {
	return []StepRow{
		{"undo", "this change introduced the FAIL, and a version of the input with the recorded hash is in the history",
			"restore the input: `git checkout REV -- INPUT`", func(s subject) (Step, bool) {
				if s.row.Attribution != verify.Introduced {
					return Step{}, false
				}
				return s.restore()
			}},
		{"superseded", "the input still has the recorded hash at the recorded commit",
			"the result describes the input as it was at its own commit; accept it: `replay-gate accept EVIDENCE FIELD --reason '…'`", func(s subject) (Step, bool) {
				step, ok := s.accept()
				step.Text = "the result describes the input as it was at its own commit; " + step.Text
				return step, ok && s.why != nil && s.why.HoldsAt != ""
			}},
		{"re-run", "the evidence records a command, or its kind knows one",
			"run the recorded command again and commit the new evidence: `COMMAND`", func(s subject) (Step, bool) {
				if len(s.row.Command) > 0 {
					return Step{Text: s.row.Hint, Argv: s.row.Command}, true
				}
				argv := s.Head.Recording.Argv
				if len(s.Head.Recording.Again) > 0 {
					argv = s.Head.Recording.Again
				}
				return Step{Text: "run the recorded command again and commit the new evidence", Argv: argv}, len(argv) > 0
			}},
		{"restore", "a version of the input with the recorded hash is in the history",
			"restore the input: `git checkout REV -- INPUT`", subject.restore},
		{"accept", "people can live with it: it is no secret, no broken file and no file under a wrong name",
			"accept it: `replay-gate accept EVIDENCE FIELD --reason '…'`", subject.accept},
		{"moved", "another file of the tree has the recorded hash",
			"say where it lies now: `replay-gate mv INPUT NOW`", func(s subject) (Step, bool) {
				to, ok := strings.CutPrefix(s.row.Hint, "moved to ")
				return Step{Text: "say where it lies now", Argv: []string{"replay-gate", "mv", operand(s.row.Input), operand(to)}}, ok && s.row.Input != ""
			}},
		{"find", "the place of the input is known",
			"restore the input from before the commit that deleted it: `git log --diff-filter=D -- INPUT`", func(s subject) (Step, bool) {
				return Step{
					Text: "restore the input from before the commit that deleted it",
					Argv: []string{"git", "log", "--diff-filter=D", "--", pathspec(s.row.Input)},
				}, s.row.Input != ""
			}},
		{"path", always, "write at PLACE where the input lies, from the root of the repository", func(s subject) (Step, bool) {
			return Step{Text: "write at " + s.row.Location.String() + " where the input lies, from the root of the repository"}, true
		}},
		{"input", always, "restore the input as a regular file that can be read: FILE", func(s subject) (Step, bool) {
			if s.row.Input == "" {
				return Step{Text: "make it a regular file that can be read: " + s.row.Location.Path}, true
			}
			return Step{Text: "restore the input as a regular file that can be read: " + s.row.Input}, true
		}},
		{"render", "the report was edited, or nobody knows which of both was",
			"write the report's block again from its sidecar: `replay-gate render --write EVIDENCE`", func(s subject) (Step, bool) {
				return Step{Text: "write the report's block again from its sidecar", Argv: []string{"replay-gate", "render", "--write", operand(s.Path)}},
					!s.editedHere()
			}},
		{"sidecar", "this change edited the sidecar, which records the run, and not the report",
			"restore the sidecar as it was before this change: `git checkout BASE -- EVIDENCE`", func(s subject) (Step, bool) {
				step, ok := s.fromBase("restore the sidecar as it was before this change")
				return step, ok && s.editedHere()
			}},
		{"report", "the place of the report is known", "commit the report beside its sidecar: FILE", func(s subject) (Step, bool) {
			return Step{Text: "commit the report beside its sidecar: " + s.row.Input}, s.row.Input != ""
		}},
		{"vouch", always, "commit the sidecar of the run beside its report, or take the block out of the report: FILE", func(s subject) (Step, bool) {
			return Step{Text: "commit the sidecar of the run beside its report, or take the block out of the report: " + s.row.Input}, true
		}},
		{"bundle", always, "make the bundle again from its evidence, or remove it: FILE", func(s subject) (Step, bool) {
			return Step{Text: "make the bundle again from its evidence, or remove it: " + s.Path}, true
		}},
		{"from-base", "the commit before the change is known",
			"restore the evidence as it was recorded: `git checkout BASE -- EVIDENCE`", func(s subject) (Step, bool) {
				return s.fromBase("restore the evidence as it was recorded")
			}},
		{"report-from-base", "the commit before the change, and the report, are known",
			"restore the report as it was published: `git checkout BASE -- INPUT`", func(s subject) (Step, bool) {
				return Step{Text: "restore the report as it was published", Argv: []string{"git", "checkout", short(s.base), "--", pathspec(s.row.Input)}},
					s.base != "" && s.row.Input != ""
			}},
		{"deleted", always,
			"restore the evidence from before the commit that deleted it: `git log --diff-filter=D -- EVIDENCE`", func(s subject) (Step, bool) {
				return Step{
					Text: "restore the evidence from before the commit that deleted it",
					Argv: []string{"git", "log", "--diff-filter=D", "--", pathspec(s.Path)},
				}, true
			}},
		{"rename", always, "rename the file, or remove it: FILE", func(s subject) (Step, bool) {
			return Step{Text: "rename the file, or remove it: " + s.Path}, true
		}},
		{"release", always, "check it with a release of replay-gate that knows this schema version", func(subject) (Step, bool) {
			return Step{Text: "check it with a release of replay-gate that knows this schema version"}, true
		}},
		{"repair", always, "correct what stands at PLACE", func(s subject) (Step, bool) {
			return Step{Text: "correct what stands at " + s.row.Location.String()}, true
		}},
		{"entry", always, "correct the entry at PLACE", func(s subject) (Step, bool) {
			return Step{Text: "correct the entry at " + s.row.Location.String()}, true
		}},
		{"drop", always, "delete the entry at PLACE", func(s subject) (Step, bool) {
			return Step{Text: "delete the entry at " + s.row.Location.String()}, true
		}},
		{"tell", always, "report it as a bug of replay-gate, with this evidence", func(subject) (Step, bool) {
			return Step{Text: "report it as a bug of replay-gate, with this evidence"}, true
		}},
		{"again", always, "run the gate again", func(subject) (Step, bool) { return Step{Text: "run the gate again"}, true }},
		{"fetch", always,
			"let git fetch what this clone lacks: no filter, and fetch-depth: 2 in actions/checkout; submodules: true for a submodule", func(subject) (Step, bool) {
				return Step{Text: "let git fetch what this clone lacks: no filter, and fetch-depth: 2 in actions/checkout; submodules: true for a submodule"}, true
			}},
		{"elsewhere", always, "remove the file that the path leads to now, or run again: OBSERVED", func(s subject) (Step, bool) {
			return Step{Text: "remove the file that the path leads to now, or run again: " + s.row.Observed}, true
		}},
		{"secret", always, "take the secret out at PLACE, and out of the history; then make it void where it is valid", func(s subject) (Step, bool) {
			return Step{Text: "take the secret out at " + s.row.Location.String() + ", and out of the history; then make it void where it is valid"}, true
		}},
	}
}

var stepsByName = func() map[string]StepRow {
	byName := make(map[string]StepRow)
	for _, row := range StepTable() {
		byName[row.Name] = row
	}
	return byName
}()

// editedHere reports whether this change edited the evidence, and not what it vouches for.
func (s subject) editedHere() bool {
	return s.row.Attribution == verify.Introduced && s.Own && s.base != "" && !s.reportEdited
}

// restore brings back the version of the input that has the recorded hash.
func (s subject) restore() (Step, bool) {
	if s.why == nil || s.why.Recorded == nil || s.row.Input == "" {
		return Step{}, false
	}
	return restore(s.row.Input, s.why), true
}

// restore brings back the version of a file that has the recorded hash, which why knows.
func restore(input string, why *verify.Why) Step {
	rev, was := short(why.Recorded.Commit), why.Recorded.Path
	step := Step{Text: "restore the input"}
	if why.Case == verify.CaseUncommitted {
		step.Discards = "your uncommitted edit"
	}
	if was == input {
		step.Argv = []string{"git", "checkout", rev, "--", pathspec(was)}
		return step
	}
	step.Argv, step.Into = []string{"git", "show", rev + ":" + was}, input
	return step
}

func (s subject) fromBase(text string) (Step, bool) {
	path := s.OldPath
	if path == "" {
		path = s.Path
	}
	return Step{Text: text, Argv: []string{"git", "checkout", short(s.base), "--", pathspec(path)}}, s.base != ""
}

// accept is offered for nothing that must not be accepted.
func (s subject) accept() (Step, bool) {
	base := ""
	if s.row.Attribution == verify.Introduced {
		base = s.named
	}
	return accepting(base, operand(s.Path), s.row.Field), s.Acceptable(*s.row)
}

// accepting accepts what the words say. What this change brought may show against its base
// alone, so the command names the base where the reader did; it may be empty.
func accepting(base string, words ...string) Step {
	argv := append([]string{"replay-gate", "accept"}, words...)
	if base != "" {
		argv = append(argv, "--base", base)
	}
	return Step{Text: "accept it", Argv: append(argv, "--reason", "…")}
}

// operand is a path that our commands take for no option, whatever its name.
func operand(path string) string {
	if strings.HasPrefix(path, "-") {
		return "./" + path
	}
	return path
}

// pathspec is a path that git takes for this one file behind "--": stars, brackets and
// a colon in front would stand for others (gitglossary(7), pathspec).
func pathspec(path string) string {
	if strings.HasPrefix(path, ":") || strings.ContainsAny(path, `*?[\`) {
		return ":(literal)" + path
	}
	return path
}

func short(sha string) string {
	if len(sha) > 12 {
		return sha[:12]
	}
	return sha
}
