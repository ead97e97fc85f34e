package cli

import (
	"strconv"
	"strings"

	"github.com/replay-gate/replay-gate/gate"
	"github.com/replay-gate/replay-gate/gate/github"
	"github.com/replay-gate/replay-gate/gate/publish"
)

// upgradesFromInputs reads the inputs that only mean something in Actions.
func upgradesFromInputs(u *publish.Upgrades, o *gate.Options, actions *github.Actions) error {
	u.CheckRun, u.CheckName = actions.Input("check-run"), actions.Input("check-name")
	u.Comment, u.Upload = actions.Input("comment"), actions.Input("upload")
	archive, err := boolInput(actions, "artifact-archive", true)
	if err != nil {
		return err
	}
	u.Raw = !archive
	if o.AllowUntrustedTrigger, err = boolInput(actions, "allow-untrusted-trigger", false); err != nil {
		return err
	}
	if secret := actions.Input("golden-secret"); secret != "" {
		o.GoldenSecret = []byte(secret)
	}
	if days := actions.Input("retention-days"); days != "" {
		if u.RetentionDays, err = strconv.Atoi(days); err != nil {
			return usage("give a whole number from 1 to 400, or leave it out", "input retention-days: %q is no number", days)
		}
	}
	return u.Validate()
}

// boolInput reads a boolean of YAML 1.2, as GitHub's own actions take it.
func boolInput(actions *github.Actions, name string, def bool) (bool, error) {
	switch v := actions.Input(name); strings.ToLower(v) {
	case "":
		return def, nil
	case "true":
		return true, nil
	case "false":
		return false, nil
	default:
		return def, usage("write true or false", "input %s: %q is not a boolean", name, v)
	}
}
