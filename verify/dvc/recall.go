package dvc

import (
	"context"
	"crypto/sha256"
	"strings"

	"github.com/replay-gate/replay-gate/verify"
)

// Recall tells whether another version of a file of git is what the lock recorded of it
// (verify.Recaller): the content of a file, the value of a parameter, the command of a
// stage, the hash in a *.dvc file.
func (Format) Recall(e *verify.Evidence, in verify.Input) (holds func(content []byte) bool) {
	switch in.Role {
	case depRole, outRole:
		if !md5Text.MatchString(in.Hash) || strings.HasSuffix(in.Hash, ".dir") {
			return nil
		}
		return func(content []byte) bool { return matches(content, in.Hashes, in.Hash) != never }
	case "pipeline", "params", "tracked":
	default:
		return nil
	}
	s := stageOf(e, in.Field)
	if s == nil {
		return nil
	}
	switch in.Role {
	case "pipeline":
		return s.recallCommand(e.Tree, in)
	case "params":
		return s.recallParam(e.Tree, in)
	}
	return s.recallTracked(in)
}

// RecallFolder tells whether a folder of another state is what the lock recorded of it
// (verify.FolderRecaller). How many files it has is asked first: hashing them costs more.
func (Format) RecallFolder(e *verify.Evidence, row verify.Check) (holds func(t *verify.Tree) bool) {
	s := stageOf(e, row.Field)
	if s == nil || row.Code != codeFolderDiffers {
		return nil
	}
	var recorded *entry
	for role, entries := range map[string][]*entry{depRole: s.deps, outRole: s.outs} {
		for _, e := range entries {
			if row.Field == field(s.name, role+"s", e.path) && e.hash == row.Recorded {
				recorded = e
			}
		}
	}
	if recorded == nil {
		return nil
	}
	j := newJudge(context.Background(), e)
	j.lock = lockAt(e)
	outs, left := j.ownOuts(), maxListing
	return func(t *verify.Tree) bool {
		g := newIgnorer(t, j.root, ignoreFile)
		files, trackers := listFolder(t, row.Input, g)
		n := int64(len(files))
		if recorded.nfiles >= 0 && (n > recorded.nfiles || n < recorded.nfiles && len(trackers) == 0 && !anyBelow(outs, row.Input)) {
			return false
		}
		if left -= len(files); left < 0 {
			return false
		}
		f := folderAt(t, row.Input, j.root, recorded.hashes).with(outs, row.Input, recorded.hashes, g)
		return !f.large && f.endings(t, row.Input, recorded.hashes, recorded.hash, &j.tries) != never
	}
}

func anyBelow(outs map[string]*producer, dir string) bool {
	for p := range outs {
		if below(p, dir) {
			return true
		}
	}
	return false
}

// Many fields ask of the same few versions.
type (
	recallParamsKey struct {
		ending  string
		content [sha256.Size]byte
	}
	recallPipelineKey struct {
		path    string
		content [sha256.Size]byte
	}
)

type recallKey string // path of the lock

// stageOf is the recorded stage that a field belongs to: that of the longest name, as names
// may hold dots.
func stageOf(e *verify.Evidence, field string) (found *lockStage) {
	for _, s := range lockAt(e).stages {
		if strings.HasPrefix(field, "stages."+s.name+".") && (found == nil || len(found.name) < len(s.name)) {
			found = s
		}
	}
	return found
}

// lockAt is the lock as the tree has it; one without stages where it can't be read.
func lockAt(e *verify.Evidence) *lock {
	return verify.Once(e.Tree, recallKey(e.Path), func(t *verify.Tree) *lock {
		data, err := t.ReadFile(e.Path, verify.MaxEvidence)
		if err != nil {
			return new(lock)
		}
		l, err := readLock(data)
		if err != nil {
			return new(lock)
		}
		return l
	})
}

func (s *lockStage) recallCommand(t *verify.Tree, in verify.Input) func([]byte) bool {
	if s.cmd == nil || in.Field != field(s.name, "cmd") {
		return nil
	}
	return func(content []byte) bool {
		p := verify.Once(t, recallPipelineKey{in.Path, sha256.Sum256(content)}, func(t *verify.Tree) *pipeline {
			p := newPipeline(in.Path)
			p.err = p.read(t, content)
			return p
		})
		if p.err != nil {
			return false
		}
		st, steps := p.byName[s.name], maxSteps
		return st != nil && st.cmdErr == nil && equal(st.cmd, s.cmd, &steps)
	}
}

func (s *lockStage) recallParam(t *verify.Tree, in verify.Input) func([]byte) bool {
	for _, p := range s.params {
		rec := p.get(in.Key)
		if rec == nil || in.Field != field(s.name, "params", p.file+":"+in.Key) {
			continue
		}
		return func(content []byte) bool {
			ending := paramsEnding(in.Path)
			f := verify.OnceForContent(t, recallParamsKey{ending, sha256.Sum256(content)}, func() *paramFile {
				v, err := parseParams(content, ending)
				return &paramFile{value: orEmpty(v), err: err}
			})
			if f.err != nil {
				return false
			}
			found, there, judged := lookup(f.value, in.Key)
			if !there || !judged {
				found, there = topLevel(f.value, in.Key)
			}
			steps := maxSteps
			return there && equal(found, rec.value, &steps)
		}
	}
	return nil
}

func (s *lockStage) recallTracked(in verify.Input) func([]byte) bool {
	for _, e := range s.deps {
		if in.Field != field(s.name, depRole+"s", e.path) {
			continue
		}
		return func(content []byte) bool {
			d := &tracked{path: in.Path, outs: make(map[string]*entry)}
			if d.read(content) != nil {
				return false
			}
			theirs := d.outs[strings.TrimSuffix(in.Path, dvcSuffix)]
			return theirs != nil && theirs.hash == e.hash && theirs.hashes == e.hashes
		}
	}
	return nil
}
