package ahd

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/jsondoc"
)

// Names of members that newer writers add (AHD replay, When schema_version bumps). They
// hold what the run answered, and no reader has to know them.
const (
	sampleRequests = "sample_requests"
	measurements   = "measurements"
)

// Record reads what the sidecar records of its run. A run is named by its start and its
// command, which no two have in common, and leaves the ids that the providers gave to its
// calls (AHD replay, Provider-side audit). What the schema does not know may be written
// anew without a run, as readers ignore it, but for the answers of the run.
func (Format) Record(e *verify.Evidence) verify.Record {
	s, err := open(e)
	if err != nil || s.broken() || !s.doc.Root.Is(jsondoc.Object) || s.version() > schemaVersion {
		return verify.Record{}
	}
	values := s.doc.Recorded(s.doc.Root, func(path string) (verify.Weight, bool) { return weigh(path), true })
	for i := range values {
		if strings.Contains(values[i].Path, requestIDs) || strings.Contains(values[i].Path, sampleRequests) {
			values[i].Shown = "" // no request id is shown (AHD replay, Markdown redactions)
		}
	}
	return verify.Record{Identity: s.identity(), Traces: s.traces(), Unique: true, Values: values}
}

// weigh says what it means that the value at path is another one for the same run.
func weigh(path string) verify.Weight {
	top, _, _ := strings.Cut(path, "[")
	top, rest, _ := strings.Cut(top, ".")
	switch {
	case path == "token.path", path == "brief.path":
		return verify.Placed
	case top == "invoked_at", top == "argv":
		return verify.Naming
	case top == measurements, strings.Contains(path, "]."+sampleRequests):
		return verify.Claimed
	case !slices.Contains(known[""], top):
		return verify.Noted
	case top == "models":
		_, rest, _ = strings.Cut(path, "].")
		rest, _, _ = strings.Cut(rest, "[")
		rest, _, _ = strings.Cut(rest, ".")
	}
	if rest != "" && !slices.Contains(known[top], rest) {
		return verify.Noted
	}
	return verify.Claimed
}

// identity names the run: its start and its command. It is empty when either is not there.
func (s *sidecar) identity() string {
	at, argv := s.doc.Root.Get("invoked_at"), s.doc.Root.Get("argv")
	if !isText(at) || at.Text() == "" || !argv.Is(jsondoc.Array) {
		return ""
	}
	start := at.Text()
	if t, err := time.Parse(time.RFC3339Nano, start); err == nil {
		start = t.UTC().Format(time.RFC3339Nano)
	}
	words := []string{start}
	for _, w := range argv.Items() {
		words = append(words, strconv.Quote(w.Text()))
	}
	return strings.Join(words, " ")
}

// traces are the hashes of all provider request ids.
func (s *sidecar) traces() []string {
	var all []string
	for _, m := range s.doc.Root.Get("models").Items() {
		for _, id := range m.Get(requestIDs).Items() {
			if text := strings.TrimSpace(id.Text()); text != "" {
				sum := sha256.Sum256([]byte(text))
				all = append(all, hex.EncodeToString(sum[:]))
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}
