package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
)

// measure writes into the title where the last of the ways out ends, folds being closed.
const measure = `<script>
  const ends = [...document.querySelectorAll("body > pre, body > h2, body > ul")].map((e) => e.getBoundingClientRect().bottom);
  document.title = String(Math.ceil(Math.max(...ends)));
</script>`

var titleForm = regexp.MustCompile(`<title>(\d+)</title>`)

// firstScreens holds that the first screen of a page, as high as the picture, has the
// verdict, the causes and both ways out, in every situation that package gate has a golden of.
func firstScreens(ctx context.Context, goldens, scratch string) error {
	pages, err := filepath.Glob(filepath.Join(goldens, "*", "summary.md"))
	if err != nil || len(pages) == 0 {
		return fmt.Errorf("no pages in %s: %w", goldens, err)
	}
	for _, name := range pages {
		summary, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		content, err := render(summary, "light")
		if err != nil {
			return err
		}
		file := filepath.Join(scratch, "screen.html")
		if err := os.WriteFile(file, bytes.Replace(content, []byte("</body>"), []byte(measure+"</body>"), 1), 0o600); err != nil {
			return err
		}
		cmd := exec.CommandContext(ctx, "chromium", "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom",
			fmt.Sprintf("--window-size=%d,%d", width, height), "file://"+file)
		dom, err := cmd.Output()
		if err != nil {
			return fmt.Errorf("chromium: %w", err)
		}
		m := titleForm.FindSubmatch(dom)
		if m == nil {
			return fmt.Errorf("%s: nothing was measured", name)
		}
		if end, _ := strconv.Atoi(string(m[1])); end > height {
			return fmt.Errorf("%s: the ways out end at %d pixels, below the first screen of %d", name, end, height)
		} else {
			fmt.Printf("%5d of %d pixels  %s\n", end, height, filepath.Base(filepath.Dir(name)))
		}
	}
	return nil
}
