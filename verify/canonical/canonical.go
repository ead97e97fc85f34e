package canonical

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"gopkg.in/yaml.v3"
)

const (
	// MaxSize is the largest input in bytes. It is chosen so that the worst
	// text of that size stays well below 256 MB of memory and two seconds.
	MaxSize = 1 << 20
	// MaxDepth is how deep collections may nest. The reference's own stack
	// gives out somewhere between 785 and 935 levels.
	MaxDepth = 500
	// maxExpanded bounds the canonical JSON, in bytes, after aliases.
	maxExpanded = 64 << 20
)

// Parse reads YAML or JSON bytes as the reference reads them. The error is a
// [*NotValidError] or a [*CannotJudgeError]; [errors.As] tells which.
func Parse(data []byte) (Value, error) { return parse(data, false) }

func parse(data []byte, exact bool) (v Value, err error) {
	// The input is hostile, and yaml.v3 has panicked before.
	defer func() {
		if p := recover(); p != nil {
			v, err = nil, &CannotJudgeError{0, parserFailure}
		}
	}()
	if len(data) > MaxSize {
		return nil, &CannotJudgeError{0, fmt.Sprintf("larger than %d MiB", MaxSize>>20)}
	}
	src, err := readSource(data)
	if err != nil {
		return nil, err
	}
	v, err = read(src, src.text, exact)
	var rejected *rejection
	var cannotJudge *CannotJudgeError
	if !errors.As(err, &rejected) && !errors.As(err, &cannotJudge) {
		return v, err
	}
	// The fault may be yaml.v3's, so it gets a second chance with a text that
	// it is more likely to understand.
	if plain := plainText(src.text); plain != src.text {
		v, second := read(src, plain, exact)
		if second == nil {
			return v, nil
		}
		if cannotJudge == nil {
			err = second
		}
	}
	if errors.As(err, &rejected) {
		return nil, rejected.blame(src.text)
	}
	return nil, err
}

// read parses shown, a text with the bytes of src.text at the same offsets,
// with yaml.v3, and reads the values from src.text.
func read(src *source, shown string, exact bool) (Value, error) {
	var m mask
	masked, ok := m.apply(shown)
	if !ok {
		return nil, &CannotJudgeError{1, "every private-use character"}
	}
	w := &walker{
		src:     src.text,
		shown:   shown,
		mask:    &m,
		exact:   exact,
		handles: src.handles,
		anchors: map[string]*anchor{},
		aliases: map[*yaml.Node]*anchor{},
		line:    1,
	}
	if v, is, err := w.rootBlockScalar(src); is {
		return v, err
	}
	root, err := parseNode(masked)
	if err != nil {
		return nil, err
	}
	return w.document(root, src)
}

// parseNode returns the root node of the only document, or nil.
func parseNode(text []byte) (*yaml.Node, error) {
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	var document yaml.Node
	switch err := decoder.Decode(&document); {
	case errors.Is(err, io.EOF):
		return nil, nil
	case err != nil:
		return nil, &rejection{err}
	}
	if err := decoder.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return nil, &CannotJudgeError{0, twoReadings}
	}
	return document.Content[0], nil
}
