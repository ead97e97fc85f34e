package pin

import (
	"bytes"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/canonical"
	"github.com/replay-gate/replay-gate/verify/jsondoc"
)

// Promptfoo is what `promptfoo eval -o results.json` writes, as a kind of evidence. It
// embeds its configuration, and each prompt as it was read. So a prompt file that the
// configuration names and that nobody can have read is a FAIL. All else is told of: the
// output says neither when it was filtered, nor what code made of a file.
type Promptfoo struct{}

// Kind is "promptfoo".
func (Promptfoo) Kind() string { return "promptfoo" }

// Title is "promptfoo output".
func (Promptfoo) Title() string { return "promptfoo output" }

// Patterns matches the names under which outputs are usually kept. Each file there has to
// be looked into, so they are few.
func (Promptfoo) Patterns() []string { return []string{"**/*results*.json", "**/*promptfoo*.json"} }

// Marks reports whether data has what every output has: the id of the evaluation and the
// prompts of the results. They are found by name, in whatever order.
func (Promptfoo) Marks(_ string, data []byte) bool {
	return bytes.Contains(data, []byte(`"evalId"`)) && bytes.Contains(data, []byte(`"results"`)) && bytes.Contains(data, []byte(`"prompts"`))
}

// maxPrompts bounds the prompts of a configuration that are compared.
const maxPrompts = 500

// stripped is what promptfoo writes in place of a prompt when it is told to.
const stripped = "[prompt stripped]"

// Verify compares each prompt file of the configuration with the prompts in the output.
func (Promptfoo) Verify(ctx context.Context, e *verify.Evidence) verify.Result {
	rec := verify.Recording{Name: strings.TrimSuffix(path.Base(e.Path), path.Ext(e.Path)), Tool: "promptfoo"}
	data, err := e.Tree.ReadFile(e.Path, verify.MaxEvidence)
	if err != nil {
		return verify.Unreadable(e, "evidence", rec, err)
	}
	o := &output{e: e, ctx: ctx, doc: jsondoc.Parse(data), rows: verify.Rows{Path: e.Path}}
	o.r = verify.Result{SHA256: canonical.RawHash(data), Recording: rec}
	o.judge()
	o.r.Checks = o.rows.Checks
	return o.r
}

// output collects the checks of one output.
type output struct {
	e    *verify.Evidence
	ctx  context.Context
	doc  *jsondoc.Document
	rows verify.Rows
	r    verify.Result
	raw  map[string]*storedPrompt // by their text
	// open are the entries that may have given prompts which nobody can tell here: code,
	// globs, files that are gone.
	open bool
	// unmatched are the prompt files of which no text is stored.
	unmatched []unmatched
}

// storedPrompt is a prompt of the output.
type storedPrompt struct {
	labels string
	named  bool // by an entry of the configuration
}

type unmatched struct {
	field, file string
	node        *jsondoc.Node
}

func (o *output) judge() {
	fail := func(field string, at verify.Spot, code, reason string) {
		o.r.Unchecked = verify.Shorten(reason, verify.MaxValue)
		at.Text = ""
		o.rows.Fail(field, at, code, reason)
	}
	if d := o.doc.Damage(); d.Code != "" {
		fail("json", d.Spot(), d.Code, d.Reason)
		return
	}
	root := o.doc.Root
	for _, p := range o.doc.Problems {
		field := p.Field
		if field == "" {
			field = "json"
		}
		o.rows.Fail(field, verify.Spot{Line: p.Line, Column: p.Column}, p.Code, p.Reason)
	}
	id, prompts := root.Get("evalId"), root.Get("results").Get("prompts")
	switch {
	case !root.Is(jsondoc.Object):
		fail("json", o.doc.Spot(root), "wrong-type", wrongType(root, jsondoc.Object))
		return
	case !id.Is(jsondoc.String) && !id.Is(jsondoc.Null):
		fail("evalId", o.doc.Spot(id), "wrong-type", wrongType(id, jsondoc.String))
		return
	case !prompts.Is(jsondoc.Array):
		fail("results.prompts", o.doc.Spot(prompts), "wrong-type", wrongType(prompts, jsondoc.Array))
		return
	}
	o.r.Recording.InvokedAt = short(root.Get("results").Get("timestamp").Text())
	o.r.Recording.ToolVersion = short(root.Get("metadata").Get("promptfooVersion").Text())
	if !o.stored(prompts) {
		return
	}
	list := root.Get("config").Get("prompts")
	items := list.Items()
	if list.Is(jsondoc.String) {
		items = []*jsondoc.Node{list}
	}
	for i, n := range items[:min(len(items), maxPrompts)] {
		if o.ctx.Err() != nil {
			return
		}
		o.prompt(fmt.Sprintf("config.prompts[%d]", i), n)
	}
	o.settle()
	if len(o.rows.Checks) == 0 || len(items) > maxPrompts {
		o.rows.Info("config.prompts", o.doc.Spot(cmpNode(list, root)), "not-compared", "names no prompts that were compared with files")
	}
}

// stored gathers the prompts of the output, and reports whether they can be compared.
func (o *output) stored(prompts *jsondoc.Node) bool {
	o.raw = make(map[string]*storedPrompt)
	for i, n := range prompts.Items() {
		raw := n.Get("raw")
		if !raw.Is(jsondoc.String) {
			o.rows.Fail(fmt.Sprintf("results.prompts[%d].raw", i), o.doc.Spot(cmpNode(raw, n)), "wrong-type", wrongType(raw, jsondoc.String))
			return false
		}
		if raw.Text() == stripped {
			o.rows.Info("results.prompts", o.doc.Spot(prompts), "stripped", "the prompts were left out of the output")
			return false
		}
		p := o.raw[raw.Text()]
		if p == nil {
			p = new(storedPrompt)
			o.raw[raw.Text()] = p
		}
		if len(p.labels) < 1<<16 {
			p.labels += n.Get("label").Text() + "\n"
		}
	}
	return true
}

// prompt judges one prompt of the configuration.
func (o *output) prompt(field string, n *jsondoc.Node) {
	name := n
	if n.Is(jsondoc.Object) {
		if name = n.Get("raw"); name == nil {
			name = n.Get("id")
		}
	}
	spec := name.Text()
	where := strings.TrimPrefix(spec, "file://")
	info := func(code, reason string) {
		o.open = true
		o.rows.Info(field, o.doc.Spot(name), code, reason)
	}
	switch {
	case !name.Is(jsondoc.String) && n.Get("label").Is(jsondoc.String):
		info("not-compared", "is no text")
		return
	case !name.Is(jsondoc.String):
		o.rows.Fail(field, o.doc.Spot(cmpNode(name, n)), "wrong-type", "must be a text, or an object with a raw text")
		return
	case o.raw[spec] != nil:
		o.raw[spec].named = true
		o.rows.OK(field, o.doc.Spot(name), "its text is the one that was evaluated")
		return
	case strings.Contains(where, "\n"), IsGlob(where), strings.Contains(where, "{{"):
		info("not-compared", "names no single file")
		return
	}
	split := promptsOf(where)
	if split == nil {
		info("not-compared", "is no text file: what promptfoo made of it is not known here")
		return
	}
	file := o.find(where)
	if file == "" {
		info("not-found", "there is no such file in the tree")
		return
	}
	o.compare(field, name, file, split)
}

// compare holds a prompt file against the prompts that the output stores; one is enough.
func (o *output) compare(field string, n *jsondoc.Node, file string, split func([]byte) []string) {
	in := verify.Input{Role: "prompt", Path: file, Recorded: short(n.Text()), Place: verify.PlaceInputs}
	data, err := o.e.Tree.ReadFile(file, verify.MaxInput)
	if !slices.Contains(o.r.Inputs, in) {
		o.r.Inputs = append(o.r.Inputs, in)
	}
	if err != nil {
		o.rows.Fail(field, o.doc.Spot(n), "unreadable", verify.ReadReason(err)).Input = file
		return
	}
	texts, same := split(data), false
	for _, text := range texts {
		if p := o.raw[text]; p != nil {
			p.named, same = true, true
		}
	}
	var row *verify.Check
	switch {
	case same:
		row = o.rows.OK(field, o.doc.Spot(n), "its text is among those that were evaluated")
	case len(texts) == 0:
		o.open = true
		row = o.rows.Info(field, o.doc.Spot(n), "not-compared", "holds nothing that can be compared")
	default:
		o.unmatched = append(o.unmatched, unmatched{field, file, n})
		return
	}
	row.Observed, row.Input = short(file), file
}

// settle judges the files of which no text is stored. Such a file has changed if the output
// stores a text that nothing else gave. If it stores none, a filter left the file out.
func (o *output) settle() {
	var strangers []*storedPrompt
	for _, p := range o.raw {
		if !p.named {
			strangers = append(strangers, p)
		}
	}
	for _, u := range o.unmatched {
		base := path.Base(u.file)
		told := slices.ContainsFunc(strangers, func(p *storedPrompt) bool { return strings.Contains(p.labels, base) })
		var row *verify.Check
		if told || len(strangers) > 0 && !o.open {
			row = o.rows.Fail(u.field, o.doc.Spot(u.node), "prompt-differs", "none of the prompts that were evaluated is the text of this file")
			row.Hint, row.Command = "run the evaluation again", []string{"promptfoo", "eval", "-o", short(o.e.Path)}
		} else {
			row = o.rows.Info(u.field, o.doc.Spot(u.node), "not-evaluated", "none of its text is in the output: it was filtered, or is another configuration's")
		}
		row.Observed, row.Input = short(u.file), u.file
	}
}
