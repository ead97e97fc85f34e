package cli

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"strings"

	"github.com/replay-gate/replay-gate/bundle"
	"github.com/replay-gate/replay-gate/gate"
	"github.com/replay-gate/replay-gate/verify"
)

// checkRebuilt checks a bundle, makes it again from rev, and adds a check that says
// whether both are the same bytes.
func (a *app) checkRebuilt(ctx context.Context, in io.Reader, name, rev string) (verify.Result, error) {
	limits := bundle.DefaultLimits()
	// Room for all of it at once: what is not used costs nothing, and growing does.
	data := make([]byte, limits.Source+1)
	n, err := io.ReadFull(in, data)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return verify.Result{}, gate.BundleError(err)
	}
	data = data[:n]
	res := bundle.Check(bytes.NewReader(data), name, limits)
	if res.Unchecked != "" {
		return res, nil
	}
	b, err := bundle.Read(bytes.NewReader(data), limits)
	if err != nil {
		return res, nil // and the checks say why
	}
	defer b.Close()
	row := verify.Check{Field: "rebuild", Recorded: b.Digest, Location: verify.Location{Path: name}}
	switch g := b.Manifest.ReplayGate; {
	case g == nil:
		row.Status, row.Code, row.Reason = verify.Fail, "not-ours", "the bundle does not say what it was made from, so it can't be made again"
	case b.Manifest.GitDirty != nil && *b.Manifest.GitDirty:
		row.Status, row.Code, row.Reason = verify.Fail, "dirty", "the bundle was made from files that are not as their commit has them"
		row.Hint = "commit them, and make the bundle again"
	default:
		again, err := gate.Rebuild(ctx, cmp.Or(a.root, "."), rev, *g, cassettes(b))
		if errors.Is(err, gate.ErrNoBundle) {
			row.Status, row.Code, row.Reason, row.Hint = verify.Fail, "rebuild-gives-none", err.Error(), otherRevision
			break
		}
		if err != nil {
			return res, err
		}
		row.Observed = again.SHA256()
		if row.Status = verify.OK; row.Observed != row.Recorded {
			row.Status, row.Code, row.Hint = verify.Fail, "rebuild-differs", otherRevision
			row.Reason, err = rebuildReason(b, again)
			if err != nil {
				return res, err
			}
		}
	}
	res.Checks = append(res.Checks, row)
	return res, nil
}

// otherRevision is what to do about a bundle that a commit does not give.
const otherRevision = "name the revision that the bundle was made from; if that is the one, don't use the bundle"

// rebuildReason says where a rebuilt bundle differs.
func rebuildReason(b *bundle.Archive, again *bundle.Bundle) (string, error) {
	other, err := bundle.Read(bytes.NewReader(again.Bytes()), bundle.DefaultLimits())
	if err != nil {
		return "", gate.BundleError(err)
	}
	defer other.Close()
	c, err := bundle.Compare(b, other, gate.Records())
	if err != nil {
		return "", gate.BundleError(err)
	}
	switch {
	case b.Manifest.GitSHA != other.Manifest.GitSHA:
		return "the bundle says that it was made from commit " + verify.Shorten(b.Manifest.GitSHA, 64), nil
	case len(c.Members) > 0:
		return "the commit gives another " + verify.Shorten(c.Members[0].Name, 256), nil
	case !c.Same():
		return "the commit gives another manifest", nil
	}
	return "the content is the same and the archive is not: it was packed by something else", nil
}

// cassettes are the paths in the repository of the cassettes in b.
func cassettes(b *bundle.Archive) []string {
	var names []string
	for _, e := range b.Entries {
		if name, ok := b.RepositoryPath(e.Name); ok && strings.HasPrefix(e.Name, "cassettes/") {
			names = append(names, name)
		}
	}
	return names
}
