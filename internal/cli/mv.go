package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/replay-gate/replay-gate/gate"
	"github.com/replay-gate/replay-gate/gate/config"
	"github.com/replay-gate/replay-gate/gate/reason"
	"github.com/replay-gate/replay-gate/summary/visible"
	"github.com/replay-gate/replay-gate/verify"
)

func (a *app) mvCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "mv <old> <new>",
		Short: "Say where an input lies now that was moved",
		Long: fmt.Sprintf(`Say in %s that an input which evidence names by its old path lies at a
new one. The evidence keeps its bytes, and its verdict tells where the path leads.
The file itself is moved before, as with git mv.

Exit codes: 0 it is said; 2 usage; 3 disk.`, config.Name),
		Example: `  git mv tokens/swiss.yml tokens/editorial.yml
  replay-gate mv tokens/swiss.yml tokens/editorial.yml`,
		Args: wants("name the path that evidence records, and the one where the file lies now", "old", "new"),
		RunE: func(cmd *cobra.Command, args []string) error { return a.mv(cmd.Context(), args[0], args[1]) },
	}
}

func (a *app) mv(ctx context.Context, oldArg, newArg string) error {
	if info, err := os.Stat(newArg); err != nil {
		return usage("move the file first: git mv "+oldArg+" "+newArg, "there is no file %s", newArg)
	} else if info.IsDir() {
		return usage("name each file that evidence pins", "%s is a folder, and what evidence pins are files", newArg)
	}
	n, err := a.place(named{}, newArg)
	if err != nil {
		return err
	}
	old, err := below(n.root, oldArg)
	if err != nil {
		return err
	}
	root, err := os.OpenRoot(n.root)
	if err != nil {
		return disk(err)
	}
	defer root.Close()
	if _, err := root.Lstat(filepath.FromSlash(old)); err == nil {
		return usage("remove the old file if it was moved, or leave the settings as they are", "%s is still there, and evidence that names it is checked against it", old)
	}
	text, err := verify.NewTree(root.FS()).ReadFile(config.Name, config.MaxSize)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return usage("make it a regular file", "%w", err)
	}
	if text, err = config.AddMoved(text, old, n.path, gate.Formats()); err != nil {
		return &gate.Error{Exit: gate.ExitUsage, Reason: reason.Parse, Err: err, NextStep: "correct what the message names in " + config.Name}
	}
	if err := root.WriteFile(config.Name, text, 0o644); err != nil {
		return disk(fmt.Errorf("writing %s: %w", config.Name, err))
	}
	fmt.Fprintf(a.Err, "%s says that %s lies at %s\n", config.Name, visible.Line(old), visible.Line(n.path))
	return a.reportIfJSON(ctx, n.root, named{path: ".", dir: true})
}
