package bundle

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/replay-gate/replay-gate/verify"
)

// Difference is one part of a verdict that a replay came to differently.
type Difference struct {
	// Field is the check's, with "#2" and so on where one field was checked more
	// than once; empty for what belongs to the verdict as a whole.
	Field string `json:"field,omitempty"`
	// Part is what differs: "status", "code", "recorded" or "observed" of a check,
	// "check" when only one side has it; of the whole "verdict", "kind",
	// "evidence", "sha256", "strict" or "unchecked"; and "output" of a file that is
	// rendered from the verdict, which Field then names.
	Part     string `json:"part"`
	Recorded string `json:"recorded"`
	Replayed string `json:"replayed"`
}

// compare lists what differs between two verdicts, in the order of the recorded
// one.
func compare(recorded, replayed *Record) []Difference {
	var ds []Difference
	add := func(field, part, was, is string) {
		if was != is {
			ds = append(ds, Difference{field, part, was, is})
		}
	}
	add("", "verdict", recorded.Verdict, replayed.Verdict)
	add("", "kind", recorded.Kind, replayed.Kind)
	add("", "evidence", recorded.Evidence, replayed.Evidence)
	add("", "sha256", recorded.SHA256, replayed.SHA256)
	add("", "strict", strconv.FormatBool(recorded.Strict), strconv.FormatBool(replayed.Strict))
	// The sentence may be worded anew by a later release; that there is one counts.
	if (recorded.Unchecked == "") != (replayed.Unchecked == "") {
		add("", "unchecked", recorded.Unchecked, replayed.Unchecked)
	}
	names, now := numbered(recorded.Checks), make(map[string]verify.Check, len(replayed.Checks))
	again := numbered(replayed.Checks)
	for i, c := range replayed.Checks {
		now[again[i]] = c
	}
	for i, c := range recorded.Checks {
		n, ok := now[names[i]]
		if !ok {
			add(names[i], "check", string(c.Status), "")
			continue
		}
		delete(now, names[i])
		add(names[i], "status", string(c.Status), string(n.Status))
		add(names[i], "code", c.Code, n.Code)
		add(names[i], "recorded", c.Recorded, n.Recorded)
		add(names[i], "observed", c.Observed, n.Observed)
	}
	for i, c := range replayed.Checks {
		if _, ok := now[again[i]]; ok {
			add(again[i], "check", "", string(c.Status))
		}
	}
	return ds
}

// numbered names each check once: by its field, and "#2" and so on.
func numbered(checks []verify.Check) []string {
	names := make([]string, len(checks))
	seen := make(map[string]int, len(checks))
	for i, c := range checks {
		names[i] = c.Field
		if seen[c.Field]++; seen[c.Field] > 1 {
			names[i] += "#" + strconv.Itoa(seen[c.Field])
		}
	}
	return names
}

// uncovered notes the inputs that the replay lacks: those that replay_coverage
// names, and those without which a check came out differently.
func (re *replay) uncovered(recorded *Record) {
	differs := make(map[string]bool)
	for _, d := range re.found.Differences {
		differs[d.Field] = true
	}
	ids, names := testIDs(recorded.Checks), numbered(recorded.Checks)
	reasons, known := make(map[string]string), make(map[string]bool)
	if c := re.archive.Manifest.Coverage; c != nil {
		for _, id := range c.Incomplete {
			reasons[id] = c.Reason[id]
		}
	}
	byFile := make(map[string]int) // index into Missing
	note := func(file, why, field string) {
		if why == "" {
			why = "the bundle does not say why it is not there"
		}
		i, ok := byFile[file]
		if !ok {
			i = slices.IndexFunc(re.found.Missing, func(m Missing) bool { return m.File == file })
			if i < 0 {
				i = len(re.found.Missing)
				re.miss(file, why, re.where(file))
			}
			byFile[file] = i
		}
		if field != "" {
			re.found.Missing[i].Fields = append(re.found.Missing[i].Fields, field)
		}
	}
	for i, c := range recorded.Checks {
		why, incomplete := reasons[ids[i]]
		known[ids[i]] = true
		if incomplete || differs[names[i]] && c.Input != "" && !re.tree.Exists(c.Input) {
			note(c.Input, why, names[i])
		}
	}
	for id, why := range sorted(reasons) {
		if known[id] {
			continue
		}
		// An omission that no check is about: "input <role> <path>".
		file := id
		if id == wholeVerdict {
			file = ""
		} else if words := strings.SplitN(id, " ", 3); len(words) == 3 && words[0] == "input" {
			if repo, err := unescapeName(words[2]); err == nil {
				file = repo
			}
		}
		note(file, why, "")
	}
}

// source says where a file of the repository can be had that a bundle does not
// hold. It is a sentence and no command: nobody should paste a path that came out
// of a bundle.
func source(m *Manifest) func(repoPath string) string {
	return func(file string) string {
		switch {
		case m.GitSHA == "":
			return "the bundle names no commit: ask whoever made it"
		case m.GitDirty != nil && *m.GitDirty:
			return fmt.Sprintf("path %s in the work tree on top of commit %s", file, m.GitSHA)
		}
		return fmt.Sprintf("path %s at commit %s", file, m.GitSHA)
	}
}

// remake says how the whole bundle can be had again.
func remake(m *Manifest) string {
	if m.GitSHA == "" || m.ReplayGate == nil || m.GitDirty != nil && *m.GitDirty {
		return "make the bundle again where it was made"
	}
	return fmt.Sprintf("make the bundle of %s again at commit %s", m.ReplayGate.Evidence, m.GitSHA)
}
