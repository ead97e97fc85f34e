package evalkit

import (
	"io/fs"
	"path"
	"strconv"

	"github.com/replay-gate/replay-gate/verify"
)

// replaySetting is what eval.config says under "replay" for a suite: in the suite's own
// object, else for all ("Record & Replay": replay: { ttlDays: 14 }). It is nil if that
// can't be told.
func (c *evalConfig) replaySetting(suite, key string) *configText {
	if c == nil || suite == "" {
		return nil
	}
	own := c.objectOf(suite)
	var ofSuite, ofAll []*configText
	for i := range c.texts {
		x := &c.texts[i]
		if x.key != key || c.parents[x.object].key != "replay" {
			continue
		}
		switch in := c.parents[x.object].object; {
		case in == own && own != 0:
			ofSuite = append(ofSuite, x)
		case !c.isSuite(in):
			ofAll = append(ofAll, x)
		}
	}
	found := ofSuite
	if len(found) == 0 {
		found = ofAll
	}
	if len(found) != 1 || found[0].computed {
		return nil
	}
	return found[0]
}

// isSuite reports whether an object literal is that of a suite.
func (c *evalConfig) isSuite(object int) bool { return c.parents[object].key == "suites" }

// ttlDays is after how many days the fixture is stale.
func (fx *fixture) ttlDays() int {
	suite := fx.metaText("suiteId")
	if s := fx.f.suite(suite); s != nil && s.TTLDays > 0 {
		return s.TTLDays
	}
	if x := fx.config.replaySetting(suite, "ttlDays"); x != nil {
		if n, err := strconv.Atoi(x.value); err == nil && n > 0 {
			return n
		}
	}
	return defaultTTLDays
}

// keepsRaw says where the suite is told to keep the target's raw response; empty if it is
// not.
func (fx *fixture) keepsRaw() string {
	suite := fx.metaText("suiteId")
	if s := fx.f.suite(suite); s != nil && s.StripRaw != nil {
		if *s.StripRaw {
			return ""
		}
		return "the suite declares stripRaw false"
	}
	if x := fx.config.replaySetting(suite, "stripRaw"); x != nil && x.value == "false" {
		return fx.config.where(x.line) + " sets stripRaw false"
	}
	return ""
}

// PatternsIn are globs in addition to [Format.Patterns]: of the folders that an
// eval.config of the tree names as its fixtureDir.
func (f Format) PatternsIn(t *verify.Tree) []string {
	var all []string
	for _, name := range configNames {
		for _, at := range t.Named(name) {
			c := findConfig(t, path.Dir(at))
			if c == nil || c.path != at {
				continue
			}
			for _, x := range c.texts {
				dir := path.Join(path.Dir(at), x.value)
				if x.key == "fixtureDir" && !x.computed && dir != path.Dir(at) && fs.ValidPath(dir) {
					all = append(all, literalGlob(dir)+"/**/*"+fixtureEnding)
				}
			}
		}
	}
	return all
}
