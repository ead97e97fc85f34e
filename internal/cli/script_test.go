package cli

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/replay-gate/replay-gate/internal/demo"
	"github.com/replay-gate/replay-gate/internal/githubtest"
)

// The scripts run the real command line in a process of its own, on real git
// repositories. Each says in its first lines which rule it holds.

// clock is the time in the scripts: what they commit is a few weeks old, and what they accept
// has not expired. A script in which time passes sets CLOCK.
var clock = time.Date(2026, time.July, 1, 12, 0, 0, 0, time.UTC)

func now() time.Time {
	if t, err := time.Parse(time.RFC3339, os.Getenv("CLOCK")); err == nil {
		return t
	}
	return clock
}

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"replay-gate": func() {
			os.Exit(Main(context.Background(), Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Getenv: os.Getenv, Now: now()}, os.Args[1:]))
		},
	})
}

func TestScripts(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Fatal("the scripts need git on the PATH")
	}
	testscript.Run(t, testscript.Params{
		Dir:           "testdata/script",
		UpdateScripts: os.Getenv("UPDATE_SCRIPTS") != "",
		Setup: func(e *testscript.Env) error {
			e.Vars = append(e.Vars,
				"GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null",
				"GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=ada@example.com", "GIT_AUTHOR_DATE=2026-06-01T12:00:00Z",
				"GIT_COMMITTER_NAME=Ada", "GIT_COMMITTER_EMAIL=ada@example.com", "GIT_COMMITTER_DATE=2026-06-01T12:00:00Z",
			)
			source, err := filepath.Abs("../..")
			if err != nil {
				return err
			}
			e.Vars = append(e.Vars, "SOURCE="+source)
			for _, name := range []string{"REPLAY_GATE_MUTANT", "REPLAY_GATE_MUTANTS_SEEN"} { // see internal/mutants
				e.Vars = append(e.Vars, name+"="+os.Getenv(name))
			}
			// Another build of the command, such as the one for Windows (see .ci/windows).
			if folder := os.Getenv("REPLAY_GATE_COMMAND_FOLDER"); folder != "" {
				e.Setenv("PATH", folder+string(os.PathListSeparator)+e.Getenv("PATH"))
			}
			e.Values[githubKey{}] = new(*githubtest.GitHub)
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"mkdemo":    mkdemo,
			"jsonis":    jsonis,
			"edit":      edit,
			"split":     split,
			"validates": validates,

			"githubserver": githubserver, "githubstate": githubstate, "githubartifact": githubartifact,
			"pullevent": pullevent,
		},
	})
}

// mkdemo DIR makes the demo's repository, with main checked out.
func mkdemo(ts *testscript.TestScript, _ bool, args []string) {
	dir := ts.MkAbs(args[0])
	ts.Check(os.MkdirAll(dir, 0o755))
	_, err := demo.Make(dir)
	ts.Check(err)
	cmd := exec.Command("git", "checkout", "-q", "main")
	cmd.Dir = dir
	ts.Check(cmd.Run())
}

// edit FILE OLD NEW replaces OLD, which must be there, by NEW.
func edit(ts *testscript.TestScript, _ bool, args []string) {
	name := ts.MkAbs(args[0])
	data, err := os.ReadFile(name)
	ts.Check(err)
	if !strings.Contains(string(data), args[1]) {
		ts.Fatalf("%s does not hold %q", args[0], args[1])
	}
	ts.Check(os.WriteFile(name, []byte(strings.ReplaceAll(string(data), args[1], args[2])), 0o644))
}

// split VECTOR DIR lays a vector of the policy language out as a repository
// holds it: a decision, and the snapshot beside it.
func split(ts *testscript.TestScript, _ bool, args []string) {
	var vector map[string]json.RawMessage
	data, err := os.ReadFile(ts.MkAbs(args[0]))
	ts.Check(err)
	ts.Check(json.Unmarshal(data, &vector))
	name := strings.TrimSuffix(filepath.Base(args[0]), ".json")
	for member, ending := range map[string]string{"result": ".decision.json", "snapshot": ".snapshot.json"} {
		ts.Check(os.WriteFile(filepath.Join(ts.MkAbs(args[1]), name+ending), vector[member], 0o644))
	}
}

// jsonis FILE PATH VALUE compares one value of a JSON file; PATH is like
// evidence[0].fields[2].status, counts.fail, or evidence.length; VALUE is JSON or plain text.
// "stdout" is the last command's output.
func jsonis(ts *testscript.TestScript, neg bool, args []string) {
	data := []byte(ts.ReadFile(args[0]))
	var v any
	ts.Check(json.Unmarshal(data, &v))
	for _, step := range strings.FieldsFunc(args[1], func(r rune) bool { return strings.ContainsRune(".[]", r) }) {
		switch x := v.(type) {
		case map[string]any:
			v = x[step]
		case []any:
			if step == "length" {
				v = len(x)
				continue
			}
			var i int
			ts.Check(json.Unmarshal([]byte(step), &i))
			if i >= len(x) {
				ts.Fatalf("%s: no element %d", args[1], i)
			}
			v = x[i]
		default:
			ts.Fatalf("%s: nothing at %q", args[1], step)
		}
	}
	got, _ := v.(string)
	if got == "" {
		b, err := json.Marshal(v)
		ts.Check(err)
		got = string(b)
	}
	if (got == args[2]) == neg {
		ts.Fatalf("%s is %s", args[1], got)
	}
}

// Each script names the rule that it holds.
func TestEveryScriptSaysWhatItHolds(t *testing.T) {
	names, err := filepath.Glob("testdata/script/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatalf("%d scripts, %v", len(names), err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(string(data), "# ") {
			t.Errorf("%s does not start with a comment", name)
		}
	}
}
