// Package sbom writes the bill of materials of a binary, as CycloneDX 1.6.
//
//	err := sbom.Write(w, "dist/linux_amd64/replay-gate", "v1.2.3", licensed)
//
// It says what the linker recorded in the binary, not what go.mod mentions, and it
// says the same each time: there is no serial number and no time of day on it.
package sbom

import (
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"

	cdx "github.com/CycloneDX/cyclonedx-go"

	"github.com/replay-gate/replay-gate/internal/release/licences"
)

// Write writes the bill of materials of the binary. A module in the binary that the
// list doesn't know is an error: its licence would not go along.
func Write(w io.Writer, binary, version string, licensed licences.List) error {
	info, err := buildinfo.ReadFile(binary)
	if err != nil {
		return fmt.Errorf("reading what the linker recorded: %w", err)
	}
	data, err := os.ReadFile(binary)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(data)
	main := cdx.Component{
		BOMRef: "main", Type: cdx.ComponentTypeApplication, Name: info.Main.Path, Version: version,
		PackageURL: purl(info.Main.Path, version), Licenses: choices([]string{"Apache-2.0"}),
		Hashes: &[]cdx.Hash{{Algorithm: cdx.HashAlgoSHA256, Value: hex.EncodeToString(sum[:])}},
		Properties: &[]cdx.Property{
			{Name: "file", Value: filepath.Base(binary)},
			{Name: "platform", Value: setting(info, "GOOS") + "/" + setting(info, "GOARCH")},
		},
	}
	std := &debug.Module{Path: "std", Version: info.GoVersion}
	components := []cdx.Component{}
	for _, m := range append([]*debug.Module{std}, info.Deps...) {
		if m.Replace != nil {
			m = m.Replace
		}
		ids, ok := licensed[m.Path+"@"+m.Version]
		if !ok {
			return fmt.Errorf("%s@%s is in the binary, but its licence was not collected", m.Path, m.Version)
		}
		c := cdx.Component{
			BOMRef: m.Path, Type: cdx.ComponentTypeLibrary, Name: m.Path, Version: m.Version,
			PackageURL: purl(m.Path, m.Version), Licenses: choices(ids), Scope: cdx.ScopeRequired,
		}
		if m.Sum != "" {
			// A hash of a module's tree as go.sum has it, which is none of CycloneDX's.
			c.Properties = &[]cdx.Property{{Name: "go:sum", Value: m.Sum}}
		}
		components = append(components, c)
	}
	refs := make([]string, 0, len(components))
	for _, c := range components {
		refs = append(refs, c.BOMRef)
	}
	bom := cdx.NewBOM()
	bom.Metadata = &cdx.Metadata{Component: &main}
	bom.Components = &components
	bom.Dependencies = &[]cdx.Dependency{{Ref: "main", Dependencies: &refs}}
	e := cdx.NewBOMEncoder(w, cdx.BOMFileFormatJSON)
	return e.SetPretty(true).EncodeVersion(bom, cdx.SpecVersion1_6)
}

// purl is the package URL (github.com/package-url/purl-spec, type golang).
func purl(path, version string) string { return "pkg:golang/" + path + "@" + version }

func choices(ids []string) *cdx.Licenses {
	list := cdx.Licenses{}
	for _, id := range ids {
		list = append(list, cdx.LicenseChoice{License: &cdx.License{ID: id}})
	}
	return &list
}

func setting(info *buildinfo.BuildInfo, key string) string {
	for _, s := range info.Settings {
		if s.Key == key {
			return s.Value
		}
	}
	return "unknown"
}
