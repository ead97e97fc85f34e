package gate

import (
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/zricethezav/gitleaks/v8/detect"

	"github.com/replay-gate/replay-gate/bundle"
	"github.com/replay-gate/replay-gate/verify"
)

// gitleaks is the detector with its default rules, compiled when the first file
// asks for them: that takes 25 ms.
var gitleaks = sync.OnceValues(func() (*detect.Detector, error) {
	d, err := detect.NewDetectorDefaultConfig()
	if err != nil {
		return nil, fmt.Errorf("compiling the rules of gitleaks: %w", err)
	}
	// A comment in a hostile file is not to switch the scan off.
	d.IgnoreGitleaksAllow = true
	return d, nil
})

// recordedHash is what evidence is full of, and what a rule for generic keys takes
// for one.
var recordedHash = regexp.MustCompile(`sha256:[0-9a-f]{64}`)

type leaksKey string

// leaks finds secrets by the default rules of gitleaks, in each distinct content
// once.
func leaks(tree *verify.Tree) (func(data []byte) []bundle.Secret, error) {
	d, err := gitleaks()
	if err != nil {
		return nil, err
	}
	return func(data []byte) []bundle.Secret {
		return verify.OnceForContent(tree, leaksKey(bundle.Digest(data)), func() []bundle.Secret {
			text := recordedHash.ReplaceAllStringFunc(string(data), func(hash string) string { return strings.Repeat(" ", len(hash)) })
			var found []bundle.Secret
			// Without the file's name: by it, gitleaks lets some files pass unread.
			for _, f := range d.DetectString(text) {
				found = append(found, bundle.Secret{Line: f.StartLine + 1, Rule: "gitleaks/" + f.RuleID})
			}
			return found
		})
	}, nil
}
