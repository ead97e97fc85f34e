package repo

import (
	"io/fs"
	"path"
	"strings"
)

const (
	maxLinks  = 40      // symbolic links followed for one path, as Linux
	maxTarget = 4 << 10 // bytes of one link's target
	maxWalk   = 256     // elements of all targets together
)

// follow resolves the symbolic links of a valid path, inside the tree that readlink
// looks at. readlink tells a link's target, or that the path is no link; its errors
// end the walk. The result is a valid path that holds no link.
func follow(name string, readlink func(string) (target string, isLink bool, err error)) (string, error) {
	resolved, _, err := followTo(name, readlink, func(string) {})
	if err != nil {
		return "", err
	}
	return resolved, nil
}

// plainStart walks a valid path up to the first link in it. Most names cross none: what is
// resolved is the name's own beginning, and nothing is put together.
func plainStart(name string, readlink func(string) (string, bool, error)) (resolved string, rest []string, err error) {
	for at := 0; name != "." && at <= len(name); {
		end := len(name)
		if i := strings.IndexByte(name[at:], '/'); i >= 0 {
			end = at + i
		}
		if isGitDir(name[at:end]) {
			break
		}
		_, isLink, err := readlink(name[:end])
		if err != nil {
			return name[:end], elements(name[end:]), err
		}
		if isLink {
			break
		}
		resolved, at = name[:end], end+1
	}
	rest = elements(name[len(resolved):])
	if resolved == "" {
		resolved = "."
	}
	return resolved, rest, nil
}

// elements are those of a path, which may begin with a slash; none of the empty one.
func elements(path string) []string {
	if path = strings.TrimPrefix(path, "/"); path == "" {
		return nil
	}
	return strings.Split(path, "/")
}

// followTo is follow that tells of every link that it crosses. On an error end is where the
// walk broke off, and rest what was left of the way.
func followTo(name string, readlink func(string) (string, bool, error), crossed func(link string)) (end string, rest []string, err error) {
	resolved, pending, err := plainStart(name, readlink)
	if err != nil || len(pending) == 0 {
		return resolved, pending, err
	}
	links, left := 0, len(pending)+maxWalk
	for len(pending) > 0 {
		next := pending[0]
		pending = pending[1:]
		if left--; left < 0 {
			return resolved, nil, fs.ErrInvalid
		}
		switch {
		case next == "" || next == ".":
			continue
		case next == "..":
			if resolved == "." {
				return resolved, nil, ErrEscapes
			}
			resolved = path.Dir(resolved)
			continue
		case isGitDir(next):
			return resolved, nil, ErrEscapes
		}
		at := path.Join(resolved, next)
		target, isLink, err := readlink(at)
		if err != nil {
			return at, pending, err
		}
		if !isLink {
			resolved = at
			continue
		}
		crossed(at)
		if links++; links > maxLinks || len(target) > maxTarget {
			return resolved, nil, fs.ErrInvalid
		}
		if strings.HasPrefix(target, "/") {
			return resolved, nil, ErrEscapes
		}
		pending = append(strings.Split(target, "/"), pending...)
	}
	return resolved, nil, nil
}
