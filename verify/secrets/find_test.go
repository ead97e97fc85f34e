package secrets

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// What each kind of rule finds, and where.
func TestFind(t *testing.T) {
	t.Parallel()
	pem := kinds()["private key"]
	for _, tc := range []struct {
		text  string
		kinds Kinds
		want  []string // line, rule, secret
	}{
		{"a\nb\nkey: " + kinds()["github"] + "\n", Gitleaks, []string{"3 gitleaks/github-pat " + kinds()["github"]}},
		{"key: " + kinds()["github"] + " # gitleaks:allow\n", Gitleaks, []string{"1 gitleaks/github-pat " + kinds()["github"]}},
		{"token.hash sha256:" + strings.Repeat("210c33eeee95a138", 4), All, nil},
		{`{"token":{"path":"tokens/swiss.yml","hash":"sha256:` + strings.Repeat("210c33eeee95a138", 4) + `"}}`, All, nil},
		{`{"provider_request_ids":["req_011CPqmwYkZgbvwvHBp6kzQ2","8f1b2c3d-0a4e-4b6f-9c7d-1e2f3a4b5c6d"]}`, All, nil},
		{"name: swiss\npalette:\n  accent: \"#e63946\"\n", All, nil},
		{"\n\n  Authorization: Basic eA\n", Assay, []string{"3 assay/authorization-header Basic eA"}},
		{"the bearer of this", Assay, []string{"1 assay/bearer of (prose)"}},
		{"x\nbearer 0123456789abcdefghij", Assay, []string{"2 assay/bearer 0123456789abcdefghij"}},
		{"say\n" + pem + "\nend", Forms, []string{"2 form/private-key " + pem}},
		{"{\"k\":\"" + strings.ReplaceAll(pem, "\n", `\n`) + "\"}", Forms, []string{"1 form/private-key " + strings.ReplaceAll(pem, "\n", `\n`)}},
		{"-----BEGIN PRIVATE KEY----- begins a key, and -----END PRIVATE KEY----- ends it", Forms, nil},
		{"DB_PASS=tr0ub4dor", Names, []string{"1 name/secret tr0ub4dor"}},
		{"export DB_PASSWORD='correct horse'", Names, []string{"1 name/secret correct horse"}},
		{`{"apiKey": "k3Jx9Qm2Zt"}`, Names, []string{"1 name/secret k3Jx9Qm2Zt"}},
		{`{\"api-key\": \"k3Jx9Qm2Zt\"}`, Names, []string{"1 name/secret k3Jx9Qm2Zt"}},
		{"x -H 'Authorization: Basic dXNlcjpwYXNz'", Names, []string{"1 name/secret dXNlcjpwYXNz"}},
		{"https://app:s3cr3t-x9@host/x", Names, []string{"1 name/url-password s3cr3t-x9"}},
		{"max_tokens: 4096\ntoken: swiss-editorial-7\nkey: value-12345\npath: a/b1/c2\n", Names, nil},
		{"password: ${DB_PASSWORD}\nsecret: <your secret1>\napi_key: process.env.API_KEY1\npassword: [REDACTED]\n", Names, nil},
		{"http://localhost:8080/a@b", Names, nil},
	} {
		found, err := Scan(t.Context(), []byte(tc.text), tc.kinds)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range found {
			s := fmt.Sprintf("%d %s %s", f.Line, f.Rule, tc.text[f.Start:f.End])
			if f.Prose {
				s += " (prose)"
			}
			got = append(got, s)
		}
		if !slices.Equal(got, tc.want) {
			t.Errorf("%q: got %q, want %q", tc.text, got, tc.want)
		}
	}
}

// Every kind of secret is found where it is announced.
func TestFindKnowsEveryKind(t *testing.T) {
	t.Parallel()
	for kind, secret := range kinds() {
		text := announced(kind, secret)
		if len(Find([]byte(text))) == 0 {
			t.Errorf("%s: nothing is found in %q", kind, text)
		}
	}
}

// Assay's rules as expressions, with \s as Unicode has it.
const (
	blank    = `(?:\s|[\x{0b}\x{85}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}])`
	notBlank = `[^\s\x{0b}\x{85}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}]`
)

var assayExpressions = map[string]*regexp.Regexp{
	RuleAuthorization: regexp.MustCompile(`(?im)^` + blank + `*Authorization` + blank + `*:` + blank + `*.+$`),
	RuleBearer:        regexp.MustCompile(`(?i)Bearer` + blank + `+` + notBlank + `+`),
	RuleSecretKey:     regexp.MustCompile(`sk[-_][A-Za-z0-9_-]{20,}`),
}

// Our own evaluation of Assay's rules finds what their expressions match.
func FuzzAssay(f *testing.F) {
	key := "sk-" + strings.Repeat("0abc", 6)
	for _, s := range []string{
		"Authorization: x", " \n\n\tauthorization\u00a0:\n\nb\n", "x Authorization: y", "Authorization:  \n ", "Authorization:\n\n", "Authorization: Authorization: y\nAuthorization: z",
		"bearer x", "Bearer Bearer x", "bearer\u2028x", "bearer\xff\xc2\xa0 y", key + key, "sk-sk_" + key, "\u0085Authorization\u2003:\u3000b", "\xffAuthorization:\xff", " \xa0Authorization: x", "\u2003\nAuthorization: x",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for rule, re := range assayExpressions {
			spans, err := assaySpans(t.Context(), data, rule)
			if err != nil {
				t.Fatal(err)
			}
			h, err := gitleaks().hits(t.Context(), string(data))
			if err != nil {
				t.Fatal(err)
			}
			at, err := assayAt(t.Context(), data, rule, gitleaks().places(h, assayWords[rule]...))
			h.release()
			if err != nil || !slices.Equal(at, spans) {
				t.Errorf("%s in %q: %v and %v", rule, data, at, spans)
			}
			var got [][]int
			for _, s := range spans {
				got = append(got, []int{s.start, s.end})
			}
			want := re.FindAllIndex(data, -1)
			if !slices.EqualFunc(got, want, slices.Equal) {
				t.Errorf("%s in %q: got %v, want %v", rule, data, got, want)
			}
		}
	})
}

// Whatever the text is: what is found lies in it, and is numbered by its lines.
func FuzzFind(f *testing.F) {
	for kind, secret := range kinds() {
		f.Add([]byte("x\n" + announced(kind, secret)))
	}
	f.Add([]byte("curl x -u \"a:b\"\n-----BEGIN PRIVATE KEY-----\nProc-Type: \\n://:@"))
	f.Fuzz(func(t *testing.T, data []byte) {
		last := 0
		for _, s := range Find(data) {
			if s.from < last || s.Start > s.End || s.End > len(data) || s.Line < 1 || s.Rule == "" {
				t.Errorf("%q: %+v", data, s)
			}
			last = s.from
		}
		if s := string(data); utf8.Valid(data) && !utf8.ValidString(Redact(s, Forms, "x")) {
			t.Errorf("%q becomes %q", s, Redact(s, Forms, "x"))
		}
		if s := Redact(string(data), Forms, "[x]"); Has(s, Forms) {
			t.Errorf("%q becomes %q", data, s)
		}
	})
}

// A scan ends with its context.
func TestScanEndsWithItsContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	text := []byte(strings.Repeat("bearer key=abcabc ghp_ ", 10_000))
	for _, kinds := range []Kinds{Assay, Gitleaks, Forms, Names, All} {
		if _, err := Scan(ctx, text, kinds); err != context.Canceled {
			t.Errorf("%b: %v", kinds, err)
		}
	}
	if err := New().Learn(ctx, text); err != context.Canceled {
		t.Error(err)
	}
}

// The words by which a text is chosen for a rule are in lower case, as gitleaks
// lowers the text; and every value has one way to match (assignment.go).
func TestGeneratedRules(t *testing.T) {
	t.Parallel()
	closing := setOf(" \t\n\f\r'\"`;\\")
	for _, c := range gitleaks().rules {
		if len(c.keywords) == 0 {
			t.Errorf("%s has no keyword", c.id)
		}
		for _, k := range c.keywords {
			if k != strings.ToLower(k) {
				t.Errorf("%s: %q", c.id, k)
			}
		}
		c.regexp()
		c.excused()
		if c.assignment == nil {
			continue
		}
		for _, s := range c.values() {
			for i, r := range s {
				next := closing
				if i+1 < len(s) {
					next = s[i+1].set
				}
				if r.min != r.max && overlaps(r.set, next) {
					t.Errorf("%s: run %d can take what follows it", c.id, i)
				}
			}
		}
	}
}

func overlaps(a, b bytesOf) bool {
	return a[0]&b[0]|a[1]&b[1]|a[2]&b[2]|a[3]&b[3] != 0
}

func TestIsSecretName(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"password", "DB_PASSWORD", "clientSecret", "api_key", "private_key", "auth", "Authorization", "Set-Cookie", "jwt", "DB_PASS", "sessionId"} {
		if !IsSecretName(name) {
			t.Errorf("%q is secret", name)
		}
	}
	for _, name := range []string{"", "token", "tokens", "key", "max_tokens", "author", "path", "pattern", "keyboard", "passes"} {
		if IsSecretName(name) {
			t.Errorf("%q is not secret", name)
		}
	}
}
