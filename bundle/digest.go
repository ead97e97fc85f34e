package bundle

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

const digestPrefix = "sha256:"

// digest writes a hash the way it is written everywhere: "sha256:" and 64
// lower-case hex digits.
func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return digestPrefix + hex.EncodeToString(sum[:])
}

// Digest is the hash of data ("sha256:" + hex).
func Digest(data []byte) string { return digest(data) }

// digestForm says what is wrong with the spelling of a digest. Assay compares
// case-sensitively and lets the prefix be absent; both are kept, the absence as
// a blemish.
func digestForm(s string) (canonical string, bare, ok bool) {
	hexed, prefixed := strings.CutPrefix(s, digestPrefix)
	if len(hexed) != 2*sha256.Size || strings.Trim(hexed, "0123456789abcdef") != "" {
		return "", false, false
	}
	return digestPrefix + hexed, !prefixed, true
}
