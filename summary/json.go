package summary

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"strings"
)

// WriteJSON writes the whole report, indented, with a final newline. The same
// report gives the same bytes. Lists are never null.
func WriteJSON(w io.Writer, r *Report) error {
	whole := *r
	if whole.Evidence == nil {
		whole.Evidence = []Entry{}
	}
	return writeIndented(w, whole)
}

// writeIndented writes what a [json.Encoder] would, two spaces deep and with HTML as it is.
// Its first levels are written member by member: an encoder holds all that it is given, twice,
// and a report may have hundreds of megabytes.
func writeIndented(w io.Writer, v any) error {
	j := jsonWriter{out: bufio.NewWriter(w)}
	j.encoder = json.NewEncoder(&j.part)
	j.encoder.SetEscapeHTML(false)
	j.value(reflect.ValueOf(v), "", jsonLevels)
	j.raw("\n")
	if j.err == nil {
		j.err = j.out.Flush()
	}
	if j.err != nil {
		return fmt.Errorf("writing JSON: %w", j.err)
	}
	return nil
}

// jsonLevels are those of a report down to one field of its evidence, and of SARIF down to one
// result.
const jsonLevels = 4

type jsonWriter struct {
	out     *bufio.Writer
	encoder *json.Encoder // into part
	part    bytes.Buffer
	err     error
}

func (j *jsonWriter) raw(parts ...string) {
	for _, s := range parts {
		_, _ = j.out.WriteString(s) // flushing gives the error
	}
}

func (j *jsonWriter) value(v reflect.Value, indent string, levels int) {
	switch {
	case levels > 0 && v.Kind() == reflect.Struct && inMembers(v.Type()):
		j.members(v, indent, levels)
	case levels > 0 && v.Kind() == reflect.Slice && v.Len() > 0:
		before := "[\n"
		for i := range v.Len() {
			j.raw(before, indent, "  ")
			j.value(v.Index(i), indent+"  ", levels-1)
			before = ",\n"
		}
		j.raw("\n", indent, "]")
	default:
		j.whole(v, indent)
	}
}

// inMembers reports whether a struct is written as the list of its own members.
func inMembers(t reflect.Type) bool {
	for i := range t.NumField() {
		if t.Field(i).Anonymous {
			return false
		}
	}
	return !t.Implements(reflect.TypeFor[json.Marshaler]()) && !reflect.PointerTo(t).Implements(reflect.TypeFor[json.Marshaler]())
}

func (j *jsonWriter) members(v reflect.Value, indent string, levels int) {
	before := "{\n"
	for i := range v.NumField() {
		f, member := v.Type().Field(i), v.Field(i)
		name, option, _ := strings.Cut(f.Tag.Get("json"), ",")
		if !f.IsExported() || name == "-" || left(option, member) {
			continue
		}
		j.raw(before, indent, `  "`, name, `": `)
		j.value(member, indent+"  ", levels-1)
		before = ",\n"
	}
	if before == "{\n" {
		j.raw("{}")
		return
	}
	j.raw("\n", indent, "}")
}

// left reports whether the option of its tag leaves a member out.
func left(option string, v reflect.Value) bool {
	switch kind := v.Kind(); {
	case option == "omitempty" && (kind == reflect.Slice || kind == reflect.Map):
		return v.Len() == 0
	case option == "omitempty" && kind != reflect.Struct, option == "omitzero":
		return v.IsZero()
	}
	return false
}

// whole writes a value that is small.
func (j *jsonWriter) whole(v reflect.Value, indent string) {
	if j.err != nil {
		return
	}
	j.part.Reset()
	j.encoder.SetIndent(indent, "  ")
	if j.err = j.encoder.Encode(v.Interface()); j.err == nil {
		_, _ = j.out.Write(bytes.TrimSuffix(j.part.Bytes(), []byte{'\n'}))
	}
}
