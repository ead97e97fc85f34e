package explain

import (
	"flag"
	"os"
	"path/filepath"
	"testing"
)

var update = flag.Bool("update", false, "write docs/next-steps.md")

// docs/next-steps.md is what the tables say.
func TestTheDocsAreTheTables(t *testing.T) {
	t.Parallel()
	file := filepath.Join("..", "..", "docs", "next-steps.md")
	if *update {
		if err := os.WriteFile(file, []byte(Documentation()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != Documentation() {
		t.Errorf("%s differs; run go test ./gate/explain -update", file)
	}
}

// Every word of the tables has an entry that a terminal shows.
func TestAbout(t *testing.T) {
	t.Parallel()
	for _, word := range append(Words(), "token.hash", "models[3].id", "recorded.seed", "ahd_commit") {
		if e, ok := About(word); !ok || e.About != word || e.Means == "" {
			t.Errorf("%s: %+v", word, e)
		}
	}
	if e, ok := About("no-such-word"); ok {
		t.Errorf("%+v", e)
	}
}
