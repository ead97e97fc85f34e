package pin

import (
	"bytes"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/replay-gate/replay-gate/verify"
)

const schema = "../../docs/schema/replay-gate.pin.v1.schema.json"

// Every pin that is written fits the schema, which says what others may rely on.
func TestPinsFitTheSchema(t *testing.T) {
	t.Parallel()
	compiled, err := jsonschema.NewCompiler().Compile(schema)
	if err != nil {
		t.Fatal(err)
	}
	full := request()
	full.Sources = []Source{{Spec: "promptfooconfig.yaml", Inputs: []Ref{{Path: "evals/prompts/ask.md"}}, NotPinned: []string{"x"}}}
	full.Inputs = []string{"evals/prompts/an*.md", "evals/config.yml#model"}
	for name, req := range map[string]Request{
		"full": full, "usual": request(), "small": {Subjects: []string{reportPath}, Inputs: []string{"uv.lock"}}, "empty": {Subjects: []string{reportPath}},
	} {
		p, err := Build(verify.NewTree(repo()), nil, req)
		if err != nil {
			t.Fatal(err)
		}
		text, err := p.Encode()
		if err != nil {
			t.Fatal(err)
		}
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if err := compiled.Validate(value); err != nil {
			t.Errorf("%s: %v\n%s", name, err, text)
		}
		if back, err := Decode(text); err != nil {
			t.Error(err)
		} else if again, err := back.Encode(); err != nil || !bytes.Equal(text, again) {
			t.Errorf("%s: %v\n%s\n%s", name, err, text, again)
		}
	}
	for _, bad := range []string{`{}`, `{"_type": "https://in-toto.io/Statement/v1", "subject": [], "predicateType": "x", "predicate": {}}`} {
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader([]byte(bad)))
		if err != nil {
			t.Fatal(err)
		}
		if compiled.Validate(value) == nil {
			t.Errorf("%s fits", bad)
		}
	}
}
