package dvc

import (
	"bytes"
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/replay-gate/replay-gate/verify"
)

// Bounds on a lock.
const (
	maxStages   = 5000
	maxEntries  = 20_000 // of all stages
	maxProblems = 20
)

// lock is a dvc.lock as recorded.
type lock struct {
	version  int // of its schema
	stages   []*lockStage
	byName   map[string]*lockStage
	problems []problem
}

// problem is what DVC's reader refuses a file for.
type problem struct {
	at           verify.Spot
	code, reason string
}

// lockStage is what was recorded of one stage.
type lockStage struct {
	name       string
	at         verify.Spot
	cmd        value
	cmdAt      verify.Spot
	deps, outs []*entry
	params     []*lockParams
}

// entry is the recorded state of one dependency or output.
type entry struct {
	path   string
	at     verify.Spot // of the hash
	hash   string      // md5, with .dir for a folder; empty if there is none
	hashes verify.Hashes
	size   int64  // -1 if not recorded
	nfiles int64  // -1 if not recorded
	other  string // what identifies it in place of an md5: etag, checksum, …
}

func (e *entry) dir() bool { return strings.HasSuffix(e.hash, ".dir") }

type lockParams struct {
	file string
	at   verify.Spot
	keys []lockParam
}

type lockParam struct {
	key   string
	value value
	at    verify.Spot
}

func (p *lockParams) get(key string) *lockParam {
	if p == nil {
		return nil
	}
	for i := range p.keys {
		if p.keys[i].key == key {
			return &p.keys[i]
		}
	}
	return nil
}

func (s *lockStage) paramsOf(file string) *lockParams {
	for _, p := range s.params {
		if clean(p.file) == clean(file) {
			return p
		}
	}
	return nil
}

func spot(n *yaml.Node) verify.Spot {
	if n == nil {
		return verify.Spot{}
	}
	return verify.Spot{Line: n.Line, Column: n.Column, Text: n.Value}
}

// lockReader reads a lock against DVC's schema (dvc/schema.py, LOCKFILE_SCHEMA).
type lockReader struct {
	doc   *document
	count int // of entries
	*lock
}

// readLock reads a lock. What can't be read as one at all is an error; what DVC would
// refuse it for is among the lock's problems, and the rest is read all the same.
func readLock(data []byte) (*lock, error) {
	if d := verify.DamageOf(data); d.Code != "" && !bytes.HasPrefix(data, []byte("\ufeff")) || d.Code == "conflict-markers" {
		return nil, &problem{d.Spot(), d.Code, d.Reason}
	}
	doc, err := readYAML(data)
	if err != nil {
		p := &problem{code: "not-yaml", reason: "is not YAML: " + err.Error()}
		if pe, ok := err.(*parseError); ok { //nolint:errorlint // readYAML's own
			p.at.Line = pe.line
		}
		return nil, p
	}
	if doc.root == nil || doc.root.Kind != yaml.MappingNode {
		return nil, &problem{at: spot(doc.root), code: "schema", reason: "is no lock: not a mapping of keys to values"}
	}
	r := &lockReader{doc: doc, lock: &lock{byName: make(map[string]*lockStage)}}
	r.top(doc.root)
	if bytes.HasPrefix(data, []byte("\ufeff")) {
		r.problems = append(r.problems, problem{verify.Spot{Line: 1, Column: 1}, "byte-order-mark", "starts with a byte order mark, which DVC never writes; save it without"})
	}
	r.cutOff()
	return r.lock, nil
}

// cutOff looks at the last entry: when it lacks the size that all others have, or a folder
// the number of files that stands behind it, the text breaks off there.
func (r *lockReader) cutOff() {
	var last *entry
	sizes := true
	for _, s := range r.stages {
		for _, e := range slices.Concat(s.deps, s.outs) {
			if last != nil {
				sizes = sizes && last.size >= 0
			}
			last = e
		}
	}
	if last == nil || r.version == 1 || last.hash == "" {
		return
	}
	if sizes && last.size < 0 || last.dir() && last.size >= 0 && last.nfiles < 0 {
		at := last.at
		at.Text = ""
		r.problems = append(r.problems, problem{at, "truncated", "breaks off within the entry of " + shown(last.path)})
	}
}

func (p *problem) Error() string { return p.reason }

func (r *lockReader) refuse(n *yaml.Node, format string, args ...any) {
	if len(r.problems) < maxProblems {
		r.problems = append(r.problems, problem{spot(n), "schema", "DVC refuses this lock: " + fmt.Sprintf(format, args...)})
	}
}

// members are the pairs of a mapping; a key that stands twice is a problem.
func (r *lockReader) members(n *yaml.Node, what string) []pair {
	n = deref(n)
	if n.Kind != yaml.MappingNode {
		r.refuse(n, "%s must be a mapping", what)
		return nil
	}
	var all []pair
	seen := make(map[string]bool)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if seen[key.Value] {
			if len(r.problems) < maxProblems {
				r.problems = append(r.problems, problem{spot(key), "duplicate-key",
					fmt.Sprintf("DVC refuses this lock: %q stands twice in %s, the second time at line %d", verify.Shorten(key.Value, 96), what, key.Line)})
			}
			continue
		}
		seen[key.Value] = true
		all = append(all, pair{key, n.Content[i+1]})
	}
	return all
}

func (r *lockReader) top(root *yaml.Node) {
	members := r.members(root, "the file")
	var stages *yaml.Node
	r.version = 1
	for _, m := range members {
		switch m.key.Value {
		case "schema":
			r.version = 2
			if v, err := r.doc.of(m.value); err != nil || v != value("2.0") {
				r.refuse(m.value, "schema must be '2.0'")
			}
		case "stages":
			stages = m.value
		}
	}
	if r.version == 1 {
		if len(members) == 1 && stages != nil && !hasCmd(stages) {
			r.refuse(root, "schema: '2.0' is missing")
			members = r.members(stages, "stages")
		}
		r.readStages(members)
		return
	}
	for _, m := range members {
		switch m.key.Value {
		case "schema", "stages", "datasets":
		default:
			r.refuse(m.key, "unknown key %q", verify.Shorten(m.key.Value, 96))
		}
	}
	if stages != nil {
		r.readStages(r.members(stages, "stages"))
	}
}

// hasCmd tells a stage that is called "stages" from the key of version 2.
func hasCmd(n *yaml.Node) bool {
	n = deref(n)
	for i := 0; n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == "cmd" && deref(n.Content[i+1]).Kind != yaml.MappingNode {
			return true
		}
	}
	return false
}

func (r *lockReader) readStages(members []pair) {
	if len(members) > maxStages {
		r.refuse(members[maxStages].key, "more than %d stages are not read", maxStages)
		members = members[:maxStages]
	}
	for _, m := range members {
		s := r.stage(m)
		r.stages = append(r.stages, s)
		r.byName[s.name] = s
	}
}

func (r *lockReader) stage(m pair) *lockStage {
	s := &lockStage{name: m.key.Value, at: verify.Spot{Line: m.key.Line, Column: m.key.Column}}
	where := "stage " + verify.Shorten(s.name, 96)
	found := false
	for _, f := range r.members(m.value, where) {
		switch f.key.Value {
		case "cmd":
			found = true
			s.cmdAt = verify.Spot{Line: f.value.Line, Column: f.value.Column}
			v, err := r.doc.of(f.value)
			switch v.(type) {
			case string, []value:
				s.cmd = v
			default:
				r.refuse(f.value, "cmd of %s must be a text or a list", where)
			}
			if err != nil {
				r.refuse(f.value, "cmd of %s: %v", where, err)
			}
		case "deps":
			s.deps = r.entries(f.value, "deps of "+where)
		case "outs":
			s.outs = r.entries(f.value, "outs of "+where)
		case "params":
			s.params = r.params(f.value, "params of "+where)
		default:
			r.refuse(f.key, "unknown key %q in %s", verify.Shorten(f.key.Value, 96), where)
		}
	}
	if !found {
		r.refuse(m.key, "%s has no cmd", where)
	}
	return s
}

func (r *lockReader) entries(n *yaml.Node, what string) []*entry {
	n = deref(n)
	if n.Kind != yaml.SequenceNode {
		r.refuse(n, "%s must be a list", what)
		return nil
	}
	var all []*entry
	for _, item := range n.Content {
		if r.count++; r.count == maxEntries {
			r.refuse(item, "more than %d entries are not read", maxEntries)
		}
		if r.count >= maxEntries {
			break
		}
		if e := r.entry(item, what); e != nil {
			all = append(all, e)
		}
	}
	return all
}

var md5Text = regexp.MustCompile(`^[0-9a-f]{32}(?:\.dir)?$`)

func (r *lockReader) entry(n *yaml.Node, what string) *entry {
	e := &entry{size: -1, nfiles: -1, hashes: verify.HashMD5Dos2Unix, at: verify.Spot{Line: n.Line, Column: n.Column}}
	for _, f := range r.members(n, "an entry of "+what) {
		v, err := r.doc.of(f.value)
		if err != nil {
			r.refuse(f.value, "%v", err)
			continue
		}
		r.set(e, f, v, what)
	}
	if e.path == "" {
		r.refuse(n, "an entry of %s has no path", what)
		return nil
	}
	return e
}

// set takes one key of an entry (DATA_SCHEMA).
func (r *lockReader) set(e *entry, f pair, v value, what string) {
	text, isText := v.(string)
	switch key := f.key.Value; key {
	case "path":
		e.path = text
	case "md5":
		if _, isInt := v.(*big.Int); isInt {
			text = f.value.Value // nothing but digits
		}
		e.at, e.hash = spot(f.value), strings.ToLower(text)
		if n := len(e.hash); n == 1 || n == 2 {
			r.refuse(f.value, "md5 in %s is too short", what)
		}
	case "hash":
		if !isText {
			r.refuse(f.value, "hash in %s must be a text", what)
		}
		e.hashes = verify.Hashes(text)
	case "size":
		e.size = r.count64(f, v, what)
	case "nfiles":
		e.nfiles = r.count64(f, v, what)
	case "isexec":
		if _, ok := v.(bool); !ok {
			r.refuse(f.value, "isexec in %s must be true or false", what)
		}
	case "etag", "checksum", "version_id", "cloud", "files", "dataset":
		e.other = key
	default:
		r.refuse(f.key, "unknown key %q in an entry of %s", verify.Shorten(key, 96), what)
	}
}

// count64 is a number of bytes or files; -1 if it is none.
func (r *lockReader) count64(f pair, v value, what string) int64 {
	i, ok := v.(*big.Int)
	if !ok || !i.IsInt64() {
		r.refuse(f.value, "%s in %s must be an integer", f.key.Value, what)
		return -1
	}
	return i.Int64()
}

func (r *lockReader) params(n *yaml.Node, what string) []*lockParams {
	var all []*lockParams
	for _, file := range r.members(n, what) {
		p := &lockParams{file: file.key.Value, at: verify.Spot{Line: file.key.Line, Column: file.key.Column}}
		for _, m := range r.members(file.value, what) {
			v, err := r.doc.of(m.value)
			if err != nil {
				r.refuse(m.value, "%v", err)
				continue
			}
			p.keys = append(p.keys, lockParam{m.key.Value, v, verify.Spot{Line: m.value.Line, Column: m.value.Column}})
		}
		all = append(all, p)
	}
	return all
}
