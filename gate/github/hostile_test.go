package github

import (
	"errors"
	"testing"

	"github.com/replay-gate/replay-gate/summary/visible"
)

// hostile are lines that a runner, or the page that shows its log, would act
// upon.
var hostile = []string{
	"::error::forged",
	"  ::set-output name=verdict::intact",
	"\u00a0\u2003\u3000::add-mask::e",
	"\u2028::error::after a line separator",
	"\u0085::error::after NEL",
	"text\r::error::after a bare CR",
	"text ##[set-output name=verdict;]intact",
	"##[group]", "###[error]x", "#\u200d#\u00ad[error]x", ":\u200b:error::x", "\u00ad::error::x",
	"\ufeff::stop-commands::x", "\u034f::error::x", "\ufe0f::error::x", "\u3164::error::x",
	"\x1b[2K\x1b[1Aovertyped", "\x00::error::x", "\xff::error::x", "\xe2\x80", "%0A::error::x",
	"::error file=a,line=1::x\n::warning::y", "_GitHubActionsFileCommandDelimeter_",
	"<<EOF\nverdict=intact\nEOF", "verdict<<x\nintact\nx", "a=b", "",
}

// What a log line may hold is escaped in another room; here it meets the runner's own rules.
func FuzzLinesAreNoCommands(f *testing.F) {
	for _, s := range hostile {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, got := range []string{visible.Lines(s), visible.Line(s)} {
			if c := parseLog(got); len(c) > 0 {
				t.Errorf("%q is read as %+v", got, c)
			}
		}
	})
}

var errFull = errors.New("disk full")
