package canonical

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"
)

// The hash of a value is that of its canonical JSON, also where that is made in parts.
func TestHashOfLargeValues(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 100, 5000, 20_000} {
		var text strings.Builder
		for i := range n {
			fmt.Fprintf(&text, "k%05d: [%d, \"é\"]\n", i, i)
		}
		v, err := Parse([]byte(text.String()))
		if err != nil {
			t.Fatal(err)
		}
		json := AppendJSON(nil, v)
		sum := sha256.Sum256(json)
		got, err := Hash([]byte(text.String()))
		if want := "sha256:" + hex.EncodeToString(sum[:]); err != nil || got != want || !strings.HasPrefix(string(json), `{"k00000":[0,"é"]`) {
			t.Errorf("%d keys, %d bytes: %s, %v, want %s", n, len(json), got, err, want)
		}
	}
}

// Characters for private use stay what they are beside those that need a stand-in, which are
// such characters themselves.
func TestPrivateUseIsKept(t *testing.T) {
	t.Parallel()
	for _, private := range []string{"\uE000", "\uE001\uE000", "\uF8FF", "\uEFFF\uF000", "\uE04F", ""} {
		for _, text := range []string{`\/`, `\ud83d\ude00`, "\u0085"} {
			v, err := Parse([]byte("a: \"" + private + text + private + "\"\nb: '" + private + "'\n"))
			if err != nil {
				t.Errorf("%+q %+q: %v", private, text, err)
				continue
			}
			want := map[string]string{`\/`: "/", `\ud83d\ude00`: "😀", "\u0085": "\u0085"}[text]
			o := v.(*Object)
			a, _ := o.Get("a")
			b, _ := o.Get("b")
			if a != Value(private+want+private) || b != Value(private) {
				t.Errorf("%+q %+q: %+q, %+q", private, text, a, b)
			}
		}
	}
}

// Anchor names of all characters are written in those that yaml.v3 knows, byte by byte.
func TestPlainName(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"aZz09_-": "aZz09_-", "a.b": "axb", "A[B]{C}": "AxBxxCx", "a@b`c": "axbxc", "a/b:c": "axbxc", "é\"'": "é\"'", "": "",
	} {
		if got := plainName(name); got != want {
			t.Errorf("%s: %s", name, got)
		}
	}
}
