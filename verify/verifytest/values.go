package verifytest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/jsondoc"
)

// maxValues bounds the values of one piece of evidence that are spoilt one by one.
const maxValues = 150

// value is a JSON value in the evidence.
type value struct {
	from, to     int // its bytes
	line, column int
	kind         jsondoc.Kind
}

// checkValues spoils the values of evidence that is JSON, or lines of it, one by one.
// Nothing breaks over any of them; and a scalar that a row was found good for is not of
// another type, nor larger than a number can be, and good as well.
func (s *subject) checkValues(t *testing.T, whole verify.Result) {
	data := s.data()
	values := valuesOf(data)
	if len(values) == 0 {
		t.Skip("the evidence is not JSON")
	}
	judged := make(map[[2]int]bool)
	for _, c := range whole.Checks {
		if c.Status == verify.OK && c.Recorded != "" {
			judged[[2]int{c.Location.Line, c.Location.Column}] = true
		}
	}
	step := 1 + len(values)/maxValues
	for i, v := range values {
		text := string(data[v.from:v.to])
		held := judged[[2]int{v.line, v.column}] && v.kind != jsondoc.Array && v.kind != jsondoc.Object
		if i%step != 0 && !held {
			continue
		}
		for _, with := range []string{"[]", "{}", "1e999", strings.Repeat("9", 400), "-1.5", "null", `""`, `"\u0000"`, `"\ud800"`} {
			r := s.spoil(slices.Concat(data[:v.from], []byte(with), data[v.to:]))
			what := fmt.Sprintf("line %d, column %d: %.40s made %.10s", v.line, v.column, text, with)
			checkForm(t, what+": ", r)
			huge := v.kind == jsondoc.Number && with == "1e999"
			if held && green(r) && (with == "[]" || with == "{}" || huge) {
				t.Errorf("%s, and green", what)
			}
		}
	}
	s.checkRepeated(t, values)
}

// checkRepeated gives an object a name twice. Readers take one of the two values; which one
// a person reads is another matter.
func (s *subject) checkRepeated(t *testing.T, values []value) {
	data := s.data()
	tried := 0
	for _, v := range values {
		members := jsondoc.Parse(data[v.from:v.to]).Root.Members()
		if v.kind != jsondoc.Object || len(members) == 0 || tried == 3 {
			continue
		}
		tried++
		name, err := json.Marshal(members[0].Name)
		if err != nil {
			t.Fatal(err)
		}
		text := slices.Concat(data[:v.from+1], name, []byte(`:"another",`), data[v.from+1:])
		r := s.spoil(text)
		checkForm(t, "a name twice: ", r)
		if green(r) {
			t.Errorf("line %d: %s stands twice, and is green", v.line, name)
		}
	}
}

// valuesOf finds the values of a JSON document, or of lines that each are one.
func valuesOf(data []byte) []value {
	if json.Valid(data) {
		return collect(data, 0, 1)
	}
	var all []value
	from := 0
	for i, line := range bytes.SplitAfter(data, []byte("\n")) {
		if json.Valid(line) {
			all = append(all, collect(line, from, i+1)...)
		} else if len(bytes.TrimSpace(line)) > 0 {
			return nil
		}
		from += len(line)
	}
	return all
}

func collect(text []byte, from, line int) []value {
	doc := jsondoc.Parse(text)
	var all []value
	var visit func(n *jsondoc.Node)
	visit = func(n *jsondoc.Node) {
		raw := doc.Raw(n)
		at := cap(text) - cap(raw)
		l, column := doc.Position(n)
		all = append(all, value{from + at, from + at + len(raw), line + l - 1, column, n.Kind()})
		for _, m := range n.Members() {
			visit(m.Value)
		}
		for _, item := range n.Items() {
			visit(item)
		}
	}
	if doc.Root != nil {
		visit(doc.Root)
	}
	return all
}

// checkWork tests that hostile texts end soon and fail.
func (s *subject) checkWork(t *testing.T) {
	const size = 256 << 10
	var names strings.Builder
	for i := range size / 16 {
		fmt.Fprintf(&names, "\"k%d\": [],\n", i)
	}
	data := string(s.data())
	for what, text := range map[string]string{
		"nested":           strings.Repeat("[", size),
		"nested objects":   strings.Repeat(`{"a":`, size/5),
		"nested in blocks": strings.Repeat("- ", size/2),
		"a long string":    `{"a": "` + strings.Repeat("x", size),
		"one name":         "{" + strings.Repeat(`"a": 1, `, size/8) + `"a": 1}`,
		"many names":       "{" + names.String() + `"k": 1}`,
		"many lines":       strings.Repeat("\n", size),
		"many documents":   strings.Repeat("---\n", size/4),
		"itself, over":     strings.Repeat(data, 1+size/4/(len(data)+1)),
		"digits":           strings.Repeat("1", size),
		"bars":             strings.Repeat("<<<<<<< ", size/8),
	} {
		begin := time.Now()
		r := s.spoil([]byte(text))
		checkForm(t, what+": ", r)
		if took := time.Since(begin); took > 20*time.Second {
			t.Errorf("%s: %v", what, took)
		}
		if green(r) && what != "itself, over" {
			t.Errorf("%s, and green", what)
		}
		s.format.Marks(s.path, []byte(text))
		s.record(s.with(s.path, []byte(text)))
	}
}
