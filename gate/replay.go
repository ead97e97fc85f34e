package gate

import (
	"context"
	"errors"
	"time"

	"github.com/replay-gate/replay-gate/bundle"
	"github.com/replay-gate/replay-gate/gate/reason"
	"github.com/replay-gate/replay-gate/summary"
	"github.com/replay-gate/replay-gate/verify"
)

// Replay judges the evidence of a bundle again, with the formats that the gate
// knows. now is the time for a bundle that names none. An error is always
// an *[Error].
func Replay(ctx context.Context, a *bundle.Archive, now time.Time) (*bundle.Replayed, error) {
	var recording verify.Recording // as it is: who asks for it runs it
	judge := judging(ctx, now, nil, newVeil(), &recording)
	r, err := bundle.Replay(ctx, a, carriedSettings(a).Formats, bundle.ReplayOptions{
		Records: Records(), Now: now, Judge: judge, Render: renderings, Rendering: summary.Rendering,
	})
	if ctx.Err() != nil {
		return nil, reason.Interrupted(ctx.Err())
	}
	if err != nil {
		return nil, BundleError(err)
	}
	r.Recording = recording
	return r, nil
}

// Records gives package bundle the form that verdicts have in outputs/summary.json.
func Records() bundle.Records {
	read := func(data []byte) (bundle.Record, error) {
		r, err := summary.ParseEvidenceSummary(data)
		if errors.Is(err, summary.ErrNoRecord) {
			return bundle.Record{}, bundle.ErrNoRecord
		}
		if err != nil {
			return bundle.Record{}, err
		}
		return bundle.Record{
			Kind: r.Kind, Evidence: r.Evidence, SHA256: r.SHA256, Strict: r.Strict,
			Verdict: string(r.Verdict), Unchecked: r.Unchecked, Checks: r.Checks,
		}, nil
	}
	return bundle.Records{
		Read: read,
		Of: func(r verify.Result, strict bool) (bundle.Record, error) {
			return read(summary.EvidenceSummary(summary.Tool{}, r, strict))
		},
	}
}

// BundleError makes the error of reading a bundle one that says how to exit: 2
// for a bundle that is refused, 3 for a disk that fails.
func BundleError(err error) *Error {
	var fe *bundle.FormatError
	var le *bundle.LimitError
	switch {
	case errors.As(err, &le):
		return &Error{Exit: ExitUsage, Reason: reason.Limit, Err: err,
			NextStep: "don't use it: no bundle of replay-gate is that large; get it from where it was made"}
	case errors.As(err, &fe):
		return &Error{Exit: ExitUsage, Reason: reason.Parse, Err: err,
			NextStep: "don't use it: get it again from where it was made, and see replay-gate bundle check"}
	}
	return reason.Infra(err)
}
