package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"gopkg.in/yaml.v3"

	"github.com/replay-gate/replay-gate/gate"
	"github.com/replay-gate/replay-gate/gate/github"
	"github.com/replay-gate/replay-gate/gate/publish"
	"github.com/replay-gate/replay-gate/gate/shard"
)

// The documentation is under test (DESIGN, section 6): its tables, the
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

// tables is the page with the action's inputs and outputs.
const tables = "../../docs/inputs-outputs.md"

// section returns the part of that page under a heading of the second level.
func section(t *testing.T, heading string) string {
	t.Helper()
	data, err := os.ReadFile(tables)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(data), "\n## "+heading+"\n")
	if !ok {
		t.Fatalf("%s has no section %q", tables, heading)
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

func TestDocsListTheActionsInputsAndOutputs(t *testing.T) {
	a := readAction(t)
	inputs, outputs := rows(t, "Inputs"), rows(t, "Outputs")
	if got, want := keys(inputs), keys(a.Inputs); !slices.Equal(got, want) {
		t.Errorf("inputs in the docs: %q, in action.yml: %q", got, want)
	}
	if got, want := keys(outputs), keys(a.Outputs); !slices.Equal(got, want) {
		t.Errorf("outputs in the docs: %q, in action.yml: %q", got, want)
	}
	for name, in := range a.Inputs {
		if in.Default != "" && !strings.HasPrefix(inputs[name], "`"+in.Default+"` |") {
			t.Errorf("input %s: the default is %q, the docs say %s", name, in.Default, inputs[name])
		}
		if in.Description == "" {
			t.Errorf("input %s has no description", name)
		}
	}
}

// Inputs that are not flags: they only mean something in Actions.
var actionOnly = []string{
	"token", "check-run", "check-name", "comment", "upload", "artifact-archive", "retention-days", "allow-untrusted-trigger",
	"golden-secret", "command",
}

func TestFlagsAreTheActionsInputs(t *testing.T) {
	var o gate.Options
	f := pflag.NewFlagSet("gate", pflag.ContinueOnError)
	gateFlags(f, &o)
	// Those of a run on several machines, of the command that has each.
	a0 := &app{}
	for cmd, names := range map[*cobra.Command][]string{a0.gateCommand(): {"shard", "plan", "parts"}, a0.planCommand(): {"shards"}} {
		for _, name := range names {
			f.AddFlag(cmd.Flags().Lookup(name))
		}
	}
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

// The outputs that gate and plan set are those that action.yml declares.
func TestPublishedOutputsAreTheActionsOutputs(t *testing.T) {
	var published []string
	for _, kv := range publish.Outputs(errorReport(asGateError(os.ErrNotExist)), "", github.Artifact{}, github.CheckRunResult{}) {
		published = append(published, kv[0])
	}
	for _, kv := range planOutputs(new(shard.Plan)) {
		published = append(published, kv[0])
	}
	slices.Sort(published)
	if want := keys(readAction(t).Outputs); !slices.Equal(published, want) {
		t.Errorf("gate sets %q, action.yml declares %q", published, want)
	}
}

// Every replay-gate command in the README and the docs exists, with the flags that it is
// called with; those in shell blocks have the arguments that they need. docs/next-steps.md
// is written from the steps themselves, and held by the tests of gate/explain.
func TestDocumentedCommandsParse(t *testing.T) {
	t.Parallel()
	names, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	commands := 0
	names = slices.DeleteFunc(names, func(name string) bool { return filepath.Base(name) == "next-steps.md" })
	for _, name := range append(names, "../../README.md", "../../CONTRIBUTING.md", "../../SECURITY.md", "../../examples/pin/README.md") {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, block := range regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(string(data), -1) {
			for line := range strings.Lines(block[1]) {
				commands += parses(t, name, strings.TrimSpace(line), true)
			}
		}
		for _, span := range regexp.MustCompile("`(replay-gate [^`\n]+)`").FindAllStringSubmatch(string(data), -1) {
			commands += parses(t, name, span[1], false)
		}
	}
	if commands < 40 {
		t.Errorf("only %d commands found", commands)
	}
}

// notCommands are lines with the word that call something else: docker build, install, gh,
// and what cobra adds only when it runs.
var notCommands = regexp.MustCompile(`^(git|go|docker build|docker-|install|gh|brew|scoop) |replay-gate (\.$|completion|--version)`)

// parses tries one line of a page, and returns how many commands of ours it has. whole says
// that it has the arguments that it needs.
func parses(t *testing.T, page, line string, whole bool) int {
	t.Helper()
	_, args, ok := strings.Cut(line, "replay-gate ")
	if !ok || notCommands.MatchString(line) {
		return 0
	}
	args, _, _ = strings.Cut(args, " #")
	a := &app{Streams: Streams{Out: os.Stdout, Err: os.Stderr, Getenv: os.Getenv}}
	cmd, rest, err := a.command().Find(strings.Fields(args))
	if err != nil || !cmd.HasParent() {
		t.Errorf("%s: %q is no command", page, line)
		return 1
	}
	if err := cmd.ParseFlags(rest); err != nil {
		t.Errorf("%s: %q: %v", page, line, err)
	}
	if err := cmd.ValidateArgs(cmd.Flags().Args()); whole && err != nil {
		t.Errorf("%s: %q: %v", page, line, err)
	}
	return 1
}
