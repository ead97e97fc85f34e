package shard

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/replay-gate/replay-gate/verify"
)

// Schema is the version of the form of a part. It is for a run of one version of the tool, and
// lives no longer than that run: there is no other version to read.
const Schema = "replay-gate.part/v1"

// FileName is the name of a part beside the bundles of its shard.
const FileName = "part.json"

// MaxPart bounds a part, in bytes: some 100,000 sidecars.
const MaxPart = 1 << 30

// Part is what one shard found.
type Part struct {
	Tool   string // name and version
	Plan   string // [Plan.Digest]
	Commit string // the head
	Share  Share
	// Sides are the results of the head, and of each base where they are not the head's.
	Sides [][]*verify.Result
	// Left is evidence of the share that has to be judged where all parts are, because what
	// it rests on may be another thing there.
	Left []string
	// Bundles are those that the shard made, for evidence whose relations it could guess.
	Bundles []Bundle
}

// Bundle is a bundle beside a part.
type Bundle struct {
	Evidence string `json:"evidence"`
	// Key stands for all that the bundle depends on besides plan and result. Another key,
	// another bundle.
	Key    string `json:"key"`
	File   string `json:"file"` // its name
	SHA256 string `json:"sha256"`
	Size   int64  `json:"size"`
	// Base says that rows of the verdict are held against the base.
	Base bool `json:"base"`
}

// ErrVersion says that a part is of a form that this program does not know.
var ErrVersion = errors.New("is of another version of replay-gate")

// wire is a part as a file has it.
type wire struct {
	Schema  string     `json:"schema"`
	Tool    string     `json:"tool"`
	Plan    string     `json:"plan"`
	Commit  string     `json:"commit"`
	Shard   string     `json:"shard"`
	Left    []string   `json:"left"`
	Bundles []Bundle   `json:"bundles"`
	Reads   []readsRow `json:"reads"`
	Sides   [][]result `json:"sides"`
}

// Write writes a part. Text that is not UTF-8 is an error: no file that is judged holds such.
func (p *Part) Write(w io.Writer) error {
	var table verify.ReadsTable
	out := wire{Schema: Schema, Tool: p.Tool, Plan: p.Plan, Commit: p.Commit, Shard: p.Share.String(), Left: p.Left, Bundles: p.Bundles}
	for _, side := range p.Sides {
		list := make([]result, len(side))
		for i, r := range side {
			list[i] = toWire(r, &table)
		}
		out.Sides = append(out.Sides, list)
	}
	out.Reads = rowsToWire(table.Rows)
	return json.MarshalWrite(w, out)
}

// Read reads a part that somebody else wrote. An unknown or doubled key, a value out of its
// range and a part over [MaxPart] are errors; [ErrVersion] says that it may well be a part.
func Read(r io.Reader) (*Part, error) {
	data, err := io.ReadAll(io.LimitReader(r, MaxPart+1))
	if err != nil {
		return nil, err
	}
	if len(data) > MaxPart {
		return nil, fmt.Errorf("is larger than %d MiB", MaxPart>>20)
	}
	var form struct {
		Schema string `json:"schema"`
	}
	if err := json.Unmarshal(data, &form); err != nil {
		return nil, fmt.Errorf("is no part: %w", plain(err))
	}
	if form.Schema != Schema {
		return nil, fmt.Errorf("%w: its schema is %q, and not %s", ErrVersion, verify.Shorten(form.Schema, 64), Schema)
	}
	var in wire
	if err := json.Unmarshal(data, &in, json.RejectUnknownMembers(true)); err != nil {
		return nil, fmt.Errorf("is no part: %w", plain(err))
	}
	p, err := in.part()
	if err != nil {
		return nil, fmt.Errorf("is no part: %w", err)
	}
	return p, nil
}

// plain is what a reader has to know of an error of the decoder, which names types of ours.
func plain(err error) error {
	var syntax *jsontext.SyntacticError
	if errors.As(err, &syntax) {
		return fmt.Errorf("at byte %d: %w", syntax.ByteOffset, syntax.Err)
	}
	var meaning *json.SemanticError
	if errors.As(err, &meaning) {
		return fmt.Errorf("at byte %d: %q has another form", meaning.ByteOffset, verify.Shorten(string(meaning.JSONPointer), 128))
	}
	return err
}

// maxSides is the head and as many merge bases as a history may have.
const maxSides = 64

func (in *wire) part() (*Part, error) {
	p := &Part{Tool: in.Tool, Plan: in.Plan, Commit: in.Commit, Left: in.Left, Bundles: in.Bundles}
	if err := p.Share.Set(in.Shard); err != nil {
		return nil, err
	}
	if p.Share.Count == 0 || len(in.Sides) < 1 || len(in.Sides) > maxSides {
		return nil, errors.New("it has no shard, or no results of a head")
	}
	table := verify.ReadsTable{Rows: rowsFromWire(in.Reads)}
	records, err := table.Records()
	if err != nil {
		return nil, err
	}
	for _, list := range in.Sides {
		side := make([]*verify.Result, len(list))
		seen := make(map[string]bool, len(list))
		for i := range list {
			r, err := list[i].result(records)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", verify.Shorten(list[i].Path, 256), err)
			}
			if seen[r.Path] {
				return nil, fmt.Errorf("%s is in it twice", verify.Shorten(r.Path, 256))
			}
			seen[r.Path], side[i] = true, r
		}
		p.Sides = append(p.Sides, side)
	}
	names := make(map[string]bool)
	for _, b := range p.Bundles {
		if !fs.ValidPath(b.File) || slices.Contains([]byte(b.File), '/') || b.Size < 0 || names[b.Evidence] {
			return nil, fmt.Errorf("bundle %q is none, or one of two of the same evidence", verify.Shorten(b.File, 256))
		}
		names[b.Evidence] = true
	}
	return p, nil
}
