package ahd

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"
	"unicode/utf8"

	"github.com/replay-gate/replay-gate/verify/canonical"
)

// Kinds are the kinds of run (AHD replay, Fields).
func Kinds() []string { return []string{kindEvalLive, kindCritique, kindEvalImage} }

// HasBrief reports whether a run of this kind has a brief: all but a critique
// (AHD replay, Fields).
func HasBrief(kind string) bool { return kind != kindCritique }

// Unknown is what a backfilled sidecar records of the machine (AHD replay,
// Backfilled sidecars).
const Unknown = "unknown"

// Run is a run to be recorded, in the order and with the names of schema version
// 1 (AHD replay, Fields). A nil pointer is written as null.
type Run struct {
	Kind        string     `json:"kind"`
	Version     string     `json:"ahd_version"`
	Commit      *string    `json:"ahd_commit"` // 40 hex digits
	Dirty       *bool      `json:"git_dirty"`  // nil with Commit
	NodeVersion string     `json:"node_version"`
	Platform    string     `json:"platform"`   // as Node names it: see [Platform]
	InvokedAt   string     `json:"invoked_at"` // see [Timestamp]
	Argv        []string   `json:"argv"`
	Token       InputRef   `json:"token"`
	Brief       *InputRef  `json:"brief"`
	Sampling    Sampling   `json:"sampling"`
	Models      []Model    `json:"models"`
	Conditions  Conditions `json:"conditions"`
	Backfilled  bool       `json:"backfilled,omitempty"`
}

// InputRef pins an input: its path, slash-separated from the root that recorded
// paths start at, and its hash.
type InputRef struct {
	Path string `json:"path"`
	Hash string `json:"hash"`
}

// Sampling says how the samples were drawn.
type Sampling struct {
	N           int      `json:"n"` // samples per cell, at least 1
	Temperature *float64 `json:"temperature"`
	Seed        *int64   `json:"seed"`
}

// Model is one model that ran, with one id per successful provider call.
type Model struct {
	ID                 string   `json:"id"`
	Provider           string   `json:"provider"`
	ProviderRequestIDs []string `json:"provider_request_ids"`
}

// Conditions are those that were asked for and those that ran.
type Conditions struct {
	Requested []string `json:"requested"`
	Effective []string `json:"effective"`
}

// Sidecar is the text of the sidecar that records r, as the reference lays it out:
// two spaces of indent and a line feed at the end.
func (r Run) Sidecar() ([]byte, error) {
	for _, word := range r.Argv {
		if !utf8.ValidString(word) {
			return nil, fmt.Errorf("the command's word %q is not valid UTF-8", word)
		}
	}
	r.Argv, r.Models = orEmpty(r.Argv), orEmpty(r.Models)
	for i := range r.Models {
		r.Models[i].ProviderRequestIDs = orEmpty(r.Models[i].ProviderRequestIDs)
	}
	r.Conditions = Conditions{orEmpty(r.Conditions.Requested), orEmpty(r.Conditions.Effective)}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(struct {
		SchemaVersion int `json:"schema_version"`
		Run
	}{schemaVersion, r})
	return b.Bytes(), err
}

// orEmpty keeps a list from being written as null.
func orEmpty[T any](list []T) []T { return append([]T{}, list...) }

// TokenHash is the hash that a sidecar records for a token: that of its parsed
// value (AHD replay, Structured inputs). Its errors are those of
// [canonical.Hash].
func TokenHash(data []byte) (string, error) { return canonical.Hash(data) }

// BriefHash is the hash that a sidecar records for the brief in the file name:
// that of the parsed value for YAML and JSON, that of the bytes for anything else
// (AHD replay, Hash contract).
func BriefHash(name string, data []byte) (string, error) {
	if isStructured(name) {
		return canonical.Hash(data)
	}
	return canonical.RawHash(data), nil
}

// Timestamp writes a time as JavaScript's toISOString does.
func Timestamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

// Platform names an operating system and processor of Go as Node names them:
// "darwin-arm64", "win32-x64".
func Platform(goos, goarch string) string {
	switch goos {
	case "windows":
		goos = "win32"
	case "solaris", "illumos":
		goos = "sunos"
	}
	switch goarch {
	case "amd64":
		goarch = "x64"
	case "386":
		goarch = "ia32"
	}
	return goos + "-" + goarch
}
