package gate

import (
	"context"

	"github.com/replay-gate/replay-gate/bundle"
	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/secrets"
)

type leaksKey string

// leaks finds secrets by the default rules of gitleaks, in each distinct content
// once.
func leaks(tree *verify.Tree) (func(data []byte) []bundle.Secret, error) {
	return func(data []byte) []bundle.Secret {
		return verify.OnceForContent(tree, leaksKey(bundle.Digest(data)), func() []bundle.Secret {
			found, _ := secrets.Scan(context.Background(), data, secrets.Gitleaks) // ends only with its context
			var list []bundle.Secret
			for _, f := range found {
				list = append(list, bundle.Secret{Line: f.Line, Rule: f.Rule})
			}
			return list
		})
	}, nil
}
