package gate

import (
	"slices"

	"github.com/replay-gate/replay-gate/gate/repo"
	"github.com/replay-gate/replay-gate/summary"
	"github.com/replay-gate/replay-gate/verify"
)

// attribute turns the checks of the head into fields of the report. A FAIL that
// the base does not have is introduced, one that it has is pre-existing, and
// one that only the base has is fixed. base is nil when the evidence is new;
// baseKnown is false when the base can't be read at all.
func attribute(head, base *verify.Result, baseKnown bool) []summary.Field {
	before := failuresOf(base)
	fields := make([]summary.Field, len(head.Checks))
	for i, c := range head.Checks {
		fields[i].Check = c
	}
	// A field can fail in two rows (a repeated key, and a hash that differs), so
	// the same reason is looked for first; then, a field that failed before fails
	// again, whatever the reason.
	for _, same := range []func(a, b verify.Check) bool{
		func(a, b verify.Check) bool { return a.Field == b.Field && a.Code == b.Code },
		func(a, b verify.Check) bool { return a.Field == b.Field },
	} {
		for i := range fields {
			f := &fields[i]
			if f.Status == verify.Fail && f.Attribution == "" && before.take(f.Check, same) {
				f.Attribution = summary.PreExisting
			}
		}
	}
	for i := range fields {
		f := &fields[i]
		switch {
		case f.Attribution != "":
		case f.Status == verify.Fail && !baseKnown:
			f.Attribution = summary.Unknown
		case f.Status == verify.Fail:
			f.Attribution = summary.Introduced
		case before.take(f.Check, func(a, b verify.Check) bool { return a.Field == b.Field }):
			f.Attribution = summary.Fixed
		}
	}
	// What failed on the base and has no row at all any more.
	for _, c := range before {
		fields = append(fields, summary.Field{
			Check: verify.Check{
				Field: c.Field, Status: verify.OK,
				Reason:   "no longer fails; on the base: " + c.Reason,
				Location: verify.Location{Path: head.Path},
			},
			Attribution: summary.Fixed,
		})
	}
	return fields
}

// broughtBy attributes a FAIL that is about a single file as it is, and not about
// a recorded value: whoever touched the file brought it.
func (c *change) broughtBy(path string) summary.Attribution {
	switch {
	case !c.filesKnown:
		return summary.Unknown
	case slices.ContainsFunc(c.files, func(f repo.Change) bool { return f.Path == path }):
		return summary.Introduced
	}
	return summary.PreExisting
}

// failures are the FAILs of a base that nothing was matched with yet.
type failures []verify.Check

func failuresOf(r *verify.Result) failures {
	var fs failures
	if r != nil {
		for _, c := range r.Checks {
			if c.Status == verify.Fail {
				fs = append(fs, c)
			}
		}
	}
	return fs
}

// take removes the first failure that is the same as c, and reports whether
// there was one.
func (fs *failures) take(c verify.Check, same func(a, b verify.Check) bool) bool {
	i := slices.IndexFunc(*fs, func(b verify.Check) bool { return same(b, c) })
	if i < 0 {
		return false
	}
	*fs = slices.Delete(*fs, i, i+1)
	return true
}

// count sums fields.
func count(fields []summary.Field) summary.Counts {
	var n summary.Counts
	for _, f := range fields {
		switch f.Status {
		case verify.OK:
			n.OK++
		case verify.Fail:
			n.Fail++
		case verify.Warn:
			n.Warn++
		case verify.Info:
			n.Info++
		}
		switch f.Attribution {
		case summary.Introduced:
			n.Introduced++
		case summary.PreExisting:
			n.PreExisting++
		case summary.Unknown:
			n.Unknown++
		case summary.Fixed:
			n.Fixed++
		}
	}
	return n
}

func add(a, b summary.Counts) summary.Counts {
	return summary.Counts{
		OK: a.OK + b.OK, Fail: a.Fail + b.Fail, Warn: a.Warn + b.Warn, Info: a.Info + b.Info,
		Introduced: a.Introduced + b.Introduced, PreExisting: a.PreExisting + b.PreExisting,
		Unknown: a.Unknown + b.Unknown, Fixed: a.Fixed + b.Fixed,
	}
}
