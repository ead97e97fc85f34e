package aos

import (
	"strings"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/jsondoc"
	"github.com/replay-gate/replay-gate/verify/secrets"
)

// holdsSecret reports whether s holds a credential that is recognised by its form,
// or the first line of a private key: in a golden even that has no business.
func holdsSecret(s string) bool {
	return secrets.Has(s, secrets.Forms) || secrets.NamesPrivateKey(s)
}

// sensitiveNames and sensitiveEndings are the members that AOS itself redacts
// elsewhere, but not in goldens (workflow golden).
var (
	sensitiveNames = []string{
		"password", "api_key", "apikey", "api_secret", "secret", "token", "access_token", "refresh_token",
		"authorization", "auth_token", "credential", "credentials", "private_key",
	}
	sensitiveEndings = []string{"_key", "_token", "_secret", "_password", "_credential"}
)

// secret looks for secrets in the names and strings of n. Their text is never
// shown.
func (run *goldenRun) secret(field string, n *jsondoc.Node) {
	switch n.Kind() {
	case jsondoc.String:
		if holdsSecret(n.Text()) {
			run.secrets.add(verify.Fail, field, n, "possible-secret", "possible secret: goldens are not redacted").Recorded = ""
		}
	case jsondoc.Array:
		for _, item := range n.Items() {
			run.secret(field, item)
		}
	case jsondoc.Object:
		for _, m := range n.Members() {
			before := len(run.secrets.rows.Checks) + run.secrets.more
			run.secret(field, m.Value)
			if len(run.secrets.rows.Checks)+run.secrets.more > before || !isText(m.Value) || !isSensitive(m.Name) {
				continue
			}
			if s := m.Value.Text(); s != "" && s != "[REDACTED]" {
				run.secrets.add(verify.Warn, field, m.Value, "sensitive-name", "the value of "+verify.Shorten(m.Name, 64)+" is not redacted").Recorded = ""
			}
		}
	}
}

func isSensitive(name string) bool {
	name = strings.ToLower(name)
	for _, e := range sensitiveEndings {
		if strings.HasSuffix(name, e) {
			return true
		}
	}
	return contains(sensitiveNames, name)
}
