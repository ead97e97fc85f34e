package summary

import (
	"io"
	"testing"
)

// A pull request of the size that published ones have.
func BenchmarkMarkdown25(b *testing.B) { benchMarkdown(b, 25) }

// A page that has to leave most of its report out.
func BenchmarkMarkdown10000(b *testing.B) { benchMarkdown(b, 10_000) }

func benchMarkdown(b *testing.B, n int) {
	r := large(n)
	b.ReportAllocs()
	for b.Loop() {
		if Markdown(r, StepSummaryLimit) == "" {
			b.Fatal("empty page")
		}
	}
}

func BenchmarkTerminal25(b *testing.B) {
	r := large(25)
	b.ReportAllocs()
	for b.Loop() {
		if err := WriteTerminal(io.Discard, r, Terminal{Verbose: true}); err != nil {
			b.Fatal(err)
		}
	}
}
