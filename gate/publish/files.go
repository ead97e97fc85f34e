package publish

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/replay-gate/replay-gate/gate/reason"
	"github.com/replay-gate/replay-gate/summary"
	"github.com/replay-gate/replay-gate/verify"
)

// The files that lie beside the bundles.
const (
	ReportFile  = "report.json"
	SummaryFile = "summary.md"
	JUnitFile   = "junit.xml"
	SARIFFile   = "sarif.json"
	PageFile    = "report.html"
	// TimelineFile is the history of the inputs as a picture; written when one
	// of them drifted.
	TimelineFile = "timeline.svg"
	// SumsFile lists the digests of the bundles, as sha256sum(1) writes and checks them,
	// and as actions/attest-build-provenance reads them.
	SumsFile = "SHA256SUMS"
	// PartFile is what one of several machines found; it lies there instead of all others.
	PartFile = "part.json"
)

var beside = []string{ReportFile, SummaryFile, JUnitFile, SARIFFile, PageFile, TimelineFile, PartFile, SumsFile}

// bundleForm is the form of a bundle's name (see bundle.RunID; two runs of one id have the
// path's hash behind it), and tempForm that of a file on its way to its name, which a
// killed run may leave.
var (
	bundleForm = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9._-]*-([0-9a-f]{12}|unread)(-[0-9a-f]{6})?\.tar\.gz$`)
	tempForm   = regexp.MustCompile(`^\.[A-Z2-7]{26}\.tmp$`)
)

// Ours reports whether a name in the folder for bundles is of a form that the gate writes.
func Ours(base string) bool {
	return slices.Contains(beside, base) || bundleForm.MatchString(base) || tempForm.MatchString(base)
}

// save writes the report beside the bundles: as JSON, as pages, and for the programs that
// read JUnit and SARIF.
func (t *Target) save(r *summary.Report) error {
	r.Folder = t.Dir
	if t.History != nil {
		r.Timeline = path.Join(t.Dir, TimelineFile)
	}
	return t.Leave(Files(r, t.History))
}

// Content writes what a file is to hold.
type Content func(w io.Writer) error

// Of is content that is at hand.
func Of(data []byte) Content {
	return func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	}
}

// Leave writes files of the gate's own names beside the bundles, and removes what an earlier
// run left there.
func (t *Target) Leave(files map[string]Content) error {
	root, err := os.OpenRoot(t.Root)
	if err != nil {
		return reason.Infra(err)
	}
	defer root.Close()
	if err := t.CheckFolder(root, t.Dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return reason.Infra(err)
	}
	if err := t.drop(root, files); err != nil {
		return reason.Infra(fmt.Errorf("removing an old list of digests: %w", err))
	}
	for _, name := range beside {
		if content, ok := files[name]; ok {
			if err := t.Write(root, path.Join(t.Dir, name), content); err != nil {
				return reason.Infra(fmt.Errorf("writing %s: %w", name, err))
			}
		}
	}
	if err := t.sweep(root, files); err != nil {
		return reason.Infra(fmt.Errorf("removing what an earlier run left: %w", err))
	}
	return nil
}

// drop removes the list of digests of an earlier run before anything else of it goes: what
// it lists may not be there any more. It is written last, and then this run's.
func (t *Target) drop(root *os.Root, files map[string]Content) error {
	name := path.Join(t.Dir, SumsFile)
	info, err := root.Lstat(name)
	if err != nil || !info.Mode().IsRegular() || t.Committed(name) {
		return nil
	}
	if list := files[SumsFile]; list != nil {
		var is bytes.Buffer
		was, err := root.ReadFile(name)
		if err == nil && list(&is) == nil && bytes.Equal(was, is.Bytes()) {
			return nil
		}
	}
	return root.Remove(name)
}

// Files are those beside the bundles, by name; history is nil for none. Each is rendered as it
// is written: all of them at once would be some times as large as the report.
func Files(r *summary.Report, history *verify.Timeline) map[string]Content {
	files := map[string]Content{
		ReportFile:  func(w io.Writer) error { return summary.WriteJSON(w, r) },
		JUnitFile:   func(w io.Writer) error { return summary.WriteJUnit(w, r.Tool.Name, r) },
		SARIFFile:   func(w io.Writer) error { return summary.WriteSARIF(w, r) },
		SummaryFile: func(w io.Writer) error { return Of([]byte(summary.Markdown(r, summary.StepSummaryLimit)))(w) },
		PageFile:    func(w io.Writer) error { return summary.WriteHTML(w, r, history) },
	}
	if history != nil {
		files[TimelineFile] = func(w io.Writer) error { return Of(summary.TimelineSVG(history))(w) }
	}
	if list := sums(r); len(list) > 0 {
		files[SumsFile] = Of(list)
	}
	return files
}

// sums lists the bundles of a report: "<hex>  <file>", sorted by file. It is empty
// when there are none.
func sums(r *summary.Report) []byte {
	var lines []string
	for _, e := range r.Evidence {
		if b := e.Bundle; b != nil && b.Path != "" {
			lines = append(lines, fmt.Sprintf("%s  %s\n", strings.TrimPrefix(b.SHA256, "sha256:"), path.Base(b.Path)))
		}
	}
	slices.SortFunc(lines, func(a, b string) int { return strings.Compare(a[64:], b[64:]) })
	return []byte(strings.Join(slices.Compact(lines), ""))
}

// sweep removes what an earlier run left: plain files with a name of the gate's own forms
// that this run did not write and no commit has. After a run the folder holds what that
// run wrote, and nothing older.
func (t *Target) sweep(root *os.Root, files map[string]Content) error {
	entries, err := fs.ReadDir(root.FS(), t.Dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		name := path.Join(t.Dir, e.Name())
		_, written := files[e.Name()]
		if !e.Type().IsRegular() || !Ours(e.Name()) || written || slices.Contains(t.Bundles, name) || t.Committed(name) {
			continue
		}
		if err := root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}
