package github

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// runnerWith returns a runner with these variables, given as name, value,
// name...
func runnerWith(env ...string) *Actions {
	m := make(map[string]string)
	for i := 0; i < len(env); i += 2 {
		m[env[i]] = env[i+1]
	}
	return &Actions{getenv: func(name string) string { return m[name] }}
}

func tempFile(t testing.TB, content string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestSetOutputs(t *testing.T) {
	t.Parallel()
	name := tempFile(t, "earlier=1") // without a line break at the end
	a := runnerWith("GITHUB_OUTPUT", name)
	want := [][2]string{{"verdict", "drift"}, {"bundles", "[\n  {}\n]\n"}, {"exit-code", ""}}
	if err := a.SetOutputs(want[:2]); err != nil {
		t.Fatal(err)
	}
	if err := a.SetOutputs(want[2:]); err != nil {
		t.Fatal(err)
	}
	content, _ := os.ReadFile(name)
	got, err := parseFile(string(content))
	if want := append([][2]string{{"earlier", "1"}}, want...); err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("runner reads %q, %v; want %q", got, err, want)
	}
}

// The line that ends a value is never the same, so that no value can hold it by
// knowing it (CVE-2022-35954 was a fixed one).
func TestSetOutputsEndsAreRandom(t *testing.T) {
	t.Parallel()
	name := tempFile(t, "")
	a := runnerWith("GITHUB_OUTPUT", name)
	seen := make(map[string]bool)
	for range 4 {
		if err := a.SetOutputs([][2]string{{"a", ""}, {"a", ""}}); err != nil {
			t.Fatal(err)
		}
	}
	content, _ := os.ReadFile(name)
	for line := range strings.Lines(string(content)) {
		if _, end, ok := strings.Cut(line, "<<"); ok {
			seen[end] = true
		}
	}
	if len(seen) != 8 {
		t.Errorf("%d different ends for 8 values", len(seen))
	}
}

func TestSetOutputsRefusesNames(t *testing.T) {
	t.Parallel()
	name := tempFile(t, "")
	for _, bad := range []string{"", "a=b", "a<<b", "a\nverdict", "1st", "é", strings.Repeat("a", 101)} {
		if err := runnerWith("GITHUB_OUTPUT", name).SetOutputs([][2]string{{"ok", "1"}, {bad, "x"}}); err == nil {
			t.Errorf("%q was taken as a name", bad)
		}
	}
	if content, _ := os.ReadFile(name); len(content) > 0 {
		t.Errorf("half of the outputs were written: %q", content)
	}
}

func TestMissingFilesAreNoCrash(t *testing.T) {
	t.Parallel()
	gone := filepath.Join(t.TempDir(), "gone")
	for _, a := range []*Actions{runnerWith(), runnerWith("GITHUB_OUTPUT", gone, "GITHUB_STEP_SUMMARY", gone)} {
		if err := a.SetOutputs([][2]string{{"a", "b"}}); !errors.Is(err, ErrNoFile) {
			t.Errorf("SetOutputs: %v, want ErrNoFile", err)
		}
		if err := a.AddSummary("# x"); !errors.Is(err, ErrNoFile) {
			t.Errorf("AddSummary: %v, want ErrNoFile", err)
		}
	}
}

// A summary over 1,048,576 bytes is dropped whole by the runner
// (FileCommandManager.cs, AttachmentSizeLimit), so the last text that fits is
// kept and the next refused.
func TestAddSummaryLimit(t *testing.T) {
	t.Parallel()
	name := tempFile(t, "")
	a := runnerWith("GITHUB_STEP_SUMMARY", name)
	if err := a.AddSummary(strings.Repeat("x", MaxSummary-3)); err != nil {
		t.Fatal(err)
	}
	if err := a.AddSummary("yy"); !errors.Is(err, ErrSummaryTooLarge) {
		t.Fatalf("one byte too many: %v", err)
	}
	if err := a.AddSummary("y"); err != nil {
		t.Fatalf("exactly at the limit: %v", err)
	}
	if info, _ := os.Stat(name); info.Size() != MaxSummary {
		t.Errorf("size %d, want %d", info.Size(), MaxSummary)
	}
}

// No value forges an output, whatever follows or stands before it.
func FuzzSetOutputs(f *testing.F) {
	for _, s := range hostile {
		f.Add(s, s)
	}
	f.Fuzz(func(t *testing.T, v1, v2 string) {
		name := tempFile(t, "")
		want := [][2]string{{"verdict", "drift"}, {"a", v1}, {"b", v2}, {"exit-code", "1"}}
		if err := runnerWith("GITHUB_OUTPUT", name).SetOutputs(want); err != nil {
			t.Fatal(err)
		}
		content, _ := os.ReadFile(name)
		got, err := parseFile(string(content))
		if err != nil || fmt.Sprintf("%q", got) != fmt.Sprintf("%q", want) {
			t.Errorf("runner reads %q, %v; want %q", got, err, want)
		}
	})
}
