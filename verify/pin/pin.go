// Package pin checks pins: statements that a result was produced from these inputs by
// this command, for any project, whatever tool it evaluates with.
//
// A pin lies beside the first result that it vouches for, evals/report.md.pin.json
// beside evals/report.md. It is an in-toto Statement (v1) with a Link predicate (v0.3):
// a published standard that every language can write, and that can be signed later
// without a new format.
//
//	{"_type": "https://in-toto.io/Statement/v1",
//	 "subject": [{"name": "evals/report.md", "digest": {"sha256": "…", "gitBlob": "…"}}],
//	 "predicateType": "https://in-toto.io/attestation/link/v0.3",
//	 "predicate": {
//	  "name": "evals/report.md", "command": ["make", "eval"],
//	  "materials": [{"name": "evals/prompts/answer.md", "digest": {"sha256": "…"}}]}}
//
// Names count from the root of the tree. What the predicate has no field for stands in
// byproducts.replayGate: see [Pin], which is also how pins are written. [Build] makes one
// from the files of a tree:
//
//	p, err := pin.Build(tree, nil, pin.Request{
//		Subjects: []string{"evals/report.md"},
//		Inputs:   []string{"evals/prompts/*.md", "evals/config.yml#model,temperature"},
//	})
//	text, err := p.Encode()
//
// What it promises beyond package verify:
//
//   - A result that is no longer the one that was pinned is a FAIL, and so is an input.
//     For YAML, JSON and TOML, comments and the order of keys are no drift, and an
//     input of which keys were pinned may change in all others.
//   - Digests are of the form that git stores. A work tree that shows the same content
//     in another form (line ends, Git LFS) holds, and a row says so.
//   - Statements by other tools are checked as far as they name files of the tree, and
//     never more is claimed. No signature is verified.
//   - What a pin can't know is said once in each: that the command read nothing else,
//     or that there was no command.
//
// The specifications are in-toto's "Statement", "ResourceDescriptor", "DigestSet" and
// "Link" (github.com/in-toto/attestation, spec); comments cite them by these names.
package pin

import (
	"bytes"
	"context"
	"strings"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/canonical"
)

// Ending is what the name of a pin adds to that of its first subject.
const Ending = ".pin.json"

// PathFor is the path of the pin of a result.
func PathFor(subject string) string { return subject + Ending }

// Format is the pin as a kind of evidence. The zero value is ready for use.
type Format struct{}

var (
	_ verify.Recorder = Format{}
	_ verify.Recaller = Format{}
)

// Kind is "pin".
func (Format) Kind() string { return "pin" }

// Title is "Pin (in-toto Statement)".
func (Format) Title() string { return "Pin (in-toto Statement)" }

// Patterns matches the names that pins are written under. Other projects use them too,
// which is why a file needs the marks as well.
func (Format) Patterns() []string { return []string{"**/*" + Ending} }

// The texts that no statement is without: its type, or that of an envelope's payload.
var marks = [][]byte{[]byte("in-toto.io/Statement"), []byte(payloadType)}

// Marks reports whether data names the type of a statement, or of an envelope around one.
func (Format) Marks(_ string, data []byte) bool {
	for _, mark := range marks {
		if bytes.Contains(data, mark) {
			return true
		}
	}
	// A slash may be written "\/" in JSON.
	if bytes.Contains(data, []byte(`\/`)) {
		plain := bytes.ReplaceAll(data, []byte(`\/`), []byte("/"))
		return bytes.Contains(plain, marks[0]) || bytes.Contains(plain, marks[1])
	}
	return false
}

// Verify judges the statement, and every file that it names.
func (Format) Verify(ctx context.Context, e *verify.Evidence) verify.Result {
	recording := verify.Recording{Name: runName(e.Path)}
	s, err := open(e)
	if err != nil {
		return verify.Unreadable(e, "evidence", recording, err)
	}
	j := &checker{statement: s, ctx: ctx, rows: verify.Rows{Path: e.Path}, r: verify.Result{
		SHA256: canonical.RawHash(s.data), Recording: recording,
	}}
	j.judge()
	j.r.Checks = j.rows.Checks
	return j.r
}

// runName is the run's short name: that of the result, without its ending.
func runName(path string) string {
	name := path[strings.LastIndexByte(path, '/')+1:]
	name = strings.TrimSuffix(name, Ending)
	if i := strings.LastIndexByte(name, '.'); i > 0 {
		name = name[:i]
	}
	return name
}
