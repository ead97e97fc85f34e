package cli

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// vector lays a file of testdata into the house.
func (h house) vector(name, from string) {
	data, err := os.ReadFile(filepath.Join("../../testdata", from))
	if err != nil {
		panic(err)
	}
	h[name] = string(data)
}

const (
	greeting = ".eval-fixtures/smoke-04d588cb/greeting-18f6b020.jsonl"
	evalConf = "export default { suites: [{ name: \"smoke\", targetVersion: \"v2.0.0\", cases: [{ id: \"greeting\" }] }] };\n"
	original = "runs/original.outcomes.json"
	replayed = "runs/replay-ok.outcomes.json"
)

func fixtures(h house) {
	h.vector(greeting, "evalkit/vectors/valid/"+greeting)
	h["eval.config.ts"] = evalConf
}

// renamedSuite is the fixture of smoke as one of suite smoky, under the name that the tool
// gives it: the first 8 hex digits of the name's SHA-256, and the first 16 of that of suite
// and targetVersion.
func renamedSuite(text string) (name, renamed string) {
	sum := func(text string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(text))) }
	hash := func(suite string) string { return sum(`{"suiteName":"` + suite + `","targetVersion":"v2.0.0"}`)[:16] }
	text = strings.ReplaceAll(text, `"suiteId":"smoke"`, `"suiteId":"smoky"`)
	return ".eval-fixtures/smoky-" + sum("smoky")[:8] + "/greeting-18f6b020.jsonl", strings.ReplaceAll(text, hash("smoke"), hash("smoky"))
}

func trace(h house) { h.vector("runs/it.trace.json", "aos/vectors/sdk-trace/idempotent.trace.json") }

func golden(h house) {
	for _, end := range []string{"", ".sig"} {
		h.vector("runs/run-ok.steps.jsonl"+end, "aos/vectors/workflow-golden/run-ok.steps.jsonl"+end)
	}
}

// The same rules for every kind.
var greenKinds = []greenRow{
	{name: "a fixture that nobody touches", base: fixtures, edit: func(s *scene) { s.edit("README.md", "Nothing", "Still") }},
	{
		name: "a fixture's answer edited", base: fixtures, edit: func(s *scene) { s.edit(greeting, "Agent response", "A better response") },
		exit: 1, fails: []string{"greeting-18f6b020 recorded.output.text rewritten introduced"},
	},
	{
		name: "a fixture edited and moved at once", base: fixtures,
		edit: func(s *scene) {
			s.edit(greeting, "Agent response", "A better response")
			s.move(".eval-fixtures", "packages/agent/.eval-fixtures")
			s.move("eval.config.ts", "packages/agent/eval.config.ts")
		},
		exit: 1, fails: []string{"greeting-18f6b020 recorded.output.text rewritten introduced"},
	},
	{
		name: "a suite moved with its fixtures", base: fixtures,
		edit: func(s *scene) {
			s.move(".eval-fixtures", "packages/agent/.eval-fixtures")
			s.move("eval.config.ts", "packages/agent/eval.config.ts")
		},
	},
	{
		name: "a target version bumped without new fixtures", base: fixtures,
		edit: func(s *scene) { s.edit("eval.config.ts", "v2.0.0", "v3.0.0") },
		exit: 1, fails: []string{"greeting-18f6b020 _meta.configHash config-differs introduced"},
	},
	{
		name: "a target version bumped behind a constant", base: func(h house) {
			fixtures(h)
			h["eval.config.ts"] = "const version = \"v2.0.0\";\nexport default { suites: [{ name: \"smoke\", targetVersion: version, cases: [{ id: \"greeting\" }] }] };\n"
		},
		edit: func(s *scene) { s.edit("eval.config.ts", "v2.0.0", "v3.0.0") },
		exit: 1, fails: []string{"greeting-18f6b020 _meta.configHash config-differs introduced"},
	},
	{
		name: "a suite renamed with its fixtures, recorded again", base: fixtures,
		edit: func(s *scene) {
			s.edit("eval.config.ts", `"smoke"`, `"smoky"`)
			name, text := renamedSuite(s.read(greeting))
			s.put(name, strings.Replace(text, "Agent response", "Another response", 1))
			s.remove(greeting)
		},
		also: []string{"greeting-18f6b020 warn evidence removed"},
	},
	{
		name: "a suite renamed, and its fixtures by hand", base: fixtures,
		edit: func(s *scene) {
			s.edit("eval.config.ts", `"smoke"`, `"smoky"`)
			name, text := renamedSuite(s.read(greeting))
			s.put(name, text)
			s.remove(greeting)
		},
		also: []string{"greeting-18f6b020 warn evidence removed"},
	},
	{
		name: "a suite renamed, its fixtures kept", base: fixtures,
		edit: func(s *scene) { s.edit("eval.config.ts", `"smoke"`, `"smoky"`) },
		also: []string{"greeting-18f6b020 warn _meta.suiteId unlisted-suite"},
	},
	{
		name: "a suite renamed, its fixtures kept, strict", base: fixtures, args: []string{"--strict-fixtures"},
		edit: func(s *scene) { s.edit("eval.config.ts", `"smoke"`, `"smoky"`) },
		exit: 1, fails: []string{"greeting-18f6b020 _meta.suiteId unlisted-suite introduced", "greeting-18f6b020 age stale pre-existing"},
	},
	{
		name: "a case added without a fixture", base: fixtures,
		edit: func(s *scene) {
			s.edit("eval.config.ts", `{ id: "greeting" }`, `{ id: "greeting" }, { id: "farewell" }`)
		},
		also: []string{"greeting-18f6b020 warn suite.cases case-without-fixture"},
	},
	{
		name: "a suite added without a fixture, strict", base: fixtures, args: []string{"--strict-fixtures"},
		edit: func(s *scene) { s.edit("eval.config.ts", `] }] }`, `] }, { name: "late", cases: [{ id: "x" }] }] }`) },
		exit: 1, fails: []string{"greeting-18f6b020 suite.fixtures suite-without-fixture introduced", "greeting-18f6b020 age stale pre-existing"},
	},
	{
		name: "a target version behind what nobody can tell", base: fixtures,
		edit: func(s *scene) { s.edit("eval.config.ts", `"v2.0.0"`, `version()`) },
		exit: 1, fails: []string{"greeting-18f6b020 _meta.configHash cannot-verify introduced"},
	},
	{
		name: "a fixture deleted, its case kept", base: fixtures, edit: func(s *scene) { s.remove(greeting) },
		exit: 1, fails: []string{"greeting-18f6b020 evidence removed introduced"},
	},
	{
		name: "a fixture and its case deleted together", base: fixtures,
		edit: func(s *scene) {
			s.remove(greeting)
			s.put("eval.config.ts", "export default { suites: [] };\n")
		},
		also: []string{"greeting-18f6b020 warn evidence removed"},
	},
	{
		name: "a trace's seed edited", base: trace, edit: func(s *scene) { s.edit("runs/it.trace.json", `"seed":42`, `"seed":43`) },
		exit: 1, fails: []string{"it root_hash hash-differs introduced", "it recorded redated introduced"},
	},
	{
		name: "a trace's checksum deleted together with an edit", base: trace,
		edit: func(s *scene) {
			s.edit("runs/it.trace.json", `"outcome":"success"`, `"outcome":"failure"`)
			s.edit("runs/it.trace.json", `"root_hash":"0352499b09289dcc6521cbe4138f4901f178cccaea7f13bd74ae3d9b09b0eb40",`, "")
		},
		exit: 1, fails: []string{"it root_hash missing introduced", "it recorded.steps[0].outcome rewritten introduced"},
	},
	{
		name: "a trace deleted", base: trace, edit: func(s *scene) { s.remove("runs/it.trace.json") },
		also: []string{"it warn evidence removed"},
	},
	{
		name: "a golden's signature deleted together with an edit", base: golden,
		edit: func(s *scene) { s.remove("runs/run-ok.steps.jsonl.sig") },
		exit: 1, fails: []string{"run-ok recorded..sig rewritten introduced"},
	},
	{
		name: "the original of a pair of outcomes deleted", base: func(h house) {
			for _, name := range []string{"original.outcomes.json", "replay-ok.outcomes.json", "replay-ok.trace.json", "plan.json"} {
				h.vector("runs/"+name, "aos/vectors/doc-derived/"+name)
			}
		},
		edit: func(s *scene) { s.remove(original) },
		exit: 1, fails: []string{"original evidence removed introduced"},
	},
	{
		name: "a decision turned round", base: decided,
		edit: func(s *scene) { s.edit("runs/01.decision.json", "deepseek-v4-pro", "deepseek-v4-prx") },
		exit: 1, fails: []string{"01 chosen.model_family not-the-answering-model introduced", "01 recorded.chosen.model_family rewritten introduced"},
	},
	{
		name: "a decision's policy term and fingerprint taken out", base: decided,
		edit: func(s *scene) { s.edit("runs/01.decision.json", `"policy_fingerprint"`, `"old_fingerprint"`) },
		exit: 1, fails: []string{"01 recorded.decision_trace.policy_fingerprint rewritten introduced"},
	},
	{
		name: "a decision's snapshot edited", base: decided,
		edit: func(s *scene) { s.edit("runs/01.snapshot.json", `"price_out": 1.5`, `"price_out": 0.001`) },
		exit: 1, fails: []string{
			"01 snapshot.price price-differs introduced", "01 snapshot.ranked[1] ranked-differs introduced",
			"01 snapshot.ranked[2] ranked-differs introduced", "01 snapshot.ranked[3] ranked-differs introduced",
		},
	},
	{
		name: "a decision's snapshot deleted", base: decided, edit: func(s *scene) { s.remove("runs/01.snapshot.json") },
		exit: 1, fails: []string{"01 snapshot input-missing introduced"},
	},
	{
		name: "a decision moved with its snapshot", base: decided,
		edit: func(s *scene) {
			s.move("runs/01.decision.json", "kept/01.decision.json")
			s.move("runs/01.snapshot.json", "kept/01.snapshot.json")
		},
	},
	{
		name: "a decision deleted with its snapshot", base: decided,
		edit: func(s *scene) { s.remove("runs/01.decision.json", "runs/01.snapshot.json") },
		also: []string{"01 warn evidence removed"},
	},
	{
		name: "a decision deleted, its snapshot kept", base: decided,
		edit: func(s *scene) { s.remove("runs/01.decision.json") },
		also: []string{"01 warn evidence removed"},
	},
}

// decided lays a decision and its snapshot into the house, as a repository holds them.
func decided(h house) {
	data, err := os.ReadFile("../../testdata/decision/traces/01-quickstart-cheapest.json")
	if err != nil {
		panic(err)
	}
	var vector map[string]json.RawMessage
	if err := json.Unmarshal(data, &vector); err != nil {
		panic(err)
	}
	h["runs/01.decision.json"], h["runs/01.snapshot.json"] = string(vector["result"]), string(vector["snapshot"])
}
