package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// call runs a step as the scripts do.
func call(t *testing.T, in string, args ...string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	err := run(context.Background(), strings.NewReader(in), &out, args)
	return out.String(), err
}

// From goreleaser's list of artifacts to a layout on disk, whose digest a second run
// prints again.
func TestImageStep(t *testing.T) {
	root := t.TempDir()
	write := func(name, data string) {
		full := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	type artifact struct {
		Path   string `json:"path"`
		Goos   string `json:"goos"`
		Goarch string `json:"goarch"`
		Type   string `json:"type"`
	}
	list := []artifact{
		{"dist/amd/replay-gate", "linux", "amd64", "Binary"},
		{"dist/arm/replay-gate", "linux", "arm64", "Binary"},
		{"dist/win/replay-gate.exe", "windows", "amd64", "Binary"},
		{"dist/replay-gate.tar.gz", "linux", "amd64", "Archive"},
	}
	write("dist/amd/replay-gate", "AMD")
	write("dist/arm/replay-gate", "ARM")
	write("licences/THIRD_PARTY.md", "# Licences\n")
	artifacts := func(list []artifact) {
		data, err := json.Marshal(list)
		if err != nil {
			t.Fatal(err)
		}
		write("dist/artifacts.json", string(data))
	}
	artifacts(list)
	assemble := func(layout string) (string, error) {
		return call(t, "", "image", filepath.Join(root, "dist"), filepath.Join(root, "licences"), "v1.2.3", strings.Repeat("a", 40),
			"2026-05-01T04:19:45Z", filepath.Join(root, layout))
	}
	first, err := assemble("one")
	if err != nil {
		t.Fatal(err)
	}
	second, err := assemble("two")
	if err != nil || first != second || !strings.HasPrefix(first, "sha256:") {
		t.Errorf("%q, then %q, %v", first, second, err)
	}
	artifacts(list[:1])
	if _, err := assemble("three"); err == nil || !strings.Contains(err.Error(), "linux/arm64") {
		t.Errorf("an image for one architecture of two: %v", err)
	}
}

func TestActionStepWritesTheFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "action.yml")
	if err := os.WriteFile(name, []byte("runs:\n  using: docker\n  image: Dockerfile\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	image := "ghcr.io/replay-gate/replay-gate@sha256:" + strings.Repeat("0", 64)
	if _, err := call(t, "", "action", image, name); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(name)
	if want := "runs:\n  using: docker\n  image: docker://" + image + "\n"; err != nil || string(data) != want {
		t.Errorf("%q, %v", data, err)
	}
	if _, err := call(t, "", "action", image, name+".gone"); err == nil {
		t.Error("a file that is not there was rewritten")
	}
}

// The tags come one to a line, as git prints them.
func TestVersionStep(t *testing.T) {
	if out, err := call(t, "v1\nv1.0.0\n", "version", "v1.0.1"); err != nil || out != "v1\n" {
		t.Errorf("%q, %v", out, err)
	}
	if out, err := call(t, "v1\nv1.0.0\n", "version", "v1.0.0"); err == nil {
		t.Errorf("released twice: %q", out)
	}
}

func TestWrongCalls(t *testing.T) {
	for _, args := range [][]string{nil, {"publish"}, {"version"}, {"push", "layout"}, {"tag", "reference"}, {"notes", "v1.0.0", "CHANGELOG.md", "more"}} {
		if _, err := call(t, "", args...); err == nil {
			t.Errorf("%q: no error", args)
		}
	}
}
