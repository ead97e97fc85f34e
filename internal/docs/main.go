// Command docs prints the parts of the documentation that follow from the code:
//
//	go run ./internal/docs kinds     # the table in docs/evidence.md
//	go run ./internal/docs settings  # docs/schema/replay-gate.settings.schema.json
//
// The tests of this package hold the documentation to it, follow every link, and prove
// docs/adding-a-kind.md.
package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/replay-gate/replay-gate/gate"
	"github.com/replay-gate/replay-gate/gate/config"
	"github.com/replay-gate/replay-gate/verify"
)

func main() {
	text, err := part(strings.Join(os.Args[1:], " "))
	if err != nil {
		fmt.Fprintln(os.Stderr, "docs:", err)
		os.Exit(2)
	}
	fmt.Print(text)
}

// part is the part of the documentation that goes by a name.
func part(name string) (string, error) {
	switch name {
	case "kinds":
		return kinds(gate.Formats()), nil
	case "settings":
		schema, err := config.Schema(gate.Formats())
		return string(schema), err
	}
	return "", fmt.Errorf("there is no part %q: name kinds or settings", name)
}

// kinds is a table of what the kinds of evidence say of themselves.
func kinds(formats []verify.Format) string {
	var b strings.Builder
	b.WriteString("| kind | evidence | found at | settings of its own |\n| --- | --- | --- | --- |\n")
	for _, f := range formats {
		own := "none"
		if c, ok := f.(verify.Configurable); ok {
			key, _ := c.Settings()
			own = "`" + key + "`"
		}
		fmt.Fprintf(&b, "| `%s` | %s | `%s` | %s |\n", f.Kind(), f.Title(), strings.Join(f.Patterns(), "`, `"), own)
	}
	return b.String()
}
