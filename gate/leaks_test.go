package gate

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/replay-gate/replay-gate/bundle"
	"github.com/replay-gate/replay-gate/verify"
)

// Issue "Secrets": gitleaks' default rules; sha256: digests, request ids and tokens
// of style must not trip them.
func TestLeaks(t *testing.T) {
	find, err := leaks(verify.NewTree(fstest.MapFS{}))
	if err != nil {
		t.Fatal(err)
	}
	// Shaped like a token of GitHub's, and put together here so that no file holds it.
	token := "ghp_" + "x7Kp2mQ9vT4wR8yL1nB6cD3fG5hJ0aZsE9Wu"
	for _, tc := range []struct {
		text string
		want []bundle.Secret
	}{
		{"a\nb\nkey: " + token + "\n", []bundle.Secret{{Line: 3, Rule: "gitleaks/github-pat"}}},
		{"key: " + token + " # gitleaks:allow\n", []bundle.Secret{{Line: 1, Rule: "gitleaks/github-pat"}}},
		{"token.hash sha256:210c33eeee95a13854b707be20cd5ebd966cf47ddf4b7a63e6b9c466f7bc9345\n", nil},
		{`{"token":{"path":"tokens/swiss.yml","hash":"sha256:` + strings.Repeat("210c33eeee95a138", 4) + `"}}`, nil},
		{`{"provider_request_ids":["req_011CPqmwYkZgbvwvHBp6kzQ2","8f1b2c3d-0a4e-4b6f-9c7d-1e2f3a4b5c6d"]}`, nil},
		{"name: swiss\npalette:\n  accent: \"#e63946\"\n", nil},
	} {
		if got := find([]byte(tc.text)); !slices.Equal(got, tc.want) {
			t.Errorf("%q: got %v, want %v", tc.text, got, tc.want)
		}
	}
}
