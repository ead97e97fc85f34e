package secrets

import (
	"bytes"
	"context"
	"unicode"
	"unicode/utf8"
)

// The rules by which `assay bundle verify` refuses a bundle (Assay's replay/scrub).
// As expressions, with \s as Unicode has it:
//
//	(?im)^\s*Authorization\s*:\s*.+$
//	(?i)Bearer\s+\S+
//	sk[-_][A-Za-z0-9_-]{20,}
//
// What follows finds what the regexp package finds for them, in one pass. One place
// differs from Assay, towards finding more: at a byte that is not UTF-8, Assay's
// dot and Assay's class of other characters end, and ours go on.
const (
	RuleAuthorization = "assay/authorization-header"
	RuleBearer        = "assay/bearer"
	RuleSecretKey     = "assay/sk-key"
)

// span is a match of one of Assay's rules, and the secret in it.
type span struct {
	rule               string
	start, end, secret int // the secret ends with the match
}

// assayWords are what the rules' matches begin with, or hold before anything else.
var assayWords = map[string][]string{
	RuleAuthorization: {"authorization"}, RuleBearer: {"bearer"}, RuleSecretKey: {"sk-", "sk_"},
}

var assayFinders = map[string]func(data []byte, i, floor int) (span, bool){
	RuleAuthorization: header, RuleBearer: bearer, RuleSecretKey: secretKey,
}

// assayAt are the matches of one of Assay's rules in data, none of which overlap,
// given the places of its words.
func assayAt(ctx context.Context, data []byte, rule string, at []int32) (found []span, err error) {
	floor := 0
	for n, i := range at {
		if n%1024 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if s, ok := assayFinders[rule](data, int(i), floor); ok && int(i) >= floor {
			s.rule = rule
			found = append(found, s)
			floor = s.end
		}
	}
	return found, nil
}

// assaySpans is assayAt where the places are not known.
func assaySpans(ctx context.Context, data []byte, rule string) (found []span, err error) {
	first := rule[len("assay/")] // every rule is named by the word that it begins with
	floor, checked := 0, 0
	for i := 0; i < len(data); {
		if i-checked >= piece {
			checked = i
			if err := ctx.Err(); err != nil {
				return nil, err
			}
		}
		n := nextFold(data[i:min(i+piece, len(data))], first)
		if n < 0 {
			i += piece
			continue
		}
		i += n
		s, ok := assayFinders[rule](data, i, floor)
		if !ok {
			i++
			continue
		}
		s.rule = rule
		found = append(found, s)
		floor, i = s.end, max(s.end, i+1)
	}
	return found, nil
}

// nextFold is where the letter, which is lower-case ASCII, stands first in any case.
func nextFold(data []byte, letter byte) int {
	for i, c := range data {
		if c|0x20 == letter {
			return i
		}
	}
	return -1
}

// hasWord reports whether the word, which is lower-case ASCII, stands at i in any case.
func hasWord(data []byte, i int, word string) bool {
	if len(data)-i < len(word) {
		return false
	}
	for k := range len(word) {
		if data[i+k]|0x20 != word[k] {
			return false
		}
	}
	return true
}

// blanks is where the white space from i on ends.
func blanks(data []byte, i int) int {
	for i < len(data) {
		if c := data[i]; c < utf8.RuneSelf {
			if c != ' ' && (c < '\t' || c > '\r') {
				break
			}
			i++
			continue
		}
		r, n := utf8.DecodeRune(data[i:])
		if !unicode.IsSpace(r) {
			break
		}
		i += n
	}
	return i
}

// blanksBefore is where the white space up to i begins, not before floor.
func blanksBefore(data []byte, i, floor int) int {
	for i > floor {
		r, n := utf8.DecodeLastRune(data[floor:i])
		if !unicode.IsSpace(r) {
			break
		}
		i -= n
	}
	return i
}

// header is the match for a credential header whose name stands at i. It begins
// where the first line begins of those that hold nothing but blanks before it.
func header(data []byte, i, floor int) (span, bool) {
	const word = "authorization"
	if !hasWord(data, i, word) {
		return span{}, false
	}
	start := blanksBefore(data, i, floor)
	if start > 0 && data[start-1] != '\n' {
		n := bytes.IndexByte(data[start:i], '\n')
		if n < 0 {
			return span{}, false
		}
		start += n + 1
	}
	colon := blanks(data, i+len(word))
	if colon == len(data) || data[colon] != ':' {
		return span{}, false
	}
	value := blanks(data, colon+1)
	if value == len(data) {
		// Blanks only, and no line break may end the match: the last other blank.
		rest := bytes.TrimRight(data[colon+1:], "\n")
		if len(rest) == 0 {
			return span{}, false
		}
		end := colon + 1 + len(rest)
		return span{start: start, end: end, secret: end}, true
	}
	end := len(data)
	if n := bytes.IndexByte(data[value:], '\n'); n >= 0 {
		end = value + n
	}
	return span{start: start, end: end, secret: value}, true
}

// bearer is the match for a bearer token. Prose such as "the bearer of" is one, too.
func bearer(data []byte, i, floor int) (span, bool) {
	const word = "bearer"
	if i < floor || !hasWord(data, i, word) {
		return span{}, false
	}
	value := blanks(data, i+len(word))
	if value == i+len(word) || value == len(data) {
		return span{}, false
	}
	return span{start: i, end: notBlanks(data, value), secret: value}, true
}

// notBlanks is where the first white space from i on stands.
func notBlanks(data []byte, i int) int {
	for i < len(data) {
		if c := data[i]; c < utf8.RuneSelf {
			if c == ' ' || c >= '\t' && c <= '\r' {
				break
			}
			i++
			continue
		}
		r, n := utf8.DecodeRune(data[i:])
		if unicode.IsSpace(r) {
			break
		}
		i += n
	}
	return i
}

var isKey = setOf(wordBytes + "-")

// secretKey is the match for a key of the form that OpenAI and Stripe began with.
func secretKey(data []byte, i, floor int) (span, bool) {
	const shortest = 20
	if i < floor || len(data)-i < len("sk-")+shortest || data[i] != 's' || data[i+1] != 'k' || data[i+2] != '-' && data[i+2] != '_' {
		return span{}, false
	}
	end := i + len("sk-")
	for end < len(data) && isKey.has(data[end]) {
		end++
	}
	if end < i+len("sk-")+shortest {
		return span{}, false
	}
	return span{start: i, end: end, secret: i}, true
}

// minCredential is how long what follows "Bearer" is at least, in bytes, when it
// is a credential. RFC 6750, section 2.1, gives its characters and no length; the
// shortest in use have 20.
const minCredential = 20

// isCredential reports whether a match of Assay's rule for bearer tokens is more
// than prose: a long word of the characters of RFC 6750 (b64token), with a digit.
func isCredential(word []byte) bool {
	const b64token = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~+/="
	word = bytes.Trim(word, `"'`+"`,;:)>]}")
	return len(word) >= minCredential && len(bytes.Trim(word, b64token)) == 0 && bytes.ContainsAny(word, "0123456789")
}

// assayMatches are the matches of all of Assay's rules in data.
func assayMatches(data []byte) (all []span) {
	for _, rule := range [...]string{RuleAuthorization, RuleBearer, RuleSecretKey} {
		spans, _ := assaySpans(context.Background(), data, rule)
		all = append(all, spans...)
	}
	return all
}
