package licences

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// index is the file that lists what lies beside it.
const index = "THIRD_PARTY.md"

// Write lays the texts out in a folder, which it makes anew: an index, and below
// licences/ each module's texts under its path.
func Write(modules []Module, folder string) error {
	if err := os.RemoveAll(folder); err != nil {
		return err
	}
	var b bytes.Buffer
	b.WriteString("# Third-party licences\n\n" +
		"What is linked into this program, on any platform. The texts lie in `licences/`. The source of a module, as MPL-2.0 asks\n" +
		"to say, is what `go mod download MODULE@VERSION` fetches; none of it was changed.\n\n" +
		"| module | version | licences |\n|---|---|---|\n")
	for _, m := range modules {
		ids, err := m.Licences()
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "| `%s` | `%s` | %s |\n", m.Path, m.Version, strings.Join(ids, ", "))
		for _, t := range m.Texts {
			if err := write(filepath.Join(folder, "licences", filepath.FromSlash(m.Path), filepath.FromSlash(t.Name)), t.Data); err != nil {
				return err
			}
		}
	}
	return write(filepath.Join(folder, index), b.Bytes())
}

func write(name string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, data, 0o644)
}

// List is what a bill of materials needs: the SPDX identifiers of each module,
// by path@version.
type List map[string][]string

// Licensed lists the licences of the modules.
func Licensed(modules []Module) (List, error) {
	list := List{}
	for _, m := range modules {
		ids, err := m.Licences()
		if err != nil {
			return nil, err
		}
		list[m.Path+"@"+m.Version] = ids
	}
	return list, nil
}
