package bundle

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/replay-gate/replay-gate/verify"
)

// The names in a bundle (Replay Bundle v1, section 3; Assay's replay/bundle/paths).
const (
	manifestName = "manifest.json"
	configName   = "files/assay.yaml"
	traceName    = "files/trace.jsonl"
	summaryName  = "outputs/summary.json"
	junitName    = "outputs/junit.xml"
	sarifName    = "outputs/sarif.json"
	htmlName     = "outputs/report.html"

	placeEvidence = "files/evidence"
	placeBase     = "files/base" // of the base: the same paths in another tree
)

// maxName bounds a name in an archive, in bytes: what the Assay reader accepts.
const maxName = 256

// places are the folders whose content has a repository path.
var places = [...]string{placeEvidence, string(verify.PlaceInputs), string(verify.PlaceReport), string(verify.PlaceCassettes)}

// normalizeName applies the path rules of Assay's reader: backslashes are
// slashes, leading slashes go, and then no segment is empty, "." or "..", the
// first holds no colon, and the prefix is one of three.
func normalizeName(name string) (string, error) {
	name = strings.TrimLeft(strings.ReplaceAll(name, `\`, "/"), "/")
	if name == "" {
		return "", errors.New("is empty")
	}
	first, _, _ := strings.Cut(name, "/")
	if strings.Contains(first, ":") {
		return "", errors.New("starts with a drive letter, or has ':' in its first segment")
	}
	for segment := range strings.SplitSeq(name, "/") {
		switch segment {
		case "":
			return "", errors.New("has an empty segment")
		case ".", "..":
			return "", fmt.Errorf("has the segment %q", segment)
		}
	}
	switch first {
	case "files", "outputs", "cassettes":
		if first != name {
			return name, nil
		}
	}
	if first == "traces" || first == "reports" {
		return "", errors.New("is not under files/, outputs/ or cassettes/ (Replay Bundle v1, section 3; the example of section 3.4 is older)")
	}
	return "", errors.New("is not under files/, outputs/ or cassettes/")
}

// bundleName gives the name that the repository path has below folder. Most
// paths stay as they are. A byte that a bundle path can't hold is written as
// %XX: control characters, backslash, bytes that are not UTF-8, and the two
// characters that the rule itself needs, "%" and "~". So is the last letter
// of ".jsonl", because Assay takes any such file under files/ for a trace.
// A name over maxName bytes is cut and gets "~" and a hash of the path; then
// shortened is set, and only the manifest's paths can lead back.
func bundleName(folder, repoPath string) (name string, shortened bool) {
	escaped := escapeName(repoPath)
	name = folder + "/" + escaped
	if len(name) <= maxName {
		return name, false
	}
	sum := sha256.Sum256([]byte(repoPath))
	ext := path.Ext(escaped)
	if len(ext) > 16 {
		ext = ""
	}
	tail := "~" + hex.EncodeToString(sum[:16]) + ext
	head := escaped[:maxName-len(folder)-1-len(tail)]
	// Neither a character nor an escape is cut in two.
	for !utf8.ValidString(head) {
		head = head[:len(head)-1]
	}
	if i := strings.LastIndexByte(head, '%'); i >= len(head)-2 && i >= 0 {
		head = head[:i]
	}
	return folder + "/" + head + tail, true
}

func escapeName(s string) string {
	const hexDigits = "0123456789ABCDEF"
	var b strings.Builder
	for i := 0; i < len(s); {
		c := s[i]
		_, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case c < 0x20, c == 0x7f, c == '\\', c == '%', c == '~', c >= utf8.RuneSelf && size == 1:
			b.WriteByte('%')
			b.WriteByte(hexDigits[c>>4])
			b.WriteByte(hexDigits[c&15])
		default:
			b.WriteString(s[i : i+size])
		}
		i += size
	}
	// An escape of this rule's own, so that the way back is the same.
	if escaped, ok := strings.CutSuffix(b.String(), ".jsonl"); ok {
		return escaped + ".json%6C"
	}
	return b.String()
}

func unescapeName(s string) (string, error) {
	var b strings.Builder
	for {
		i := strings.IndexByte(s, '%')
		if i < 0 {
			b.WriteString(s)
			return b.String(), nil
		}
		if i+3 > len(s) {
			return "", fmt.Errorf("%q is no %%XX escape", s[i:])
		}
		c, err := hex.DecodeString(s[i+1 : i+3])
		if err != nil {
			return "", fmt.Errorf("%q is no %%XX escape", s[i:i+3])
		}
		b.WriteString(s[:i])
		b.WriteByte(c[0])
		s = s[i+3:]
	}
}

// repoPath is the way back from [bundleName]: the repository path of an entry,
// or false when it has none. paths are those of the manifest.
func repoPath(name string, paths map[string]string) (string, bool) {
	return repoPathIn(places[:], name, paths)
}

func repoPathIn(folders []string, name string, paths map[string]string) (string, bool) {
	for _, folder := range folders {
		rest, ok := strings.CutPrefix(name, folder+"/")
		if !ok {
			continue
		}
		if mapped, ok := paths[name]; ok {
			rest = mapped
		}
		if repo, err := unescapeName(rest); err == nil {
			return repo, true
		}
		return rest, true // another writer's name
	}
	return "", false
}
