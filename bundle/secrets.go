package bundle

import (
	"context"
	"fmt"

	"github.com/replay-gate/replay-gate/verify/secrets"
)

// Secret is a place in a file that looks like a secret. What stands there is never
// part of it.
type Secret struct {
	Line int    `json:"line"` // from 1
	Rule string `json:"rule"` // such as "assay/bearer"
}

// The rules of Assay's scan (its replay/scrub).
const (
	ruleAuthorization = secrets.RuleAuthorization
	ruleBearer        = secrets.RuleBearer
	ruleSecretKey     = secrets.RuleSecretKey
)

// maxSecrets bounds the places of one rule that are listed for one file.
const maxSecrets = 100

// AssaySecrets finds what Assay takes for a secret (its replay/scrub): header
// lines with credentials, bearer tokens, and sk- keys. Its rule for bearer tokens
// also matches prose such as "the bearer of".
func AssaySecrets(data []byte) []Secret {
	found, _ := assaySecrets(data)
	return found
}

// assaySecrets is AssaySecrets, and says whether all that was found is the word
// "bearer" in prose.
func assaySecrets(data []byte) (list []Secret, prose bool) {
	found, _ := secrets.Scan(context.Background(), data, secrets.Assay)
	prose = true
	listed := make(map[string]int)
	for _, f := range found {
		prose = prose && f.Prose
		if listed[f.Rule]++; listed[f.Rule] <= maxSecrets {
			list = append(list, Secret{Line: f.Line, Rule: f.Rule})
		}
	}
	return list, prose
}

// Scrub replaces everything that Assay takes for a secret, so that what remains
// passes its scan; JSON stays JSON (see [secrets.Scrub]).
func Scrub(data []byte) []byte {
	clean, _ := secrets.Scrub(data)
	return clean
}

// SecretsError says that a bundle is not written because a file of it looks as if
// it held secrets.
type SecretsError struct {
	Path    string // in the repository
	Secrets []Secret
}

func (e *SecretsError) Error() string {
	return e.where() + ": a bundle is for sharing, so none is written"
}

// Warning is the sentence for a file that goes in all the same.
func (e *SecretsError) Warning() string {
	return e.where() + ": look at it before the bundle is shared"
}

func (e *SecretsError) where() string {
	s, more := e.Secrets[0], ""
	if n := len(e.Secrets) - 1; n > 0 {
		more = fmt.Sprintf(", and %d more", n)
	}
	return fmt.Sprintf("%s:%d looks like a secret (rule %s%s)", e.Path, s.Line, s.Rule, more)
}
