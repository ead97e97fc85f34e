// Package pinning makes the pin of a result in a work tree: it is what replay-gate pin
// does, apart from the command line.
//
//	r, err := pinning.Make(ctx, pinning.Options{
//		Root: "/home/me/project", Subjects: []string{"evals/report.md"},
//		Inputs: []string{"evals/prompts/*.md"}, Command: []string{"make", "eval"}, Exec: run,
//	})
//
// What it promises:
//
//   - The inputs of a run are hashed before and after it. If they are not the same, nobody
//     knows what the run consumed, and no pin is written.
//   - A command that fails or is interrupted leaves no pin, and an old one as it was.
//   - No command is recorded that looks as if it held a secret, nothing of the environment
//     and no name of the machine is, and no program runs but the command.
package pinning

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/replay-gate/replay-gate/gate/repo"
	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/pin"
	"github.com/replay-gate/replay-gate/verify/pin/sources"
)

// Options say what to pin. Paths and specs count from Root: see [Relative].
type Options struct {
	Root     string   // absolute path of the repository, or of a folder without one
	Subjects []string // the results; the first names the pin
	// Inputs and Notes are specs, as in [pin.Request]; From names configurations.
	Inputs, Notes, From []string
	// Refresh takes what the pin that is there names as well.
	Refresh bool
	// Command is the command to run; none for a pin of what is there. Rerun takes the one
	// that the pin to refresh records.
	Command []string
	Rerun   bool
	// Exec runs a command, and returns when it has ended; an error is returned as it is.
	Exec func(ctx context.Context, argv []string) error
	// Secrets names the rules by which text looks as if it held a secret.
	Secrets func(text []byte) []string
	Now     func() time.Time
	Tool    string // name and version of the writer
	// GitConfig is git's configuration beyond the repository's own.
	GitConfig repo.UserConfig
}

// Result is what was pinned.
type Result struct {
	Path string // of the pin
	Pin  pin.Pin
	// Same says that the pin that was there says all this, and was left as it was.
	Same bool
	// RunLost says that the pin that was there recorded a run, and that this one doesn't.
	RunLost bool
	// Untouched are results that the command left as they were.
	Untouched []string
	// Ignored are files that git ignores, so that no commit will hold them.
	Ignored []string
}

// Error says why there is no pin, and the one next step.
type Error struct {
	Kind error // one of the Err values
	Err  error
	Next string
}

func (e *Error) Error() string { return e.Err.Error() }

// Unwrap gives the kind and the reason.
func (e *Error) Unwrap() []error { return []error{e.Kind, e.Err} }

// The kinds of errors.
var (
	ErrUsage   = errors.New("usage")
	ErrChanged = errors.New("an input changed")
	ErrDisk    = errors.New("disk")
)

func fail(kind error, next, format string, args ...any) error {
	return &Error{Kind: kind, Err: fmt.Errorf(format, args...), Next: next}
}

// Make pins, and writes the pin.
func Make(ctx context.Context, o Options) (Result, error) {
	if len(o.Subjects) == 0 {
		return Result{}, fail(ErrUsage, "name it: replay-gate pin evals/report.md", "there is no result to pin")
	}
	old, err := o.before()
	if err != nil {
		return Result{}, err
	}
	r := Result{Path: pin.PathFor(o.Subjects[0])}
	if len(o.Command) > 0 {
		r.Pin, r.Untouched, err = o.run(ctx)
	} else {
		r.Pin, err = o.pin(pin.Build, o.request(old))
	}
	if err != nil {
		return r, err
	}
	if len(r.Pin.Inputs) == 0 {
		return r, fail(ErrUsage, "name what the result was made from: --input 'evals/prompts/*.md', or --from promptfooconfig.yaml", "a pin without inputs ties the result to nothing")
	}
	if old != nil && len(o.Command) == 0 && same(*old, r.Pin) {
		r.Same, r.Pin = true, *old
		return r, nil
	}
	r.RunLost = old != nil && !old.StartedOn.IsZero() && r.Pin.StartedOn.IsZero()
	text, err := r.Pin.Encode()
	if err != nil {
		return r, fail(ErrUsage, "use names and words of UTF-8 text", "%w", err)
	}
	if err := o.refuseSecrets(text); err != nil {
		return r, err
	}
	if r.Ignored, err = o.ignored(r.Pin); err != nil {
		return r, err
	}
	return r, o.save(r.Path, text)
}

// request is what is asked for; old is the pin to refresh, whose command is kept, so that
// it can be run another time.
func (o *Options) request(old *pin.Pin) pin.Request {
	req := pin.Request{Subjects: o.Subjects, Inputs: o.Inputs, Notes: o.Notes, Tool: o.Tool}
	if old != nil {
		req.Command = old.Command
	}
	return req
}

// run runs the command between two looks at the inputs.
func (o *Options) run(ctx context.Context) (made pin.Pin, untouched []string, err error) {
	req := o.request(nil)
	req.Command, req.StartedOn = o.Command, o.Now()
	before, err := o.pin(pin.BuildInputs, req)
	if err != nil {
		return before, nil, err
	}
	results := o.digests()
	draft := before
	draft.Subjects = []pin.Artifact{{Name: o.Subjects[0], SHA256: strings.Repeat("0", 64)}}
	text, err := draft.Encode() // before the run, which may be dear
	if err != nil {
		return before, nil, fail(ErrUsage, "use names and words of UTF-8 text", "%w", err)
	}
	if err := o.refuseSecrets(text); err != nil {
		return before, nil, err
	}
	if err := o.Exec(ctx, o.Command); err != nil {
		return before, nil, err
	}
	if err := ctx.Err(); err != nil {
		return before, nil, err
	}
	after, err := o.pin(pin.Build, req)
	if err != nil {
		return before, nil, err
	}
	if changed := differing(before, after); len(changed) > 0 {
		return after, nil, fail(ErrChanged, "run it again while nothing edits them, or leave out what the command writes",
			"%s changed while the command ran, so that nobody knows what the run consumed; no pin was written", list(changed))
	}
	for _, a := range after.Subjects {
		if results[a.Name] == a.SHA256 {
			untouched = append(untouched, a.Name)
		}
	}
	return after, untouched, nil
}

// pin builds a pin of the files as they are on disk now.
func (o *Options) pin(build func(*verify.Tree, pin.Storer, pin.Request) (pin.Pin, error), req pin.Request) (pin.Pin, error) {
	w, err := o.open()
	if err != nil {
		return pin.Pin{}, err
	}
	defer w.close()
	for _, spec := range o.From {
		s, err := sources.Read(w.tree, spec)
		if err != nil {
			return pin.Pin{}, fail(ErrUsage, "name a promptfooconfig.yaml, dvc.yaml:STAGE or Makefile:TARGET", "--from %s: %w", spec, err)
		}
		req.Sources = append(req.Sources, s)
	}
	p, err := build(w.tree, w.stored, req)
	var spec *pin.SpecError
	switch {
	case errors.As(err, &spec) && errors.Is(err, pin.ErrNoMatch):
		return p, fail(ErrUsage, "check the glob: it counts from the current folder", "%w", err)
	case errors.As(err, &spec) && slices.Contains(req.Subjects, spec.Spec):
		return p, fail(ErrUsage, "pin a result that is there, or give the command that writes it behind --", "%w", err)
	case errors.As(err, &spec) && o.Refresh:
		return p, fail(ErrUsage, "pin anew without --refresh, and name the inputs of today", "%w", err)
	case err != nil:
		return p, fail(ErrUsage, "check the path, and the keys behind #", "%w", err)
	}
	return p, nil
}

// digests are those of the results before a run, of each that is there.
func (o *Options) digests() map[string]string {
	all := make(map[string]string)
	for _, name := range o.Subjects {
		p, err := o.pin(pin.Build, pin.Request{Subjects: []string{name}})
		if err == nil {
			all[name] = p.Subjects[0].SHA256
		}
	}
	return all
}

// differing are the inputs that are not the same in both.
func differing(before, after pin.Pin) []string {
	byName := make(map[string]pin.Artifact)
	for _, a := range before.Inputs {
		byName[a.Name] = a
	}
	var names []string
	for _, a := range after.Inputs {
		if !reflect.DeepEqual(byName[a.Name], a) {
			names = append(names, a.Name)
		}
		delete(byName, a.Name)
	}
	for name := range byName {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// same reports whether two pins pin the same, whenever and by whichever version.
func same(old, now pin.Pin) bool {
	now.StartedOn, now.Tool, now.Command = old.StartedOn, old.Tool, old.Command
	one, err := old.Encode()
	if err != nil {
		return false
	}
	two, err := now.Encode()
	return err == nil && string(one) == string(two)
}

func (o *Options) refuseSecrets(text []byte) error {
	if o.Secrets == nil {
		return nil
	}
	if rules := o.Secrets(text); len(rules) > 0 {
		return fail(ErrUsage, "pass secrets in the environment, which is not recorded",
			"the command or a name looks as if it held a secret (%s), and a pin is for everybody to read", rules[0])
	}
	return nil
}

func list(names []string) string {
	const most = 3
	if len(names) > most {
		return strings.Join(names[:most], ", ") + fmt.Sprintf(" and %d more", len(names)-most)
	}
	return strings.Join(names, ", ")
}
