package pin

import (
	"cmp"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/jsondoc"
)

// The roles of what a statement names. They begin the fields of the rows.
const (
	roleSubject    = "subject"
	roleInput      = "input"
	roleNote       = "note"
	roleDependency = "dependency"
)

// The digests that are accepted. Consumers must ignore all others (in-toto, DigestSet,
// Guidelines). A gitBlob has 40 digits, or 64 in a repository with SHA-256 names.
const (
	algSHA256 = "sha256"
	algBlob   = "gitBlob"
)

var (
	sha256Digits = regexp.MustCompile(`^[0-9a-f]{64}$`)
	blobDigits   = regexp.MustCompile(`^(?:[0-9a-f]{40}|[0-9a-f]{64})$`)
)

// artifact is a ResourceDescriptor that was read: a file, or keys of one, with digests.
type artifact struct {
	role string
	name string
	// path is where the name leads, from where names count; empty for no file of the tree.
	path string
	// known digests in hex, empty if there is none
	sha256, blob string
	keys         []string // sorted; none: the whole file
	canonical    string   // hex; of the values of keys, or of the whole parsed file
	value        string   // of a note that is no file
	from         string   // the configuration that named it
	uri          string   // where else it is, for a dependency

	node, digest *jsondoc.Node
}

// field names the artifact in rows, as the command line spells it.
func (a *artifact) field() string { return a.role + ":" + a.spec() }

func (a *artifact) spec() string {
	if len(a.keys) == 0 {
		return a.name
	}
	return a.name + "#" + strings.Join(a.keys, ",")
}

// recorded is the digest that decides.
func (a *artifact) recorded() string {
	if a.sha256 != "" {
		return algSHA256 + ":" + a.sha256
	}
	return algBlob + ":" + a.blob
}

// pathOf is the file of the tree that a name leads to, however it is spelled: other
// writers begin names with "./". It is empty for a URI, and for what leaves the tree.
func pathOf(name string) string {
	if name == "" || isURI(name) || strings.ContainsRune(name, 0) {
		return ""
	}
	if name = path.Clean(name); name == "." || !fs.ValidPath(name) {
		return ""
	}
	return name
}

func isURI(name string) bool { return strings.Contains(name, "://") || strings.HasPrefix(name, "pkg:") }

// outside says of an artifact that names no file of the tree that it was not checked. A
// path that leads out of the tree may well be a file that the run read.
func (j *checker) outside(a *artifact) {
	if isURI(a.name) {
		j.rows.Info(a.field(), j.at(a.node), "not-local", "names no file of this tree")
		return
	}
	j.rows.Warn(a.field(), j.at(a.node), "not-local", "names no file of this tree, and was not checked")
}

// artifacts reads a list of descriptors. Each that is malformed fails, and so does a name
// that comes twice: both could not hold (in-toto, Link).
func (j *checker) artifacts(role, field string, list *jsondoc.Node) []artifact {
	items := list.Items()
	if room := maxArtifacts - j.named; len(items) > room {
		j.rows.Fail(field, j.at(list), "too-many", "the statement names more than "+strconv.Itoa(maxArtifacts)+" files")
		items = items[:room]
	}
	j.named += len(items)
	all := make([]artifact, 0, len(items))
	seen := make(map[string]bool, len(items))
	for i, n := range items {
		a, ok := j.artifact(role, field+"["+strconv.Itoa(i)+"]", n)
		if !ok {
			continue
		}
		if a.path != "" && path.Join(j.base, a.path) == j.e.Path {
			j.rows.Fail(a.field(), j.at(n.Get("name")), "names-itself", "is the statement itself")
			continue
		}
		id := cmp.Or(a.path, a.name)
		if id != "" && seen[id] {
			j.rows.Fail(a.field(), j.at(n.Get("name")), "name-twice", "is named twice")
			continue
		}
		seen[id] = true
		if a.path != "" {
			j.known[path.Join(j.base, a.path)] = true
		}
		all = append(all, a)
	}
	return all
}

// artifact reads one descriptor; label names it where its own name does not.
func (j *checker) artifact(role, label string, n *jsondoc.Node) (a artifact, ok bool) {
	a = artifact{role: role, node: n}
	if !n.Is(jsondoc.Object) {
		j.rows.Fail(label, j.at(n), "wrong-type", wrongType(n, jsondoc.Object))
		return a, false
	}
	switch name := n.Get("name"); {
	case name.Is(jsondoc.String):
		a.name, a.node = strings.Clone(name.Text()), name
		a.path = pathOf(a.name)
	case name != nil:
		j.rows.Fail(label+".name", j.at(name), "wrong-type", wrongType(name, jsondoc.String))
		return a, false
	}
	a.uri = strings.Clone(n.Get("uri").Text())
	if a.name != "" {
		label = a.role + ":" + a.name
	}
	if role == roleNote {
		if v := n.Get("value"); v.Is(jsondoc.String) && n.Get("digest") == nil {
			a.value = strings.Clone(v.Text())
			return a, true
		}
	}
	if !j.annotations(label, n.Get("annotations"), &a) {
		return a, false
	}
	return a, j.digests(label, n, &a)
}

// digests reads the DigestSet of a descriptor.
func (j *checker) digests(label string, n *jsondoc.Node, a *artifact) bool {
	a.digest = n.Get("digest")
	switch {
	case a.digest == nil && a.role == roleDependency && a.uri != "":
		return true // a pointer to something elsewhere
	case a.digest == nil:
		j.rows.Fail(label, j.at(n), "no-digest", "has no digest")
		return false
	case !a.digest.Is(jsondoc.Object):
		j.rows.Fail(label+".digest", j.at(a.digest), "wrong-type", wrongType(a.digest, jsondoc.Object))
		return false
	}
	for _, m := range a.digest.Members() {
		value := m.Value
		switch {
		case !value.Is(jsondoc.String):
			j.rows.Fail(label+".digest", j.at(value), "malformed-digest", wrongType(value, jsondoc.String))
			return false
		case m.Name == algSHA256 && !sha256Digits.MatchString(value.Text()):
			j.rows.Fail(label+".digest", j.at(value), "malformed-digest", "sha256 must be 64 lower-case hex digits")
			return false
		case m.Name == algBlob && !blobDigits.MatchString(value.Text()):
			j.rows.Fail(label+".digest", j.at(value), "malformed-digest", "gitBlob must be 40 or 64 lower-case hex digits")
			return false
		}
	}
	a.sha256 = strings.Clone(a.digest.Get(algSHA256).Text())
	a.blob = strings.Clone(a.digest.Get(algBlob).Text())
	if a.sha256 == "" && a.blob == "" && a.role != roleDependency {
		j.rows.Fail(label+".digest", j.at(a.digest), "unknown-digest", "has neither a sha256 nor a gitBlob")
		return false
	}
	return true
}

// annotations reads what this package adds to a descriptor. Those of others are theirs.
func (j *checker) annotations(label string, n *jsondoc.Node, a *artifact) bool {
	ours := n.Get(ownKey)
	if ours == nil {
		return true
	}
	bad := func(field string, n *jsondoc.Node, reason string) bool {
		j.rows.Fail(label+"."+field, j.at(n), "wrong-type", reason)
		return false
	}
	if !ours.Is(jsondoc.Object) {
		return bad("annotations", ours, wrongType(ours, jsondoc.Object))
	}
	if from := ours.Get("from"); from.Is(jsondoc.String) {
		a.from = strings.Clone(from.Text())
	}
	keys, value := ours.Get("keys"), ours.Get("canonical")
	if keys != nil {
		list, ok := words(keys)
		if !ok || len(list) == 0 || !slices.IsSorted(list) {
			return bad("keys", keys, "must be a sorted list of keys")
		}
		a.keys = list
	}
	if value != nil || keys != nil {
		sum := value.Get(algSHA256)
		if !sha256Digits.MatchString(sum.Text()) {
			j.rows.Fail(label+".canonical", j.at(cmpNode(value, ours)), "malformed-digest", "must have a sha256 of 64 lower-case hex digits")
			return false
		}
		a.canonical = strings.Clone(sum.Text())
	}
	return true
}

func cmpNode(n, otherwise *jsondoc.Node) *jsondoc.Node {
	if n == nil {
		return otherwise
	}
	return n
}

// words is a list of strings.
func words(n *jsondoc.Node) ([]string, bool) {
	if !n.Is(jsondoc.Array) {
		return nil, false
	}
	list := make([]string, len(n.Items()))
	for i, item := range n.Items() {
		if !item.Is(jsondoc.String) {
			return nil, false
		}
		list[i] = strings.Clone(item.Text())
	}
	return list, true
}

// input is the artifact as the result lists it.
func (a *artifact) input(path string) verify.Input {
	in := verify.Input{Role: a.role, Path: path, Recorded: short(a.name), Key: short(strings.Join(a.keys, ",")), Place: verify.PlaceInputs}
	if a.role == roleNote {
		return in // nothing rests on what it holds
	}
	in.Hash, in.Field = a.recorded(), short(a.field())
	if keys := strings.Join(a.keys, ","); a.canonical != "" && keys == in.Key { // not shortened
		in.Value = algSHA256 + ":" + a.canonical
	}
	if a.sha256 != "" {
		in.Hashes = verify.HashRaw
	}
	if a.role == roleSubject {
		in.Value = "" // a result is its bytes
		in.Subject, in.Place = true, verify.PlaceReport
	}
	return in
}
