package pin

import (
	"bytes"
	"testing"
)

// FuzzDecode: a pin that can be read can be written, and is then read as the same.
func FuzzDecode(f *testing.F) {
	p := Pin{Subjects: []Artifact{{Name: "a.md", SHA256: "sha256:" + "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"}}, Command: []string{"x", "\x00"}, Globs: []string{"**"}}
	if data, err := p.Encode(); err == nil {
		f.Add(data)
	}
	f.Add([]byte(`{"_type":"https://in-toto.io/Statement/v1"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := Decode(data)
		if err != nil {
			return
		}
		one, err := p.Encode()
		if err != nil {
			return
		}
		q, err := Decode(one)
		if err != nil {
			t.Fatalf("what was written can't be read: %v\n%s", err, one)
		}
		two, err := q.Encode()
		if err != nil || !bytes.Equal(one, two) {
			t.Errorf("%v\n%s\n%s", err, one, two)
		}
	})
}
