package cli

import (
	"context"
	"io"
	"strings"

	"github.com/replay-gate/replay-gate/bundle"
	"github.com/replay-gate/replay-gate/gate"
	"github.com/replay-gate/replay-gate/verify"
)

// veiled is a text without what looks like a secret in it.
func veiled(text string) string {
	gate.Veil(context.Background(), &text)
	return text
}

// veilBundle takes the secrets of the files of bundles out of what is said of them. A file
// that can't be read any more is no reason to say nothing.
func veilBundle(ctx context.Context, v any, bundles ...*bundle.Archive) {
	var texts [][]byte
	for _, b := range bundles {
		for _, e := range b.Entries {
			if !strings.HasPrefix(e.Name, "files/") && !strings.HasPrefix(e.Name, "cassettes/") || e.Size > verify.MaxInput {
				continue
			}
			if text, err := io.ReadAll(e.Open()); err == nil {
				texts = append(texts, text)
			}
		}
	}
	gate.Veil(ctx, v, texts...)
}
