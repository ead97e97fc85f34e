package canonical

import (
	"bytes"
	"fmt"
	"os"
	"testing"
)

// tokenFile is a design token file of about 5 KB, the usual input.
func tokenFile(b *testing.B) []byte {
	b.Helper()
	text, err := os.ReadFile("testdata/vectors/realistic/token-25-cedar-column.yml")
	if err != nil {
		b.Fatal(err)
	}
	for n := 0; len(text) < 5000; n++ {
		more := bytes.ReplaceAll(text, []byte("\n"), []byte("\n  "))
		text = append(text, fmt.Sprintf("\nmore%d:\n  %s\n", n, more)...)
	}
	return text
}

// largeFile is a list of records of about 1 MB.
func largeFile() []byte {
	var text bytes.Buffer
	for i := 0; text.Len() < 1_000_000; i++ {
		fmt.Fprintf(&text, "- id: item-%d\n  price: %d.50 # EUR\n  tags: [red, \"blue\", 'green']\n  text: >-\n    The first line of item %d\n    and the second.\n  nested: {a: 1, b: true, c: null}\n", i, i, i)
	}
	return text.Bytes()
}

func benchmarkHash(b *testing.B, text []byte) {
	b.Helper()
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Hash(text); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkToken5KB(b *testing.B) { benchmarkHash(b, tokenFile(b)) }

func BenchmarkYAML1MB(b *testing.B) { benchmarkHash(b, largeFile()) }
