package gate

import (
	"strings"

	"github.com/replay-gate/replay-gate/bundle"
	"github.com/replay-gate/replay-gate/summary"
	"github.com/replay-gate/replay-gate/verify"
)

// nextStep is the one thing to do about the FAIL f of e, chosen from the evidence;
// empty when f does not fail. base is the commit before the change, or empty.
// docs/next-steps.md is the table of it.
func nextStep(e *summary.Evidence, f *summary.Field, base string) string {
	if f.Status != verify.Fail {
		return ""
	}
	if f.Code == "not-compared" {
		// There is no file to compare with: the row of its path says what to do.
		for i := range e.Fields {
			p := &e.Fields[i]
			if p.Field == strings.TrimSuffix(f.Field, ".hash")+".path" && p.Status == verify.Fail {
				return nextStep(e, p, base)
			}
		}
	}
	names, ok := stepsFor(f.Code)
	switch {
	case ok:
	case f.Hint != "":
		return f.Hint
	case e.Kind == bundle.Kind:
		// Accepting a bundle that breaks its own rules would help nobody.
		names = []string{"bundle"}
	case e.Unchecked != "":
		names = []string{"repair"}
	}
	for _, name := range names {
		if text, ok := steps[name](e, f, base); ok {
			return text
		}
	}
	return "accept it: add an entry for it to .assay/accepted-drift.yml"
}

// stepsFor are the steps that a reason code may call for; the first that applies is
// the one. ok is false for a code that has no entry of its own.
func stepsFor(code string) (names []string, ok bool) {
	switch code {
	case "hash-differs":
		return []string{"undo", "superseded", "re-run", "restore", "accept"}, true
	case "input-missing":
		return []string{"moved", "restore", "find", "path"}, true
	case "ambiguous", "leaves-root", "malformed-path", "not-compared":
		return []string{"moved", "path"}, true
	case "not-valid", "cannot-judge":
		return []string{"undo", "restore", "input"}, true
	case "unreadable":
		return []string{"input"}, true
	case "contradicts":
		return []string{"render"}, true
	case "report-missing":
		return []string{"report"}, true
	case "removed":
		return []string{"sidecar", "deleted"}, true
	case "unusable-path":
		return []string{"rename"}, true
	case "unsupported-version":
		return []string{"release"}, true
	case "brief-missing", "broken-json", "duplicate-key", "empty", "in-the-future", "inconsistent", "invalid-utf8",
		"malformed-commit", "malformed-hash", "malformed-time", "missing", "not-an-integer", "not-positive", "not-utc",
		"out-of-range", "too-many", "unknown-fields", "unknown-kind", "unknown-value", "wrong-type":
		return []string{"repair"}, true
	case "argv-disagrees", "not-requested", "skipped":
		return []string{"re-run", "accept"}, true
	case "entry-malformed", "entry-over-broad", "entry-too-far":
		return []string{"entry"}, true
	case "entry-expired", "entry-unused":
		return []string{"drop"}, true
	case "internal-error":
		return []string{"tell"}, true
	case "interrupted":
		return []string{"again"}, true
	}
	return []string{"undo", "superseded", "re-run", "accept"}, false
}

// steps make the text of a step; false says that it does not apply.
var steps = map[string]func(e *summary.Evidence, f *summary.Field, base string) (string, bool){
	"undo": func(_ *summary.Evidence, f *summary.Field, _ string) (string, bool) {
		if f.Attribution != summary.Introduced {
			return "", false
		}
		return restore(f)
	},
	"superseded": func(e *summary.Evidence, f *summary.Field, _ string) (string, bool) {
		if f.Why == nil || f.Why.HoldsAt == "" {
			return "", false
		}
		text, ok := accept(e, f)
		return "it holds at the recorded commit; " + text, ok
	},
	"re-run": func(e *summary.Evidence, _ *summary.Field, _ string) (string, bool) {
		command, ok := shellWords(e.Recording.Argv...)
		return "re-run the recorded command and commit the new evidence: " + command, ok
	},
	"restore": func(_ *summary.Evidence, f *summary.Field, _ string) (string, bool) { return restore(f) },
	"accept":  func(e *summary.Evidence, f *summary.Field, _ string) (string, bool) { return accept(e, f) },
	"moved": func(_ *summary.Evidence, f *summary.Field, _ string) (string, bool) {
		to, ok := strings.CutPrefix(f.Hint, "moved to ")
		return "fix the path: record " + to + " in " + f.Field, ok
	},
	"find": func(_ *summary.Evidence, f *summary.Field, _ string) (string, bool) {
		command, ok := shellWords("git", "log", "--diff-filter=D", "--", pathspec(f.Input))
		return "restore the input from before the commit that deleted it: " + command, ok && f.Input != ""
	},
	"path": func(_ *summary.Evidence, f *summary.Field, _ string) (string, bool) {
		return "fix the path: record where the input lies, from the root of the repository, in " + f.Field, true
	},
	"input": func(_ *summary.Evidence, f *summary.Field, _ string) (string, bool) {
		if f.Input == "" {
			return "make it a regular file that can be read: " + f.Location.Path, true
		}
		return "restore the input as a regular file that can be read: " + f.Input, true
	},
	"render": func(e *summary.Evidence, _ *summary.Field, _ string) (string, bool) {
		command, ok := shellWords("replay-gate", "render", "--write", operand(e.Path))
		return "update the report's block from its sidecar: " + command, ok
	},
	"report": func(_ *summary.Evidence, f *summary.Field, _ string) (string, bool) {
		return "commit the report beside its sidecar: " + f.Input, f.Input != ""
	},
	"bundle": func(e *summary.Evidence, _ *summary.Field, _ string) (string, bool) {
		return "make the bundle again from its evidence, or remove it: " + e.Path, true
	},
	"sidecar": func(e *summary.Evidence, _ *summary.Field, base string) (string, bool) {
		command, ok := shellWords("git", "checkout", short(base), "--", pathspec(e.Path))
		return "restore the sidecar from the base of the change: " + command, ok && base != ""
	},
	"deleted": func(e *summary.Evidence, _ *summary.Field, _ string) (string, bool) {
		command, ok := shellWords("git", "log", "--diff-filter=D", "--", pathspec(e.Path))
		return "restore the sidecar from before the commit that deleted it: " + command, ok
	},
	"rename": func(e *summary.Evidence, _ *summary.Field, _ string) (string, bool) {
		return "rename the file, or remove it: " + e.Path, true
	},
	"release": func(*summary.Evidence, *summary.Field, string) (string, bool) {
		return "check it with a release of replay-gate that knows this schema version", true
	},
	"repair": func(_ *summary.Evidence, f *summary.Field, _ string) (string, bool) {
		return "correct " + f.Field + " in the evidence, at " + f.Location.String(), true
	},
	"entry": func(_ *summary.Evidence, f *summary.Field, _ string) (string, bool) {
		return "correct the entry at " + f.Location.String(), true
	},
	"drop": func(_ *summary.Evidence, f *summary.Field, _ string) (string, bool) {
		return "delete the entry at " + f.Location.String(), true
	},
	"tell": func(*summary.Evidence, *summary.Field, string) (string, bool) {
		return "report it as a bug of replay-gate, with this evidence", true
	},
	"again": func(*summary.Evidence, *summary.Field, string) (string, bool) { return "run the gate again", true },
}

// restore brings back the version of the input that has the recorded hash.
func restore(f *summary.Field) (string, bool) {
	if f.Why == nil || f.Why.Recorded == nil || f.Input == "" {
		return "", false
	}
	rev, was := short(f.Why.Recorded.Commit), f.Why.Recorded.Path
	if was == f.Input {
		command, ok := shellWords("git", "checkout", rev, "--", pathspec(was))
		return "restore the input: " + command, ok
	}
	command, ok := shellWords("git", "show", rev+":"+was)
	word, fine := summary.ShellQuote(f.Input)
	return "restore the input: " + command + " > " + word, ok && fine
}

func accept(e *summary.Evidence, f *summary.Field) (string, bool) {
	command, ok := shellWords("replay-gate", "accept", operand(e.Path), f.Field)
	return "accept it: " + command + " --reason '…'", ok
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

// maxCommand bounds a printed command, in bytes.
const maxCommand = 4096

// shellWords writes a command to be copied; false if it can't be shown faithfully,
// or there is none.
func shellWords(words ...string) (string, bool) {
	quoted := make([]string, len(words))
	length := 0
	for i, w := range words {
		q, ok := summary.ShellQuote(w)
		if length += len(q) + 1; !ok || length > maxCommand {
			return "", false
		}
		quoted[i] = q
	}
	return strings.Join(quoted, " "), len(words) > 0
}
