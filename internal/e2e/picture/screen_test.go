package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Issue 14, Proof: in a browser, the first screen of the summary has the verdict, the causes
// and both ways out, in each of the eight situations.
func TestFirstScreens(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("chromium"); err != nil {
		if os.Getenv("CHROMIUM") != "" {
			t.Fatal(err)
		}
		t.Skip("NOT RUN: it is measured where there is chromium")
	}
	pages, err := situations(filepath.Join("..", "..", "..", "gate", "testdata", "situations"))
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range pages {
		t.Run(filepath.Base(filepath.Dir(page)), func(t *testing.T) {
			t.Parallel()
			end, err := firstScreen(t.Context(), page, t.TempDir())
			if err != nil {
				t.Error(err)
			}
			t.Logf("%d of %d pixels", end, height)
		})
	}
}
