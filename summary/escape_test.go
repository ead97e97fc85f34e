package summary

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/replay-gate/replay-gate/summary/visible"
)

// seeds are strings that break renderers which escape too little.
var seeds = []string{
	"", " ", "  x ", "plain", "a|b", `a\|b`, `\`, "`", "``", "a`b``c", "\n", "a\r\nb", "\x00\x1b[31mred\x9b", "\u202eright\u2066\u200b\ufeff",
	"\xff\xfe", "@octocat", "#1", "GH-1", "owner/repo#2", "https://x.test", "www.x.test", "a@b.test", "![i](https://x.test/p.png)", "[l](javascript:1)",
	"<img src=x>", "</details>", "</code></summary>", "<!--", "&amp;", "| --- |", "---", "```", "~~~", "# h", "> q", "- [x] t", "1. x", "    code",
	"::error file=x::y", " ::set-output name=x::y", "##[error]x", "##\u200b[error]x", "%0A::warning::x", "*b* _i_ ~~s~~", "$x$", ":tada:", "c0ffee1", "a\u2028b",
	"'; rm -rf ~ #", "$(id)", "--help", "-x", "FOO=bar", "👩‍💻 é 漢字", strings.Repeat("x", 500), strings.Repeat("`", 300), "]]>", "a](b",
}

func addSeeds(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
}

func TestShellQuote(t *testing.T) {
	for _, tc := range []struct {
		in, want string
		ok       bool
	}{
		{"node", "node", true},
		{"--brief=briefs/landing.yml", "--brief=briefs/landing.yml", true},
		{"cf:@cf/meta/llama-4", "cf:@cf/meta/llama-4", true},
		{"", "''", true},
		{"it's", `'it'\''s'`, true},
		{"FOO=bar", "'FOO=bar'", true}, // as the first word it would be an assignment
		{"~", "'~'", true},
		{"$(id)`id`\"", "'$(id)`id`\"'", true},
		{"a\nb", "", false},
		{"a\x00b", "", false},
		{"a\u202eb", "", false},
		{"\xff", "", false},
	} {
		if got, ok := ShellQuote(tc.in); got != tc.want || ok != tc.ok {
			t.Errorf("ShellQuote(%q) = %q, %t, want %q, %t", tc.in, got, ok, tc.want, tc.ok)
		}
	}
}

// A real shell reads every quoted word as the word that was quoted.
func TestShellReadsQuotedWords(t *testing.T) {
	words := []string{"printf", `%s\n`}
	var want strings.Builder
	for _, s := range seeds {
		if _, ok := ShellQuote(s); ok {
			words = append(words, s)
			want.WriteString(s + "\n")
		}
	}
	line, ok := shellLine(words, 1<<16)
	if !ok {
		t.Fatal("a quotable word was refused")
	}
	got, err := exec.Command("sh", "-c", line).Output()
	if err != nil || string(got) != want.String() {
		t.Errorf("sh printed %q (%v), want %q", got, err, want.String())
	}
}

func FuzzShellQuote(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, s string) {
		q, ok := ShellQuote(s)
		switch {
		case !ok:
			if visible.Text(s) == s {
				t.Errorf("ShellQuote(%q) was refused", s)
			}
		case q == s:
			if strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:@=,+%-") != "" || s == "" {
				t.Errorf("ShellQuote(%q) left it bare", s)
			}
		default: // POSIX.1-2017, 2.2.2: everything between single quotes is literal
			inner := strings.TrimSuffix(strings.TrimPrefix(q, "'"), "'")
			if len(inner)+2 != len(q) || strings.ReplaceAll(inner, `'\''`, "'") != s || strings.Contains(strings.ReplaceAll(inner, `'\''`, ""), "'") {
				t.Errorf("ShellQuote(%q) = %s", s, q)
			}
		}
	})
}

func TestBlobURL(t *testing.T) {
	l := links()
	const blob = "https://github.com/octo-org/evals/blob/" + headID + "/"
	for _, tc := range []struct {
		path string
		line int
		want string
	}{
		{"docs/x.json", 0, blob + "docs/x.json"},
		{"docs/x.json", 12, blob + "docs/x.json?plain=1#L12"},
		{"a b/(#1)?&<x>|`é.md", 0, blob + "a%20b/%28%231%29%3F%26%3Cx%3E%7C%60%C3%A9.md"},
		{"../x", 0, ""},
		{"/etc/passwd", 0, ""},
		{"a//b", 0, ""},
		{"", 0, ""},
	} {
		if got := l.BlobURL(tc.path, tc.line); got != tc.want {
			t.Errorf("BlobURL(%q, %d) = %q, want %q", tc.path, tc.line, got, tc.want)
		}
	}
}

// Servers are those of GHES and ghe.com too; whatever could break out of a link
// gives no link.
func TestLinksAreBuiltFromCheckedParts(t *testing.T) {
	for _, tc := range []struct {
		name   string
		change func(*Links)
		ok     bool
	}{
		{"github.com", func(*Links) {}, true},
		{"GHES with a port and a path", func(l *Links) { l.Server = "https://git.example.test:8443/hub/" }, true},
		{"ghe.com", func(l *Links) { l.Server = "https://octo.ghe.com" }, true},
		{"no server", func(l *Links) { l.Server = "" }, false},
		{"another scheme", func(l *Links) { l.Server = "javascript:alert" }, false},
		{"a server with a query", func(l *Links) { l.Server = "https://x.test/?" }, false},
		{"a repository that breaks out", func(l *Links) { l.Repository = "o/r)[x](y" }, false},
		{"a head that is a branch", func(l *Links) { l.HeadSHA = "main" }, false},
	} {
		l := links()
		tc.change(&l)
		if got := l.BlobURL("x", 0); (got != "") != tc.ok {
			t.Errorf("%s: %q", tc.name, got)
		}
	}
}

func FuzzEscapePath(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, s string) {
		if rest := strings.Trim(escapePath(s), "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/%"); rest != "" {
			t.Errorf("escapePath(%q) left %q", s, rest)
		}
	})
}

// Two different hashes must never look the same.
func TestShownKeepsDifferentHashesApart(t *testing.T) {
	f := drift().Evidence[0].Fields[6]
	if a, b := shown(f.Check); a != "sha256:111111111111" || b != "sha256:999999999999" {
		t.Errorf("shown = %q, %q", a, b)
	}
	f.Observed = f.Recorded[:len(f.Recorded)-1] + "3"
	if a, b := shown(f.Check); a == b {
		t.Errorf("both are shown as %q", a)
	}
}
