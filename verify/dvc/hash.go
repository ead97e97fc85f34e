package dvc

import (
	"bytes"
	"crypto/md5" //nolint:gosec // DVC's own choice; a collision here deceives DVC as well
	"encoding/hex"

	"github.com/replay-gate/replay-gate/verify"
)

// Hash is the hash of a file's bytes as DVC records it, 32 lower-case hex digits:
// [verify.HashMD5] of the bytes as they are (DVC 3, "hash: md5" beside it), or
// [verify.HashMD5Dos2Unix] as DVC 2 did (no "hash" beside it). It is empty for any other
// hashes. (dvc_data/hashfile/hash.py)
func Hash(data []byte, hashes verify.Hashes) string {
	switch hashes {
	case verify.HashMD5:
		sum := md5.Sum(data) //nolint:gosec // see above
		return hex.EncodeToString(sum[:])
	case verify.HashMD5Dos2Unix:
		return dos2unix(data)
	}
	return ""
}

const (
	chunkSize = 1 << 20 // fobj_md5 reads so much at a time
	headSize  = 512     // of a chunk, by which it is called text
)

// dos2unix hashes chunk by chunk: where a chunk's head looks like text, its CR LF become
// LF. A pair that a boundary parts stays.
func dos2unix(data []byte) string {
	h := md5.New() //nolint:gosec // see Hash
	for len(data) > 0 {
		chunk := data[:min(chunkSize, len(data))]
		data = data[len(chunk):]
		if looksText(chunk[:min(headSize, len(chunk))]) {
			chunk = bytes.ReplaceAll(chunk, []byte("\r\n"), []byte("\n"))
		}
		h.Write(chunk)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// looksText is istextblock: no NUL, and at most 30 % of the bytes outside printable ASCII
// and \n \r \t \f \b.
func looksText(block []byte) bool {
	odd := 0
	for _, b := range block {
		switch {
		case b == 0:
			return false
		case b >= 32 && b < 127, b == '\n', b == '\r', b == '\t', b == '\f', b == '\b':
		default:
			odd++
		}
	}
	return float64(odd) <= 0.30*float64(len(block))
}

// Line ends of the copy that was hashed, against what git holds.
type ends uint8

const (
	asIs   ends = iota // the same bytes
	asLF               // CR LF became LF
	asCRLF             // LF became CR LF: a Windows checkout
	never              // no line ends make them the same
)

func (e ends) String() string {
	switch e {
	case asLF:
		return "LF"
	case asCRLF:
		return "CRLF"
	}
	return ""
}

// withEnds gives data in other line ends; ok is false if that changes nothing, or if data
// is no text that git would convert.
func withEnds(data []byte, e ends) (out []byte, ok bool) {
	if bytes.IndexByte(data, 0) >= 0 {
		return nil, false
	}
	unix := data
	if bytes.Contains(data, []byte("\r\n")) {
		unix = bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
	}
	switch e {
	case asLF:
		out = unix
	case asCRLF:
		out = bytes.ReplaceAll(unix, []byte("\n"), []byte("\r\n"))
	default:
		return nil, false
	}
	return out, len(out) != len(data)
}

// matches finds the line ends with which data has the recorded hash.
func matches(data []byte, hashes verify.Hashes, recorded string) ends {
	if Hash(data, hashes) == recorded {
		return asIs
	}
	for _, e := range []ends{asCRLF, asLF} {
		if other, ok := withEnds(data, e); ok && Hash(other, hashes) == recorded {
			return e
		}
	}
	return never
}
