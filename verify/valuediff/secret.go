package valuediff

import "github.com/replay-gate/replay-gate/verify/secrets"

// Masked stands for a value under a key that looks secret.
const Masked = "(masked)"

// LooksSecret reports whether a key names something that must not be shown (see
// [secrets.IsSecretName]).
func LooksSecret(key string) bool { return secrets.IsSecretName(key) }
