package evalkit

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/replay-gate/replay-gate/verify"
)

// vector is a row of verdicts.json: what the tool's own reader said.
type vector struct {
	Path, Kind, Label string
	SuiteID           string
	TargetVersion     *string
	TTLDays           int
	Now               time.Time
	Result            verdict
	ResultLater       *verdict
}

type verdict struct {
	Status, Reason string
	AgeDays        int
	Now            time.Time
}

// faults is what each broken vector must be called, and where. Those that the
// real reader accepts are marked by a comment.
var faults = map[string]string{
	"hash-mismatch":           "FAIL _meta.configHash hash-differs 1:44",
	"schema-version-number":   "FAIL _meta.schemaVersion wrong-type 1:146",
	"case-id-other":           "FAIL path.file wrong-file 1:20",     // accepted
	"recorded-at-future":      "FAIL _meta.recordedAt future 1:103", // accepted
	"meta-missing-field":      "FAIL _meta.frameworkVersion missing 1:10",
	"output-extra-field":      "FAIL output.model unknown-field 2:28",
	"output-negative-latency": "FAIL output.latencyMs negative 2:24",
	"tool-call-extra-field":   "FAIL output.toolCalls[0].id unknown-field 2:66",
	"token-usage-float":       "FAIL output.tokenUsage.input out-of-range 2:74",
	"one-line":                "FAIL file too-few-lines 2:0",
	"truncated-json":          "FAIL file truncated 2:57\nwarn file.lines no-final-newline 2:0",
	"bom":                     "FAIL file byte-order-mark 1:1",
	"space-line":              "FAIL file broken-json 2:2\nwarn file.lines extra-content 3:1",
	"unsorted-keys":           "warn file.bytes not-as-written 1:53", // accepted
	"merge-conflict":          "FAIL file broken-json 2:1\nFAIL file.conflicts conflict-markers 2:1",
}

func TestVectors(t *testing.T) {
	var vectors []vector
	readJSON(t, "../../testdata/evalkit/vectors/verdicts.json", &vectors)
	labels := make(map[string]bool)
	for _, v := range vectors {
		labels[v.Label] = true
		t.Run(v.Path, func(t *testing.T) {
			f := Format{Config{Suites: []Suite{{Name: v.SuiteID, TargetVersion: v.TargetVersion, TTLDays: v.TTLDays}}}}
			project, inside, _ := strings.Cut(v.Path, "/.eval-fixtures/")
			fsys := verify.NewTree(os.DirFS("../../testdata/evalkit/vectors/" + project))
			e := &verify.Evidence{Path: ".eval-fixtures/" + inside, Tree: fsys, Now: verify.At(v.Now)}
			r := f.Verify(t.Context(), e)
			if got := bad(r); got != faults[v.Label] {
				t.Errorf("got\n%s\nwant\n%s", got, faults[v.Label])
			}
			// What the tool refuses must fail; it may accept what fails here.
			if v.Result.Status == "miss" && r.Count(verify.Fail) == 0 {
				t.Errorf("the tool misses it for %s, and nothing fails", v.Result.Reason)
			}
			if v.ResultLater == nil {
				return
			}
			e.Now = verify.At(v.ResultLater.Now)
			c := row(t, f.Verify(t.Context(), e), "age")
			if v.ResultLater.Status != "stale" || c.Status != verify.Warn || !strings.HasPrefix(c.Reason, "40 days old (TTL 14)") {
				t.Errorf("%d days later: %+v, the tool says %+v", v.ResultLater.AgeDays, c, v.ResultLater)
			}
		})
	}
	for label := range faults {
		if !labels[label] {
			t.Errorf("no vector %s", label)
		}
	}
}

// Whatever the path, the tool's own fixtures are as the tool writes them and
// hold together as suites, also when nothing is declared.
func TestValidVectorsWithoutDeclaration(t *testing.T) {
	fsys := verify.NewTree(os.DirFS("../../testdata/evalkit/vectors/valid"))
	n := 0
	for _, name := range fsys.Files() {
		if !strings.HasSuffix(name, fixtureEnding) {
			continue
		}
		n++
		r := Format{}.Verify(t.Context(), &verify.Evidence{Path: name, Tree: fsys, Now: verify.At(now)})
		want := "info _meta.configHash cannot-verify 1:"
		if strings.Contains(name, "no-version") {
			want = "info _meta.configHash not-compared 1:"
		}
		if got := bad(r); !strings.HasPrefix(got, want) || strings.Contains(got, "\n") {
			t.Errorf("%s: %s", name, got)
		}
	}
	if n < 6 {
		t.Errorf("only %d fixtures", n)
	}
}

// Fixture store, sanitizeName.
func TestFixtureName(t *testing.T) {
	var vectors []struct{ Name, Sanitized string }
	readJSON(t, "../../testdata/evalkit/vectors/names.json", &vectors)
	for _, v := range vectors {
		if got := fixtureName(v.Name); got != v.Sanitized {
			t.Errorf("fixtureName(%q) = %q, want %q", v.Name, got, v.Sanitized)
		}
	}
	if len(vectors) == 0 {
		t.Error("no vectors")
	}
}

// "Record & Replay": the hash is computed from suite name and targetVersion.
func TestConfigHash(t *testing.T) {
	var vectors []struct {
		SuiteName     string
		TargetVersion *string
		ConfigHash    string
	}
	readJSON(t, "../../testdata/evalkit/vectors/config-hashes.json", &vectors)
	for _, v := range vectors {
		if got := configHash(v.SuiteName, v.TargetVersion); got != v.ConfigHash || !isConfigHash(got) {
			t.Errorf("configHash(%q, %v) = %s, want %s", v.SuiteName, v.TargetVersion, got, v.ConfigHash)
		}
	}
	// A lone surrogate is a character of its own; the hash is that of
	// node:crypto over {"suiteName":"\ud800"}.
	if got := configHash(unquote([]byte(`"\ud800"`)), nil); got != loneSurrogateHash {
		t.Errorf("lone surrogate: %s, want %s", got, loneSurrogateHash)
	}
	if len(vectors) == 0 {
		t.Error("no vectors")
	}
}

// deviation accepts what the tool writes, and nothing else.
func TestDeviation(t *testing.T) {
	var vectors []struct{ Source, Written string }
	readJSON(t, "../../testdata/evalkit/written.json", &vectors)
	for _, v := range vectors {
		if !json.Valid([]byte(v.Source)) {
			t.Fatalf("%s is no JSON", v.Source)
		}
		at, what := deviation([]byte(v.Source))
		if (what == "") != (v.Source == v.Written) {
			t.Errorf("%s: %q at %d, but the tool writes %s", v.Source, what, at, v.Written)
		}
		if at, what := deviation([]byte(v.Written)); what != "" {
			t.Errorf("the tool writes %s, and at %d is %q", v.Written, at, what)
		}
	}
	for _, tc := range []struct {
		in   string
		at   int
		what string
	}{
		{`{"a":{"c":1,"b":2}}`, 12, keyOrder},
		{`{"a":[1, 2]}`, 8, spacing},
		{`{"a":["\u0041"]}`, 6, escapes},
		{`{"a":{"__proto__":1}}`, 6, protoKey},
		{`[1,1.0]`, 3, numbering},
	} {
		if at, what := deviation([]byte(tc.in)); at != tc.at || what != tc.what {
			t.Errorf("%s: %s at %d, want %s at %d", tc.in, what, at, tc.what, tc.at)
		}
	}
}

// loneSurrogateHash is the configHash of a suite named by half a character.
const loneSurrogateHash = "890fb05229b4a4b8"
