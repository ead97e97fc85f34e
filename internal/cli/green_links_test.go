package cli

import (
	"os"
	"path/filepath"
	"syscall"

	"github.com/replay-gate/replay-gate/internal/gittest"
)

func (s *scene) pipe(name string) {
	s.T.Helper()
	if err := syscall.Mkfifo(s.Path(name), 0o644); err != nil {
		s.T.Skip(err)
	}
}

// through makes a's token a link to another file.
func through(h house) {
	h["shared/swiss.yml"] = h["tokens/swiss.yml"]
	h.link("tokens/swiss.yml", "../shared/swiss.yml")
}

// Inputs and evidence behind links and submodules: what a link leads to counts.
var greenLinks = []greenRow{
	{
		name: "a token behind a link", base: through,
		edit: func(s *scene) { s.edit("shared/swiss.yml", "red", "blue") },
		exit: 1, fails: []string{"a token.hash hash-differs introduced"},
	},
	{
		name: "a comment in a token behind a link", base: through,
		edit: func(s *scene) { s.edit("shared/swiss.yml", "id:", "# x\nid:") },
	},
	{
		name: "a link retargeted", base: func(h house) { through(h); h["shared/other.yml"] = "id: other\n" },
		edit: func(s *scene) { s.put("tokens/swiss.yml", linkMark+"../shared/other.yml") },
		exit: 1, fails: []string{"a token.hash hash-differs introduced"},
	},
	{
		name: "a link retargeted to a copy", base: func(h house) { through(h); h["shared/copy.yml"] = h["shared/swiss.yml"] },
		edit: func(s *scene) { s.put("tokens/swiss.yml", linkMark+"../shared/copy.yml") },
	},
	{
		name: "a token replaced by a link to its copy",
		edit: func(s *scene) {
			s.put("shared/swiss.yml", s.read("tokens/swiss.yml"))
			s.put("tokens/swiss.yml", linkMark+"../shared/swiss.yml")
		},
	},
	{
		name: "a token behind a linked folder",
		base: func(h house) {
			h["design/t/swiss.yml"] = h["tokens/swiss.yml"]
			h["design/t/green.yml"] = h["tokens/green.yml"]
			delete(h, "tokens/swiss.yml")
			delete(h, "tokens/green.yml")
			h.link("tokens", "design/t")
		},
		edit: func(s *scene) { s.edit("design/t/swiss.yml", "red", "blue") },
		exit: 1, fails: []string{"a token.hash hash-differs introduced"},
	},
	{
		name: "a linked folder retargeted",
		base: func(h house) {
			for _, name := range []string{"swiss.yml", "green.yml"} {
				h["one/"+name], h["two/"+name] = h["tokens/"+name], "id: two\n"
				delete(h, "tokens/"+name)
			}
			h.link("tokens", "one")
		},
		edit: func(s *scene) { s.put("tokens", linkMark+"two") },
		exit: 1, fails: []string{"a token.hash hash-differs introduced", "b token.hash hash-differs introduced"},
	},
	{
		name: "a chain of links", base: func(h house) {
			h["deep/swiss.yml"] = h["tokens/swiss.yml"]
			h.link("deep/second", "swiss.yml")
			h.link("first.yml", "deep/second")
			h.link("tokens/swiss.yml", "../first.yml")
		},
		edit: func(s *scene) { s.edit("deep/swiss.yml", "red", "blue") },
		exit: 1, fails: []string{"a token.hash hash-differs introduced"},
	},
	{
		name: "the middle of a chain retargeted", base: func(h house) {
			h["deep/swiss.yml"], h["deep/other.yml"] = h["tokens/swiss.yml"], "id: other\n"
			h.link("deep/second", "swiss.yml")
			h.link("tokens/swiss.yml", "../deep/second")
		},
		edit: func(s *scene) { s.put("deep/second", linkMark+"other.yml") },
		exit: 1, fails: []string{"a token.hash hash-differs introduced"},
	},
	{
		name: "a link that leads nowhere now", base: through,
		edit: func(s *scene) { s.remove("shared/swiss.yml") },
		exit: 1, fails: []string{"a token.path input-missing introduced", "a token.hash not-compared introduced"},
	},
	{
		name: "a link that leads out", base: through,
		edit: func(s *scene) { s.put("tokens/swiss.yml", linkMark+"../../outside.yml") },
		exit: 1, fails: []string{"a token.path unreadable introduced", "a token.hash not-compared introduced"},
	},
	{
		name: "a loop of links", base: through,
		edit: func(s *scene) { s.put("shared/swiss.yml", linkMark+"../tokens/swiss.yml") },
		exit: 1, fails: []string{"a token.path unreadable introduced", "a token.hash not-compared introduced"},
	},
	{
		name: "a sidecar that is a link, whose target changes",
		base: func(h house) { h["store/a.json"] = h[sidecarOf("a")]; h.link(sidecarOf("a"), "../../store/a.json") },
		edit: func(s *scene) { s.edit("store/a.json", `"n": 30`, `"n": 300`) },
		exit: 1, fails: []string{"a recorded.sampling.n rewritten introduced"},
	},
	{
		name: "a sidecar behind a linked folder",
		base: func(h house) {
			for _, name := range []string{sidecarOf("a"), reportOf("a"), sidecarOf("b"), reportOf("b")} {
				h["store/"+filepath.Base(name)] = h[name]
				delete(h, name)
			}
			h.link("docs/evals", "../store")
		},
		edit: func(s *scene) { s.edit("tokens/swiss.yml", "red", "blue") },
		exit: 1, fails: []string{"a token.hash hash-differs introduced"},
	},
	{
		name: "a sidecar replaced by a link to a re-pinned copy",
		edit: func(s *scene) {
			s.edit("tokens/swiss.yml", "red", "blue")
			s.put("store/a.json", s.house.sidecar("a", run{token: "tokens/swiss.yml", tokenHash: tokenHash(s.read("tokens/swiss.yml"))}))
			s.put(sidecarOf("a"), linkMark+"../../store/a.json")
		},
		exit: 1, fails: []string{"a recorded.token.hash rewritten introduced"},
	},
	{
		name: "a sidecar that becomes a link that leads out",
		edit: func(s *scene) { s.put(sidecarOf("a"), linkMark+"../../../outside.json") },
		exit: 2, fails: []string{"a evidence unreadable introduced"},
	},
	{
		name: "a report that is a link, whose number changes",
		base: func(h house) { h["store/a.md"] = h[reportOf("a")]; h.link(reportOf("a"), "../../store/a.md") },
		edit: func(s *scene) { s.edit("store/a.md", "71 %", "97 %") },
		exit: 1, fails: []string{"a report report-edited introduced"},
	},
	{
		name: "a token in a submodule whose commit the change moves", edit: submodule(true),
		exit: 1, fails: []string{"sub token.hash hash-differs introduced"},
	},
	{name: "a token in a submodule that stays", edit: submodule(false)},
	{
		name: "a token in a submodule that is not checked out", headOnly: true,
		edit: func(s *scene) {
			submodule(true)(s)
			s.Commit("moved")
			s.Git("submodule", "deinit", "-q", "-f", "vendor/design")
			s.remove(".git/modules")
		},
		exit: 3, fails: []string{"sub token.path unreadable unknown", "sub token.hash not-compared unknown", "sub evidence unreadable unknown"},
	},
}

// submodule adds a submodule that holds a token, and evidence that pins it, to the base,
// and moves its commit, to another version of the token or past it.
func submodule(other bool) func(s *scene) {
	return func(s *scene) {
		lib := gittest.New(s.T)
		lib.Write("swiss.yml", "id: lib\naccent: red\n")
		lib.Commit("one")
		s.Git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", lib.Dir, "vendor/design")
		if err := os.WriteFile(s.Path(".gitmodules"), []byte("[submodule \"vendor/design\"]\n\tpath = vendor/design\n\turl = ../design\n"), 0o644); err != nil {
			s.T.Fatal(err)
		}
		s.record("sub", run{token: "vendor/design/swiss.yml"})
		s.Commit("with a submodule")
		s.Git("tag", "-f", "base")
		if other {
			lib.Write("swiss.yml", "id: lib\naccent: blue\n")
		} else {
			lib.Write("other.yml", "id: other\n")
		}
		lib.Commit("two")
		s.Git("-C", "vendor/design", "pull", "-q", "--ff-only")
	}
}
