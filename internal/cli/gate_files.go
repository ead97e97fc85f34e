package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/pflag"

	"github.com/replay-gate/replay-gate/gate"
	"github.com/replay-gate/replay-gate/gate/publish"
	"github.com/replay-gate/replay-gate/gate/reason"
	"github.com/replay-gate/replay-gate/gate/repo"
	"github.com/replay-gate/replay-gate/summary"
)

// outFiles are files that a run is also written to, wherever they lie.
type outFiles struct{ report, junit, sarif, summary string }

func (f *outFiles) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.report, "report", "", "`file` to write the report to as well, as JSON")
	flags.StringVar(&f.junit, "junit", "", "`file` to write JUnit XML to as well")
	flags.StringVar(&f.sarif, "sarif", "", "`file` to write SARIF to as well")
	flags.StringVar(&f.summary, "summary", "", "`file` to write the summary to as well, as Markdown")
}

// writeFiles copies what lies beside the bundles to where it was asked for. Of a run that
// could not be completed there is the report alone, as with --json.
func (a *app) writeFiles(f outFiles, bundleDir string, failed error) error {
	if failed == nil && a.incomplete != nil {
		failed = a.incomplete
	}
	if failed != nil {
		if f.report == "" {
			return nil
		}
		return saveAs(f.report, func(w io.Writer) error { return summary.WriteJSON(w, errorReport(asGateError(failed))) })
	}
	root, ok := repo.FindRoot(cmp.Or(a.root, "."))
	if !ok {
		return nil
	}
	var unsaved map[string]publish.Content
	if a.unsaved != nil { // what lies beside the bundles is another run's
		unsaved = publish.Files(a.unsaved, nil)
	}
	for _, file := range [][2]string{
		{f.report, publish.ReportFile}, {f.junit, publish.JUnitFile}, {f.sarif, publish.SARIFFile}, {f.summary, publish.SummaryFile},
	} {
		if file[0] == "" {
			continue
		}
		content := unsaved[file[1]]
		if content == nil {
			saved, err := os.Open(filepath.Join(root, filepath.FromSlash(bundleDir), file[1]))
			if err != nil {
				return disk(err)
			}
			defer saved.Close()
			if sameFile(saved, file[0]) {
				continue // it is where it was asked for
			}
			content = func(w io.Writer) error {
				_, err := io.Copy(w, saved)
				return err
			}
		}
		if err := saveAs(file[0], content); err != nil {
			return err
		}
	}
	return nil
}

// sameFile reports whether name leads to a file that is open: writing it would empty it first.
func sameFile(f *os.File, name string) bool {
	is, err1 := f.Stat()
	other, err2 := os.Stat(name)
	return err1 == nil && err2 == nil && os.SameFile(is, other)
}

func saveAs(name string, content publish.Content) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
	if err == nil {
		err = errors.Join(content(f), f.Close())
	}
	if err != nil {
		return &gate.Error{Exit: gate.ExitInfra, Reason: reason.IO, Err: fmt.Errorf("writing a result: %w", err),
			NextStep: "give a file in a folder that exists and can be written"}
	}
	return nil
}
