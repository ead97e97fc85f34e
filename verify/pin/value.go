package pin

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/canonical"
)

// ErrNoKey says that a file has no value at a key.
var ErrNoKey = errors.New("there is no such key")

// value is the hash of the parsed value of a file, or of some of its keys.
type value struct {
	sum  string // hex
	code string // why there is none
	err  error
}

type valueKey struct{ path, keys string }

// valueAt hashes the values of keys of a file of the tree; no keys mean all of it.
func valueAt(t *verify.Tree, name string, keys []string) value {
	return verify.Once(t, valueKey{name, strings.Join(keys, "\x00")}, func(t *verify.Tree) value {
		data, err := t.ReadFile(name, verify.MaxInput)
		if err != nil {
			return value{code: "unreadable", err: errors.New(verify.ReadReason(err))}
		}
		sum, err := ValueHash(name, data, keys)
		if err != nil {
			return value{code: codeOf(err), err: err}
		}
		return value{sum: sum}
	})
}

// Recall tells a version of an input by its bytes, or by its value or those of its keys,
// where the pin has that hash as well.
func (Format) Recall(_ *verify.Evidence, in verify.Input) func(content []byte) bool {
	if in.Value == "" {
		return nil
	}
	_, keys := SplitSpec("#" + in.Key)
	return func(content []byte) bool {
		if canonical.RawHash(content) == in.Hash {
			return true
		}
		sum, err := ValueHash(in.Path, content, keys)
		return err == nil && algSHA256+":"+sum == in.Value
	}
}

func codeOf(err error) string {
	if errors.Is(err, ErrNoKey) {
		return "key-missing"
	}
	if _, ok := errors.AsType[*canonical.CannotJudgeError](err); ok {
		return "cannot-judge"
	}
	return "not-valid"
}

// IsStructured reports whether the file at name is one whose value can be hashed.
func IsStructured(name string) bool { return parserFor(name) != nil }

// parserFor is the parser for files of this name, nil if there is none.
func parserFor(name string) func([]byte) (canonical.Value, error) {
	switch path.Base(name) {
	case "uv.lock", "poetry.lock", "Cargo.lock", "Pipfile":
		return parseTOML
	case "dvc.lock":
		return canonical.ParseExact
	}
	switch strings.ToLower(path.Ext(name)) {
	case ".yml", ".yaml", ".json":
		return canonical.ParseExact
	case ".toml":
		return parseTOML
	}
	return nil
}

// ValueHash is the sha256, in hex, of the canonical JSON of the values of keys in the
// YAML, JSON or TOML file at name: an object with a member for each key, named by the
// path that it led along. Without keys it is that of the whole value. Values are those of
// [canonical.ParseExact].
func ValueHash(name string, data []byte, keys []string) (string, error) {
	parse := parserFor(name)
	if parse == nil {
		return "", fmt.Errorf("no keys can be read from %s: it is neither YAML nor JSON nor TOML by its name", path.Base(name))
	}
	v, err := parse(data)
	if err != nil {
		return "", err
	}
	if len(keys) > 0 {
		picked := new(canonical.Object)
		for _, key := range keys {
			found := lookup(v, strings.Split(key, "."))
			switch len(found) {
			case 0:
				return "", fmt.Errorf("%w: %s", ErrNoKey, verify.Shorten(key, 128))
			case 1:
				picked.Set(found[0].path, found[0].value)
			default:
				return "", &canonical.CannotJudgeError{Construct: "a key that leads to two values: " + verify.Shorten(key, 128)}
			}
		}
		v = picked
	}
	sum := sha256.Sum256(canonical.AppendJSON(nil, v))
	return hex.EncodeToString(sum[:]), nil
}

// maxSteps bounds a key, so that looking it up ends soon.
const maxSteps = 16

// place is a value and the path to it: names with dots between them, a name that holds a
// dot itself in quotation marks, the place in a list in brackets.
type place struct {
	path  string
	value canonical.Value
}

// lookup follows the steps of a dotted key, at most to two values: a name may hold a dot
// itself.
func lookup(v canonical.Value, steps []string) []place {
	if len(steps) == 0 {
		return []place{{"", v}}
	}
	if len(steps) > maxSteps {
		return nil
	}
	var all []place
	follow := func(step string, next canonical.Value, rest []string) {
		for _, p := range lookup(next, rest) {
			if len(rest) > 0 {
				p.path = step + "." + p.path
			} else {
				p.path = step
			}
			all = append(all, p)
		}
	}
	switch v := v.(type) {
	case *canonical.Object:
		for n := 1; n <= len(steps) && len(all) < 2; n++ {
			name := strings.Join(steps[:n], ".")
			if next, ok := v.Get(name); ok && n == 1 {
				follow(name, next, steps[n:])
			} else if ok {
				follow(strconv.Quote(name), next, steps[n:])
			}
		}
	case []canonical.Value:
		if i, err := strconv.Atoi(steps[0]); err == nil && i >= 0 && i < len(v) {
			follow("["+steps[0]+"]", v[i], steps[1:])
		}
	}
	return all
}

// sortedKeys is a list of keys as a pin holds it.
func sortedKeys(keys []string) []string {
	keys = slices.Clone(keys)
	slices.Sort(keys)
	return slices.Compact(keys)
}
