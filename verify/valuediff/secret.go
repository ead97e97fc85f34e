package valuediff

import "strings"

// Masked stands for a value under a key that looks secret.
const Masked = "(masked)"

// secretParts make a key secret wherever they stand in it, once it is in lower
// case and without separators.
var secretParts = [...]string{
	"password", "passwd", "passphrase", "secret", "credential", "authorization", "bearer", "cookie",
	"apikey", "privatekey", "secretkey", "accesskey", "signingkey", "encryptionkey", "sshkey",
	"accesstoken", "authtoken", "apitoken", "refreshtoken", "idtoken", "sessiontoken", "githubtoken", "npmtoken",
	"connectionstring", "webhookurl", "dbpass", "sessionid", "sessionkey",
}

// secretKeys are secret only as the whole key: "author" is not "auth".
var secretKeys = [...]string{"auth", "pwd", "pat", "jwt"}

// LooksSecret reports whether a key names something that must not be shown:
// passwords, secrets, credentials, cookies, and keys and tokens that say what they
// open, such as apiKey, private_key, github-token.
//
// The bare words token, tokens and key are not secret, nor is max_tokens: in
// evidence a token is a style, and a model's tokens are its budget.
func LooksSecret(key string) bool {
	if len(key) > maxKey {
		key = key[:maxKey]
	}
	plain := strings.Map(func(r rune) rune {
		switch r {
		case '-', '_', '.', ' ':
			return -1
		}
		return r
	}, strings.ToLower(key))
	for _, k := range secretKeys {
		if plain == k {
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
