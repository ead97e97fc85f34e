package summary

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io/fs"
	"reflect"
	"strings"
	"testing"

	"github.com/replay-gate/replay-gate/summary/visible"
	"github.com/replay-gate/replay-gate/verify"
)

// result is the verdict that e was made from, without what the gate added.
func result(e *Entry) verify.Result {
	r := verify.Result{Path: e.Path, Kind: e.Kind, SHA256: e.SHA256, Unchecked: e.Unchecked, Inputs: e.Inputs, Recording: e.Recording}
	for _, f := range e.Fields {
		r.Checks = append(r.Checks, f.Check)
	}
	return r
}

// The report's JSON reads back as the report.
func TestJSONRoundTrip(t *testing.T) {
	for name, r := range fixtures() {
		if name == "hostile" {
			continue // JSON can't hold a path that is not UTF-8
		}
		var b bytes.Buffer
		if err := WriteJSON(&b, r); err != nil {
			t.Fatal(err)
		}
		if r.Evidence == nil {
			r.Evidence = []Entry{} // never null
		}
		var got Report
		if err := json.Unmarshal(b.Bytes(), &got); err != nil || !reflect.DeepEqual(&got, r) {
			t.Errorf("%s: %v\ngot  %+v\nwant %+v", name, err, &got, r)
		}
		if !strings.HasSuffix(b.String(), "}\n") || strings.Contains(b.String(), `"evidence": null`) {
			t.Errorf("%s: %s", name, b.String())
		}
	}
}

func TestAnnotations(t *testing.T) {
	type brief struct {
		path, level, title string
		line               int
	}
	list := func(r *Report) (all []brief) {
		for _, a := range Annotations(r) {
			all = append(all, brief{a.Path, a.Level, a.Title, a.StartLine})
		}
		return all
	}
	second, third := "docs/evals/2026-05-02-brutalist-n60.replay.json", "docs/evals/2026-05-09-landing-n298.replay.json"
	want := []brief{
		{sidecar, LevelFailure, "FAIL token.hash (introduced)", 13},
		{sidecar, LevelFailure, "FAIL brief.path (introduced)", 16},
		{second, LevelWarning, "FAIL brief.hash (pre-existing)", 17},
		{third, LevelWarning, "warn argv", 10},
	}
	if got := list(drift()); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	r := drift()
	r.Policy.FailOn = "any"
	for i := range r.Evidence[1].Fields {
		f := &r.Evidence[1].Fields[i]
		f.Fails = f.Status == verify.Fail
	}
	want[2].level = LevelFailure
	if got := list(r); !reflect.DeepEqual(got, want) {
		t.Errorf("fail-on any: got %v, want %v", got, want)
	}
	// A place without a line is the first line: the Checks API takes no 0.
	if got := list(noBase()); !reflect.DeepEqual(got, []brief{{"docs/evals/2026-04-22-swiss-n30.md", LevelFailure, "FAIL evidence (unknown)", 1}}) {
		t.Errorf("no base: %v", got)
	}
}

// Issue 5, "What to do": each FAIL carries exactly one next step, also in the diff.
func TestAnnotationsSayWhatToDo(t *testing.T) {
	r := drift()
	e := &r.Evidence[0]
	for i := range e.Fields {
		if f := &e.Fields[i]; f.Status == verify.Fail {
			f.NextStep, f.Hint = "do this about "+f.Field, "or that"
		}
	}
	for _, a := range Annotations(r)[:2] {
		field := strings.Fields(a.Title)[1]
		if !strings.HasSuffix(a.Message, "\nnext: do this about "+field) || strings.Contains(a.Message, "hint: ") {
			t.Errorf("%s: %s", a.Title, a.Message)
		}
	}
}

func FuzzAnnotations(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, s string) {
		r := everywhere(s)
		as := Annotations(r)
		if len(as) > r.Counts.Fail+r.Counts.Warn {
			t.Errorf("%d annotations for %d fields", len(as), r.Counts.Fail+r.Counts.Warn)
		}
		for _, a := range as {
			if !fs.ValidPath(a.Path) || a.StartLine < 1 || a.EndLine != a.StartLine {
				t.Errorf("place %q %d-%d", a.Path, a.StartLine, a.EndLine)
			}
			if len(a.Title) > 255 || len(a.Message) > 4096 || visible.Text(a.Title) != a.Title {
				t.Errorf("title %q, message of %d bytes", a.Title, len(a.Message))
			}
			for line := range strings.SplitSeq(a.Message, "\n") {
				if visible.Text(line) != line {
					t.Errorf("message %q hides something", a.Message)
				}
			}
		}
	})
}

func FuzzJUnit(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, s string) {
		r := everywhere(s)
		var b bytes.Buffer
		if err := WriteJUnit(&b, s, r); err != nil {
			t.Fatal(err)
		}
		var got junitSuites
		if err := xml.Unmarshal(b.Bytes(), &got); err != nil {
			t.Fatalf("%v\n%s", err, b.String())
		}
		failing := 0
		for _, e := range r.Evidence {
			for _, f := range e.Fields {
				if f.Fails {
					failing++
				}
			}
		}
		if got.Name != visible.Text(s) || len(got.Suites) != len(r.Evidence) || got.Failures != failing || got.Tests != r.Counts.total() {
			t.Errorf("read back: %+v", got)
		}
		for i, suite := range got.Suites {
			names := make(map[string]bool)
			for k, c := range suite.Cases {
				names[c.Name] = true
				if fails := r.Evidence[i].Fields[k].Fails; fails != (c.Failure != nil) {
					t.Errorf("field %d fails %t, test case %+v", k, fails, c)
				} else if fails && c.Failure.Message != visible.Text(s) {
					t.Errorf("message %q, want %q", c.Failure.Message, visible.Text(s))
				}
			}
			if len(names) != len(r.Evidence[i].Fields) {
				t.Errorf("%d names for %d fields", len(names), len(r.Evidence[i].Fields))
			}
		}
	})
}

// The members that SARIF 2.1.0 requires (§3.13, §3.14, §3.18, §3.19, §3.27, §3.11),
// read back into no struct of ours.
func FuzzSARIF(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, s string) {
		r := everywhere(s)
		var b bytes.Buffer
		if err := WriteSARIF(&b, r); err != nil {
			t.Fatal(err)
		}
		var log struct {
			Version string
			Runs    []struct {
				Tool struct {
					Driver struct {
						Name  string
						Rules []struct{ ID string }
					}
				}
				Results []struct {
					RuleID    string
					RuleIndex int
					Level     string
					Message   struct{ Text string }
					Locations []struct {
						PhysicalLocation struct {
							ArtifactLocation struct{ URI string }
							Region           struct{ StartLine int }
						}
					}
				}
			}
		}
		if err := json.Unmarshal(b.Bytes(), &log); err != nil {
			t.Fatal(err)
		}
		if log.Version != "2.1.0" || len(log.Runs) != 1 || log.Runs[0].Tool.Driver.Name != "replay-gate" {
			t.Fatalf("%s", b.String())
		}
		run := log.Runs[0]
		if want := r.Counts.Fail + r.Counts.Warn; len(run.Results) != want {
			t.Errorf("%d results, want %d", len(run.Results), want)
		}
		for _, res := range run.Results {
			if run.Tool.Driver.Rules[res.RuleIndex].ID != res.RuleID || res.Message.Text == "" {
				t.Errorf("result %+v", res)
			}
			if len(res.Locations) != 1 || res.Locations[0].PhysicalLocation.Region.StartLine < 1 {
				t.Errorf("locations %+v", res.Locations)
			}
			if uri := res.Locations[0].PhysicalLocation.ArtifactLocation.URI; strings.ContainsAny(uri, " <>\"\\`{}|^:#?") {
				t.Errorf("uri %q", uri)
			}
		}
	})
}

func TestSARIFOrderAndLevels(t *testing.T) {
	var b bytes.Buffer
	r := drift()
	if err := WriteSARIF(&b, r); err != nil {
		t.Fatal(err)
	}
	var log sarifLog
	if err := json.Unmarshal(b.Bytes(), &log); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, res := range log.Runs[0].Results {
		got = append(got, res.Level+" "+res.RuleID+" "+res.Baseline)
	}
	want := "error ahd/hash-differs new, error ahd/input-missing new, warning ahd/hash-differs unchanged, warning ahd/argv-disagrees unchanged"
	if strings.Join(got, ", ") != want {
		t.Errorf("got %q, want %q", strings.Join(got, ", "), want)
	}
}

// A bundle's summary.json has the members of assay.run_summary.v1
// (SPEC-PR-Gate-Outputs-v1 §3) and nothing that a replay could not repeat.
func TestEvidenceSummary(t *testing.T) {
	for _, tc := range []struct {
		name    string
		e       Entry
		exit    float64
		reason  string
		verdict Verdict
	}{
		{"intact", piece(sidecar), 0, "", Intact},
		{"drift", drift().Evidence[0], 1, "E_REPLAY_DRIFT", Drift},
		{"unchecked", notChecked().Evidence[0], 2, "E_EVIDENCE_UNCHECKED", Unchecked},
	} {
		r := result(&tc.e)
		r.Recording.Seed = "42"
		data := EvidenceSummary(Tool{Name: "replay-gate"}, r, true)
		var m map[string]any
		if err := json.Unmarshal(data, &m); err != nil {
			t.Fatal(err)
		}
		if m["schema_version"] != 1.0 || m["reason_code_version"] != 1.0 || m["schema"] != "assay.run_summary.v1" ||
			m["exit_code"] != tc.exit || m["reason_code"] != tc.reason || m["seeds"].(map[string]any)["order_seed"] != "42" {
			t.Errorf("%s: %s", tc.name, data)
		}
		for _, word := range []string{"introduced", "attribution", "hint", "moved to"} {
			if strings.Contains(string(data), word) {
				t.Errorf("%s: holds %q, which no replay could repeat:\n%s", tc.name, word, data)
			}
		}
		got, err := ParseEvidenceSummary(data)
		if err != nil {
			t.Fatal(err)
		}
		for i := range r.Checks {
			r.Checks[i].Hint = ""
		}
		want := EvidenceRecord{EvidenceSchema, r.Kind, r.Path, r.SHA256, true, tc.verdict, r.Unchecked, r.Checks}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %+v, want %+v", tc.name, got, want)
		}
	}
}

func TestParseEvidenceSummaryOfOthers(t *testing.T) {
	for _, tc := range []struct {
		data     string
		noRecord bool
	}{
		{`{"schema_version": 1, "exit_code": 0, "schema": "assay.run_summary.v1"}`, true},
		{`{"replay_gate": {"schema": "replay-gate.evidence/v2"}}`, true},
		{`{`, false},
		{`[]`, false},
	} {
		if _, err := ParseEvidenceSummary([]byte(tc.data)); err == nil || errors.Is(err, ErrNoRecord) != tc.noRecord {
			t.Errorf("%s: %v", tc.data, err)
		}
	}
}

// Two records that came the same way are equal, whatever is in them.
func FuzzEvidenceSummary(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, s string) {
		r := result(&everywhere(s).Evidence[0])
		a, err := ParseEvidenceSummary(EvidenceSummary(Tool{}, r, false))
		if err != nil {
			t.Fatal(err)
		}
		b, err := ParseEvidenceSummary(EvidenceSummary(Tool{}, r, false))
		if err != nil || !reflect.DeepEqual(a, b) || len(a.Checks) != len(r.Checks) {
			t.Errorf("%v: %+v, %+v", err, a, b)
		}
	})
}
