package cli

import "strings"

// Bases: several merge bases, and a base that moved on.
var greenBases = []greenRow{
	{
		name: "what the base did meanwhile is not this change's", headOnly: true,
		edit: func(s *scene) {
			s.Git("checkout", "-q", "-b", "work")
			s.edit("README.md", "Nothing", "Still nothing")
			s.Commit("work")
			s.Git("checkout", "-q", "main")
			blue(s)
			s.Commit("drift on main")
			s.Git("tag", "-f", "base")
			s.Git("checkout", "-q", "work")
		},
	},
	{
		name: "a criss-cross whose newest base is the drifted one", headOnly: true, edit: crissCross(true),
		exit: 1, fails: []string{"a token.hash hash-differs introduced"},
	},
	{
		name: "a criss-cross whose oldest base is the drifted one", headOnly: true, edit: crissCross(false),
		exit: 1, fails: []string{"a token.hash hash-differs introduced"},
	},
	{
		name: "a criss-cross with the drift in all bases", headOnly: true, base: func(h house) { h.edit("tokens/swiss.yml", "red", "blue") },
		edit: crissCross(false), fails: []string{"a token.hash hash-differs pre-existing"},
	},
	{
		name: "a base without any history in common", headOnly: true,
		edit: func(s *scene) {
			s.Git("checkout", "-q", "--orphan", "other")
			s.Commit("another beginning")
			blue(s)
		},
		exit: 1, fails: []string{"a token.hash hash-differs introduced"},
	},
}

// crissCross merges two branches into each other, so that they have two merge bases, of
// which one has a's token edited. The head has the edit, too.
func crissCross(newest bool) func(s *scene) {
	return func(s *scene) {
		drift := func() {
			if strings.Contains(s.read("tokens/swiss.yml"), "red") {
				blue(s)
			}
			s.put("drifted.md", "drifted\n")
			s.Commit("drifted")
		}
		plain := func() { s.put("plain.md", "plain\n"); s.Commit("plain") }
		one, two := drift, plain
		if newest {
			one, two = plain, drift
		}
		s.Git("checkout", "-q", "-b", "left")
		one()
		s.Git("checkout", "-q", "-b", "right", "main")
		two()
		s.Git("tag", "right-tip")
		s.At += 100
		s.Git("merge", "-q", "--no-ff", "-m", "left into right", "left")
		s.Git("checkout", "-q", "left")
		s.Git("merge", "-q", "--no-ff", "-m", "right into left", "right-tip")
		s.put("left.md", "left\n")
		s.Commit("more on the left")
		s.Git("tag", "-f", "base")
		s.Git("checkout", "-q", "right")
		s.put("right.md", "right\n")
	}
}
