// Package evalkit checks the record & replay fixtures of agent-eval-kit.
//
// A fixture is what a target once answered for one case of one suite: a file
// of two lines of JSON, the first about the recording, the second the recorded
// output. In replay the tool grades that output as if the target had given it
// now, so a fixture that was edited, or recorded for another version of the
// target, turns a green run into a false one:
//
//	tree := verify.NewTree(os.DirFS("repo"))
//	r := evalkit.Format{}.Verify(ctx, &verify.Evidence{
//		Path: ".eval-fixtures/smoke-04d588cb/greeting-18f6b020.jsonl",
//		Tree: tree, Now: verify.At(time.Now()),
//	})
//	for _, c := range r.Checks {
//		fmt.Println(c.Status, c.Field, c.Reason, c.Location)
//	}
//
// What it promises beyond package verify:
//
//   - Whatever the tool refuses fails here, with the field that is to blame. The
//     tool says "No fixture found" for nearly all of it.
//   - What the tool replays without a word fails too, where it can be told: the
//     fixture of another case, an output edited by hand, a time in the future.
//   - Which version of the target a fixture was recorded for is found by hash,
//     from a declaration or from the text of eval.config. Nothing is ever run.
//   - A possible secret is named by its place and quoted nowhere.
//
// The format is that of agent-eval-kit 0.1.0. Comments cite its documentation
// page "Record & Replay" and, where that is silent, its fixture store.
package evalkit

import (
	"context"
	"path"
	"strings"

	"github.com/replay-gate/replay-gate/verify"
)

// Defaults of the tool's configuration.
const (
	defaultFixtureDir = ".eval-fixtures"
	defaultTTLDays    = 14
)

// fixtureEnding ends the name of every fixture.
const fixtureEnding = ".jsonl"

// Config is what is known about a project's suites without running its
// eval.config. The zero value knows nothing and is ready for use.
type Config struct {
	// Suites declares suites. When it is not empty, a fixture of a suite that
	// it lacks is one that is never replayed.
	Suites []Suite
	// FixtureDir is the tool's fixtureDir, relative to the folder of the
	// eval.config; empty means .eval-fixtures.
	FixtureDir string
	// StrictFixtures makes stale and reformatted fixtures fail, as the tool's
	// --strict-fixtures does for stale ones.
	StrictFixtures bool
}

// Suite declares one suite.
type Suite struct {
	Name string `yaml:"name"`
	// TargetVersion is the suite's targetVersion; nil says that it has none,
	// which is not the same as an empty one.
	TargetVersion *string `yaml:"target-version"`
	// TTLDays is replay.ttlDays; 0 means 14, the tool's default.
	TTLDays int `yaml:"ttl-days"`
	// StripRaw is replay.stripRaw; nil means true, the tool's default.
	StripRaw *bool `yaml:"strip-raw"`
	// Cases are the ids of all the suite's cases; nil means that they are not
	// declared.
	Cases []string `yaml:"cases"`
}

// Format is the agent-eval-kit fixture as a kind of evidence. The zero value
// is ready for use.
type Format struct{ Config }

// Kind is "evalkit".
func (Format) Kind() string { return "evalkit" }

// Title is "agent-eval-kit fixture".
func (Format) Title() string { return "agent-eval-kit fixture" }

// Patterns matches every .jsonl file below a folder of fixtures, also one that
// the tool would not find there.
func (f Format) Patterns() []string {
	return []string{"**/" + literalGlob(f.fixtureDir()) + "/**/*" + fixtureEnding}
}

// literalGlob is the glob of one path.
func literalGlob(name string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`, `{`, `\{`).Replace(name)
}

// Verify judges every field of the fixture.
func (f Format) Verify(_ context.Context, e *verify.Evidence) verify.Result {
	fx, err := f.open(e)
	if err != nil {
		return verify.Unreadable(e, "file", verify.Recording{}, err)
	}
	j := &checker{fixture: fx, Rows: verify.Rows{Path: e.Path, Checks: make([]verify.Check, 0, 26)}}
	j.r = verify.Result{
		SHA256:    fx.sha256,
		Place:     verify.PlaceCassettes, // it is a recorded response
		Inputs:    fx.inputs(),
		Recording: fx.recording(),
	}
	j.file()
	j.place()
	j.meta()
	j.configHash()
	j.suiteHash()
	j.suiteCases()
	j.emptySuites()
	j.recordedAt()
	j.frameworkVersion()
	j.output()
	j.bytes()
	j.secrets()
	j.r.Checks = j.Checks
	return j.r
}

// recording is what the fixture says about its run.
func (fx *fixture) recording() verify.Recording {
	suite, id := fx.metaText("suiteId"), fx.metaText("caseId")
	rec := verify.Recording{
		Tool:        "agent-eval-kit",
		ToolVersion: shown(fx.metaText("frameworkVersion"), verify.MaxValue),
		InvokedAt:   shown(fx.metaText("recordedAt"), verify.MaxValue),
	}
	if suite != "" && id != "" {
		rec.Name = shown(suite+"-"+id, verify.MaxValue)
	}
	return rec
}

// fixtureDir is the folder of fixtures, relative to its project.
func (f Format) fixtureDir() string {
	dir := strings.Trim(path.Clean("/"+f.FixtureDir), "/")
	if dir == "" {
		return defaultFixtureDir
	}
	return dir
}

// suite is the declaration of a suite, nil if there is none.
func (f Format) suite(name string) *Suite {
	for i := range f.Suites {
		if f.Suites[i].Name == name {
			return &f.Suites[i]
		}
	}
	return nil
}

// split takes the path of a fixture apart: the folder of its project, and the
// names that the tool derives from suite and case. A fixture that lies outside
// of any folder of fixtures counts as if its own parent's parent were one.
func (f Format) split(name string) (project, folder, file string) {
	rooted, dir := "/"+name, "/"+f.fixtureDir()+"/"
	if i := strings.LastIndex(rooted, dir); i >= 0 {
		rest := rooted[i+len(dir):]
		return path.Clean(strings.TrimPrefix(rooted[:i], "/")), path.Dir(rest), path.Base(rest)
	}
	parent := path.Dir(name)
	return path.Dir(path.Dir(parent)), path.Base(parent), path.Base(name)
}
