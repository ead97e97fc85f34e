package bundle

import (
	"archive/tar"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/replay-gate/replay-gate/verify"
)

// pins is a kind of evidence made for these tests: each line is an input and the
// digest it had. A line "until <time>" fails after that time, and one that is
// neither is a warning.
type pins struct{}

func (pins) Kind() string              { return "pins" }
func (pins) Title() string             { return "list of pins" }
func (pins) Patterns() []string        { return []string{"**/*.pins"} }
func (pins) Marks(string, []byte) bool { return true }

func (pins) Verify(_ context.Context, e *verify.Evidence) verify.Result {
	data, err := e.Tree.ReadFile(e.Path, verify.MaxEvidence)
	if err != nil {
		return verify.Result{Unchecked: err.Error(), Checks: []verify.Check{{Field: "pins", Status: verify.Fail, Code: "unreadable"}}}
	}
	r := verify.Result{SHA256: digest(data)}
	for line := range strings.Lines(string(data)) {
		name, want, _ := strings.Cut(strings.TrimSpace(line), " ")
		c := verify.Check{Field: name, Recorded: want, Status: verify.OK, Hint: "hints are no part of it"}
		switch when, err := time.Parse(time.RFC3339, want); {
		case name == "until" && err == nil:
			if e.Now.Time().After(when) {
				c.Status, c.Code = verify.Fail, "too-late"
			}
		case want == "":
			c.Status, c.Code = verify.Warn, "odd"
		default:
			in := verify.Input{Role: "pin", Path: name, Place: verify.PlaceInputs, Missing: !e.Tree.Exists(name)}
			r.Inputs, c.Input = append(r.Inputs, in), name
			if content, err := e.Tree.ReadFile(name, verify.MaxInput); err != nil {
				c.Status, c.Code = verify.Fail, "input-missing"
			} else if c.Observed = digest(content); c.Observed != want {
				c.Status, c.Code = verify.Fail, "hash-differs"
			}
		}
		r.Checks = append(r.Checks, c)
	}
	return r
}

// testRecords is a form for verdicts, made for these tests.
var testRecords = Records{
	Read: func(data []byte) (Record, error) {
		var s struct{ Record *Record }
		if err := json.Unmarshal(data, &s); err != nil {
			return Record{}, err
		}
		if s.Record == nil {
			return Record{}, ErrNoRecord
		}
		return *s.Record, nil
	},
	Of: func(r verify.Result, strict bool) (Record, error) {
		v := Record{Kind: r.Kind, Evidence: r.Path, SHA256: r.SHA256, Strict: strict, Verdict: "intact", Unchecked: r.Unchecked, Checks: slices.Clone(r.Checks)}
		if r.Count(verify.Fail) > 0 {
			v.Verdict = "drift"
		}
		for i := range v.Checks {
			v.Checks[i].Hint = ""
		}
		return v, nil
	},
}

const pinsPath = "runs/a b.pins"

// pinned is a tree with evidence that pins two inputs, and a bundle of it.
func pinned(t *testing.T, strict bool, change func(fstest.MapFS)) (*Bundle, Source) {
	t.Helper()
	files := fstest.MapFS{"in/one": {Data: []byte("one")}, "in/two": {Data: []byte("two")}}
	files[pinsPath] = &fstest.MapFile{Data: fmt.Appendf(nil, "in/one %s\nin/two %s\nuntil 2026-05-01T00:00:00Z\nodd\n", digest([]byte("one")), digest([]byte("two")))}
	if change != nil {
		change(files)
	}
	created := time.Date(2026, 4, 23, 10, 0, 0, 0, time.UTC)
	tree := verify.NewTree(files)
	r := verify.Engine{Now: created, Strict: strict}.Verify(context.Background(), tree, []verify.Item{{Path: pinsPath, Format: pins{}}})[0]
	record, err := testRecords.Of(r, strict)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(map[string]any{"record": record})
	if err != nil {
		t.Fatal(err)
	}
	src := Source{Result: r, Tree: tree, Strict: strict, GitSHA: strings.Repeat("ab", 20), Created: created, Outputs: Outputs{Summary: text}}
	return mustBuild(t, src), src
}

func mustReplay(t *testing.T, a *Archive) *Replayed {
	t.Helper()
	r, err := Replay(context.Background(), a, []verify.Format{pins{}}, ReplayOptions{Records: testRecords})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Issue "replay": the same conclusion is a replay that holds, also when the
// verdict was drift; and strictness is that of the recording.
func TestReplayHolds(t *testing.T) {
	for _, tc := range []struct {
		name    string
		strict  bool
		change  func(fstest.MapFS)
		verdict string
	}{
		{"intact", false, nil, "intact"},
		{"strict", true, nil, "drift"},
		{"drift", false, func(f fstest.MapFS) { f["in/two"].Data = []byte("three") }, "drift"},
		{"input missing when it was judged", false, func(f fstest.MapFS) { delete(f, "in/two") }, "drift"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			b, _ := pinned(t, tc.strict, tc.change)
			r := mustReplay(t, mustRead(t, b.Bytes()))
			if r.Outcome != Holds || len(r.Differences)+len(r.Missing) > 0 || r.Recorded.Verdict != tc.verdict || r.Observed.Verdict != tc.verdict {
				t.Errorf("%+v", r)
			}
			if r.Compared != 4 || r.Digests != len(b.Manifest.Files) || r.ReasonCode() != "" {
				t.Errorf("compared %d, digests %d, reason %q", r.Compared, r.Digests, r.ReasonCode())
			}
		})
	}
}

// The time of judgement is created_at, so that a verdict is the same years later;
// without one it is the caller's.
func TestReplayTime(t *testing.T) {
	b, src := pinned(t, false, nil)
	late := ReplayOptions{Records: testRecords, Now: time.Date(2036, 1, 1, 0, 0, 0, 0, time.UTC)}
	r, err := Replay(context.Background(), mustRead(t, b.Bytes()), []verify.Format{pins{}}, late)
	if err != nil || r.Outcome != Holds {
		t.Errorf("%+v, %v", r, err)
	}
	src.Created, src.GitDirty = time.Time{}, true
	r, err = Replay(context.Background(), mustRead(t, mustBuild(t, src).Bytes()), []verify.Format{pins{}}, late)
	if err != nil || r.Outcome != Differs || len(r.Differences) != 3 {
		t.Fatalf("%+v, %v", r, err)
	}
	want := Difference{Field: "until", Part: "code", Recorded: "", Replayed: "too-late"}
	if r.Differences[2] != want {
		t.Errorf("got %+v, want %+v", r.Differences[2], want)
	}
}

// Issue 4, Fuzzing: no memory over 256 MB. A few kilobytes can unpack to a summary of
// millions of checks; it is refused before one is made, and never written.
func TestReplaySummaryBounds(t *testing.T) {
	b, src := pinned(t, false, nil)
	for name, summary := range map[string]string{
		"values":  `{"checks":[` + strings.Repeat("{},", maxSummaryValues/2) + `{}]}`,
		"nesting": strings.Repeat("[", 65) + strings.Repeat("]", 65),
		"bytes":   strings.Repeat(" ", maxSummary) + "{}",
	} {
		forged := rewrite(t, b, func(files map[string][]byte, _ *Manifest) { files[summaryName] = []byte(summary) })
		read := func([]byte) (Record, error) { t.Errorf("%s: the summary was read", name); return Record{}, nil }
		_, err := Replay(context.Background(), mustRead(t, forged), []verify.Format{pins{}}, ReplayOptions{Records: Records{Read: read}})
		var le *LimitError
		if !errors.As(err, &le) || !strings.Contains(le.Dimension, "in the summary") || le.Digest != digest(forged) {
			t.Errorf("%s: replayed: %v", name, err)
		}
		src.Outputs.Summary = []byte(summary)
		if _, err := Build(src); !errors.As(err, &le) {
			t.Errorf("%s: built: %v", name, err)
		}
	}
}

// rewrite changes the members of a bundle and makes its manifest agree, as one
// would who forges a bundle.
func rewrite(t *testing.T, b *Bundle, change func(files map[string][]byte, m *Manifest)) []byte {
	t.Helper()
	files := make(map[string][]byte)
	for _, e := range b.Entries {
		data, err := e.bytes()
		if err != nil {
			t.Fatal(err)
		}
		files[e.Name] = data
	}
	m := b.Manifest
	m.Files = make(map[string]File)
	g := *b.Manifest.ReplayGate
	m.ReplayGate = &g
	g.Inputs = nil
	change(files, &m)
	m.ConfigDigest, m.TraceDigest = digest(files[configName]), digest(files[traceName])
	entries := []raw{}
	for name, data := range sorted(files) {
		if _, kept := m.Files[name]; !kept {
			m.Files[name] = describeFile(data, name)
		}
		entries = append(entries, file(name, string(data)))
	}
	text, err := m.encode()
	if err != nil {
		t.Fatal(err)
	}
	return archiveOf(t, append(entries, file(manifestName, string(text)))...)
}

func TestReplayDiffers(t *testing.T) {
	b, _ := pinned(t, false, nil)
	for _, tc := range []struct {
		name   string
		change func(files map[string][]byte, m *Manifest)
		want   []Difference
	}{
		{"another input", func(f map[string][]byte, _ *Manifest) { f["files/inputs/in/one"] = []byte("1") }, []Difference{
			{"", "verdict", "intact", "drift"},
			{"in/one", "status", "ok", "FAIL"},
			{"in/one", "code", "", "hash-differs"},
			{"in/one", "observed", digest([]byte("one")), digest([]byte("1"))},
		}},
		{"another verdict, the same checks", func(f map[string][]byte, _ *Manifest) {
			f[summaryName] = bytes.Replace(f[summaryName], []byte(`"verdict":"intact"`), []byte(`"verdict":"drift"`), 1)
		}, []Difference{{"", "verdict", "drift", "intact"}}},
		{"another strictness", func(_ map[string][]byte, m *Manifest) {
			g := *m.ReplayGate
			g.Strict = true
			m.ReplayGate = &g
		}, []Difference{{"", "verdict", "intact", "drift"}, {"", "strict", "false", "true"}, {"odd", "status", "warn", "FAIL"}}},
		{"a check less and one more", func(f map[string][]byte, _ *Manifest) {
			f[summaryName] = bytes.Replace(f[summaryName], []byte(`"field":"odd"`), []byte(`"field":"even"`), 1)
		}, []Difference{{"even", "check", "warn", ""}, {"odd", "check", "", "warn"}}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := mustReplay(t, mustRead(t, rewrite(t, b, tc.change)))
			if r.Outcome != Differs || r.ReasonCode() != "E_REPLAY_DIFFERS" || !slices.Equal(r.Differences, tc.want) {
				t.Errorf("%s: got %+v\nwant %+v", r.Outcome, r.Differences, tc.want)
			}
		})
	}
}

// A missing dependency is explicit (Replay Bundle v1, section 5.3): which file,
// why, and where it can be had.
func TestReplayMissing(t *testing.T) {
	commit := strings.Repeat("ab", 20)
	b, _ := pinned(t, false, nil)
	broken, _ := pinned(t, false, func(f fstest.MapFS) { f["in/two"].Data = make([]byte, verify.MaxInput+1) })
	for _, tc := range []struct {
		name string
		data []byte
		want Missing
	}{
		{"left out when the bundle was made", broken.Bytes(),
			Missing{"in/two", []string{"in/two"}, "left out: the file is larger than 64 MiB (67108865 bytes)", "path in/two at commit " + commit}},
		{"taken out", rewrite(t, b, func(f map[string][]byte, m *Manifest) {
			delete(f, "files/inputs/in/two")
		}), Missing{"in/two", []string{"in/two"}, "the bundle does not say why it is not there", "path in/two at commit " + commit}},
		{"taken out and still listed", rewrite(t, b, func(f map[string][]byte, m *Manifest) {
			m.Files["files/inputs/in/two"] = describeFile([]byte("two"), "x")
			delete(f, "files/inputs/in/two")
		}), Missing{"in/two", []string{"in/two"}, "the manifest lists it, and it is not in the bundle", "path in/two at commit " + commit}},
		{"the evidence", rewrite(t, b, func(f map[string][]byte, m *Manifest) {
			m.Files["files/evidence/"+pinsPath] = describeFile(nil, "x")
			delete(f, "files/evidence/"+pinsPath)
		}), Missing{pinsPath, nil, "the manifest lists it, and it is not in the bundle", "path " + pinsPath + " at commit " + commit}},
		{"the evidence, as was said", rewrite(t, b, func(f map[string][]byte, m *Manifest) {
			delete(f, "files/evidence/"+pinsPath)
			m.Coverage = &Coverage{Complete: []string{}, Incomplete: []string{"a"}, Reason: map[string]string{"a": "too large"}}
		}), Missing{pinsPath, nil, "too large", "path " + pinsPath + " at commit " + commit}},
		{"the summary", rewrite(t, b, func(f map[string][]byte, m *Manifest) {
			m.Outputs = nil
			delete(f, summaryName)
		}), Missing{"", nil, "the bundle has no summary, so there is no verdict to compare with", "make the bundle of " + pinsPath + " again at commit " + commit}},
		{"an unknown kind", rewrite(t, b, func(f map[string][]byte, _ *Manifest) {
			f[summaryName] = bytes.Replace(f[summaryName], []byte(`"kind":"pins"`), []byte(`"kind":"later"`), 1)
		}), Missing{"", nil, `this release does not know evidence of the kind "later"`, "a later release of replay-gate knows it"}},
		{"a bundle of Assay's", archiveOf(t, file(manifestName, `{"schema_version":1,"assay_version":"5.4.0","outputs":{"summary":"outputs/summary.json"}}`), file(summaryName, `{"exit_code":0}`)),
			Missing{"", nil, "the verdict in the bundle is one of Assay's own engine, which judges other rules", "assay replay --bundle repeats it"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := mustReplay(t, mustRead(t, tc.data))
			if r.Outcome != MissingDependency || r.ReasonCode() != "E_REPLAY_MISSING_DEPENDENCY" || len(r.Missing) != 1 {
				t.Fatalf("%+v", r)
			}
			got := r.Missing[0]
			if got.File != tc.want.File || got.Why != tc.want.Why || got.Where != tc.want.Where || !slices.Equal(got.Fields, tc.want.Fields) {
				t.Errorf("got %+v\nwant %+v", got, tc.want)
			}
		})
	}
}

// What replay_coverage says is taken as it is: tests by their names, and omissions
// that no check is about by "input <role> <path>".
func TestReplayCoverage(t *testing.T) {
	b, _ := pinned(t, false, nil)
	data := rewrite(t, b, func(_ map[string][]byte, m *Manifest) {
		m.Coverage = &Coverage{Complete: []string{}, Incomplete: []string{"odd", "input pin a%25 b"}, Reason: map[string]string{"odd": "lost", "input pin a%25 b": "larger"}}
	})
	r := mustReplay(t, mustRead(t, data))
	if r.Outcome != MissingDependency || len(r.Missing) != 2 || len(r.Differences) > 0 {
		t.Fatalf("%+v", r)
	}
	if m := r.Missing[0]; m.File != "" || m.Why != "lost" || !slices.Equal(m.Fields, []string{"odd"}) {
		t.Errorf("%+v", m)
	}
	if m := r.Missing[1]; m.File != "a% b" || m.Why != "larger" || len(m.Fields) > 0 {
		t.Errorf("%+v", m)
	}
}

// A digest that does not hold stops the replay before anything is judged.
func TestReplayRefuses(t *testing.T) {
	b, _ := pinned(t, false, nil)
	for _, tc := range []struct {
		name, rule string
		change     func(files map[string][]byte, m *Manifest)
	}{
		{"digest", `files["files/inputs/in/two"].sha256`, func(f map[string][]byte, m *Manifest) {
			m.Files["files/inputs/in/two"] = describeFile([]byte("tw0"), "files/inputs/in/two")
		}},
		{"summary that is no JSON", `files["outputs/summary.json"].json`, func(f map[string][]byte, _ *Manifest) { f[summaryName] = []byte("{") }},
		{"evidence of no bundle", "manifest.replay_gate.evidence", func(_ map[string][]byte, m *Manifest) { m.ReplayGate = &ReplayGate{Evidence: "none", Kind: "pins"} }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := Replay(context.Background(), mustRead(t, rewrite(t, b, tc.change)), []verify.Format{pins{}}, ReplayOptions{Records: testRecords})
			var fe *FormatError
			if !errors.As(err, &fe) || fe.Rule != tc.rule || fe.ReasonCode() != "E_CFG_PARSE" {
				t.Errorf("%v", err)
			}
		})
	}
}

// An unpacked bundle is read by the same rules (Replay Bundle v1, section 5.2).
func TestReadFolder(t *testing.T) {
	b, _ := pinned(t, false, nil)
	unpack := func(t *testing.T) string {
		dir := t.TempDir()
		tr := tar.NewReader(bytes.NewReader(gunzip(t, b.Bytes())))
		for h, err := tr.Next(); err == nil; h, err = tr.Next() {
			name := filepath.Join(dir, filepath.FromSlash(h.Name))
			var data bytes.Buffer
			if _, err := data.ReadFrom(tr); err != nil {
				t.Fatal(err)
			}
			if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(name, data.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		return dir
	}
	t.Run("replays", func(t *testing.T) {
		a, err := ReadFolder(os.DirFS(unpack(t)), DefaultLimits())
		if err != nil {
			t.Fatal(err)
		}
		defer a.Close()
		if r := mustReplay(t, a); r.Outcome != Holds || r.Compared != 4 || a.Digest != "" {
			t.Errorf("%+v", r)
		}
	})
	small, short := DefaultLimits(), DefaultLimits()
	small.Decoded, short.Member = 1000, 10
	for _, tc := range []struct {
		name   string
		change func(dir string) error
		limits Limits
		want   string
	}{
		{"stray file", func(d string) error { return os.WriteFile(filepath.Join(d, "stray"), nil, 0o644) }, DefaultLimits(), `entries.path: "stray" is not under files/, outputs/ or cassettes/`},
		{"link", func(d string) error { return os.Symlink("trace.jsonl", filepath.Join(d, "files", "link")) }, DefaultLimits(), `entries.type: "files/link" is no regular file`},
		{"no manifest", func(d string) error { return os.Remove(filepath.Join(d, manifestName)) }, DefaultLimits(), "manifest: there is no manifest.json at the root"},
		{"limit", func(string) error { return nil }, small, "bundle exceeds the limit of 1000 decoded bytes"},
		{"limit of one file", func(string) error { return nil }, short, "bundle exceeds the limit of 10 bytes in an entry"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dir := unpack(t)
			if err := tc.change(dir); err != nil {
				t.Fatal(err)
			}
			if _, err := ReadFolder(os.DirFS(dir), tc.limits); err == nil || err.Error() != tc.want {
				t.Errorf("got %v, want %s", err, tc.want)
			}
		})
	}
}
