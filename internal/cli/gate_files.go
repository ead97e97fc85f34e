package cli

import (
	"bytes"
	"cmp"
	"fmt"
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
		var data bytes.Buffer
		if err := summary.WriteJSON(&data, errorReport(asGateError(failed))); err != nil {
			return writing(err)
		}
		return saveAs(f.report, data.Bytes())
	}
	root, ok := repo.FindRoot(cmp.Or(a.root, "."))
	if !ok {
		return nil
	}
	read := func(name string) ([]byte, error) {
		return os.ReadFile(filepath.Join(root, filepath.FromSlash(bundleDir), name))
	}
	if a.unsaved != nil { // what lies beside the bundles is another run's
		files, err := publish.Render(a.unsaved, nil)
		if err != nil {
			return writing(err)
		}
		read = func(name string) ([]byte, error) { return files[name], nil }
	}
	for _, file := range [][2]string{
		{f.report, publish.ReportFile}, {f.junit, publish.JUnitFile}, {f.sarif, publish.SARIFFile}, {f.summary, publish.SummaryFile},
	} {
		if file[0] == "" {
			continue
		}
		data, err := read(file[1])
		if err != nil {
			return disk(err)
		}
		if err := saveAs(file[0], data); err != nil {
			return err
		}
	}
	return nil
}

func saveAs(name string, data []byte) error {
	if err := os.WriteFile(name, data, 0o644); err != nil {
		return &gate.Error{Exit: gate.ExitInfra, Reason: reason.IO, Err: fmt.Errorf("writing a result: %w", err),
			NextStep: "give a file in a folder that exists and can be written"}
	}
	return nil
}
