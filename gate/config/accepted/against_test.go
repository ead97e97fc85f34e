package accepted

import (
	"testing"
)

// An entry for any value whose glob covers all evidence of a kind is refused, and said; one
// for a value, for a path, or for a part is not.
func TestAgainst(t *testing.T) {
	t.Parallel()
	all := map[string][]string{"ahd": {"d/a", "d/b"}, "dvc": {"x/dvc.lock"}}
	for _, tc := range []struct {
		name, file string
		kinds      map[string][]string
		refused    bool
	}{
		{"all of a kind", entry("evidence: d/*", "observed: '*'"), all, true},
		{"all of a kind, by the value", entry("evidence: d/*"), all, false},
		{"a part of it", entry("evidence: d/a*", "observed: '*'"), all, false},
		{"by its path", entry("evidence: d/a", "observed: '*'"), map[string][]string{"ahd": {"d/a", "d/a"}}, false},
		{"the only one of a kind", entry("evidence: x/*.lock", "observed: '*'"), all, false},
		{"no evidence", entry("evidence: d/*", "observed: '*'"), nil, false},
	} {
		l := Parse([]byte(tc.file), now)
		if len(l.Entries()) != 1 {
			t.Fatalf("%s: %s", tc.name, shown(l.checks))
		}
		l.Against(tc.kinds)
		checks := l.Checks(nil, false)
		if refused := len(l.Entries()) == 0; refused != tc.refused || refused != (len(checks) == 1 && checks[0].Code == codeOverBroad) {
			t.Errorf("%s: %d entries, %s", tc.name, len(l.Entries()), shown(checks))
		}
	}
	var none *List
	none.Against(all)
	if none.Entries() != nil {
		t.Error("nothing has entries")
	}
}
