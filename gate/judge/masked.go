package judge

import "strings"

// masked reports whether text is old with a secret in it masked.
func (p *pass) masked(old, text string) bool {
	return p.Secret != nil && masked(old, text) && p.Secret(old)
}

// masks are what people put in place of a secret.
var masks = []string{"[REDACTED]", "<redacted>", "***"}

// masked reports whether text is old with parts of it replaced by a mask.
func masked(old, text string) bool {
	for _, mask := range masks {
		parts := strings.Split(text, mask)
		if len(parts) < 2 || !strings.HasPrefix(old, parts[0]) || !strings.HasSuffix(old, parts[len(parts)-1]) {
			continue
		}
		rest, ok := old, true
		for _, part := range parts {
			var found bool
			if _, rest, found = strings.Cut(rest, part); !found {
				ok = false
				break
			}
		}
		if ok {
			return true
		}
	}
	return false
}
