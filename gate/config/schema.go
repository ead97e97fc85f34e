package config

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/replay-gate/replay-gate/verify"
)

// Schema is the JSON Schema of the file, for editors and for docs/schema: what is the same
// for every kind, and what each kind says of its own settings.
func Schema(formats []verify.Format) ([]byte, error) {
	globs, policies := object{}, object{}
	own := object{}
	own.add("moved", raw(`{
    "description": "Where inputs lie now, by the path that evidence recorded. The bytes of the evidence stay.",
    "type": "object",
    "additionalProperties": {"type": "string"}
  }`))
	for _, f := range formats {
		globs.add(f.Kind(), raw(fmt.Sprintf(`{"description": %s, "type": "array", "items": {"type": "string"}}`, quoted("Globs of: "+f.Title()+"."))))
		policies.add(f.Kind(), raw(fmt.Sprintf(`{"description": %s, "enum": ["introduced", "any", "never"]}`, quoted("Policy for: "+f.Title()+"."))))
		if c, ok := f.(verify.Configurable); ok {
			key, text := c.Settings()
			own.add(key, raw(text))
		}
	}
	root := object{}
	root.add("evidence", described("Where evidence of a kind lies, in place of its default globs.", globs))
	root.add("fail-on", described("What fails a run for single kinds of evidence, in place of the option fail-on.", policies))
	root.members = append(root.members, own.members...)
	text := fmt.Sprintf(`{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "$id": "https://github.com/replay-gate/replay-gate/docs/schema/replay-gate.settings.schema.json",
  "title": "Replay Gate settings (%s)",
  "description": "The repository's own settings of the gate. Keys that nobody knows are refused.",
  "type": "object", "additionalProperties": false, "properties": %s}`, Name, root.text())
	var v json.RawMessage
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		return nil, err
	}
	out, err := json.MarshalIndent(v, "", "  ")
	return append(out, '\n'), err
}

// object is a JSON object whose members keep their order.
type object struct{ members []string }

type raw string

func (o *object) add(key string, value raw) {
	o.members = append(o.members, quoted(key)+": "+string(value))
}

func (o *object) text() string { return "{" + strings.Join(o.members, ", ") + "}" }

// described is a schema of an object that has these members, and no others.
func described(what string, properties object) raw {
	return raw(fmt.Sprintf(`{"description": %s, "type": "object", "additionalProperties": false, "properties": %s}`, quoted(what), properties.text()))
}

func quoted(s string) string {
	text, _ := json.Marshal(s)
	return string(text)
}
