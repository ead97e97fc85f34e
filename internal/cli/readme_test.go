package cli

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"
	"gopkg.in/yaml.v3"

	"github.com/replay-gate/replay-gate/gate"
	"github.com/replay-gate/replay-gate/gate/github"
)

// The documentation is under test (DESIGN, section 6): the README's tables, the
// action's inputs and outputs, and the flags of gate are one list.

type action struct {
	Inputs map[string]struct {
		Description string
		Default     string
	}
	Outputs map[string]struct{ Description string }
}

func readAction(t *testing.T) action {
	t.Helper()
	data, err := os.ReadFile("../../action.yml")
	if err != nil {
		t.Fatal(err)
	}
	var a action
	if err := yaml.Unmarshal(data, &a); err != nil {
		t.Fatal(err)
	}
	return a
}

// section returns the part of the README under a heading of the second level.
func section(t *testing.T, heading string) string {
	t.Helper()
	data, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(data), "\n## "+heading+"\n")
	if !ok {
		t.Fatalf("the README has no section %q", heading)
	}
	part, _, _ := strings.Cut(rest, "\n## ")
	return part
}

var firstCell = regexp.MustCompile("(?m)^\\| `([^`]+)` \\| (.*) \\|$")

// rows maps the first cell of each row of a section's tables to the rest.
func rows(t *testing.T, heading string) map[string]string {
	t.Helper()
	found := make(map[string]string)
	for _, m := range firstCell.FindAllStringSubmatch(section(t, heading), -1) {
		found[m[1]] = m[2]
	}
	return found
}

func keys[V any](m map[string]V) []string {
	var names []string
	for k := range m {
		names = append(names, k)
	}
	slices.Sort(names)
	return names
}

func TestReadmeListsTheActionsInputsAndOutputs(t *testing.T) {
	a := readAction(t)
	inputs, outputs := rows(t, "Inputs"), rows(t, "Outputs")
	if got, want := keys(inputs), keys(a.Inputs); !slices.Equal(got, want) {
		t.Errorf("inputs in the README: %q, in action.yml: %q", got, want)
	}
	if got, want := keys(outputs), keys(a.Outputs); !slices.Equal(got, want) {
		t.Errorf("outputs in the README: %q, in action.yml: %q", got, want)
	}
	for name, in := range a.Inputs {
		if in.Default != "" && !strings.HasPrefix(inputs[name], "`"+in.Default+"` |") {
			t.Errorf("input %s: the default is %q, the README says %s", name, in.Default, inputs[name])
		}
		if in.Description == "" {
			t.Errorf("input %s has no description", name)
		}
	}
}

// Inputs that are not flags: they only mean something in Actions.
var actionOnly = []string{
	"token", "check-run", "check-name", "comment", "upload", "artifact-archive", "retention-days", "allow-untrusted-trigger",
	"golden-secret",
}

func TestFlagsAreTheActionsInputs(t *testing.T) {
	var o gate.Options
	f := pflag.NewFlagSet("gate", pflag.ContinueOnError)
	gateFlags(f, &o)
	flags := slices.Clone(actionOnly)
	f.VisitAll(func(flag *pflag.Flag) { flags = append(flags, flag.Name) })
	slices.Sort(flags)
	a := readAction(t)
	if want := keys(a.Inputs); !slices.Equal(flags, want) {
		t.Errorf("flags and inputs of the action differ:\n%q\n%q", flags, want)
	}
	f.VisitAll(func(flag *pflag.Flag) {
		if def := a.Inputs[flag.Name].Default; flag.DefValue != def {
			t.Errorf("%s: the flag's default is %q, the input's %q", flag.Name, flag.DefValue, def)
		}
	})
}

// The outputs that gate sets are those that action.yml declares.
func TestPublishedOutputsAreTheActionsOutputs(t *testing.T) {
	var published []string
	for _, kv := range gate.Outputs(errorReport(asGateError(os.ErrNotExist)), "", github.Artifact{}, github.CheckRunResult{}) {
		published = append(published, kv[0])
	}
	slices.Sort(published)
	if want := keys(readAction(t).Outputs); !slices.Equal(published, want) {
		t.Errorf("gate sets %q, action.yml declares %q", published, want)
	}
}

// Every replay-gate command in the README exists, with the flags that it is called
// with; those in shell blocks have the arguments that they need.
func TestReadmeCommandsParse(t *testing.T) {
	data, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	commands := 0
	try := func(line string, whole bool) {
		_, args, ok := strings.Cut(line, "replay-gate ")
		// Not "docker build --tag replay-gate .", and not what cobra adds when it runs.
		if !ok || strings.HasPrefix(args, ".") || strings.HasPrefix(args, "completion ") {
			return
		}
		commands++
		a := &app{Streams: Streams{Out: os.Stdout, Err: os.Stderr, Getenv: os.Getenv}}
		cmd, rest, err := a.command().Find(strings.Fields(args))
		if err != nil || !cmd.HasParent() {
			t.Errorf("%q is no command", line)
			return
		}
		if err := cmd.ParseFlags(rest); err != nil {
			t.Errorf("%q: %v", line, err)
		}
		if err := cmd.ValidateArgs(cmd.Flags().Args()); whole && err != nil {
			t.Errorf("%q: %v", line, err)
		}
	}
	for _, block := range regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(string(data), -1) {
		for line := range strings.Lines(block[1]) {
			try(strings.TrimSpace(line), true)
		}
	}
	for _, span := range regexp.MustCompile("`(replay-gate [^`\n]+)`").FindAllStringSubmatch(string(data), -1) {
		try(span[1], false)
	}
	if commands < 12 {
		t.Errorf("only %d commands found", commands)
	}
}
