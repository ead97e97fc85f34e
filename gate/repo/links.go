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
	resolved := "."
	pending := strings.Split(name, "/")
	links, left := 0, len(pending)+maxWalk
	for len(pending) > 0 {
		next := pending[0]
		pending = pending[1:]
		if left--; left < 0 {
			return "", fs.ErrInvalid
		}
		switch {
		case next == "" || next == ".":
			continue
		case next == "..":
			if resolved == "." {
				return "", ErrEscapes
			}
			resolved = path.Dir(resolved)
			continue
		case isGitDir(next):
			return "", ErrEscapes
		}
		at := path.Join(resolved, next)
		target, isLink, err := readlink(at)
		if err != nil {
			return "", err
		}
		if !isLink {
			resolved = at
			continue
		}
		if links++; links > maxLinks || len(target) > maxTarget {
			return "", fs.ErrInvalid
		}
		if strings.HasPrefix(target, "/") {
			return "", ErrEscapes
		}
		pending = append(strings.Split(target, "/"), pending...)
	}
	return resolved, nil
}
