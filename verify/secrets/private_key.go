package secrets

import "strings"

const (
	beginMark = "-----begin"
	endMark   = "-----END"
	// maxLabel bounds the label of a private key (RFC 7468, section 3), and maxKey
	// what is taken for one key, in bytes.
	maxLabel = 100
	maxKey   = 64 << 10
)

// privateKeys finds private keys (RFC 7468), whole, over all their lines, also where
// the end was cut off, and where line breaks are escaped as in JSON. A first line
// alone is prose about keys.
func privateKeys(text string, at []int32) (found []Found) {
	floor := 0
	for _, a := range at {
		start := int(a)
		if start < floor {
			continue
		}
		body, ok := keyHeader(text, start)
		if !ok {
			continue
		}
		end := keyEnd(text, body)
		if end < 0 {
			continue
		}
		found = append(found, Found{Start: start, End: end, Rule: RulePrivateKey, from: start})
		floor = end
	}
	return found
}

// RulePrivateKey is the rule for private keys in PEM.
const RulePrivateKey = "form/private-key"

// keyHeader reports whether the first line of a private key stands at start, and
// where it ends.
func keyHeader(text string, start int) (end int, ok bool) {
	label := start + len(beginMark)
	n := strings.Index(text[label:min(label+maxLabel, len(text))], "-----")
	if n < 0 || text[start:label] != strings.ToUpper(beginMark) {
		return 0, false
	}
	name := strings.TrimSuffix(text[label:label+n], " BLOCK")
	if !strings.HasSuffix(name, "PRIVATE KEY") || strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 ") != "" {
		return 0, false
	}
	return label + n + len("-----"), true
}

// keyEnd is where the key ends whose first line ends at body: behind its last line,
// or where lines follow that are none of a key. It is -1 if nothing of a key is there.
func keyEnd(text string, body int) int {
	limit := min(body+maxKey, len(text))
	i := lineBreaks(text, body, limit)
	const shortest = 16
	if !strings.HasPrefix(text[i:limit], "Proc-Type:") && run(text[:limit], i, &isBase64, shortest) < shortest {
		return -1
	}
	end := i
	for i < limit {
		if strings.HasPrefix(text[i:limit], endMark) {
			i += len(endMark)
			if n := strings.Index(text[i:min(i+maxLabel, len(text))], "-----"); n >= 0 {
				return i + n + len("-----")
			}
			return i
		}
		line := i
		if colon := run(text[:limit], i, &isName, maxLabel); strings.HasPrefix(text[i+colon:limit], ": ") {
			for i < limit && text[i] != '\n' && text[i] != '\\' {
				i++
			}
		} else {
			i += run(text[:limit], i, &isBase64, -1)
		}
		if i == line {
			break
		}
		end = i
		next := lineBreaks(text, i, limit)
		if next == i {
			break
		}
		i = next
	}
	return end
}

var isBase64 = setOf(wordBytes[:len(wordBytes)-1] + "+/=")

// lineBreaks is where white space, also escaped, ends.
func lineBreaks(text string, i, limit int) int {
	for i < limit {
		switch {
		case text[i] == ' ' || text[i] >= '\t' && text[i] <= '\r':
			i++
		case text[i] == '\\' && i+1 < limit && strings.IndexByte(`nrt\`, text[i+1]) >= 0:
			i++
			for i < limit && text[i] == '\\' {
				i++
			}
			if i < limit && strings.IndexByte("nrt", text[i]) >= 0 {
				i++
			}
		default:
			return i
		}
	}
	return i
}

// NamesPrivateKey reports whether s holds the first line of a private key, be it
// prose or not.
func NamesPrivateKey(s string) bool {
	mark := strings.ToUpper(beginMark)
	for from := 0; ; {
		i := strings.Index(s[from:], mark)
		if i < 0 {
			return false
		}
		if _, ok := keyHeader(s, from+i); ok {
			return true
		}
		from += i + len(mark)
	}
}
