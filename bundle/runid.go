package bundle

import (
	"path"
	"strings"

	"github.com/replay-gate/replay-gate/verify"
)

const maxRunName = 80

// RunID names the run that r recorded: its short name made safe, "-", and the
// first 12 hex digits of the evidence's sha256. The same run has the same name
// for ever; a run whose evidence could not be hashed ends in "-unread".
//
// The result consists of [A-Za-z0-9._-], is at most 93 bytes long, and starts
// with neither a dot nor a hyphen, so it is safe as a file name and as an
// argument.
func RunID(r verify.Result) string {
	name := r.Recording.Name
	if name == "" {
		name = path.Base(r.Path)
		name = strings.TrimSuffix(name, path.Ext(name))
	}
	safe := []byte(strings.Map(func(c rune) rune {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '.', c == '_', c == '-':
			return c
		}
		return '-'
	}, name))
	name = strings.TrimLeft(string(safe[:min(len(safe), maxRunName)]), ".-")
	if name == "" {
		name = "evidence"
	}
	hash := strings.TrimPrefix(r.SHA256, digestPrefix)
	if len(hash) < 12 {
		return name + "-unread"
	}
	return name + "-" + hash[:12]
}
