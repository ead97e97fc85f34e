package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/replay-gate/replay-gate/gate"
	"github.com/replay-gate/replay-gate/gate/config"
	"github.com/replay-gate/replay-gate/summary/visible"
	"github.com/replay-gate/replay-gate/verify/pin"
)

// workflowPath is where init puts the workflow.
const workflowPath = ".github/workflows/replay-evidence.yml"

// workflow is the quick start of the README.
const workflow = `name: Replay evidence
on: pull_request
permissions:
  contents: read
jobs:
  evidence:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v6
        with:
          fetch-depth: 0
      - uses: replay-gate/replay-gate@v1
`

func (a *app) initCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "init",
		Short: "Set the gate up in this repository",
		Long: fmt.Sprintf(`Look at the repository, say what evidence and which unpinned results there are, and
write %s, which runs the gate on pull
requests. %s is written only if evidence lies where it would not be found.
Nothing that is there is overwritten, and nothing is committed.

Exit codes: 0 done; 2 usage; 3 disk.`, workflowPath, config.Name),
		Example: "  replay-gate init",
		Args:    noArgs(""),
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.init(cmd.Context()) },
	}
}

func (a *app) init(ctx context.Context) error {
	var err error
	if a.root, err = a.rootOf(nil); err != nil {
		return err
	}
	s, err := a.stand(ctx, gate.Options{Alone: true, Dry: true, Scope: "all", FailOn: "never", BundleFor: "none"}, false)
	if err != nil {
		return err
	}
	l, err := lookAround(a.root)
	if err != nil {
		return err
	}
	root, err := os.OpenRoot(a.root)
	if err != nil {
		return disk(err)
	}
	defer root.Close()

	done := &setUp{Schema: setUpSchema, Found: countKinds(s), Elsewhere: l.elsewhere, Unpinned: append([]pin.Suggestion{}, s.Unpinned...)}
	if len(l.elsewhere) > 0 {
		if err := done.create(root, config.Name, l.settings()); err != nil {
			return err
		}
	}
	if l.runsGate != "" {
		done.Files = append(done.Files, setUpFile{Path: l.runsGate, State: "kept"})
	} else if err := done.create(root, workflowPath, workflow); err != nil {
		return err
	}
	if !l.ignored {
		done.Ignore = "/" + gate.DefaultBundleDir + "/"
	}
	if a.json {
		return a.printJSON(done)
	}
	return writing(done.write(a.Out))
}

// setUpSchema names the version of what init --json prints.
const setUpSchema = "replay-gate.init/v1"

// setUp is what init found and did.
type setUp struct {
	Schema    string           `json:"schema"` // always setUpSchema
	Found     []kindCount      `json:"found"`
	Elsewhere []misplaced      `json:"elsewhere"`
	Unpinned  []pin.Suggestion `json:"unpinned"`
	Files     []setUpFile      `json:"files"`
	// Ignore is the line that .gitignore lacks; empty if it has one.
	Ignore string `json:"ignore,omitempty"`
}

// kindCount says how much evidence of a kind there is.
type kindCount struct {
	Kind  string `json:"kind"`
	Title string `json:"title"`
	Count int    `json:"count"`
}

// setUpFile is a file that init wrote, or found and kept.
type setUpFile struct {
	Path  string `json:"path"`
	State string `json:"state"` // written or kept
	// Would is what init would have written in the place of one that it kept.
	Would string `json:"would,omitempty"`
}

func countKinds(s *gate.Standing) []kindCount {
	all := []kindCount{}
	for _, e := range s.Evidence {
		i := slices.IndexFunc(all, func(k kindCount) bool { return k.Kind == e.Format.Kind() })
		if i < 0 {
			i, all = len(all), append(all, kindCount{e.Format.Kind(), e.Format.Title(), 0})
		}
		all[i].Count++
	}
	return all
}

// create writes a file that is not there.
func (s *setUp) create(root *os.Root, name, text string) error {
	if err := root.MkdirAll(path.Dir(name), 0o755); err != nil {
		return disk(err)
	}
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		s.Files = append(s.Files, setUpFile{Path: name, State: "kept", Would: text})
		return nil
	}
	if err != nil {
		return disk(fmt.Errorf("writing %s: %w", name, err))
	}
	_, err = f.WriteString(text)
	if err := errors.Join(err, f.Close()); err != nil {
		return disk(fmt.Errorf("writing %s: %w", name, err))
	}
	s.Files = append(s.Files, setUpFile{Path: name, State: "written"})
	return nil
}

// write says it to a person.
func (s *setUp) write(w io.Writer) error {
	var b strings.Builder
	if len(s.Found) == 0 {
		b.WriteString("found no evidence of a known kind\n")
	}
	for _, k := range s.Found {
		fmt.Fprintf(&b, "found %d × %s\n", k.Count, k.Title)
	}
	for _, e := range s.Elsewhere {
		fmt.Fprintf(&b, "  %s lies where no default glob looks (%s)\n", visible.Line(e.Path), e.Title)
	}
	writeUnpinned(&b, s.Unpinned)
	b.WriteByte('\n')
	for _, f := range s.Files {
		name := visible.Line(f.Path)
		switch {
		case f.State == "written":
			fmt.Fprintf(&b, "wrote   %s\n", name)
		case f.Would == "":
			fmt.Fprintf(&b, "kept    %s, which runs the gate\n", name)
		default:
			fmt.Fprintf(&b, "kept    %s, which is there; it would be:\n%s", name, indented(f.Would))
		}
	}
	if s.Ignore != "" {
		fmt.Fprintf(&b, "offer   git should not see bundles: echo '%s' >> .gitignore\n", s.Ignore)
	}
	b.WriteString("\ncommit what was written, and open a pull request\n")
	_, err := io.WriteString(w, b.String())
	return err
}

func indented(text string) string {
	return "        " + strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n        ") + "\n"
}
