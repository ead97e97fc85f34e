package secrets

import (
	"bytes"
	"cmp"
	"context"
	"regexp"
	"slices"
	"strings"
)

// Kinds says which rules are asked.
type Kinds uint8

// The kinds of rules.
const (
	Assay    Kinds = 1 << iota // those by which `assay bundle verify` refuses a bundle
	Gitleaks                   // the default configuration of gitleaks 8.26.0
	Forms                      // credentials that are recognised by their form, and private keys
	Names                      // values under names that say that they are secret
	All      = Assay | Gitleaks | Forms | Names
)

// Found is a secret in a text.
type Found struct {
	Start, End int // of the secret itself, in bytes
	Line       int // where the match of the rule starts, from 1
	// Rule is the kind and the rule, such as "assay/bearer", "gitleaks/github-pat",
	// "form/private-key", "name/secret".
	Rule string
	// Prose says that Assay's rule for bearer tokens matches words such as "the
	// bearer of": Assay refuses a bundle with it, and nobody has anything to hide.
	Prose bool

	from int // where the match starts
}

// Find finds all secrets in text, sorted by place. What two rules find is in it
// twice.
func Find(text []byte) []Found {
	found, _ := Scan(context.Background(), text, All)
	return found
}

// Scan is [Find] for some kinds of rules. It ends soon after ctx does, with its
// error. Its time and memory grow with the text's length and with nothing else.
//
// Recorded hashes ("sha256:" and 64 hex digits) are no secrets, but for Assay's
// rules.
func Scan(ctx context.Context, text []byte, kinds Kinds) ([]Found, error) {
	rules := gitleaks()
	masked := withoutHashes(string(text))
	h, err := rules.hits(ctx, masked)
	if err != nil {
		return nil, err
	}
	defer h.release()
	found, err := rules.assay(ctx, text, h, kinds)
	if err != nil {
		return nil, err
	}
	if kinds&^Assay != 0 {
		more, err := rules.others(ctx, masked, h, kinds)
		if err != nil {
			return nil, err
		}
		found = append(found, more...)
	}
	number(text, found)
	return found, ctx.Err()
}

// assay asks Assay's rules.
func (s *ruleSet) assay(ctx context.Context, text []byte, h *hits, kinds Kinds) (found []Found, err error) {
	for _, rule := range [...]string{RuleAuthorization, RuleBearer, RuleSecretKey} {
		if kinds&Assay == 0 && (kinds&Forms == 0 || rule != RuleAuthorization) {
			continue
		}
		spans, err := assayAt(ctx, text, rule, s.places(h, assayWords[rule]...))
		if err != nil {
			return nil, err
		}
		for _, s := range spans {
			f := Found{Start: s.secret, End: s.end, Rule: rule, from: s.start}
			if rule == RuleAuthorization {
				// A header's match may begin with the blank lines before it.
				f.from += len(text[s.start:s.end]) - len(bytes.TrimLeft(text[s.start:s.end], " \t\r\n\v\f"))
			}
			f.Prose = rule == RuleBearer && !isCredential(text[s.secret:s.end])
			found = append(found, f)
		}
	}
	return found, nil
}

// others asks the rules that are not to see recorded hashes.
func (s *ruleSet) others(ctx context.Context, text string, h *hits, kinds Kinds) (found []Found, err error) {
	leaks, err := s.find(ctx, text, h, kinds)
	if err != nil {
		return nil, err
	}
	for _, l := range leaks {
		id := l.rule.id
		if l.rule.kind() == Gitleaks {
			id = "gitleaks/" + id
		}
		found = append(found, Found{Start: l.secretStart, End: l.secretEnd, Rule: id, from: l.start})
	}
	if kinds&Forms != 0 {
		found = append(found, privateKeys(text, s.places(h, beginMark))...)
	}
	if kinds&Names != 0 {
		found = append(found, s.named(text, h)...)
	}
	return found, ctx.Err()
}

// number sorts what was found, and numbers the lines.
func number(text []byte, found []Found) {
	slices.SortStableFunc(found, func(a, b Found) int {
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.Start, b.Start), cmp.Compare(a.Rule, b.Rule))
	})
	line, at := 1, 0
	for i := range found {
		from := found[i].from
		if strings.HasPrefix(found[i].Rule, "gitleaks/") && from < len(text) && text[from] == '\n' {
			from++ // so gitleaks counts
		}
		if from > at {
			line += bytes.Count(text[at:from], []byte("\n"))
			at = from
		}
		found[i].Line = line
	}
}

// recordedHash is what evidence is full of, and what a rule for generic keys takes
// for one.
var recordedHash = regexp.MustCompile(`sha256:[0-9a-f]{64}`)

const hashSize = len("sha256:") + 64

// withoutHashes has blanks in place of recorded hashes.
func withoutHashes(text string) string {
	const start = "sha256:"
	var blanked []byte
	for at := strings.Index(text, start); at < len(text)-hashSize+1 && at >= 0; {
		end := at + len(start)
		if strings.Trim(text[end:at+hashSize], "0123456789abcdef") == "" {
			if blanked == nil {
				blanked = []byte(text)
			}
			end = at + hashSize
			copy(blanked[at:end], blankHash)
		}
		next := strings.Index(text[end:], start)
		if next < 0 {
			break
		}
		at = end + next
	}
	if blanked == nil {
		return text
	}
	return string(blanked)
}

var blankHash = strings.Repeat(" ", hashSize)

// Redact replaces in s what the rules of some kinds match, from where the match
// begins, with a text of the caller's.
func Redact(s string, kinds Kinds, with string) string {
	for {
		found, _ := Scan(context.Background(), []byte(s), kinds)
		if len(found) == 0 {
			return s
		}
		var b strings.Builder
		at := 0
		for _, f := range found {
			if f.End <= at {
				continue
			}
			b.WriteString(s[at:max(at, f.from)])
			b.WriteString(with)
			at = f.End
		}
		b.WriteString(s[at:])
		if b.Len() >= len(s) && b.String() == s {
			return s
		}
		s = b.String()
	}
}

// Has reports whether the rules of some kinds find anything in s.
func Has(s string, kinds Kinds) bool {
	found, _ := Scan(context.Background(), []byte(s), kinds)
	return len(found) > 0
}
