package evalkit

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/canonical"
	"github.com/replay-gate/replay-gate/verify/jsondoc"
)

// FuzzVerify judges any fixture, with any case file and any eval.config:
// nothing panics, every check is one that can be shown, and what the tool
// refuses for its form fails.
func FuzzVerify(f *testing.F) {
	f.Add(greeting, greeting, `export default [{ name: "smoke", targetVersion: "v2.0.0", cases: "c.jsonl" }]`)
	f.Add("\ufeff"+greetingMeta+"\r\n\n[1", greetingMeta, "`${`")
	f.Add(strings.Replace(greeting, "[]", `[{"name":"\ud800","args":{"__proto__":[1e999]}},1,null]`, 1), "", "'\\u{")
	f.Add(strings.Replace(greeting, "greeting", "Bearer 0123456789 sk-", 1)+"<<<<<<< ", greeting, "/* ' */ ...")
	f.Add(`{"_meta":1}`+"\n"+`{"output":{"tokenUsage":{"input":-0},"raw":"\u0000"}}`, "\n\n", "{name:'smoke',...x,name:\"smoke\"}")
	f.Fuzz(func(t *testing.T, text, before, config string) {
		sibling, other := fixtureOf("other", "v1", 20)
		e := &verify.Evidence{
			Path: greetingPath, Now: verify.At(now), Strict: len(text)%2 == 1,
			Tree: tree(map[string]string{greetingPath: text, "eval.config.js": config, "c.jsonl": before, sibling: other}),
		}
		Format{}.Marks(greetingPath, []byte(text))
		Format{}.Awaited(greetingPath, e.Tree)
		r := Format{}.Verify(t.Context(), e)
		lines := strings.Count(text, "\n") + 1
		for _, c := range r.Checks {
			if c.Field == "" || c.Location.Path != greetingPath || c.Location.Line < 1 || c.Location.Line > lines+1 {
				t.Errorf("%+v has no place", c)
			}
			if (c.Status == verify.OK) != (c.Code == "") || c.Code != "" && c.Reason == "" {
				t.Errorf("%+v does not say why", c)
			}
			for _, s := range []string{c.Field, c.Reason, c.Recorded, c.Observed} {
				if len(s) > verify.MaxValue || utf8.ValidString(text) && !utf8.ValidString(s) {
					t.Errorf("%q can't be shown", s)
				}
				if holdsSecret(s) {
					t.Errorf("%q shows a secret", s)
				}
			}
		}
		kept := strings.FieldsFunc(text, func(r rune) bool { return r == '\n' })
		if len(kept) < 2 || jsondoc.Parse([]byte(kept[0])).Err != nil || jsondoc.Parse([]byte(kept[1])).Err != nil {
			if r.Count(verify.Fail) == 0 || r.Unchecked == "" && !strings.HasPrefix(text, byteOrderMark) {
				t.Error("the tool can't read it, and nothing fails")
			}
		}
	})
}

// FuzzDeviation compares with a serialiser of its own: deviation finds nothing
// exactly when writing the parsed value gives the text again.
func FuzzDeviation(f *testing.F) {
	for _, s := range []string{`{"10":1,"9":[-0,1.0e5,"\u0041"],"__proto__":{}}`, `{"a":1,"a":2}`, `{ "é":"\ud83d\ude00"}`, ` 1`, `1 `, `{"\uffff":1,"😀":2}`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		doc := jsondoc.Parse([]byte(text))
		// jsondoc does not keep lone surrogates apart.
		if doc.Err != nil || !utf8.ValidString(text) || strings.Contains(text, "\n") || strings.Contains(strings.ToLower(text), `\ud`) {
			return
		}
		want := string(canonical.AppendJSON(nil, value(doc.Root)))
		at, what := deviation([]byte(text))
		if (what == "") != (want == text) || at < 0 || at > len(text) {
			t.Errorf("%q: %q at %d, written %q", text, what, at, want)
		}
	})
}

// value is the JavaScript value of a node.
func value(n *jsondoc.Node) canonical.Value {
	switch n.Kind() {
	case jsondoc.Bool:
		return n.Text() == "true"
	case jsondoc.Number:
		v, _ := n.Float()
		return v
	case jsondoc.String:
		return n.Text()
	case jsondoc.Array:
		items := []canonical.Value{}
		for _, item := range n.Items() {
			items = append(items, value(item))
		}
		return items
	case jsondoc.Object:
		o := new(canonical.Object)
		for _, m := range n.Members() {
			o.Set(m.Name, value(m.Value))
		}
		return o
	}
	return nil
}
