package dvc

import (
	"encoding/json"
	"fmt"
	"math/big"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/replay-gate/replay-gate/verify"
)

func part(t testing.TB, name string, into any) {
	t.Helper()
	data, err := os.ReadFile("../../testdata/dvc/parts/" + name)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatal(err)
	}
}

// dvc_data/hashfile/hash.py and istextfile.py: what file_md5 says of edge cases.
func TestHash(t *testing.T) {
	t.Parallel()
	var want map[string]map[verify.Hashes]string
	part(t, "hashes.json", &want)
	x := strings.Repeat
	for name, text := range map[string]string{
		"empty": "", "lf": "a\nb\n", "crlf": "a\r\nb\r\n", "nul": "\x00\r\n",
		"odd30": x("\xff", 30) + x("x", 68) + "\r\n", "odd31": x("\xff", 31) + x("x", 67) + "\r\n",
		"pair":  x("x", 1<<20-1) + "\r\n",   // a chunk's end parts the pair
		"later": x("\x00", 1<<20) + "a\r\n", // the second chunk is text
		"late":  x("x", 512) + "\x00\r\n",   // only the head is looked at
	} {
		for _, hashes := range []verify.Hashes{verify.HashMD5, verify.HashMD5Dos2Unix} {
			if got := Hash([]byte(text), hashes); got != want[name][hashes] || got == "" {
				t.Errorf("%s of %s: %s, DVC has %s", hashes, name, got, want[name][hashes])
			}
		}
	}
	if got := Hash(nil, verify.HashRaw); got != "" {
		t.Errorf("of another algorithm: %q", got)
	}
}

// dvc/ignore.py, DvcIgnorePatterns: which paths the patterns of one .dvcignore leave out.
func TestIgnoreRules(t *testing.T) {
	t.Parallel()
	var want struct {
		Paths []string
		Rules []struct{ Patterns, Ignored []string }
	}
	part(t, "ignore.json", &want)
	if len(want.Rules) < 30 {
		t.Fatalf("%d rules", len(want.Rules))
	}
	for _, rule := range want.Rules {
		for _, dir := range []string{".", "deep/er"} {
			tree := treeOf(map[string]string{path.Join(dir, ignoreFile): strings.Join(rule.Patterns, "\n")})
			var got []string
			for _, name := range want.Paths {
				g := newIgnorer(tree, ".", ignoreFile)
				p := path.Join(dir, name)
				if strings.HasSuffix(name, "/") && g.dir(p) || !strings.HasSuffix(name, "/") && g.file(p) {
					got = append(got, name)
				}
			}
			if !slices.Equal(got, rule.Ignored) {
				t.Errorf("%q in %s leave out\n%q, DVC\n%q", rule.Patterns, dir, got, rule.Ignored)
			}
		}
	}
}

// ruamel.yaml 0.19, by which DVC reads: the value of a plain scalar under the rules of 1.2
// and 1.1, and dvc/parsing/interpolate.py, to_str.
func TestScalars(t *testing.T) {
	t.Parallel()
	var want []struct {
		Text, Type, Printed string
		Old, Refused        bool
	}
	part(t, "scalars.json", &want)
	if len(want) < 180 {
		t.Fatalf("%d scalars", len(want))
	}
	names := map[string]string{"<nil>": "NoneType", "bool": "bool", "*big.Int": "int", "float64": "float", "string": "str"}
	for _, w := range want {
		head := ""
		if w.Old {
			head = "%YAML 1.1\n---\n"
		}
		d, err := readYAML([]byte(head + "k: " + w.Text))
		var v value
		if err == nil {
			v, err = d.value()
		}
		if w.Refused {
			if err == nil {
				t.Errorf("%q (1.1: %t) is refused by DVC, and read as %v", w.Text, w.Old, v)
			}
			continue
		}
		if err != nil {
			t.Errorf("%q (1.1: %t): %v, DVC reads %s", w.Text, w.Old, err, w.Printed)
			continue
		}
		k, _ := v.(*dict).text("k")
		text, _ := printed(k)
		if got := names[fmt.Sprintf("%T", k)]; got != w.Type || text != w.Printed {
			t.Errorf("%q (1.1: %t): %s %s, DVC reads %s %s", w.Text, w.Old, got, text, w.Type, w.Printed)
		}
	}
}

// dvc_data/hashfile/tree.py: the list is Python's json.dumps, sorted, ASCII only.
func TestTreeHash(t *testing.T) {
	t.Parallel()
	if got := string(appendPython(nil, "a\"\\\n\r\t\b\f\x01\x7fé\U0001F600")); got != `"a\"\\\n\r\t\b\f\u0001\u007f\u00e9\ud83d\ude00"` {
		t.Error(got)
	}
	// md5 of [{"md5": "d41d8cd98f00b204e9800998ecf8427e", "relpath": "a"}]
	if got := treeHash([]member{{"a", Hash(nil, verify.HashMD5), true}}); got != Hash([]byte(`[{"md5": "d41d8cd98f00b204e9800998ecf8427e", "relpath": "a"}]`), verify.HashMD5)+".dir" {
		t.Error(got)
	}
}

// Python's ==, by which dvc/dependency/param.py compares.
func TestEqual(t *testing.T) {
	t.Parallel()
	read := func(text string) value {
		d, err := readYAML([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		v, err := d.value()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	for _, tc := range []struct {
		a, b string
		want bool
	}{
		{"10", "10.0", true}, {"1", "true", true}, {"0", "false", true}, {"0.0", "-0.0", true}, {"1", "'1'", false},
		{"[1, 2]", "[1.0, 2.0]", true}, {"[1, 2]", "[2, 1]", false}, {"{a: 1, b: 2}", "{b: 2.0, a: true}", true},
		{"{1: x}", "{1.0: x}", true}, {"{a: 1}", "{a: 1, b: 2}", false}, {".inf", ".inf", true}, {".nan", ".nan", false},
		{"~", "''", false}, {"9007199254740993", "9007199254740992.0", false}, {"2020-01-02", "2020-01-02", true},
		{"2020-01-02", "'2020-01-02'", false}, {"123456789012345678901234567890", "123456789012345678901234567890", true},
	} {
		steps := maxSteps
		if got := equal(read(tc.a), read(tc.b), &steps); got != tc.want {
			t.Errorf("%s == %s: %t", tc.a, tc.b, got)
		}
	}
}

// A mapping that aliases make a thousand times its size is refused, not expanded.
func TestAliasesAreBounded(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n")
	for i := 1; i < 30; i++ {
		fmt.Fprintf(&b, "a%d: &a%d [*a%d, *a%d, *a%d, *a%d]\n", i, i, i-1, i-1, i-1, i-1)
	}
	d, err := readYAML([]byte(b.String()))
	if err == nil {
		_, err = d.value()
	}
	if err == nil {
		t.Error("read")
	}
	d, err = readYAML([]byte("a: &a {<<: *b}\nb: &b {<<: *a}\n"))
	if err == nil {
		_, err = d.value()
	}
	if err == nil {
		t.Error("a circle was read")
	}
}

// dpath.get: dots lead through mappings and lists, by names and by places.
func TestLookup(t *testing.T) {
	t.Parallel()
	d, err := readYAML([]byte("a: {b: [x, {c: 7}], 3: y}\n'a.b': 1\n"))
	if err != nil {
		t.Fatal(err)
	}
	v, err := d.value()
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]value{"a.b.0": "x", "a.b.1.c": big.NewInt(7), "a.3": "y", "a.b.2": nil, "a.x": nil, "b": nil, "a.b.1.c.d": nil} {
		got, ok, judged := lookup(v, key)
		steps := maxSteps
		if !judged || ok != (want != nil) || ok && !equal(got, want, &steps) {
			t.Errorf("%s: %v %t", key, got, ok)
		}
	}
	if _, _, judged := lookup(v, "a.*"); judged {
		t.Error("a wildcard is judged")
	}
}
