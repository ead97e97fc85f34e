package aos

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/jsondoc"
)

// oracleData is what CPython has made (testdata/aos/README.md).
type oracleData struct {
	Dumps []struct {
		JSON    string `json:"json"`
		Compact string `json:"compact"`
		Rounded string `json:"rounded"`
		Output  string `json:"output"`
	} `json:"dumps"`
	Lower   [][2]string `json:"lower"`
	Seeds   [][3]any    `json:"seeds"`
	Traces  []string    `json:"traces"`
	Records []string    `json:"records"`
}

func oracle(t *testing.T) oracleData {
	t.Helper()
	data, err := os.ReadFile("../../testdata/aos/oracle.json")
	if err != nil {
		t.Fatal(err)
	}
	var o oracleData
	if err := json.Unmarshal(data, &o); err != nil {
		t.Fatal(err)
	}
	return o
}

// "canonical JSON (Python)": json.dumps to the byte, in all three forms.
func TestDumpsIsPythons(t *testing.T) {
	cases := oracle(t).Dumps
	if len(cases) < 800 {
		t.Fatalf("only %d cases", len(cases))
	}
	for _, tc := range cases {
		doc := jsondoc.Parse([]byte(tc.JSON))
		for _, f := range []struct {
			name, want string
			form       pyForm
		}{{"compact", tc.Compact, compact}, {"rounded", tc.Rounded, spaced}, {"output", tc.Output, output}} {
			if got, ok := dumps(doc, doc.Root, f.form); string(got) != f.want || !ok {
				t.Errorf("%s of %s is %s (%t), Python writes %s", f.name, tc.JSON, got, ok, f.want)
			}
		}
	}
}

func TestLowerIsPythons(t *testing.T) {
	for _, tc := range oracle(t).Lower {
		if got := pyLower(tc[0]); got != tc[1] {
			t.Errorf("pyLower(%q) = %q, Python has %q", tc[0], got, tc[1])
		}
	}
}

// A name with half of a surrogate pair is not kept by the document: it is said,
// not guessed.
func TestALoneSurrogateInANameIsNotGuessed(t *testing.T) {
	for text, want := range map[string]bool{
		`{"\ud800":1}`: false, `[{"x\uDfff":1}]`: false, "{\"\ufffd\":1}": true, `{"\ud83d\ude00":1}`: true,
	} {
		doc := jsondoc.Parse([]byte(text))
		if _, ok := dumps(doc, doc.Root, compact); ok != want {
			t.Errorf("dumps(%s) is certain: %t", text, ok)
		}
	}
}

// "hash_data(x) = first 16 hex of sha256 over that": the SDK's own values.
func TestHashDataIsTheSDKs(t *testing.T) {
	doc := jsondoc.Parse([]byte(read(t, "hash-data.json")))
	if len(doc.Root.Items()) < 8 {
		t.Fatal("too few values")
	}
	for _, item := range doc.Root.Items() {
		text, _ := dumps(doc, item.Get("data"), compact)
		if string(text) != item.Get("canonical").Text() || hashData(text) != item.Get("hash_data").Text() {
			t.Errorf("%s hashes to %s, the SDK has %s", text, hashData(text), item.Get("hash_data").Text())
		}
	}
}

// Traces and records that Python has hashed verify.
func TestHashesArePythons(t *testing.T) {
	o := oracle(t)
	for _, text := range o.Traces {
		if c := row(t, alone("a.trace.json", text), "root_hash"); c.Status != verify.OK {
			t.Errorf("%+v", c)
		}
	}
	for _, text := range o.Records {
		r := alone("a.tracerecord.json", text)
		if bad(r) != "" || row(t, r, "checksum").Status != verify.OK {
			t.Errorf("%+v", r.Checks)
		}
	}
	for _, s := range o.Seeds {
		seed, i, want := s[0].(string), int(s[1].(float64)), s[2].(string)
		if got := stepSeed(seed, i); got != want {
			t.Errorf("seed %s:%d is %s, Python has %s", seed, i, got, want)
		}
	}
}
