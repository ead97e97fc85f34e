package canonical

import (
	"math"
	"regexp"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// Spelled is a plain scalar as it stands in the text, in place of a value that not every
// reader would get from it. Canonical JSON has it without quotation marks, so that it
// equals nothing else. [ParseExact] alone gives it.
type Spelled string

// ParseExact is [Parse] for texts that somebody else reads: a script in Python, which
// knows YAML 1.1 and integers of any length. What those readers keep apart it keeps apart
// too, so that two texts with the same canonical JSON mean the same to all of them.
//
// A plain scalar that YAML 1.1 reads as something else (no, 012, 1e3, 12:30, 2026-05-01)
// is [Spelled], and so is a number that JSON can't show or no double holds. A tag
// whose meaning is the reader's, a member __proto__ and a merge key in quotation marks can't be judged.
func ParseExact(data []byte) (Value, error) { return parse(data, true) }

// exactScalar is v, or its spelling if others read another value from the plain text.
func exactScalar(text string, v Value) Value {
	switch v := v.(type) {
	case string:
		if otherwise.MatchString(text) || timestamp.MatchString(text) {
			return Spelled(text)
		}
	case float64:
		whole := commonInt.MatchString(text) && math.Abs(v) < 1<<53
		if !whole && (!commonFloat.MatchString(text) || math.IsInf(v, 0)) {
			return Spelled(text)
		}
	}
	return v
}

// ExactInt is an integer as [ParseExact] has it: its spelling where no double holds it.
func ExactInt(i int64) Value {
	if i > 1<<53 || i < -1<<53 {
		return Spelled(strconv.FormatInt(i, 10))
	}
	return float64(i)
}

// What YAML 1.1 makes of plain scalars (yaml.org/type; for numbers as PyYAML has it).
var (
	// otherwise are the words and numbers of 1.1 that are strings in 1.2.
	otherwise = regexp.MustCompile(`^(?:y|Y|yes|Yes|YES|n|N|no|No|NO|on|On|ON|off|Off|OFF|=` +
		`|[-+]?0b[01_]+|[-+]?[0-9][0-9_]*|[-+]?0x[0-9a-fA-F_]+` +
		`|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?` +
		`|[-+]?(?:[0-9][0-9_]*)?\.[0-9_]+(?:[eE][-+][0-9]+)?|[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+][0-9]+)?)$`)
	commonInt   = regexp.MustCompile(`^(?:[-+]?(?:0|[1-9][0-9]*)|0x[0-9a-fA-F]+)$`)
	commonFloat = regexp.MustCompile(`^[-+]?(?:[0-9]+\.[0-9]*|\.[0-9]+)(?:[eE][-+][0-9]+)?$`)
)

// exactTag refuses a tag that gives a value another reader may not have, or that
// canonical JSON shows nothing of.
func (w *walker) exactTag(tag string) error {
	switch strings.TrimPrefix(tag, coreTag) {
	case "", "!", "str", "seq", "map":
		return nil
	}
	return w.cannotJudge("a tag that readers take differently")
}

// exactKey refuses a key that canonical JSON leaves out, or that means two things.
func (b *mapBuilder) exactKey(n *yaml.Node) error {
	switch {
	case n.Kind != yaml.ScalarNode:
		return b.w.cannotJudge(collectionKey)
	case b.name == "__proto__":
		return b.w.cannotJudge("a key __proto__")
	case b.name == "<<" && n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0:
		return b.w.cannotJudge("a merge key in quotation marks")
	}
	return nil
}
