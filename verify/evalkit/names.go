package evalkit

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/replay-gate/replay-gate/verify/canonical"
)

// maxSlug is where the readable part of a name is cut, in characters.
const maxSlug = 100

// slug is the readable part of the name of a file or folder: what is not a
// letter, digit, underscore or hyphen becomes a hyphen, runs of hyphens become
// one, one is cut from either end, and the rest is cut to 100 characters
// (fixture store, sanitizeName). Versions before 0.0.5 used it alone.
func slug(name string) string {
	s := make([]byte, 0, maxSlug+2)
	// Two characters more than are kept: one may be cut from either end.
	for i := 0; i < len(name) && len(s) < maxSlug+2; i++ {
		switch c := name[i]; {
		case c|0x20 >= 'a' && c|0x20 <= 'z', c >= '0' && c <= '9', c == '_':
			s = append(s, c)
		case len(s) == 0 || s[len(s)-1] != '-':
			s = append(s, '-')
		}
	}
	s = bytes.TrimSuffix(bytes.TrimPrefix(s, []byte("-")), []byte("-"))
	return string(s[:min(len(s), maxSlug)])
}

// fixtureName is the name that the tool gives to the folder of a suite, and,
// before the ending, to the file of a case: the slug, and 8 hex digits of the
// SHA-256 of the name itself, so that no two names share a file.
func fixtureName(name string) string {
	sum := sha256.Sum256([]byte(name))
	tail := hex.EncodeToString(sum[:4])
	if s := slug(name); s != "" {
		return s + "-" + tail
	}
	return tail
}

// configHash is the hash that ties a fixture to its suite and targetVersion
// ("Record & Replay": computed from the suite name and targetVersion, and
// nothing else): 16 hex digits of the SHA-256 of a JSON text, in which an unset
// targetVersion does not appear. Both texts are WTF-8.
func configHash(suite string, targetVersion *string) string {
	text := canonical.AppendString([]byte(`{"suiteName":`), suite)
	if targetVersion != nil {
		text = append(text, `,"targetVersion":`...)
		text = canonical.AppendString(text, *targetVersion)
	}
	sum := sha256.Sum256(append(text, '}'))
	return hex.EncodeToString(sum[:8])
}

// isConfigHash reports whether s has the form of a configHash.
func isConfigHash(s string) bool {
	return len(s) == 16 && strings.Trim(s, "0123456789abcdef") == ""
}
