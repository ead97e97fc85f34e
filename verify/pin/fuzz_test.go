package pin

import (
	"testing"
	"testing/fstest"

	"github.com/replay-gate/replay-gate/verify"
)

// FuzzVerify judges any statement: nothing panics, there is always a row, and a verdict
// without a FAIL has something that is ok.
func FuzzVerify(f *testing.F) {
	whole := pinned(f, repo(), request())
	f.Add(whole[pinPath].Data)
	f.Add(envelope(f, whole[pinPath].Data).Data)
	f.Add([]byte(`{"_type": "https://in-toto.io/Statement/v1", "subject": [{"name": "evals/report.md", "digest": {"gitBlob": "00"}}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		fsys := write(repo(), nil)
		fsys[pinPath] = &fstest.MapFile{Data: data}
		r := Format{}.Verify(t.Context(), &verify.Evidence{Path: pinPath, Tree: verify.NewTree(fsys)})
		if len(r.Checks) == 0 || r.Count(verify.Fail) == 0 && r.Count(verify.OK) == 0 {
			t.Errorf("%+v", r.Checks)
		}
		Format{}.Record(&verify.Evidence{Path: pinPath, Tree: verify.NewTree(fsys)})
		if p, err := Decode(data); err == nil {
			if _, err := p.Encode(); err != nil && len(p.Subjects) > 0 {
				t.Log(err)
			}
		}
	})
}

// FuzzValue reads keys of any text: nothing panics, and the same keys give the same hash.
func FuzzValue(f *testing.F) {
	f.Add("a.toml", []byte("a = 1\n[b]\nc = [1979-05-27, 1e9]\n"), "b.c")
	f.Add("a.yml", []byte("a: {b: [1, 2]}\n"), "a.b.1")
	f.Add("a.json", []byte(`{"a.b": {"__proto__": 1}}`), "a.b")
	f.Fuzz(func(t *testing.T, name string, data []byte, key string) {
		one, err := ValueHash(name, data, []string{key})
		two, again := ValueHash(name, data, []string{key})
		if one != two || (err == nil) != (again == nil) {
			t.Errorf("%s %v, %s %v", one, err, two, again)
		}
	})
}
