package dvc

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/replay-gate/replay-gate/verify"
)

// sum is the recorded hash of a text.
func sum(text string) string { return Hash([]byte(text), verify.HashMD5) }

// entryOf is an entry of a lock for a text.
func entryOf(path, text string) string {
	return fmt.Sprintf("    - path: %s\n      hash: md5\n      md5: %s\n      size: %d\n", path, sum(text), len(text))
}

// rest is a last stage that holds, so that nothing else breaks off.
const pipelineA = "stages:\n  a:\n    cmd: run a\n    deps: [in.csv]\n    outs: [m.json: {cache: false}]\n"

func lockA(deps, outs string) string {
	return "schema: '2.0'\nstages:\n  a:\n    cmd: run a\n    deps:\n" + deps + "    outs:\n" + outs
}

// notes/dvc.md and issue 15, row by row; each case is the whole tree and what is said of it
// apart from what is ok.
func TestRules(t *testing.T) {
	t.Parallel()
	out := entryOf("m.json", "{}\n")
	good := lockA(entryOf("in.csv", "1\n"), out)
	pointer := func(size int) string {
		return fmt.Sprintf("version https://git-lfs.github.com/spec/v1\noid sha256:%064d\nsize %d\n", 0, size)
	}
	with := func(lock string, more ...string) map[string]string {
		files := map[string]string{"dvc.yaml": pipelineA, "dvc.lock": lock, "m.json": "{}\n", "in.csv": "1\n"}
		for i := 0; i < len(more); i += 2 {
			files[more[i]] = more[i+1]
		}
		return files
	}
	without := func(name string, files map[string]string) map[string]string {
		delete(files, name)
		return files
	}
	tracked := func(hash string) string {
		return "outs:\n- md5: " + hash + "\n  size: 2\n  hash: md5\n  path: in.csv\n"
	}
	for name, tc := range map[string]struct {
		files map[string]string
		want  string
	}{
		"all holds": {with(good), ""},
		// Line ends: a Windows checkout is no drift, said once.
		"hashed with CRLF": {with(lockA(entryOf("in.csv", "1\r\n"), out)), "info line-ends line-ends\n"},
		"git holds CRLF":   {with(good, "in.csv", "1\r\n"), "info line-ends line-ends\n"},
		"CRLF and more":    {with(lockA(entryOf("in.csv", "2\r\n"), out)), "FAIL stages.a.deps.in.csv hash-differs\n"},
		// Not in git: the chain, then nothing.
		"not in git":                      {without("in.csv", with(good)), "info stages.a.deps.in.csv not-in-git\n"},
		"tracked by hand":                 {without("in.csv", with(good, "in.csv.dvc", tracked(sum("1\n")))), ""},
		"tracked by hand, replaced":       {without("in.csv", with(good, "in.csv.dvc", tracked(sum("2\n")))), "FAIL stages.a.deps.in.csv chain-broken\n"},
		"tracked by hand, in a conflict":  {without("in.csv", with(good, "in.csv.dvc", "<<<<<<< a\n"+tracked(sum("2\n")))), "FAIL stages.a.deps.in.csv unreadable\n"},
		"tracked by DVC 2":                {without("in.csv", with(good, "in.csv.dvc", strings.ReplaceAll(tracked(sum("2\n")), "  hash: md5\n", ""))), "info stages.a.deps.in.csv other-generation\n"},
		"gone from among its kind":        {without("in.csv", with(good, "other.csv", "")), "FAIL stages.a.deps.in.csv missing\n"},
		"ignored among its kind":          {without("in.csv", with(good, "other.csv", "", ".gitignore", "/in.csv\n")), "info stages.a.deps.in.csv not-in-git\n"},
		"result gone from among its kind": {without("m.json", with(good, "n.json", "")), "FAIL stages.a.outs.m.json missing\n"},
		// Git LFS: the size is known.
		"in LFS":            {with(good, "in.csv", pointer(2)), "info stages.a.deps.in.csv lfs\n"},
		"in LFS, replaced":  {with(good, "in.csv", pointer(3)), "FAIL stages.a.deps.in.csv size-differs\n"},
		"a folder there":    {without("in.csv", with(good, "in.csv/x", "")), "FAIL stages.a.deps.in.csv unreadable\n"},
		"a result by hand":  {with(good, "m.json", "{\"acc\": 1}\n"), "FAIL stages.a.outs.m.json output-differs\n"},
		"size by hand":      {with(strings.Replace(good, "size: 2", "size: 3", 1)), "FAIL stages.a.deps.in.csv size-differs\n"},
		"no hash":           {with(strings.Replace(good, "      md5: "+sum("1\n")+"\n", "", 1)), "FAIL stages.a.deps.in.csv no-hash\n"},
		"malformed hash":    {with(strings.Replace(good, sum("1\n"), "abcdef", 1)), "FAIL stages.a.deps.in.csv malformed-hash\n"},
		"another algorithm": {with(strings.Replace(good, "hash: md5", "hash: blake3", 1)), "info stages.a.deps.in.csv other-hash\n"},
		// External: no path of the repository, or no hash of content.
		"external": {
			with(lockA("    - path: s3://b/in\n      etag: abc\n      size: 1\n", out), "dvc.yaml", strings.Replace(pipelineA, "in.csv", "s3://b/in", 1)),
			"info stages.a.deps.s3://b/in external\n",
		},
		"absolute": {
			with(lockA("    - path: /data/in\n      md5: "+sum("")+"\n      size: 1\n", out), "dvc.yaml", strings.Replace(pipelineA, "in.csv", "/data/in", 1)),
			"info stages.a.deps./data/in external\n",
		},
		// dvc.yaml says what is judged.
		"command":            {with(good, "dvc.yaml", strings.Replace(pipelineA, "run a", "run b", 1)), "FAIL stages.a.cmd command-differs\n"},
		"blanks in it":       {with(good, "dvc.yaml", strings.Replace(pipelineA, "run a", "run  a", 1)), "FAIL stages.a.cmd command-layout\n"},
		"unknown name in it": {with(good, "dvc.yaml", strings.Replace(pipelineA, "run a", "run ${a}", 1)), "info stages.a.cmd templated\n"},
		"no longer a dependency": {
			with(good, "dvc.yaml", strings.Replace(pipelineA, "    deps: [in.csv]\n", "", 1)), "info stages.a.deps.in.csv no-longer-listed\n",
		},
		"another dependency": {
			with(good, "dvc.yaml", strings.Replace(pipelineA, "[in.csv]", "[in.csv, x.py]", 1)), "FAIL stages.a.deps.x.py not-recorded\n",
		},
		"no longer a stage": {
			with(good, "dvc.yaml", "stages: {}\n"), "info stages.a no-longer-listed\ninfo stages.a.outs.m.json no-longer-listed\n",
		},
		"a stage renamed": {
			with(good, "dvc.yaml", strings.Replace(pipelineA, "  a:", "  b:", 1)),
			"FAIL stages.b never-run\ninfo stages.a no-longer-listed\ninfo stages.a.outs.m.json no-longer-listed\n",
		},
		"a stage added": {with(good, "dvc.yaml", pipelineA+"  b:\n    cmd: run b\n    outs: [b.bin]\n"), "warn stages.b never-run\n"},
		"a stage added with its result": {
			with(good, "b.bin", "", "dvc.yaml", pipelineA+"  b:\n    cmd: run b\n    outs: [b.bin]\n"), "FAIL stages.b never-run\n",
		},
		"no dvc.yaml": {
			without("dvc.yaml", with(good)), "warn dvc.yaml no-pipeline\ninfo stages.a no-longer-listed\ninfo stages.a.outs.m.json no-longer-listed\n",
		},
		"dvc.yaml in a conflict":          {with(good, "dvc.yaml", "<<<<<<< a\n"+pipelineA), "FAIL dvc.yaml unreadable\n"},
		"dvc.yaml with a byte order mark": {with(good, "dvc.yaml", "\ufeff"+pipelineA), ""},
		"frozen": {
			with(good, "in.csv", "2\n", "dvc.yaml", pipelineA+"    frozen: true\n"), "info stages.a.frozen frozen\ninfo stages.a.deps.in.csv frozen\n",
		},
		"frozen, a result by hand": {
			with(good, "m.json", "[]\n", "dvc.yaml", pipelineA+"    frozen: true\n"),
			"info stages.a.frozen frozen\ninfo stages.a.deps.in.csv frozen\nFAIL stages.a.outs.m.json output-differs\n",
		},
		"always changed": {with(good, "in.csv", "2\n", "dvc.yaml", pipelineA+"    always_changed: true\n"), "info stages.a.always_changed always-changed\nFAIL stages.a.deps.in.csv hash-differs\n"},
		// The lock as a file.
		"version 1": {
			with(strings.ReplaceAll(strings.ReplaceAll(strings.Replace(good, "schema: '2.0'\nstages:\n", "", 1), "      hash: md5\n", ""), "\n  ", "\n")[2:]),
			"info schema lock-version-1\n",
		},
		"schema 3":         {with(strings.Replace(good, "2.0", "3.0", 1)), "FAIL file schema\n"},
		"schema as number": {with(strings.Replace(good, "'2.0'", "2.0", 1)), "FAIL file schema\n"},
		"unknown key":      {with(strings.Replace(good, "    cmd: run a", "    meta: 1\n    cmd: run a", 1)), "FAIL file schema\n"},
		"stage twice":      {with(good + "  a:\n    cmd: x\n"), "FAIL file duplicate-key\n"},
		"conflict":         {with("<<<<<<< a\n" + good), "FAIL file conflict-markers\n"},
		"empty":            {with(""), "FAIL file empty\n"},
		"pointer":          {with(pointer(9)), "FAIL file lfs-pointer\n"},
		"no YAML":          {with(good + "  b: [\n"), "FAIL file not-yaml\n"},
		"a list":           {with("- 1\n"), "FAIL file schema\n"},
		"byte order mark":  {with("\ufeff" + good), "FAIL file byte-order-mark\n"},
		"breaks off":       {with(strings.TrimSuffix(good, "      size: 3\n")), "FAIL file truncated\n"},
		"no last line end": {with(strings.TrimSuffix(good, "\n")), "warn file.end no-final-newline\n"},
		"nothing recorded": {with("schema: '2.0'\nstages: {}\n", "dvc.yaml", "stages: {}\n"), "info stages no-stages\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := judged(t, tc.files, lockName)
			if got := told(r); got != tc.want {
				t.Errorf("\n%swant\n%s", got, tc.want)
			}
			for _, c := range r.Checks {
				if c.Status == verify.Fail && c.Field == "file" && c.Code != "empty" && c.Location.Line == 0 {
					t.Errorf("%s has no line", c.Code)
				}
			}
		})
	}
}

// A folder: its files decide; as many of them as recorded, and one was changed; others, and
// an untracked one may have been hashed.
func TestFolders(t *testing.T) {
	t.Parallel()
	hashOf := func(pairs ...string) string {
		byRel := make(map[string]member)
		for i := 0; i < len(pairs); i += 2 {
			byRel[pairs[i]] = member{pairs[i], sum(pairs[i+1]), true}
		}
		return treeHash(ordered(byRel))
	}
	files := func(hash string, n int, more ...string) map[string]string {
		m := map[string]string{
			"dvc.yaml": "stages:\n  a:\n    cmd: run\n    deps: [src]\n",
			"dvc.lock": fmt.Sprintf("schema: '2.0'\nstages:\n  a:\n    cmd: run\n    deps:\n    - path: src\n      hash: md5\n      md5: %s\n      size: 9\n      nfiles: %d\n", hash, n),
		}
		for i := 0; i < len(more); i += 2 {
			m[more[i]] = more[i+1]
		}
		return m
	}
	for name, tc := range map[string]struct {
		files map[string]string
		want  string
	}{
		"holds":                 {files(hashOf("a", "1", "b/c", "2"), 2, "src/a", "1", "src/b/c", "2"), ""},
		"changed":               {files(hashOf("a", "1", "b/c", "2"), 2, "src/a", "1", "src/b/c", "3"), "FAIL stages.a.deps.src folder-differs\n"},
		"fewer":                 {files(hashOf("a", "1", "b/c", "2"), 2, "src/a", "1"), "warn stages.a.deps.src folder-differs\n"},
		"ignored":               {files(hashOf("a", "1"), 1, "src/a", "1", "src/x.pyc", "2", "src/l/y", "3", ".dvcignore", "*.pyc\n/src/l/\n"), ""},
		"rules of a folder":     {files(hashOf("a", "1", "d/.dvcignore", "y\n"), 2, "src/a", "1", "src/d/y", "3", "src/d/.dvcignore", "y\n"), ""},
		"another repository":    {files(hashOf("a", "1"), 1, "src/a", "1", "src/sub/.dvc/config", "", "src/sub/x", "2"), ""},
		"two of them":           {files(hashOf("a", "1"), 1, "src/a", "1", "src/sub/.dvc/config", "", "src/sub/x", "2", "src/tub/.dvc/config", "", "src/tub/.dvc/tmp", "", "src/tub/x", "3"), ""},
		"a submodule's .git":    {files(hashOf("a", "1", ".hg", "x"), 2, "src/a", "1", "src/.git", "gitdir: ..", "src/.hg", "x"), ""},
		"tracked inside":        {files(hashOf("a", "1", "d.bin", "2", "d.bin.dvc", "outs:\n- md5: "+sum("2")+"\n  hash: md5\n  path: d.bin\n"), 3, "src/a", "1", "src/d.bin.dvc", "outs:\n- md5: "+sum("2")+"\n  hash: md5\n  path: d.bin\n"), ""},
		"all in CRLF":           {files(hashOf("a", "1\r\n", "b", "2\r\n", "c", "\x00\n"), 3, "src/a", "1\n", "src/b", "2\n", "src/c", "\x00\n"), "info line-ends line-ends\n"},
		"some in CRLF":          {files(hashOf("a", "1\r\n", "b", "2\n", "c", "3\r\n"), 3, "src/a", "1\n", "src/b", "2\n", "src/c", "3\n"), "info line-ends line-ends\n"},
		"a pointer among them":  {files(hashOf("a", "1", "b", "2"), 2, "src/a", "1", "src/b", "version https://git-lfs.github.com/spec/v1\nsize 1\n"), "warn stages.a.deps.src folder-differs\n"},
		"nothing in git":        {files(hashOf("a", "1"), 1), "info stages.a.deps.src not-in-git\n"},
		"a file in its place":   {files(hashOf("a", "1"), 1, "src", "x"), "FAIL stages.a.deps.src kind-differs\n"},
		"tracked as a whole":    {files(hashOf("a", "1"), 1, "src.dvc", "outs:\n- md5: "+hashOf("a", "1")+"\n  hash: md5\n  path: src\n"), ""},
		"the whole of it newer": {files(hashOf("a", "1"), 1, "src.dvc", "outs:\n- md5: "+hashOf("a", "2")+"\n  hash: md5\n  path: src\n"), "FAIL stages.a.deps.src chain-broken\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := told(judged(t, tc.files, lockName)); got != tc.want {
				t.Errorf("\n%swant\n%s", got, tc.want)
			}
		})
	}
}

// The author reads what has to be run again, and how.
func TestAfterAndSteps(t *testing.T) {
	t.Parallel()
	var basic map[string]string
	for _, v := range vectors(t) {
		if v.name == "basic" {
			basic = make(map[string]string)
			for name, data := range v.Files {
				basic["sub/"+name] = string(data)
			}
		}
	}
	basic["sub/src/prepare.py"] += "#\n"
	r := judged(t, basic, "sub/dvc.lock")
	c := rowOf(r, "stages.prepare.deps.src/prepare.py")
	want := "changed: prepare and 2 stages after it (train, eval) have not been run again; sub/train.json, sub/metrics.json, sub/roc.csv still show the old run"
	if c.Reason != want || c.Input != "sub/src/prepare.py" || !slices.Equal(c.Command, []string{"dvc", "repro", "sub/dvc.yaml"}) || c.Hint == "" {
		t.Errorf("%+v", c)
	}
	if r.Count(verify.Fail) != 1 {
		t.Errorf("stages after it fail, too:\n%s", told(r))
	}
	if c.Recorded == "" || c.Observed == "" || c.Location.Line == 0 || c.Recorded == c.Observed {
		t.Errorf("%+v", c)
	}
}

// What is linked: how to judge first, results as what the lock vouches for.
func TestInputs(t *testing.T) {
	t.Parallel()
	for _, v := range vectors(t) {
		if v.name != "basic" {
			continue
		}
		files := make(map[string]string)
		for name, data := range v.Files {
			files[name] = string(data)
		}
		r := judged(t, files, lockName)
		if r.Inputs[0].Role != "pipeline" || r.Inputs[0].Path != pipelineName || r.Inputs[0].Field != "" {
			t.Errorf("%+v", r.Inputs[0])
		}
		if i := slices.IndexFunc(r.Inputs, func(in verify.Input) bool { return in.Path != pipelineName }); r.Inputs[i].Role != "params" {
			t.Errorf("%+v", r.Inputs[i])
		}
		i := slices.IndexFunc(r.Inputs, func(in verify.Input) bool { return in.Path == "metrics.json" })
		if in := r.Inputs[i]; !in.Subject || in.Hash == "" || in.Field != "stages.eval.outs.metrics.json" || in.Hashes != verify.HashMD5 {
			t.Errorf("%+v", in)
		}
		i = slices.IndexFunc(r.Inputs, func(in verify.Input) bool { return in.Path == "model.bin" })
		if in := r.Inputs[i]; !in.Missing || in.Hash == "" {
			t.Errorf("%+v", in)
		}
	}
}

// Values under keys that look secret are not shown.
func TestSecretParametersAreMasked(t *testing.T) {
	t.Parallel()
	r := judged(t, map[string]string{
		"dvc.yaml":    "stages:\n  a:\n    cmd: run\n    params: [db.password, db]\n",
		"params.yaml": "db: {password: hunter2, host: h}\n",
		"dvc.lock":    "schema: '2.0'\nstages:\n  a:\n    cmd: run\n    params:\n      params.yaml:\n        db:\n          password: hunter1\n          host: h\n        db.password: hunter1\n",
	}, lockName)
	if r.Count(verify.Fail) != 2 || strings.Contains(fmt.Sprint(r.Checks), "hunter") {
		t.Errorf("%+v", r.Checks)
	}
}
