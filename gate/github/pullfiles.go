package github

import (
	"context"
	"errors"
	"fmt"

	gh "github.com/google/go-github/v60/github"
)

// ErrTooManyFiles: GitHub lists at most [MaxPullFiles] files of a pull request,
// and this one has more, or has other files than the event said. What was
// listed is not all, so nothing may be concluded from it: check everything
// instead.
var ErrTooManyFiles = errors.New("the list of the pull request's files is not complete")

// MaxPullFiles is how many files of a pull request GitHub lists.
const MaxPullFiles = 3000

// ChangedFile is a file that a pull request changes.
type ChangedFile struct {
	Path string
	// Status is added, removed, modified, renamed, copied, changed or
	// unchanged.
	Status string
	// OldPath is the path on the base of a file that was renamed or copied.
	OldPath string
}

// PullFiles lists the files of a pull request, in GitHub's order. want is how
// many the event said there are ([Event.ChangedFiles]); a list of another
// length is [ErrTooManyFiles], and so is one that reached GitHub's limit. A
// want of 0 says that the event did not know.
//
// The list compares the head, as it is now, with the merge base of both
// branches.
func (c *Client) PullFiles(ctx context.Context, number, want int) ([]ChangedFile, error) {
	doing := fmt.Sprintf("listing the files of pull request %d", number)
	if want >= MaxPullFiles {
		return nil, fmt.Errorf("%s: it has %d: %w", doing, want, ErrTooManyFiles)
	}
	var files []ChangedFile
	opts := &gh.ListOptions{PerPage: 100}
	for opts.Page = 1; ; opts.Page++ {
		page, _, err := c.api.PullRequests.ListFiles(ctx, c.owner, c.name, number, opts)
		if err != nil {
			return nil, apiError(doing, "pull-requests: read", err)
		}
		for _, f := range page {
			if f == nil || f.GetFilename() == "" {
				return nil, fmt.Errorf("%s: GitHub's answer has a file without a name", doing)
			}
			files = append(files, ChangedFile{Path: f.GetFilename(), Status: f.GetStatus(), OldPath: f.GetPreviousFilename()})
		}
		if len(files) >= MaxPullFiles {
			return nil, fmt.Errorf("%s: %d or more: %w", doing, MaxPullFiles, ErrTooManyFiles)
		}
		if len(page) < opts.PerPage {
			break
		}
	}
	if want > 0 && len(files) != want {
		return nil, fmt.Errorf("%s: %d are listed and the event said %d: %w", doing, len(files), want, ErrTooManyFiles)
	}
	return files, nil
}
