package ahd

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/replay-gate/replay-gate/verify"
)

// How a recorded path is found again. The sidecar lies in docs; the file system
// holds the files named, and argv[1] is what the command says.
func TestLocate(t *testing.T) {
	const linux, windows = "/home/runner/work/ahd/ahd/bin/ahd.js", `D:\a\ahd\ahd\bin\ahd.js`
	tests := []struct {
		name     string
		files    string // separated by spaces
		argv1    string
		recorded string
		want     string // path, or code
	}{
		{"relative", "tokens/x.yml", "", "tokens/x.yml", "tokens/x.yml"},
		{"relative, unclean", "tokens/x.yml", "", "./docs/..//tokens/x.yml", "tokens/x.yml"},
		{"relative, from Windows", "tokens/x.yml", "", `tokens\x.yml`, "tokens/x.yml"},
		{"relative, missing: no guess", "old/tokens/x.yml", "", "tokens/x.yml", "tokens/x.yml"},
		{"relative, out of the root", "tokens/x.yml", "", "../tokens/x.yml", "leaves-root"},
		{"relative, out and in again", "tokens/x.yml", "", "a/../../repo/x.yml", "leaves-root"},
		{"relative, from Windows, out", "tokens/x.yml", "", `..\..\x.yml`, "leaves-root"},
		{"the root itself", "tokens/x.yml", "", ".", "leaves-root"},
		{"git's own folder", ".git/config", "", ".git/config", "leaves-root"},
		{"git's own folder, of a submodule", "x/.git/config", "", "x/y/../.GIT/config", "leaves-root"},
		{"git's own folder, on Windows", "", "", `GIT~1\config`, "leaves-root"},
		{"a name that starts like it", ".github/x.yml", "", ".github/x.yml", ".github/x.yml"},
		{"git's own folder, by argv", ".git/config", linux, "/home/runner/work/ahd/ahd/.git/config", "leaves-root"},
		{"empty", "", "", "", "malformed-path"},
		{"NUL", "tokens/x.yml", "", "tokens/x.yml\x00", "malformed-path"},
		{"endless", "", "", strings.Repeat("a/", 4096), "malformed-path"},

		{"absolute, by argv", "tokens/x.yml", linux, "/home/runner/work/ahd/ahd/tokens/x.yml", "tokens/x.yml relocated"},
		{"absolute, by argv, definite", "old/tokens/x.yml", linux, "/home/runner/work/ahd/ahd/tokens/x.yml", "tokens/x.yml relocated"},
		{"argv beats the tail", "ahd/ahd/tokens/x.yml tokens/x.yml", linux, "/home/runner/work/ahd/ahd/tokens/x.yml", "tokens/x.yml relocated"},
		{"Windows, by argv", "tokens/x.yml", windows, `D:\a\ahd\ahd\tokens\x.yml`, "tokens/x.yml relocated"},
		{"Windows, another spelling, definite", "old/tokens/x.yml", windows, "d:/a/ahd/ahd/tokens/x.yml", "tokens/x.yml relocated"},
		{"another drive", "tokens/x.yml", windows, `C:\a\ahd\ahd\tokens\x.yml`, "tokens/x.yml relocated"},
		{"UNC", "tokens/x.yml", `\\host\share\ahd\bin\ahd.js`, `\\host\share\ahd\tokens\x.yml`, "tokens/x.yml relocated"},
		{"dots can't leave an absolute path", "tokens/x.yml", linux, "/home/runner/work/ahd/ahd/tokens/../../../../../../../tokens/x.yml", "tokens/x.yml relocated"},
		{"argv of another root", "tokens/x.yml", "/opt/ahd/bin/ahd.js", "/home/me/ahd/tokens/x.yml", "tokens/x.yml relocated"},
		{"argv of another tool", "tokens/x.yml", "/opt/ahd/cli.js", "/home/me/ahd/tokens/x.yml", "tokens/x.yml relocated"},
		{"a root that is a prefix only by letters", "tokens/x.yml", "/w/ahd/bin/ahd.js", "/w/ahd2/tokens/x.yml", "tokens/x.yml relocated"},

		{"longest tail", "a/tokens/x.yml b/x.yml", "", "/w/tokens/x.yml", "a/tokens/x.yml relocated"},
		{"longest tail, deep", "x.yml tokens/x.yml q/r/tokens/x.yml", "", "/w/r/tokens/x.yml", "q/r/tokens/x.yml relocated"},
		{"from the root wins", "tokens/x.yml a/tokens/x.yml", "", "/w/tokens/x.yml", "tokens/x.yml relocated"},
		{"two of one length", "a/tokens/x.yml b/tokens/x.yml", "", "/w/tokens/x.yml", "ambiguous"},
		{"the name alone", "styles/x.yml", "", "/w/tokens/x.yml", "styles/x.yml relocated"},
		{"the name alone, twice", "a/x.yml b/x.yml", "", "/w/tokens/x.yml", "ambiguous"},
		{"tails are whole elements", "xtokens/y-x.yml", "", "/w/tokens/x.yml", "input-missing"},
		{"nothing", "", "", "/w/tokens/x.yml", "input-missing"},
		{"the top of a machine", "", "", "/", "input-missing"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			fsys := fstest.MapFS{sidecarPath: {Data: fmt.Appendf(nil, `{"argv": ["node", %q]}`, tt.argv1)}}
			for _, name := range strings.Fields(tt.files) {
				fsys[name] = &fstest.MapFile{Data: []byte(name)}
			}
			s, err := open(&verify.Evidence{Path: sidecarPath, Tree: verify.NewTree(fsys)})
			if err != nil {
				t.Fatal(err)
			}
			p := s.locate(tt.recorded)
			got := p.path
			if p.relocated {
				got += " relocated"
			}
			if got == "" {
				got = p.code
			}
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			if (p.path == "") != (p.reason != "") {
				t.Errorf("%+v", p)
			}
		})
	}
}

// AHD replay, What changes between runs: the root is the folder whose
// package.json is named @adastracomputing/ahd.
func TestRoot(t *testing.T) {
	const ours, other = `{"name": "@adastracomputing/ahd"}`, `{"name": "site"}`
	tests := []struct {
		name    string
		files   map[string]string
		sidecar string
		want    string
	}{
		{"none", nil, "a/docs/run.replay.json", "."},
		{"at the top", map[string]string{"package.json": ours}, "a/docs/run.replay.json", "."},
		{"above the sidecar", map[string]string{"a/package.json": ours}, "a/docs/run.replay.json", "a"},
		{"nearest", map[string]string{"a/package.json": ours, "a/b/package.json": ours}, "a/b/docs/run.replay.json", "a/b"},
		{"another package between", map[string]string{"a/package.json": ours, "a/docs/package.json": other}, "a/docs/run.replay.json", "a"},
		{"beside, not above", map[string]string{"b/package.json": ours}, "a/docs/run.replay.json", "."},
		{"not JSON", map[string]string{"a/package.json": "name: '@adastracomputing/ahd'"}, "a/docs/run.replay.json", "."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := rootOf(verify.NewTree(tree(tt.files)), tt.sidecar[:strings.LastIndex(tt.sidecar, "/")]); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

// A root below the top of the tree is where paths start, and an input itself.
func TestNestedRoot(t *testing.T) {
	fsys := tree(map[string]string{
		"packages/ahd/package.json":         `{"name": "@adastracomputing/ahd"}`,
		"packages/ahd/docs/run.replay.json": strings.Replace(valid, `"tokens/quiet.yml"`, `"/w/ahd/tokens/quiet.yml"`, 1),
		"packages/ahd/docs/run.md":          "",
		"packages/ahd/tokens/quiet.yml":     tokenText,
		"packages/ahd/briefs/poster.md":     briefText,
		"tokens/quiet.yml":                  "id: another\n",
	})
	r := checkAt(fsys, "packages/ahd/docs/run.replay.json")
	if bad(r) != "" {
		t.Error(bad(r))
	}
	last := r.Inputs[len(r.Inputs)-1]
	if last.Role != "root" || last.Path != "packages/ahd/package.json" || last.Place != verify.PlaceInputs {
		t.Errorf("%+v", last)
	}
	inputs := readBy(fsys, "packages/ahd/docs/run.replay.json")
	if want := "packages/ahd/briefs/poster.md packages/ahd/docs/run.md packages/ahd/tokens/quiet.yml"; strings.Join(inputs, " ") != want {
		t.Errorf("read %q", inputs)
	}
}

// A relocated path is always shown.
func TestRelocationIsShown(t *testing.T) {
	c := row(t, check(edited(t, `"tokens/quiet.yml"`, `"/w/ahd/tokens/quiet.yml"`)), "token.path")
	if c.Status != verify.OK || c.Code != "relocated" || c.Reason != "relocated from /w/ahd/tokens/quiet.yml" ||
		c.Recorded != "/w/ahd/tokens/quiet.yml" || c.Observed != "tokens/quiet.yml" || c.Input != "tokens/quiet.yml" {
		t.Errorf("%+v", c)
	}
}

// An ambiguous path names what it could be, and nothing is compared.
func TestAmbiguousPath(t *testing.T) {
	fsys := edited(t, `"tokens/quiet.yml"`, `"/elsewhere/quiet.yml"`)
	fsys["styles/quiet.yml"] = &fstest.MapFile{Data: []byte("id: other\n")}
	r := check(fsys)
	if got, want := bad(r), "FAIL token.path ambiguous 12:13\nFAIL token.hash not-compared 13:13"; got != want {
		t.Errorf("got %s", got)
	}
	if c := row(t, r, "token.path"); c.Reason != "could be styles/quiet.yml or tokens/quiet.yml" {
		t.Errorf("%+v", c)
	}
	// Where both have the same content it does not matter which is meant (issue 11, Paths
	// lead where they led).
	fsys["styles/quiet.yml"] = fsys["tokens/quiet.yml"]
	if got := bad(check(fsys)); got != "" {
		t.Errorf("got %s", got)
	}
}

func TestReportPath(t *testing.T) {
	for _, tt := range [][2]string{
		{"docs/x.replay.json", "docs/x.md"}, {"x.y.replay.json", "x.y.md"}, {"docs/x.json", "docs/x.md"}, {"x", "x.md"},
	} {
		if got := ReportPath(tt[0]); got != tt[1] {
			t.Errorf("ReportPath(%s) = %s", tt[0], got)
		}
	}
	for _, report := range []string{"docs/x.md", "docs/x", "docs/x.replay.json"} {
		if got := SidecarFor(report); got != "docs/x.replay.json" {
			t.Errorf("SidecarFor(%s) = %s", report, got)
		}
	}
}
