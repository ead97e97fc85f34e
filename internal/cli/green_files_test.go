package cli

import (
	"os"
	"path"
	"strings"
)

// What becomes of evidence as a file: it fails under the name of what happened to it, and
// the same bytes on the base make that pre-existing.
var greenFiles = []greenRow{
	{
		name: "a sidecar that breaks off", edit: func(s *scene) { s.put(sidecarOf("a"), s.read(sidecarOf("a"))[:400]) },
		exit: 2, fails: []string{"a json truncated introduced"}, verdict: "unchecked",
	},
	{
		name: "a sidecar emptied", edit: func(s *scene) { s.put(sidecarOf("a"), "") },
		exit: 2, fails: []string{"a json empty introduced"},
	},
	{
		name: "a byte order mark before a sidecar", edit: func(s *scene) { s.put(sidecarOf("a"), "\ufeff"+s.read(sidecarOf("a"))) },
		exit: 2, fails: []string{"a json byte-order-mark introduced"},
	},
	{
		name: "conflict markers in a sidecar",
		edit: func(s *scene) {
			s.edit(sidecarOf("a"), `  "kind"`, "<<<<<<< ours\n=======\n>>>>>>> theirs\n  \"kind\"")
		},
		exit: 2, fails: []string{"a json conflict-markers introduced"},
	},
	{
		name: "a pointer of Git LFS for a sidecar",
		edit: func(s *scene) {
			s.put(sidecarOf("a"), "version https://git-lfs.github.com/spec/v1\noid sha256:"+strings.Repeat("a", 64)+"\nsize 12\n")
		},
		exit: 2, fails: []string{"a json lfs-pointer introduced"},
	},
	{
		name: "a broken sidecar that was broken before", base: func(h house) { h[sidecarOf("a")] = h[sidecarOf("a")][:400] },
		edit:  func(s *scene) { s.edit("tokens/swiss.yml", "red", "blue") },
		fails: []string{"a json truncated pre-existing"},
	},
	{
		name: "drifted before, and now no JSON at all", base: func(h house) { h.edit("tokens/swiss.yml", "red", "blue") },
		edit: func(s *scene) { s.put(sidecarOf("a"), "no JSON at all") },
		exit: 2, fails: []string{"a json broken-json introduced"},
	},
	{
		name: "a token that is no YAML any more, where it had drifted before", base: func(h house) { h.edit("tokens/swiss.yml", "red", "blue") },
		edit: func(s *scene) { s.put("tokens/swiss.yml", "id: [\n") },
		exit: 1, fails: []string{"a token.hash cannot-judge introduced"},
	},
	{
		name: "the marks of a sidecar gone", edit: func(s *scene) { s.put(sidecarOf("a"), "{}\n") },
		exit: 1, fails: []string{
			"a ahd_commit missing introduced", "a ahd_version missing introduced", "a argv missing introduced", "a brief missing introduced",
			"a conditions missing introduced", "a git_dirty missing introduced", "a invoked_at missing introduced", "a kind missing introduced",
			"a models missing introduced", "a node_version missing introduced", "a platform missing introduced",
			"a sampling missing introduced", "a schema_version missing introduced", "a token missing introduced",
			"a recorded rewritten introduced",
		},
	},
	{
		name: "a newer schema", edit: func(s *scene) { s.edit(sidecarOf("a"), `"schema_version": 1`, `"schema_version": 2`) },
		exit: 2, fails: []string{"a schema_version unsupported-version introduced"},
	},
	{
		name: "some other tool's file at a default glob",
		edit: func(s *scene) {
			s.put("infra/main.plan.json", `{"terraform_version":"1.9.0"}`)
			s.put("perf/run.trace.json", `{"traceEvents":[]}`)
			s.put("docs/decisions/0001.json", `{"title":"Use Go","status":"accepted"}`)
		},
	},
	{
		name: "a folder in the place of a sidecar", edit: func(s *scene) { s.remove(sidecarOf("a")); s.put(sidecarOf("a")+"/x", "x") },
		exit: 1, fails: []string{"a evidence removed introduced"},
	},
	{
		name: "a folder in the place of a token", edit: func(s *scene) { s.remove("tokens/swiss.yml"); s.put("tokens/swiss.yml/x", "x") },
		exit: 1, fails: []string{"a token.path unreadable introduced", "a token.hash not-compared introduced"},
	},
	{
		name: "a named pipe in the place of a sidecar", treeOnly: true,
		edit: func(s *scene) { s.remove(sidecarOf("a")); s.pipe(sidecarOf("a")) },
		exit: 1, fails: []string{"a evidence removed introduced"},
	},
	{
		name: "a sidecar without a report", edit: func(s *scene) { s.remove(reportOf("a")) },
		also: []string{"a warn report report-missing"},
	},
	{
		name: "a sidecar that may not be read", treeOnly: true, edit: func(s *scene) { s.unreadable(sidecarOf("a")) },
		exit: 3, fails: []string{"a evidence unreadable unknown"}, verdict: "unchecked",
	},
	{
		name: "a token that may not be read", treeOnly: true, edit: func(s *scene) { s.unreadable("tokens/swiss.yml") },
		exit: 3, fails: []string{"a token.path unreadable unknown", "a token.hash not-compared unknown", "a evidence unreadable unknown"}, verdict: "unchecked",
	},
	{
		name: "a blob that git lacks, of a token on the base",
		edit: func(s *scene) { s.lose("base:tokens/swiss.yml"); s.edit("tokens/swiss.yml", "red", "blue") },
		exit: 1, fails: []string{"a token.hash hash-differs unknown"},
	},
	{
		name: "a blob that git lacks, of a token that drifted on the base", base: func(h house) { h.edit("tokens/swiss.yml", "red", "blue") },
		edit: func(s *scene) { s.lose("base:tokens/swiss.yml"); s.edit("tokens/swiss.yml", "blue", "pink") },
		exit: 1, fails: []string{"a token.hash hash-differs unknown"},
	},
	{
		name: "a blob that git lacks, of a sidecar on the base",
		edit: func(s *scene) {
			s.edit(sidecarOf("a"), `"n": 30`, `"n": 300`)
			s.lose("base:" + sidecarOf("a"))
		},
		exit: 3, fails: []string{"a base base-unreadable unknown"}, verdict: "unchecked",
	},
	{
		name: "an object that is empty, of a sidecar on the base",
		edit: func(s *scene) {
			s.edit(sidecarOf("a"), `"n": 30`, `"n": 300`)
			s.spoil("base:"+sidecarOf("a"), "")
		},
		exit: 3, fails: []string{"a base base-unreadable unknown"}, verdict: "unchecked",
	},
	{
		name: "an object that is corrupt, of a sidecar on the base",
		edit: func(s *scene) {
			s.edit(sidecarOf("a"), `"n": 30`, `"n": 300`)
			s.spoil("base:"+sidecarOf("a"), "not compressed at all")
		},
		exit: 3, fails: []string{"a base base-unreadable unknown"}, verdict: "unchecked",
	},
	{
		name: "a blob that git lacks, of a sidecar that nobody touches", headOnly: true,
		edit: func(s *scene) { s.edit("README.md", "Nothing", "Still") },
		late: func(s *scene) { s.lose("base:" + sidecarOf("a")) },
		exit: 3, fails: []string{"a evidence unreadable unknown"},
	},
	{
		name: "a sparse checkout without the evidence",
		edit: func(s *scene) {
			s.Git("sparse-checkout", "set", "--no-cone", "/*", "!/docs")
			s.edit("tokens/swiss.yml", "red", "blue")
		},
		exit: 1, fails: []string{"a token.hash hash-differs introduced"},
	},
	{
		name: "a sparse checkout without the tokens", edit: func(s *scene) {
			s.Git("sparse-checkout", "set", "--no-cone", "/*", "!/tokens")
			s.edit("README.md", "Nothing", "Still")
		},
	},
	{
		name: "evidence that git ignores is no part of the change", treeOnly: true,
		edit: func(s *scene) {
			s.put(".gitignore", "/scratch\n")
			s.put("scratch/new.replay.json", s.house.sidecar("new", run{token: "tokens/swiss.yml", tokenHash: "sha256:" + strings.Repeat("0", 64), at: "2026-04-01T10:00:00.000Z"}))
		},
	},
}

// lose takes a file's object out of git's store, as a partial clone has not got it.
func (s *scene) lose(rev string) {
	s.T.Helper()
	s.remove(s.object(rev))
}

// spoil replaces a file's object.
func (s *scene) spoil(rev, with string) {
	s.T.Helper()
	name := s.object(rev)
	s.chmod(name, 0o644)
	s.Write(name, with)
}

func (s *scene) object(rev string) string {
	s.T.Helper()
	id := s.Git("rev-parse", rev)
	return path.Join(".git/objects", id[:2], id[2:])
}

// unreadable makes a file one that can't be opened; root can open anything but what is no
// file, so a loop of links stands in for it there.
func (s *scene) unreadable(name string) {
	s.T.Helper()
	if os.Getuid() != 0 {
		s.chmod(name, 0)
		return
	}
	s.T.Skip("root may read anything")
}
