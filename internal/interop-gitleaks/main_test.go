package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"regexp/syntax"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/zricethezav/gitleaks/v8/detect"

	"github.com/replay-gate/replay-gate/verify/secrets"
)

// The generated rules are those of the library in go.mod.
func TestGeneratedRulesAreUpToDate(t *testing.T) {
	fresh := filepath.Join(t.TempDir(), "rules.go")
	if err := run(fresh); err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(fresh)
	if err != nil {
		t.Fatal(err)
	}
	have, err := os.ReadFile("../../verify/secrets/gitleaks_rules.go")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(have, want) {
		t.Error("verify/secrets/gitleaks_rules.go is not what go run . writes")
	}
}

func detector(t testing.TB) *detect.Detector {
	d, err := detect.NewDetectorDefaultConfig()
	if err != nil {
		t.Fatal(err)
	}
	d.IgnoreGitleaksAllow = true
	return d
}

var recordedHash = regexp.MustCompile(`sha256:[0-9a-f]{64}`)

// theirs is what the library finds, and ours what we find.
func theirs(d *detect.Detector, text string) (found []string) {
	text = recordedHash.ReplaceAllStringFunc(text, func(hash string) string { return strings.Repeat(" ", len(hash)) })
	for _, f := range d.DetectString(text) {
		found = append(found, fmt.Sprintf("%d gitleaks/%s %q", f.StartLine+1, f.RuleID, f.Secret))
	}
	slices.Sort(found)
	return found
}

func ours(t testing.TB, text string) (found []string) {
	all, err := secrets.Scan(t.Context(), []byte(text), secrets.Gitleaks)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range all {
		found = append(found, fmt.Sprintf("%d %s %q", f.Line, f.Rule, text[f.Start:f.End]))
	}
	slices.Sort(found)
	return found
}

func compare(t *testing.T, d *detect.Detector, name, text string) int {
	want, got := theirs(d, text), ours(t, text)
	if !slices.Equal(got, want) {
		shown := text
		if len(shown) > 600 {
			shown = ""
		}
		t.Errorf("%s: %q\n ours   %s\n theirs %s", name, shown, only(got, want), only(want, got))
	}
	return len(want)
}

// only is what a has and b hasn't.
func only(a, b []string) []string {
	b = slices.Clone(b)
	var rest []string
	for _, s := range a {
		if i := slices.Index(b, s); i >= 0 {
			b = slices.Delete(b, i, i+1)
		} else {
			rest = append(rest, s)
		}
	}
	return rest
}

// Real text: the standard library, and the modules that the library pulls in, with
// their tests and documentation.
func TestRealText(t *testing.T) {
	roots := []string{runtime.GOROOT() + "/src", "../.."}
	if gopath := os.Getenv("INTEROP_CORPUS"); gopath != "" {
		roots = append(roots, filepath.SplitList(gopath)...)
	}
	d := detector(t)
	files, size, found := 0, 0, 0
	for _, root := range roots {
		err := filepath.WalkDir(root, func(name string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() && e.Name() == ".git" {
				return filepath.SkipDir
			}
			info, err := e.Info()
			if err != nil || !info.Mode().IsRegular() || info.Size() > 512<<10 {
				return nil
			}
			data, err := os.ReadFile(name)
			if err != nil {
				return nil
			}
			files++
			size += len(data)
			found += compare(t, d, name, string(data))
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d files, %d MB, %d findings", files, size>>20, found)
}

// Texts made from the rules themselves: what matches, what nearly does, and what
// stands around it.
func TestTextsFromRules(t *testing.T) {
	d := detector(t)
	rounds, found := 40, 0
	if os.Getenv("INTEROP_ROUNDS") != "" {
		fmt.Sscan(os.Getenv("INTEROP_ROUNDS"), &rounds)
	}
	for _, seed := range []uint64{1, 2} {
		r := rand.New(rand.NewPCG(seed, 0))
		for _, id := range slices.Sorted(slices.Values(d.Config.OrderedRules)) {
			rule := d.Config.Rules[id]
			if rule.Regex == nil {
				continue
			}
			re, err := syntax.Parse(rule.Regex.String(), syntax.Perl)
			if err != nil {
				t.Fatal(err)
			}
			for range rounds {
				var b strings.Builder
				for range 1 + r.IntN(4) {
					b.WriteString(pick(r, around))
					b.WriteString(mutated(r, sample(r, re)))
					b.WriteString(pick(r, around))
					if r.IntN(2) == 0 && len(rule.Keywords) > 0 {
						b.WriteString(pick(r, rule.Keywords))
					}
				}
				found += compare(t, d, id, b.String())
			}
		}
	}
	t.Logf("%d findings", found)
}

var around = []string{
	"", "\n", " ", "\"", "'", "\t", "key: ", "x", "-", "_", "\nname = ", "\\n", "\r\n", ";", ",", "import { a } from 'b' ", "the quick brown fox\n",
	"api_key=", "curl -H ", "token => ", "key := \"", "--mount=type=secret,", "é", "…", "password||", "secret ?= ", "\x00", "\xff", "=\n=", "EXAMPLE", "false",
	"key=key=key", "a.b-c_d.e", strings.Repeat("x", 60), strings.Repeat(" ", 25), strings.Repeat("0aB3", 50), strings.Repeat("word ", 2000),
	"curl https://x -u \"abc:defg\" ", "\n--header \"Authorization: Basic ", "\"\n", "KEY BLOCK-----", "-----BEGIN RSA PRIVATE KEY-----\n",
}

func pick[T any](r *rand.Rand, all []T) T { return all[r.IntN(len(all))] }

// sample is a text that re matches.
func sample(r *rand.Rand, re *syntax.Regexp) string {
	switch re.Op {
	case syntax.OpLiteral:
		s := string(re.Rune)
		if re.Flags&syntax.FoldCase != 0 && r.IntN(3) == 0 {
			s = strings.ToUpper(s)
		} else if re.Flags&syntax.FoldCase != 0 {
			s = strings.ToLower(s)
		}
		return s
	case syntax.OpCharClass:
		for range 20 {
			i := 2 * r.IntN(len(re.Rune)/2)
			c := re.Rune[i] + rune(r.IntN(int(re.Rune[i+1]-re.Rune[i])+1))
			if c >= ' ' && c < 0x7f || c == '\n' || c == '\t' {
				return string(c)
			}
		}
		return "a"
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return string(rune(' ' + r.IntN(94)))
	case syntax.OpCapture:
		return sample(r, re.Sub[0])
	case syntax.OpConcat:
		var b strings.Builder
		for _, sub := range re.Sub {
			b.WriteString(sample(r, sub))
		}
		return b.String()
	case syntax.OpAlternate:
		return sample(r, pick(r, re.Sub))
	case syntax.OpQuest, syntax.OpStar, syntax.OpPlus, syntax.OpRepeat:
		least, most := 0, 1
		switch re.Op {
		case syntax.OpStar:
			most = 8
		case syntax.OpPlus:
			least, most = 1, 12
		case syntax.OpRepeat:
			if least, most = re.Min, re.Max; most < 0 {
				most = least + 10
			}
		}
		var b strings.Builder
		for range least + r.IntN(most-least+1) {
			b.WriteString(sample(r, re.Sub[0]))
		}
		return b.String()
	}
	return ""
}

// mutated is s with a character changed, left out or doubled, at times.
func mutated(r *rand.Rand, s string) string {
	if len(s) == 0 || r.IntN(3) > 0 {
		return s
	}
	i := r.IntN(len(s))
	switch r.IntN(4) {
	case 0:
		return s[:i] + s[i+1:]
	case 1:
		return s[:i] + pick(r, around) + s[i:]
	case 2:
		return s[:i] + s[i:i+1] + s[i:]
	}
	return s[:i] + string(rune(' '+r.IntN(94))) + s[i+1:]
}

// What is dense, long, or without any line: the windows must not show.
func TestLongTexts(t *testing.T) {
	d := detector(t)
	r := rand.New(rand.NewPCG(3, 0))
	for _, id := range []string{"github-pat", "jwt", "private-key", "curl-auth-user", "facebook-access-token", "sourcegraph-access-token", "generic-api-key", "aws-access-token", "azure-ad-client-secret", "slack-bot-token"} {
		re, _ := syntax.Parse(d.Config.Rules[id].Regex.String(), syntax.Perl)
		for _, blank := range []string{"\n", " ", ""} {
			var b strings.Builder
			b.WriteString("facebook sourcegraph ")
			for b.Len() < 60_000 {
				b.WriteString(sample(r, re) + blank)
				if r.IntN(20) == 0 {
					b.WriteString(strings.Repeat(pick(r, around), 300))
				}
			}
			compare(t, d, id, b.String())
		}
	}
}
