package secrets

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"
)

// Redacted stands for a secret. Assay's own scrubber writes "Bearer [REDACTED]",
// which its own rule then refuses; here nothing of the match stays.
const Redacted = "[REDACTED]"

// Masker takes secrets out of strings. It learns them from whole texts, so that it
// knows a secret also where a string holds one line of it, or the piece that was
// left when something was cut to its first kilobyte.
//
// It remembers every run of 8 bytes of every secret. What it gives never holds one,
// but for what tells nothing (one or two characters, repeated).
//
// It is safe for concurrent use.
type Masker struct {
	mu    sync.RWMutex
	seen  map[[sha256.Size]byte]bool
	grams grams
	short map[string]bool // secrets that have no such run
	cache *Cache          // of what was found in strings; nil for none
}

// New gives a masker that knows the secrets.
func New(secrets ...string) *Masker {
	m := &Masker{seen: make(map[[sha256.Size]byte]bool), short: make(map[string]bool)}
	for _, s := range secrets {
		m.remember(s)
	}
	return m
}

// Masker is [New] for a masker that remembers in c what it finds in the strings that it masks:
// many of them come again and again.
func (c *Cache) Masker() *Masker {
	m := New()
	m.cache = c
	return m
}

// Learn looks for secrets in a whole text, such as a file, a commit's subject or an
// author's name, and remembers them. A text is scanned once, however often it comes.
// It ends soon after ctx does, with its error.
func (m *Masker) Learn(ctx context.Context, text []byte) error {
	digest := sha256.Sum256(text)
	m.mu.RLock()
	seen := m.seen[digest]
	m.mu.RUnlock()
	if seen {
		return nil
	}
	found, err := Scan(ctx, text, All)
	if err != nil {
		return err
	}
	m.Remember(text, found)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.seen[digest] = true
	return nil
}

// Remember is [Masker.Learn] for a text that was scanned already.
func (m *Masker) Remember(text []byte, found []Found) {
	for _, f := range found {
		if !f.Prose {
			m.remember(string(text[f.Start:f.End]))
		}
	}
}

// shortestLearned is how long a secret is at least that is masked wherever it
// stands, in bytes; below it, words would be.
const shortestLearned = 6

// remember takes up the lines of a secret, as they are, and as JSON spells them.
func (m *Masker) remember(secret string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, line := range lines(secret) {
		m.learn(line)
		if plain := unescaped(line); plain != line {
			m.learn(plain)
		}
		if quoted, err := json.Marshal(line); err == nil && len(quoted) > len(line)+2 {
			m.learn(string(quoted[1 : len(quoted)-1]))
		}
	}
}

// lines are the lines of a secret without what frames a key: line breaks may be
// escaped, also twice.
var lineEnds = regexp.MustCompile(`\\*[\r\n]+|\\+r\\+n|\\+[nr]`)

func lines(secret string) (all []string) {
	if !strings.Contains(secret, "-----") && !strings.Contains(secret, "\n") {
		return []string{strings.TrimSpace(secret)}
	}
	for _, line := range lineEnds.Split(secret, -1) {
		line = strings.Trim(line, " \t\r\"',")
		if line != "" && !strings.HasPrefix(line, "-----") && !strings.HasPrefix(line, "Proc-Type:") && !strings.HasPrefix(line, "DEK-Info:") {
			all = append(all, line)
		}
	}
	return all
}

// unescaped is what JSON means by s.
func unescaped(s string) string {
	var plain string
	if strings.IndexByte(s, '\\') < 0 || json.Unmarshal([]byte(`"`+s+`"`), &plain) != nil {
		return s
	}
	return plain
}

func (m *Masker) learn(s string) {
	switch {
	case len(s) >= gram:
		m.grams.add(s)
	case len(s) >= shortestLearned:
		m.short[s] = true
	}
}

// Mask replaces with [Redacted] all of s that belongs to a secret: of those that
// were learned every piece of 8 bytes and more, and what the rules find in s itself.
func (m *Masker) Mask(s string) string {
	return string(m.mask([]byte(s)))
}

func (m *Masker) mask(s []byte) []byte {
	hidden := m.known(s)
	find := Scan
	if m.cache != nil {
		find = m.cache.Find
	}
	found, _ := find(context.Background(), s, All)
	for _, f := range found {
		if f.Prose || f.Start == f.End {
			continue
		}
		if hidden == nil {
			hidden = make([]bool, len(s))
		}
		for i := f.Start; i < f.End; i++ {
			hidden[i] = true
		}
	}
	if hidden == nil {
		return s
	}
	return blackened(s, hidden)
}

// known marks the bytes of s that belong to a secret that was learned; nil if none does.
func (m *Masker) known(s []byte) (hidden []bool) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	mark := func(from, to int) {
		if hidden == nil {
			hidden = make([]bool, len(s))
		}
		for i := from; i < to; i++ {
			hidden[i] = true
		}
	}
	m.grams.runs(s, mark)
	if hidden != nil {
		readable(recordedHash.FindAllIndex(s, -1), hidden)
	}
	for word := range m.short {
		for from := 0; ; {
			i := bytes.Index(s[from:], []byte(word))
			if i < 0 {
				break
			}
			i += from
			from = i + len(word)
			if (i == 0 || !isWord.has(s[i-1])) && (from == len(s) || !isWord.has(s[from])) {
				mark(i, from)
			}
		}
	}
	return hidden
}

// readable keeps recorded hashes readable of which a piece is like one of a secret
// by chance; one that is a secret from end to end stays hidden.
func readable(hashes [][]int, hidden []bool) {
	for _, h := range hashes {
		digits := hidden[h[0]+len("sha256:") : h[1]]
		n := 0
		for _, h := range digits {
			if h {
				n++
			}
		}
		if n <= len(digits)/2 {
			clear(digits)
		}
	}
}

// blackened is s with what is hidden replaced. No character is cut in two.
func blackened(s []byte, hidden []bool) []byte {
	clean := make([]byte, 0, len(s))
	for i := 0; i < len(s); {
		_, n := utf8.DecodeRune(s[i:])
		if !anyOf(hidden[i : i+n]) {
			clean = append(clean, s[i:i+n]...)
			i += n
			continue
		}
		for i < len(s) && anyOf(hidden[i:i+n]) {
			i += n
			_, n = utf8.DecodeRune(s[i:])
		}
		clean = append(clean, Redacted...)
	}
	return clean
}

func anyOf(flags []bool) bool {
	for _, f := range flags {
		if f {
			return true
		}
	}
	return false
}
