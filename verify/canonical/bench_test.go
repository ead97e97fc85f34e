package canonical

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
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

// BenchmarkSHA256 is the hash of the bytes of a large input, read from a file, and in the
// same run openssl's over the same file, as a process: issue 17 wants 90 % of its speed.
func BenchmarkSHA256(b *testing.B) {
	if _, err := exec.LookPath("openssl"); err != nil {
		b.Skip("this compares with openssl")
	}
	const size = 64 << 20 // the largest that is read whole
	name := filepath.Join(b.TempDir(), "input")
	text := largeFile()
	if err := os.WriteFile(name, bytes.Repeat(text, size/len(text)), 0o644); err != nil {
		b.Fatal(err)
	}
	ours, theirs := time.Hour, time.Hour
	for b.Loop() {
		start := time.Now()
		data, err := os.ReadFile(name)
		if err != nil {
			b.Fatal(err)
		}
		sum := RawHash(data)
		ours = min(ours, time.Since(start))
		start = time.Now()
		out, err := exec.Command("openssl", "dgst", "-sha256", "-r", name).Output()
		if err != nil {
			b.Fatal(err)
		}
		theirs = min(theirs, time.Since(start))
		if hex, _, _ := strings.Cut(string(out), " "); "sha256:"+hex != sum {
			b.Fatalf("openssl says %s, and this says %s", hex, sum)
		}
	}
	b.ReportMetric(ours.Seconds()*1000, "ours-ms")
	b.ReportMetric(theirs.Seconds()*1000, "openssl-ms")
	b.ReportMetric(theirs.Seconds()/ours.Seconds(), "speed-ratio")
}
