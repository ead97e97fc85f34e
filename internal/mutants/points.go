package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strconv"
	"strings"
)

// point is one place that can be flipped.
type point struct {
	id       int
	pkg      string // import path
	file     string // from the root of the module
	line     int
	function string
	text     string // what stands there
	becomes  string // what it is flipped to
	nth      int    // of the same text in the same function, from 0
}

// key names a point for docs/mutants.md: it holds when lines move.
func (p *point) key() string { return fmt.Sprintf("%s %s: %s", p.file, p.function, p.text) }

// room is the folder that it is in.
func (p *point) room() string { return path.Dir(p.file) }

// name is the key for this point alone.
func (p *point) name() string { return fmt.Sprintf("%s #%d", p.key(), p.nth) }

var inverse = map[token.Token]token.Token{
	token.EQL: token.NEQ, token.NEQ: token.EQL, token.LSS: token.GEQ, token.GEQ: token.LSS, token.GTR: token.LEQ, token.LEQ: token.GTR,
}

// statuses are the words of package verify that say how something stands, each with one that
// says otherwise.
var statuses = map[string]string{
	"OK": "Fail", "Fail": "OK", "Warn": "OK", "Info": "Fail",
	"Introduced": "PreExisting", "PreExisting": "Introduced", "Unknown": "PreExisting", "Fixed": "Introduced",
}

// rows are the methods that add a row, each with one of the same form.
var rows = map[string]string{"Fail": "Warn", "Warn": "Info"}

// edit is text that is put into a file.
type edit struct {
	at    int
	open  bool
	width int // of what it opens or closes
	text  string
}

// instrument returns the source with every place in it made one that can be flipped. Numbers
// start at next.
func instrument(pkg, name string, src []byte, next int) (out []byte, points []point, err error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, src, parser.SkipObjectResolution)
	if err != nil {
		return nil, nil, err
	}
	var edits []edit
	function := ""
	same := make(map[string]int) // keys
	add := func(n ast.Node, becomes, open, end string) {
		from, to := fset.Position(n.Pos()).Offset, fset.Position(n.End()).Offset
		p := point{
			id: next + len(points), pkg: pkg, file: name, line: fset.Position(n.Pos()).Line, function: function,
			text: strings.Join(strings.Fields(string(src[from:to])), " "), becomes: becomes,
		}
		p.nth = same[p.key()]
		same[p.key()]++
		points = append(points, p)
		edits = append(edits, edit{from, true, to - from, number(open, p.id)}, edit{to, false, to - from, number(end, p.id)})
	}
	status := statusOf(file)
	var visit func(ast.Node) bool
	visit = func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			function = n.Name.Name
			if n.Body != nil {
				ast.Inspect(n.Body, visit)
			}
			return false
		case *ast.GenDecl:
			return n.Tok == token.VAR
		case *ast.BinaryExpr:
			if to, ok := inverse[n.Op]; ok {
				add(n, to.String(), "((", ") != mutantOn(%d))")
			}
		case *ast.CallExpr:
			if s, ok := n.Fun.(*ast.SelectorExpr); ok && rows[s.Sel.Name] != "" && len(n.Args) == 4 && plain(s.X) {
				other := string(src[fset.Position(s.X.Pos()).Offset:fset.Position(s.X.End()).Offset]) + "." + rows[s.Sel.Name]
				add(s, rows[s.Sel.Name], "mutantPick(%d, ", ", "+other+")")
				for _, arg := range n.Args {
					ast.Inspect(arg, visit)
				}
				return false
			}
		case *ast.KeyValueExpr:
			if _, field := n.Key.(*ast.Ident); !field {
				ast.Inspect(n.Key, visit)
			}
			ast.Inspect(n.Value, visit)
			return false
		case *ast.SelectorExpr:
			if other := status(n); other != "" {
				add(n, other, "mutantPick(%d, ", ", "+other+")")
				return false
			}
			ast.Inspect(n.X, visit)
			return false
		case *ast.Ident:
			if other := status(n); other != "" {
				add(n, other, "mutantPick(%d, ", ", "+other+")")
			}
		}
		return true
	}
	for _, d := range file.Decls {
		function = "package"
		ast.Inspect(d, visit)
	}
	return apply(src, edits), points, nil
}

// number puts a mutant's number into the text of an edit.
func number(text string, id int) string {
	return strings.ReplaceAll(text, "%d", strconv.Itoa(id))
}

// statusOf returns what tells a status word of package verify, as this file writes it, and
// gives the word that it is flipped to.
func statusOf(file *ast.File) func(ast.Expr) string {
	return func(e ast.Expr) string {
		switch e := e.(type) {
		case *ast.SelectorExpr:
			if x, ok := e.X.(*ast.Ident); ok && x.Name == "verify" && statuses[e.Sel.Name] != "" {
				return "verify." + statuses[e.Sel.Name]
			}
		case *ast.Ident:
			if file.Name.Name == "verify" {
				return statuses[e.Name]
			}
		}
		return ""
	}
}

// plain reports whether evaluating e twice is evaluating it once.
func plain(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name != "verify"
	case *ast.SelectorExpr:
		return plain(e.X)
	}
	return false
}

// apply puts the edits into the source. Where several meet, what ends comes before what
// begins, and the inner is inside the outer.
func apply(src []byte, edits []edit) []byte {
	slices.SortStableFunc(edits, func(a, b edit) int {
		if a.at != b.at {
			return cmp.Compare(a.at, b.at)
		}
		if a.open != b.open {
			if a.open {
				return 1
			}
			return -1
		}
		if a.open {
			return cmp.Compare(b.width, a.width)
		}
		return cmp.Compare(a.width, b.width)
	})
	var out []byte
	at := 0
	for _, e := range edits {
		out = append(append(out, src[at:e.at]...), e.text...)
		at = e.at
	}
	return append(out, src[at:]...)
}
