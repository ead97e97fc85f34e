package main

import (
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"
)

// Each comparison and each status can be flipped, inside one another too, and nothing else.
func TestInstrument(t *testing.T) {
	t.Parallel()
	const src = `package p

const never = 1 < 2

var at = len(names) == 0

func f(a, b int, s verify.Status, r *verify.Rows) bool {
	if a < b && (b == 1) == (s == verify.Fail) {
		r.Fail("x", spot, "code", g(a != b))
		r.OK("x", spot, "")
	}
	return verify.Check{Status: verify.OK}.Status != verify.Warn
}
`
	out, points, err := instrument("example.org/p", "p.go", []byte(src), 7)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parser.ParseFile(token.NewFileSet(), "p.go", out, 0); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var got []string
	for i, p := range points {
		got = append(got, p.function+": "+p.text+" -> "+p.becomes)
		if p.id != 7+i {
			t.Errorf("%s has the number %d", p.text, p.id)
		}
	}
	want := []string{
		"package: len(names) == 0 -> !=",
		"f: a < b -> >=", "f: (b == 1) == (s == verify.Fail) -> !=", "f: b == 1 -> !=", "f: s == verify.Fail -> !=", "f: verify.Fail -> verify.OK",
		"f: r.Fail -> Warn", "f: a != b -> ==",
		"f: verify.Check{Status: verify.OK}.Status != verify.Warn -> ==", "f: verify.OK -> verify.Fail", "f: verify.Warn -> verify.OK",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for _, line := range []string{
		"const never = 1 < 2\n", "var at = ((len(names) == 0) != mutantOn(7))\n",
		"((((b == 1) != mutantOn(10))) == (((s == mutantPick(12, verify.Fail, verify.OK)) != mutantOn(11)))) != mutantOn(9))",
		`mutantPick(13, r.Fail, r.Warn)("x", spot, "code", g(((a != b) != mutantOn(14))))`,
	} {
		if !strings.Contains(string(out), line) {
			t.Errorf("no %s in\n%s", line, out)
		}
	}
}

// A sample is the same for the same seed, also when lines move, and another for another.
func TestChoose(t *testing.T) {
	t.Parallel()
	var points []point
	for i := range 50 {
		points = append(points, point{id: i + 1, file: "a.go", function: "f", text: strings.Repeat("x", i%7), nth: i / 7, line: i})
	}
	keys := func(o options, points []point) (all []string) {
		for _, p := range o.choose(points) {
			all = append(all, p.key())
		}
		return all
	}
	one := keys(options{sample: 10, seed: 1}, points)
	for i := range points {
		points[i].line += 5
	}
	if len(one) != 10 || !slices.Equal(one, keys(options{sample: 10, seed: 1}, points)) {
		t.Errorf("the same seed gives %q", one)
	}
	if all := (&options{}).choose(points); len(all) != 50 {
		t.Errorf("all of them are %d", len(all))
	}
}
