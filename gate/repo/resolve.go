package repo

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"
)

const (
	maxIndirection = 10      // symbolic references, or tags of tags, in a row
	maxSteps       = 1 << 20 // largest N in ~N
	minAbbrev      = 4       // shortest abbreviated hash, as in git
)

// Resolve returns the commit that rev names: a branch, a tag, a full reference, a hash
// (at least 4 digits of it), HEAD or @, each followed by any number of ~N, ^N,
// ^{commit}, ^{} (gitrevisions(7), without the forms that need a reflog or a
// search). The error is a [*RevisionError] when there is no such commit here.
func (r *Repository) Resolve(rev string) (Commit, error) {
	base, steps := rev, ""
	if i := strings.IndexAny(rev, "~^"); i >= 0 {
		base, steps = rev[:i], rev[i:]
	}
	c, err := r.resolveName(base)
	for err == nil && steps != "" {
		c, steps, err = r.step(c, steps)
	}
	var wrong *RevisionError
	switch {
	case err == nil:
		return c, nil
	case errors.As(err, &wrong):
	case errors.Is(err, ErrMissingObject) && r.objects.gone != "":
		return Commit{}, fmt.Errorf("revision %q: %w", rev, err)
	case errors.Is(err, ErrMissingObject), errors.Is(err, plumbing.ErrReferenceNotFound):
		wrong = &RevisionError{}
	default:
		return Commit{}, fmt.Errorf("revision %q: %w", rev, err)
	}
	wrong.Rev, wrong.Shallow = rev, r.isShallow()
	return Commit{}, wrong
}

// step takes one ~N, ^N or ^{...} off steps and goes there from c.
func (r *Repository) step(c Commit, steps string) (Commit, string, error) {
	op, rest := steps[0], steps[1:]
	if op == '^' && strings.HasPrefix(rest, "{") {
		kind, rest, ok := strings.Cut(rest[1:], "}")
		if !ok || kind != "" && kind != "commit" {
			return Commit{}, "", &RevisionError{Reason: "only ^{commit} and ^{} are understood"}
		}
		return c, rest, nil
	}
	digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
	n := 1
	if digits > 0 {
		var err error
		if n, err = strconv.Atoi(rest[:digits]); err != nil || n > maxSteps {
			return Commit{}, "", &RevisionError{Reason: "number out of range"}
		}
	}
	rest = rest[digits:]
	if rest != "" && rest[0] != '~' && rest[0] != '^' {
		return Commit{}, "", &RevisionError{Reason: "not a revision"}
	}
	times, parent := 1, n
	if op == '~' {
		times, parent = n, 1
	}
	for ; times > 0 && parent > 0; times-- {
		if len(c.Parents) < parent {
			return Commit{}, "", &RevisionError{Reason: "there is no such ancestor"}
		}
		var err error
		if c, err = r.commit(plumbing.NewHash(c.Parents[parent-1])); err != nil {
			return Commit{}, "", err
		}
	}
	return c, rest, nil
}

// resolveName finds a name without steps, in the order of gitrevisions(7): a
// full hash, then references, then an abbreviated hash.
func (r *Repository) resolveName(name string) (Commit, error) {
	if name == "@" {
		name = "HEAD"
	}
	if plumbing.IsHash(name) {
		return r.peel(plumbing.NewHash(name))
	}
	for _, rule := range plumbing.RefRevParseRules {
		id, err := r.refTarget(fmt.Sprintf(rule, name))
		if err == nil {
			return r.peel(id)
		}
		// A broken or oddly named file among the references is not this revision; one that the
		// disk does not give may be.
		if isFault(err) {
			return Commit{}, err
		}
	}
	return r.abbreviated(name)
}

// refTarget follows symbolic references to an object.
func (r *Repository) refTarget(name string) (plumbing.Hash, error) {
	for range maxIndirection {
		ref, err := r.objects.reference(name)
		if err != nil {
			return plumbing.ZeroHash, err
		}
		if ref.Type() == plumbing.HashReference {
			return ref.Hash(), nil
		}
		name = ref.Target().String()
	}
	return plumbing.ZeroHash, fmt.Errorf("reference %s: too many symbolic references", name)
}

// peel returns the commit that an object is, or that an annotated tag names.
func (r *Repository) peel(id plumbing.Hash) (Commit, error) {
	for range maxIndirection {
		kind, content, err := r.objects.read(id)
		if err != nil {
			return Commit{}, err
		}
		switch kind {
		case plumbing.CommitObject:
			return r.commit(id)
		case plumbing.TagObject:
			raw := &plumbing.MemoryObject{}
			raw.SetType(kind)
			if _, err := raw.Write(content); err != nil {
				return Commit{}, err
			}
			var tag object.Tag
			if err := tag.Decode(raw); err != nil {
				return Commit{}, fmt.Errorf("reading tag %s: %w", id, err)
			}
			id = tag.Target
		default:
			return Commit{}, &RevisionError{Reason: "names a " + kind.String() + ", not a commit"}
		}
	}
	return Commit{}, &RevisionError{Reason: "too many tags in a row"}
}

// abbreviated returns the one commit whose hash begins with these digits.
func (r *Repository) abbreviated(digits string) (Commit, error) {
	digits = strings.ToLower(digits)
	prefix, err := hex.DecodeString(digits[:len(digits)/2*2])
	if err != nil || len(digits) < minAbbrev || len(digits) > 40 || strings.Trim(digits, "0123456789abcdef") != "" {
		return Commit{}, &RevisionError{}
	}
	ids, err := r.objects.withPrefix(prefix)
	if err != nil {
		return Commit{}, err
	}
	var found []Commit
	for _, id := range ids {
		if !strings.HasPrefix(id.String(), digits) {
			continue
		}
		c, err := r.peel(id)
		if err == nil && !slices.ContainsFunc(found, func(f Commit) bool { return f.Hash == c.Hash }) {
			found = append(found, c)
		}
	}
	switch len(found) {
	case 0:
		return Commit{}, &RevisionError{}
	case 1:
		return found[0], nil
	}
	return Commit{}, &RevisionError{Reason: fmt.Sprintf("ambiguous, %d commits begin so", len(found))}
}

// isFault reports whether the system could not read a file that may be there.
func isFault(err error) bool {
	var system *fs.PathError
	return errors.As(err, &system) && !slices.ContainsFunc([]error{
		fs.ErrNotExist, syscall.ENOTDIR, syscall.EISDIR, syscall.EINVAL, syscall.ENAMETOOLONG, syscall.ELOOP,
	}, func(harmless error) bool { return errors.Is(err, harmless) })
}
