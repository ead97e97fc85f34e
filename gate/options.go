package gate

import (
	"path"
	"slices"
	"strings"
	"time"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/replay-gate/replay-gate/gate/github"
)

// Options say what to gate and how. The zero value gates the work tree of the
// current folder with the defaults that the command line documents.
type Options struct {
	// Root is a folder of the repository; default ".".
	Root string
	// Base is the revision to compare with. When empty, the event decides; in
	// a local run everything is then in scope and counts as introduced.
	Base string
	// Head is the revision to check; empty means the work tree.
	Head string
	// Scope is "affected" (default), "changed" or "all".
	Scope string
	// FailOn is "introduced", "any" or "never". When empty, the repository's
	// settings decide, and then "introduced".
	FailOn string
	// Sidecars are the globs at which AHD sidecars lie; when empty, the
	// repository's settings decide, and then "**/*.replay.json".
	Sidecars []string
	// ConfigFrom says whose .replay-gate.yml counts: "base" (default) or "head".
	ConfigFrom string
	// StrictFixtures makes stale agent-eval-kit fixtures fail.
	StrictFixtures bool
	// GoldenSecret is the key of AOS workflow goldens; without one their
	// signatures are not verified.
	GoldenSecret []byte
	// Evidence, when set, names the evidence to check (paths from the root),
	// whatever changed; no base is looked for.
	Evidence []string
	// BundleDir is where bundles go, relative to the root; default
	// ".assay/bundles".
	BundleDir string
	// BundleFor is "all" (default), "failed" or "none".
	BundleFor string
	// Cassettes are globs of recorded provider responses, which go into every
	// bundle, scrubbed.
	Cassettes []string
	// Strict makes unknown fields and warnings fail.
	Strict bool
	// At says in which tree inputs are checked: "tree" (default), "recorded" (the
	// commit that the evidence names) or "either".
	At string
	// HistoryCommits and HistoryTime bound the search for the commit that made an
	// input drift; 0 means the defaults of package since.
	HistoryCommits int
	HistoryTime    time.Duration

	// Event is the GitHub event that started the run; nil for a local run.
	Event *github.Event
	// GitHub reads what the clone does not hold; nil when there is no API.
	GitHub *github.Client
	// AllowUntrustedTrigger accepts events that run with the base's secrets on
	// somebody else's files.
	AllowUntrustedTrigger bool
	// Links are where renderings may point at.
	Links github.Links
	// Version is the tool's own version, for the report.
	Version string
	// Now is the clock; default time.Now. It is only read for evidence that
	// is not committed; committed evidence is judged at its commit's time, so
	// that a commit's verdict never changes.
	Now func() time.Time
	// Progress, when set, is told how far the work is. Calls come from several
	// goroutines.
	Progress func(stage string, done, total int)
}

// DefaultBundleDir is the seed's default producer path (Replay Bundle v1, section 2).
const DefaultBundleDir = ".assay/bundles"

// withDefaults fills what was left empty and refuses what is not a choice.
func (o Options) withDefaults() (Options, error) {
	for _, c := range []struct {
		name    string
		value   *string
		allowed []string
	}{
		{"scope", &o.Scope, []string{"affected", "changed", "all"}},
		{"at", &o.At, []string{"tree", "recorded", "either"}},
		{"config-from", &o.ConfigFrom, []string{"base", "head"}},
		{"bundle-for", &o.BundleFor, []string{"all", "failed", "none"}},
	} {
		if err := choose(c.name, c.value, c.allowed); err != nil {
			return o, err
		}
	}
	if o.FailOn != "" {
		if err := choose("fail-on", &o.FailOn, []string{"introduced", "any", "never"}); err != nil {
			return o, err
		}
	}
	if o.Root == "" {
		o.Root = "."
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Progress == nil {
		o.Progress = func(string, int, int) {}
	}
	if o.BundleDir == "" {
		o.BundleDir = DefaultBundleDir
	}
	o.BundleDir = path.Clean(strings.ReplaceAll(o.BundleDir, "\\", "/"))
	if path.IsAbs(o.BundleDir) || o.BundleDir == ".." || strings.HasPrefix(o.BundleDir, "../") ||
		o.BundleDir == "." || o.BundleDir == ".git" || strings.HasPrefix(o.BundleDir, ".git/") {
		return o, usageError(ReasonInvalidArgs, "give a folder inside the repository, such as "+DefaultBundleDir,
			"bundle-dir %q is not a folder inside the repository", o.BundleDir)
	}
	if o.HistoryCommits < 0 || o.HistoryTime < 0 {
		return o, usageError(ReasonInvalidArgs, "give history-commits like 10000 and history-time like 10s, or leave them out",
			"%d commits of history within %v is no bound", o.HistoryCommits, o.HistoryTime)
	}
	for _, g := range o.Sidecars {
		if !doublestar.ValidatePattern(g) {
			return o, usageError(ReasonInvalidArgs, `write it like "docs/evals/**/*.replay.json"`,
				"sidecars: %q is not a valid glob", g)
		}
	}
	for _, g := range o.Cassettes {
		if !doublestar.ValidatePattern(g) {
			return o, usageError(ReasonInvalidArgs, `write it like "evals/cassettes/**/*.json"`,
				"cassettes: %q is not a valid glob", g)
		}
	}
	return o, nil
}

// choose sets an empty value to the first of those that are allowed, and refuses
// any other.
func choose(name string, value *string, allowed []string) error {
	if *value == "" {
		*value = allowed[0]
	}
	if !slices.Contains(allowed, *value) {
		return usageError(ReasonInvalidArgs, "use one of: "+strings.Join(allowed, ", "), "%s %q is not known", name, *value)
	}
	return nil
}
