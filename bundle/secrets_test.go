package bundle

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/replay-gate/replay-gate/verify"
)

// The rules of Assay's replay/scrub, with the cases of its own tests. What is found
// here was compared with what `assay bundle verify` 5.4.0 finds (internal/e2e/assay).
func TestAssaySecrets(t *testing.T) {
	const header, bearer, key = ruleAuthorization, ruleBearer, ruleSecretKey
	for text, want := range map[string][]string{
		"Authorization: x":                      {header},
		"  AUTHORIZATION\t:\u00a0y":             {header},
		"a\n\n\tauthorization: b":               {header},
		"x Authorization: y":                    nil,
		`"Authorization": "x"`:                  nil,
		"Authorization:":                        nil,
		"\x00Authorization: x":                  nil,
		"\u0085Authorization\u2003:\u3000b":     {header},
		"Authorization: Bearer abc":             {header, bearer},
		"the bearer of this":                    {bearer},
		"forbearer x":                           {bearer},
		"bearer\u00a0token":                     {bearer},
		"bearer\vtoken":                         {bearer},
		"BEARER\nx":                             {bearer},
		"bearer\u200btoken":                     nil,
		"bearer":                                nil,
		"Bearer [REDACTED]":                     {bearer},
		"[REDACTED]":                            nil,
		"sk-" + strings.Repeat("a", 19):         nil,
		"sk-" + strings.Repeat("a", 20):         {key},
		"sk_live_" + strings.Repeat("b", 14):    nil,
		"sk_live_" + strings.Repeat("b", 15):    {key},
		"sk- " + strings.Repeat("a", 20):        nil,
		"SK-" + strings.Repeat("a", 20):         nil,
		"task-" + strings.Repeat("a", 20):       {key},
		"\xffsk-" + strings.Repeat("a", 20):     {key},
		"c2stYWFhYWFhYWFhYWFhYWFhYWFhYWE=":      nil,
		"sha256:" + strings.Repeat("0a", 32):    nil,
		"request id req_011CPqmwYkZgbvwvHBp6kz": nil,
	} {
		var got []string
		for _, s := range AssaySecrets([]byte(text)) {
			got = append(got, s.Rule)
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
		// What is scrubbed passes, also where Assay's own scrubber leaves a match.
		if left := AssaySecrets(Scrub([]byte(text))); len(left) > 0 {
			t.Errorf("%q is scrubbed to %q, which has %v", text, Scrub([]byte(text)), left)
		}
	}
}

func TestSecretLines(t *testing.T) {
	text := "one\nsk-" + strings.Repeat("a", 20) + "\n\n\n  Authorization: x\nbearer y\n"
	want := []Secret{{2, ruleSecretKey}, {5, ruleAuthorization}, {6, ruleBearer}}
	if got := AssaySecrets([]byte(text)); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := string(Scrub([]byte(text))); strings.Contains(got, "aaa") || strings.Contains(got, ": x") || strings.Contains(got, "y") {
		t.Errorf("scrubbed: %q", got)
	}
}

// secretsFixture is the fixture with a line more in one of its files.
func secretsFixture(path, line string) Source {
	files := fixtureFiles()
	f := *files[path]
	f.Data = append(slices.Clone(f.Data), line...)
	files[path] = &f
	return fixtureSource(files)
}

// key is shaped like a key, and is none.
var key = "sk-" + strings.Repeat("0abc", 6)

// Issue "Secrets": a hit in files/ refuses the bundle and is a row without the
// secret; in outputs/ it warns.
func TestBuildRefusesSecrets(t *testing.T) {
	for _, tc := range []struct{ path, line, rule string }{
		{tokenPath, "key: " + key + "\n", ruleSecretKey},
		{briefPath, "Authorization: Basic eA\n", ruleAuthorization},
		{sidecarPath, " bearer 0123456789abcdefghij\n", ruleBearer},
	} {
		_, err := Build(secretsFixture(tc.path, tc.line))
		var se *SecretsError
		if !errors.As(err, &se) || se.Path != tc.path || se.Secrets[0].Rule != tc.rule {
			t.Errorf("%s: %v", tc.path, err)
			continue
		}
		row := se.Row()
		if row.Field != "bundle.secrets" || row.Status != verify.Fail || row.Location.Path != tc.path || row.Location.Line < 2 {
			t.Errorf("row %+v", row)
		}
		if text := fmt.Sprint(row, err); strings.Contains(text, "0abc") || strings.Contains(text, "eA") || strings.Contains(text, "0123456789") {
			t.Errorf("the secret is in %s", text)
		}
	}
	b := mustBuild(t, secretsFixture(reportPath, "key: "+key+"\n"))
	if len(b.Warnings) != 1 || b.Warnings[0].Path != reportPath || b.Warnings[0].Secrets[0].Line != 2 {
		t.Errorf("warnings %+v", b.Warnings)
	}
	// Rules beyond Assay's come from the caller.
	src := fixtureSource(fixtureFiles())
	src.Secrets = func(data []byte) ([]Secret, bool) {
		if bytes.Contains(data, []byte("grid")) {
			return []Secret{{2, "gitleaks/grid"}}, false
		}
		return nil, false
	}
	if _, err := Build(src); err == nil || !strings.Contains(err.Error(), tokenPath+":2 looks like a secret (rule gitleaks/grid)") {
		t.Errorf("%v", err)
	}
}

// Issue "Secrets": a file that only says "bearer" is left out, referenced by
// digest, and what needs it is incomplete with the reason; the bundle is written.
func TestBuildLeavesProseOut(t *testing.T) {
	b := mustBuild(t, secretsFixture(briefPath, "say: the bearer token is never shown\n"))
	for _, e := range b.Entries {
		if strings.Contains(e.Name, "briefs/") {
			t.Errorf("%s is in the bundle", e.Name)
		}
	}
	c := b.Manifest.Coverage
	if !slices.Equal(c.Incomplete, []string{"brief.hash"}) || !strings.HasPrefix(c.Reason["brief.hash"], `left out: it says "bearer" in prose`) {
		t.Errorf("coverage %+v", c)
	}
	if want := digest([]byte("page: landing\nsay: the bearer token is never shown\n")); b.Manifest.ReplayGate.Inputs[briefPath] != want {
		t.Errorf("digests %v, want %s", b.Manifest.ReplayGate.Inputs, want)
	}
	for _, c := range Check(bytes.NewReader(b.Bytes()), "b", DefaultLimits()).Checks {
		if c.Status == verify.Fail {
			t.Errorf("%+v", c)
		}
	}

	// The evidence itself: nothing can be replayed, and the bundle says why.
	b = mustBuild(t, secretsFixture(sidecarPath, " bearer of news\n"))
	if c := b.Manifest.Coverage; len(c.Complete) > 0 || len(c.Incomplete) == 0 {
		t.Errorf("coverage %+v", c)
	}
	for _, c := range Check(bytes.NewReader(b.Bytes()), "b", DefaultLimits()).Checks {
		if c.Status == verify.Fail {
			t.Errorf("%+v", c)
		}
	}
}

// Issue "Secrets": cassettes go in scrubbed, and scrub_policy says so.
func TestBuildScrubsCassettes(t *testing.T) {
	src := fixtureSource(fixtureFiles())
	files := fixtureFiles()
	files["vcr/a.yml"] = &fstest.MapFile{Data: []byte("Authorization: Bearer x\nkey: " + key + "\nsaid: the bearer of news\nbody: hello\n")}
	src.Tree, src.Cassettes = verify.NewTree(files), []string{"vcr/a.yml", "vcr/none.yml"}
	b := mustBuild(t, src)
	a := mustRead(t, b.Bytes())
	e, ok := a.Entry("cassettes/vcr/a.yml")
	if !ok {
		t.Fatal("no cassette")
	}
	data, err := e.bytes()
	if want := "[REDACTED]\nkey: [REDACTED]\nsaid: the [REDACTED] news\nbody: hello\n"; err != nil || string(data) != want {
		t.Errorf("%q, %v, want %q", data, err, want)
	}
	if p := a.Manifest.ScrubPolicy; p.Name != "whole-match" || !*p.ScrubCassettes {
		t.Errorf("%+v", p)
	}
}

// Replay Bundle v1, section 6.1: whoever wrote the archive, a secret in files/ or
// cassettes/ fails, and one in outputs/ is a warning.
func TestCheckSecrets(t *testing.T) {
	filler := strings.Repeat("a line of text\n", secretWindow/15+10)
	for _, tc := range []struct {
		entry raw
		want  verify.Status
		text  string
	}{
		{file("files/a", key), verify.Fail, `"files/a", line 1, looks like a secret (rule assay/sk-key)`},
		{file("cassettes/a", "x\nbearer y"), verify.Fail, `"cassettes/a", line 2, looks like a secret (rule assay/bearer)`},
		{file("outputs/a", key), verify.Warn, `"outputs/a", line 1, looks like a secret (rule assay/sk-key)`},
		{file("files/large", filler+key), verify.Fail, fmt.Sprintf(`"files/large", line %d, looks like a secret (rule assay/sk-key)`, strings.Count(filler, "\n")+1)},
		{file("files/a", "fine"), verify.OK, "nothing matches Assay's patterns"},
	} {
		res := Check(bytes.NewReader(archiveOf(t, file(manifestName, adequate), tc.entry)), "b", DefaultLimits())
		if c := row(t, res.Checks, FieldSecrets); c.Status != tc.want || c.Reason+c.Observed != tc.text {
			t.Errorf("%s: %+v", tc.entry.header.Name, c)
		}
	}
}

// A file is scanned in parts, and that does not show: not where a match is longer than
// what two parts share, nor where one ends within a line or a character.
func TestScanInParts(t *testing.T) {
	window := make([]byte, 4*secretOverlap)
	blanks := func(blank string) string { return strings.Repeat(blank, 3*len(window)/len(blank)) }
	for _, text := range []string{
		"Bearer" + blanks(" ") + "x",
		"bearer" + blanks("\n") + "x",
		"bearer" + blanks("\u00a0") + "x", "-bearer" + blanks("\u00a0") + "x",
		"bearer" + blanks("\u2003") + "x", "-bearer" + blanks("\u2003") + "x", "--bearer" + blanks("\u2003") + "x",
		"Authorization" + blanks("\t") + ": x",
		blanks("\n") + "Authorization: x" + blanks("\n"),
		blanks("a line of text\n") + key,
		"x" + strings.Repeat(" ", secretOverlap) + "\n" + blanks(" ") + "Authorization: x",
		"x" + strings.Repeat("y", len(window)-3*secretOverlap/2-9) + "\n" + strings.Repeat(" ", 3*secretOverlap/2) + "Authorization: x",
		"x" + strings.Repeat("y", len(window)-3*secretOverlap/2-16) + "\nAuthorization" + strings.Repeat(" ", 3*secretOverlap/2) + ":\nx",
		blanks("bearer") + blanks(" "),
		blanks(" ") + "bearer",
		"bearer" + blanks("\u00a0"), "-bearer" + blanks("\u00a0"), "bearer" + blanks("\u2003"),
		blanks(" Authorization: ") + "x", "x" + blanks(" Authorization: ") + "x",
		"x" + strings.Repeat("  Authorization:", 3*secretOverlap),
	} {
		want := AssaySecrets([]byte(text))
		got, found, err := firstSecret(strings.NewReader(text), window)
		if strings.HasPrefix(text, "bearer\n") {
			got.Line = 1 // the lines left out between the two words are counted, too
		}
		if err != nil || found != (len(want) > 0) || found && got != want[0] {
			t.Errorf("%.20q: %+v, %v, %v, want %+v", text, got, found, err, want[:min(len(want), 1)])
		}
	}
}

// Whatever the text is, what is scrubbed passes the scan.
func FuzzScrub(f *testing.F) {
	for _, s := range []string{"Authorization: x", "bearer x", "Bearer Bearer x", key + key, "sk-sk_" + key, "bearer\u2028x", "\nAuthorization:\n\nAuthorization: y", "sk\xff-"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if left := AssaySecrets(Scrub(data)); len(left) > 0 {
			t.Errorf("%q is scrubbed to %q: %v", data, Scrub(data), left)
		}
	})
}

// A rendering that quotes what looks like a secret goes in, and is warned of; one that does
// not is not.
func TestOutputsAreWarnedOf(t *testing.T) {
	t.Parallel()
	src := fixtureSource(fixtureFiles())
	if b := mustBuild(t, src); len(b.Warnings) != 0 {
		t.Errorf("%v", b.Warnings)
	}
	src.Outputs.JUnit = []byte("<testsuite/>\nAuthorization: Bearer abcdefghijklmnop0123456789\n")
	b := mustBuild(t, src)
	if len(b.Warnings) != 1 || b.Warnings[0].Path != junitName || len(b.Warnings[0].Secrets) == 0 || b.Manifest.Files[junitName].Size == 0 {
		t.Errorf("%+v", b.Warnings)
	}
}
