package secrets

import (
	"bytes"
	"context"
)

// Scrub replaces with [Redacted] everything that Assay takes for a secret, so that
// what remains passes its scan, and counts the replacements. In JSON, and in lines
// of JSON, it looks into the strings and stops at their ends: the result is JSON
// with the same members in the same places, and differs in those strings only.
//
// The value of a header such as "authorization" or "cookie" goes whole.
func Scrub(data []byte) (clean []byte, n int) {
	if isJSON(data) {
		clean, n = scrubJSON(data)
		if !holdsAssay(clean) {
			return clean, n
		}
		// No JSON is known that comes here; what Assay refuses must not stay.
		data = clean
	}
	clean, more := scrubText(data)
	return clean, n + more
}

// scrubText is Scrub for text of any other kind.
func scrubText(data []byte) (clean []byte, n int) {
	clean = data
	for {
		before := n
		for _, rule := range [...]string{RuleAuthorization, RuleBearer, RuleSecretKey} {
			spans, _ := assaySpans(context.Background(), clean, rule)
			clean, n = replaced(clean, spans), n+len(spans)
		}
		if n == before {
			return clean, n
		}
	}
}

// replaced is data with Redacted in place of the spans, which are sorted.
func replaced(data []byte, spans []span) []byte {
	if len(spans) == 0 {
		return data
	}
	clean, at := make([]byte, 0, len(data)), 0
	for _, s := range spans {
		clean = append(append(clean, data[at:s.start]...), Redacted...)
		at = s.end
	}
	return append(clean, data[at:]...)
}

// holdsAssay reports whether any of Assay's rules matches.
func holdsAssay(data []byte) bool {
	for _, rule := range [...]string{RuleAuthorization, RuleBearer, RuleSecretKey} {
		if spans, _ := assaySpans(context.Background(), data, rule); len(spans) > 0 {
			return true
		}
	}
	return false
}

// endsInBearer is where the word begins after which only white space follows to the
// end, or -1: in JSON, the closing quote would be the token.
func endsInBearer(text []byte) int {
	const word = "bearer"
	end := blanksBefore(text, len(text), 0)
	if end == len(text) || end < len(word) || !hasWord(text, end-len(word), word) {
		return -1
	}
	return end - len(word)
}

// isCredentialHeader reports whether a member's name is that of an HTTP header
// whose value is a credential.
func isCredentialHeader(name []byte) bool {
	for _, header := range [...]string{"authorization", "proxy-authorization", "cookie", "set-cookie", "x-api-key", "api-key"} {
		if bytes.EqualFold(name, []byte(header)) {
			return true
		}
	}
	return false
}
