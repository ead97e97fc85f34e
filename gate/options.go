package gate

import (
	"context"
	"io"
	"path"
	"strings"
	"time"

	"github.com/replay-gate/replay-gate/gate/config"
	"github.com/replay-gate/replay-gate/gate/github"
	"github.com/replay-gate/replay-gate/gate/publish"
	"github.com/replay-gate/replay-gate/gate/reason"
	"github.com/replay-gate/replay-gate/gate/repo"
	"github.com/replay-gate/replay-gate/summary"
)

// Options say what to gate and how. The zero value gates the work tree of the
// current folder with the defaults that the command line documents.
type Options struct {
	// Root is a folder of the repository; default ".".
	Root string
	// Base is the revision to compare with. When empty, the event decides, and in a local
	// run the upstream of the branch, or else origin's HEAD; where there is none of them
	// everything is in scope and counts as introduced.
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
	// Whole judges everything all the same, as a gate does: whether evidence is a record
	// depends on other evidence. Evidence then says what is shown and bundled.
	Whole bool
	// Alone compares with nothing: what is asked for is the state of the head.
	Alone bool
	// Dry leaves no files.
	Dry bool
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
	// At says in which tree inputs are checked: "current" (default: claims in the tree,
	// records of the past not at all), "tree", "recorded" (the commit that the evidence
	// names) or "either".
	At string
	// HistoryCommits and HistoryTime bound the search for the commit that made an
	// input drift; 0 means the defaults of package since.
	HistoryCommits int
	HistoryTime    time.Duration

	// Parts is the folder in which the machines of one plan find what they hand to each
	// other, relative to the root; default ".assay/parts". What lies in it uncommitted is no
	// part of any change.
	Parts string
	// Merge takes what was judged from the parts there, as many as Shards; 0 is as many as
	// they say themselves.
	Merge  bool
	Shards int
	// Plan is the digest of the plan as another machine came to it; empty for no matter
	// which.
	Plan string

	// Event is the GitHub event that started the run; nil for a local run.
	Event *github.Event
	// GitHub is the API; nil when there is none.
	GitHub *github.Client
	// Fetch brings the files of commits that the clone lacks; nil where there is no server
	// to ask.
	Fetch func(ctx context.Context, r *repo.Repository, commits ...string) error
	// Actions is the runner to show the verdict in, on Out; nil outside of a workflow.
	Actions *github.Actions
	Out     io.Writer
	// Upgrades and Terminal say how.
	Upgrades publish.Upgrades
	Terminal summary.Terminal
	// AllowUntrustedTrigger accepts events that run with the base's secrets on
	// somebody else's files.
	AllowUntrustedTrigger bool
	// Links are where renderings may point at.
	Links github.Links
	// Version is the tool's own version, for the report.
	Version string
	// Clock is the time now. It is read once, by whoever starts the run. Committed
	// evidence is judged at its commit's time, so that a commit's verdict never changes.
	Clock time.Time
	// Timeout bounds the run; default 5 minutes.
	Timeout time.Duration
	// Progress, when set, is told how far the work is. Calls come from several
	// goroutines.
	Progress func(stage string, done, total int)
}

// DefaultTimeout bounds a run.
const DefaultTimeout = 5 * time.Minute

// DefaultBundleDir is the seed's default producer path (Replay Bundle v1, section 2).
const DefaultBundleDir = ".assay/bundles"

// DefaultParts is where the machines of one plan find what they hand to each other.
const DefaultParts = ".assay/parts"

// withDefaults fills what was left empty and refuses what is not a choice.
func (o Options) withDefaults() (Options, error) {
	if err := o.choose(); err != nil {
		return o, err
	}
	if o.Root == "" {
		o.Root = "."
	}
	if o.Timeout <= 0 {
		o.Timeout = DefaultTimeout
	}
	if o.Progress == nil {
		o.Progress = func(string, int, int) {}
	}
	if o.BundleDir == "" {
		o.BundleDir = DefaultBundleDir
	}
	if o.Parts == "" {
		o.Parts = DefaultParts
	}
	for _, dir := range []*string{&o.BundleDir, &o.Parts} {
		*dir = path.Clean(strings.ReplaceAll(*dir, "\\", "/"))
	}
	return o, o.refuse()
}

// choose fills in what is one of a few words, or refuses it.
func (o *Options) choose() error {
	for _, c := range []struct {
		name    string
		value   *string
		allowed []string
	}{
		{"scope", &o.Scope, []string{"affected", "changed", "all"}},
		{"at", &o.At, []string{"current", "tree", "recorded", "either"}},
		{"config-from", &o.ConfigFrom, []string{"base", "head"}},
		{"bundle-for", &o.BundleFor, []string{"all", "failed", "none"}},
	} {
		if err := publish.Choose(c.name, c.value, c.allowed); err != nil {
			return err
		}
	}
	if o.FailOn == "" {
		return nil // the settings may say
	}
	return publish.Choose("fail-on", &o.FailOn, []string{"introduced", "any", "never"})
}

// refuse refuses what is no folder, no bound or no glob.
func (o *Options) refuse() error {
	for _, dir := range []struct{ name, path, example string }{{"bundle-dir", o.BundleDir, DefaultBundleDir}, {"parts", o.Parts, DefaultParts}} {
		outside := path.IsAbs(dir.path) || dir.path == ".." || strings.HasPrefix(dir.path, "../")
		if outside || dir.path == "." || dir.path == ".git" || strings.HasPrefix(dir.path, ".git/") {
			return reason.Usage(reason.InvalidArgs, "give a folder inside the repository, such as "+dir.example,
				"%s %q is not a folder inside the repository", dir.name, dir.path)
		}
	}
	if o.HistoryCommits < 0 || o.HistoryTime < 0 {
		return reason.Usage(reason.InvalidArgs, "give history-commits like 10000 and history-time like 10s, or leave them out",
			"%d commits of history within %v is no bound", o.HistoryCommits, o.HistoryTime)
	}
	for _, of := range []struct {
		name, example string
		globs         []string
	}{{"sidecars", "docs/evals/**/*.replay.json", o.Sidecars}, {"cassettes", "evals/cassettes/**/*.json", o.Cassettes}} {
		for _, g := range of.globs {
			if why := config.BadGlob(g); why != "" {
				return reason.Usage(reason.InvalidArgs, `write it like "`+of.example+`"`, "%s: %q %s", of.name, g, why)
			}
		}
	}
	return nil
}

// OwnOutput reports whether path is that of a file which the gate writes into its folder
// for bundles, or which the machines of one plan hand to each other, where these folders are
// the default ones.
func OwnOutput(path string) bool {
	return Options{BundleDir: DefaultBundleDir, Parts: DefaultParts}.ownOutput(path)
}

// ownOutput reports whether path is that of a file which the gate writes into its folder
// for bundles, or which the machines of one plan hand to each other.
func (o Options) ownOutput(name string) bool {
	dir, base := path.Split(name)
	return dir == o.BundleDir+"/" && publish.Ours(base) || o.Parts != "" && strings.HasPrefix(name, o.Parts+"/")
}
