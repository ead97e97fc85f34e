// Command picture takes the README's pictures: the step summary that the gate
// writes for a pull request on the demo's repository, as a reader sees it, light
// and dark.
//
//	go run ./internal/e2e/picture docs
//
// The page is the gate's own, written as on a runner, against the loopback GitHub.
// It is rendered with GitHub's Markdown extensions, in a style that follows
// GitHub's, and photographed by Chromium without a screen. Before that it measures the pages
// of package gate's goldens: verdict, causes and both ways out must be on the first screen. It needs the commands
// git and chromium, and the fonts of Debian's fonts-liberation.
package main

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"io"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"

	"github.com/replay-gate/replay-gate/internal/cli"
	"github.com/replay-gate/replay-gate/internal/demo"
	"github.com/replay-gate/replay-gate/internal/githubtest"
)

// The size of the window that is photographed, in CSS pixels.
const width, height = 900, 1200

//go:embed page.html
var page string

// GitHub colours the lines of a diff.
var (
	diffBlock = regexp.MustCompile(`(?s)<code class="language-diff">.*?</code>`)
	diffLine  = regexp.MustCompile(`(?m)^(<code class="language-diff">)?([+-])(.*)$`)
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: picture FOLDER")
		os.Exit(2)
	}
	if err := run(context.Background(), os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "picture:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, folder string) error {
	folder, err := filepath.Abs(folder) // the gate's work tree becomes current
	if err != nil {
		return err
	}
	scratch, err := os.MkdirTemp("", "picture")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	pages, err := situations(filepath.Join("gate", "testdata", "situations"))
	if err != nil {
		return err
	}
	for _, page := range pages {
		end, err := firstScreen(ctx, page, scratch)
		if err != nil {
			return err
		}
		fmt.Printf("%5d of %d pixels  %s\n", end, height, filepath.Base(filepath.Dir(page)))
	}
	summary, err := stepSummary(ctx, scratch)
	if err != nil {
		return fmt.Errorf("writing the step summary: %w", err)
	}
	for _, theme := range []string{"light", "dark"} {
		content, err := render(summary, theme)
		if err != nil {
			return err
		}
		file := filepath.Join(scratch, theme+".html")
		if err := os.WriteFile(file, content, 0o600); err != nil {
			return err
		}
		if err := photograph(ctx, file, filepath.Join(folder, "summary-"+theme+".png")); err != nil {
			return err
		}
	}
	return nil
}

// stepSummary has the gate judge the demo's pull request with every permission,
// and returns the page that it leaves for the runner.
func stepSummary(ctx context.Context, scratch string) ([]byte, error) {
	g := githubtest.New()
	server := httptest.NewServer(g)
	defer server.Close()

	root := filepath.Join(scratch, "repository")
	if err := os.Mkdir(root, 0o755); err != nil {
		return nil, err
	}
	d, err := demo.Make(root)
	if err != nil {
		return nil, err
	}
	event, err := pullRequest(ctx, root, d, g.Repository)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{"event.json": event, "summary.md": nil, "output": nil}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(scratch, name), content, 0o600); err != nil {
			return nil, err
		}
	}
	if err := os.Chdir(root); err != nil {
		return nil, err
	}
	env := map[string]string{
		"GITHUB_ACTIONS": "true", "GITHUB_API_URL": server.URL, "GITHUB_SERVER_URL": "https://github.com",
		"GITHUB_REPOSITORY": g.Repository, "GITHUB_RUN_ID": "42", "GITHUB_RUN_ATTEMPT": "1", "GITHUB_JOB": "evidence",
		"GITHUB_EVENT_NAME": "pull_request", "GITHUB_EVENT_PATH": filepath.Join(scratch, "event.json"),
		"GITHUB_STEP_SUMMARY": filepath.Join(scratch, "summary.md"), "GITHUB_OUTPUT": filepath.Join(scratch, "output"),
		"ACTIONS_RESULTS_URL": server.URL, "ACTIONS_RUNTIME_TOKEN": g.RuntimeToken, "INPUT_TOKEN": g.Token,
	}
	var log bytes.Buffer
	streams := cli.Streams{In: strings.NewReader(""), Out: &log, Err: &log, Getenv: func(name string) string { return env[name] }}
	if code := cli.Main(ctx, streams, []string{"gate"}); code != 1 {
		return nil, fmt.Errorf("exit code %d, and the demo has drift\n%s", code, log.Bytes())
	}
	if problems := g.Problems(); len(problems) > 0 {
		return nil, errors.New(strings.Join(problems, "\n"))
	}
	return os.ReadFile(env["GITHUB_STEP_SUMMARY"])
}

// pullRequest is the event of the demo's change.
func pullRequest(ctx context.Context, root string, d demo.Demo, repository string) ([]byte, error) {
	end := func(revision string) (map[string]any, error) {
		id, err := exec.CommandContext(ctx, "git", "-C", root, "rev-parse", revision).Output()
		return map[string]any{"sha": strings.TrimSpace(string(id)), "ref": revision, "repo": map[string]any{"full_name": repository}}, err
	}
	head, err := end(d.Head)
	if err != nil {
		return nil, err
	}
	base, err := end(d.Base)
	if err != nil {
		return nil, err
	}
	return json.Marshal(map[string]any{
		"pull_request": map[string]any{"number": 7, "changed_files": 2, "head": head, "base": base},
		"repository":   map[string]any{"full_name": repository, "default_branch": d.Base},
	})
}

// render makes a page that stands alone. Markup in the summary is kept, as GitHub
// keeps what is harmless.
func render(summary []byte, theme string) ([]byte, error) {
	var body, content bytes.Buffer
	markdown := goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithRendererOptions(html.WithUnsafe()))
	if err := markdown.Convert(summary, &body); err != nil {
		return nil, err
	}
	t, err := template.New("page").Parse(page)
	if err != nil {
		return nil, err
	}
	coloured := diffBlock.ReplaceAllStringFunc(body.String(), func(block string) string {
		return diffLine.ReplaceAllString(block, `$1<span data-diff="$2">$2$3</span>`)
	})
	err = t.Execute(&content, map[string]any{"Theme": theme, "Body": template.HTML(coloured)})
	return content.Bytes(), err
}

// photograph saves the top of a page as a picture. As root Chromium has no sandbox,
// and the page is our own.
func photograph(ctx context.Context, file, picture string) error {
	cmd := exec.CommandContext(ctx, "chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
		fmt.Sprintf("--window-size=%d,%d", width, height), "--screenshot="+picture, "file://"+file)
	var log bytes.Buffer
	cmd.Stdout, cmd.Stderr = io.Discard, &log
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("chromium: %w\n%s", err, log.Bytes())
	}
	return nil
}
