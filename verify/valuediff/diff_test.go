package valuediff

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/canonical"
)

func parse(t testing.TB, text string) canonical.Value {
	t.Helper()
	v, err := canonical.Parse([]byte(text))
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return v
}

// lines renders edits one a line, for reading.
func lines(edits []verify.Edit) []string {
	var out []string
	for _, e := range edits {
		line := fmt.Sprintf("%s %s", e.Op, e.Path)
		if e.Count > 0 {
			line += fmt.Sprintf(" x%d", e.Count)
		}
		if e.Before != "" {
			line += " " + e.Before
		}
		if e.After != "" {
			line += " -> " + e.After
		}
		out = append(out, line)
	}
	return out
}

// "Only comments, key order or formatting changed" is no drift at all.
func TestCommentsOrderAndFormattingAreNoDifference(t *testing.T) {
	before := "# a style\nid: swiss\npalette:\n  accent: '#ff0000'\n  ink: \"#111\"\nforbid: [gradient, blob]\nscale: 1.50\n"
	after := "forbid:\n  - gradient   # never\n  - \"blob\"\n\nscale: 1.5\npalette: {ink: '#111', accent: \"#ff0000\"}\nid: >-\n  swiss\n"
	for _, text := range []string{after, `{"scale":15e-1,"id":"swiss","palette":{"accent":"#ff0000","ink":"#111"},"forbid":["gradient","blob"]}`} {
		if edits, more := Diff(parse(t, before), parse(t, text), Limits{}); len(edits) != 0 || more != 0 {
			t.Errorf("got %v and %d more", lines(edits), more)
		}
		was, err := canonical.Hash([]byte(before))
		is, err2 := canonical.Hash([]byte(text))
		if err != nil || err2 != nil || was != is {
			t.Errorf("the texts are not equal to begin with: %s, %s, %v, %v", was, is, err, err2)
		}
	}
}

func TestDiff(t *testing.T) {
	for _, tt := range []struct {
		name, before, after string
		want                []string
	}{
		{"a member changed", "palette: {accent: red, ink: black}", "palette: {accent: blue, ink: black}",
			[]string{`changed palette.accent "red" -> "blue"`}},
		{"members come and go", "a: 1\nb: 2", "b: 2\nc: [1, null]",
			[]string{"removed a 1", "added c -> [1,null]"}},
		{"keys in the order of the canonical JSON", `{"b":1,"10":1,"9":1,"a":1}`, `{"b":2,"10":2,"9":2,"a":2}`,
			[]string{`changed ["9"] 1 -> 2`, `changed ["10"] 1 -> 2`, "changed a 1 -> 2", "changed b 1 -> 2"}},
		{"hyphens need no quotes, all else does", "lint-overrides: 1\na b: 1\n\"\": 1\nx.y: 1\n-z: 1", "{}",
			[]string{`removed [""] 1`, `removed ["-z"] 1`, `removed ["a b"] 1`, "removed lint-overrides 1", `removed ["x.y"] 1`}},
		{"a quoted key below another", `{"a":{"b \"c":[{"d":1}]}}`, `{"a":{"b \"c":[{"d":2}]}}`,
			[]string{`changed a["b \"c"][0].d 1 -> 2`}},
		{"the type changed", "a: '1'", "a: 1", []string{`changed a "1" -> 1`}},
		{"an object became an array", "a: {b: 1}", "a: [1]", []string{`changed a {"b":1} -> [1]`}},
		{"null is not absent", "a: null", "{}", []string{"removed a null"}},
		{"the whole value", "text", "[1]", []string{`changed . "text" -> [1]`}},
		{"an element in the middle came", "forbid: [a, b, c, d]", "forbid: [a, b, x, c, d]", []string{`added forbid[2] -> "x"`}},
		{"an element in the middle went", "forbid: [a, b, c, d]", "forbid: [a, c, d]", []string{`removed forbid[1] "b"`}},
		{"an element changed", "forbid: [a, b, c]", "forbid: [a, x, c]", []string{`changed forbid[1] "b" -> "x"`}},
		{"inside an element", "rules: [{id: 1, on: true}, {id: 2, on: true}]", "rules: [{id: 0}, {id: 1, on: true}, {id: 2, on: false}]",
			[]string{`added rules[0] -> {"id":0}`, "changed rules[2].on true -> false"}},
		{"neighbours are counted", "[a, z]", "[a, b, c, d, z]", []string{`added [1] x3 -> ["b","c","d"]`}},
		{"neighbours gone", "[a, b, c, z]", "[a, z]", []string{`removed [1] x2 ["b","c"]`}},
		{"more removed than added", "[a, b, c, z]", "[a, x, z]", []string{`changed [1] "b" -> "x"`, `removed [2] "c"`}},
		{"positions: removed before, added after", "[r, a, b]", "[a, b, n]", []string{`removed [0] "r"`, `added [2] -> "n"`}},
		{"an element moved", "[a, b, c]", "[c, a, b]", []string{`added [0] -> "c"`, `removed [2] "c"`}},
		{"__proto__ is not in the canonical JSON", `{"__proto__":1}`, `{}`, nil},
		{"minus zero is zero", "[-0]", "[0]", nil},
		{"characters, not bytes", `["` + strings.Repeat("é", 130) + `"]`, "[]", []string{`removed [0] "` + strings.Repeat("é", 119) + cutNote}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			edits, more := Diff(parse(t, tt.before), parse(t, tt.after), Limits{})
			if got := lines(edits); !slices.Equal(got, tt.want) || more != 0 {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(tt.want, "\n"))
			}
		})
	}
}

func TestSecretsAreMasked(t *testing.T) {
	before := "db: {password: s3cr3t-1, host: a}\ngithub-token: s3cr3t-2\napiKey: {a: s3cr3t-3}\nlist: []\ntoken: visible-1\n"
	after := "db: {password: s3cr3t-4, host: b}\nnew: {deep: [{client_secret: s3cr3t-5}]}\napiKey: {a: s3cr3t-6}\nlist: [{auth: s3cr3t-7}, 1]\ntoken: visible-2\n"
	edits, _ := Diff(parse(t, before), parse(t, after), Limits{})
	want := []string{
		"changed apiKey (masked) -> (masked)", `changed db.host "a" -> "b"`, "changed db.password (masked) -> (masked)",
		"removed github-token (masked)", `added list[0] x2 -> [{"auth":"(masked)"},1]`,
		`added new -> {"deep":[{"client_secret":"(masked)"}]}`, `changed token "visible-1" -> "visible-2"`,
	}
	if got := lines(edits); !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestLooksSecret(t *testing.T) {
	for _, key := range []string{"password", "DB_PASSWORD", "clientSecret", "api_key", "API-KEY", "apiKeys", "private_key", "auth", "Authorization",
		"access_token", "GITHUB_TOKEN", "pwd", "credentials", "Set-Cookie", "jwt", "secrets", "DB_PASS", "sessionId"} {
		if !LooksSecret(key) {
			t.Errorf("%q must be masked", key)
		}
	}
	for _, key := range []string{"token", "tokens", "max_tokens", "key", "keys", "author", "authority", "keyword", "path", "pattern", "hash", "", "monkey", "pass", "pass_rate", "session"} {
		if LooksSecret(key) {
			t.Errorf("%q must be shown", key)
		}
	}
}

// The bound: so many edits, then how many more.
func TestEditsAreBounded(t *testing.T) {
	before, after := &canonical.Object{}, &canonical.Object{}
	for i := range 1200 {
		before.Set(fmt.Sprintf("k%04d", i), float64(i))
		after.Set(fmt.Sprintf("k%04d", i), float64(-i-1))
	}
	for _, tt := range []struct{ limit, kept int }{{0, 500}, {7, 7}, {1199, 1199}, {5000, 1200}} {
		edits, more := Diff(before, after, Limits{Edits: tt.limit})
		if len(edits) != tt.kept || more != 1200-tt.kept || edits[0].Path != "k0000" {
			t.Errorf("limit %d: got %d and %d more", tt.limit, len(edits), more)
		}
	}
}

// Arrays too far apart are compared by position.
func TestFarApartArraysAreComparedByPosition(t *testing.T) {
	var before, after []canonical.Value
	for i := range 3000 {
		before = append(before, float64(i))
		after = append(after, float64(-i-1))
	}
	edits, more := Diff(before, append(after, "last"), Limits{Edits: 1})
	if got := lines(edits); !slices.Equal(got, []string{"changed [0] 0 -> -1"}) || more != 3000 {
		t.Errorf("got %v and %d more", got, more)
	}
}

// Aliases make a value of 3^60 leaves from a few lines; both the work and the
// result stay small.
func TestAliasesDoNotMultiplyTheWork(t *testing.T) {
	bomb := func(leaf string) canonical.Value {
		var v canonical.Value = leaf
		for range 60 {
			v = []canonical.Value{v, v, v}
		}
		return v
	}
	done := make(chan int)
	go func() {
		edits, more := Diff(bomb("a"), bomb("b"), Limits{})
		done <- len(edits) + min(more, 1)
	}()
	select {
	case n := <-done:
		if n != MaxEdits+1 {
			t.Errorf("got %d", n)
		}
	case <-time.After(time.Minute):
		t.Fatal("did not end")
	}
}

func TestHostileKeysAndDepths(t *testing.T) {
	long := strings.Repeat("k", 5000)
	o := &canonical.Object{}
	o.Set(long, "x")
	o.Set("a\x1b]0;b\n", "x")
	edits, _ := Diff(&canonical.Object{}, o, Limits{})
	if len(edits) != 2 || edits[0].Path != `["a\u001b]0;b\n"]` || len(edits[1].Path) > 200 || !strings.HasSuffix(edits[1].Path, `k"…]`) {
		t.Errorf("got %q", lines(edits))
	}
	deep := func(leaf string) canonical.Value {
		var v canonical.Value = leaf
		for range 450 {
			w := &canonical.Object{}
			w.Set("level", v)
			v = w
		}
		return v
	}
	edits, _ = Diff(deep("a"), deep("b"), Limits{})
	if len(edits) != 1 || len(edits[0].Path) > maxPath+20 || edits[0].After != `"b"` {
		t.Errorf("got %q", lines(edits))
	}
}

// No edits if and only if the hashes are the same.
func FuzzDiff(f *testing.F) {
	f.Add("a: 1", "a: 2")
	f.Add("[1, 2, 3]", "[3, 2, 1]")
	f.Add("a: &x [1, 2]\nb: *x", "b: [1, 2]\na: [1, 2] # c")
	f.Add(`{"__proto__":{"a":1}}`, "{}")
	f.Add("password: x", "password: y")
	f.Fuzz(func(t *testing.T, x, y string) {
		a, errA := canonical.Parse([]byte(x))
		b, errB := canonical.Parse([]byte(y))
		if errA != nil || errB != nil {
			return
		}
		hashA, _ := canonical.Hash([]byte(x))
		hashB, _ := canonical.Hash([]byte(y))
		edits, more := Diff(a, b, Limits{Edits: 3})
		if (len(edits) == 0) != (hashA == hashB) || len(edits) < 3 && more != 0 {
			t.Errorf("%d edits and %d more, hashes equal: %v", len(edits), more, hashA == hashB)
		}
		back, _ := Diff(b, a, Limits{Edits: 3})
		if (len(back) == 0) != (len(edits) == 0) {
			t.Errorf("%d edits one way, %d the other", len(edits), len(back))
		}
	})
}
