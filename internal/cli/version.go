package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/replay-gate/replay-gate/summary"
)

// Set by the linker in releases (-X .../internal/cli.version=v1.2.3). The commit and
// its date come in the same way and not from the build's stamp of the repository, so
// that the bytes of a release don't depend on what lay around it when it was built.
var version, commit, date string

// tool is this program, for reports.
func tool() summary.Tool {
	t := summary.Tool{Name: "replay-gate", Version: version}
	if t.Version == "" {
		t.Version = "devel"
		if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
			t.Version = info.Main.Version
		}
	}
	return t
}

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print version, commit, and Go release",
		Example: "  replay-gate version",
		Args:    noArgs(""),
		RunE: func(*cobra.Command, []string) error {
			if a.json {
				return a.versionJSON()
			}
			_, err := fmt.Fprintln(a.Out, versionLine())
			return writing(err)
		},
	}
}

// versionReport is what version --json prints.
type versionReport struct {
	Schema  string `json:"schema"` // replay-gate.version/v1
	Name    string `json:"name"`
	Version string `json:"version"`
	Commit  string `json:"commit,omitempty"`
	Date    string `json:"date,omitempty"`
	Go      string `json:"go"`
	OS      string `json:"os"`
	Arch    string `json:"arch"`
}

// versionJSON prints what versionLine says.
func (a *app) versionJSON() error {
	commit, date := stamp()
	return a.printJSON(versionReport{"replay-gate.version/v1", tool().Name, tool().Version, commit, date, runtime.Version(), runtime.GOOS, runtime.GOARCH})
}

func versionLine() string {
	commit, date := stamp()
	if commit == "" {
		commit, date = "unknown commit", ""
	}
	from := strings.TrimSpace(commit + " " + date)
	return fmt.Sprintf("replay-gate %s (%s) %s %s/%s", tool().Version, from, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// stamp is the commit that this program was built from, and its date; both empty where
// nobody knows.
func stamp() (string, string) {
	commit, date := commit, date
	if info, ok := debug.ReadBuildInfo(); ok && commit == "" {
		for _, s := range info.Settings {
			switch s.Key {
			case "vcs.revision":
				commit = s.Value
			case "vcs.time":
				date = s.Value
			}
		}
	}
	return commit, date
}
