package ahd

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/replay-gate/replay-gate/verify/canonical"
	"github.com/replay-gate/replay-gate/verify/jsondoc"
)

// notInBlock are the members of a sidecar that its derived block leaves out:
// the command has a block of its own.
var notInBlock = []string{"argv", "backfilled"}

// shortHash is how many digits of a hash or commit a report shows.
const shortHash = 12

// commandsIntro is the line between the derived block and the commands.
const commandsIntro = "Replay this run:"

// RenderBlock gives the block that a report derives from its sidecar, fences
// included (AHD replay, Two surfaces and Markdown redactions): request ids are
// counted, hashes shortened. It fails on a sidecar that [Format.Verify] would
// fail for a field that the block shows, and on text that can't be shown on one
// line.
func RenderBlock(sidecar []byte) (string, error) {
	r, err := newRenderer(sidecar)
	if err != nil {
		return "", err
	}
	r.line(blockFence)
	for _, key := range known[""] {
		n := r.doc.Root.Get(key)
		switch {
		case slices.Contains(notInBlock, key),
			key == "git_dirty" && n.Is(jsondoc.Bool) && n.Text() != "true",
			key == "git_dirty" && n.Is(jsondoc.Null),
			key == "brief" && n.Is(jsondoc.Null):
		case known[key] == nil:
			r.value("", key, key, n)
		case key == "models":
			r.line(key + ":")
			r.expect(key, n, jsondoc.Array)
			for i, m := range n.Items() {
				r.section(key, fmt.Sprintf("%s[%d]", key, i), m, "  - ", "    ")
			}
		default:
			r.line(key + ":")
			r.section(key, key, n, "  ", "  ")
		}
	}
	r.line("```")
	return r.result()
}

// RenderCommands gives what follows the derived block: the commands that issue
// the recorded run again, for a shell (AHD replay, Markdown redactions). Nothing
// here ever runs them.
func RenderCommands(sidecar []byte) (string, error) {
	r, err := newRenderer(sidecar)
	if err != nil {
		return "", err
	}
	r.line(commandsIntro + "\n\n```sh")
	root := r.doc.Root
	if commit := root.Get("ahd_commit"); commit.Is(jsondoc.Null) {
		r.line("# install ahd@" + r.text("ahd_version", root.Get("ahd_version")))
	} else if id := r.text("ahd_commit", commit); commitID.MatchString(id) {
		r.line("git checkout " + id[:shortHash])
		r.line(buildCommand)
	} else {
		r.fail("ahd_commit", "must be 40 hex digits or null")
	}
	argv := root.Get("argv")
	r.expect("argv", argv, jsondoc.Array)
	words := make([]string, len(argv.Items()))
	for i, n := range argv.Items() {
		words[i] = quotedWord(r.text(fmt.Sprintf("argv[%d]", i), n))
	}
	r.line(strings.Join(words, " "))
	r.line("```")
	return r.result()
}

// renderer writes lines from a sidecar's values, and keeps the first error.
type renderer struct {
	doc *jsondoc.Document
	b   strings.Builder
	err error
}

func newRenderer(sidecar []byte) (*renderer, error) {
	doc := jsondoc.Parse(sidecar)
	if doc.Err != nil {
		return nil, fmt.Errorf("the sidecar is not valid JSON: %w", doc.Err)
	}
	if len(doc.Problems) > 0 {
		p := doc.Problems[0]
		return nil, fmt.Errorf("the sidecar, line %d, column %d: %s", p.Line, p.Column, p.Reason)
	}
	if v, _ := doc.Root.Get("schema_version").Float(); v != schemaVersion {
		return nil, errors.New("the sidecar is not of schema version 1")
	}
	return &renderer{doc: doc}, nil
}

func (r *renderer) result() (string, error) {
	if r.err != nil {
		return "", r.err
	}
	return r.b.String(), nil
}

func (r *renderer) line(s string) { r.b.WriteString(s + "\n") }

func (r *renderer) fail(field, reason string) {
	if r.err == nil {
		r.err = fmt.Errorf("%s %s", field, reason)
	}
}

func (r *renderer) expect(field string, n *jsondoc.Node, kinds ...jsondoc.Kind) bool {
	switch {
	case n == nil:
		r.fail(field, "is missing")
	case !slices.Contains(kinds, n.Kind()):
		r.fail(field, mustBe(n, kinds...))
	default:
		return true
	}
	return false
}

// section writes the known members of object; first stands before the first of
// them, rest before the others.
func (r *renderer) section(name, field string, object *jsondoc.Node, first, rest string) {
	if !r.expect(field, object, jsondoc.Object) {
		return
	}
	for _, key := range known[name] {
		r.value(first, key, field+"."+key, object.Get(key))
		first = rest
	}
}

// kindsInBlock are the types of the members that are not just strings.
func kindsInBlock(key string) []jsondoc.Kind {
	switch key {
	case "schema_version", "n":
		return []jsondoc.Kind{jsondoc.Number}
	case "temperature", "seed":
		return []jsondoc.Kind{jsondoc.Number, jsondoc.Null}
	case "ahd_commit":
		return []jsondoc.Kind{jsondoc.String, jsondoc.Null}
	case "git_dirty":
		return []jsondoc.Kind{jsondoc.Bool}
	case requestIDs, "requested", "effective":
		return []jsondoc.Kind{jsondoc.Array}
	}
	return []jsondoc.Kind{jsondoc.String}
}

// value writes one "key: value", in the form that values of this key have.
func (r *renderer) value(indent, key, field string, n *jsondoc.Node) {
	if !r.expect(field, n, kindsInBlock(key)...) {
		return
	}
	s := n.Text()
	switch {
	case key == requestIDs:
		s = captured(n)
	case key == "hash":
		if !wellFormedHash.MatchString(s) {
			r.fail(field, "must be sha256: and 64 lower-case hex digits")
			return
		}
		s = s[:len("sha256:")+shortHash]
	case n.Is(jsondoc.Array):
		for i, item := range n.Items() {
			r.text(fmt.Sprintf("%s[%d]", field, i), item)
		}
		s = flowList(n)
	case n.Is(jsondoc.Number):
		f, _ := n.Float()
		s = string(canonical.AppendNumber(nil, f))
	case n.Is(jsondoc.String):
		r.text(field, n)
	}
	r.line(indent + key + ": " + s)
}

// text is a string that fits on one line as it is.
func (r *renderer) text(field string, n *jsondoc.Node) string {
	if !r.expect(field, n, jsondoc.String) {
		return ""
	}
	for _, c := range n.Text() {
		if !unicode.IsPrint(c) {
			r.fail(field, fmt.Sprintf("holds %U, which can't be shown on one line", c))
		}
	}
	return n.Text()
}

// flowList writes a list of strings as the block does: "[raw, compiled]".
func flowList(n *jsondoc.Node) string { return "[" + strings.Join(texts(n), ", ") + "]" }
