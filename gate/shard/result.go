package shard

import (
	"errors"
	"fmt"
	"regexp"

	"github.com/replay-gate/replay-gate/verify"
)

// result is a [verify.Result] with all of it: also what no report shows. Members of the
// embedded type that stand here again are hidden by those.
type result struct {
	verify.Result
	Checks []check  `json:"checks"`
	Again  []string `json:"again,omitempty"` // of the recording
	Inputs []input  `json:"inputs,omitempty"`
	Reads  int      `json:"reads"` // row of the part's table, from 1; 0 for none
	Lost   string   `json:"lost,omitempty"`
	Timed  bool     `json:"timed,omitzero"`
}

type check struct {
	verify.Check
	Unproven bool   `json:"unproven,omitzero"`
	Follows  string `json:"follows,omitempty"`
}

type input struct {
	verify.Input
	Rival string `json:"rival,omitempty"`
	Value string `json:"value,omitempty"`
}

func toWire(r *verify.Result, table *verify.ReadsTable) result {
	out := result{Result: *r, Reads: table.Add(r.Reads), Again: r.Recording.Again, Lost: r.Lost, Timed: r.Timed}
	for _, c := range r.Checks {
		out.Checks = append(out.Checks, check{c, c.Unproven, c.Follows})
	}
	for _, in := range r.Inputs {
		out.Inputs = append(out.Inputs, input{in, in.Rival, in.Value})
	}
	return out
}

// result is the result as the engine gave it. What the engine never gives is an error: a
// result without a check, or one that is content though something could not be had.
func (in *result) result(records []*verify.Reads) (*verify.Result, error) {
	r := in.Result
	r.Checks, r.Inputs, r.Recording.Again = nil, nil, in.Again
	for _, c := range in.Checks {
		switch c.Status {
		case verify.OK, verify.Fail, verify.Warn, verify.Info:
		default:
			return nil, fmt.Errorf("%q is no status", verify.Shorten(string(c.Status), 64))
		}
		if c.Location.Line < 0 || c.Location.Column < 0 {
			return nil, errors.New("a row is at a place before the first")
		}
		c.Check.Unproven, c.Check.Follows = c.Unproven, c.Follows
		r.Checks = append(r.Checks, c.Check)
	}
	for _, i := range in.Inputs {
		i.Input.Rival, i.Input.Value = i.Rival, i.Value
		r.Inputs = append(r.Inputs, i.Input)
	}
	if in.Reads < 0 || in.Reads >= len(records) {
		return nil, fmt.Errorf("there is no record %d of what was read", in.Reads)
	}
	r.Reads, r.Lost, r.Timed = records[in.Reads], in.Lost, in.Timed
	lost, ok := r.Reads.Lost()
	switch {
	case r.Path == "" || r.Kind == "" || r.Reads == nil:
		return nil, errors.New("the result is of nothing")
	case r.SHA256 != "" && !hash.MatchString(r.SHA256):
		return nil, errors.New("its hash is none")
	case len(r.Checks) == 0:
		return nil, errors.New("nothing was checked in it")
	case (r.Lost != "" || ok) && r.Count(verify.Fail) == 0:
		return nil, fmt.Errorf("it holds, though %s could not be had", verify.Shorten(lost.Name+r.Lost, 256))
	}
	return &r, nil
}

// hash is how a hash is written (DESIGN, section 4).
var hash = regexp.MustCompile(`^sha256:[0-9a-f]{64}$`)

// readsRow is a [verify.ReadsRow].
type readsRow struct {
	Own   []read `json:"own,omitempty"`
	Parts []int  `json:"parts,omitempty"`
}

type read struct {
	Op      verify.Op      `json:"op"`
	Name    string         `json:"name"`
	Outcome verify.Outcome `json:"outcome"`
	Why     string         `json:"why,omitempty"`
}

func rowsToWire(rows []verify.ReadsRow) []readsRow {
	out := make([]readsRow, len(rows))
	for i, row := range rows {
		out[i].Parts = row.Parts
		for _, r := range row.Own {
			out[i].Own = append(out[i].Own, read(r))
		}
	}
	return out
}

func rowsFromWire(rows []readsRow) []verify.ReadsRow {
	out := make([]verify.ReadsRow, len(rows))
	for i, row := range rows {
		out[i].Parts = row.Parts
		for _, r := range row.Own {
			out[i].Own = append(out[i].Own, verify.Read(r))
		}
	}
	return out
}
