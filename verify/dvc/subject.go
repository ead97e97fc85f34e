package dvc

import (
	"path"

	"github.com/replay-gate/replay-gate/verify"
)

// subject is one recorded dependency or output under judgement.
type subject struct {
	*checker
	st    *stage
	entry *entry
	role  string
	field string
	path  string // in the tree
}

func (x *subject) row(status verify.Status, code, reason string) *verify.Check {
	c := x.rows.Add(status, x.field, x.entry.at, code, reason)
	c.Recorded, c.Input = x.entry.hash, x.path
	return c
}

func (x *subject) ok(reason string) *verify.Check         { return x.row(verify.OK, "", reason) }
func (x *subject) info(code, reason string) *verify.Check { return x.row(verify.Info, code, reason) }

// unproven is a row that can't tell; where the base could, and it held, it holds no longer.
func (x *subject) unproven(code, reason string) *verify.Check {
	c := x.info(code, reason)
	c.Unproven = true
	return c
}

func (x *subject) fail(code, reason string) *verify.Check {
	c := x.row(verify.Fail, code, reason)
	x.checker.repro(c)
	return c
}

func (x *subject) after() string { return x.behind(x.st) }

// compare finds what is to be compared, and compares it.
func (x *subject) compare() {
	e := x.entry
	p, inside := within(x.st.wdir, e.path)
	switch {
	case !inside:
		x.info("external", "lies outside of the repository")
		return
	case e.hash == "" && e.other != "":
		x.info("external", "identified by its "+e.other+", which only its own store can compare")
		return
	}
	x.path = p
	switch {
	case e.hash == "":
		x.fail("no-hash", "recorded without a hash: DVC takes it for changed")
	case !md5Text.MatchString(e.hash):
		x.fail("malformed-hash", "the recorded md5 is no md5: 32 hex digits, with .dir behind those of a folder")
	case e.hashes != verify.HashMD5 && e.hashes != verify.HashMD5Dos2Unix:
		x.info("other-hash", "hashed by "+shown(string(e.hashes))+", which is not known here")
	case x.st.frozen && x.role == depRole:
		x.muted(x.held, "frozen", "the stage is frozen")
	default:
		x.held()
	}
}

// held compares what git holds with what was recorded.
func (x *subject) held() {
	if x.entry.dir() {
		x.folder()
	} else {
		x.file()
	}
}

// input links the row with its file.
func (x *subject) input() {
	x.in.add(verify.Input{
		Role: x.role, Path: x.path, Recorded: x.entry.path, Hash: x.entry.hash, Field: x.field, Hashes: x.entry.hashes,
		Subject: x.role == outRole, Missing: !x.t.Exists(x.path),
	})
}

// file compares a file with its recorded hash.
func (x *subject) file() {
	f := fileAt(x.t, x.path, x.entry.hashes)
	switch {
	case f.absent():
		x.checker.absent(x)
		return
	case f.err != nil:
		x.fail("unreadable", "can't be compared: "+verify.ReadReason(f.err))
		return
	}
	x.input()
	if f.pointer {
		x.pointer(f)
		return
	}
	how := asIs
	if f.hash != x.entry.hash {
		how = endsAt(x.t, x.path, x.entry.hashes, x.entry.hash)
	}
	switch how {
	case asIs:
		x.sized(f)
	case never:
		x.differs(f.hash)
	default:
		x.inOther(how).Observed = f.hash
	}
}

// sized adds the row of a file that holds. Its size is recorded as well, and follows from
// the content that md5 covers; DVC 2 recorded the size of a file with CRLF.
func (x *subject) sized(f *file) {
	if x.entry.size < 0 || x.entry.size == f.size || x.entry.hashes != verify.HashMD5 {
		x.ok("the same content").Observed = f.hash
		return
	}
	x.row(verify.Fail, "size-differs", "the same content, but another size is recorded: the lock was edited, or breaks off").Observed = f.hash
}

func (x *subject) inOther(how ends) *verify.Check {
	if how == asCRLF {
		x.crlf = append(x.crlf, x.path)
	} else {
		x.lf = append(x.lf, x.path)
	}
	return x.ok("the same content with " + how.String() + " line ends")
}

// differs fails an entry that another content is recorded of.
func (x *subject) differs(observed string) {
	if x.role == outRole {
		x.fail("output-differs", "not what "+shown(x.st.name)+" wrote: edited, or made by a run that was not recorded").Observed = observed
		return
	}
	x.fail("hash-differs", "changed: "+x.after()).Observed = observed
}

// pointer judges a Git LFS pointer, whose file is not here: its size is known.
func (x *subject) pointer(f *file) {
	if x.entry.size >= 0 && f.stands >= 0 && x.entry.size != f.stands {
		x.fail("size-differs", "in Git LFS, and its size is another one: "+x.after())
		return
	}
	x.unproven("lfs", "in Git LFS: its content can't be compared here")
}

// unlisted notes an entry that dvc.yaml no longer lists.
func (x *subject) unlisted() {
	if p, ok := within(x.st.wdir, x.entry.path); ok {
		x.path = p
		if x.role == outRole && x.t.Exists(p) {
			x.input()
		}
	}
	if x.path == "" || x.role == outRole || !md5Text.MatchString(x.entry.hash) {
		x.info("no-longer-listed", "recorded, and no longer in "+pipelineName)
		return
	}
	x.muted(x.held, "no-longer-listed", "recorded, and no longer in "+pipelineName)
}

// muted judges what DVC does not look at, and only says why not. Where it would not hold
// the row is unproven: a change that edits an input and mutes it at once has not run it.
func (x *subject) muted(judge func(), code, reason string) {
	holds := x.aside(judge)
	x.input()
	c := x.info(code, reason)
	c.Unproven = !holds
}

// folder compares a folder with the hash of its list of files.
func (x *subject) folder() {
	if x.files -= len(x.t.Under(x.path)); x.files < 0 {
		x.row(verify.Warn, "too-large", "not compared: the folders of this lock hold too many files")
		return
	}
	f := folderAt(x.t, x.path, x.root, x.entry.hashes)
	if f.large {
		x.row(verify.Warn, "too-large", "not compared: a folder of more than "+plural(maxFolder, "file"))
		return
	}
	if fileAt(x.t, x.path, x.entry.hashes).err == nil {
		x.input()
		x.fail("kind-differs", "a folder is recorded, and git holds a file")
		return
	}
	own := f.inGit()
	f = f.with(x.outs, x.path, x.entry.hashes, x.ignore)
	if len(f.members) == 0 {
		x.checker.absent(x)
		return
	}
	x.ignoreFiles(x.path, f)
	how := f.endings(x.t, x.path, x.entry.hashes, x.entry.hash, &x.tries)
	x.members(f)
	switch {
	case how == asIs:
		x.ok("the same " + plural(len(f.members), "file")).Observed = x.entry.hash
	case how != never:
		x.inOther(how)
	case x.elsewhere(own):
	default:
		x.folderDiffers(f)
	}
}

// elsewhere judges a folder that git holds a part of at most, such as a .gitignore: what
// its producer recorded decides, if there is one.
func (x *subject) elsewhere(own int) bool {
	if x.role == outRole && !x.st.uncached[clean(x.entry.path)] {
		x.missing(x)
		x.unproven("not-in-git", "not in git, apart from "+plural(own, "file")+": its content can't be compared here")
		return true
	}
	if x.role != depRole {
		return false
	}
	who := x.producerOf(x.path)
	if who != nil && who.git && own > 0 {
		return false
	}
	if who != nil || own == 0 && x.container(x.path) != nil {
		x.checker.absent(x)
		return true
	}
	return false
}

const codeFolderDiffers = "folder-differs" // the reason code

// folderDiffers judges a folder whose list of files has another hash. Only when as many
// files are recorded as git holds is it sure that one of those was changed; a file that
// git does not track may have been hashed otherwise. Whether the base had the recorded
// hash is for whoever has a base to say.
func (x *subject) folderDiffers(f *folder) {
	const code = codeFolderDiffers
	observed := treeHash(f.members)
	here, recorded := plural(len(f.members), "file"), ""
	if x.entry.nfiles >= 0 {
		recorded = ", " + plural(int(x.entry.nfiles), "file") + " recorded"
	}
	// What to do and what rests on it, for when the base or the history decides.
	cantTell := func(reason string) {
		if x.role == depRole {
			x.after()
		}
		c := x.row(verify.Warn, code, reason)
		x.checker.repro(c)
		c.Observed, c.Unproven = observed, true
	}
	switch {
	case len(f.unknown) > 0:
		cantTell("can't be told: git does not hold the content of " + listed(f.unknown))
	case x.entry.nfiles != int64(len(f.members)):
		cantTell("another list of files: " + here + " in git" + recorded + "; untracked files may have been hashed")
	case x.role == outRole:
		x.fail(code, "not what "+shown(x.st.name)+" wrote: "+here+" in git"+recorded+", and at least one is another").Observed = observed
	default:
		x.fail(code, "changed, "+here+" in git"+recorded+" and at least one is another: "+x.after()).Observed = observed
	}
}

// maxMembers bounds the files of a folder that a bundle carries.
const maxMembers = 1000

// members links the row with the files of its folder.
func (x *subject) members(f *folder) {
	if len(f.members) > maxMembers {
		return
	}
	for _, m := range f.members {
		if m.git {
			x.in.add(verify.Input{Role: "member", Path: path.Join(x.path, m.rel), Field: x.field, Subject: x.role == outRole})
		}
	}
}
