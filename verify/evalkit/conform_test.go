package evalkit

import (
	"testing"

	"github.com/replay-gate/replay-gate/verify/verifytest"
)

func TestConform(t *testing.T) {
	files := suiteOf("a v1 20", "b v1 20")
	files["eval.config.ts"] = `export default { suites: [{ name: "smoke", targetVersion: "v1", cases: "cases.jsonl" }] }`
	files["cases.jsonl"] = "{\"id\": \"a\"}\n{\"id\": \"b\"}\n"
	path, _ := fixtureOf("a", "v1", 20)
	verifytest.Conform(t, Format{}, tree(files).FS(), path)
}

func TestConformDeclared(t *testing.T) {
	verifytest.Conform(t, smoke(), tree(map[string]string{greetingPath: greeting}).FS(), greetingPath)
}

func TestConformSuites(t *testing.T) {
	files := suiteOf("a v1 20", "b v1 20")
	other, text := otherFixture()
	files[other] = text
	files["eval.config.ts"] = `export default { suites: [{ name: "other", targetVersion: "v1", cases: [{ id: "o" }] },
		{ name: "smoke", targetVersion: "v1", cases: [{ id: "a" }, { id: "b" }] }, { name: "late", cases: [{ id: "x" }] }] }`
	for _, name := range []string{other, ".eval-fixtures/smoke-04d588cb/" + fixtureName("a") + fixtureEnding, ".eval-fixtures/smoke-04d588cb/" + fixtureName("b") + fixtureEnding} {
		verifytest.Conform(t, Format{}, tree(files).FS(), name)
	}
}
