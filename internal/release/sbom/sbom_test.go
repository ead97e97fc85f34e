package sbom

import (
	"bytes"
	"debug/buildinfo"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	cdx "github.com/CycloneDX/cyclonedx-go"

	"github.com/replay-gate/replay-gate/internal/release/licences"
)

// The binary under test is this module's own command: a test's binary doesn't know
// its modules.
func self(t *testing.T) (binary string, licensed licences.List) {
	t.Helper()
	binary = filepath.Join(t.TempDir(), "release")
	if out, err := exec.Command("go", "build", "-o", binary, "..").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	info, err := buildinfo.ReadFile(binary)
	if err != nil {
		t.Fatal(err)
	}
	licensed = licences.List{"std@" + info.GoVersion: {"BSD-3-Clause"}}
	for _, m := range info.Deps {
		licensed[m.Path+"@"+m.Version] = []string{"Apache-2.0"}
	}
	return binary, licensed
}

func TestEveryModuleOfTheBinaryIsListed(t *testing.T) {
	binary, licensed := self(t)
	var first, second bytes.Buffer
	for _, b := range []*bytes.Buffer{&first, &second} {
		if err := Write(b, binary, "v1.2.3", licensed); err != nil {
			t.Fatal(err)
		}
	}
	if first.String() != second.String() {
		t.Error("the same binary gives two bills of materials")
	}
	var bom cdx.BOM
	if err := cdx.NewBOMDecoder(&first, cdx.BOMFileFormatJSON).Decode(&bom); err != nil {
		t.Fatal(err)
	}
	if bom.SpecVersion != cdx.SpecVersion1_6 || bom.SerialNumber != "" || bom.Metadata.Timestamp != "" {
		t.Errorf("version %s, serial number %q, time %q", bom.SpecVersion, bom.SerialNumber, bom.Metadata.Timestamp)
	}
	found := map[string]bool{}
	for _, c := range *bom.Components {
		found[c.Name+"@"+c.Version] = true
		if len(*c.Licenses) != 1 || c.PackageURL != "pkg:golang/"+c.Name+"@"+c.Version {
			t.Errorf("%s: licences %v, package URL %s", c.Name, *c.Licenses, c.PackageURL)
		}
	}
	if len(found) != len(licensed) || len(found) < 5 {
		t.Errorf("%d components for %d modules", len(found), len(licensed))
	}
	if main := bom.Metadata.Component; main.Version != "v1.2.3" || len((*main.Hashes)[0].Value) != 64 {
		t.Errorf("the program is %+v", main)
	}
}

func TestModuleWithoutALicenceIsRefused(t *testing.T) {
	binary, licensed := self(t)
	for name := range licensed {
		if strings.HasPrefix(name, "github.com/CycloneDX/") {
			delete(licensed, name)
		}
	}
	err := Write(new(bytes.Buffer), binary, "v1.2.3", licensed)
	if err == nil || !strings.Contains(err.Error(), "github.com/CycloneDX/cyclonedx-go@") {
		t.Errorf("%v", err)
	}
	if err := Write(new(bytes.Buffer), "sbom.go", "v1.2.3", licensed); err == nil {
		t.Error("a text file has a bill of materials")
	}
}
