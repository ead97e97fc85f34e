package secrets

import (
	"strings"
	"testing"
)

// Recorded hashes are blanked as the expression for them says.
func FuzzWithoutHashes(f *testing.F) {
	hash := "sha256:" + strings.Repeat("0af9", 16)
	for _, text := range []string{
		"", "sha256:", hash, hash + hash, "sha256:" + hash, hash[:len(hash)-1], hash + "a", strings.ToUpper(hash),
		"a " + hash + " b sha256:" + strings.Repeat("g", 64) + " " + hash + "\n", "sha256:sha256:" + hash[7:],
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if got, want := withoutHashes(text), recordedHash.ReplaceAllString(text, blankHash); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	})
}
