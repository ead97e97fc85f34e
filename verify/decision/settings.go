package decision

import (
	"fmt"
	"regexp"

	"github.com/replay-gate/replay-gate/verify"
)

// settingsSchema is the JSON Schema of what [Format.Configure] reads.
const settingsSchema = `{
  "description": "What decision traces are held to.",
  "type": "object",
  "additionalProperties": false,
  "properties": {
    "policies": {
      "description": "Identities of the policies that may have run. When there are any, a trace of another policy fails.",
      "type": "array",
      "items": {"type": "string", "pattern": "^sha256:[0-9a-f]{64}$"}
    }
  }
}`

// Settings are those under the key "decision" (verify.Configurable).
func (Format) Settings() (key, schema string) { return "decision", settingsSchema }

var identityForm = regexp.MustCompile(`^sha256:[0-9a-f]{64}$`)

// Configure returns the format with the policies that the repository pins.
func (f Format) Configure(decode func(into any) error) (verify.Format, error) {
	var s struct {
		Policies []string `yaml:"policies"`
	}
	if err := decode(&s); err != nil {
		return nil, err
	}
	for _, p := range s.Policies {
		if !identityForm.MatchString(p) {
			return nil, fmt.Errorf("policies: %q is not sha256: and 64 lower-case hex digits", p)
		}
	}
	f.PinnedIdentities = s.Policies
	return f, nil
}
