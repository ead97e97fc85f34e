package summary

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"
	"time"
)

// What is written piece by piece is what encoding/json writes at once: of nothing, of all that
// can be said, and of what tests show.
func TestJSONInPieces(t *testing.T) {
	t.Parallel()
	all := map[string]any{"nothing": Report{}, "empty lists": Report{Causes: []Cause{}, Evidence: []Entry{}, Policy: Policy{Kinds: map[string]string{}}}, "no SARIF": sarifLog{}}
	for _, full := range []any{&Report{}, &sarifLog{}} {
		setAll(reflect.ValueOf(full).Elem(), 0)
		all[reflect.TypeOf(full).String()] = reflect.ValueOf(full).Elem().Interface()
	}
	for name, r := range fixtures() {
		all[name] = *r
	}
	for name, v := range all {
		var want, got bytes.Buffer
		e := json.NewEncoder(&want)
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
		if err := e.Encode(v); err != nil {
			t.Fatal(err)
		}
		if err := writeIndented(&got, v); err != nil || got.String() != want.String() {
			t.Errorf("%s: %v\ngot  %s\nwant %s", name, err, got.Bytes(), want.Bytes())
		}
	}
}

// setAll sets everything that can be set, each list to two elements of which the second says
// nothing.
func setAll(v reflect.Value, depth int) {
	switch {
	case !v.CanSet() || depth > 12:
	case v.Type() == reflect.TypeFor[time.Time]():
		v.Set(reflect.ValueOf(time.Unix(1_700_000_000, 0).UTC()))
	case v.Kind() == reflect.String:
		v.SetString("a \"<b>\" & \u2028\n")
	case v.Kind() == reflect.Bool:
		v.SetBool(true)
	case v.CanInt():
		v.SetInt(7)
	case v.Kind() == reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		setAll(v.Elem(), depth+1)
	case v.Kind() == reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		setAll(v.Index(0), depth+1)
	case v.Kind() == reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		value := reflect.New(v.Type().Elem()).Elem()
		setAll(value, depth+1)
		v.SetMapIndex(reflect.ValueOf("key").Convert(v.Type().Key()), value)
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			setAll(v.Field(i), depth+1)
		}
	}
}
