package judge

import "testing"

// "**/" stands for no folder as well: a file at the root is found by the glob that finds it
// below folders (doublestar; DVC, "dvc.lock").
func TestEvidenceAtTheRoot(t *testing.T) {
	t.Parallel()
	for _, glob := range []string{"**/run.lock", "run.lock", "*.lock", "**/*.lock", "**"} {
		if !matcherOf([]string{glob}).matches("run.lock") {
			t.Errorf("%s does not find run.lock", glob)
		}
	}
}
