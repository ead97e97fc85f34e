package jsondoc

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestPositions(t *testing.T) {
	doc := Parse([]byte("{\n  \"é\": {\"b\": [1, \"x\"]},\n  \"n\": -1.50e2\n}\n"))
	if doc.Err != nil {
		t.Fatal(doc.Err)
	}
	for _, tc := range []struct {
		n         *Node
		line, col int
		raw       string
	}{
		{doc.Root, 1, 1, "{\n  \"é\": {\"b\": [1, \"x\"]},\n  \"n\": -1.50e2\n}"},
		{doc.Root.Get("é"), 2, 8, `{"b": [1, "x"]}`}, // columns count characters, not bytes
		{doc.Root.Get("é").Get("b").Items()[1], 2, 18, `"x"`},
		{doc.Root.Get("n"), 3, 8, "-1.50e2"}, // numbers keep their spelling
	} {
		if l, c := doc.Position(tc.n); l != tc.line || c != tc.col || string(doc.Raw(tc.n)) != tc.raw {
			t.Errorf("%q at %d:%d, want %q at %d:%d", doc.Raw(tc.n), l, c, tc.raw, tc.line, tc.col)
		}
	}
	if l, c := doc.Position(doc.Root.Get("absent").Get("deeper")); l != 0 || c != 0 {
		t.Errorf("a value that isn't there is at %d:%d", l, c)
	}
}

func TestBrokenDocumentKeepsWhatCameBefore(t *testing.T) {
	doc := Parse([]byte("{\"a\": 1,\n \"b\": {\"c\": 2, \"d\": tru}\n}"))
	if doc.Err == nil || doc.Err.Line != 2 {
		t.Fatalf("error %v, want one on line 2", doc.Err)
	}
	if got := doc.Root.Get("b").Get("c").Text(); got != "2" {
		t.Errorf("b.c = %q, want the value before the break", got)
	}
	if doc.Root.Get("b").Get("d") != nil {
		t.Error("the broken value is there")
	}
}

func TestSyntaxErrors(t *testing.T) {
	for _, tc := range []struct {
		in        string
		line, col int
		reason    string
	}{
		{"", 1, 1, "unexpected end of input"},
		{"{\"a\":\n", 2, 1, "unexpected end of input"},
		{"{} x", 1, 4, "invalid character"},
		{"{} {}", 1, 4, "after"},
		{"{\"a\":1,\n2:3}", 2, 1, "object member name must be a string"},
		{"\ufeff{}", 1, 1, "starts with a byte order mark"}, // JSON.parse refuses a byte order mark
		{strings.Repeat("[", 10_000), 1, MaxDepth + 1, "nested deeper"},
		{strings.Repeat(`{"a":`, 10_000), 1, 5*MaxDepth + 1, "nested deeper"},
		{"[" + strings.Repeat("0,", MaxValues+10), 1, 2*MaxValues - 1, "more than 500000 values"},
	} {
		doc := Parse([]byte(tc.in))
		if doc.Err == nil {
			t.Errorf("%.20q: no error", tc.in)
			continue
		}
		if doc.Err.Line != tc.line || doc.Err.Column != tc.col || !strings.Contains(doc.Err.Reason, tc.reason) {
			t.Errorf("%.20q: %v, want line %d, column %d, %q", tc.in, doc.Err, tc.line, tc.col, tc.reason)
		}
	}
}

// A place does not depend on which places were asked for before.
func TestPlacesInAnyOrder(t *testing.T) {
	data := []byte("{\"é\": [1, \"😀\xff\xc3\", {}],\n \"b\": \"\xe9\", \"ü\": [[], 2]}\n")
	want := func(offset int) (line, column int) {
		line = 1 + strings.Count(string(data[:offset]), "\n")
		return line, 1 + utf8.RuneCount(data[strings.LastIndexByte(string(data[:offset]), '\n')+1:offset])
	}
	doc := Parse(data)
	for step := range len(data) {
		for i := range len(data) + 1 {
			offset := i * (step + 1) % (len(data) + 1)
			line, column := doc.place(offset)
			if l, c := want(offset); line != l || column != c {
				t.Fatalf("offset %d is at %d:%d, want %d:%d", offset, line, column, l, c)
			}
		}
	}
}

func TestRepeatedNames(t *testing.T) {
	doc := Parse([]byte("{\"a\": 1, \"t\": [{\"h\": 1,\n\"h\": 2}], \"a\": 3}"))
	if got := doc.Root.Get("a").Text(); got != "3" {
		t.Errorf("a = %s, want the last value, as JSON.parse takes it", got)
	}
	if len(doc.Problems) != 2 {
		t.Fatalf("problems: %+v", doc.Problems)
	}
	if p := doc.Problems[0]; p.Field != "t[0].h" || p.Line != 2 || p.Column != 1 || p.Code != "duplicate-key" {
		t.Errorf("first problem: %+v", p)
	}
	// Large objects use a set; the answer must not depend on size.
	var b strings.Builder
	b.WriteString("{")
	for i := range 40 {
		b.WriteString(`"k` + strings.Repeat("x", i) + `":0,`)
	}
	b.WriteString(`"kxxx":1,"last":2,"last":3}`)
	if doc := Parse([]byte(b.String())); len(doc.Problems) != 2 {
		t.Errorf("problems in a large object: %+v", doc.Problems)
	}
}

func TestAProblemNeverQuotesAWholeFile(t *testing.T) {
	name := strings.Repeat("é", 1<<20)
	doc := Parse([]byte(`{"` + name + `":1,"` + name + `":2}`))
	if len(doc.Problems) != 1 || len(doc.Problems[0].Field) > maxField+len("…") {
		t.Errorf("%d problems, the first with a field of %d bytes", len(doc.Problems), len(doc.Problems[0].Field))
	}
}

func TestInvalidUTF8IsReportedAndReplaced(t *testing.T) {
	doc := Parse([]byte("{\"a\": \"x\xff\"}"))
	if doc.Err != nil || len(doc.Problems) != 1 || doc.Problems[0].Column != 9 {
		t.Fatalf("err %v, problems %+v", doc.Err, doc.Problems)
	}
	if got := doc.Root.Get("a").Text(); got != "x\ufffd" {
		t.Errorf("a = %q", got)
	}
}

func TestInt(t *testing.T) {
	for in, want := range map[string]int64{"30": 30, "1.0": 1, "1e3": 1000, "-0": 0} {
		if got, ok := Parse([]byte(in)).Root.Int(); !ok || got != want {
			t.Errorf("%s: %d, %t", in, got, ok)
		}
	}
	for _, in := range []string{"1.5", "1e400", "9007199254740994", `"1"`, "null"} {
		if got, ok := Parse([]byte(in)).Root.Int(); ok {
			t.Errorf("%s is taken for the integer %d", in, got)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"a": [1, {"b": null}], "a": "\ud800x"}`))
	f.Add([]byte("[1, 2"))
	f.Add([]byte("\"\xff\""))
	f.Fuzz(func(t *testing.T, data []byte) {
		doc := Parse(data)
		if doc.Err == nil && doc.Root == nil {
			t.Fatal("neither a value nor an error")
		}
		var visit func(n *Node)
		visit = func(n *Node) {
			line, col := doc.Position(n)
			if line < 1 || col < 1 || n.end < n.offset || n.end > len(data) {
				t.Fatalf("node %v at %d:%d, bytes %d to %d of %d", n.kind, line, col, n.offset, n.end, len(data))
			}
			for _, it := range n.items {
				visit(it)
			}
			for _, m := range n.members {
				visit(m.Value)
			}
		}
		if doc.Root != nil {
			visit(doc.Root)
		}
	})
}

func BenchmarkParse(b *testing.B) {
	data := []byte(`{"schema_version":1,"list":[` + strings.Repeat(`{"id":"req_0123456789abcdef","n":30,"ok":true},`, 170) + `null]}`)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		Parse(data)
	}
}

// What can't be read is named as what it is (issue 10).
func TestDamage(t *testing.T) {
	for _, tc := range []struct{ text, code, reason string }{
		{`{"a": 1}`, "", ""},
		{"", "empty", "is empty"},
		{`{"a": [1`, "truncated", "breaks off: unexpected end of input"},
		{`{"a": 1} {}`, "broken-json", "is not valid JSON: text after the end of the document"},
		{"\ufeff{}", "byte-order-mark", "starts with a byte order mark; save it without"},
		{"{\n=======\n}", "conflict-markers", "holds the conflict markers of an unfinished merge: line 2 starts with ======="},
	} {
		if d := Parse([]byte(tc.text)).Damage(); d.Code != tc.code || d.Reason != tc.reason {
			t.Errorf("%q: %+v", tc.text, d)
		}
	}
}
