package publish

import (
	"slices"
	"strings"

	"github.com/replay-gate/replay-gate/gate/github"
	"github.com/replay-gate/replay-gate/gate/reason"
)

// Upgrades are what the gate shows on GitHub beyond what needs no permission. The
// zero value is the action's defaults.
type Upgrades struct {
	// CheckRun is "auto" (default), "never" or "required"; CheckName is the
	// check's name, default "Replay evidence".
	CheckRun, CheckName string
	// Comment is "never" (default), "on-failure" or "always".
	Comment string
	// Upload is "auto" (default), "never" or "required".
	Upload string
	// Raw uploads a single bundle as it is, instead of a zip of everything.
	Raw bool
	// RetentionDays is how long the artifact is kept; 0 is the repository's own
	// setting.
	RetentionDays int
	// HTTP is how the artifact service is reached; see github.HTTP.
	HTTP github.HTTP
}

// DefaultCheckName is the name of the check run.
const DefaultCheckName = "Replay evidence"

// Validate fills what was left empty and refuses what is not a choice.
func (u *Upgrades) Validate() error {
	for _, c := range []struct {
		name    string
		value   *string
		allowed []string
	}{
		{"check-run", &u.CheckRun, []string{"auto", "never", "required"}},
		{"comment", &u.Comment, []string{"never", "on-failure", "always"}},
		{"upload", &u.Upload, []string{"auto", "never", "required"}},
	} {
		if err := Choose(c.name, c.value, c.allowed); err != nil {
			return err
		}
	}
	if u.CheckName == "" {
		u.CheckName = DefaultCheckName
	}
	if u.RetentionDays < 0 || u.RetentionDays > 400 {
		return reason.Usage(reason.InvalidArgs, "give a whole number from 1 to 400, or leave it out",
			"retention-days %d is no number of days that GitHub knows", u.RetentionDays)
	}
	return nil
}

// Choose sets an empty value to the first of those that are allowed, and refuses
// any other.
func Choose(name string, value *string, allowed []string) error {
	if *value == "" {
		*value = allowed[0]
	}
	if !slices.Contains(allowed, *value) {
		return reason.Usage(reason.InvalidArgs, "use one of: "+strings.Join(allowed, ", "), "%s %q is not known", name, *value)
	}
	return nil
}
