package evalkit

import (
	"fmt"

	"github.com/replay-gate/replay-gate/verify"
)

// settingsSchema is the JSON Schema of what [Format.Configure] reads.
const settingsSchema = `{
  "description": "What agent-eval-kit was told and its fixtures do not record.",
  "type": "object",
  "additionalProperties": false,
  "properties": {
    "folder": {
      "description": "The tool's fixtureDir, from the folder of eval.config; default .eval-fixtures.",
      "type": "string"
    },
    "strict": {
      "description": "Whether stale and reformatted fixtures fail; default false.",
      "type": "boolean"
    },
    "suites": {
      "description": "The suites that there are. When any is declared, a fixture of another suite is one that is never replayed.",
      "type": "array",
      "items": {
        "type": "object",
        "additionalProperties": false,
        "required": ["name"],
        "properties": {
          "name": {
            "description": "The suite's name.",
            "type": "string",
            "minLength": 1
          },
          "target-version": {
            "description": "Its targetVersion; leave it out if the suite has none, which is not the same as an empty one.",
            "type": "string"
          },
          "ttl-days": {
            "description": "Days after which a fixture is stale; default 14.",
            "type": "integer",
            "minimum": 0
          },
          "strip-raw": {
            "description": "Whether recording drops the raw response; default true.",
            "type": "boolean"
          },
          "cases": {
            "description": "The ids of all cases of the suite.",
            "type": "array",
            "items": {"type": "string"}
          }
        }
      }
    }
  }
}`

// Settings are those under the key "fixtures" (verify.Configurable).
func (Format) Settings() (key, schema string) { return "fixtures", settingsSchema }

// Configure returns the format with what the repository declares of its suites. What a
// command line made strict stays so.
func (f Format) Configure(decode func(into any) error) (verify.Format, error) {
	var s struct {
		Folder string  `yaml:"folder"`
		Strict bool    `yaml:"strict"`
		Suites []Suite `yaml:"suites"`
	}
	if err := decode(&s); err != nil {
		return nil, err
	}
	for i, su := range s.Suites {
		switch {
		case su.Name == "":
			return nil, fmt.Errorf("suites[%d]: a suite needs a name", i)
		case su.TTLDays < 0:
			return nil, fmt.Errorf("suites[%d]: ttl-days must not be negative", i)
		}
	}
	f.FixtureDir, f.Suites = s.Folder, s.Suites
	f.StrictFixtures = f.StrictFixtures || s.Strict
	return f, nil
}
