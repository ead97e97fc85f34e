package publish

import (
	"context"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/replay-gate/replay-gate/gate/github"
	"github.com/replay-gate/replay-gate/summary"
	"github.com/replay-gate/replay-gate/verify"
)

// uploadRecipe is the step that uploads the bundles with GitHub's own action.
// Where there is no artifact service of version 4, that is version 3 of it.
func (p *publisher) uploadRecipe(old bool) string {
	dir := p.Dir
	if _, plain := summary.ShellQuote(dir); !plain || strings.ContainsAny(dir, "\"\\#:{}") {
		return ""
	}
	version := "v4"
	if old {
		version = "v3"
	}
	return `- uses: actions/upload-artifact@` + version + `
  if: always()
  with:
    name: replay-bundles
    path: ` + dir + `
    include-hidden-files: true
`
}

// artifact uploads the bundles and the report. It reports false where it failed to.
func (p *publisher) artifact(ctx context.Context) bool {
	if p.Upload == "never" || p.report.Incomplete() {
		return true
	}
	if err := p.upload(ctx); err != nil {
		p.missed("artifact", p.Upload, err, "the bundles lie in "+p.Dir+"; upload them with a step of their own")
		return false
	}
	l := &p.report.Links
	l.Artifact, l.ArtifactID = p.uploaded.Name, fmt.Sprint(p.uploaded.ID)
	l.ArtifactDigest = p.uploaded.Digest
	return true
}

func (p *publisher) upload(ctx context.Context) error {
	root, err := os.OpenRoot(p.Root)
	if err != nil {
		return err
	}
	defer root.Close()
	file := func(name string) github.ArtifactFile {
		return github.ArtifactFile{Name: path.Base(name), Open: func() (io.ReadCloser, error) {
			return root.Open(filepath.FromSlash(name))
		}}
	}
	var files []github.ArtifactFile
	for _, e := range p.report.Evidence {
		if e.Bundle != nil && e.Bundle.Path != "" {
			files = append(files, file(e.Bundle.Path))
		}
	}
	links := p.Actions.Links()
	req := github.ArtifactRequest{
		Name: artifactName(links.Job, links.RunAttempt), RetentionDays: p.RetentionDays, HTTP: p.HTTP,
	}
	if p.Raw && len(files) == 1 {
		req.Raw, req.Files = true, files
	} else {
		if p.Raw {
			p.report.Notices = append(p.report.Notices, summary.Notice{
				Status: verify.Info, Code: "artifact-archived",
				Message: fmt.Sprintf("The artifact is a zip: there are %d bundles, and only a single one can be uploaded as it is", len(files)),
			})
		}
		beside := []string{ReportFile, SummaryFile, PageFile}
		if len(files) > 0 {
			beside = append(beside, SumsFile)
		}
		if p.report.Timeline != "" {
			beside = append(beside, TimelineFile)
		}
		for _, name := range beside {
			files = append(files, file(path.Join(p.Dir, name)))
		}
		req.Files = files
	}
	p.uploaded, err = p.Actions.UploadArtifact(ctx, p.Out, req)
	return err
}

// artifactName is unique for a job and an attempt: the artifacts of a re-run
// stand beside those of the first run.
func artifactName(job, attempt string) string {
	safe := strings.Map(func(r rune) rune {
		if strings.ContainsRune("\":<>|*?\r\n\\/", r) || r < ' ' {
			return '-'
		}
		return r
	}, job)
	name := "replay-bundles"
	for _, part := range []string{safe, attempt} {
		if part != "" {
			name += "-" + part
		}
	}
	return name
}
