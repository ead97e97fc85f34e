package ahd

import (
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/replay-gate/replay-gate/verify"
)

// place is where a recorded path leads in the tree.
type place struct {
	// path is the file's path in the tree, whether or not it exists. It is
	// empty when none could be derived; then code and reason say why.
	path         string
	relocated    bool // the path was recorded on another machine
	code, reason string
	// candidates are the files that an ambiguous path could mean, and rival is one of other
	// content that a path could mean which is not.
	candidates []string
	rival      string
}

// maxPath bounds a recorded path, in bytes, as operating systems do.
const maxPath = 4096

// locate finds the place of a recorded path. A relative path starts at the
// sidecar's root. An absolute one was recorded on another machine, whose own
// root can be read off the recorded command: argv[1] is <root>/bin/ahd.js. If
// that says nothing, the file is the one whose path shares the longest tail
// with the recorded path.
func (s *sidecar) locate(recorded string) place {
	switch {
	case recorded == "":
		return place{code: "malformed-path", reason: "is empty"}
	case len(recorded) > maxPath:
		return place{code: "malformed-path", reason: "is longer than any path can be"}
	case strings.ContainsRune(recorded, 0) || !utf8.ValidString(recorded):
		return place{code: "malformed-path", reason: "holds a character that no path can have"}
	}
	drive, abs := absolute(recorded)
	if abs == "" {
		return placeAt(path.Join(s.root, slashed(recorded)), false)
	}
	if p := s.belowRecordedRoot(drive, abs); p != "" {
		return placeAt(p, true)
	}
	return s.sharingTail(abs)
}

// placeAt is the place at p, unless that is no place for an input.
func placeAt(p string, relocated bool) place {
	switch {
	case !fs.ValidPath(p) || p == ".":
		return place{code: "leaves-root", reason: "leads out of the repository"}
	case slices.ContainsFunc(strings.Split(p, "/"), isGitFolder):
		return place{code: "leaves-root", reason: "leads into git's own folder, which is no part of the repository's files"}
	}
	return place{path: p, relocated: relocated}
}

// isGitFolder reports whether name is .git to some file system, of which Windows'
// drop trailing dots and blanks and have short names. Git's own folder may hold
// credentials, and no commit has it.
func isGitFolder(name string) bool {
	name = strings.TrimRight(name, ". ")
	return strings.EqualFold(name, ".git") || strings.EqualFold(name, "git~1")
}

// belowRecordedRoot maps a path below the recorded root to this tree.
func (s *sidecar) belowRecordedRoot(drive, abs string) string {
	argv := s.doc.Root.Get("argv").Items()
	if len(argv) <= argvProgram {
		return ""
	}
	programDrive, program := absolute(argv[argvProgram].Text())
	root, ok := strings.CutSuffix(program, "/bin/ahd.js")
	if !ok || !strings.EqualFold(drive, programDrive) {
		return ""
	}
	inside, ok := strings.CutPrefix(abs, root+"/")
	if !ok || inside == "" {
		return ""
	}
	return path.Join(s.root, inside)
}

// sharingTail finds the file that shares most path elements, counted from the
// end, with an absolute path. Of several, the one that shares them from the
// root on wins; else nothing is guessed.
func (s *sidecar) sharingTail(abs string) place {
	var best, others []string
	most := 1
	for _, name := range s.e.Tree.Named(path.Base(abs)) {
		n := sharedTail(name, abs)
		if n > 1 && len(others) < maxOthers {
			others = append(others, name)
		}
		switch {
		case n > most:
			best, most = append(best[:0], name), n
		case n == most:
			best = append(best, name)
		}
	}
	switch {
	case len(best) == 0:
		return place{code: "input-missing", reason: "this repository holds no file of that name"}
	case len(best) == 1:
		return place{path: best[0], relocated: true, rival: s.rival(best[0], others)}
	}
	elements := strings.Split(abs, "/")
	fromRoot := path.Join(s.root, path.Join(elements[len(elements)-most:]...))
	if slices.Contains(best, fromRoot) {
		return place{path: fromRoot, relocated: true, rival: s.rival(fromRoot, others)}
	}
	if s.alike(best) {
		return place{path: best[0], relocated: true, rival: s.rival(best[0], others)}
	}
	return place{code: "ambiguous", candidates: best[:2], reason: "could be " + verify.Shorten(best[0], 256) + " or " + verify.Shorten(best[1], 256)}
}

// maxOthers bounds the files that a path is held to be able to mean.
const maxOthers = 16

// rival is the first of some files whose content is not that of the file at name.
func (s *sidecar) rival(name string, others []string) string {
	for _, other := range others {
		if other != name && !s.alike([]string{name, other}) {
			return other
		}
	}
	return ""
}

// alike reports whether files have the same content, so that it does not matter which of
// them a path means.
func (s *sidecar) alike(names []string) bool {
	if len(names) > maxOthers {
		return false
	}
	first := hashesOf(s.e.Tree, names[0])
	return first.err == nil && !slices.ContainsFunc(names, func(name string) bool {
		h := hashesOf(s.e.Tree, name)
		return h.err != nil || h.raw != first.raw
	})
}

// sharedTail counts the path elements that a and b share from the end.
func sharedTail(a, b string) int {
	n := 0
	for a != "" && b != "" {
		i, k := strings.LastIndexByte(a, '/'), strings.LastIndexByte(b, '/')
		if a[i+1:] != b[k+1:] {
			break
		}
		n++
		a, b = a[:max(i, 0)], b[:max(k, 0)]
	}
	return n
}

// slashed writes a path with slashes, as Windows does not.
func slashed(p string) string { return strings.ReplaceAll(p, `\`, "/") }

// absolute splits an absolute path of any system into its drive ("D:", or
// empty) and the cleaned rest, which starts with a slash. The rest is empty for
// a relative path.
func absolute(p string) (drive, rest string) {
	p = slashed(p)
	if len(p) > 2 && p[1] == ':' && p[2] == '/' && isLetter(p[0]) {
		drive, p = p[:2], p[2:]
	}
	if !strings.HasPrefix(p, "/") {
		return "", ""
	}
	return drive, path.Clean(p)
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// samePath reports whether two spellings can name one file: one of them is the
// end of the other.
func samePath(a, b string) bool {
	if max(len(a), len(b)) > maxPath {
		return a == b
	}
	a, b = path.Clean(slashed(a)), path.Clean(slashed(b))
	return a == b || strings.HasSuffix(a, "/"+b) || strings.HasSuffix(b, "/"+a)
}
