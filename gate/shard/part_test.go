package shard

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/replay-gate/replay-gate/verify"
)

// filler gives every exported field of a value, at any depth, a value of its own.
type filler struct{ n int }

func (f *filler) fill(v reflect.Value) {
	f.n++
	switch v.Interface().(type) {
	case time.Time:
		v.Set(reflect.ValueOf(time.Date(2026, 1, 1, 0, 0, f.n, 5, time.FixedZone("", 7200))))
		return
	case *verify.Reads:
		return
	case verify.Status:
		v.SetString(string(verify.Fail))
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(fmt.Sprintf("text %d <&>  \x01", f.n))
	case reflect.Int:
		v.SetInt(int64(f.n))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		if v.Elem().Kind() != reflect.Bool { // a pointer to false is not nil
			f.fill(v.Elem())
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range v.Len() {
			f.fill(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			f.fill(v.Field(i))
		}
	default:
		panic("a field of a kind that the test does not know: " + v.Kind().String())
	}
}

// Issue 17: a part is lossless. Whatever a result has, or comes to have, is in it.
func TestPartIsLossless(t *testing.T) {
	t.Parallel()
	var r verify.Result
	f := new(filler)
	f.fill(reflect.ValueOf(&r).Elem())
	r.SHA256 = "sha256:" + strings.Repeat("0a", 32)
	rows := verify.ReadsTable{Rows: []verify.ReadsRow{
		{Own: []verify.Read{{Op: verify.OpNamed, Name: "x.yml", Outcome: verify.Found}}},
		{Own: []verify.Read{{Op: verify.OpFile, Name: "a", Outcome: verify.Lost, Why: "is gone"}}, Parts: []int{1}},
	}}
	records, err := rows.Records()
	if err != nil {
		t.Fatal(err)
	}
	other := r
	other.Path, other.Reads, r.Reads = "other", records[1], records[2]
	p := &Part{
		Tool: "replay-gate 1", Plan: "sha256:x", Commit: "c", Share: Share{2, 4},
		Sides: [][]*verify.Result{{&r, &other}, {}}, Left: []string{"left"},
		Bundles: []Bundle{{"e", "k", "f", "s", 7, true}},
	}
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	got, err := Read(&b)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range p.Sides[0] {
		is := *got.Sides[0][i]
		if !reflect.DeepEqual(is.Reads.All(), want.Reads.All()) {
			t.Errorf("read %v, want %v", is.Reads.All(), want.Reads.All())
		}
		for k, c := range is.Claims { // another location of the same zone
			if !c.At.Equal(want.Claims[k].At) {
				t.Errorf("claim at %v, want %v", c.At, want.Claims[k].At)
			}
			is.Claims[k].At = want.Claims[k].At
		}
		if is.Reads = want.Reads; !reflect.DeepEqual(&is, want) {
			t.Errorf("got  %+v\nwant %+v", &is, want)
		}
	}
	got.Sides = p.Sides
	if !reflect.DeepEqual(got, p) {
		t.Errorf("got  %+v\nwant %+v", got, p)
	}
}

// Issue 17: parts are hostile input.
func TestReadRefuses(t *testing.T) {
	t.Parallel()
	const result = `{"path":"e","kind":"k","recording":{},"reads":1,"checks":[{"field":"f","status":"ok","location":{"path":"e"}}]}`
	good := func(member, value string) string {
		members := map[string]string{
			"schema": `"replay-gate.part/v1"`, "tool": `"t"`, "plan": `"p"`, "commit": `"c"`, "shard": `"1/2"`,
			"left": "[]", "bundles": "[]", "reads": `[{"own":[{"op":1,"name":"e","outcome":1}]}]`, "sides": "[[" + result + "]]",
		}
		members[member] = value
		var list []string
		for name, v := range members {
			list = append(list, fmt.Sprintf("%q:%s", name, v))
		}
		return "{" + strings.Join(list, ",") + "}"
	}
	if _, err := Read(strings.NewReader(good("tool", `"t"`))); err != nil {
		t.Fatal(err)
	}
	with := func(old, new string) string { return "[[" + strings.Replace(result, old, new, 1) + "]]" }
	for _, test := range []struct{ name, text, want string }{
		{"nothing", "", "is no part: at byte 0"},
		{"a list", "[]", "is no part"},
		{"two values", good("tool", `"t"`) + "{}", "is no part"},
		{"no schema", "{}", `its schema is ""`},
		{"another version", good("schema", `"replay-gate.part/v2"`), "another version"},
		{"a doubled key", strings.Replace(good("tool", `"t"`), "{", `{"tool":"u",`, 1), "duplicate"},
		{"a doubled key of a result", good("sides", with(`"path":"e"`, `"path":"e","path":"e"`)), "duplicate"},
		{"a key in another case", good("Tool", `"t"`), "has another form"},
		{"an unknown key of a result", good("sides", with(`"path":"e"`, `"path":"e","Verdict":"intact"`)), "has another form"},
		{"text that is no UTF-8", good("tool", "\"\xff\""), "invalid UTF-8"},
		{"no shard", good("shard", `""`), "no shard"},
		{"a shard beyond the plan", good("shard", `"3/2"`), "is no shard"},
		{"a shard spelt otherwise", good("shard", `"01/2"`), "is no shard"},
		{"more shards than jobs", good("shard", `"1/257"`), "is no shard"},
		{"no sides", good("sides", "[]"), "no results of a head"},
		{"a result twice", good("sides", "[["+result+","+result+"]]"), "e is in it twice"},
		{"a result without checks", good("sides", with(`{"field":"f","status":"ok","location":{"path":"e"}}`, "")), "nothing was checked"},
		{"a status of its own", good("sides", with(`"ok"`, `"fine"`)), "no status"},
		{"a place before the first", good("sides", with(`"location":{"path":"e"}`, `"location":{"path":"e","line":-1}`)), "before the first"},
		{"a hash that is none", good("sides", with(`"kind":"k"`, `"kind":"k","sha256":"sha256:0"`)), "hash is none"},
		{"a result of nothing", good("sides", with(`"path":"e"`, `"path":""`)), "of nothing"},
		{"a result that read nothing", good("sides", with(`"reads":1`, `"reads":0`)), "of nothing"},
		{"a record that is not there", good("sides", with(`"reads":1`, `"reads":2`)), "no record 2"},
		{"a record before the first", good("sides", with(`"reads":1`, `"reads":-1`)), "no record -1"},
		{"a record of itself", good("reads", `[{"parts":[1]}]`), "not before it"},
		{"a record of a later one", good("reads", `[{"parts":[2]},{}]`), "not before it"},
		{"a read of no kind", good("reads", `[{"own":[{"op":4,"name":"e","outcome":1}]}]`), "unknown kind"},
		{"an outcome of no kind", good("reads", `[{"own":[{"op":1,"name":"e","outcome":0}]}]`), "unknown kind"},
		{"content though a file was lost", good("reads", `[{"own":[{"op":1,"name":"e","outcome":4}]}]`), "it holds, though e"},
		{"a bundle elsewhere", good("bundles", `[{"evidence":"e","key":"k","file":"../x","sha256":"s","size":1,"base":false}]`), "bundle"},
		{"a bundle in a folder", good("bundles", `[{"evidence":"e","key":"k","file":"a/x","sha256":"s","size":1,"base":false}]`), "bundle"},
		{"a bundle of less than nothing", good("bundles", `[{"evidence":"e","key":"k","file":"x","sha256":"s","size":-1,"base":false}]`), "bundle"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			_, err := Read(strings.NewReader(test.text))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Fatalf("got %v, want %q", err, test.want)
			}
			if version := strings.Contains(test.want, "version") || strings.Contains(test.want, "schema"); errors.Is(err, ErrVersion) != version {
				t.Errorf("%v is the error of another version: %t", err, !version)
			}
		})
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"schema":"replay-gate.part/v1","tool":"t","plan":"p","commit":"c","shard":"1/2","left":[],"bundles":[],` +
		`"reads":[{"own":[{"op":1,"name":"e","outcome":1}]},{"parts":[1]}],"sides":[[{"path":"e","kind":"k","recording":{},"reads":2,` +
		`"checks":[{"field":"f","status":"ok","location":{"path":"e"}}]}]]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := Read(bytes.NewReader(data))
		if err != nil {
			return
		}
		var b bytes.Buffer
		if err := p.Write(&b); err != nil {
			t.Fatal(err)
		}
		again, err := Read(bytes.NewReader(b.Bytes()))
		if err != nil {
			t.Fatalf("what was written is refused: %v\n%s", err, b.Bytes())
		}
		if again.Share != p.Share || len(again.Sides) != len(p.Sides) {
			t.Fatalf("got %+v, want %+v", again, p)
		}
	})
}
