package summary

import (
	"encoding/json"
	"fmt"
	"io"
)

// WriteJSON writes the whole report, indented, with a final newline. The same
// report gives the same bytes. Lists are never null.
func WriteJSON(w io.Writer, r *Report) error {
	whole := *r
	if whole.Evidence == nil {
		whole.Evidence = []Evidence{}
	}
	return writeIndented(w, whole)
}

func writeIndented(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("writing JSON: %w", err)
	}
	return nil
}
