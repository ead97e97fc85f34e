package cli

import (
	"bytes"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// validate holds a JSON text against a schema of docs/schema.
func validate(data []byte, schema string) error {
	s, err := jsonschema.NewCompiler().Compile(filepath.Join("../../docs/schema", schema))
	if err != nil {
		return err
	}
	return validateWith(s, data)
}

func validateWith(s *jsonschema.Schema, data []byte) error {
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		return err
	}
	return s.Validate(v)
}

// compileSchema compiles a schema of docs/schema.
func compileSchema(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	s, err := jsonschema.NewCompiler().Compile(filepath.Join("../../docs/schema", name))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// validates FILE SCHEMA holds a file, or "stdout", against a schema of docs/schema.
func validates(ts *testscript.TestScript, neg bool, args []string) {
	if err := validate([]byte(ts.ReadFile(args[0])), args[1]); (err == nil) == neg {
		ts.Fatalf("%s against %s: %v", args[0], args[1], err)
	}
}
