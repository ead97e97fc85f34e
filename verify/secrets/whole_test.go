package secrets

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// whole is what the rules find in a text when each looks at all of it, as gitleaks does: no
// anchors, no windows, nothing remembered from one match to the next.
func whole(t *testing.T, s *ruleSet, text string, h *hits) []leak {
	t.Helper()
	v := &verdicts{text: text, anywhere: s.anywhere}
	clear(h.wanted)
	for _, word := range h.touched {
		for _, i := range s.keyword[word] {
			h.wanted[i] = true
		}
	}
	for i, c := range s.rules {
		if !h.wanted[i] || c.kind() != Gitleaks {
			continue
		}
		for _, m := range c.regexp().FindAllStringIndex(text, -1) {
			v.asked = nil
			v.returnFrom, v.returnEnd = 0, 0
			v.match(c, m[0], m[1])
		}
	}
	return v.sorted()
}

func leaksOf(leaks []leak) []string {
	var all []string
	for _, l := range leaks {
		all = append(all, fmt.Sprintf("%s %d-%d %d-%d line %d", l.rule.id, l.start, l.end, l.secretStart, l.secretEnd, l.line))
	}
	return all
}

// What is looked for near the places where it can be is all that there is, wherever it stands:
// behind long words and long lines, at the end of a window, several times, and cut off.
func TestWindowsSeeTheWhole(t *testing.T) {
	t.Parallel()
	f, err := os.Open("testdata/gitleaks-8.26.0.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var texts []string
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var v struct {
			Text  []byte
			Found []string
		}
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		if len(v.Found) > 0 {
			texts = append(texts, string(v.Text))
		}
	}
	word, prose := strings.Repeat("x", reach+10), strings.Repeat("the key of it ", 400)
	for i := range texts {
		next := texts[(i+1)%len(texts)]
		text := []string{
			texts[i] + " " + texts[i] + "\r\n\n" + next, word + texts[i] + word, "é" + texts[i] + "\u2028" + word + "\n" + texts[i][:len(texts[i])*3/4],
			"\n\n" + texts[i] + "\n\n\n" + prose + next + prose,
		}[i%4]
		s := gitleaks()
		h, err := s.hits(t.Context(), text)
		if err != nil {
			t.Fatal(err)
		}
		got, err := s.find(t.Context(), text, h, Gitleaks)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := leaksOf(got), leaksOf(whole(t, s, text, h)); !slices.Equal(got, want) {
			t.Errorf("%.80q…: got\n%s\nwant\n%s", text, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		h.release()
	}
}
