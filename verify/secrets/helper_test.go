package secrets

import (
	"strings"
	"testing"
)

// Secrets of twelve kinds. All are made up, and put together here so that no file
// holds one.
func kinds() map[string]string {
	line := func(seed string) string { return strings.Repeat(seed, 4) }
	pem := "-----BEGIN RSA " + "PRIVATE KEY-----\n" + line("MIIEvQIBADANBgkq") + "\n" + line("hkiG9w0BAQEFAASC") + "\n" + line("BKcwggSjAgEAAoIB") + "\nq7Zt0aQ=\n-----END RSA " + "PRIVATE KEY-----"
	return map[string]string{
		"github":        "ghp_" + "x7Kp2mQ9vT4wR8yL1nB6cD3fG5hJ0aZsE9Wu",
		"openai":        "sk-" + "proj4bT9xQ2mK7vL1nR8wZ5cY3",
		"aws id":        "AKIA" + "Q7X2M9K4L6P1R8T3",
		"aws secret":    "wJalr7tnFEMI0K7MDENGbPx" + "RfiCYzQ8k3Lm2Vn5T",
		"slack":         "xoxb-" + "123456789012-123456789012-AbCdEfGhIjKlMnOpQrStUvWx",
		"google":        "AIza" + "SyD4kQ9mX2vB7nL1pR8tW5zC3yF6hJ0gKaE",
		"jwt":           "eyJ" + "hbGciOiJIUzI1NiJ9.eyJ" + "zdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N",
		"npm":           "npm_" + "k3Jx9Qm2Zt7Lw1Rb6Yc4Vn8Hd5Pf0GsTa2Eu",
		"basic":         "dXNlcjpwYXNz" + "d29yZC0xMjM0",
		"password":      "tr0ub4dor" + "&3-Zebra!",
		"key":           "9f8e7d6c5b4a39281" + "706f5e4d3c2b1a0",
		"private key":   pem,
		"url password":  "s3cr3t-" + "Hunter2-x9",
		"quoted secret": `p4"ss\w0rd-` + `n8/Q`,
	}
}

// announced is how a secret stands in a file in which it is found.
func announced(kind, secret string) string {
	switch kind {
	case "aws secret":
		return "aws_secret_access_key = " + secret
	case "basic":
		return "Authorization: Basic " + secret
	case "password":
		return "DB_PASS=" + secret
	case "key":
		return "client-secret: \"" + secret + "\""
	case "url password":
		return "postgres://app:" + secret + "@db.internal:5432/x"
	case "quoted secret":
		return `{"password": "` + strings.NewReplacer(`"`, `\"`, `\`, `\\`).Replace(secret) + `"}`
	}
	return secret
}

// shows is a piece of 8 characters of a line of the secret that text holds, or "".
func shows(text, secret string) string {
	for _, line := range strings.Split(secret, "\n") {
		if strings.HasPrefix(line, "-----") {
			continue
		}
		for i := 0; i+gram <= len(line); i++ {
			if strings.Contains(text, line[i:i+gram]) {
				return line[i : i+gram]
			}
		}
	}
	return ""
}

func rulesOf(found []Found) (rules []string) {
	for _, f := range found {
		rules = append(rules, f.Rule)
	}
	return rules
}

func learned(t testing.TB, texts ...string) *Masker {
	t.Helper()
	m := New()
	for _, text := range texts {
		if err := m.Learn(t.Context(), []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	return m
}
