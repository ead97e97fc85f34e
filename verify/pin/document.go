package pin

import (
	"encoding/base64"
	"fmt"
	"strings"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/jsondoc"
)

// payloadType is what an envelope around a statement says it holds (in-toto, Envelope).
const payloadType = "application/vnd.in-toto+json"

// statement is the text of one statement and where it lies.
type statement struct {
	e    *verify.Evidence
	data []byte
	doc  *jsondoc.Document // of the file
	// inner is the statement itself: doc, or the payload of the envelope in doc. It is
	// nil when there is none to be had.
	inner    *jsondoc.Document
	envelope *jsondoc.Node // nil: the file is the statement
	payload  *jsondoc.Node // of the envelope
	broken   string        // why the payload can't be decoded
}

func open(e *verify.Evidence) (*statement, error) {
	data, err := e.Tree.ReadFile(e.Path, verify.MaxEvidence)
	if err != nil {
		return nil, err
	}
	s := &statement{e: e, data: data, doc: jsondoc.Parse(data)}
	root := s.doc.Root
	if inside := root.Get("dsseEnvelope"); inside.Is(jsondoc.Object) {
		root = inside // a Sigstore bundle
	}
	if root.Get("payload") == nil && root.Get("payloadType") == nil {
		s.inner = s.doc
		return s, nil
	}
	s.envelope, s.payload = root, root.Get("payload")
	if !s.payload.Is(jsondoc.String) {
		s.broken = "must be a string of Base64, is " + s.payload.Kind().String()
		return s, nil
	}
	text, err := decodeBase64(s.payload.Text())
	if err != nil {
		s.broken = "is not Base64"
		return s, nil
	}
	s.inner = jsondoc.Parse(text)
	return s, nil
}

// decodeBase64 takes the standard alphabet and the one for URLs (DSSE, protocol).
func decodeBase64(text string) ([]byte, error) {
	text = strings.NewReplacer("-", "+", "_", "/").Replace(strings.TrimRight(text, "="))
	return base64.RawStdEncoding.DecodeString(text)
}

// root is the statement's outermost value, nil if there is none.
func (s *statement) root() *jsondoc.Node {
	if s.inner == nil {
		return nil
	}
	return s.inner.Root
}

// at is where a value of the statement stands in the file. What is inside of a payload
// stands where the payload does.
func (s *statement) at(n *jsondoc.Node) verify.Spot {
	if n == nil {
		return verify.Spot{}
	}
	if s.envelope == nil {
		return s.doc.Spot(n)
	}
	spot := s.doc.Spot(s.payload)
	spot.Text = n.Text()
	return spot
}

// document judges both texts as JSON, and reports whether there is an object to go on
// with. Nothing of a text that breaks off is judged: what is missing may be an input.
func (j *checker) document() bool {
	if !j.text("json", j.doc) {
		return false
	}
	if j.envelope == nil {
		return true
	}
	if n := j.envelope.Get("payloadType"); n.Text() != payloadType {
		return j.giveUp("payloadType", j.doc.Spot(n), "not-a-statement", "must be "+payloadType)
	}
	if j.broken != "" {
		return j.giveUp("payload", j.doc.Spot(j.payload), "malformed-payload", j.broken)
	}
	return j.text("payload", j.inner)
}

// text judges one text.
func (j *checker) text(field string, doc *jsondoc.Document) bool {
	at := func(line, column int) verify.Spot {
		if doc != j.doc {
			line, column = j.doc.Position(j.payload)
		}
		return verify.Spot{Line: line, Column: column}
	}
	if d := doc.Damage(); d.Code != "" {
		return j.giveUp(field, at(d.Line, d.Column), d.Code, d.Reason)
	}
	if !doc.Root.Is(jsondoc.Object) {
		return j.giveUp(field, at(doc.Position(doc.Root)), "wrong-type", "must be an object, is "+doc.Root.Kind().String())
	}
	for _, p := range doc.Problems {
		name := p.Field
		if name == "" {
			name = field
		}
		j.rows.Fail(name, at(p.Line, p.Column), p.Code, p.Reason)
	}
	return true
}

// giveUp fails the evidence as a whole.
func (j *checker) giveUp(field string, at verify.Spot, code, reason string) bool {
	j.r.Unchecked = verify.Shorten(reason, verify.MaxValue)
	at.Text = ""
	j.rows.Fail(field, at, code, reason)
	return false
}

// wrongType words a wrong type.
func wrongType(n *jsondoc.Node, want jsondoc.Kind) string {
	return fmt.Sprintf("must be %s, is %s", want, n.Kind())
}
