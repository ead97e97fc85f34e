package dvc

import (
	"bytes"
	"encoding/json"
	"errors"
	"math/big"
	"path"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/jsondoc"
)

// Bounds on a file of parameters, in bytes.
const (
	maxParams = 4 << 20
	maxTOML   = 256 << 10
)

// paramFile is what a file of parameters holds.
type paramFile struct {
	value value
	err   error // *verify.ReadError, errPython, or why it can't be understood
}

// errPython: the file is a program, and running it is the only sure way to read it.
var errPython = errors.New("is a Python file, which is not run")

// errJudge: DVC may be able to read it, and this package is not.
var errJudge = errors.New("can't be read here")

type paramsKey string // path

// readParams reads the file as DVC does, which goes by the ending of its name: .toml,
// .json, .py, and YAML for all others (dvc/utils/serialize).
func readParams(t *verify.Tree, name string) *paramFile {
	return verify.Once(t, paramsKey(name), func(t *verify.Tree) *paramFile {
		ending := paramsEnding(name)
		if ending == ".py" {
			if !t.Exists(name) {
				_, err := t.ReadFile(name, maxParams)
				return &paramFile{err: err}
			}
			return &paramFile{err: errPython}
		}
		data, err := t.ReadFile(name, maxParams)
		if err != nil {
			return &paramFile{err: err}
		}
		v, err := parseParams(data, ending)
		return &paramFile{value: orEmpty(v), err: err}
	})
}

func paramsEnding(name string) string { return strings.ToLower(path.Ext(name)) }

func parseParams(data []byte, ending string) (value, error) {
	if isPointer(data) {
		return nil, errJudge
	}
	if err := damaged(data); err != nil {
		return nil, err
	}
	switch ending {
	case ".json":
		return parseJSON(data)
	case ".toml":
		return parseTOML(data)
	}
	d, err := readYAML(data)
	if err != nil {
		return nil, err
	}
	return d.value()
}

// orEmpty is Python's "value or {}" of the readers of YAML and JSON.
func orEmpty(v value) value {
	switch x := v.(type) {
	case nil:
		return new(dict)
	case string:
		if x == "" {
			return new(dict)
		}
	case []value:
		if len(x) == 0 {
			return new(dict)
		}
	default:
		if n, ok := number(v); ok && n.Sign() == 0 {
			return new(dict)
		}
	}
	return v
}

// parseJSON reads JSON as Python's json does: integers are exact, the last of equal
// keys counts.
func parseJSON(data []byte) (value, error) {
	doc := jsondoc.Parse(data)
	if doc.Err != nil {
		if bytes.Contains(data, []byte("NaN")) || bytes.Contains(data, []byte("Infinity")) {
			return nil, errJudge // Python reads these words
		}
		return nil, &parseError{doc.Err.Line, doc.Err.Reason}
	}
	return fromJSON(doc.Root)
}

func fromJSON(n *jsondoc.Node) (value, error) {
	switch n.Kind() {
	case jsondoc.Bool:
		return n.Text() == "true", nil
	case jsondoc.Number:
		if strings.ContainsAny(n.Text(), ".eE") {
			return float(n.Text(), false)
		}
		return integer(n.Text(), false)
	case jsondoc.String:
		return n.Text(), nil
	case jsondoc.Array:
		items := make([]value, 0, len(n.Items()))
		for _, item := range n.Items() {
			v, err := fromJSON(item)
			if err != nil {
				return nil, err
			}
			items = append(items, v)
		}
		return items, nil
	case jsondoc.Object:
		d := new(dict)
		for _, m := range n.Members() {
			v, err := fromJSON(m.Value)
			if err != nil {
				return nil, err
			}
			d.set(m.Name, v)
		}
		return d, nil
	}
	return nil, nil
}

func parseTOML(data []byte) (value, error) {
	if len(data) > maxTOML || nesting(data) > maxDepth {
		return nil, errJudge
	}
	var table map[string]any
	if err := toml.Unmarshal(data, &table); err != nil {
		e := &parseError{why: err.Error()}
		if de, ok := errors.AsType[*toml.DecodeError](err); ok {
			e.line, _ = de.Position()
		}
		return nil, e
	}
	return fromTOML(table, 0)
}

// nesting is how many brackets are open at once, at most, strings counted in.
func nesting(data []byte) int {
	open, most := 0, 0
	for _, b := range data {
		switch b {
		case '[', '{':
			open++
			most = max(most, open)
		case ']', '}':
			open = max(0, open-1)
		}
	}
	return most
}

func fromTOML(x any, depth int) (value, error) {
	if depth > maxDepth {
		return nil, errJudge
	}
	switch x := x.(type) {
	case string, bool, float64:
		return x, nil
	case int64:
		return big.NewInt(x), nil
	case json.Number:
		return integer(x.String(), false)
	case time.Time:
		return moment{zoned: true, t: x}, nil
	case toml.LocalDate:
		return moment{date: true, t: x.AsTime(time.UTC)}, nil
	case toml.LocalDateTime:
		return moment{t: x.AsTime(time.UTC)}, nil
	case []any:
		items := make([]value, 0, len(x))
		for _, item := range x {
			v, err := fromTOML(item, depth+1)
			if err != nil {
				return nil, err
			}
			items = append(items, v)
		}
		return items, nil
	case map[string]any:
		keys := make([]string, 0, len(x))
		for key := range x {
			keys = append(keys, key)
		}
		sort.Strings(keys)
		d := new(dict)
		for _, key := range keys {
			v, err := fromTOML(x[key], depth+1)
			if err != nil {
				return nil, err
			}
			d.set(key, v)
		}
		return d, nil
	}
	return nil, errJudge // a time of day
}

// lookup follows a dotted key as dpath does: a key that is a number, and a place in a
// list, by their digits. judged is false for a key with wildcards, which may find more.
func lookup(v value, key string) (found value, ok, judged bool) {
	if key == "" {
		return nil, false, true
	}
	if strings.ContainsAny(key, "*?[") {
		return nil, false, false
	}
	for segment := range strings.SplitSeq(key, ".") {
		switch at := v.(type) {
		case *dict:
			if v, ok = at.get(segment); !ok {
				v, ok = numbered(at, segment)
			}
		case []value:
			var i int
			i, err := strconv.Atoi(segment)
			if ok = err == nil && i >= 0 && i < len(at); ok {
				v = at[i]
			}
		default:
			ok = false
		}
		if !ok {
			return nil, false, true
		}
	}
	return v, true, true
}

func numbered(d *dict, segment string) (value, bool) {
	i, ok := new(big.Int).SetString(segment, 10)
	if !ok || len(segment) > 20 {
		return nil, false
	}
	return d.get(i)
}
