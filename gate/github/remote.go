package github

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
)

// ErrNoSuchCommit: the server does not have a commit that was asked for, or does
// not give it away.
var ErrNoSuchCommit = errors.New("the server has no such commit")

// notOurs is how git's upload-pack says that.
var notOurs = regexp.MustCompile(`not our ref|unadvertised object|no such object|unknown object`)

// Remote is a repository on a git server, spoken to in git's own protocol over
// HTTP (gitprotocol-http(5), gitprotocol-v2(5)). GitHub, GitHub Enterprise Server
// and git's own http-backend speak it.
//
// What takes one request for each file over the REST API, and is cut beyond
// 100,000 files, is two requests here.
type Remote struct {
	// URL is the repository's address, without .git or with it:
	// https://github.com/owner/name. See [Actions.RemoteURL].
	URL string
	// Token is sent as actions/checkout sends it, to the host of URL alone;
	// empty: without one.
	Token string
	HTTP  HTTP
}

// RemoteURL is the address of a repository (owner/name) on the runner's server;
// empty when the runner did not give one.
func (a *Actions) RemoteURL(repository string) string {
	server := httpURL(a.env("GITHUB_SERVER_URL"))
	owner, name, _ := strings.Cut(repository, "/")
	if server == "" || !fullName.MatchString(repository) || strings.Trim(owner, ".") == "" || strings.Trim(name, ".") == "" {
		return ""
	}
	return server + "/" + repository
}

// Pack writes a pack to w (gitformat-pack(5)) with the commits in want, 40 hex
// digits each: without their parents, with all files that they have, apart from
// what the server knows to be in the commits in have. shallow are the commits
// whose parents the asker lacks. What an object of the pack needs is in it, or in
// the commits in have.
//
// A commit that no branch leads to is given too, such as the merge commit of a
// pull request that was updated since. The error is [ErrNoSuchCommit],
// [*PermissionError], [*UnavailableError], that of ctx, or that of w. Where w got
// some of a pack, no other one follows.
func (r Remote) Pack(ctx context.Context, w io.Writer, want, have, shallow []string) error {
	for _, id := range slices.Concat(want, have, shallow) {
		if !commitID.MatchString(id) {
			return fmt.Errorf("%q is no commit id", cut(id, 100))
		}
	}
	address := strings.TrimSuffix(httpURL(r.URL), "/")
	if address == "" {
		return fmt.Errorf("%q is no address of a repository", cut(r.URL, 100))
	}
	c := r.connection()
	doing := "fetching from " + address
	address, err := c.discover(ctx, address)
	if err == nil {
		err = c.fetch(ctx, w, address, fetchRequest(want, have, shallow))
	}
	if err != nil {
		if ctxErr := ctx.Err(); ctxErr != nil {
			err = ctxErr
		}
		return fmt.Errorf("%s: %w", doing, withoutAddress(err))
	}
	return nil
}

// fetchRequest is the command fetch of gitprotocol-v2(5). It says at once that it
// is done: there is nothing to negotiate about.
func fetchRequest(want, have, shallow []string) []byte {
	var b bytes.Buffer
	writePkt(&b, "command=fetch")
	writePkt(&b, "agent=%s", agent)
	writePkt(&b, "object-format=sha1")
	b.WriteString("0001")
	for _, id := range want {
		writePkt(&b, "want %s", id)
	}
	for _, id := range shallow {
		writePkt(&b, "shallow %s", id)
	}
	writePkt(&b, "deepen 1")
	writePkt(&b, "ofs-delta")
	if len(have) > 0 {
		// Only then does git look into commits that are no ancestors for what need not
		// be sent.
		writePkt(&b, "thin-pack")
	}
	writePkt(&b, "no-progress")
	for _, id := range have {
		writePkt(&b, "have %s", id)
	}
	writePkt(&b, "done")
	b.WriteString("0000")
	return b.Bytes()
}

// agent is how this program calls itself.
const agent = "replay-gate"

// readPack copies the pack out of a reply: sections, each a name and lines, of
// which the last is the pack, in which each line says what it is for.
func readPack(w io.Writer, reply io.Reader) error {
	lines := &pktReader{r: reply}
	for {
		name, mark, err := lines.text()
		if err != nil {
			return err
		}
		switch {
		case mark != pktData:
			return errNoProtocol
		case name == "packfile":
			return copyPack(w, lines)
		case name != "shallow-info" && name != "acknowledgments":
			return errNoProtocol
		}
		for mark == pktData { // a shallow boundary is what was asked for
			if _, mark, err = lines.text(); err != nil {
				return err
			}
		}
		if mark != pktDelim {
			return errNoProtocol
		}
	}
}

// copyPack copies the first of the three side bands.
func copyPack(w io.Writer, lines *pktReader) error {
	for {
		line, mark, err := lines.next()
		switch {
		case err != nil:
			return err
		case mark == pktFlush:
			return nil
		case mark != pktData || len(line) == 0:
			return errNoProtocol
		}
		switch line[0] {
		case 1:
			if _, err := w.Write(line[1:]); err != nil {
				return &writeError{err}
			}
		case 2: // progress
		case 3:
			return serverError(string(line[1:]))
		default:
			return errNoProtocol
		}
	}
}

// writeError is an error of whoever takes the pack, not of the server.
type writeError struct{ err error }

func (e *writeError) Error() string { return e.err.Error() }
func (e *writeError) Unwrap() error { return e.err }

// gitError makes of an answer's status what callers branch on.
func gitError(resp *http.Response) error {
	switch status := resp.StatusCode; status {
	case http.StatusOK:
		return nil
	case http.StatusUnauthorized:
		return &PermissionError{"", status, http.StatusText(status)}
	case http.StatusForbidden, http.StatusNotFound:
		return &PermissionError{"contents: read", status, http.StatusText(status)}
	default:
		return fmt.Errorf("the server refuses: %d %s", status, http.StatusText(status))
	}
}
