package bundle

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/secrets"
)

// content gathers the entries of a bundle and what the manifest says of them.
type content struct {
	manifest Manifest
	entries  []Entry
	size     int64
	repo     map[string]string // digest of what is already in, by repository path
	met      map[string]string // why the judgement could not read a file, by path
	secrets  func([]byte) ([]Secret, bool)
	warnings []*SecretsError
}

func (c *content) add(name string, data []byte) {
	f := describeFile(data, name)
	c.manifest.Files[name] = f
	c.entries = append(c.entries, Entry{
		Name: name, Size: int64(len(data)), SHA256: f.SHA256, Mode: entryMode, at: bytes.NewReader(data),
	})
	c.size += int64(len(data))
}

func (c *content) addFile(folder, repoPath string, data []byte) {
	c.repo[repoPath] = c.addBelow(folder, repoPath, data)
}

// addBelow includes a file by its repository path and returns its digest.
func (c *content) addBelow(folder, repoPath string, data []byte) string {
	name, shortened := bundleName(folder, repoPath)
	if shortened {
		if c.manifest.Paths == nil {
			c.manifest.Paths = make(map[string]string)
		}
		c.manifest.Paths[name] = escapeName(repoPath)
	}
	c.add(name, data)
	return c.manifest.Files[name].SHA256
}

// addEvidence includes the evidence, or says why it can't, or why what is included
// is not what was judged: a recorded response goes in scrubbed, as all cassettes.
func (c *content) addEvidence(r *verify.Result, data []byte) (whole string, err error) {
	folder := placeEvidence
	if r.Place == verify.PlaceCassettes {
		folder = string(r.Place)
		if clean := c.scrub(data); !bytes.Equal(clean, data) {
			whole, data = "the recorded response was scrubbed: it held what looks like a secret", clean
			c.manifest.ScrubPolicy.Name = scrubbed
		}
	}
	left, err := c.screen(folder, r.Path, data)
	if err != nil || left != "" {
		return left, err
	}
	c.addFile(folder, r.Path, data)
	return whole, nil
}

// scrub is [Scrub], and counts in the manifest what it took out.
func (c *content) scrub(data []byte) []byte {
	clean, n := secrets.Scrub(data)
	c.manifest.ReplayGate.Scrubbed += uint32(n)
	return clean
}

// omission is a file that could not be included.
type omission struct {
	role, path string
	reason     string
}

// pinned reports whether the evidence names the file: then it is missed whether or not a
// row is about it.
func (o omission) pinned() bool { return !slices.Contains([]string{"peer", "read", "base"}, o.role) }

// addInputs includes the inputs that exist. A missing one needs no entry: in the
// bundle it is missing too, so the verdict on it is the same.
func (c *content) addInputs(tree *verify.Tree, inputs []verify.Input) ([]omission, error) {
	var left []omission
	for _, in := range inputs {
		if !in.Missing && in.Path != "" && c.repo[in.Path] == "" {
			reason, err := c.addInput(tree, in)
			if err != nil {
				return nil, err
			}
			if reason != "" {
				left = append(left, omission{in.Role, in.Path, reason})
			}
		}
		if sum := c.repo[in.Path]; sum != "" {
			put(&c.manifest.ReplayGate.Inputs, escapeName(in.Path), sum)
		}
	}
	return left, nil
}

// addInput includes one input, or says why it can't.
func (c *content) addInput(tree *verify.Tree, in verify.Input) (reason string, err error) {
	data, err := tree.ReadFile(in.Path, verify.MaxInput)
	var re *verify.ReadError
	switch {
	case errors.Is(err, ErrChanged):
		return "", err
	case errors.As(err, &re) && re.Outcome == verify.Unusable && c.met[in.Path] == re.Why:
		// A replay meets what the judgement met.
		put(&c.manifest.ReplayGate.Unreadable, escapeName(in.Path), re.Why)
		return "", nil
	case errors.As(err, &re):
		return "left out: the file " + re.Why, nil
	case err != nil:
		return "left out: the file can't be read", nil
	case !slices.Contains(places[1:], string(in.Place)):
		return fmt.Sprintf("left out: %q is no folder of a bundle", in.Place), nil
	}
	return c.addAt(string(in.Place), in.Path, data)
}

// addRead includes a file of the tree that was read and is no input of its own.
func (c *content) addRead(name string, data []byte) (reason string, err error) {
	return c.addAt(string(verify.PlaceInputs), name, data)
}

// addAt includes a file of the tree, or says why it can't.
func (c *content) addAt(folder, name string, data []byte) (reason string, err error) {
	if c.size+int64(len(data)) > maxContent {
		return fmt.Sprintf("left out: the bundle would exceed %d MiB", maxContent>>20), nil
	}
	reason, err = c.screen(folder, name, data)
	if err != nil || reason != "" {
		if err == nil {
			// Left out, and still pinned.
			c.repo[name] = digest(data)
		}
		return reason, err
	}
	c.addFile(folder, name, data)
	return "", nil
}

// addCassettes includes recorded provider responses, scrubbed. They are no part of
// the verdict, so one that can't be read, or has no room, is left out.
func (c *content) addCassettes(tree *verify.Tree, names []string) error {
	for _, name := range slices.Sorted(slices.Values(names)) {
		data, err := tree.ReadFile(name, verify.MaxInput)
		if errors.Is(err, ErrChanged) {
			return err
		}
		if err != nil || c.repo[name] != "" || c.size+int64(len(data)) > maxContent {
			continue
		}
		clean := c.scrub(data)
		if _, err := c.screen(string(verify.PlaceCassettes), name, clean); err != nil {
			return err
		}
		c.addFile(string(verify.PlaceCassettes), name, clean)
		c.manifest.ScrubPolicy.Name = scrubbed
	}
	return nil
}

func (c *content) addOutputs(o Outputs) {
	paths := &OutputPaths{}
	var none string // the specification has no member for it
	for _, out := range []struct {
		name string
		data []byte
		at   *string
	}{{summaryName, o.Summary, &paths.Summary}, {junitName, o.JUnit, &paths.JUnit}, {sarifName, o.SARIF, &paths.SARIF}, {htmlName, o.HTML, &none}} {
		if out.data != nil {
			*out.at = out.name
			c.screenOutput(out.name, out.data)
			c.add(out.name, out.data)
			c.manifest.Outputs = paths
		}
	}
}
