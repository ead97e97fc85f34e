package evalkit

import (
	"fmt"
	"path"
	"regexp"

	"github.com/replay-gate/replay-gate/verify"
)

// documentsHash is a hash as short as in the documentation's example.
var documentsHash = regexp.MustCompile(`^[0-9a-f]{1,15}$`)

// configHash judges whether the fixture was recorded for the target that the
// suite has now: by the declaration and what eval.config says beside the
// suite's name, else by any text in eval.config that gives the same hash. Two
// texts with one hash of 64 bits can't be chance. A targetVersion that was bumped without
// new fixtures fails, as the tool exits 3 on it ("bump targetVersion to invalidate
// fixtures").
func (j *checker) configHash() {
	n := j.metaNode("configHash")
	if n == nil {
		return
	}
	c := j.OK("_meta.configHash", j.line(1).spot(n), "")
	recorded := n.Text()
	if !isConfigHash(recorded) {
		c.Status, c.Code, c.Reason = verify.Fail, "malformed-hash", "not a config hash: must be 16 lower-case hex digits"
		if documentsHash.MatchString(recorded) {
			c.Reason += `; the page "Record & Replay" shortens the one of its example, and the tool none`
		}
		return
	}
	if j.metaNode("suiteId") == nil {
		return // the hash covers the suite's name; its own check has failed
	}
	if s := j.f.suite(j.metaText("suiteId")); s != nil {
		c.Observed = configHash(j.suiteName(), s.TargetVersion)
		if c.Observed != recorded {
			c.Status, c.Code = verify.Fail, "hash-differs"
			c.Reason = fmt.Sprintf("recorded for another targetVersion: expected %s, recorded %s", c.Observed, recorded)
			j.rerecord(c)
			return
		}
		c.Reason = "matches the declared " + versionText(s.TargetVersion)
		if v := j.config.current(j.suiteName()); v != nil && configHash(j.suiteName(), v.version) != recorded {
			// The tool knows the config alone: the declaration is out of date.
			c.Status, c.Code, c.Observed = verify.Fail, "config-differs", configHash(j.suiteName(), v.version)
			c.Reason += ", but " + j.config.where(v.line) + " gives the suite " + versionText(v.version) + ": the tool refuses the fixture"
			j.rerecord(c)
		}
		return
	}
	found := j.config.recover(j.e.Tree, j.suiteName(), recorded)
	current := j.config.current(j.suiteName())
	switch {
	case current != nil:
		c.Observed = configHash(j.suiteName(), current.version)
		gives := j.config.where(current.line) + " gives the suite " + versionText(current.version)
		if c.Observed == recorded {
			c.Reason = gives
			return
		}
		c.Status, c.Code = verify.Fail, "config-differs"
		c.Reason = fmt.Sprintf("recorded for another targetVersion: %s, expected %s, recorded %s", gives, c.Observed, recorded)
		if found != nil {
			c.Reason += ", which is " + versionText(found.version)
		}
		j.rerecord(c)
	case found == nil && j.config == nil:
		c.Status, c.Code, c.Reason = verify.Info, "cannot-verify", "cannot be verified: no targetVersion known, and no eval.config found"
	case found == nil:
		c.Status, c.Code, c.Reason = verify.Info, "cannot-verify", "cannot be verified: nothing in "+j.config.base()+" gives this hash"
		c.Unproven = true
	case found.version == nil && j.config == nil:
		c.Status, c.Code, c.Reason = verify.Info, "not-compared", "recorded without a targetVersion; no eval.config found to compare with"
	default:
		c.Observed = recorded
		c.Reason = "matches " + versionText(found.version)
		if found.version != nil {
			c.Reason += " found in " + j.config.where(found.line)
		}
		if !found.only {
			c.Status, c.Code = verify.Info, "not-by-name"
			c.Reason += ", which may not be the suite's own"
		}
	}
}

// expectedHash is the hash that a fixture of this suite must have now, empty
// if that isn't known.
func (fx *fixture) expectedHash() string {
	if s := fx.f.suite(fx.metaText("suiteId")); s != nil {
		return configHash(fx.suiteName(), s.TargetVersion)
	}
	if v := fx.config.current(fx.suiteName()); v != nil {
		return configHash(fx.suiteName(), v.version)
	}
	return ""
}

func versionText(v *string) string {
	if v == nil {
		return "no targetVersion"
	}
	return "targetVersion " + quote(*v)
}

// base is the file's name for people.
func (c *evalConfig) base() string { return path.Base(c.path) }

func (c *evalConfig) where(line int) string {
	if line == 0 {
		return c.base()
	}
	return fmt.Sprintf("%s, line %d", c.base(), line)
}

// version is a targetVersion that eval.config was found to give; nil for none.
type version struct {
	version *string
	line    int  // of the text, 0 for none
	only    bool // nothing else in the file could be the suite's targetVersion
}

// current is the targetVersion that stands in the same object literal as the
// suite's name; nil if there is no such object, or more than one, or if it
// can't be told without running the file.
func (c *evalConfig) current(suite string) *version {
	if c == nil || suite == "" {
		return nil
	}
	object := c.objectOf(suite)
	if object == 0 {
		return nil
	}
	var v *version
	for i := range c.texts {
		t := &c.texts[i]
		switch {
		case t.object != object || t.key != "targetVersion" && t.key != spread:
		case t.computed || v != nil:
			return nil
		default:
			v = &version{version: &t.value, line: t.line}
		}
	}
	if v == nil && !c.truncated {
		v = &version{}
	}
	return v
}

type recoverKey struct{ config, suite, hash string }

// recover finds the targetVersion that gives a recorded hash: none, then the
// texts that follow "targetVersion", then any other text of eval.config.
func (c *evalConfig) recover(t *verify.Tree, suite, recorded string) *version {
	if configHash(suite, nil) == recorded {
		// An object with the suite's name would have been asked before: if it is
		// there, it may have a targetVersion that can't be read.
		return &version{only: c != nil && c.versions == 0 && !c.truncated && c.objectOf(suite) == 0}
	}
	if c == nil {
		return nil
	}
	return verify.Once(t, recoverKey{c.path, suite, recorded}, func(*verify.Tree) *version {
		for _, follows := range []bool{true, false} {
			for i := range c.texts {
				x := &c.texts[i]
				if !x.computed && (x.key == "targetVersion") == follows && configHash(suite, &x.value) == recorded {
					return &version{version: &x.value, line: x.line, only: follows && c.versions == 1 && !c.truncated}
				}
			}
		}
		return nil
	})
}
