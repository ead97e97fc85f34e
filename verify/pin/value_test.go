package pin

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strings"
	"testing"

	"github.com/replay-gate/replay-gate/verify/canonical"
)

// The hash is that of an object with a member for each key, named by the path to it.
func TestValueHash(t *testing.T) {
	t.Parallel()
	sum := func(text string) string {
		s := sha256.Sum256([]byte(text))
		return hex.EncodeToString(s[:])
	}
	for _, tc := range []struct{ name, text, keys, want string }{
		{"a.yml", "b: 1\na: [x, {c: null}]\n", "", `{"a":["x",{"c":null}],"b":1}`},
		{"a.yaml", "b: 1\na: [x, {c: null}]\n", "a.1.c,b", `{"a.[1].c":null,"b":1}`},
		{"a.json", `{"a.b": {"c": 1}, "a": {"x": 2}}`, "a.b.c,a.x", `{"\"a.b\".c":1,"a.x":2}`},
		{"a.toml", "a = 1\nd = 1979-05-27\n[b]\nc = [1.0, true, 'x']\n", "", `{"a":1,"b":{"c":[1,true,"x"]},"d":1979-05-27}`},
		{"a.toml", "[tool.eval]\nseed = 7 # lucky\n", "tool.eval", `{"tool.eval":{"seed":7}}`},
		{"a.toml", "t = 1979-05-27T07:32:00Z\nu = 07:32:00\nv = inf\n", "", `{"t":1979-05-27T07:32:00Z,"u":07:32:00,"v":+Inf}`},
		{"a.toml", "a = 9007199254740993\n", "", `{"a":9007199254740993}`},
		{"a.yml", "a: {0: x}\n", "a.0", `{"a.0":"x"}`},
		{"a.yml", "a: {b: no}\n", "a.b", `{"a.b":no}`},
		{"Pipfile", "[requires]\npython = '3'\n", "requires.python", `{"requires.python":"3"}`},
		{"dvc.lock", "a: 1\n", "a", `{"a":1}`},
	} {
		_, keys := SplitSpec("x#" + tc.keys)
		got, err := ValueHash(tc.name, []byte(tc.text), keys)
		if err != nil || got != sum(tc.want) {
			t.Errorf("%s %s: %v, %s, want that of %s", tc.name, tc.keys, err, got, tc.want)
		}
	}
	for _, tc := range []struct{ name, text, key string }{
		{"a.yml", "a: 1\n", "b"},
		{"a.yml", "a: [1]\n", "a.1"},
		{"a.yml", "a: [1]\n", "a.-1"},
		{"a.yml", "a: 1\n", strings.Repeat("a.", 40)},
	} {
		if _, err := ValueHash(tc.name, []byte(tc.text), []string{tc.key}); !errors.Is(err, ErrNoKey) {
			t.Errorf("%s of %s: %v", tc.key, tc.text, err)
		}
	}
	var cannotJudge *canonical.CannotJudgeError
	for _, tc := range []struct{ name, text, key string }{
		{"a.toml", "a = " + strings.Repeat("[", 60_000), "a"},
		{"a.toml", "__proto__ = 1\n", "a"},
		{"a.json", `{"__proto__": 1}`, "__proto__"},
		{"a.json", `{"a.b": 1, "a": {"b": 2}}`, "a.b"}, // which of the two did the run read?
	} {
		if _, err := ValueHash(tc.name, []byte(tc.text), []string{tc.key}); !errors.As(err, &cannotJudge) {
			t.Errorf("%.20s: %v", tc.text, err)
		}
	}
	for name, text := range map[string]string{"a.txt": "a: 1\n", "a.toml": "a =\n", "a.yml": "a: b: c\n"} {
		if _, err := ValueHash(name, []byte(text), nil); err == nil {
			t.Errorf("%s: %q has a value", name, text)
		}
	}
}

func TestForms(t *testing.T) {
	t.Parallel()
	// The pointer of "hello world\n", as git lfs pointer --file prints it.
	const pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:a948904f2f0f479b8f8197694b30184b0d2ed1c1cd2a1ec0fb85d299a192a447\nsize 12\n"
	if got := string(pointerTo([]byte("hello world\n"))); got != pointer {
		t.Errorf("%q", got)
	}
	if got := string(pointerTo([]byte(pointer))); got != pointer {
		t.Errorf("a pointer to a pointer: %q", got)
	}
	id := "$Id: " + strings.Repeat("0a", 20) + " $"
	if got := string(collapseIdent([]byte("a " + id + " b $Id$ $Id: 42 of 50 $"))); got != "a $Id$ b $Id$ $Id: 42 of 50 $" {
		t.Errorf("%q", got)
	}
	has := func(data, form, name string) {
		t.Helper()
		for _, f := range formsOf([]byte(data)) {
			if f.name == name && f.sha256 == sumsOf([]byte(form)).sha256 {
				return
			}
		}
		t.Errorf("%q is not %q in another form", data, form)
	}
	has("a\r\nb\r\n", "a\nb\n", formLineEnds)
	has("a\nb\n", "a\r\nb\r\n", formLineEnds)
	has("a\r\nb\n", "a\nb\n", formLineEnds)
	has(pointer, "hello world\n", formLFS)
	has("hello world\n", pointer, formLFS)
	has("\xff\xfea\x00\r\x00\n\x00", "a\n", formEncoding)
	has("\xfe\xff\x00a", "a", formEncoding)
	has(id+"\r\n", "$Id$\n", formIdent)
	for _, f := range formsOf([]byte("a\x00\r\n")) {
		if f.name == formLineEnds {
			t.Error("what git calls binary has no line ends")
		}
	}
}
