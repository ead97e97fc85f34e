package canonical

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"testing"
)

// FuzzParse holds what is true of every input: no panic, the same answer
// twice, an error of one of the two types, and a hash that is the hash of the
// canonical JSON.
func FuzzParse(f *testing.F) {
	for _, trap := range traps {
		f.Add([]byte(trap))
		f.Add([]byte("a: " + trap + "\nb:\n- " + trap + "\n"))
	}
	for _, text := range []string{"", "\n", "\uFEFFa: 1\n", "%TAG !e! x:\n---\na: !e!b 1\n...\n# c\n", "a: |+\n  x\n\n", "{\"a\": [1, {\"b\": null}]}"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		v, err := Parse(text)
		again, err2 := Parse(text)
		if !reflect.DeepEqual(v, again) || !reflect.DeepEqual(err, err2) {
			t.Fatalf("two answers: %v, %v and %v, %v", v, err, again, err2)
		}
		sum, hashErr := Hash(text)
		if err != nil {
			if !errors.As(err, new(*NotValidError)) && !errors.As(err, new(*CannotJudgeError)) {
				t.Fatalf("an error of type %T", err)
			}
			if refusal := new(CannotJudgeError); errors.As(err, &refusal) && refusal.Construct == parserFailure {
				t.Fatal("a panic was recovered")
			}
			if sum != "" || hashErr == nil {
				t.Fatalf("a hash without a value: %s", sum)
			}
			return
		}
		canonical := AppendJSON(nil, v)
		if sum != RawHash(canonical) {
			t.Fatalf("Hash = %s, but the canonical JSON has %s", sum, RawHash(canonical))
		}
		if !json.Valid(canonical) {
			t.Fatalf("not JSON: %s", canonical)
		}
		// The canonical JSON is a fixed point, where YAML can read it at all: a
		// long key in a flow collection it can't.
		if v, err := Parse(canonical); err == nil && !bytes.Equal(AppendJSON(nil, v), canonical) {
			t.Fatalf("the canonical JSON of %s is %s", canonical, AppendJSON(nil, v))
		}
	})
}
