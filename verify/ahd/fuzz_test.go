package ahd

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/jsondoc"
)

// FuzzVerify judges any sidecar with any report: nothing panics, every check
// can be rendered, and no request id is shown.
func FuzzVerify(f *testing.F) {
	f.Add([]byte(valid), []byte(block))
	f.Add([]byte(valid), []byte(""))
	f.Add([]byte(valid[:strings.Index(valid, `"req_secret_2"`)]), []byte(block))
	f.Add([]byte(strings.NewReplacer(`"tokens/quiet.yml"`, `"D:\\w\\tokens\\quiet.yml"`, `/w/ahd`, `D:\\w`).Replace(valid)), []byte(block))
	f.Add([]byte(strings.NewReplacer(`"provider":`, `"x\ny": "\u0000|",  "provider":`, `"seed": 7`, `"seed": 1e99, "seed": 8`).Replace(valid)), []byte(block))
	f.Add([]byte(`{"schema_version": 2}`), []byte(blockFence+"\nmodels:\n- id: x\n- provider_request_ids: 3 captured\n"))
	f.Add([]byte("{\"argv\": [\"\", \"/bin/ahd.js\"], \"token\": {\"path\": \"/\", \"hash\": \"\xff\"}, \"models\": [{}, 1, null]}"), []byte(blockFence+"\nbrief: null\nmodels:\n  - id: '\n"))
	f.Fuzz(func(t *testing.T, sidecar, report []byte) {
		fsys := repo()
		fsys[sidecarPath] = &fstest.MapFile{Data: sidecar}
		fsys["docs/run.md"] = &fstest.MapFile{Data: report}
		evidence := &verify.Evidence{Path: sidecarPath, Tree: verify.NewTree(fsys), Now: verify.At(now), Strict: len(sidecar)%2 == 1}
		Format{}.Marks(sidecarPath, sidecar)
		r := Format{}.Verify(t.Context(), evidence)
		wellFormed(t, r, sidecar)

		var shown strings.Builder
		for _, c := range r.Checks {
			shown.WriteString(c.Field + c.Reason + c.Recorded + c.Observed + c.Hint + "\n")
		}
		for _, m := range jsondoc.Parse(sidecar).Root.Get("models").Items() {
			for _, id := range m.Get(requestIDs).Items() {
				// Only an id that stands nowhere else can be told from other text.
				text := id.Text()
				const telling = 8
				if len(text) >= telling && strings.Count(string(sidecar), text) == 1 && !strings.Contains(string(report), text) &&
					strings.Contains(shown.String(), text) {
					t.Errorf("the request id %q is shown", text)
				}
			}
		}
	})
}

// FuzzLocate resolves any recorded path: it stays inside of the tree.
func FuzzLocate(f *testing.F) {
	for _, p := range []string{"tokens/quiet.yml", "../x", `..\x`, "/w/ahd/../../x", `D:\..\..\x`, "//", "C:/", "a\x00b", "D:\\\xff", "/w/ahd/bin/ahd.js/../../.."} {
		f.Add(p, "/w/ahd/bin/ahd.js")
		f.Add(p, `D:\bin\ahd.js`)
	}
	f.Fuzz(func(t *testing.T, recorded, program string) {
		word, err := json.Marshal(program)
		if err != nil {
			t.Fatal(err)
		}
		s := &sidecar{
			e:    &verify.Evidence{Path: sidecarPath, Tree: verify.NewTree(repo())},
			doc:  jsondoc.Parse([]byte(`{"argv": ["node", ` + string(word) + `]}`)),
			root: "packages/ahd",
		}
		p := s.locate(recorded)
		if p.path == "" {
			if p.code == "" || p.reason == "" {
				t.Errorf("%+v", p)
			}
			return
		}
		if !fs.ValidPath(p.path) {
			t.Errorf("%q leads to %q", recorded, p.path)
		}
	})
}

// FuzzRender renders any sidecar: what comes out has the block's shape and no more
// lines than it should, shows no request id, and can be put into a report twice.
func FuzzRender(f *testing.F) {
	f.Add([]byte(valid), []byte(block))
	f.Add([]byte(strings.Replace(valid, `"m-1"`, "\"`` `\"", 1)), []byte("```yaml ahd-replay\r\n```\r\n\r\nReplay this run:\r\n```sh\r\n```"))
	f.Add([]byte(strings.Replace(valid, `"node"`, `"\u2028"`, 1)), []byte(blockFence))
	f.Fuzz(func(t *testing.T, sidecar, report []byte) {
		once, err := ReplaceBlock(report, sidecar)
		if err == nil {
			if twice, err := ReplaceBlock(once, sidecar); err != nil || string(twice) != string(once) {
				t.Errorf("twice: %v\n%q\n%q", err, once, twice)
			}
		}
		text, err := RenderBlock(sidecar)
		if err != nil {
			return
		}
		if at, closed := findBlock([]byte(text)); !closed || at != (span{0, len(text), 1}) {
			t.Errorf("the block is not one block: %+v\n%s", at, text)
		}
		if commands, err := RenderCommands(sidecar); err == nil {
			if from, to := commandsBehind([]byte(commands)); from != 0 || to != len(commands) {
				t.Errorf("the commands are not one block:\n%s", commands)
			}
		}
	})
}

// FuzzCompareSubject compares any two reports: nothing panics, the rows are bounded, a
// report is like itself, and what only adds to it fails nothing.
func FuzzCompareSubject(f *testing.F) {
	f.Add([]byte(published), []byte(strings.Replace(published, "71 %", "97 %", 1)))
	f.Add([]byte("| a | 1e5 |\n|\xff| -0,5 |"), []byte("## 1.2 $3 4 tok/s"))
	f.Add([]byte(block), []byte("```yaml ahd-replay"))
	f.Fuzz(func(t *testing.T, before, after []byte) {
		for _, c := range (Format{}).CompareSubject("r.md", before, after) {
			if c.Reason == "" || c.Code == "" || len(c.Recorded)+len(c.Observed) > 2*verify.MaxValue {
				t.Errorf("%+v", c)
			}
		}
		if got := (Format{}).CompareSubject("r.md", before, before); len(got) > 0 {
			t.Errorf("a report differs from itself: %+v", got)
		}
		added := append(bytes.Clone(after), "\n\nAnd 3.5 s more.\n"...)
		for _, c := range (Format{}).CompareSubject("r.md", after, added) {
			if at, closed := findBlock(after); c.Status == verify.Fail && (at.line == 0 || closed) {
				t.Errorf("what was added fails: %+v", c)
			}
		}
		lookalikes(after)
		HasBlock(after)
	})
}
