package cli

import (
	"os"
	"path"
	"slices"
	"strings"

	"github.com/replay-gate/replay-gate/gate"
	"github.com/replay-gate/replay-gate/gate/config"
	"github.com/replay-gate/replay-gate/gate/config/accepted"
	"github.com/replay-gate/replay-gate/gate/judge"
	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/ahd"
	"github.com/replay-gate/replay-gate/verify/secrets"
)

// picker chooses the rows that a call of accept means.
type picker struct {
	standing   *gate.Standing
	root       string
	introduced bool
	input      string   // from the root; empty for any
	evidence   []string // paths; nil for all
	fields     []string // nil for all
	refused    []string // what was meant and can't be accepted, for a person
}

// read sorts arguments into evidence, in any spelling and also removed, and fields.
func (p *picker) read(args []string, input string) error {
	if input != "" {
		var err error
		if p.input, err = below(p.root, input); err != nil {
			return err
		}
	}
	for _, arg := range args {
		rel, err := below(p.root, arg)
		if err != nil {
			return err
		}
		found := false
		for i := range p.standing.Evidence {
			if e := &p.standing.Evidence[i]; isCalled(e, rel) {
				p.evidence, found = append(p.evidence, e.Path), true
			}
		}
		_, statErr := os.Lstat(arg)
		switch {
		case found:
		case statErr == nil:
			return usage("name a piece of evidence, a report that has one beside it, or a folder", "%s is no evidence, and none lies there", arg)
		case strings.ContainsAny(arg, `/\`) && !p.isField(arg), strings.HasSuffix(arg, ".json"), strings.HasSuffix(arg, ".md"):
			return usage("name a piece of evidence, a report that has one beside it, or a folder", "%s: there is no such file", arg)
		default:
			p.fields = append(p.fields, arg)
		}
	}
	return nil
}

// isField reports whether a row has this name.
func (p *picker) isField(name string) bool {
	for _, e := range p.standing.Evidence {
		if slices.ContainsFunc(e.Rows, func(r judge.Row) bool { return r.Field == name }) {
			return true
		}
	}
	return false
}

// isCalled reports whether a path, from the root, means e: its own, that of what it vouches
// for, either without the ending, or a folder above.
func isCalled(e *judge.Account, p string) bool {
	if p == "." || e.Path == p || e.OldPath == p || e.Path == ahd.SidecarFor(p) || strings.HasPrefix(e.Path, p+"/") {
		return true
	}
	return slices.ContainsFunc(e.Head.Inputs, func(in verify.Input) bool { return in.Subject && in.Path == p })
}

// isAbout reports whether a row is about the input at p.
func isAbout(e *judge.Account, row judge.Row, p string) bool {
	return row.Input == p || slices.ContainsFunc(e.Head.Inputs, func(in verify.Input) bool {
		return in.Field == row.Field && in.Field != "" && in.Path == p
	})
}

// entries are those that accept what was meant, made from what they have in common.
func (p *picker) entries(common accepted.Entry) ([]accepted.Entry, error) {
	var list []accepted.Entry
	var failing, why []string
	for i := range p.standing.Evidence {
		e := &p.standing.Evidence[i]
		if p.evidence != nil && !slices.Contains(p.evidence, e.Path) {
			continue
		}
		for k, row := range e.Rows {
			if p.standing.Outcomes[i].Rows[k].Status != verify.Fail || p.introduced && row.Attribution == verify.PreExisting ||
				p.input != "" && !isAbout(e, row, p.input) {
				continue
			}
			if !slices.Contains(failing, row.Field) {
				failing = append(failing, row.Field)
			}
			switch {
			case p.fields != nil && !slices.Contains(p.fields, row.Field):
			case !e.Acceptable(row):
				p.refused = append(p.refused, row.Field+" of "+e.Path)
				why = append(why, row.Reason)
			default:
				entry := common
				entry.Evidence, entry.Field, entry.Observed = config.Literal(path.Clean(e.Path)), row.Field, observedFor(row)
				if !slices.Contains(list, entry) {
					list = append(list, entry)
				}
			}
		}
	}
	return list, p.nothing(list, failing, why)
}

// nothing says why there is nothing to accept, or that what was named is missing.
func (p *picker) nothing(list []accepted.Entry, failing, why []string) error {
	for _, f := range p.fields {
		if !slices.Contains(failing, f) && len(failing) > 0 {
			return usage("name one of those that fail: "+strings.Join(failing, ", "), "%s does not fail", f)
		}
	}
	switch {
	case len(list) > 0:
		return nil
	case len(p.refused) > 0:
		return usage("mend it; replay-gate verify tells more", "%s can't be accepted: %s", p.refused[0], why[0])
	case p.input != "":
		return usage("replay-gate gate names the inputs that evidence fails for", "nothing fails because of %s", p.input)
	case p.introduced:
		return usage("leave it as it is, or name the base with --base", "nothing fails that this change brought")
	}
	return usage("leave it as it is", "nothing fails, so that there is nothing to accept")
}

// observedFor is the value that an entry names. What is not observed, and what must not stand
// in a file for everybody, can only be accepted whatever it is.
func observedFor(row judge.Row) string {
	if strings.TrimSpace(row.Observed) == "" || secrets.Has(row.Observed, secrets.All) {
		return accepted.Any
	}
	return row.Observed
}
