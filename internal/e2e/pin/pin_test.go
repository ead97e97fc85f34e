//go:build interop_pin

package pin

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/pin"
	"github.com/replay-gate/replay-gate/verify/pin/sources"
)

func tool(t *testing.T, name string) string {
	t.Helper()
	at := os.Getenv(name)
	if at == "" {
		t.Fatalf("%s is not set: use make interop-pin", name)
	}
	return at
}

const projects = "../../../verify/pin/sources/testdata/promptfoo"

// Every pin that we write parses with in-toto-attestation, as a Statement and as a Link.
func TestInTotoReadsOurPins(t *testing.T) {
	python := tool(t, "INTEROP_PIN_PYTHON")
	folders, err := filepath.Glob(projects + "/*/want.txt")
	if err != nil || len(folders) == 0 {
		t.Fatal("no projects", err)
	}
	args := []string{"read.py"}
	for i, file := range folders {
		tree := verify.NewTree(os.DirFS(filepath.Dir(file)))
		s, err := sources.Read(tree, "promptfooconfig.yaml")
		if err != nil {
			t.Fatal(err)
		}
		s.NotPinned = append(s.NotPinned, "something else")
		req := pin.Request{Subjects: []string{"want.txt"}, Sources: []pin.Source{s}, Notes: []string{"model=m-1"}, Tool: "replay-gate test"}
		if i%2 == 0 {
			req.Command = []string{"make", "eval"}
		}
		p, err := pin.Build(tree, nil, req)
		if err != nil {
			t.Fatal(err)
		}
		text, err := p.Encode()
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Join(t.TempDir(), "want.txt.pin.json")
		if err := os.WriteFile(name, text, 0o644); err != nil {
			t.Fatal(err)
		}
		args = append(args, name)
	}
	examples, err := filepath.Glob("../../../examples/pin/*/*" + pin.Ending)
	if err != nil || len(examples) == 0 {
		t.Fatal("no examples", err)
	}
	out, err := exec.Command(python, append(args, examples...)...).CombinedOutput()
	t.Logf("%s", out)
	if err != nil {
		t.Fatal(err)
	}
}

// promptfoo reads exactly the files that a pin from its configuration pins.
func TestPromptfooReadsWhatWePin(t *testing.T) {
	promptfoo := tool(t, "INTEROP_PIN_PROMPTFOO")
	hook, err := filepath.Abs("reads.cjs")
	if err != nil {
		t.Fatal(err)
	}
	folders, err := filepath.Glob(projects + "/*/want.txt")
	if err != nil || len(folders) == 0 {
		t.Fatal("no projects", err)
	}
	for _, file := range folders {
		from := filepath.Dir(file)
		t.Run(filepath.Base(from), func(t *testing.T) {
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			work := t.TempDir()
			if err := os.CopyFS(work, os.DirFS(from)); err != nil {
				t.Fatal(err)
			}
			noted := filepath.Join(t.TempDir(), "reads")
			cmd := exec.Command("node", promptfoo, "eval", "-c", "promptfooconfig.yaml", "--no-cache", "--no-progress-bar", "--no-table", "-o", filepath.Join(t.TempDir(), "out.json"))
			cmd.Dir = work
			cmd.Env = append(os.Environ(), "PIN_READS="+noted, "NODE_OPTIONS=--require "+hook, "PROMPTFOO_CONFIG_DIR="+t.TempDir(),
				"PROMPTFOO_DISABLE_TELEMETRY=1", "PROMPTFOO_DISABLE_UPDATE=1", "PROMPTFOO_DISABLE_REMOTE_GENERATION=1")
			out, _ := cmd.CombinedOutput() // an assertion may well fail: what it read counts
			text, err := os.ReadFile(noted)
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			var got []string
			for _, name := range strings.Split(strings.TrimSpace(string(text)), "\n") {
				if _, err := os.Stat(filepath.Join(work, name)); err == nil { // it looks for .env too
					got = append(got, name)
				}
			}
			slices.Sort(got)
			if want := strings.Fields(string(want)); !slices.Equal(slices.Compact(got), want) {
				t.Errorf("promptfoo reads %q, we pin %q\n%s", got, want, out)
			}
		})
	}
}
