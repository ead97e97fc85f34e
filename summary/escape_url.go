package summary

import (
	"fmt"
	"io/fs"
	"regexp"
	"strings"
)

var (
	serverForm     = regexp.MustCompile(`^https?://[A-Za-z0-9.-]+(:[0-9]{1,5})?(/[A-Za-z0-9._-]+)*$`)
	repositoryForm = regexp.MustCompile(`^[A-Za-z0-9._-]+/[A-Za-z0-9._-]+$`)
	commitForm     = regexp.MustCompile(`^([0-9a-f]{40}|[0-9a-f]{64})$`)
	numberForm     = regexp.MustCompile(`^[0-9]{1,20}$`)
)

// repositoryURL is the address of the repository, or empty when there is none
// that can be trusted in a page.
func (l Links) repositoryURL() string {
	server := strings.TrimSuffix(l.Server, "/")
	if !serverForm.MatchString(server) || !repositoryForm.MatchString(l.Repository) {
		return ""
	}
	return server + "/" + l.Repository
}

// BlobURL is the address of a file at the head commit, and of a line of it if
// line is not 0. It is empty when the address can't be built.
func (l Links) BlobURL(path string, line int) string {
	repo := l.repositoryURL()
	if repo == "" || !commitForm.MatchString(l.HeadSHA) || !fs.ValidPath(path) || path == "." {
		return ""
	}
	url := repo + "/blob/" + l.HeadSHA + "/" + escapePath(path)
	if line > 0 {
		// Markdown is shown rendered unless it is asked for as text.
		url += fmt.Sprintf("?plain=1#L%d", line)
	}
	return url
}

// compareURL is the address of the difference between two commits.
func (l Links) compareURL(base, head string) string {
	repo := l.repositoryURL()
	if repo == "" || !commitForm.MatchString(base) || !commitForm.MatchString(head) {
		return ""
	}
	return repo + "/compare/" + base + "..." + head
}

// CommitURL is the address of a commit; empty where no server is known.
func (l Links) CommitURL(id string) string {
	repo := l.repositoryURL()
	if repo == "" || !commitForm.MatchString(id) {
		return ""
	}
	return repo + "/commit/" + id
}

// artifactURL is the address of the run's artifact.
func (l Links) artifactURL() string {
	repo := l.repositoryURL()
	if repo == "" || !numberForm.MatchString(l.RunID) || !numberForm.MatchString(l.ArtifactID) {
		return ""
	}
	return repo + "/actions/runs/" + l.RunID + "/artifacts/" + l.ArtifactID
}

// runURL is the address of the workflow run.
func (l Links) runURL() string {
	repo := l.repositoryURL()
	if repo == "" || !numberForm.MatchString(l.RunID) {
		return ""
	}
	return repo + "/actions/runs/" + l.RunID
}

// escapePath percent-encodes every byte of a path that is not unreserved (RFC
// 3986 §2.3), slashes apart. What is left means nothing to markdown either,
// underscores and tildes apart, and those not in an address.
func escapePath(path string) string {
	var b strings.Builder
	for i := range len(path) {
		switch c := path[i]; {
		case c == '/', c == '-', c == '.', c == '_', c == '~',
			'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9':
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

// link is markdown that points at url, or just label when there is no url.
// label must be markdown already.
func link(label, url string) string {
	if url == "" {
		return label
	}
	return "[" + label + "](" + url + ")"
}
