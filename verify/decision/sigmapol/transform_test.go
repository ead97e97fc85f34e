package sigmapol

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestTransform pins each change of the request (SIGMA-POL §5). The jittered values were computed by a transcription
// into Python.
func TestTransform(t *testing.T) {
	const request = `{"temperature":1.5,"top_p":0.5,"user":"u"}`
	for _, tt := range []struct{ xform, seed, want string }{
		{`["id"]`, `7`, request},
		{`["set_param","top_p",false]`, `7`, `{"temperature":1.5,"top_p":false,"user":"u"}`},
		{`["set_param","top_p","from_ctx"]`, `7`, `{"temperature":1.5,"top_p":7,"user":"u"}`},
		{`["set_param","top_p","from_ctx"]`, `null`, `{"temperature":1.5,"user":"u"}`},
		{`["inject_seed","user"]`, `7`, `{"temperature":1.5,"top_p":0.5,"user":7}`},
		{`["inject_seed","user"]`, `null`, `{"temperature":1.5,"top_p":0.5}`},
		{`["seq",["clamp_param","temperature",0,1],["clamp_param","top_p",0.6,1]]`, `7`, `{"temperature":1,"top_p":0.6,"user":"u"}`},
		{`["seq",["clamp_param","user",0,1],["clamp_param","none",0,1]]`, `7`, request},
		{`["jitter","top_p",0.25]`, `7`, `{"temperature":1.5,"top_p":0.29214135210129494,"user":"u"}`},
		{`["jitter","x",0.25]`, `7`, `{"temperature":1.5,"top_p":0.5,"user":"u","x":-0.24748533102566625}`},
		{`["jitter","top_p",0.25]`, `null`, request},
		{`["when",["tier_eq","partner"],["inject_seed","user"]]`, `7`, request},
		{`["when",["tier_eq","fallback"],["inject_seed","user"]]`, `7`, `{"temperature":1.5,"top_p":0.5,"user":7}`},
		{`["seq",["filter_text",["NFKC"]],["filter_image",["Blur",{"r":2}]]]`, `-1`,
			`{"temperature":1.5,"top_p":0.5,"user":"u","_filters":{"text":{"recipe":["NFKC"],"seed":2147483646},"image":{"recipe":["Blur",{"r":2}],"seed":2147483646}}}`},
		{`["filter_text",{}]`, `null`, `{"temperature":1.5,"top_p":0.5,"user":"u","_filters":{"text":{"recipe":[]}}}`},
	} {
		var before, want map[string]any
		if err := errors.Join(json.Unmarshal([]byte(request), &before), json.Unmarshal([]byte(tt.want), &want)); err != nil {
			t.Fatal(err)
		}
		got, err := Transform(mustParse(t, tt.xform), before, pool(t, `{}`)[0], context(t, `{"seed":`+tt.seed+`}`))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.xform, diff)
		}
		if after, _ := json.Marshal(before); string(after) != request {
			t.Errorf("%s changed the request it was given: %s", tt.xform, after)
		}
	}
}

func TestCustomTransform(t *testing.T) {
	_, err := Transform(mustParse(t, `["seq",["inject_seed","a"],["custom","redact"]]`), nil, nil, Context{})
	if !errors.Is(err, ErrCustomTransform) {
		t.Errorf("got %v, want ErrCustomTransform", err)
	}
}
