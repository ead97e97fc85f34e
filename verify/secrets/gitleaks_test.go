package secrets

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// We find what gitleaks finds: its own answers, written down by
// internal/interop-gitleaks, which also compares both on much more text.
func TestGitleaksVectors(t *testing.T) {
	t.Parallel()
	f, err := os.Open("testdata/gitleaks-8.26.0.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines, findings := bufio.NewScanner(f), 0
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var v struct {
			Text  []byte
			Found []string
		}
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		found, err := Scan(t.Context(), v.Text, Gitleaks)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range found {
			secret := base64.StdEncoding.EncodeToString(v.Text[f.Start:f.End])
			got = append(got, fmt.Sprintf("%d %s %s", f.Line, strings.TrimPrefix(f.Rule, "gitleaks/"), secret))
		}
		slices.Sort(got)
		if !slices.Equal(got, v.Found) {
			t.Errorf("%q: got %q, want %q", v.Text, got, v.Found)
		}
		findings += len(got)
	}
	if err := lines.Err(); err != nil || findings < 200 {
		t.Errorf("%d findings, %v", findings, err)
	}
}
