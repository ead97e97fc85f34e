package aos

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"

	"github.com/replay-gate/replay-gate/verify"
)

// maxSignature bounds a signature file, in bytes; it holds 64 hex digits.
const maxSignature = 4 << 10

// signature judges the HMAC beside a golden (workflow golden, .sig). Anyone can
// sign with the empty key, which AOS falls back to.
func (j *checker) signature() {
	const field = ".sig"
	name := j.path + signatureEnding
	in := verify.Input{Role: "signature", Path: name, Place: verify.PlaceInputs}
	data, err := j.e.Tree.ReadFile(name, maxSignature)
	in.Missing = errors.Is(err, fs.ErrNotExist)
	j.r.Inputs = append(j.r.Inputs, in)
	recorded := string(bytes.TrimSpace(data))
	key := j.config.GoldenSecret

	var c *verify.Check
	switch {
	case in.Missing && len(key) == 0:
		c = j.Warn(field, verify.Spot{}, "no-signature", "there is no signature beside the golden")
	case in.Missing:
		c = j.Fail(field, verify.Spot{}, "no-signature", "there is no signature beside the golden")
	case err != nil:
		c = j.Fail(field, verify.Spot{}, "unreadable", verify.ReadReason(err))
	case !isHex(recorded, 2*sha256.Size):
		c = j.Fail(field, verify.Spot{}, "malformed-signature", "must be 64 lower-case hex digits")
	case len(key) > 0 && signs(key, j.data, recorded):
		c = j.OK(field, verify.Spot{}, "verifies with the configured key")
	case signs(nil, j.data, recorded) && len(key) > 0:
		c = j.Fail(field, verify.Spot{}, "empty-key", "signed with the empty key, as anyone can, and not with the configured one")
	case signs(nil, j.data, recorded):
		c = j.Warn(field, verify.Spot{}, "empty-key", "signed with the empty key, as anyone can")
	case len(key) == 0:
		c = j.Info(field, verify.Spot{}, "no-key", "not verified: no key is configured")
	default:
		c = j.Fail(field, verify.Spot{}, "signature-differs", "signature does not match")
	}
	c.Input = name
	c.Recorded = verify.Shorten(recorded, 2*sha256.Size)
}

// signs reports whether signature is the HMAC-SHA256 of data under key, in hex.
func signs(key, data []byte, signature string) bool {
	mac := hmac.New(sha256.New, key)
	mac.Write(data)
	return hmac.Equal([]byte(hex.EncodeToString(mac.Sum(nil))), []byte(signature))
}
