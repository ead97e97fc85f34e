package aos

import (
	"bytes"
	"slices"
	"strings"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/jsondoc"
)

// runKey is what the SDK's runs repeat when they are given the same: seed, tenant, plan.
type runKey string

// repeat is one of several runs that may be of the same.
type repeat struct {
	path  string
	key   runKey
	steps []hashedStep
}

type hashedStep struct{ skill, input, output string }

type seedsKey struct{}

// bySeed are the SDK traces of a tree by the text of their seeds, so that only those are
// parsed that may be runs of the same. What a verdict comes to rest on is the one trace
// that differs, and that is read again.
func bySeed(t *verify.Tree) map[string][]string {
	return verify.Once(t, seedsKey{}, func(t *verify.Tree) map[string][]string {
		t = t.Searching()
		all := make(map[string][]string)
		for _, name := range t.Files() {
			if !strings.HasSuffix(name, traceEnding) {
				continue
			}
			data, err := t.ReadFile(name, verify.MaxEvidence)
			if err != nil || !bytes.Contains(data, []byte(`"root_hash"`)) {
				continue
			}
			if seeds := seedsOf(data); len(all[seeds]) < maxSame {
				all[seeds] = append(all[seeds], name)
			}
		}
		return all
	})
}

// seedsOf is what stands behind each "seed" of a text, sorted.
func seedsOf(data []byte) string {
	var seeds []string
	for _, rest := range bytes.Split(data, []byte(`"seed"`))[1:] {
		rest = bytes.TrimLeft(rest[:min(len(rest), 64)], ": \t\r\n")
		seeds = append(seeds, string(rest[:len(rest)-len(bytes.TrimLeft(rest, "-0123456789"))]))
	}
	slices.Sort(seeds)
	return verify.Shorten(strings.Join(seeds, " "), verify.MaxValue)
}

type repeatKey struct{ path string }

// repeatAt reads one trace, once.
func repeatAt(t *verify.Tree, name string) repeat {
	return verify.Once(t, repeatKey{name}, func(t *verify.Tree) repeat {
		f := open(t.Searching(), name)
		if f.err != nil || f.kind != kindSDKTrace || f.doc.Err != nil {
			return repeat{path: name}
		}
		return repeat{name, f.runKey(), f.hashedSteps()}
	})
}

// runKey is empty for a trace without a plan: it does not say what it was given.
func (f *file) runKey() runKey {
	root := f.doc.Root
	plan := root.Get("plan")
	if len(plan.Items()) == 0 || !isInteger(root.Get("seed")) {
		return ""
	}
	text, _ := dumps(f.doc, plan, compact)
	return runKey(hexOf([]byte(strings.Join([]string{root.Get("seed").Text(), root.Get("tenant_id").Text(), string(text)}, "\x00"))))
}

func (f *file) hashedSteps() []hashedStep {
	var steps []hashedStep
	for _, step := range f.doc.Root.Get("steps").Items() {
		text := func(name string) string { return strings.Clone(step.Get(name).Text()) }
		steps = append(steps, hashedStep{text("skill_id"), text("input_hash"), text("output_hash")})
	}
	return steps
}

// sdkDeterministic looks for another run of the same seed, plan and tenant in which a step
// of the same skill and input has another output ("Determinism = Given the same inputs, the system produces the same observable
// outputs", PIN-009). compared is one that has been compared already.
func (j *checker) sdkDeterministic(steps []*jsondoc.Node, compared *file) {
	key := j.runKey()
	if key == "" || j.doc.Err != nil {
		return
	}
	own := j.hashedSteps()
	for _, name := range bySeed(j.e.Tree)[seedsOf(j.data)] {
		if name == j.path || compared != nil && name == compared.path {
			continue
		}
		other := repeatAt(j.e.Tree, name)
		if other.key != key {
			continue
		}
		for i, here := range own {
			if i >= len(other.steps) || here.output == other.steps[i].output {
				continue
			}
			there := other.steps[i]
			if here.skill != there.skill || here.input != there.input || !j.e.Tree.Exists(other.path) {
				break // from here on the runs have other inputs
			}
			n := steps[i].Get("output_hash")
			c := j.Warn(at("steps", i, "output_hash"), j.spot(n), "not-deterministic",
				"the same seed, plan and tenant gave another output in "+verify.Shorten(other.path, 200))
			c.Observed, c.Input = verify.Shorten(there.output, verify.MaxValue), other.path
			return
		}
	}
}
