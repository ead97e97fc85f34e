package secrets

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
)

// A content is scanned once, whoever asks; a scan that was cut off is no answer.
func TestCache(t *testing.T) {
	t.Parallel()
	var c Cache
	text := []byte("a\n" + kinds()["github"] + "\n")
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.Find(cancelled, text, Gitleaks); err != context.Canceled {
		t.Error(err)
	}
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			found, err := c.Find(t.Context(), text, Gitleaks)
			if err != nil || !slices.Equal(rulesOf(found), []string{"gitleaks/github-pat"}) || found[0].Line != 2 {
				t.Errorf("%v, %v", found, err)
			}
		})
	}
	group.Wait()
	if found, err := c.Find(t.Context(), text, Assay); err != nil || len(found) > 0 {
		t.Errorf("%v, %v", found, err)
	}
	if len(c.entries) != 2 {
		t.Errorf("%d scans", len(c.entries))
	}
}

// Of a rendering the decoded strings are looked at, each once; a secret is told
// again wherever it stands again.
func TestFindRendered(t *testing.T) {
	t.Parallel()
	var c Cache
	escaped := strings.Replace(kinds()["github"], "g", `\u0067`, 1)
	doc := fmt.Sprintf("{\n  \"a\": \"some words\",\n  \"b\": [\"some words\", \"see %s\"]\n}", escaped)
	for range 2 {
		found, err := c.FindRendered(t.Context(), []byte(doc), Gitleaks)
		if err != nil || !slices.Equal(rulesOf(found), []string{"gitleaks/github-pat"}) || found[0].Line != 3 {
			t.Errorf("%+v, %v", found, err)
		}
	}
	if len(c.strings) != 1 {
		t.Errorf("%d strings are known to be clean", len(c.strings))
	}
	if found, err := c.FindRendered(t.Context(), []byte("no JSON: "+kinds()["github"]), Gitleaks); err != nil || len(found) != 1 {
		t.Errorf("%v, %v", found, err)
	}
}
