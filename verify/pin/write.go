package pin

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/replay-gate/replay-gate/verify/canonical"
	"github.com/replay-gate/replay-gate/verify/jsondoc"
)

// Pin is what a pin says, before it is text.
type Pin struct {
	// Subjects are the results, the first of which the pin lies beside.
	Subjects []Artifact
	// Command and StartedOn are the run; none and zero for a pin without one.
	Command   []string
	StartedOn time.Time
	// Tool is the writer's name and version, such as "replay-gate 0.4.0".
	Tool string
	// Inputs are what the run read, and Notes what only informs.
	Inputs, Notes []Artifact
	// Globs are the specs with a glob by which inputs were found, and From the
	// configurations that named some, such as "dvc.yaml:train". FromGlobs are the globs
	// that these name.
	Globs, From, FromGlobs []string
	// NotPinned says what could not be pinned, each in a few words.
	NotPinned []string
}

// Artifact is a file with its digests, in hex, of the form that git stores.
type Artifact struct {
	Name   string
	SHA256 string
	Blob   string // gitBlob
	// Keys are pinned in place of the whole file; sorted. Canonical is the hash of their
	// values, or of the whole parsed file; empty for a file that is no data.
	Keys      []string
	Canonical string
	// From is the configuration that named it, empty for what a person named.
	From string
	// Value is the text of a note that is no file.
	Value string
}

// The layout of the text, in the order in which it is written.
type (
	textStatement struct {
		Type          string           `json:"_type"`
		Subject       []textDescriptor `json:"subject"`
		PredicateType string           `json:"predicateType"`
		Predicate     textLink         `json:"predicate"`
	}
	textLink struct {
		Name       string           `json:"name"`
		Command    []string         `json:"command"`
		Materials  []textDescriptor `json:"materials"`
		Byproducts struct {
			Own textOwn `json:"replayGate"`
		} `json:"byproducts"`
	}
	textOwn struct {
		Inputs    string           `json:"inputs"`
		StartedOn string           `json:"startedOn,omitempty"`
		Tool      string           `json:"tool,omitempty"`
		Globs     []string         `json:"globs,omitempty"`
		From      []string         `json:"from,omitempty"`
		FromGlobs []string         `json:"fromGlobs,omitempty"`
		Notes     []textDescriptor `json:"notes,omitempty"`
		NotPinned []string         `json:"notPinned,omitempty"`
	}
	textDescriptor struct {
		Name        string           `json:"name"`
		Value       string           `json:"value,omitempty"`
		Digest      *textDigest      `json:"digest,omitempty"`
		Annotations *textAnnotations `json:"annotations,omitempty"`
	}
	textDigest struct {
		SHA256 string `json:"sha256"`
		Blob   string `json:"gitBlob,omitempty"`
	}
	textAnnotations struct {
		Own textNote `json:"replayGate"`
	}
	textNote struct {
		Keys      []string    `json:"keys,omitempty"`
		Canonical *textDigest `json:"canonical,omitempty"`
		From      string      `json:"from,omitempty"`
	}
)

// ErrNotText says that a pin holds a string that JSON can't.
var ErrNotText = errors.New("not valid UTF-8")

// Encode is the text of the pin: two spaces of indent, one line for each value, so that
// two branches which pin anew conflict, and a line feed at the end.
func (p Pin) Encode() ([]byte, error) {
	s := textStatement{Type: statementType, PredicateType: linkType, Subject: descriptors(p.Subjects)}
	if len(p.Subjects) == 0 {
		return nil, errors.New("a pin has at least one subject")
	}
	s.Predicate = textLink{Name: p.Subjects[0].Name, Command: append([]string{}, p.Command...), Materials: descriptors(p.Inputs)}
	s.Predicate.Byproducts.Own = textOwn{
		Inputs: p.InputsHash(), Tool: p.Tool, Globs: p.Globs, From: p.From, FromGlobs: p.FromGlobs, Notes: descriptors(p.Notes), NotPinned: p.NotPinned,
	}
	if !p.StartedOn.IsZero() {
		s.Predicate.Byproducts.Own.StartedOn = p.StartedOn.UTC().Format("2006-01-02T15:04:05.000000000Z")
	}
	if bad := p.notText(); bad != "" {
		return nil, fmt.Errorf("%w: %q", ErrNotText, bad)
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(s)
	return b.Bytes(), err
}

// notText is the first string that JSON would change.
func (p Pin) notText() string {
	all := slices.Concat(p.Command, p.Globs, p.From, p.FromGlobs, p.NotPinned, []string{p.Tool})
	for _, a := range slices.Concat(p.Subjects, p.Inputs, p.Notes) {
		all = append(append(all, a.Name, a.Value, a.From), a.Keys...)
	}
	for _, s := range all {
		if !utf8.ValidString(s) {
			return s
		}
	}
	return ""
}

func descriptors(list []Artifact) []textDescriptor {
	all := make([]textDescriptor, 0, len(list))
	for _, a := range list {
		d := textDescriptor{Name: a.Name, Value: a.Value}
		if a.SHA256 != "" {
			d.Digest = &textDigest{a.SHA256, a.Blob}
		}
		if a.Canonical != "" || a.From != "" {
			d.Annotations = &textAnnotations{textNote{Keys: a.Keys, From: a.From}}
			if a.Canonical != "" {
				d.Annotations.Own.Canonical = &textDigest{SHA256: a.Canonical}
			}
		}
		all = append(all, d)
	}
	return all
}

// InputsHash is the one line over all inputs: "sha256:" and the hash, in hex, over a line
// for each, sorted by name. A line is the JSON list of name, sha256, gitBlob, canonical
// hash and keys, without white space.
func (p Pin) InputsHash() string {
	all := make([]artifact, len(p.Inputs))
	for i, a := range p.Inputs {
		all[i] = artifact{name: a.Name, sha256: a.SHA256, blob: a.Blob, canonical: a.Canonical, keys: a.Keys}
	}
	return inputsHash(all)
}

func inputsHash(inputs []artifact) string {
	sorted := slices.Clone(inputs)
	slices.SortFunc(sorted, func(a, b artifact) int { return strings.Compare(a.name, b.name) })
	sum := sha256.New()
	for i := range sorted {
		a := &sorted[i]
		line := canonical.AppendJSON(nil, []canonical.Value{a.name, a.sha256, a.blob, a.canonical})
		line = line[:len(line)-1]
		for _, key := range a.keys {
			line = canonical.AppendString(append(line, ','), key)
		}
		sum.Write(append(line, "]\n"...))
	}
	return "sha256:" + hex.EncodeToString(sum.Sum(nil))
}

// Decode reads a pin that was written by [Pin.Encode], to make it anew. It is lenient:
// whether the pin is right is what [Format.Verify] says.
func Decode(data []byte) (Pin, error) {
	doc := jsondoc.Parse(data)
	if doc.Err != nil {
		return Pin{}, doc.Err
	}
	root := doc.Root
	predicate := root.Get("predicate")
	own := predicate.Get("byproducts").Get(ownKey)
	if root.Get("_type").Text() != statementType || root.Get("predicateType").Text() != linkType || !own.Is(jsondoc.Object) {
		return Pin{}, errors.New("it was not written by replay-gate pin")
	}
	p := Pin{
		Subjects: decodeList(root.Get("subject")), Inputs: decodeList(predicate.Get("materials")), Notes: decodeList(own.Get("notes")),
		Tool: own.Get("tool").Text(),
	}
	p.Command, _ = words(predicate.Get("command"))
	p.Globs, _ = words(own.Get("globs"))
	p.From, _ = words(own.Get("from"))
	p.FromGlobs, _ = words(own.Get("fromGlobs"))
	p.NotPinned, _ = words(own.Get("notPinned"))
	p.StartedOn, _ = time.Parse(time.RFC3339, own.Get("startedOn").Text())
	if len(p.Subjects) == 0 {
		return Pin{}, errors.New("it names no result")
	}
	return p, nil
}

func decodeList(list *jsondoc.Node) []Artifact {
	var all []Artifact
	for _, n := range list.Items() {
		own := n.Get("annotations").Get(ownKey)
		a := Artifact{
			Name: n.Get("name").Text(), Value: n.Get("value").Text(), From: own.Get("from").Text(),
			SHA256: n.Get("digest").Get(algSHA256).Text(), Blob: n.Get("digest").Get(algBlob).Text(),
			Canonical: own.Get("canonical").Get(algSHA256).Text(),
		}
		a.Keys, _ = words(own.Get("keys"))
		all = append(all, a)
	}
	return all
}
