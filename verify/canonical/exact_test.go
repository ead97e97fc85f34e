package canonical

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// What some reader of YAML or JSON keeps apart (PyYAML, json of Python), ParseExact keeps
// apart; what none does, it does not.
func TestParseExact(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		one, two string
		same     bool
	}{
		{"a: b # c\nd: [1, x]\n", "d: [1, 'x']\n\"a\": b\n", true},
		{"a: 1.0\nb: true\nc: ~\n", "a: 1\nb: True\nc: null\n", true},
		{"a: 0x1f\n", "a: 31\n", true},
		{"a: 1.5e+3\n", "a: 1500\n", true},
		{"a: v1.2\nb: 10.0.0.1\nc: 2026-05\n", "a: 'v1.2'\nb: '10.0.0.1'\nc: \"2026-05\"\n", true},
		{"a: &x {b: 1}\nc: *x\n", "a: {b: 1}\nc: {b: 1}\n", true},
		{"a: !!str 12\n", "a: \"12\"\n", true},
		{"yes: 1\n", "\"yes\": 1\n", true}, // names are the reference's

		{"a: no\n", "a: \"no\"\n", false}, // false in YAML 1.1
		{"a: On\n", "a: 'On'\n", false},
		{"a: 012\n", "a: 12\n", false},          // 10 in YAML 1.1
		{"a: 08\n", "a: 8\n", false},            // a string in PyYAML
		{"a: 1e3\n", "a: 1000\n", false},        // a string in PyYAML
		{"a: 1_000\n", "a: '1_000'\n", false},   // 1000 in YAML 1.1
		{"a: 12:30\n", "a: \"12:30\"\n", false}, // 750 in YAML 1.1
		{"a: 0b11\n", "a: '0b11'\n", false},     // 3 in YAML 1.1
		{"a: 0o14\n", "a: 12\n", false},         // a string in YAML 1.1
		{"a: 2026-05-01\n", "a: \"2026-05-01\"\n", false},
		{"a: 2026-05-01 10:00:00\n", "a: '2026-05-01 10:00:00'\n", false},
		{"a: .inf\n", "a: null\n", false}, // one JSON
		{"a: .nan\n", "a: .inf\n", false},
		{"a: 1e400\n", "a: null\n", false},
		{`{"seed": 9007199254740993}`, `{"seed": 9007199254740992}`, false}, // one double
		{"a: 0x20000000000001\n", "a: 0x20000000000000\n", false},
	} {
		text := func(s string) string {
			v, err := ParseExact([]byte(s))
			if err != nil {
				t.Fatalf("%q: %v", s, err)
			}
			return string(AppendJSON(nil, v))
		}
		if one, two := text(tc.one), text(tc.two); (one == two) != tc.same {
			t.Errorf("%q is %s, %q is %s", tc.one, one, tc.two, two)
		}
	}
	for _, text := range []string{
		"a: !!omap [b: 1]\n", "a: !!set {b, c}\n", "a: !!timestamp 2026-05-01\n", "a: !!binary aGk=\n", "a: !env HOME\n", "a: !!int '7'\n",
		`{"__proto__": {"model": "m-2"}}`, "\"<<\": {a: 1}\n", "{a: 1}: b\n",
	} {
		_, err := ParseExact([]byte(text))
		if _, ok := errors.AsType[*CannotJudgeError](err); !ok {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// Without a spelling, the value is the reference's.
func TestParseExactIsParse(t *testing.T) {
	t.Parallel()
	read := 0
	for _, want := range readGolden(t, "testdata/vectors/golden.jsonl") {
		data, err := os.ReadFile(filepath.Join("testdata/vectors", filepath.FromSlash(want.File)))
		if err != nil {
			t.Fatal(err)
		}
		v, err := Parse(data)
		exact, exactErr := ParseExact(data)
		if err != nil && exactErr == nil {
			t.Errorf("%s: only exact: %v", want.File, err)
		}
		if err != nil || exactErr != nil || spells(exact) {
			continue
		}
		read++
		if one, two := string(AppendJSON(nil, v)), string(AppendJSON(nil, exact)); one != two {
			t.Errorf("%s: %s, exactly %s", want.File, one, two)
		}
	}
	if read < 100 {
		t.Errorf("%d vectors", read)
	}
}

func spells(v Value) bool {
	switch v := v.(type) {
	case Spelled:
		return true
	case []Value:
		for _, item := range v {
			if spells(item) {
				return true
			}
		}
	case *Object:
		for _, item := range v.All() {
			if spells(item) {
				return true
			}
		}
	}
	return false
}

// A double holds every integer up to 2^53, and not the next.
func TestExactInt(t *testing.T) {
	t.Parallel()
	const most = 1 << 53
	for i, want := range map[int64]Value{
		0: 0.0, -1: -1.0, most: float64(most), -most: float64(-most), most + 1: Spelled("9007199254740993"), -most - 1: Spelled("-9007199254740993"),
		most + 2: Spelled("9007199254740994"),
	} {
		if got := ExactInt(i); got != want {
			t.Errorf("%d: %v", i, got)
		}
	}
}
