package dvc

import (
	"encoding/json"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/replay-gate/replay-gate/verify"
)

// The vectors are what the real DVC 3.67.1 says (internal/interop/dvc/oracle.py): for each
// case every path, parameter and command that "dvc status" calls changed must FAIL here,
// and nothing else may; each difference stands in the table below with its reason.
func TestVerdictsOfTheRealDVC(t *testing.T) {
	t.Parallel()
	cases, rows, differ := 0, 0, 0
	used := make(map[string]int)
	for _, v := range vectors(t) {
		for i := range v.Cases {
			c := v.Cases[i]
			cases++
			files := make(map[string]string)
			for name, data := range v.Files {
				files[name] = string(data)
			}
			for name, data := range c.Write {
				files[name] = string(data)
			}
			for _, name := range c.Remove {
				delete(files, name)
			}
			id := v.name + ": " + c.Name
			ours := oursOf(t, files)
			theirs := theirsOf(t, c.Status)
			rows += len(ours)
			if theirs["refused"] && !slices.ContainsFunc(slices.Collect(maps.Values(ours)), func(o outcome) bool {
				// A ${…} that leads nowhere stops DVC; here it leaves the command open.
				return o.status == verify.Fail || o.code == "templated"
			}) {
				t.Errorf("%s: DVC stops with an error, and nothing fails", id)
			}
			for _, key := range slices.Sorted(maps.Keys(merged(ours, theirs))) {
				our, their := ours[key], theirs[key]
				if (our.status == verify.Fail) == their {
					continue
				}
				differ++
				why := excuse(id, key, our, theirs)
				if why == "" {
					t.Errorf("%s: %s: DVC says changed %t, and we %s %s (%s)", id, key, their, our.status, our.code, our.reason)
				}
				used[why]++
			}
		}
	}
	for _, d := range differences {
		if used[d.why] == 0 {
			t.Errorf("no case needs the difference %q", d.why)
		}
		t.Logf("%3d: %s", used[d.why], d.why)
	}
	t.Logf("%d cases, %d rows, %d of them differ for a reason", cases, rows, differ)
}

// difference is a kind of row that DVC and this package judge differently on purpose.
type difference struct {
	why    string
	status verify.Status // ours; empty where we have no row at all
	code   string
	theirs bool // DVC says that it changed
}

var differences = []difference{
	{"matches in other line ends: a checkout on another system", verify.OK, "", true},
	{"a folder with another number of files: untracked ones may have been hashed; the base decides", verify.Warn, "folder-differs", true},
	{"the recorded size contradicts the recorded hash: the lock was edited", verify.Fail, "size-differs", false},
	{"a lock with a byte order mark was not written by DVC", verify.Fail, "byte-order-mark", false},
	{"a stage that was never run is one row", "", "", true},
	{"a stage that was never run, whose results are there all the same, is one row", verify.Fail, "never-run", false},
	{"a .py file is a program, and is not run", verify.Info, "python-params", true},
	{"a mapping in a command becomes options, by rules that DVC's own settings change", verify.Info, "templated", true},
	{"whether git ever held the file, only the base can say", verify.Info, "not-in-git", true},
	{"DVC stops with an error for the whole file", verify.Fail, "", false},
}

// excuse is why a row may differ; empty if it may not.
func excuse(id, key string, our outcome, theirs map[string]bool) string {
	stage := strings.SplitN(strings.TrimPrefix(key, "stages."), " ", 2)[0]
	neverRun := our.neverRun
	if file, _, ok := cutLast(key, " "); ok && our.status == "" {
		our = our.all[file] // one row for all parameters of the file
	}
	for _, d := range differences {
		switch {
		case d.why == "DVC stops with an error for the whole file":
			if theirs["refused"] {
				return d.why
			}
		case d.status == "":
			if our.status == "" && theirs[key] && neverRun[stage] {
				return d.why
			}
		case our.status == d.status && (our.code == d.code) && theirs[key] == d.theirs:
			if d.status != verify.OK || strings.Contains(our.reason, "line ends") {
				return d.why
			}
		}
	}
	return ""
}

// outcome is our row for a key.
type outcome struct {
	status       verify.Status
	code, reason string
	neverRun     map[string]bool
	all          map[string]outcome
}

func cutLast(s, sep string) (before, after string, ok bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+1:], true
}

// oursOf judges every lock of a tree. A row's key is "stages.NAME deps PATH", with the
// path in the tree, as DVC prints it.
func oursOf(t *testing.T, files map[string]string) map[string]outcome {
	t.Helper()
	all := make(map[string]outcome)
	neverRun := make(map[string]bool)
	tree := treeOf(files)
	for name := range files {
		if path.Base(name) != lockName {
			continue
		}
		r := Format{}.Verify(t.Context(), &verify.Evidence{Path: name, Tree: tree})
		prefix := ""
		if dir := path.Dir(name); dir != "." {
			prefix = dir + "/dvc.yaml:"
		}
		for _, c := range r.Checks {
			key := c.Field
			if c.Code == "no-longer-listed" || c.Code == "always-changed" {
				continue
			}
			if rest, ok := strings.CutPrefix(c.Field, "stages."); ok {
				for _, kind := range []string{"deps", "outs", "params", "cmd"} {
					stage, what, ok := strings.Cut(rest, "."+kind)
					if !ok {
						continue
					}
					what = strings.TrimPrefix(what, ".")
					switch kind {
					case "deps", "outs":
						if c.Code != "not-recorded" {
							what = c.Input
						}
						if c.Input != "" && strings.HasSuffix(c.Input, ".dvc") {
							what = strings.TrimSuffix(c.Input, ".dvc")
						}
						key = "stages." + prefix + stage + " " + kind + " " + what
					case "params":
						file, k, _ := strings.Cut(what, ":")
						if c.Code != "not-recorded" {
							file = c.Input
						}
						key = strings.TrimSpace("stages." + prefix + stage + " params " + file + " " + k)
					case "cmd":
						key = "stages." + prefix + stage + " cmd"
					}
					break
				}
				if c.Code == "never-run" {
					neverRun[prefix+rest] = true
				}
			}
			all[key] = outcome{status: c.Status, code: c.Code, reason: c.Reason}
		}
	}
	all[""] = outcome{status: verify.OK, neverRun: neverRun, all: all}
	return all
}

func merged(ours map[string]outcome, theirs map[string]bool) map[string]bool {
	all := make(map[string]bool)
	for key := range ours {
		all[key] = true
	}
	for key := range theirs {
		if key == "refused" {
			continue
		}
		all[key] = true
		if o, ok := ours[key]; !ok {
			o.neverRun, o.all = ours[""].neverRun, ours[""].all
			ours[key] = o
		}
	}
	delete(all, "")
	return all
}

// theirsOf are the keys that "dvc status --json" calls changed.
func theirsOf(t *testing.T, status json.RawMessage) map[string]bool {
	t.Helper()
	all := make(map[string]bool)
	var top map[string]json.RawMessage
	if err := json.Unmarshal(status, &top); err != nil {
		t.Fatal(err)
	}
	for stage, raw := range top {
		if stage == "refused" {
			all["refused"] = true
			continue
		}
		var items []any
		if err := json.Unmarshal(raw, &items); err != nil {
			t.Fatal(err)
		}
		for _, item := range items {
			switch item := item.(type) {
			case string:
				if item == "changed command" {
					all["stages."+stage+" cmd"] = true
				}
			case map[string]any:
				for kind, entries := range item {
					for name, what := range entries.(map[string]any) {
						kind := strings.TrimPrefix(kind, "changed ")
						keys, isParams := what.(map[string]any)
						for key := range keys {
							all["stages."+stage+" params "+name+" "+key] = true
						}
						switch {
						case isParams:
						case kind == "deps" && path.Base(name) == "params.yaml":
							all["stages."+stage+" params "+name] = true
						default:
							all["stages."+stage+" "+kind+" "+name] = true
						}
					}
				}
			}
		}
	}
	return all
}
