package secrets

import (
	"strings"
	"testing"
)

// What is redacted holds no secret of these kinds any more, and nothing else has gone.
func TestRedact(t *testing.T) {
	t.Parallel()
	k := kinds()
	for _, tc := range []struct {
		text  string
		kinds Kinds
		want  string
	}{
		{"nothing here", All, "nothing here"},
		{"", All, ""},
		{"a " + k["github"] + " b", Gitleaks, "a [x] b"},
		{"a " + k["github"] + " b " + k["npm"] + " c", Gitleaks, "a [x] b [x] c"},
		{"a " + k["github"] + " b", Names, "a " + k["github"] + " b"},
		{"say\n" + k["private key"] + "\nend", Forms, "say\n[x]\nend"},
	} {
		if got := Redact(tc.text, tc.kinds, "[x]"); got != tc.want {
			t.Errorf("%q: %q, want %q", tc.text, got, tc.want)
		}
		if has := Has(tc.text, tc.kinds); has != (tc.text != tc.want) {
			t.Errorf("%q has one: %t", tc.text, has)
		}
	}
	// A text that is put in and found itself ends it.
	if got := Redact("a "+k["github"]+" b", Gitleaks, k["github"]); got != "a "+k["github"]+" b" {
		t.Error(got)
	}
	// Findings of several rules at one place go as one.
	both := Redact("DB_PASS="+k["github"]+" x", All, "[x]")
	if strings.Contains(both, k["github"][:10]) || !strings.HasSuffix(both, " x") || strings.Count(both, "[x]") != 1 {
		t.Error(both)
	}
}

// Prose about a key is none, and its first line alone names one.
func TestNamesPrivateKey(t *testing.T) {
	t.Parallel()
	begin := "-----BEGIN "
	for text, want := range map[string]bool{
		"": false, "a key": false, begin + "RSA PRIVATE KEY-----": true, "x\n" + begin + "PRIVATE KEY-----\nMIIE": true,
		begin + "CERTIFICATE-----": false, begin + "CERTIFICATE-----\n" + begin + "PRIVATE KEY-----": true, begin: false,
	} {
		if got := NamesPrivateKey(text); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
}

// The word "bearer" in prose is no secret, and is neither masked nor learned.
func TestProseIsKept(t *testing.T) {
	t.Parallel()
	const prose = "the bearer of-this-letter says so"
	m := New()
	found, err := Scan(t.Context(), []byte(prose), All)
	if err != nil || len(found) != 1 || !found[0].Prose {
		t.Fatalf("%+v, %v", found, err)
	}
	m.Remember([]byte(prose), found)
	if got := m.Mask(prose); got != prose {
		t.Error(got)
	}
}
