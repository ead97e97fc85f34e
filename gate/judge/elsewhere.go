package judge

import (
	"slices"

	"github.com/replay-gate/replay-gate/verify"
)

// elsewhere looks for recorded paths that lead to another file than on the base, though
// the evidence spells them the same.
func (p *pass) elsewhere(e *Account) {
	if p.isNew(e) {
		p.several(e)
		return
	}
	if len(p.Bases) == 0 || e.Bases[0] == nil || e.Bases[0] == e.Head {
		return
	}
	led := make(map[[2]string]verify.Input)
	for _, in := range e.Bases[0].Inputs {
		if in.Recorded != "" && in.Path != "" && !in.Missing {
			led[[2]string{in.Role, in.Recorded}] = in
		}
	}
	for _, in := range e.Head.Inputs {
		was, ok := led[[2]string{in.Role, in.Recorded}]
		if !ok || in.Path == "" || in.Path == was.Path {
			continue
		}
		field := in.Role + ".path"
		switch {
		case p.Bases[0].Renamed[in.Path] == was.Path, p.declaredMove(was.Path, in.Path):
			e.add(verify.Info, field, verify.Location{}, CodeMoved, "led to %s on the base, which was moved to %s", was.Path, in.Path)
		case p.noted(p.Head.Tree).Exists(was.Path):
			row := e.add(verify.Fail, field, verify.Location{}, CodeElsewhere, "leads to %s, and led to %s on the base, which is still there", in.Path, was.Path)
			row.Recorded, row.Observed, row.Input = in.Recorded, in.Path, in.Path
		default:
			e.add(verify.Warn, field, verify.Location{}, CodeElsewhere, "leads to %s; %s, to which it led on the base, is gone", in.Path, was.Path)
		}
	}
}

// gone looks for files that evidence was checked against on the base without pinning them,
// such as the snapshot beside a decision, and that are there no more: what is not checked any
// longer does not hold because of that. Pinned inputs answer for themselves, what is evidence
// or vouched for has rules of its own, and a kind that misses the file has said so.
func (p *pass) gone(e *Account) {
	if len(p.Bases) == 0 || e.Bases[0] == nil || e.Bases[0] == e.Head {
		return
	}
	for i, in := range e.Bases[0].Inputs {
		pinned := in.Recorded != "" || in.Hash != "" || in.Subject
		if pinned || in.Missing || in.Path == "" || p.bases[0].results[in.Path] != nil || p.noted(p.Head.Tree).Exists(in.Path) {
			continue
		}
		again := func(other verify.Input) bool { return other.Path == in.Path }
		other := func(now verify.Input) bool { return now.Role == in.Role && now.Path != "" }
		missed := func(c verify.Check) bool {
			return c.Input == in.Path && (c.Status == verify.Fail || c.Status == verify.Warn)
		}
		if slices.ContainsFunc(e.Bases[0].Inputs[:i], again) || slices.ContainsFunc(e.Head.Inputs, other) || slices.ContainsFunc(e.Head.Checks, missed) {
			continue
		}
		row := e.add(verify.Fail, in.Role, verify.Location{}, CodeGone, "was checked against %s on the base, which is gone", in.Path)
		row.Input = in.Path
	}
}

// declaredMove reports whether the settings say that old was moved to now, which counts
// while nothing lies at old: a second file that is declared to be the first would be a
// decoy with a permit. The tree answers for old with what lies at now, its list does not.
func (p *pass) declaredMove(old, now string) bool {
	return p.Moved[old] == now && !slices.Contains(p.noted(p.Head.Tree).Files(), old)
}

// several refuses recorded paths of new evidence that could lead to files of other content:
// which one the run read, nobody can tell, and a decoy may have come along with it.
func (p *pass) several(e *Account) {
	for _, in := range e.Head.Inputs {
		if in.Rival != "" {
			row := e.add(verify.Fail, in.Role+".path", verify.Location{}, CodeAmbiguous, "leads to %s, and could lead to %s, which is another file", in.Path, in.Rival)
			row.Recorded, row.Observed, row.Input = in.Recorded, in.Path, in.Path
		}
	}
}
