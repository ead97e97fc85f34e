package secrets

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"
)

// Issue "Cannot leak": each kind of secret in each kind of place; nothing that is
// masked holds 8 characters of it in a row.
func TestNothingMaskedShowsASecret(t *testing.T) {
	t.Parallel()
	for kind, secret := range kinds() {
		quoted, _ := json.Marshal(secret)
		inJSON := string(quoted[1 : len(quoted)-1])
		files := map[string]string{
			"line":          "title: x\n" + announced(kind, secret) + "\nmore: y\n",
			"indented":      "a:\n  b: |\n    " + strings.ReplaceAll(announced(kind, secret), "\n", "\n    ") + "\n",
			"one long line": strings.Repeat("word ", 5000) + announced(kind, secret) + strings.Repeat(" word", 5000),
			"a commit":      "Fix the build " + announced(kind, secret),
		}
		if kind == "private key" {
			files["escaped"] = `{"note":"` + inJSON + `"}`
			files["escaped twice"] = `{"note":"` + strings.ReplaceAll(inJSON, `\`, `\\`) + `"}`
			files["cut off"] = "a: b\n" + secret[:len(secret)-60]
		}
		for where, file := range files {
			m := learned(t, file)
			said := map[string]string{
				"alone":     secret,
				"embedded":  "changed a \"" + secret + "\" -> \"y\"",
				"in JSON":   `{"before":"` + inJSON + `"}`,
				"diff":      "-" + strings.ReplaceAll(secret, "\n", "\n-"),
				"argv":      fmt.Sprintf("%q", []string{"run", "--key=" + secret}),
				"key name":  "palette[\"" + secret + "\"].x",
				"whole":     file,
				"in braces": "x(" + secret + ")y",
			}
			for _, line := range strings.Split(secret, "\n") {
				if strings.HasPrefix(line, "-----") {
					continue
				}
				for cut := gram; cut < len(line); cut += 5 {
					said[fmt.Sprint("first ", cut, line)] = "it said " + line[:cut] + "… (cut)"
					said[fmt.Sprint("last ", cut, line)] = line[len(line)-cut:] + " and so on"
				}
			}
			for how, text := range said {
				if where == "cut off" && how != "whole" && !strings.Contains(file, secret) {
					continue // it was never there whole
				}
				masked := m.Mask(text)
				if piece := shows(masked, secret); piece != "" {
					t.Errorf("%s in %s, %s: %q shows %q", kind, where, how, masked[:min(len(masked), 300)], piece)
				}
				if piece := shows(masked, inJSON); piece != "" && kind != "private key" {
					t.Errorf("%s in %s, %s: %q shows %q", kind, where, how, masked[:min(len(masked), 300)], piece)
				}
				if !strings.Contains(masked, Redacted) {
					t.Errorf("%s in %s, %s: nothing says that something was taken out: %q", kind, where, how, masked)
				}
			}
		}
	}
}

// What a report is made of stays readable beside all secrets.
func TestMaskKeepsWhatIsNoSecret(t *testing.T) {
	t.Parallel()
	m := New()
	for kind, secret := range kinds() {
		if err := m.Learn(t.Context(), []byte(announced(kind, secret))); err != nil {
			t.Fatal(err)
		}
	}
	hash := "sha256:" + strings.Repeat("210c33eeee95a138", 4)
	for _, text := range []string{
		"", "token.hash", hash, "recorded " + hash + ", observed " + strings.Replace(hash, "2", "f", 1),
		"tokens/swiss-editorial.yml:3:5", "the bearer of this", "-----BEGIN RSA PRIVATE KEY-----", "-----END RSA PRIVATE KEY-----", "--------", "aaaaaaaaaaaa",
		"git show 838a86d1f0e24a7b9c3d5e6f708192a3b4c5d6e7", "req_011CPqmwYkZgbvwvHBp6kz", "max_tokens: 4096", "2026-11-22T01:39:37Z",
		"changed palette.accent \"#e63946\" -> \"#457b9d\"", "password: (masked)", "api_key: [REDACTED]", "secret: ${{ secrets.KEY }}", "Anmeldung für Ärzte…",
	} {
		if got := m.Mask(text); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
	// A hash that is a secret somewhere else is no hash to keep.
	key := strings.Repeat("9f8e7d6c5b4a3928", 4)
	if got := New(key).Mask("sha256:" + key); strings.Contains(got, "9f8e7d6c") {
		t.Errorf("%q", got)
	}
}

func TestMaskerForms(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ secret, text, want string }{
		{"0123456789abcdef", "x 0123456789abcdef y", "x [REDACTED] y"},
		{"0123456789abcdef", "x456789ab y", "x[REDACTED] y"},
		{"0123456789abcdef", "4567 89ab", "4567 89ab"},
		{"0123456789abcdef", "0123456789abcdef0123456789abcdef", "[REDACTED]"},
		{"hunter2", "it was hunter2.", "it was [REDACTED]."},
		{"hunter2", "hunter22", "hunter22"},
		{"abc", "abc", "abc"},
		{"aaaaaaaaaaaa", "aaaaaaaaaaaa", "aaaaaaaaaaaa"},
		{"keyAAAAAAAAAAAAend", "keyAAAAAAAAAAAAend", "[REDACTED]"},
		{"pässwörd-ß€", "x pässwörd-ß€ y", "x [REDACTED] y"},
	} {
		if got := New(tc.secret).Mask(tc.text); got != tc.want {
			t.Errorf("%q in %q: got %q, want %q", tc.secret, tc.text, got, tc.want)
		}
	}
}

// More secrets than are remembered one by one are masked all the same.
func TestMaskerIsBounded(t *testing.T) {
	t.Parallel()
	var g grams
	secret := func(i int) string { return fmt.Sprintf("%08x%08x", uint32(i)*2654435761, uint32(i)*40503+7) }
	for i := range 60_000 {
		g.add(secret(i))
	}
	if len(g.set) > maxGrams {
		t.Errorf("%d runs", len(g.set))
	}
	for i := range 60_000 {
		hidden := 0
		g.runs([]byte(secret(i)), func(from, to int) { hidden += to - from })
		if hidden != 16 && i > 0 {
			t.Fatalf("%s: %d bytes are hidden", secret(i), hidden)
		}
	}
}

func TestMaskerIsSafeForConcurrentUse(t *testing.T) {
	t.Parallel()
	m := New()
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for kind, secret := range kinds() {
				if err := m.Learn(t.Context(), []byte(announced(kind, secret))); err != nil {
					t.Error(err)
				}
				if piece := shows(m.Mask(secret), secret); piece != "" {
					t.Errorf("%s shows %q", kind, piece)
				}
			}
		})
	}
	group.Wait()
}

func FuzzMask(f *testing.F) {
	for kind, secret := range kinds() {
		f.Add(announced(kind, secret), "x"+secret[:len(secret)/2]+"…", secret)
	}
	f.Add("", "\xff\xfe", "aaaaaaaaa")
	f.Fuzz(func(t *testing.T, file, text, secret string) {
		m := New(secret)
		if err := m.Learn(t.Context(), []byte(file)); err != nil {
			t.Fatal(err)
		}
		masked := m.Mask(text)
		if utf8.ValidString(text) && !utf8.ValidString(masked) {
			t.Errorf("%q became %q", text, masked)
		}
		if strings.Contains(secret, "REDACTED") || strings.ContainsAny(secret, "\\\r\n-") {
			return
		}
		secret = strings.TrimSpace(secret)
		for i := 0; i+gram <= len(secret); i++ {
			piece := secret[i : i+gram]
			if strings.Contains(masked, piece) && tells(key(piece)) && !recordedHash.MatchString(text) {
				t.Errorf("%q became %q, which shows %q", text, masked, piece)
			}
		}
	})
}

func key(s string) (g uint64) {
	for i := range gram {
		g = g>>8 | uint64(s[i])<<56
	}
	return g
}
