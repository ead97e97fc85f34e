package dvc

import (
	"crypto/sha256"
	"strings"

	"github.com/replay-gate/replay-gate/verify"
)

// Recall tells whether another version of a file of git is what the lock recorded of it
// (verify.Recaller): the content of a file, the value of a parameter, the command of a
// stage, the hash in a *.dvc file. Of a folder no single file can tell.
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
	l := verify.Once(e.Tree, recallKey(e.Path), func(t *verify.Tree) *lock {
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
	for _, s := range l.stages {
		if strings.HasPrefix(field, "stages."+s.name+".") && (found == nil || len(found.name) < len(s.name)) {
			found = s
		}
	}
	return found
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
