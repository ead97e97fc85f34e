package licences

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The rule itself: whatever go.mod brings into the program is under a licence that
// somebody has allowed. A new module's licence is decided here.
func TestEveryLinkedModuleIsUnderAnAllowedLicence(t *testing.T) {
	modules, err := Find(context.Background(), filepath.Join("..", "..", ".."), Platforms)
	if err != nil {
		t.Fatal(err)
	}
	if err := Check(modules); err != nil {
		t.Error(err)
	}
	ids := map[string][]string{}
	for _, m := range modules {
		ids[m.Path], _ = m.Licences()
	}
	for path, want := range map[string][]string{
		"std": {"BSD-3-Clause"},
		// Linked on Windows alone.
		"github.com/inconshreveable/mousetrap": {"Apache-2.0"},
		// Whose packages have other licences than the module.
		"github.com/klauspost/compress": {"Apache-2.0", "BSD-3-Clause", "MIT"},
	} {
		if !slices.Equal(ids[path], want) {
			t.Errorf("%s: licences %q, want %q", path, ids[path], want)
		}
	}
	if len(modules) < 50 {
		t.Errorf("only %d modules", len(modules))
	}
	out := t.TempDir()
	if err := Write(modules, out); err != nil {
		t.Fatal(err)
	}
	index, err := os.ReadFile(filepath.Join(out, "THIRD_PARTY.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range modules {
		if !strings.Contains(string(index), "| `"+m.Path+"` | `"+m.Version+"` |") {
			t.Errorf("the index does not list %s", m.Path)
		}
		for _, text := range m.Texts {
			data, err := os.ReadFile(filepath.Join(out, "licences", m.Path, text.Name))
			if err != nil || string(data) != string(text.Data) {
				t.Errorf("%s: %s: %v", m.Path, text.Name, err)
			}
		}
	}
}

// A short licence that nobody has allowed.
const doWhatYouWant = `            DO WHAT THE FUCK YOU WANT TO PUBLIC LICENSE
                    Version 2, December 2004

 Copyright (C) 2004 Sam Hocevar <sam@hocevar.net>

 Everyone is permitted to copy and distribute verbatim or modified
 copies of this license document, and changing it is allowed as long
 as the name is changed.

            DO WHAT THE FUCK YOU WANT TO PUBLIC LICENSE
   TERMS AND CONDITIONS FOR COPYING, DISTRIBUTION AND MODIFICATION

  0. You just DO WHAT THE FUCK YOU WANT TO.
`

func TestCheckRefuses(t *testing.T) {
	for _, test := range []struct {
		name  string
		texts []Text
		want  string
	}{
		{"no text", nil, "no licence was found"},
		{"a notice alone", []Text{{"NOTICE", []byte("By us.")}}, "no licence was found"},
		{"a text of one's own", []Text{{"LICENSE", []byte("You may use this on Tuesdays.")}}, "is no licence that is recognised"},
		{"a licence that is not allowed", []Text{{"LICENSE", []byte(doWhatYouWant)}}, "is under WTFPL, which is not allowed"},
	} {
		err := Check([]Module{{Path: "example.com/m", Version: "v1.0.0", Texts: test.texts}})
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", test.name, err, test.want)
		}
	}
}

// What was allowed for one module's documentation is not allowed for another.
func TestNotLinkedIsOneTextOfOneModule(t *testing.T) {
	for _, exempt := range notLinked {
		base := filepath.Base(exempt)
		err := Check([]Module{{Path: "example.com/m", Texts: []Text{{"LICENSES/" + base, []byte(doWhatYouWant)}}}})
		if err == nil {
			t.Errorf("%s is exempt in any module", base)
		}
	}
}

func TestNamesOfTexts(t *testing.T) {
	for name, want := range map[string]bool{
		"LICENSE": true, "LICENCE.md": true, "license-mit": true, "COPYING": true, "LICENSE.MPL-2.0": true,
		"NOTICE": true, "PATENTS": true, "UNLICENSE": true, "README.md": false, "licenses_test": false, "noticed": false,
	} {
		if got := textName.MatchString(name); got != want {
			t.Errorf("%s: %t, want %t", name, got, want)
		}
	}
}
