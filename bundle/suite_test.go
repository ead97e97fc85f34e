package bundle

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/replay-gate/replay-gate/verify"
)

// config and line are what Assay reads from files/assay.yaml and
// files/trace.jsonl (model::EvalConfig, providers::trace).
type config struct {
	Version int
	Suite   string
	Model   string
	Tests   []struct {
		ID       string
		Input    struct{ Prompt string }
		Expected struct {
			Type        string
			MustContain []string `yaml:"must_contain"`
		}
	}
}

type line struct{ Prompt, Response string }

// judge does what Assay's engine does with a suite: it looks the prompt up and
// tests for a substring.
func judge(t *testing.T, s suite) (passed map[string]bool) {
	t.Helper()
	var c config
	if err := yaml.Unmarshal(s.config, &c); err != nil {
		t.Fatalf("%v in\n%s", err, s.config)
	}
	if len(c.Tests) == 0 || c.Version != 1 || c.Suite == "" || c.Model == "" {
		t.Fatalf("Assay refuses this:\n%s", s.config)
	}
	responses := make(map[string]string)
	for text := range strings.Lines(string(s.trace)) {
		var l line
		if err := json.Unmarshal([]byte(text), &l); err != nil {
			t.Fatalf("%v in %q", err, text)
		}
		if _, twice := responses[l.Prompt]; twice {
			t.Fatalf("prompt %q is there twice", l.Prompt)
		}
		responses[l.Prompt] = l.Response
	}
	passed = make(map[string]bool)
	for _, test := range c.Tests {
		response, ok := responses[test.Input.Prompt]
		if !ok {
			t.Fatalf("no response to %q", test.Input.Prompt)
		}
		if _, twice := passed[test.ID]; twice {
			t.Fatalf("test %q is there twice", test.ID)
		}
		if test.Expected.Type != "must_contain" || len(test.Expected.MustContain) != 1 || test.Expected.MustContain[0] == "" {
			t.Fatalf("test %q asserts nothing", test.ID)
		}
		passed[test.ID] = strings.Contains(response, test.Expected.MustContain[0])
	}
	return passed
}

func mustSuite(t *testing.T, r verify.Result) (suite, []string) {
	t.Helper()
	ids := testIDs(r.Checks)
	s, err := newSuite(&r, ids)
	if err != nil {
		t.Fatal(err)
	}
	return s, ids
}

// Issue "Accepted by Assay": pass for ok and warn, fail for FAIL, no test for
// info, one test per field.
func TestSuiteStatuses(t *testing.T) {
	s, _ := mustSuite(t, verify.Result{Path: "a.json", Checks: []verify.Check{
		{Field: "a", Status: verify.OK, Recorded: "1", Observed: "1"},
		{Field: "b", Status: verify.Warn, Recorded: "1", Observed: "2"},
		{Field: "c", Status: verify.Fail, Recorded: "1", Observed: "2"},
		{Field: "d", Status: verify.Fail, Recorded: "1", Observed: "1"},
		{Field: "e", Status: verify.Fail},
		{Field: "f", Status: verify.Info, Recorded: "1"},
		{Field: "a", Status: verify.Fail, Recorded: "1", Observed: "2"},
	}})
	got := fmt.Sprint(judge(t, s))
	if want := "map[a:true a#2:false b:true c:false d:false e:false]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// Assay refuses a suite without tests.
func TestSuiteWithoutChecks(t *testing.T) {
	s, _ := mustSuite(t, verify.Result{Path: "a.json", Checks: []verify.Check{{Field: "remaining", Status: verify.Info}}})
	if got := fmt.Sprint(judge(t, s)); got != "map[remaining+:true]" {
		t.Errorf("got %s", got)
	}
}

// Assay refuses a configuration over 1 MiB (MAX_CONFIG_BYTES); the verdict must
// survive the cut.
func TestSuiteIsBounded(t *testing.T) {
	for _, last := range []verify.Status{verify.OK, verify.Fail} {
		r := verify.Result{Path: strings.Repeat("p", 5000)}
		for i := range 4000 {
			r.Checks = append(r.Checks, verify.Check{Field: fmt.Sprint("field", i, strings.Repeat(`"\`, 40)), Status: verify.OK, Recorded: strings.Repeat("\\", verify.MaxValue)})
		}
		r.Checks = append(r.Checks, verify.Check{Field: "last", Status: last})
		s, _ := mustSuite(t, r)
		if len(s.config) > 1<<20 {
			t.Errorf("configuration of %d bytes", len(s.config))
		}
		lines := strings.Split(strings.TrimSpace(string(s.trace)), "\n")
		if tests := strings.Count(string(s.config), "\n  - id: "); tests != len(lines) || tests > 4000 {
			t.Errorf("%d tests and %d responses to 4001 checks", tests, len(lines))
		}
		want := `"response":"recorded no failure"}`
		if last == verify.Fail {
			want = `"response":"observed 1 failing"}`
		}
		if got := lines[len(lines)-1]; !strings.HasSuffix(got, want) {
			t.Errorf("last field %s, and the last response is %s", last, got)
		}
		if got := s.config[len(s.config)-64:]; !bytes.HasSuffix(got, []byte("must_contain:\n        - \"recorded no failure\"\n")) {
			t.Errorf("the last test is ...%s", got)
		}
	}
}

// The words by which Assay takes a message for "trace not found" and the like
// (errors::legacy_classify_message), and its secret patterns (replay/scrub),
// don't get into the suite; neither do characters on which YAML and JSON differ.
func TestSuiteTexts(t *testing.T) {
	for _, hostile := range []string{
		"trace not found", "Trace: No such file", "Bearer abcdef", "BEARER\tx", "sk-" + strings.Repeat("a", 20), "x sk_" + strings.Repeat("b", 30),
		"config error", "unknown field", "os error 2", strings.Repeat("x", 2000), "\u0085\u2028\ufeff", "\x00\x7f", "\xff", "Authorization: x",
	} {
		s, _ := mustSuite(t, verify.Result{Path: hostile, Checks: []verify.Check{
			{Field: hostile, Status: verify.Fail, Recorded: hostile, Observed: "recorded " + hostile},
			{Field: "ok", Status: verify.OK, Recorded: hostile, Observed: hostile},
		}})
		for id, ok := range judge(t, s) {
			if ok != (id == "ok") {
				t.Errorf("%q: test %q passes: %v", hostile, id, ok)
			}
		}
		for _, text := range [][]byte{s.config, s.trace} {
			lower := strings.ToLower(string(text))
			for _, bad := range []string{"not found", "no such file", "bearer ", "bearer\t", "sk-aaa", "sk_bbb", "config error", "unknown field", "os error"} {
				if strings.Contains(lower, bad) {
					t.Errorf("%q gets into the suite:\n%s", bad, text)
				}
			}
			if strings.Trim(string(text), "\n"+ascii) != "" {
				t.Errorf("not printable ASCII: %q", text)
			}
		}
	}
}

const ascii = " !\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~"

// A FAIL never passes and an ok never fails, whatever the values are.
func FuzzSuite(f *testing.F) {
	f.Add("field", "a.json", "1", "2")
	f.Add(`recorded "`, `"`, `"`, `recorded "`)
	f.Add("", "", "", "")
	f.Add("a\nb", "\u2028", "\\", `x", recorded "x"`)
	f.Add("\xff", "\x00", `observed "`, `recorded \"x\"`)
	f.Fuzz(func(t *testing.T, field, path, recorded, observed string) {
		s, ids := mustSuite(t, verify.Result{Path: path, Checks: []verify.Check{
			{Field: field, Status: verify.Fail, Recorded: recorded, Observed: observed},
			{Field: field, Status: verify.OK, Recorded: recorded, Observed: observed},
			{Field: observed, Status: verify.Warn, Recorded: recorded},
		}})
		passed := judge(t, s)
		if len(passed) != 3 || passed[ids[0]] || !passed[ids[1]] || !passed[ids[2]] {
			t.Fatalf("%v in\n%s", passed, s.config)
		}
	})
}
