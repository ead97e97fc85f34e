package bundle

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/replay-gate/replay-gate/verify"
)

// BaseSource is what rows of a verdict are held against besides the tree.
type BaseSource struct {
	Commit string // in hex
	Tree   *verify.Tree
	// Names are the files that a judgement of either side may look at.
	Names []string
	// Renamed gives for a path of the tree the one that it was renamed from.
	Renamed map[string]string
}

// addBase includes what Names says of the base: what differs there, what is absent there,
// and of the tree what is the same. What can't go in is left out, and the rows that need
// it are then not replayed.
func (c *content) addBase(tree *verify.Tree, src *BaseSource) ([]omission, error) {
	if src == nil {
		return nil, nil
	}
	var left []omission
	base := &Base{Commit: src.Commit}
	c.manifest.ReplayGate.Base = base
	for _, name := range slices.Compact(slices.Sorted(slices.Values(src.Names))) {
		if old := src.Renamed[name]; old != "" {
			put(&base.Renamed, escapeName(name), escapeName(old))
		}
		is, err := tree.Aside().ReadFile(name, verify.MaxInput)
		if errors.Is(err, verify.ErrChanged) {
			return nil, err
		}
		here := err == nil
		was, err := src.Tree.Aside().ReadFile(name, verify.MaxInput)
		var re *verify.ReadError
		errors.As(err, &re)
		switch {
		case errors.Is(err, verify.ErrChanged):
			return nil, err
		case here && c.repo[name] == "":
			reason, err := c.addRead(name, is)
			if err != nil {
				return nil, err
			}
			if reason != "" {
				left = append(left, omission{"read", name, reason})
			}
		}
		switch {
		case err == nil && here && string(is) == string(was):
		case err == nil:
			if reason := c.addBaseFile(name, was); reason != "" {
				left = append(left, omission{"base", name, reason})
			}
		case re.Outcome == verify.Absent && here:
			base.Absent = append(base.Absent, escapeName(name))
		case re.Outcome == verify.Unusable:
			put(&base.Unreadable, escapeName(name), re.Why)
		case re.Outcome == verify.Lost:
			left = append(left, omission{"base", name, "left out: on the base, the file " + re.Why})
		}
	}
	return left, nil
}

// addBaseFile includes a file of the base, or says why it can't. A secret that was taken
// out of the tree is no reason to refuse the bundle, and none to publish it.
func (c *content) addBaseFile(name string, data []byte) (reason string) {
	if c.size+int64(len(data)) > maxContent {
		return fmt.Sprintf("left out: the bundle would exceed %d MiB", maxContent>>20)
	}
	reason, err := c.screen(placeBase, name, data)
	if err != nil {
		return "left out: its version on the base looks like a secret"
	}
	if reason == "" {
		c.addBelow(placeBase, name, data)
	}
	return reason
}

// Bounds for what goes in besides the inputs that evidence names.
const (
	maxPeers  = 50
	maxReads  = 2000
	maxListed = 2000
)

// addPeers includes other evidence of the tree that rows rest on.
func (c *content) addPeers(tree *verify.Tree, peers []string) ([]omission, error) {
	var left []omission
	for _, name := range slices.Sorted(slices.Values(peers)) {
		if len(c.manifest.ReplayGate.Peers) == maxPeers {
			break // the rows that need the others are found not to be replayed
		}
		if c.repo[name] == "" {
			reason, err := c.addInput(tree, verify.Input{Path: name, Place: verify.PlaceInputs})
			if err != nil {
				return nil, err
			}
			if reason != "" {
				left = append(left, omission{"peer", name, reason})
				continue
			}
		}
		c.manifest.ReplayGate.Peers = append(c.manifest.ReplayGate.Peers, escapeName(name))
	}
	return left, nil
}

// addReads includes everything else that the judgement read, as the engine recorded it:
// files, files that could not be read, and the names that listings showed. Most verdicts
// rest on the inputs alone and need none of it.
func (c *content) addReads(tree *verify.Tree, reads *verify.Reads) ([]omission, error) {
	var left []omission
	g := c.manifest.ReplayGate
	listed := make(map[string]bool)
	n := 0
	for _, r := range reads.All() {
		switch {
		case r.Op == verify.OpNamed && r.Outcome == verify.Found:
			note(listed, tree.Aside().Named(r.Name))
		case r.Op == verify.OpUnder && r.Outcome == verify.Found:
			note(listed, tree.Aside().Under(r.Name))
		case r.Op != verify.OpFile || !fs.ValidPath(r.Name) || c.repo[r.Name] != "":
		case r.Outcome == verify.Unusable:
			put(&g.Unreadable, escapeName(r.Name), r.Why)
		case r.Outcome == verify.Found && n < maxReads:
			n++
			reason, err := c.addInput(tree, verify.Input{Path: r.Name, Place: verify.PlaceInputs})
			if err != nil {
				return nil, err
			}
			if reason != "" {
				left = append(left, omission{"read", r.Name, reason})
			}
		}
	}
	for name := range sorted(listed) {
		if c.repo[name] == "" {
			g.Listed = append(g.Listed, escapeName(name))
		}
	}
	return left, nil
}

// note adds names to those that listings showed. A listing of a whole repository is no
// part of a bundle.
func note(listed map[string]bool, names []string) {
	if len(listed)+len(names) > maxListed {
		return
	}
	for _, name := range names {
		listed[name] = true
	}
}

func put(m *map[string]string, key, value string) {
	if *m == nil {
		*m = make(map[string]string)
	}
	(*m)[key] = strings.ToValidUTF8(verify.Shorten(value, verify.MaxValue), "\uFFFD")
}
