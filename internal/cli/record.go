package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/replay-gate/replay-gate/gate"
	"github.com/replay-gate/replay-gate/gate/reason"
	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/ahd"
)

// recordFlags say what no program can find out about a run: they are the flags
// that capture and backfill share.
type recordFlags struct {
	kind, token, brief    string
	version               string
	n                     int
	models                []string
	conditions, effective []string

	flags *pflag.FlagSet // to tell what was given
}

// lack is a flag that is missing, and what it takes.
type lack struct{ flag, takes, why string }

func (r *recordFlags) add(f *pflag.FlagSet) {
	r.flags = f
	f.StringVar(&r.kind, "kind", "", "kind of run: "+strings.Join(ahd.Kinds(), ", "))
	f.StringVar(&r.token, "token", "", "token file that the run consumes")
	f.StringVar(&r.brief, "brief", "", "brief file that the run consumes (not for a critique)")
	f.StringArrayVar(&r.models, "model", nil, "model and its provider, as `id=provider`; once for each model")
	f.IntVar(&r.n, "n", 0, "samples per cell")
	f.StringSliceVar(&r.conditions, "conditions", nil, "conditions that were requested, separated by commas")
	f.StringSliceVar(&r.effective, "effective", nil, "conditions that ran (default: those requested)")
	f.StringVar(&r.version, "ahd-version", "", "version of the tool that ran (default: that of the framework's package.json)")
}

// run checks the flags and gives the part of the record that they say. more are flags of
// the command that are missing: all that is lacking is said at once.
func (r *recordFlags) run(more ...lack) (ahd.Run, error) {
	run := ahd.Run{
		Kind: r.kind, Sampling: ahd.Sampling{N: r.n},
		Conditions: ahd.Conditions{Requested: r.conditions, Effective: r.effective},
	}
	if r.effective == nil {
		run.Conditions.Effective = r.conditions
	}
	switch {
	case r.kind != "" && !slices.Contains(ahd.Kinds(), r.kind):
		return run, usage("give --kind "+strings.Join(ahd.Kinds(), ", or --kind "), "kind %q is not known", r.kind)
	case r.kind != "" && !ahd.HasBrief(r.kind) && r.brief != "":
		return run, usage("leave out --brief", "a run of kind %s has no brief", r.kind)
	case r.n < 1 && r.flags.Changed("n"):
		return run, usage("give --n, the samples per cell", "n must be a positive integer")
	}
	if err := lacking(append(r.lacks(), more...)); err != nil {
		return run, err
	}
	for _, m := range r.models {
		i := strings.LastIndexByte(m, '=')
		if i < 1 || i == len(m)-1 {
			return run, usage("write it like --model cf:@cf/google/gemma-4-26b-a4b-it=cloudflare-workers-ai", "model %q is not id=provider", m)
		}
		run.Models = append(run.Models, ahd.Model{ID: m[:i], Provider: m[i+1:]})
	}
	return run, nil
}

// lacks are the flags without which there is no record.
func (r *recordFlags) lacks() []lack {
	var all []lack
	if r.kind == "" {
		all = append(all, lack{"--kind", strings.Join(ahd.Kinds(), "|"), "a run has a kind"})
	}
	if r.token == "" {
		all = append(all, lack{"--token", "FILE", "a run has a token"})
	}
	if r.brief == "" && r.kind != "" && ahd.HasBrief(r.kind) {
		all = append(all, lack{"--brief", "FILE", "a run of kind " + r.kind + " has a brief"})
	}
	if r.n < 1 {
		all = append(all, lack{"--n", "SAMPLES", "a run has a number of samples per cell"})
	}
	return all
}

// lacking words all that is missing in one error.
func lacking(all []lack) error {
	if len(all) == 0 {
		return nil
	}
	var flags, next []string
	for _, l := range all {
		flags = append(flags, l.flag)
		next = append(next, l.flag+" "+l.takes)
	}
	if len(all) == 1 {
		return usage("give "+next[0], "%s: %s is missing", all[0].why, all[0].flag)
	}
	return usage("give "+strings.Join(next, " "), "%s are missing", strings.Join(flags, ", "))
}

// pin fills in what depends on the files of a state: the hashes of the inputs and
// the version. dir is where tree is rooted, sidecar the path to be written there.
func (r *recordFlags) pin(run *ahd.Run, tree *verify.Tree, dir, sidecar string) error {
	start := ahd.RootOf(tree, sidecar)
	var ok bool
	if run.Version = r.version; run.Version == "" {
		if run.Version, ok = ahd.FrameworkVersion(tree, start); !ok {
			return usage("say which version ran with --ahd-version", "the version of the tool is not known: no package.json named %s states it", ahd.PackageName)
		}
	}
	var err error
	if run.Token, err = pinned(tree, dir, start, r.token, func(_ string, data []byte) (string, error) { return ahd.TokenHash(data) }); err != nil {
		return err
	}
	if r.brief == "" {
		return nil
	}
	brief, err := pinned(tree, dir, start, r.brief, ahd.BriefHash)
	if err != nil {
		return err
	}
	run.Brief = &brief
	return nil
}

// pinned hashes the input that arg names. Recorded paths count from folder start.
func pinned(tree *verify.Tree, dir, start, arg string, hash func(string, []byte) (string, error)) (ahd.InputRef, error) {
	var in ahd.InputRef
	name, err := below(dir, arg)
	if err != nil {
		return in, err
	}
	data, err := tree.ReadFile(name, verify.MaxInput)
	if err != nil {
		return in, usage("check the path: it counts from the current folder", "%w", err)
	}
	if in.Path, err = filepath.Rel(filepath.FromSlash(start), filepath.FromSlash(name)); err != nil || !filepath.IsLocal(in.Path) {
		return in, usage("use an input that lies in the sidecar's own package", "%s is not below %s, which recorded paths start at", name, start)
	}
	in.Path = filepath.ToSlash(in.Path)
	if in.Hash, err = hash(name, data); err != nil {
		return in, &gate.Error{Exit: gate.ExitUsage, Reason: reason.Unchecked, Err: fmt.Errorf("%s: %w", name, err),
			NextStep: "write the input as plain YAML or JSON, so that its parsed value can be hashed"}
	}
	return in, nil
}

// below is the path of the file arg from the folder dir, which it must not leave.
func below(dir, arg string) (string, error) {
	abs, err := filepath.Abs(arg)
	if err != nil {
		return "", usage("run it from a folder that exists", "%w", err)
	}
	// A file of an older commit may lie in a folder that is gone.
	if folder, err := filepath.EvalSymlinks(filepath.Dir(abs)); err == nil {
		abs = filepath.Join(folder, filepath.Base(abs))
	}
	rel, err := filepath.Rel(dir, abs)
	if err != nil || !filepath.IsLocal(rel) {
		return "", usage("use a file inside of the repository", "%s is not below the root %s", arg, dir)
	}
	return filepath.ToSlash(rel), nil
}

// saveSidecar writes a sidecar below dir. With keep it never replaces one.
func saveSidecar(dir, name string, run ahd.Run, keep bool) error {
	data, err := run.Sidecar()
	if err != nil {
		return usage("use words of UTF-8 text", "%w", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return disk(err)
	}
	defer root.Close()
	mode := os.O_WRONLY | os.O_CREATE | os.O_TRUNC
	if keep {
		mode = os.O_WRONLY | os.O_CREATE | os.O_EXCL
	}
	f, err := root.OpenFile(filepath.FromSlash(name), mode, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return usage("check the one that is there with replay-gate verify", "%s exists; evidence of a run is not replaced by a reconstruction", name)
	}
	if err != nil {
		return disk(fmt.Errorf("writing the sidecar: %w", err))
	}
	_, err = f.Write(data)
	if err = cmp.Or(err, f.Close()); err != nil {
		return disk(fmt.Errorf("writing the sidecar: %w", err))
	}
	return nil
}
