package gate

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/replay-gate/replay-gate/gate/config"
	"github.com/replay-gate/replay-gate/summary"
	"github.com/replay-gate/replay-gate/verify"
)

// settings reads .replay-gate.yml. The base's version counts, so that a pull
// request can't loosen its own gate; what the head changes about it is said, and
// applies after the merge.
func (c *change) settings(o Options) (config.Settings, error) {
	head, headText, headErr := readSettings(verify.NewTree(c.head))
	fromHead := o.ConfigFrom == "head" || (c.base == nil && o.Event == nil)
	if fromHead {
		if headErr != nil {
			return head, &Error{Exit: ExitUsage, Reason: ReasonParse, Err: headErr, NextStep: "mend the file; docs/schema describes it"}
		}
		c.notePrinted(head)
		return o.over(head), nil
	}
	var counts config.Settings
	var text string
	if c.base != nil {
		var err error
		if counts, text, err = readSettings(verify.NewTree(c.base)); err != nil {
			c.notices = append(c.notices, summary.Notice{
				Status: verify.Warn, Code: "settings-unreadable",
				Message:  "The base's settings can't be read and don't count: " + err.Error(),
				NextStep: "mend the file; docs/schema describes it",
			})
			counts = config.Settings{}
		}
	}
	c.notePrinted(counts)
	switch {
	case headErr != nil:
		c.notices = append(c.notices, summary.Notice{
			Status: verify.Warn, Code: "settings-changed",
			Message:  "This change leaves settings that can't be read: " + headErr.Error(),
			NextStep: "mend the file; docs/schema describes it",
		})
	case headText != text:
		c.notices = append(c.notices, summary.Notice{
			Status: verify.Info, Code: "settings-changed",
			Message: config.Name + " is changed here; the base's version counts until the merge. Here it sets: " + keyList(head),
		})
	}
	return o.over(counts), nil
}

// over lets the options win, which the action's inputs are.
func (o Options) over(s config.Settings) config.Settings {
	if len(o.Sidecars) > 0 {
		evidence := map[string][]string{"ahd": o.Sidecars}
		for kind, globs := range s.Evidence {
			if kind != "ahd" {
				evidence[kind] = globs
			}
		}
		s.Evidence = evidence
	}
	if o.FailOn != "" {
		s.FailOn = nil
	}
	s.Evalkit.StrictFixtures = s.Evalkit.StrictFixtures || o.StrictFixtures
	s.AOS.GoldenSecret = o.GoldenSecret
	return s
}

func (c *change) notePrinted(s config.Settings) {
	if len(s.Keys) > 0 {
		c.notices = append(c.notices, summary.Notice{
			Status: verify.Info, Code: "settings", Message: config.Name + " sets: " + keyList(s),
		})
	}
}

func keyList(s config.Settings) string {
	if len(s.Keys) == 0 {
		return "nothing"
	}
	return strings.Join(s.Keys, ", ")
}

// readSettings reads the file from a tree; a tree without one has none.
func readSettings(t *verify.Tree) (config.Settings, string, error) {
	data, err := t.ReadFile(config.Name, config.MaxSize)
	if errors.Is(err, fs.ErrNotExist) {
		return config.Settings{}, "", nil
	}
	if err != nil {
		return config.Settings{}, "", fmt.Errorf("reading settings: %w", err)
	}
	var names []string
	for _, f := range Formats(config.Settings{}) {
		names = append(names, f.Kind())
	}
	s, err := config.Parse(data, names)
	return s, string(data), err
}

type ownFormatsKey struct{}

// ownFormats are the formats with the settings that lie in the tree itself. What
// goes into a bundle, and what a replay of it gives, depends on that tree alone.
func ownFormats(t *verify.Tree) []verify.Format {
	return verify.Once(t, ownFormatsKey{}, func() []verify.Format {
		s, _, err := readSettings(t)
		if err != nil {
			s = config.Settings{} // as if there were none; the gate itself has said so
		}
		return Formats(s)
	})
}
