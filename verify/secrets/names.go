package secrets

import "strings"

// secretParts make a name secret wherever they stand in it, once it is in lower
// case and without separators.
var secretParts = [...]string{
	"password", "passwd", "passphrase", "secret", "credential", "authorization", "bearer", "cookie",
	"apikey", "privatekey", "secretkey", "accesskey", "signingkey", "encryptionkey", "sshkey",
	"accesstoken", "authtoken", "apitoken", "refreshtoken", "idtoken", "sessiontoken", "githubtoken", "npmtoken",
	"connectionstring", "webhookurl", "dbpass", "sessionid", "sessionkey",
}

// secretNames are secret only as the whole name: "author" is not "auth".
var secretNames = [...]string{"auth", "pwd", "pat", "jwt"}

// maxName bounds the part of a name that is looked at, in bytes.
const maxName = 120

// IsSecretName reports whether a key names something that must not be shown:
// passwords, secrets, credentials, cookies, and keys and tokens that say what they
// open, such as apiKey, private_key, github-token.
//
// The bare words token, tokens and key are not secret, nor is max_tokens: in
// evidence a token is a style, and a model's tokens are its budget.
func IsSecretName(name string) bool {
	if len(name) > maxName {
		name = name[:maxName]
	}
	plain := strings.Map(func(r rune) rune {
		switch r {
		case '-', '_', '.', ' ':
			return -1
		}
		return r
	}, strings.ToLower(name))
	for _, n := range secretNames {
		if plain == n {
			return true
		}
	}
	for _, part := range secretParts {
		if strings.Contains(plain, part) {
			return true
		}
	}
	return false
}

// nameWords are texts of which every secret name holds one.
var nameWords = []string{"pass", "secret", "credential", "auth", "bearer", "cookie", "key", "token", "string", "webhook", "session", "pwd", "pat", "jwt"}

// urlMark stands before what may be a user and a password.
const urlMark = "://"

// The rules for what a name or an address says is secret.
const (
	RuleNamed = "name/secret"
	RuleURL   = "name/url-password"
)

// maxNamed bounds a value that is found by its name, in bytes.
const maxNamed = 4 << 10

// named finds values under secret names ("DB_PASS=…", `"api_key": "…"`), and
// passwords in addresses.
func (s *ruleSet) named(text string, h *hits) (found []Found) {
	done := 0
	for _, at := range s.places(h, nameWords...) {
		i := int(at)
		if i < done {
			continue
		}
		from, to := i, i
		for from > 0 && i-from < maxName && isName.has(text[from-1]) {
			from--
		}
		to += run(text, i, &isName, maxName)
		done = to
		start, ok := assigned(text, to)
		if !ok || !IsSecretName(text[from:to]) {
			continue
		}
		start, end, ok := namedValue(text, start)
		if start, end = credentials(text, start, end); ok && isSecretValue(text[start:end], text[from:to]) {
			found = append(found, Found{Start: start, End: end, Rule: RuleNamed, from: from})
			done = max(done, end)
		}
	}
	for _, at := range s.places(h, urlMark) {
		if start, end, ok := urlPassword(text, int(at)+len(urlMark)); ok {
			found = append(found, Found{Start: start, End: end, Rule: RuleURL, from: int(at)})
		}
	}
	return found
}

// assigned reports whether a value follows the name that ends at i, and where.
func assigned(text string, i int) (start int, ok bool) {
	for n := 0; n < 2 && i < len(text) && (text[i] == '"' || text[i] == '\'' || text[i] == '\\'); n++ {
		i++
	}
	i += run(text, i, &isSpacing, maxGap)
	n := run(text, i, &isAssigning, 3)
	if n == 0 {
		return 0, false
	}
	i += n
	return i + run(text, i, &isSpacing, maxGap), true
}

var (
	isSpacing   = setOf(" \t")
	isAssigning = setOf(":=>")
	isBare      = setOf("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!#$%*+-./:=?@^_~&|(){}[]<>")
	isUser      = setOf("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!$%*+-._~&")
	isPassword  = setOf("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!#$%*+-.=?^_~&")
)

// namedValue is the value that begins at i: up to its closing quote, or the next
// blank, comma or semicolon.
func namedValue(text string, i int) (start, end int, ok bool) {
	limit := min(i+maxNamed, len(text))
	escaped := i < limit && text[i] == '\\'
	if escaped {
		i++
	}
	if i < limit && strings.IndexByte("\"'`", text[i]) >= 0 {
		quote := text[i]
		for end := i + 1; end < limit && text[end] != '\n'; end++ {
			switch {
			case text[end] == quote:
				if escaped && text[end-1] == '\\' {
					end--
				}
				return i + 1, end, true
			case text[end] == '\\' && !escaped:
				end++
			}
		}
		return i + 1, limit, false
	}
	end = i
	for end < limit && (text[end] >= 0x80 || isBare.has(text[end])) {
		end++
	}
	return i, end, end > i
}

// credentials are the value without the scheme before it (RFC 9110, section 11.4).
func credentials(text string, start, end int) (int, int) {
	scheme, _, _ := strings.Cut(text[start:end], " ")
	switch strings.ToLower(scheme) {
	case "basic", "bearer", "token", "digest", "apikey", "negotiate":
		after := start + len(scheme)
		value := after + run(text, after, &isSpacing, maxGap)
		if value == after {
			break
		}
		if end <= value {
			_, end, _ = namedValue(text, value)
		}
		return value, end
	}
	return start, end
}

// isSecretValue reports whether a value is more than a word, a number, a placeholder,
// or the name of the variable that holds the secret.
func isSecretValue(value, name string) bool {
	const shortest = 6
	if len(value) < shortest || strings.ContainsAny(value[:1], "$<{%*[(&") {
		return false
	}
	lower := strings.ToLower(value)
	for _, hint := range [...]string{"redacted", "masked", "${", "{{", "env.", "environ", "xxxx", "****", "changeme", "placeholder"} {
		if strings.Contains(lower, hint) {
			return false
		}
	}
	name = strings.ToLower(name)
	if strings.Contains(name, "pass") || strings.Contains(name, "pwd") {
		return lower != "string" && lower != "required" && lower != "optional" && lower != "unknown"
	}
	// Other names stand before prose and identifiers, too.
	return !strings.Contains(value, " ") && isVaried(value) && entropy(value) > 2.5
}

// isVaried reports whether a value has a digit, or letters of both cases behind its
// first: words have neither.
func isVaried(value string) bool {
	upper := strings.ToUpper(value)
	return strings.ContainsAny(value, "0123456789") || value[1:] != strings.ToLower(value[1:]) && value != upper && entropy(value) > 3
}

// urlPassword is the password in the address whose authority begins at i (RFC 3986,
// section 3.2.1).
func urlPassword(text string, i int) (start, end int, ok bool) {
	const longest, shortest = 256, 6
	i += run(text, i, &isUser, longest)
	if i >= len(text) || text[i] != ':' {
		return 0, 0, false
	}
	start = i + 1
	end = start + run(text, start, &isPassword, longest)
	if end == len(text) || text[end] != '@' || end-start < shortest || strings.ContainsAny(text[start:start+1], "$%*") {
		return 0, 0, false
	}
	return start, end, !strings.Contains(text[start:end], "${")
}
