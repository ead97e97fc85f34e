package change

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/replay-gate/replay-gate/gate/config"
	"github.com/replay-gate/replay-gate/gate/config/accepted"
	"github.com/replay-gate/replay-gate/gate/reason"
	"github.com/replay-gate/replay-gate/verify"
)

// Settings are those that count.
type Settings struct {
	config.Settings
	// Other are the globs of the side whose settings do not count, by kind: what is
	// evidence there is judged too.
	Other map[string][]string
}

const mendSettings = "mend the file; docs/schema describes it"

// findSettings reads .replay-gate.yml and the accepted drift of both sides. The base's
// settings count, so that a pull request can't loosen its own gate; what the head changes
// about them is said, and applies after the merge.
func (f *finder) findSettings() error {
	head, headText, headErr := ReadSettings(verify.NewTree(f.Change.Head), f.Formats)
	if f.ConfigFrom == "head" || len(f.Bases) == 0 && f.Event == nil {
		if headErr != nil {
			return f.settingsError("", headErr)
		}
		f.Settings.Settings = head
	} else if err := f.baseSettings(head, headText, headErr); err != nil {
		return err
	}
	if len(f.Settings.Keys) > 0 {
		f.Notices = append(f.Notices, verify.Notice{
			Status: verify.Info, Code: "settings", Message: config.Name + " sets: " + keyList(f.Settings.Settings),
		})
	}
	var err error
	if f.Accepted, err = readOptional(f.Change.Head, accepted.Path, accepted.MaxSize); err != nil {
		return f.settingsError("", err)
	}
	if len(f.Bases) > 0 {
		if f.AcceptedBefore, err = readOptional(f.Bases[0].Tree, accepted.Path, accepted.MaxSize); err != nil {
			return f.settingsError("the base's ", err)
		}
	}
	return nil
}

// baseSettings makes the base's settings count. Without a base, none do.
func (f *finder) baseSettings(head config.Settings, headText string, headErr error) error {
	f.Settings.Formats = f.Formats
	text := ""
	if len(f.Bases) > 0 {
		counts, baseText, err := ReadSettings(verify.NewTree(f.Bases[0].Tree), f.Formats)
		if err != nil {
			return f.settingsError("the base's ", err)
		}
		f.Settings.Settings, text = counts, baseText
	}
	switch {
	case headErr != nil:
		f.Notices = append(f.Notices, verify.Notice{
			Status: verify.Warn, Code: "settings-changed", NextStep: mendSettings,
			Message: "This change leaves settings that can't be read: " + headErr.Error(),
		})
	case headText != text:
		f.Notices = append(f.Notices, verify.Notice{
			Status: verify.Info, Code: "settings-changed",
			Message: config.Name + " is changed here; the base's version counts until the merge. Here it sets: " + keyList(head),
		})
		f.Settings.Other = head.Evidence
		// Where an input lies is no policy: who moves it says so in the same change.
		f.Settings.Moved = head.Moved
	}
	return nil
}

// settingsError ends the run: what the settings are is not guessed. On the base nobody can
// mend them in this change, so it is no usage error there, nor when the file could not be
// had.
func (f *finder) settingsError(whose string, err error) error {
	var re *verify.ReadError
	lost := errors.As(err, &re) && re.Outcome == verify.Lost
	e := &reason.Error{Exit: reason.ExitUsage, Reason: reason.Parse, Err: fmt.Errorf("%s%w", whose, err), NextStep: mendSettings}
	if whose != "" || lost {
		e.Exit = reason.ExitInfra
		e.NextStep = "mend the file on the base branch, or judge by this change's own with config-from: head"
	}
	if lost {
		e.Reason, e.NextStep = reason.Lost, "let git fetch the file (fetch-depth: 2, and no filter), and run it again"
	}
	return e
}

// readOptional reads a file that need not be there; nil if it is not.
func readOptional(fsys fs.FS, name string, limit int64) ([]byte, error) {
	data, err := verify.NewTree(fsys).ReadFile(name, limit)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return data, err
}

func keyList(s config.Settings) string {
	if len(s.Keys) == 0 {
		return "nothing"
	}
	return strings.Join(s.Keys, ", ")
}

// ReadSettings reads .replay-gate.yml from a tree; a tree without one has none, and its
// text is empty.
func ReadSettings(t *verify.Tree, formats []verify.Format) (config.Settings, string, error) {
	data, err := t.ReadFile(config.Name, config.MaxSize)
	if errors.Is(err, fs.ErrNotExist) {
		return config.Settings{Formats: slices.Clone(formats)}, "", nil
	}
	if err != nil {
		return config.Settings{Formats: slices.Clone(formats)}, "", fmt.Errorf("reading settings: %w", err)
	}
	s, err := config.Parse(data, formats)
	return s, string(data), err
}
