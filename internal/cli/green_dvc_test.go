package cli

import (
	"crypto/md5" //nolint:gosec // DVC's own choice
	"fmt"
	"strings"
)

// pipeline lays a DVC pipeline of one stage into the house, as "dvc repro" records it.
func pipeline(h house) {
	h["src/train.py"], h["src/other.py"], h["metrics.json"], h["params.yaml"] = "train\n", "other\n", "{\"acc\": 0.71}\n", "lr: 0.1\nn: 3\n"
	h["dvc.yaml"] = "stages:\n  train:\n    cmd: python src/train.py\n    deps: [src/train.py, src/other.py]\n    params: [lr, n]\n    metrics: [{metrics.json: {cache: false}}]\n"
	entry := func(name string) string {
		return fmt.Sprintf("    - path: %s\n      hash: md5\n      md5: %x\n      size: %d\n", name, md5.Sum([]byte(h[name])), len(h[name])) //nolint:gosec // see above
	}
	h["dvc.lock"] = "schema: '2.0'\nstages:\n  train:\n    cmd: python src/train.py\n    deps:\n" + entry("src/other.py") + entry("src/train.py") +
		"    params:\n      params.yaml:\n        lr: 0.1\n        n: 3\n    outs:\n" + entry("metrics.json")
}

func better(s *scene) { s.edit("src/train.py", "train", "train better") }

const trainCode = "dvc stages.train.deps.src/train.py "

// A lock is no way to keep an old result of edited code: DVC looks away from what its users
// mute, and a change that edits and mutes at once has run nothing.
var greenDVC = []greenRow{
	{name: "nothing of a pipeline", base: pipeline},
	{name: "code edited", base: pipeline, edit: better, exit: 1, fails: []string{trainCode + "hash-differs introduced"}},
	{
		name: "code edited before", base: func(h house) { pipeline(h); h["src/train.py"] = "train better\n" },
		edit: func(s *scene) { s.edit("README.md", "Nothing", "Still nothing") }, fails: []string{trainCode + "hash-differs pre-existing"}, verdict: "drift",
	},
	{
		name: "a dependency dropped", base: pipeline, edit: func(s *scene) { s.edit("dvc.yaml", "src/train.py, src/other.py", "src/other.py") },
		also: []string{"dvc info stages.train.deps.src/train.py no-longer-listed"},
	},
	{
		name: "a dependency edited and dropped", base: pipeline,
		edit: func(s *scene) { better(s); s.edit("dvc.yaml", "src/train.py, src/other.py", "src/other.py") },
		exit: 1, fails: []string{trainCode + "no-longer-listed introduced"},
	},
	{
		name: "a stage frozen", base: pipeline, edit: func(s *scene) { s.edit("dvc.yaml", "    deps", "    frozen: true\n    deps") },
		also: []string{"dvc info stages.train.deps.src/train.py frozen"},
	},
	{
		name: "code edited, and its stage frozen", base: pipeline,
		edit: func(s *scene) { better(s); s.edit("dvc.yaml", "    deps", "    frozen: true\n    deps") },
		exit: 1, fails: []string{trainCode + "frozen introduced"},
	},
	{
		name: "code of a frozen stage edited", base: func(h house) { pipeline(h); h.edit("dvc.yaml", "    deps", "    frozen: true\n    deps") },
		edit: better, also: []string{"dvc info stages.train.deps.src/train.py frozen"},
	},
	{
		name: "a parameter dropped", base: pipeline, edit: func(s *scene) { s.edit("dvc.yaml", "[lr, n]", "[n]") },
		also: []string{"dvc info stages.train.params.params.yaml:lr no-longer-listed"},
	},
	{
		name: "a parameter edited and dropped", base: pipeline,
		edit: func(s *scene) { s.edit("params.yaml", "lr: 0.1", "lr: 0.9"); s.edit("dvc.yaml", "[lr, n]", "[n]") },
		exit: 1, fails: []string{"dvc stages.train.params.params.yaml:lr no-longer-listed introduced"},
	},
	{
		name: "a parameter edited, and all dropped", base: pipeline,
		edit: func(s *scene) {
			s.edit("params.yaml", "lr: 0.1", "lr: 0.9")
			s.edit("dvc.yaml", "    params: [lr, n]\n", "")
		},
		exit: 1, fails: []string{"dvc stages.train.params.params.yaml no-longer-listed introduced"},
	},
	{
		name: "a parameter edited, and its stage frozen", base: pipeline,
		edit: func(s *scene) {
			s.edit("params.yaml", "lr: 0.1", "lr: 0.9")
			s.edit("dvc.yaml", "    deps", "    frozen: true\n    deps")
		},
		exit: 1, fails: []string{"dvc stages.train.params.params.yaml frozen introduced"},
	},
	{
		name: "a command behind what nobody can tell", base: pipeline,
		edit: func(s *scene) { s.edit("dvc.yaml", "cmd: python src/train.py", "cmd: ${how}") },
		exit: 1, fails: []string{"dvc stages.train.cmd templated introduced"},
	},
	{
		name: "a stage in a folder that nobody can tell", base: pipeline,
		edit: func(s *scene) { better(s); s.edit("dvc.yaml", "    deps", "    wdir: ${where}\n    deps") },
		exit: 1, fails: []string{
			"dvc stages.train.cmd templated introduced", trainCode + "templated introduced", "dvc stages.train.deps.src/other.py templated introduced",
			"dvc stages.train.outs.metrics.json templated introduced", "dvc stages.train.outs.metrics.json removed introduced", "dvc stages.train.params.params.yaml templated introduced",
		},
	},
	{
		name: "code replaced by a pointer of Git LFS", base: pipeline,
		edit: func(s *scene) {
			s.put("src/train.py", "version https://git-lfs.github.com/spec/v1\noid sha256:"+strings.Repeat("a", 64)+"\nsize 6\n")
		},
		exit: 1, fails: []string{trainCode + "lfs introduced"},
	},
	{
		name: "the number edited by hand", base: pipeline, edit: func(s *scene) { s.edit("metrics.json", "0.71", "0.97") },
		exit: 1, fails: []string{"dvc stages.train.outs.metrics.json output-differs introduced"},
	},
	{
		name: "the number edited by hand, and no longer listed", base: pipeline,
		edit: func(s *scene) {
			s.edit("metrics.json", "0.71", "0.97")
			s.edit("dvc.yaml", "    metrics: [{metrics.json: {cache: false}}]\n", "")
		},
		exit: 1, fails: []string{"dvc stages.train.outs.metrics.json removed introduced"},
	},
	{
		name: "the pipeline deleted, the lock kept", base: pipeline, edit: func(s *scene) { better(s); s.remove("dvc.yaml") },
		exit: 1, fails: []string{"dvc stages.train.outs.metrics.json removed introduced"},
	},
	{
		name: "the stage renamed", base: pipeline, edit: func(s *scene) { better(s); s.edit("dvc.yaml", "  train:", "  fit:") },
		exit: 1, fails: []string{"dvc stages.fit never-run introduced"},
	},
	{
		name: "the stage removed with its output", base: pipeline,
		edit: func(s *scene) {
			s.put("dvc.yaml", "stages: {}\n")
			s.put("dvc.lock", "schema: '2.0'\nstages: {}\n")
			s.remove("metrics.json")
		},
	},
	{
		name: "code edited, and the stage led to copies of the old one", base: pipeline,
		edit: func(s *scene) {
			for _, name := range []string{"src/train.py", "src/other.py", "params.yaml", "metrics.json"} {
				s.put("copy/"+name, s.read(name))
			}
			better(s)
			s.edit("dvc.yaml", "    deps", "    wdir: copy\n    deps")
		},
		exit: 1, fails: []string{
			"dvc dep.path resolved-elsewhere introduced", "dvc dep.path resolved-elsewhere introduced", "dvc out.path resolved-elsewhere introduced",
			"dvc stages.train.outs.metrics.json removed introduced",
		},
	},
	{
		name: "all of it moved to a folder", base: pipeline,
		edit: func(s *scene) {
			for _, name := range []string{"dvc.yaml", "dvc.lock", "src", "metrics.json", "params.yaml"} {
				s.move(name, "model/"+name)
			}
		},
	},
}
