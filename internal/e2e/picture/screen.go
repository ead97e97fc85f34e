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

// situations are the pages that package gate has goldens of.
func situations(goldens string) ([]string, error) {
	pages, err := filepath.Glob(filepath.Join(goldens, "*", "summary.md"))
	if err == nil && len(pages) == 0 {
		err = fmt.Errorf("no pages in %s", goldens)
	}
	return pages, err
}

// firstScreen is where the ways out of a page end, in pixels: the first screen, as high as
// the picture, has to hold the verdict, the causes and both ways out.
func firstScreen(ctx context.Context, page, scratch string) (end int, err error) {
	summary, err := os.ReadFile(page)
	if err != nil {
		return 0, err
	}
	content, err := render(summary, "light")
	if err != nil {
		return 0, err
	}
	file := filepath.Join(scratch, "screen.html")
	if err := os.WriteFile(file, bytes.Replace(content, []byte("</body>"), []byte(measure+"</body>"), 1), 0o600); err != nil {
		return 0, err
	}
	cmd := exec.CommandContext(ctx, "chromium", "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom",
		fmt.Sprintf("--window-size=%d,%d", width, height), "file://"+file)
	dom, err := cmd.Output()
	if err != nil {
		return 0, fmt.Errorf("chromium: %w", err)
	}
	m := titleForm.FindSubmatch(dom)
	if m == nil {
		return 0, fmt.Errorf("%s: nothing was measured", page)
	}
	if end, err = strconv.Atoi(string(m[1])); end > height {
		return end, fmt.Errorf("%s: the ways out end at %d pixels, below the first screen of %d", page, end, height)
	}
	return end, err
}
