package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/spf13/cobra"

	"github.com/replay-gate/replay-gate/bundle"
	"github.com/replay-gate/replay-gate/gate/explain"
	"github.com/replay-gate/replay-gate/summary"
	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/pin"
)

// The schemas that ship in docs/schema.
const (
	sidecarSchema  = "ahd-replay-sidecar.schema.json"
	reportSchema   = "replay-gate.report.v2.schema.json"
	timelineSchema = "replay-gate.timeline.v1.schema.json"
	replayedSchema = "replay-gate.replay.v1.schema.json"
	listingSchema  = "replay-gate.bundle-ls.v1.schema.json"
	diffSchema     = "replay-gate.bundle-diff.v1.schema.json"
	initSchema     = "replay-gate.init.v1.schema.json"
	explainSchema  = "replay-gate.explain.v1.schema.json"
	versionSchema  = "replay-gate.version.v1.schema.json"
)

func validateWith(s *jsonschema.Schema, data []byte) error {
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		return err
	}
	return s.Validate(v)
}

// compileSchema compiles a schema of docs/schema.
func compileSchema(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	s, err := jsonschema.NewCompiler().Compile(filepath.Join("../../docs/schema", name))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// validates FILE SCHEMA holds a file, or "stdout", against a schema of docs/schema.
func validates(ts *testscript.TestScript, neg bool, args []string) {
	s, err := jsonschema.NewCompiler().Compile(filepath.Join("../../docs/schema", args[1]))
	ts.Check(err)
	if err := validateWith(s, []byte(ts.ReadFile(args[0]))); (err == nil) == neg {
		ts.Fatalf("%s against %s: %v", args[0], args[1], err)
	}
}

// Every sidecar of the examples is one of the schema, also those of other writers.
func TestSidecarSchemaTakesExamples(t *testing.T) {
	s := compileSchema(t, sidecarSchema)
	n := 0
	for _, glob := range []string{"../../testdata/ahd/repo/docs/evals/*.replay.json", "../demo/files/*/docs/evals/*.replay.json"} {
		names, err := filepath.Glob(glob)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			n++
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if err := validateWith(s, data); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	if n < 7 {
		t.Errorf("only %d examples", n)
	}
}

// Each command's --json is held against its schema in the script.
func TestSchemaScriptHasEveryCommand(t *testing.T) {
	t.Parallel()
	script, err := os.ReadFile("testdata/script/schema.txtar")
	if err != nil {
		t.Fatal(err)
	}
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		if !cmd.HasAvailableSubCommands() && cmd.Runnable() && !bytes.Contains(script, []byte(cmd.CommandPath()+" --json")) {
			t.Errorf("%s --json is in no line", cmd.CommandPath())
		}
		for _, sub := range documented(cmd) {
			walk(sub)
		}
	}
	walk((&app{}).command())
}

// What the verifier fails by its form, the schema refuses (AHD replay, Fields).
func TestSidecarSchemaRefuses(t *testing.T) {
	s := compileSchema(t, sidecarSchema)
	data, err := os.ReadFile("../demo/files/base/docs/evals/2026-04-22-swiss-n30.replay.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, edit := range [][2]string{
		{`"schema_version": 1`, `"schema_version": 2`},
		{`"kind": "eval-live"`, `"kind": "eval"`},
		{`"ahd_version": "0.11.0"`, `"ahd_version": " "`},
		{`"ahd_commit": null`, `"ahd_commit": "abc"`},
		{`"ahd_commit": null`, `"ahd_commit": "0123456789abcdef0123456789abcdef01234567"`}, // git_dirty is null
		{`"git_dirty": null`, `"git_dirty": false`},
		{`"invoked_at": "2026-04-22T09:14:03.120Z"`, `"invoked_at": "2026-04-22T09:14:03+02:00"`},
		{`"argv": [`, `"argv": [7,`},
		{`"hash": "sha256:210c`, `"hash": "sha256:210C`},
		{`"path": "briefs/landing.md",`, ``},
		{`"n": 30`, `"n": 0`},
		{`"n": 30`, `"n": 1.5`},
		{`"seed": null`, `"seed": "7"`},
		{`"provider": "cloudflare-workers-ai"`, `"provider": null`},
		{`"requested": [`, `"asked": [`},
	} {
		if !bytes.Contains(data, []byte(edit[0])) {
			t.Fatalf("the sidecar does not hold %s", edit[0])
		}
		if err := validateWith(s, bytes.Replace(data, []byte(edit[0]), []byte(edit[1]), 1)); err == nil {
			t.Errorf("%s is taken", edit[1])
		}
	}
}

// Each schema of an output has the members that the output has, and requires those
// that are always there. The name "" is that of the whole.
func TestSchemasAreTheOutputs(t *testing.T) {
	for file, parts := range map[string]map[string]any{
		reportSchema: {
			"": summary.Report{}, "tool": summary.Tool{}, "change": summary.Change{}, "scope": summary.Scope{},
			"policy": summary.Policy{}, "counts": summary.Counts{}, "evidence": summary.Entry{}, "field": summary.Field{},
			"location": verify.Location{}, "input": verify.Input{}, "recording": verify.Recording{}, "bundle": summary.Bundle{},
			"why": verify.Why{}, "version": verify.Version{}, "edit": verify.Edit{}, "notice": summary.Notice{}, "links": summary.Links{},
		},
		timelineSchema: {
			"": struct {
				Schema string `json:"schema"`
				verify.Timeline
			}{},
			"commit": verify.TimelineCommit{}, "lane": verify.Lane{}, "version": verify.LaneVersion{}, "pin": verify.Pin{},
		},
		replayedSchema: {
			"": replayReport{}, "tool": summary.Tool{}, "provenance": provenance{}, "result": bundle.Replayed{}, "record": bundle.Record{},
			"check": verify.Check{}, "location": verify.Location{}, "difference": bundle.Difference{}, "missing": bundle.Missing{}, "live": liveRun{},
		},
		listingSchema: {
			"": listing{}, "member": member{}, "check": verify.Check{}, "location": verify.Location{},
			"manifest": bundle.Manifest{}, "outputs": bundle.OutputPaths{}, "toolchain": bundle.Toolchain{}, "runner": bundle.Runner{},
			"seeds": bundle.Seeds{}, "coverage": bundle.Coverage{}, "scrub_policy": bundle.ScrubPolicy{}, "file": bundle.File{},
			"replay_gate": bundle.ReplayGate{}, "base": bundle.Base{},
		},
		initSchema:    {"": setUp{}, "kind": kindCount{}, "misplaced": misplaced{}, "unpinned": pin.Suggestion{}, "file": setUpFile{}},
		explainSchema: {"": explanation{}, "step": explain.EntryStep{}},
		versionSchema: {"": versionReport{}},
		diffSchema: {
			"": struct {
				Schema string `json:"schema"`
				Same   bool   `json:"same"`
				bundle.Comparison
				Inputs map[string]verify.Why `json:"inputs"`
			}{},
			"change": bundle.ValueChange{}, "member": bundle.MemberChange{}, "difference": bundle.Difference{},
			"why": verify.Why{}, "version": verify.Version{}, "edit": verify.Edit{},
		},
	} {
		schema := readSchema(t, file)
		defs, _ := schema["$defs"].(map[string]any)
		for name, v := range parts {
			object := schema
			if name != "" {
				object = defs[name].(map[string]any)
			}
			members, required := membersOf(reflect.TypeOf(v))
			described := keys(object["properties"].(map[string]any))
			if !slices.Equal(members, described) {
				t.Errorf("%s: %s: the output has %q, its schema %q", file, name, members, described)
			}
			var demanded []string
			for _, r := range object["required"].([]any) {
				demanded = append(demanded, r.(string))
			}
			slices.Sort(demanded)
			if !slices.Equal(required, demanded) {
				t.Errorf("%s: %s: always there are %q, the schema requires %q", file, name, required, demanded)
			}
		}
	}
}

// membersOf lists the JSON members of a struct, and those never left out, sorted.
func membersOf(typ reflect.Type) (all, required []string) {
	for i := range typ.NumField() {
		f := typ.Field(i)
		if f.Anonymous {
			a, r := membersOf(f.Type)
			all, required = append(all, a...), append(required, r...)
			continue
		}
		name, rest, _ := strings.Cut(f.Tag.Get("json"), ",")
		if !f.IsExported() || name == "-" {
			continue
		}
		all = append(all, name)
		if !strings.Contains(rest, "omit") {
			required = append(required, name)
		}
	}
	slices.Sort(all)
	slices.Sort(required)
	return all, required
}

// Issue 5: each key is described.
func TestSchemasDescribeEachKey(t *testing.T) {
	for _, name := range []string{sidecarSchema, reportSchema, timelineSchema, replayedSchema, listingSchema, diffSchema, initSchema, explainSchema, versionSchema} {
		described := 0
		var walk func(path string, v any)
		walk = func(path string, v any) {
			switch v := v.(type) {
			case map[string]any:
				for key, sub := range v {
					if _, condition := map[string]bool{"if": true, "then": true, "else": true}[key]; condition {
						continue
					}
					if key == "properties" || key == "$defs" {
						for member, s := range sub.(map[string]any) {
							if text, _ := s.(map[string]any)["description"].(string); strings.HasSuffix(text, ".") {
								described++
							} else {
								t.Errorf("%s: %s/%s has no description", name, path, member)
							}
						}
					}
					walk(path+"/"+key, sub)
				}
			case []any:
				for _, sub := range v {
					walk(path, sub)
				}
			}
		}
		walk("", readSchema(t, name))
		if described < 5 {
			t.Errorf("%s describes only %d keys", name, described)
		}
	}
}

func readSchema(t *testing.T, name string) map[string]any {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("../../docs/schema", name))
	if err != nil {
		t.Fatal(err)
	}
	var v map[string]any
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	return v
}
