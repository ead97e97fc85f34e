package ahd

import (
	"strings"
	"testing"

	"github.com/replay-gate/replay-gate/verify"
)

// AHD replay, Fields: argv is the full command as a list. What it says about
// the run agrees with the fields, where it says anything.
func TestArgv(t *testing.T) {
	const command = `"eval-live", "quiet", "--brief", "briefs/poster.md", "--models", "cf:m-1,m-2", "--n", "30", "--report", "docs/run.md"`
	tests := []struct {
		name, words string
		want        string // the reason of a warn, or "" for ok
	}{
		{"as recorded", command, ""},
		{"no flags", `"eval-live", "quiet"`, ""},
		{"the program alone", ``, ""},
		{"another n", strings.Replace(command, `"30"`, `"5"`, 1), "--n 5 is not sampling.n 30"},
		{"n with =", `"eval-live", "quiet", "--n=5"`, "--n 5 is not sampling.n 30"},
		{"n spelled otherwise", `"eval-live", "quiet", "--n", "3e1"`, ""},
		{"n is no number", `"eval-live", "quiet", "--n", "many"`, "--n many is not sampling.n 30"},
		{"the last n counts", `"eval-live", "quiet", "--n", "5", "--n", "30"`, ""},
		{"n without a value", `"eval-live", "quiet", "--n"`, ""},
		{"another token", strings.Replace(command, `"quiet"`, `"loud"`, 1), "the token name loud is not token.path tokens/quiet.yml"},
		{"the token by path", strings.Replace(command, `"quiet"`, `"tokens\\quiet.yml"`, 1), ""},
		{"flags before the token", `"eval-live", "--n", "30", "loud"`, ""},
		{"flags before the subcommand", `"--verbose", "eval-live", "quiet"`, ""},
		{"another brief", strings.Replace(command, `poster.md`, `page.md`, 1), "--brief briefs/page.md is not brief.path briefs/poster.md"},
		{"another report", strings.Replace(command, `docs/run.md`, `docs/run2.md`, 1), "--report docs/run2.md is not this report, docs/run.md"},
		{"an absolute report", strings.Replace(command, `docs/run.md`, `D:\\a\\ahd\\docs\\run.md`, 1), ""},
		{"blanks between models", strings.Replace(command, `,m-2`, `, m-2`, 1), ""},
		{"a model too few", strings.Replace(command, `,m-2`, ``, 1), "--models does not name m-2"},
		{"a model too many", strings.Replace(command, `,m-2`, `,m-2,cf:m-3`, 1), "models lacks cf:m-3 of --models"},
		{"all at once", `"eval-live", "loud", "--n", "5"`, "--n 5 is not sampling.n 30; the token name loud is not token.path tokens/quiet.yml"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			words := `["node", "/w/ahd/bin/ahd.js"`
			if tt.words != "" {
				words += ", " + tt.words
			}
			c := row(t, check(edited(t, `["node", "/w/ahd/bin/ahd.js", `+command+`]`, words+"]")), "argv")
			if c.Reason != tt.want {
				t.Errorf("reason %q, want %q", c.Reason, tt.want)
			}
			status, code := verify.OK, ""
			if tt.want != "" {
				status, code = verify.Warn, "argv-disagrees"
			}
			if c.Status != status || c.Code != code || c.Location.Line != 10 || c.Location.Column != 11 {
				t.Errorf("%+v", c)
			}
		})
	}
}

// The provider's prefix of a model may stand on either side.
func TestModelPrefix(t *testing.T) {
	if got := bad(check(edited(t, `"id": "m-2"`, `"id": "cf:m-2"`))); got != "" {
		t.Errorf("got %s", got)
	}
}

func TestArgvTypes(t *testing.T) {
	for with, want := range map[string]string{
		`[]`:              "warn argv empty 10:11",
		`"node"`:          "FAIL argv wrong-type 10:11",
		`null`:            "FAIL argv wrong-type 10:11",
		`["node", 7]`:     "FAIL argv wrong-type 10:20",
		`["node", ["x"]]`: "FAIL argv wrong-type 10:20",
	} {
		from, to := strings.Index(valid, `["node"`), strings.Index(valid, `"docs/run.md"]`)+len(`"docs/run.md"]`)
		fsys := repo()
		fsys[sidecarPath].Data = []byte(valid[:from] + with + valid[to:])
		r := check(fsys)
		if got := bad(r); got != want {
			t.Errorf("%s: got %s, want %s", with, got, want)
		}
	}
}

// AHD replay, Markdown redactions: the command is shown quoted as for a shell.
func TestArgvIsShownQuoted(t *testing.T) {
	c := row(t, check(edited(t, `"--n", "30"`, `"--n", "30", "it's; rm -rf /", ""`)), "argv")
	if want := `14 words: node /w/ahd/bin/ahd.js eval-live quiet --brief briefs/poster.md --models cf:m-1,m-2 --n 30 'it'\''s; rm -rf /' '' --report docs/run.md`; c.Recorded != want {
		t.Errorf("got %s", c.Recorded)
	}
}
