package pin

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/replay-gate/replay-gate/verify"
)

// with gives the pin of a project with one member replaced; the steps lead to it. A nil value
// takes it out.
func with(t testing.TB, fsys fstest.MapFS, value any, steps ...string) fstest.MapFS {
	t.Helper()
	var doc any
	if err := json.Unmarshal(fsys[pinPath].Data, &doc); err != nil {
		t.Fatal(err)
	}
	at := doc
	for i, step := range steps {
		last := i == len(steps)-1
		switch in := at.(type) {
		case map[string]any:
			switch {
			case last && value == nil:
				delete(in, step)
			case last:
				in[step] = value
			default:
				at = in[step]
			}
		case []any:
			n, err := strconv.Atoi(step)
			if err != nil {
				t.Fatal(err)
			}
			if last {
				in[n] = value
			} else {
				at = in[n]
			}
		default:
			t.Fatalf("nothing at %s of %v", step, steps)
		}
	}
	text, err := json.MarshalIndent(doc, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return write(fsys, map[string]string{pinPath: string(text)})
}

// A member that is not what it must be is a FAIL at its place, each by itself.
func TestMalformedMembers(t *testing.T) {
	t.Parallel()
	whole := pinned(t, repo(), request())
	own := []string{"predicate", "byproducts", "replayGate"}
	within := func(steps ...string) []string { return append(slices.Clone(own), steps...) }
	material := func(steps ...string) []string { return append([]string{"predicate", "materials", "1"}, steps...) }
	config := "input:evals/config.yml"
	many := make([]any, maxArtifacts)
	for i := range many {
		many[i] = map[string]any{"name": fmt.Sprint("pkg:x/", i), "digest": map[string]any{"sha256": strings.Repeat("0", 64)}}
	}
	globs := make([]any, maxGlobs+1)
	for i := range globs {
		globs[i] = "none/*"
	}
	for _, tc := range []struct {
		name  string
		value any
		steps []string
		want  string // among what is said
	}{
		{"subject as a text", "x", []string{"subject"}, "FAIL subject wrong-type"},
		{"no subjects", []any{}, []string{"subject"}, "FAIL subject no-subject"},
		{"a subject's name as a number", 1, []string{"subject", "0", "name"}, "FAIL subject[0].name wrong-type"},
		{"a subject as a number", 1, []string{"subject", "0"}, "FAIL subject[0] wrong-type"},
		{"a subject without a digest", nil, []string{"subject", "0", "digest"}, "FAIL subject:evals/report.md no-digest"},
		{"a subject with a URI and no digest", map[string]any{"name": reportPath, "uri": "https://example.com/r"}, []string{"subject", "0"}, "FAIL subject:evals/report.md no-digest"},
		{"no predicate type", nil, []string{"predicateType"}, "FAIL predicateType missing"},
		{"materials as a text", "x", []string{"predicate", "materials"}, "FAIL materials wrong-type"},
		{"no materials", nil, []string{"predicate", "materials"}, "warn materials no-inputs"},
		{"too many materials", many, []string{"predicate", "materials"}, "FAIL materials too-many"},
		{"no name", nil, []string{"predicate", "name"}, "warn name missing"},
		{"a name as a number", 1, []string{"predicate", "name"}, "warn name missing"},
		{"our own part as a list", []any{}, own, "FAIL byproducts.replayGate wrong-type"},
		{"notes as a text", "x", within("notes"), "FAIL notes wrong-type"},
		{"globs as a text", "x", within("globs"), "FAIL globs wrong-type"},
		{"globs as numbers", []any{1}, within("globs"), "FAIL globs wrong-type"},
		{"too many globs", globs, within("globs"), "FAIL globs wrong-type"},
		{"what is not pinned as numbers", []any{1}, within("notPinned"), "FAIL notPinned wrong-type"},
		{"what is not pinned as a text", "x", within("notPinned"), "FAIL notPinned wrong-type"},
		{"what is not pinned", []any{"a model", "the weather"}, within("notPinned"), "info notPinned not-pinned"},
		{"annotations as a list", []any{}, material("annotations", "replayGate"), "FAIL " + config + ".annotations wrong-type"},
		{"keys as a text", "model", material("annotations", "replayGate", "keys"), "FAIL " + config + ".keys wrong-type"},
		{"a value's hash cut short", "00", material("annotations", "replayGate", "canonical", "sha256"), "FAIL " + config + ".canonical malformed-digest"},
		{"keys without a value's hash", nil, material("annotations", "replayGate", "canonical"), "FAIL " + config + ".canonical malformed-digest"},
		{"a digest as a text", "x", material("digest"), "FAIL " + config + ".digest wrong-type"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			r := check(t, with(t, whole, tc.value, tc.steps...))
			if s := said(r); !slices.Contains(strings.Split(s, "\n"), tc.want) {
				t.Errorf("it says\n%s\nwant among it\n%s", s, tc.want)
			}
			for _, c := range r.Checks {
				if c.Status == verify.Fail && c.Location.Line == 0 {
					t.Errorf("%s has no place", c.Field)
				}
			}
		})
	}
	// An empty list of what is not pinned says nothing; a note may be a value under the name
	// of a file, which is then no new file.
	if s := said(check(t, with(t, whole, []any{}, within("notPinned")...))); s != "" {
		t.Error(s)
	}
	noted := write(whole, map[string]string{"evals/prompts/n.md": "n"})
	if s := said(check(t, with(t, noted, []any{map[string]any{"name": "evals/prompts/n.md", "value": "v"}}, within("notes")...))); s != "" {
		t.Error(s)
	}
}

// The rows' words: how many inputs, signatures and new files there are, and what to do where
// somebody else wrote the statement.
func TestWords(t *testing.T) {
	t.Parallel()
	req := request()
	one := check(t, pinned(t, repo(), Request{Subjects: req.Subjects, Inputs: []string{"uv.lock"}}))
	if c := row(t, one, "inputs"); c.Reason != "1 input" {
		t.Errorf("%+v", c)
	}
	whole := pinned(t, repo(), req)
	if c := row(t, check(t, whole), "inputs"); c.Reason != "5 inputs, pinned together" {
		t.Errorf("%+v", c)
	}
	for n, want := range map[int]string{0: "0 signatures, none of which is verified here", 1: "the signature is not verified here", 2: "2 signatures, none of which is verified here"} {
		fsys := write(whole, nil)
		fsys[pinPath] = envelope(t, whole[pinPath].Data)
		fsys = with(t, fsys, slices.Repeat([]any{map[string]any{"sig": "x"}}, n), "signatures")
		r := check(t, fsys)
		if c := row(t, r, "signature"); c.Reason != want {
			t.Errorf("%+v", c)
		}
	}
	// Damage of a payload is told where the payload stands.
	broken := write(whole, map[string]string{pinPath: "{\n\"payloadType\": \"" + payloadType + "\",\n\"payload\": \"eyI=\"}"})
	if c := row(t, check(t, broken), "payload"); c.Location.Line != 3 {
		t.Errorf("%+v", c.Location)
	}
	edited := write(whole, map[string]string{reportPath: "# 50\n"})
	if c := row(t, check(t, edited), "subject:"+reportPath); c.Hint != "undo the edit, or pin the result of a new run" || c.Command == nil {
		t.Errorf("%+v", c)
	}
	foreign := with(t, edited, nil, "predicate", "byproducts")
	if c := row(t, check(t, foreign), "subject:"+reportPath); c.Hint != "undo the edit, or have the statement made anew by what wrote it" || c.Command != nil {
		t.Errorf("%+v", c)
	}
	for name, want := range map[string]string{
		"evals/config.yml": "the values of its keys are the ones that were pinned; something else in the file has changed, which is not pinned",
		"evals/cases.json": "its parsed value is the one that was pinned; comments, layout or the order of keys have changed",
	} {
		r := check(t, write(whole, map[string]string{name: strings.Replace(string(whole[name].Data), ": ", ":  ", 1)}))
		got := ""
		for _, c := range r.Checks {
			if c.Input == name {
				got += c.Reason + "; "
			}
		}
		if got != want+"; " {
			t.Errorf("%s: %s", name, got)
		}
	}
	files := make(map[string]string)
	for i := range maxNewFiles + 2 {
		files[fmt.Sprintf("evals/prompts/n%02d.md", i)] = "n"
	}
	r := check(t, write(whole, files))
	if c := row(t, r, "globs"); c.Status != verify.Warn || c.Reason != "2 more new files under pinned globs" || r.Count(verify.Warn) != maxNewFiles+1 {
		t.Errorf("%d warnings; %+v", r.Count(verify.Warn), c)
	}
	delete(files, "evals/prompts/n00.md")
	delete(files, "evals/prompts/n01.md")
	if r := check(t, write(whole, files)); r.Count(verify.Warn) != maxNewFiles {
		t.Errorf("%d warnings", r.Count(verify.Warn))
	}
}

// A statement by the standard that says less: no predicate type, and dependencies that are
// neither pinned nor elsewhere.
func TestForeignMembers(t *testing.T) {
	t.Parallel()
	sum := sumsOf([]byte("A")).sha256
	statement := func(rest string) fstest.MapFS {
		return tree(map[string]string{"a": "A", "b": "B", "a.pin.json": `{"_type": "https://in-toto.io/Statement/v1",
			"subject": [{"name": "a", "digest": {"sha256": "` + sum + `"}}]` + rest + `}`})
	}
	slsa := func(dependency string) string {
		return `, "predicateType": "` + slsaType + `", "predicate": {"buildDefinition": {"resolvedDependencies": [` + dependency + `]}}`
	}
	for _, tc := range []struct{ rest, want string }{
		{``, "FAIL predicateType missing"},
		{`, "predicateType": 1`, "FAIL predicateType wrong-type"},
		{`, "predicateType": ""`, "FAIL predicateType wrong-type"},
		{`, "predicateType": "https://example.com/p"`, "info predicateType unknown-predicate"},
		{slsa(`{"name": "b"}`), "FAIL dependency:b no-digest"},
		{slsa(`{"uri": "https://example.com/b"}`), "info dependency: not-local"},
		{slsa(`{"name": "b", "digest": {"gitBlob": "` + sumsOf([]byte("B")).blob + `"}}`), ""},
	} {
		if s := said(checkAt(t, statement(tc.rest), "a.pin.json")); s != tc.want {
			t.Errorf("%s: %s, want %s", tc.rest, s, tc.want)
		}
	}
	blob := sumsOf([]byte("C"))
	for _, want := range []struct{ recorded, observed string }{{blob.blob, sumsOf([]byte("B")).blob}, {blob.blob64, sumsOf([]byte("B")).blob64}} {
		r := checkAt(t, statement(slsa(`{"name": "b", "digest": {"gitBlob": "`+want.recorded+`"}}`)), "a.pin.json")
		if c := row(t, r, "dependency:b"); c.Status != verify.Fail || c.Recorded != "gitBlob:"+want.recorded || c.Observed != "gitBlob:"+want.observed {
			t.Errorf("%+v", c)
		}
	}
}

// Which version of an input is the recorded one: by its bytes, or by the values of its keys.
func TestRecall(t *testing.T) {
	t.Parallel()
	r := check(t, pinned(t, repo(), request()))
	asked := 0
	for _, in := range r.Inputs {
		holds := Format{}.Recall(nil, in)
		if in.Path != "evals/config.yml" {
			if in.Role == roleSubject && holds != nil {
				t.Error("a result is its bytes")
			}
			continue
		}
		asked++
		for text, want := range map[string]bool{
			"# the model\nmodel: m-1\ntemperature: 0.5\njobs: 4\n": true, "temperature: 0.5\nmodel: m-1\n": true,
			"model: m-2\ntemperature: 0.5\n": false, "model: m-1\n": false, "model: [\n": false, "": false,
		} {
			if holds == nil || holds([]byte(text)) != want {
				t.Errorf("%q is the recorded one: %t", text, !want)
			}
		}
	}
	if asked != 1 {
		t.Errorf("%+v", r.Inputs)
	}
	// The bytes are enough where the value can't be told.
	text := "a: [\n"
	in := verify.Input{Path: "x.yml", Hash: "sha256:" + sumsOf([]byte(text)).sha256, Value: "sha256:" + strings.Repeat("0", 64)}
	if holds := (Format{}).Recall(nil, in); !holds([]byte(text)) || holds([]byte(text+"#")) {
		t.Error("bytes")
	}
}

// What is asked for and can't be pinned is an error, and no pin without it.
func TestBuildRefuses(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*Request){
		"an input that is not there":        func(r *Request) { r.Inputs = []string{"gone.md"} },
		"a key of a file without any":       func(r *Request) { r.Inputs = []string{"evals/prompts/ask.md#key"} },
		"a key that is not there":           func(r *Request) { r.Inputs = []string{"evals/config.yml#gone"} },
		"a note that is not there":          func(r *Request) { r.Notes = []string{"gone.lock"} },
		"a result that is not there":        func(r *Request) { r.Subjects = []string{"gone.md"} },
		"a result twice":                    func(r *Request) { r.Subjects = []string{reportPath, reportPath} },
		"a configuration's that is a lie":   func(r *Request) { r.Sources = []Source{{Spec: "c", Inputs: []Ref{{Path: "gone.md"}}}} },
		"a path that leaves the repository": func(r *Request) { r.Inputs = []string{"../x.md"} },
	} {
		req := request()
		change(&req)
		if _, err := Build(verify.NewTree(repo()), nil, req); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
