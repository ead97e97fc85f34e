package decision

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/replay-gate/replay-gate/verify"
)

// The file under test, and the two that may lie beside it.
const (
	tracePath    = "runs/a.decision.json"
	snapshotPath = "runs/a.snapshot.json"
	policyPath   = "runs/a.policy.json"
)

type object = map[string]any

// vector is one engine decision, as testdata/decision/traces holds it.
type vector struct {
	Policy   json.RawMessage `json:"policy_ir"`
	Result   object          `json:"result"`
	Snapshot object          `json:"snapshot"`
	Expect   struct {
		Verdict, Why string
		Identity     string `json:"identity_sha256"`
	} `json:"expect"`
}

func readVector(tb testing.TB, path string) vector {
	tb.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	var v vector
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		tb.Fatalf("%s: %v", path, err)
	}
	return v
}

func sample(tb testing.TB, name string) vector {
	tb.Helper()
	return readVector(tb, filepath.Join("..", "..", "testdata", "decision", "traces", name+".json"))
}

func (v vector) trace() object { return v.Result["decision_trace"].(object) }

// shapes are the files that a repository may hold a decision in.
var shapes = map[string]func(v vector) object{
	"bare trace": func(v vector) object {
		t := object{"chosen": v.Result["chosen"]} // as the page "Traces" has it
		for k, value := range v.trace() {
			t[k] = value
		}
		return t
	},
	"engine result": func(v vector) object { return v.Result },
	"x_router":      func(v vector) object { return router(v) },
	"completion body": func(v vector) object {
		return object{
			"id": "chatcmpl-1", "object": "chat.completion", "x_router": router(v),
			"choices": []any{object{"index": 0, "message": object{"role": "assistant", "content": "hi"}}},
		}
	},
}

// router flattens what was chosen, as the host does.
func router(v vector) object {
	r := object{"provider": nil, "model_family": nil, "served_model_id": nil, "decision_trace": v.trace()}
	chosen, ok := v.Result["chosen"].(object)
	if !ok {
		return r
	}
	for to, from := range map[string]string{
		"provider": "provider_id", "model_family": "model_family", "served_model_id": "served_model_id",
		"served_by": "served_by", "price_in": "price_in", "price_out": "price_out",
	} {
		r[to] = chosen[from]
	}
	r["policy_fingerprint"] = v.trace()["policy_fingerprint"]
	r["cost_usd"], r["cost_basis"] = 0.25, "computed"
	return r
}

func text(v any) []byte {
	data, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		panic(err)
	}
	return data
}

// tree holds evidence and, unless they are nil, the files beside it.
func tree(evidence, snapshot, policy any) fstest.MapFS {
	fsys := fstest.MapFS{tracePath: {Data: text(evidence)}}
	if snapshot != nil {
		fsys[snapshotPath] = &fstest.MapFile{Data: text(snapshot)}
	}
	if policy != nil {
		fsys[policyPath] = &fstest.MapFile{Data: text(policy)}
	}
	return fsys
}

func check(fsys fstest.MapFS) verify.Result { return checkWith(Format{}, fsys) }

func checkWith(f Format, fsys fstest.MapFS) verify.Result {
	return f.Verify(context.Background(), &verify.Evidence{Path: tracePath, Tree: verify.NewTree(fsys)})
}

// rows writes the checks of the given statuses, one a line, as "FAIL field code".
func rows(r verify.Result, statuses ...verify.Status) string {
	var lines []string
	for _, c := range r.Checks {
		for _, s := range statuses {
			if c.Status == s {
				lines = append(lines, fmt.Sprintf("%s %s %s", c.Status, c.Field, c.Code))
			}
		}
	}
	return strings.Join(lines, "\n")
}

func bad(r verify.Result) string { return rows(r, verify.Fail, verify.Warn) }

// row is the check of a field.
func row(t *testing.T, r verify.Result, field string) verify.Check {
	t.Helper()
	for _, c := range r.Checks {
		if c.Field == field {
			return c
		}
	}
	t.Fatalf("no check of %s in\n%s", field, rows(r, verify.OK, verify.Fail, verify.Warn, verify.Info))
	return verify.Check{}
}

// renderable holds every check against what renderings rely on.
func renderable(t *testing.T, r verify.Result) {
	t.Helper()
	if len(r.Checks) == 0 {
		t.Error("no checks")
	}
	for _, c := range r.Checks {
		switch {
		case c.Field == "" || c.Location.Path == "":
			t.Errorf("no field or no place: %+v", c)
		case c.Status != verify.OK && (c.Code == "" || c.Reason == ""):
			t.Errorf("no code or no reason: %+v", c)
		case len(c.Field) > verify.MaxValue || len(c.Reason) > verify.MaxValue || len(c.Recorded) > verify.MaxValue || len(c.Observed) > verify.MaxValue:
			t.Errorf("too long: %+v", c)
		}
	}
}
