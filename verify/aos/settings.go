package aos

import "github.com/replay-gate/replay-gate/verify"

// settingsSchema is the JSON Schema of what [Format.Configure] reads.
const settingsSchema = `{
  "description": "What AOS was told and its traces do not record.",
  "type": "object",
  "additionalProperties": false,
  "properties": {
    "budgets": {
      "description": "Budgets in cents, besides 1000, that simulated runs were recorded with.",
      "type": "array",
      "items": {"type": "integer"}
    }
  }
}`

// Settings are those under the key "aos" (verify.Configurable).
func (Format) Settings() (key, schema string) { return "aos", settingsSchema }

// Configure returns the format with the budgets that the repository declares. A signing
// key is no setting, as the file is there for all to read; f's stays.
func (f Format) Configure(decode func(into any) error) (verify.Format, error) {
	var s struct {
		Budgets []int64 `yaml:"budgets"`
	}
	if err := decode(&s); err != nil {
		return nil, err
	}
	f.Budgets = s.Budgets
	return f, nil
}
