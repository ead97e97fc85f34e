package dvc

import (
	"errors"
	"fmt"
	"path"
	"regexp"

	"gopkg.in/yaml.v3"

	"github.com/replay-gate/replay-gate/verify"
)

// maxPipeline bounds a dvc.yaml, in bytes.
const maxPipeline = 4 << 20

// scheme begins what is no path in the repository: a URL, a remote, a Windows drive.
var scheme = regexp.MustCompile(`^(?:[A-Za-z][A-Za-z0-9+.-]*://|[A-Za-z]:[\\/])`)

// pipeline is a dvc.yaml with all its stages, those of foreach and matrix one by one.
type pipeline struct {
	path   string
	absent bool
	err    error // why it can't be read; DVC stops for it
	line   int   // of err
	stages []*stage
	byName map[string]*stage
	// open are foreach and matrix stages whose items can't be told, with the reason.
	open map[string]error
	vars []string // files that vars were read from
}

// stage is one stage as dvc.yaml has it, its texts resolved.
type stage struct {
	name   string
	wdir   string // in the tree
	err    error  // wdir can't be told: nothing of the stage can be found
	cmd    value
	cmdErr error
	// Paths count from wdir. An error says that not all can be told.
	deps           []string
	depsErr        error
	params         []paramDep
	paramsErr      error
	outs           []string
	outsErr        error
	uncached       map[string]bool // outputs with "cache: false", cleaned
	frozen, always bool
}

// paramDep are the parameters of one file that a stage rests on; no keys: all of them.
type paramDep struct {
	file string
	keys []string
}

type pipelineKey string // path

// readPipeline reads the dvc.yaml at name.
func readPipeline(t *verify.Tree, name string) *pipeline {
	return verify.Once(t, pipelineKey(name), func(t *verify.Tree) *pipeline {
		p := newPipeline(name)
		data, err := t.ReadFile(name, maxPipeline)
		if re, ok := errors.AsType[*verify.ReadError](err); ok && re.Outcome == verify.Absent {
			p.absent = true
			return p
		}
		if err != nil {
			p.err = errors.New(verify.ReadReason(err))
			return p
		}
		p.err = p.read(t, data)
		if pe, ok := errors.AsType[*parseError](p.err); ok {
			p.line = pe.line
		}
		return p
	})
}

func newPipeline(name string) *pipeline {
	return &pipeline{path: name, byName: make(map[string]*stage), open: make(map[string]error)}
}

func (p *pipeline) read(t *verify.Tree, data []byte) error {
	if err := damaged(data); err != nil {
		return err
	}
	doc, err := readYAML(data)
	if err != nil {
		return err
	}
	v, err := doc.value()
	if err != nil {
		return err
	}
	top, ok := orEmpty(v).(*dict)
	if !ok {
		return &parseError{1, "not a mapping of keys to values"}
	}
	b := &builder{pipeline: p, tree: t, dir: path.Dir(p.path), room: maxText, lines: lines(doc.root)}
	return b.build(top)
}

// lines are where the stages stand.
func lines(root *yaml.Node) map[string]int {
	at := make(map[string]int)
	for i := 0; root != nil && root.Kind == yaml.MappingNode && i+1 < len(root.Content); i += 2 {
		stages := deref(root.Content[i+1])
		if root.Content[i].Value != "stages" || stages.Kind != yaml.MappingNode {
			continue
		}
		for j := 0; j+1 < len(stages.Content); j += 2 {
			at[stages.Content[j].Value] = stages.Content[j].Line
		}
	}
	return at
}

// builder makes a pipeline's stages of its text (dvc/parsing, DataResolver).
type builder struct {
	*pipeline
	tree  *verify.Tree
	dir   string
	room  int
	lines map[string]int
	names vars
}

func (b *builder) build(top *dict) error {
	raw, _ := top.text("stages")
	if raw == nil {
		return nil
	}
	stages, ok := raw.(*dict)
	if !ok {
		return &parseError{0, "stages must be a mapping"}
	}
	b.names = vars{tree: b.tree, root: new(dict), whole: make(map[string]bool), room: &b.room}
	list, _ := top.text("vars")
	s := b.scope(list)
	for i, key := range stages.keys {
		name, ok := key.(string)
		definition, isDict := stages.vals[i].(*dict)
		if !ok || !isDict {
			return &parseError{b.lines[show(key)], "stage " + show(key) + " must be a mapping"}
		}
		if err := b.define(name, definition, s); err != nil {
			return err
		}
		if b.room < 0 {
			return &parseError{b.lines[name], "too large once all ${…} and lists are written out"}
		}
		if len(b.stages) > maxStages {
			return &parseError{b.lines[name], fmt.Sprintf("more than %d stages are not read", maxStages)}
		}
	}
	b.vars = b.names.files
	return nil
}

// scope reads the names of the whole pipeline: params.yaml if there is one, and vars.
func (b *builder) scope(list value) *scope {
	var err error
	if p, ok := within(b.dir, defaultParams); ok && b.tree.Exists(p) {
		err = b.names.file(defaultParams, b.dir)
	}
	if err == nil {
		err = b.names.load(list, b.dir)
	}
	return &scope{root: b.names.root, err: err, room: &b.room}
}

// define adds one entry of stages: a stage, or all of a foreach or matrix.
func (b *builder) define(name string, d *dict, s *scope) error {
	if each, ok := d.text("foreach"); ok {
		do, _ := d.text("do")
		template, ok := do.(*dict)
		if !ok {
			return &parseError{b.lines[name], "stage " + shown(name) + ": foreach needs do"}
		}
		b.foreach(name, each, template, s)
		return nil
	}
	if m, ok := d.text("matrix"); ok {
		b.matrix(name, m, d, s)
		return nil
	}
	st, err := b.stage(name, d, s)
	if err != nil {
		return &parseError{b.lines[name], "stage " + shown(name) + ": " + err.Error()}
	}
	b.add(st)
	return nil
}

func (b *builder) add(s *stage) {
	if _, twice := b.byName[s.name]; !twice {
		b.stages = append(b.stages, s)
		b.byName[s.name] = s
	}
}
