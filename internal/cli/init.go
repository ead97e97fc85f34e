package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"

	"github.com/spf13/cobra"

	"github.com/replay-gate/replay-gate/gate"
	"github.com/replay-gate/replay-gate/gate/config"
	"github.com/replay-gate/replay-gate/summary"
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
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.setUp(cmd.Context()) },
	}
}

func (a *app) setUp(ctx context.Context) error {
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

	var b strings.Builder
	foundEvidence(&b, s)
	for _, e := range l.elsewhere {
		fmt.Fprintf(&b, "  %s lies where no default glob looks (%s)\n", summary.TerminalText(e.path), e.title)
	}
	writeUnpinned(&b, s.Unpinned)
	b.WriteByte('\n')
	if len(l.elsewhere) > 0 {
		if err := create(&b, root, config.Name, l.settings()); err != nil {
			return err
		}
	}
	if l.runsGate != "" {
		fmt.Fprintf(&b, "kept    %s, which runs the gate\n", summary.TerminalText(l.runsGate))
	} else if err := create(&b, root, workflowPath, workflow); err != nil {
		return err
	}
	if !l.ignored {
		fmt.Fprintf(&b, "offer   git should not see bundles: echo '/%s/' >> .gitignore\n", gate.DefaultBundleDir)
	}
	b.WriteString("\ncommit what was written, and open a pull request\n")
	if a.json {
		return a.status(ctx)
	}
	_, err = a.Out.Write([]byte(b.String()))
	return writing(err)
}

// foundEvidence says how much there is of each kind.
func foundEvidence(b *strings.Builder, s *gate.Standing) {
	n := make(map[string]int)
	var titles []string
	for _, e := range s.Evidence {
		t := e.Format.Title()
		if n[t]++; n[t] == 1 {
			titles = append(titles, t)
		}
	}
	if len(titles) == 0 {
		b.WriteString("found no evidence of a known kind\n")
	}
	for _, t := range titles {
		fmt.Fprintf(b, "found %d × %s\n", n[t], t)
	}
}

// create writes a file that is not there, and says so.
func create(b *strings.Builder, root *os.Root, name, text string) error {
	if err := root.MkdirAll(path.Dir(name), 0o755); err != nil {
		return disk(err)
	}
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		fmt.Fprintf(b, "kept    %s, which is there; it would be:\n%s", name, indented(text))
		return nil
	}
	if err != nil {
		return disk(fmt.Errorf("writing %s: %w", name, err))
	}
	_, err = f.WriteString(text)
	if err := errors.Join(err, f.Close()); err != nil {
		return disk(fmt.Errorf("writing %s: %w", name, err))
	}
	fmt.Fprintf(b, "wrote   %s\n", name)
	return nil
}

func indented(text string) string {
	return "        " + strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n        ") + "\n"
}
