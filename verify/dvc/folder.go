package dvc

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/replay-gate/replay-gate/verify"
)

// maxFolder bounds the files of a folder that is hashed.
const maxFolder = 100_000

// maxMixed bounds the files of a folder whose line ends are tried one by one.
const maxMixed = 10

// member is a file of a folder.
type member struct {
	rel, hash string
	git       bool
}

// folder is what git knows of a folder.
type folder struct {
	members []member // sorted by rel
	// unknown are members whose content git does not hold: LFS pointers, tracked
	// folders, what can't be read.
	unknown []string
	large   bool // more than maxFolder files
}

type folderKey struct {
	dir, root string
	hashes    verify.Hashes
}

// folderAt lists and hashes what git holds of a folder, less what .dvcignore leaves out
// and other DVC repositories in it, with what the *.dvc files among it track.
func folderAt(t *verify.Tree, dir, root string, hashes verify.Hashes) *folder {
	return verify.Once(t, folderKey{dir, root, hashes}, func(t *verify.Tree) *folder {
		g := newIgnorer(t, root, ignoreFile)
		files, trackers := listFolder(t, dir, g)
		f := &folder{large: len(files) > maxFolder}
		if f.large {
			return f
		}
		// Hashed side by side; what is read is noted below, in order.
		verify.AtOnce(len(files), 0, func(i int) { fileAt(t.Aside(), files[i], hashes) })
		byRel := make(map[string]member, len(files))
		for _, name := range files {
			rel := relative(name, dir)
			got := fileAt(t, name, hashes)
			if got.err != nil || got.pointer {
				f.unknown = append(f.unknown, rel)
			}
			byRel[rel] = member{rel, got.hash, true}
		}
		for _, name := range trackers {
			f.complete(readTracked(t, name).outs, dir, hashes, g, byRel)
		}
		f.members = ordered(byRel)
		return f
	})
}

// listFolder lists what git holds of a folder and DVC would hash, and the *.dvc files among
// it.
func listFolder(t *verify.Tree, dir string, g *ignorer) (files, trackers []string) {
	all := t.Under(dir)
	inner := repositories(all, dir)
	for _, name := range all {
		if inner(name) || g.file(name) {
			continue
		}
		if strings.HasSuffix(name, dvcSuffix) {
			trackers = append(trackers, name)
		}
		files = append(files, name)
	}
	return files, trackers
}

func relative(name, dir string) string {
	if dir == "." {
		return name
	}
	return strings.TrimPrefix(name, dir+"/")
}

// repositories recognises files of DVC repositories inside of a folder; DVC does not go
// into them (DvcIgnoreFilter._update_sub_repo).
func repositories(files []string, dir string) func(name string) bool {
	var roots []string
	for _, name := range files {
		if i := strings.Index(name, "/.dvc/"); i >= 0 && name[:i] != dir && (len(roots) == 0 || roots[len(roots)-1] != name[:i]) {
			roots = append(roots, name[:i])
		}
	}
	return func(name string) bool {
		return slices.ContainsFunc(roots, func(r string) bool { return below(name, r) })
	}
}

// complete adds what others track inside of the folder.
func (f *folder) complete(outs map[string]*entry, dir string, hashes verify.Hashes, g *ignorer, byRel map[string]member) {
	for p, e := range outs {
		if !below(p, dir) || g.file(p) {
			continue
		}
		rel := relative(p, dir)
		switch _, have := byRel[rel]; {
		case have:
		case e.dir() || e.hash == "" || e.hashes != hashes:
			f.unknown = append(f.unknown, rel)
		default:
			byRel[rel] = member{rel, e.hash, false}
		}
	}
	slices.Sort(f.unknown)
}

func ordered(byRel map[string]member) []member {
	all := make([]member, 0, len(byRel))
	for _, m := range byRel {
		all = append(all, m)
	}
	slices.SortFunc(all, func(a, b member) int { return strings.Compare(a.rel, b.rel) })
	return all
}

// with is the folder completed with the outputs that a lock records inside of it.
func (f *folder) with(outs map[string]*producer, dir string, hashes verify.Hashes, g *ignorer) *folder {
	inside := make(map[string]*entry)
	for p, who := range outs {
		if below(p, dir) {
			inside[p] = who.entry
		}
	}
	if len(inside) == 0 {
		return f
	}
	full := &folder{unknown: slices.Clone(f.unknown), large: f.large}
	byRel := make(map[string]member, len(f.members)+len(inside))
	for _, m := range f.members {
		byRel[m.rel] = m
	}
	full.complete(inside, dir, hashes, g, byRel)
	full.members = ordered(byRel)
	return full
}

// inGit counts the members that git holds.
func (f *folder) inGit() (n int) {
	for _, m := range f.members {
		if m.git {
			n++
		}
	}
	return n
}

// treeHash is the hash of a list of files (dvc_data/hashfile/tree.py, Tree.digest): md5 of
// what Python's json.dumps makes of [{"md5": …, "relpath": …}], sorted by relpath.
func treeHash(members []member) string {
	buf := make([]byte, 0, 96*len(members)+2)
	buf = append(buf, '[')
	for i, m := range members {
		if i > 0 {
			buf = append(buf, ", "...)
		}
		buf = append(buf, `{"md5": `...)
		buf = appendPython(buf, m.hash)
		buf = append(buf, `, "relpath": `...)
		buf = appendPython(buf, m.rel)
		buf = append(buf, '}')
	}
	return Hash(append(buf, ']'), verify.HashMD5) + ".dir"
}

// appendPython writes a text as json.dumps does: ASCII only.
func appendPython(buf []byte, s string) []byte {
	buf = append(buf, '"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			buf = append(buf, '\\', byte(r))
		case r == '\n':
			buf = append(buf, `\n`...)
		case r == '\r':
			buf = append(buf, `\r`...)
		case r == '\t':
			buf = append(buf, `\t`...)
		case r == '\f':
			buf = append(buf, `\f`...)
		case r == '\b':
			buf = append(buf, `\b`...)
		case r < 0x20 || r > 0x7e && r <= 0xffff:
			buf = fmt.Appendf(buf, `\u%04x`, r)
		case r > 0xffff:
			a, b := utf16.EncodeRune(r)
			buf = fmt.Appendf(buf, `\u%04x\u%04x`, a, b)
		default:
			buf = append(buf, byte(r))
		}
	}
	return append(buf, '"')
}

// endings finds the line ends with which the folder has the recorded hash: all text files
// in the others, or, when there are few, some of them.
func (f *folder) endings(t *verify.Tree, dir string, hashes verify.Hashes, recorded string, tries *int) ends {
	if treeHash(f.members) == recorded {
		return asIs
	}
	for _, e := range []ends{asCRLF, asLF} {
		changed := slices.Clone(f.members)
		var places []int
		for i, m := range f.members {
			if !m.git {
				continue
			}
			if hash := hashWith(t, path.Join(dir, m.rel), hashes, e); hash != "" && hash != m.hash {
				changed[i].hash = hash
				places = append(places, i)
			}
		}
		if len(places) > 0 && treeHash(changed) == recorded || f.mixed(changed, places, recorded, tries) {
			return e
		}
	}
	return never
}

// mixed tries the files with other line ends one by one, if they are few: a Windows
// checkout holds files that were written there with LF as well.
func (f *folder) mixed(changed []member, places []int, recorded string, tries *int) bool {
	if *tries--; *tries < 0 || len(places) > maxMixed || len(f.members) > 20*maxMixed {
		return false
	}
	for set := 1; set < 1<<len(places)-1; set++ {
		some := slices.Clone(f.members)
		for bit, i := range places {
			if set>>bit&1 == 1 {
				some[i] = changed[i]
			}
		}
		if treeHash(some) == recorded {
			return true
		}
	}
	return false
}

type hashWithKey struct {
	fileKey
	ends ends
}

// hashWith is a file's hash in other line ends; empty if that changes nothing.
func hashWith(t *verify.Tree, name string, hashes verify.Hashes, e ends) string {
	switch f := fileAt(t, name, hashes); {
	case f.small && e == asCRLF:
		return f.crlf
	case f.small:
		return f.lf
	}
	return verify.Once(t, hashWithKey{fileKey{name, hashes}, e}, func(t *verify.Tree) string {
		data, err := t.ReadFile(name, maxFile)
		if err != nil {
			return ""
		}
		return otherHash(data, hashes, e)
	})
}

// otherHash is the hash of data in other line ends; empty if that changes nothing.
func otherHash(data []byte, hashes verify.Hashes, e ends) string {
	other, ok := withEnds(data, e)
	if !ok {
		return ""
	}
	return Hash(other, hashes)
}
