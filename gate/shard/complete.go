package shard

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/replay-gate/replay-gate/verify"
)

// Found is a part with where it was found, for messages.
type Found struct {
	Name string
	*Part
}

// ErrIncomplete says that parts are not those of a plan, each once.
var ErrIncomplete = errors.New("the parts are not those of one plan")

// Complete reports whether parts are all of the plan, each once and no other, and each of
// them has a result for all evidence of its share and for no other. The error is
// [ErrIncomplete], and names what is missing, double or foreign.
func (p *Plan) Complete(parts []Found) error {
	by := make([][]string, 1+p.Shards)
	var wrong []string
	for _, part := range parts {
		if why := p.foreign(part.Part); why != "" {
			wrong = append(wrong, part.Name+" is foreign: "+why)
			continue
		}
		by[part.Share.Index] = append(by[part.Share.Index], part.Name)
	}
	for i, names := range by[1:] {
		switch share := (Share{1 + i, p.Shards}); {
		case len(names) == 0:
			wrong = append(wrong, "shard "+share.String()+" is missing")
		case len(names) > 1:
			slices.Sort(names)
			wrong = append(wrong, "shard "+share.String()+" is there "+fmt.Sprint(len(names))+" times: "+strings.Join(names, ", "))
		}
	}
	if len(wrong) > 0 {
		const most = 20
		if more := len(wrong) - most; more > 0 {
			wrong = append(wrong[:most], fmt.Sprintf("and %d more", more))
		}
		return fmt.Errorf("%w: %s", ErrIncomplete, strings.Join(wrong, "; "))
	}
	return nil
}

// foreign says why a part is none of the plan; empty if it is one.
func (p *Plan) foreign(part *Part) string {
	switch {
	case part.Commit != p.commit:
		return "it is of commit " + verify.Shorten(part.Commit, 64) + ", and this is " + p.commit
	case part.Tool != p.tool:
		return "it was made by " + verify.Shorten(part.Tool, 64) + ", and this is " + p.tool
	case part.Share.Count != p.Shards:
		return fmt.Sprintf("it is shard %s, and the plan has %d", part.Share, p.Shards)
	case part.Plan != p.Digest:
		return "it is of the plan " + verify.Shorten(part.Plan, 80) + ", and this is " + p.Digest
	}
	has := make(map[string]bool)
	for _, side := range part.Sides {
		for _, r := range side {
			has[r.Path] = true
		}
	}
	for _, path := range part.Left {
		has[path] = true
	}
	for _, path := range slices.Sorted(maps.Keys(p.owner)) {
		if p.owner[path] == part.Share.Index && !has[path] {
			return "it says nothing about " + path
		}
	}
	for _, b := range part.Bundles {
		has[b.Evidence] = true
	}
	for _, path := range slices.Sorted(maps.Keys(has)) {
		if p.owner[path] != part.Share.Index {
			return verify.Shorten(path, 256) + " is not of its share"
		}
	}
	return ""
}
