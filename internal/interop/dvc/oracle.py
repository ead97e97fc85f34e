"""Asks the real DVC what it says of repositories and of edits to them.

    python oracle.py OUT [NAME…]      # writes one JSON file a repository into the folder OUT

and into OUT/parts what single parts of DVC say: its .dvcignore, scalars, hashes.

Each repository is made here with "dvc init" and "dvc repro", without network. Its file
says what git holds of it, and for each edit what git holds then and what "dvc status
--json" says. That status is taken with all data in place: what differs is what the edit
changed, not data that was not pulled.
"""

import base64
import contextlib
import io
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

os.environ.update(DVC_NO_ANALYTICS="1", DVC_TEST="1", GIT_CONFIG_GLOBAL=os.devnull, GIT_CONFIG_SYSTEM=os.devnull)

import dvc  # noqa: E402
from dvc.cli import main  # noqa: E402
from dvc_data.hashfile.hash import file_md5  # noqa: E402

VERSION = "3.67.1"


def call(args):
    """Runs a dvc command in a child of its own and returns its exit code and output."""
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(read)
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            code = main(args)
        with os.fdopen(write, "w") as f:
            json.dump([code, out.getvalue()], f)
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as f:
        text = f.read()
    os.waitpid(pid, 0)
    return json.loads(text)


def git(*args):
    return subprocess.run(["git", *args], check=True, capture_output=True).stdout


def put(name, data):
    p = pathlib.Path(name)
    p.parent.mkdir(parents=True, exist_ok=True)
    p.write_bytes(data if isinstance(data, bytes) else data.encode())


def get(name):
    return pathlib.Path(name).read_bytes()


def held():
    """What git would hold: all files that it does not ignore."""
    names = git("ls-files", "-z", "-co", "--exclude-standard").split(b"\0")
    names = sorted({n.decode() for n in names if n})
    return {n: get(n) for n in names if os.path.isfile(n)}


def packed(data):
    try:
        return data.decode()
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(data).decode()}


def status():
    code, out = call(["status", "--json"])
    if code != 0 and not out.strip():
        return {"refused": True}
    return json.loads(out)


class Repository:
    def __init__(self, out, name, make):
        self.out, self.name, self.make, self.cases = out, name, make, []

    def case(self, name, edit):
        self.cases.append((name, edit))
        return self

    def run(self):
        top = tempfile.mkdtemp()
        base = os.path.join(top, "base")
        os.mkdir(base)
        os.chdir(base)
        git("init", "-q", "-b", "main")
        assert call(["init", "-q"])[0] == 0
        self.make()
        before = held()
        doc = {"dvc": dvc.__version__, "files": {n: packed(d) for n, d in before.items()}, "cases": []}
        doc["cases"].append({"name": "as recorded", "status": status()})
        for number, (name, edit) in enumerate(self.cases):
            # A copy has other inodes, so that nothing is remembered of the files.
            there = os.path.join(top, f"case{number}")
            os.chdir(top)
            subprocess.run(["cp", "-a", base, there], check=True)
            os.chdir(there)
            edit()
            after = held()
            case = {
                "name": name,
                "write": {n: packed(d) for n, d in after.items() if before.get(n) != d},
                "remove": sorted(n for n in before if n not in after),
                "status": status(),
            }
            doc["cases"].append({k: v for k, v in case.items() if v != {} and v != [] or k == "status"})
            os.chdir(top)
            shutil.rmtree(there)
        os.chdir("/")
        shutil.rmtree(top)
        put(os.path.join(self.out, self.name + ".json"), json.dumps(doc, indent=1, ensure_ascii=False, sort_keys=False) + "\n")
        print(f"{self.name}: {len(doc['cases'])} cases", flush=True)


def repro(*args):
    code, out = call(["repro", *args])
    assert code == 0, out


def md5(text):
    import hashlib

    return hashlib.md5(text.encode()).hexdigest()


# Edits.


def sub(name, old, new):
    def edit():
        data = get(name)
        a, b = (x if isinstance(x, bytes) else x.encode() for x in (old, new))
        assert a in data, (name, old)
        put(name, data.replace(a, b))

    return edit


def write(name, data):
    return lambda: put(name, data)


def append(name, data):
    return lambda: put(name, get(name) + data.encode())


def remove(name):
    return lambda: os.remove(name)


def both(*edits):
    def edit():
        for e in edits:
            e()

    return edit


def crlf(*names):
    return lambda: [put(n, get(n).replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")) for n in names]


def lf(*names):
    return lambda: [put(n, get(n).replace(b"\r\n", b"\n")) for n in names]


# Repositories.


def basic():
    put("src/prepare.py", "print('prepare')\n")
    put("src/train.py", "print('train')\n")
    put("src/eval.py", "print('eval')\n")
    put("raw.txt", "1\n2\n3\n")
    put("params.yaml", "prepare: {split: 0.20, seed: 42}\ntrain:\n  lr: 1e-3\n  layers: [1, 2]\n  name: resnet\nunused: 1\n")
    put(
        "dvc.yaml",
        """stages:
  prepare:
    cmd: cp raw.txt data.txt
    deps: [src/prepare.py, raw.txt]
    params: [prepare.split, prepare.seed]
    outs: [data.txt]
  train:
    cmd:
    - cp data.txt model.bin
    - echo '{"loss":1}' > train.json
    deps: [data.txt, ./src/train.py]
    params: [train]
    outs: [model.bin]
    metrics: [train.json: {cache: false}]
  eval:
    cmd: echo '{"acc":1}' > metrics.json && echo 'a,b' > roc.csv
    desc: how good it is
    deps: [model.bin, src/eval.py, data.txt]
    metrics: [metrics.json: {cache: false}]
    plots: [roc.csv: {cache: false, x: a, y: b}]
""",
    )
    repro()


def folders():
    put("src/a.py", "a = 1\n")
    put("src/b/b.py", "b = 1\n")
    put("src/b.py", "c\n")
    put("src/é ü.txt", "umlaut\n")
    put("src/😀/\"q\".md", "quotes \\ \n")
    put("src/build/out.o", b"\0\1\2")
    put("src/keep/x.log", "log\n")
    put("src/keep/important.log", "log\n")
    put("win/a.txt", "one\r\ntwo\r\n")
    put("win/b.txt", "three\r\n")
    put("win/c.bin", b"\0\r\n\1")
    put("mixed/a.txt", "one\r\ntwo\r\n")
    put("mixed/b.txt", "three\n")
    put(".dvcignore", "# comment\n*.log\n!important.log\nbuild/\n/src/none\n")
    put("src/sub/.dvcignore", "*.tmp\n")
    os.remove("src/sub/.dvcignore")
    put(
        "dvc.yaml",
        """stages:
  all:
    cmd: ls src win mixed > list.txt
    deps: [src/, win, mixed]
    outs: [list.txt: {cache: false}]
  make:
    cmd: mkdir -p res/deep && echo 1 > res/one.txt && echo 2 > res/deep/two.txt
    deps: [list.txt]
    outs: [res: {cache: false}]
  use:
    cmd: ls res > used.txt
    deps: [res, res/one.txt]
    outs: [used.txt]
""",
    )
    repro()


def formats():
    put("conf/p.json", '{"lr": 0.1, "big": 12345678901234567890123, "n": {"x": [1, {"y": 2}]}, "t": true}\n')
    put("conf/p.toml", 'lr = 0.1\nname = "x"\nwhen = 2020-01-02\n[n]\nx = [1, 2]\n')
    put("conf/p.py", "LR = 0.1\nclass Train:\n    EPOCHS = 3\n")
    put("whole.yaml", "a: 1\nb: {c: 2}\n")
    put("whole.json", '{"k": 1}\n')
    put("params.yaml", "lr: 0.1\n")
    put(
        "dvc.yaml",
        """stages:
  one:
    cmd: echo 1 > one.txt
    params:
    - lr
    - conf/p.json: [lr, big, n.x.1.y, t]
    - conf/p.toml: [lr, name, n]
    - conf/p.py: [LR, Train.EPOCHS]
    - whole.yaml:
    - whole.json: []
    outs: [one.txt: {cache: false}]
""",
    )
    repro()


NUMBERS = """int: 10
under: 1_000
bin: 0b101
hex: 0xff
oct: 0o17
zero: 010
exp: 1e-3
exp2: 1e3
dot: .5
yes: yes
on: On
yep: True
null1: ~
empty:
inf: .inf
quoted: "10"
text: 1.2.3
sexa: 1:30
huge: 123456789012345678901234567890
list: [1, 2.5, a]
base: &base {x: 1, y: 2}
merged: {<<: *base, y: 3}
folded: >
  some
  text
tagged: !!str 12
"""


def numbers():
    put("params.yaml", NUMBERS)
    keys = [line.split(":")[0] for line in NUMBERS.splitlines() if not line.startswith(" ")]
    put("old.yaml", "%YAML 1.1\n---\nyes: yes\noct: 010\nsexa: 1:30\n")
    put(
        "dvc.yaml",
        "stages:\n  n:\n    cmd: echo 1 > n.txt\n    params: ["
        + ", ".join(f"'{k}'" for k in keys)
        + ", {old.yaml: [oct, sexa]}]\n    outs: [n.txt: {cache: false}]\n",
    )
    repro()


def loops():
    put("params.yaml", "models: [cnn, rnn]\nsizes:\n  small: {n: 1, lr: 1e-5}\n  large: {n: 2, lr: 0.1}\n")
    put("a.txt", "a\n")
    put(
        "dvc.yaml",
        """stages:
  list:
    foreach: [x, y, 1]
    do:
      cmd: echo ${item} > l-${item}.txt
      deps: [a.txt]
      outs: ['l-${item}.txt': {cache: false}]
  model:
    foreach: ${models}
    do:
      cmd: echo ${item} > m-${item}.txt
      outs: ['m-${item}.txt': {cache: false}]
  size:
    foreach: ${sizes}
    do:
      cmd: echo ${key} ${item.n} ${item.lr} > s-${key}.txt
      params: ['sizes.${key}.n']
      outs: ['s-${key}.txt': {cache: false}]
  grid:
    matrix:
      m: [a, b]
      k: [1, 2]
      c: [{q: 1}]
    cmd: echo ${item.m} ${item.k} ${item.c.q} > g-${key}.txt
    outs: ['g-${key}.txt': {cache: false}]
""",
    )
    repro()


def templates():
    put("params.yaml", "lr: 1e-5\nbig: 1e16\nnone: null\nflag: true\nn: {a: [1, {b: x y}]}\nname: bob\ntiny: 0.0001\n")
    put("more.yaml", "color: red\nshape: round\n")
    put(
        "dvc.yaml",
        """vars:
- who: alice
  out: result
- more.yaml:color
stages:
  t:
    cmd: 'echo ${lr} ${big} ${none} ${flag} ${n.a[1].b} ${name} ${who} ${color} ${tiny} \\${NOBODY_SETS_THIS} > ${out}.txt'
    deps: ['${out}.in']
    outs: ['${out}.txt': {cache: false}]
  own:
    vars: [{mine: 7}]
    cmd: echo ${mine} > own.txt
    outs: [own.txt: {cache: false}]
  exact:
    cmd: ${line}
    vars: [{line: 'echo exact > exact.txt'}]
    outs: [exact.txt: {cache: false}]
""",
    )
    put("result.in", "in\n")
    repro()


def data():
    put("data/x.csv", "1,2\n")
    put("raw/a.txt", "a\n")
    put("raw/b/c.txt", "c\n")
    put("mix/code.py", "code\n")
    put("mix/data.bin", b"\0\1")
    for name in ("data/x.csv", "raw", "mix/data.bin"):
        assert call(["add", "-q", name])[0] == 0
    put(
        "dvc.yaml",
        """stages:
  read:
    cmd: cat data/x.csv raw/a.txt > out.txt
    deps: [data/x.csv, raw, mix, raw/a.txt]
    outs: [out.txt]
  next:
    cmd: cp out.txt next.txt
    deps: [out.txt]
    outs: [next.txt: {cache: false}]
""",
    )
    repro()


def imports():
    top = os.path.dirname(os.getcwd())
    other = os.path.join(top, "other")
    os.mkdir(other)
    here = os.getcwd()
    os.chdir(other)
    git("init", "-q", "-b", "main")
    call(["init", "-q"])
    put("shared.csv", "s\n")
    put("plain.txt", "p\n")
    call(["add", "-q", "shared.csv"])
    git("add", "-A")
    git("-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-qm", "x")
    os.chdir(here)
    put("../outside.txt", "outside\n")
    for args in (["import", "-q", other, "shared.csv"], ["import", "-q", other, "plain.txt"], ["import-url", "-q", os.path.join(top, "outside.txt"), "url.txt"]):
        assert call(args)[0] == 0
    # The recorded paths of this machine are not needed below.
    put("dvc.yaml", "stages:\n  s:\n    cmd: cat shared.csv plain.txt url.txt > s.txt\n    deps: [shared.csv, plain.txt, url.txt]\n    outs: [s.txt: {cache: false}]\n")
    repro()
    import re

    for n in ("shared.csv.dvc", "plain.txt.dvc", "url.txt.dvc"):
        text = re.sub(r"(?m)^frozen.*\n|^md5.*\n|^deps:\n(?:[- ].*\n)+", "", get(n).decode())
        put(n, text)


def legacy(entries):
    """Rewrites dvc.lock as DVC 2 wrote it: no "hash", and md5-dos2unix."""
    from ruamel.yaml import YAML

    yaml = YAML()
    with open("dvc.lock") as f:
        lock = yaml.load(f)
    import hashlib

    for stage in lock["stages"].values():
        for kind in ("deps", "outs"):
            for e in stage.get(kind, []):
                e.pop("hash")
                p = e["path"]
                if os.path.isdir(p):
                    listing = []
                    for root, _, files in os.walk(p):
                        for f in files:
                            full = os.path.join(root, f)
                            listing.append({"md5": file_md5(full, name="md5-dos2unix"), "relpath": os.path.relpath(full, p)})
                    listing.sort(key=lambda x: x["relpath"])
                    e["md5"] = hashlib.md5(json.dumps(listing, sort_keys=True).encode()).hexdigest() + ".dir"
                else:
                    e["md5"] = file_md5(p, name="md5-dos2unix")
    with open("dvc.lock", "w") as f:
        yaml.dump(lock, f)


def version2():
    put("unix.txt", "a\nb\n")
    put("dos.txt", "a\r\nb\r\n")
    put("bin.dat", b"\0\r\n\r\n")
    put("latin.txt", ("\u0436" * 400 + "\r\n").encode())
    put("dir/a.txt", "a\r\n")
    put("dir/b.txt", "b\n")
    put("dvc.yaml", "stages:\n  s:\n    cmd: cp dos.txt s.txt\n    deps: [unix.txt, dos.txt, bin.dat, latin.txt, dir]\n    outs: [s.txt: {cache: false}]\n")
    repro()
    legacy(None)


def places():
    put("one/code.py", "1\n")
    put("one/params.yaml", "p: 1\n")
    put("one/dvc.yaml", "stages:\n  make:\n    cmd: cp code.py made.txt\n    deps: [code.py]\n    params: [p]\n    outs: [made.txt]\n  keep:\n    cmd: echo k > keep.txt\n    deps: [../top.txt]\n    outs: [keep.txt: {cache: false}]\n")
    put("top.txt", "top\n")
    put("two/work/in.txt", "in\n")
    put("two/work/params.yaml", "w: 2\n")
    put("two/dvc.yaml", "stages:\n  use:\n    wdir: work\n    cmd: cat in.txt ../../one/made.txt > res.txt\n    deps: [in.txt, ../../one/made.txt]\n    params: [w]\n    outs: [res.txt: {cache: false}]\n")
    repro("-P")


def flags():
    put("in.txt", "in\n")
    put("params.yaml", "p: 1\n")
    put(
        "dvc.yaml",
        """stages:
  cold:
    cmd: echo c > c.txt
    frozen: true
    deps: [in.txt]
    params: [p]
    outs: [c.txt: {cache: false}]
  hot:
    cmd: echo h > h.txt
    always_changed: true
    deps: [in.txt]
    outs: [h.txt: {cache: false}]
  call:
    cmd: echo hello
  plot:
    cmd: echo x > p.csv
    deps: [in.txt]
    plots:
    - p.csv:
        cache: false
        x: a
  cached:
    cmd: echo m > m.json
    deps: [in.txt]
    metrics: [m.json]
""",
    )
    put("dvc.yaml", get("dvc.yaml").replace(b"frozen: true", b"frozen: false"))
    repro()
    put("dvc.yaml", get("dvc.yaml").replace(b"frozen: false", b"frozen: true"))


def rare():
    """What few pipelines have: other readers of vars, items that are mappings, keys at the top, odd paths."""
    put("conf/vars.json", '{"dir": "work", "deep": {"list": [{"n": 1}, {"n": 2}]}}\n')
    put("conf/vars.toml", 'suffix = "v1"\n[opt]\nrate = 0.5\n')
    put("params.yaml", "none: null\nempty: {}\nlist: []\nnames: [{n: one, x: 1}, {n: two, x: 2}]\nopts: {lr: 0.1, deep: {flag: true, off: false, many: [1, 2]}}\nfile: conf/vars.json\n0.5: half\n")
    put("work/in.txt", "in\n")
    put("work/zero.txt", "")
    put("work/run.sh", "echo run\n")
    os.chmod("work/run.sh", 0o755)
    put("tree/a/.gitignore", "*.pyc\n")
    put("tree/a/x.pyc", b"\0compiled")
    put("tree/a/x.py", "x\n")
    put("tree/keep", "")
    put(
        "dvc.yaml",
        """vars:
- conf/vars.json
- conf/vars.toml:suffix
- top: {a: b}
metrics:
- work/made.json
plots:
- work/curve.csv:
    x: step
artifacts:
  model: {path: work/made.json, type: model, desc: none, labels: [x]}
params:
- params.yaml
stages:
  place:
    wdir: ${dir}
    cmd:
    - sh run.sh
    - echo '{"a":1}' > made.json
    - printf 'step\\n1\\n' > curve.csv
    deps: [./in.txt, zero.txt, run.sh]
    params:
    - ../params.yaml: [opts.deep.flag, none, empty, list]
    outs: [{made.json: {cache: false, persist: true}}, {curve.csv: {cache: false, push: false}}]
    meta: {owner: ada}
  each:
    foreach: ${names}
    do:
      cmd: echo ${item.n} ${item.x} ${suffix} > ${item.n}.txt
      params: ['opts.deep.many.0']
      outs: ['${item.n}.txt': {cache: false}]
  every:
    foreach: ${deep.list}
    do:
      cmd: 'echo ${item.n} ${top.a} > n-${item.n}.txt'
      outs: ['n-${item.n}.txt': {cache: false}]
  flags:
    cmd: 'echo ${opts} > flags.txt'
    params: [opts]
    outs: [flags.txt: {cache: false}]
  cells:
    matrix:
      n: ${names}
      f: [0.1, true, null, xy]
    cmd: echo ${item.n.n} "${item.f}" ${key} > c-${key}.txt
    outs: ['c-${key}.txt': {cache: false}]
  lines:
    cmd: |
      echo one > lines.txt
      echo two >> lines.txt
    deps: [tree]
    outs: [lines.txt: {cache: false}]
  chosen:
    cmd: echo 1 > chosen.txt
    params:
    - ${file}: [deep, dir]
    - conf/vars.toml: [opt.rate]
    outs: [chosen.txt: {cache: false}]
""",
    )
    repro()


def all_repositories(out):
    def r(name, make):
        repository = Repository(out, name, make)
        everything.append(repository)
        return repository

    everything = []
    b = r("basic", basic)
    b.case("code edited", append("src/train.py", "# more\n"))
    b.case("code in other line ends", crlf("src/train.py"))
    b.case("two inputs edited", both(append("src/train.py", "#\n"), append("src/prepare.py", "#\n")))
    b.case("parameter edited", sub("params.yaml", "seed: 42", "seed: 43"))
    b.case("parameter in a mapping edited", sub("params.yaml", "resnet", "vgg"))
    b.case("parameter gone", sub("params.yaml", ", seed: 42", ""))
    b.case("parameter added to a mapping", sub("params.yaml", "  name: resnet", "  name: resnet\n  extra: 1"))
    b.case("parameter that nobody reads", sub("params.yaml", "unused: 1", "unused: 2"))
    b.case("parameters reordered and commented", write("params.yaml", "# c\nunused: 1\ntrain: {name: 'resnet', lr: 0.001, layers: [1, 2]}\nprepare:\n  seed: 42\n  split: 2e-1\n"))
    b.case("params.yaml empty", write("params.yaml", ""))
    b.case("params.yaml removed", remove("params.yaml"))
    b.case("params.yaml broken", write("params.yaml", "a: [1\n"))
    b.case("metrics edited by hand", write("metrics.json", '{"acc":0.99}\n'))
    b.case("metrics removed", remove("metrics.json"))
    b.case("plot edited", write("roc.csv", "a,c\n"))
    b.case("metrics of an inner stage edited", write("train.json", '{"loss":0}\n'))
    b.case("code removed", remove("src/eval.py"))
    b.case("command edited", sub("dvc.yaml", "cp raw.txt data.txt", "cp raw.txt ./data.txt"))
    b.case("command with another blank", sub("dvc.yaml", "cp raw.txt data.txt", "cp raw.txt  data.txt"))
    b.case("command folded over lines", sub("dvc.yaml", "cmd: cp raw.txt data.txt", "cmd: >-\n      cp raw.txt\n      data.txt"))
    b.case("command with a line end", sub("dvc.yaml", "cmd: cp raw.txt data.txt", "cmd: |\n      cp raw.txt data.txt"))
    b.case("command made a list", sub("dvc.yaml", "cmd: cp raw.txt data.txt", "cmd: [cp raw.txt data.txt]"))
    b.case("list of commands shortened", sub("dvc.yaml", "    - cp data.txt model.bin\n", ""))
    b.case("description edited", sub("dvc.yaml", "how good it is", "how bad it is"))
    b.case("dependency added", sub("dvc.yaml", "[src/prepare.py, raw.txt]", "[src/prepare.py, raw.txt, src/eval.py]"))
    b.case("dependency dropped", sub("dvc.yaml", "[src/prepare.py, raw.txt]", "[src/prepare.py]"))
    b.case("parameter listed", sub("dvc.yaml", "[prepare.split, prepare.seed]", "[prepare.split, prepare.seed, unused]"))
    b.case("parameter no longer listed", sub("dvc.yaml", "[prepare.split, prepare.seed]", "[prepare.split]"))
    b.case("output added", sub("dvc.yaml", "outs: [data.txt]", "outs: [data.txt, {src/eval.py.out: {cache: false}}]"))
    b.case("stage renamed", sub("dvc.yaml", "  eval:\n", "  evaluate:\n"))
    b.case("stage renamed, and its output edited", both(sub("dvc.yaml", "  eval:\n", "  evaluate:\n"), write("metrics.json", "{}\n")))
    b.case("stage added", append("dvc.yaml", "  fresh:\n    cmd: echo 1 > fresh.txt\n    deps: [raw.txt]\n    outs: [fresh.txt]\n"))
    b.case("stage removed", lambda: put("dvc.yaml", get("dvc.yaml").split(b"  eval:\n")[0]))
    b.case("dvc.yaml emptied", write("dvc.yaml", ""))
    b.case("dvc.yaml removed", remove("dvc.yaml"))
    b.case("dvc.yaml broken", append("dvc.yaml", "  x: [\n"))
    b.case("conflict markers in the lock", lambda: put("dvc.lock", b"<<<<<<< HEAD\n" + get("dvc.lock") + b"=======\n>>>>>>> b\n"))
    b.case("lock emptied", write("dvc.lock", ""))
    b.case("lock of another schema", sub("dvc.lock", "schema: '2.0'", "schema: '3.0'"))
    b.case("lock with an unknown key", sub("dvc.lock", "    cmd: cp raw.txt", "    meta: 1\n    cmd: cp raw.txt"))
    b.case("lock with a stage twice", lambda: put("dvc.lock", get("dvc.lock") + b"  prepare:\n    cmd: x\n"))
    b.case("recorded hash edited", sub("dvc.lock", "md5: " + md5("1\n2\n3\n"), "md5: " + "0" * 32))
    b.case("recorded size edited", sub("dvc.lock", "size: 17", "size: 18"))
    b.case("lock with a byte order mark", lambda: put("dvc.lock", b"\xef\xbb\xbf" + get("dvc.lock")))
    b.case("run again", both(append("src/train.py", "#\n"), repro))

    f = r("folders", folders)
    f.case("file in a folder edited", append("src/b/b.py", "#\n"))
    f.case("file with umlauts edited", append("src/é ü.txt", "#\n"))
    f.case("file added", write("src/new.py", "new\n"))
    f.case("file removed", remove("src/a.py"))
    f.case("file renamed", lambda: os.rename("src/a.py", "src/z.py"))
    f.case("ignored file edited", append("src/keep/x.log", "more\n"))
    f.case("kept file edited", append("src/keep/important.log", "more\n"))
    f.case("ignored folder edited", append("src/build/out.o", "more"))
    f.case("folder in other line ends", lf("win/a.txt", "win/b.txt"))
    f.case("mixed folder in LF", lf("mixed/a.txt"))
    f.case("nested ignore file", both(write("src/b/deep/x.tmp", "x\n"), write(".dvcignore", get_text(".dvcignore", "*.tmp\n"))))
    f.case("ignore file dropped a rule", write(".dvcignore", "build/\n"))
    f.case("output folder edited", append("res/deep/two.txt", "2\n"))
    f.case("output folder grew", write("res/three.txt", "3\n"))

    p = r("formats", formats)
    p.case("JSON value edited", sub("conf/p.json", '"lr": 0.1', '"lr": 0.2'))
    p.case("JSON integer edited in its last digit", sub("conf/p.json", "0123,", "0124,"))
    p.case("JSON value in a list edited", sub("conf/p.json", '"y": 2', '"y": 3'))
    p.case("JSON true made 1", sub("conf/p.json", '"t": true', '"t": 1'))
    p.case("TOML value edited", sub("conf/p.toml", "lr = 0.1", "lr = 0.2"))
    p.case("TOML written otherwise", write("conf/p.toml", 'name = \'x\'\nlr = 1e-1\nwhen = 2020-01-02\nn.x = [\n 1,\n 2 ]\n'))
    p.case("TOML date edited", sub("conf/p.toml", "2020-01-02", "2020-01-03"))
    p.case("Python value edited", sub("conf/p.py", "LR = 0.1", "LR = 0.2"))
    p.case("whole file grew", append("whole.yaml", "new: 1\n"))
    p.case("whole file shrank", sub("whole.yaml", "a: 1\n", ""))
    p.case("whole file edited", sub("whole.yaml", "c: 2", "c: 3"))
    p.case("whole JSON edited", write("whole.json", '{"k": 2}\n'))
    p.case("whole file listed by keys", sub("dvc.yaml", "- whole.yaml:\n", "- whole.yaml: [a]\n"))

    n = r("numbers", numbers)
    for old, new in (
        ("int: 10", "int: 10.0"), ("under: 1_000", "under: 1000"), ("bin: 0b101", "bin: 5"), ("hex: 0xff", "hex: 255"),
        ("oct: 0o17", "oct: 15"), ("zero: 010", "zero: 10"), ("zero: 010", "zero: 8"), ("exp: 1e-3", "exp: 0.001"), ("exp2: 1e3", "exp2: 1000"),
        ("yes: yes", "yes: true"), ("yes: yes", "yes: 'yes'"), ("on: On", "on: true"), ("yep: True", "yep: 1"), ("yep: True", "yep: 'true'"),
        ("null1: ~", "null1: null"), ("null1: ~", "null1: 0"), ("empty:", "empty: ''"), 
        ("inf: .inf", "inf: .INF"), ("inf: .inf", "inf: .nan"),
        ('quoted: "10"', "quoted: 10"), ("text: 1.2.3", "text: 1.2.30"), ("sexa: 1:30", "sexa: 90"), ("sexa: 1:30", "sexa: '1:30'"),
        ("567890\n", "567891\n"), ("[1, 2.5, a]", "[1.0, 2.5, a]"), ("[1, 2.5, a]", "[2.5, 1, a]"), ("{<<: *base, y: 3}", "{x: 1, y: 3}"),
        ("&base {x: 1", "&base {x: 9"), ("folded: >\n  some\n  text", "folded: \"some text\\n\""), ("tagged: !!str 12", "tagged: '12'"), ("tagged: !!str 12", "tagged: 12"),
        ("int: 10", "int: 10\nint: 11"),
    ):
        n.case(f"{old} -> {new}", sub("params.yaml", old, new))
    n.case("1.1: octal as decimal", sub("old.yaml", "oct: 010", "oct: 8"))
    n.case("1.1: the directive dropped", sub("old.yaml", "%YAML 1.1\n---\n", ""))

    l = r("loops", loops)
    l.case("item added", sub("params.yaml", "[cnn, rnn]", "[cnn, rnn, gan]"))
    l.case("item dropped", sub("params.yaml", "[cnn, rnn]", "[cnn]"))
    l.case("item's value edited", sub("params.yaml", "{n: 1,", "{n: 3,"))
    l.case("item's number written otherwise", sub("params.yaml", "lr: 1e-5", "lr: 0.00001"))
    l.case("command of a foreach edited", sub("dvc.yaml", "echo ${item} > l-", "echo  ${item} > l-"))
    l.case("dependency of a foreach edited", append("a.txt", "b\n"))
    l.case("matrix grew", sub("dvc.yaml", "k: [1, 2]", "k: [1, 2, 3]"))
    l.case("output of a matrix edited", lambda: put("g-a-1-c0.txt", "edited\n"))

    t = r("templates", templates)
    t.case("number in a command", sub("params.yaml", "lr: 1e-5", "lr: 2e-5"))
    t.case("number in a command written otherwise", sub("params.yaml", "big: 1e16", "big: 10000000000000000.0"))
    t.case("float made an integer", sub("params.yaml", "big: 1e16", "big: 10000000000000000"))
    t.case("boolean in a command", sub("params.yaml", "flag: true", "flag: True"))
    t.case("null made a text", sub("params.yaml", "none: null", "none: 'None'"))
    t.case("value in a list", sub("params.yaml", "x y", "z"))
    t.case("vars edited", sub("dvc.yaml", "who: alice", "who: eve"))
    t.case("vars file edited", sub("more.yaml", "red", "blue"))
    t.case("vars file edited where it is not used", sub("more.yaml", "round", "square"))
    t.case("own vars edited", sub("dvc.yaml", "mine: 7", "mine: 8"))
    t.case("path moved by vars", sub("dvc.yaml", "out: result", "out: other"))
    t.case("a name that nobody defines", sub("dvc.yaml", "echo ${mine}", "echo ${yours}"))

    d = r("data", data)
    d.case("hash edited in .dvc", sub("data/x.csv.dvc", "md5: " + md5("1,2\n"), "md5: " + "0" * 32))
    d.case("data replaced", both(write("data/x.csv", "3,4\n"), lambda: call(["add", "-q", "data/x.csv"])))
    d.case("data folder replaced", both(write("raw/a.txt", "A\n"), lambda: call(["add", "-q", "raw"])))
    d.case("data inside of a folder with code replaced", both(write("mix/data.bin", b"\0\2"), lambda: call(["add", "-q", "mix/data.bin"])))
    d.case("code inside of a folder with data edited", append("mix/code.py", "#\n"))

    i = r("imports", imports)
    i.case("imported file replaced", both(write("shared.csv", "t\n"), lambda: call(["commit", "-q", "-f", "shared.csv.dvc"])))

    v = r("version2", version2)
    v.case("LF made CRLF", crlf("unix.txt"))
    v.case("CRLF made LF", lf("dos.txt"))
    v.case("binary edited in its CRLF", write("bin.dat", b"\0\n\n"))
    v.case("text that looks binary in LF", lf("latin.txt"))
    v.case("text edited", append("unix.txt", "c\n"))
    v.case("folder in LF", lf("dir/a.txt"))
    v.case("folder edited", append("dir/b.txt", "c\n"))

    w = r("places", places)
    w.case("code of the producer edited", append("one/code.py", "2\n"))
    w.case("input of another folder edited", append("top.txt", "2\n"))
    w.case("input below wdir edited", append("two/work/in.txt", "2\n"))
    w.case("parameter below wdir edited", write("two/work/params.yaml", "w: 3\n"))
    w.case("producer run again", both(write("one/code.py", "3\n"), lambda: repro("one/dvc.yaml")))
    w.case("wdir moved", sub("two/dvc.yaml", "wdir: work", "wdir: other"))

    x = r("rare", rare)
    x.case("input below a wdir of vars", append("work/in.txt", "2\n"))
    x.case("empty file filled", write("work/zero.txt", "0"))
    x.case("executable bit dropped", lambda: os.chmod("work/run.sh", 0o644))
    x.case("wdir moved by vars", sub("conf/vars.json", '"work"', '"tree"'))
    x.case("flag in a mapping", sub("params.yaml", "flag: true", "flag: false"))
    x.case("null made empty text", sub("params.yaml", "none: null", "none: ''"))
    x.case("null made false", sub("params.yaml", "none: null", "none: false"))
    x.case("null key gone", sub("params.yaml", "none: null\n", ""))
    x.case("empty mapping made an empty list", sub("params.yaml", "empty: {}", "empty: []"))
    x.case("empty list made null", sub("params.yaml", "list: []", "list:"))
    x.case("item of a list of mappings edited", sub("params.yaml", "x: 2", "x: 3"))
    x.case("items of a list of mappings reordered", sub("params.yaml", "{n: one, x: 1}, {n: two, x: 2}", "{n: two, x: 2}, {n: one, x: 1}"))
    x.case("element of a list of parameters", sub("params.yaml", "many: [1, 2]", "many: [3, 2]"))
    x.case("other element of a list of parameters", sub("params.yaml", "many: [1, 2]", "many: [1, 3]"))
    x.case("list of parameters emptied", sub("params.yaml", "many: [1, 2]", "many: []"))
    x.case("TOML variable in commands", sub("conf/vars.toml", '"v1"', '"v2"'))
    x.case("JSON variable in a foreach", sub("conf/vars.json", '{"n": 2}', '{"n": 3}'))
    x.case("JSON file of parameters, layout", write("conf/vars.json", '{\n "deep": {"list": [{"n": 1.0}, {"n": 2}]},\n "dir": "work"\n}\n'))
    x.case("TOML parameter", sub("conf/vars.toml", "0.5", "0.25"))
    x.case("TOML parameter, integer for float", sub("conf/vars.toml", "0.5", "1"))
    x.case("file of parameters by another name", sub("params.yaml", "file: conf/vars.json", "file: conf/params.yaml"))
    x.case("mapping in a command", sub("params.yaml", "lr: 0.1", "lr: 0.2"))
    x.case("cell of a matrix", sub("dvc.yaml", "f: [0.1, true", "f: [0.2, true"))
    x.case("cell of a matrix spelt otherwise", sub("dvc.yaml", "f: [0.1, true", "f: [1e-1, True"))
    x.case("line of a command", sub("dvc.yaml", "echo two", "echo three"))
    x.case("indentation of a command", sub("dvc.yaml", "      echo two", "        echo two"))
    x.case("command of many lines, stripped", sub("dvc.yaml", "cmd: |\n      echo one", "cmd: |-\n      echo one"))
    x.case("all in CRLF", crlf("dvc.yaml", "params.yaml", "conf/vars.json", "conf/vars.toml"))
    x.case("lock in CRLF", crlf("dvc.lock"))
    x.case("byte order mark in dvc.yaml", lambda: put("dvc.yaml", b"\xef\xbb\xbf" + get("dvc.yaml")))
    x.case("byte order mark in params.yaml", lambda: put("params.yaml", b"\xef\xbb\xbf" + get("params.yaml")))
    x.case("tab in dvc.yaml", sub("dvc.yaml", "    deps: [tree]", "\tdeps: [tree]"))
    x.case("top keys dropped", lambda: put("dvc.yaml", get("dvc.yaml").replace(b"metrics:\n- work/made.json\n", b"")))
    x.case("unknown top key", append("dvc.yaml", "extra: 1\n"))
    x.case("unknown key of a stage", sub("dvc.yaml", "    deps: [tree]", "    deps: [tree]\n    whatever: 1"))
    x.case("stage without cmd", append("dvc.yaml", "  none:\n    deps: [tree]\n"))
    x.case("stage twice", append("dvc.yaml", "  lines:\n    cmd: x\n"))
    x.case("output of two stages", append("dvc.yaml", "  twice:\n    cmd: x\n    outs: [lines.txt]\n"))
    x.case("cycle", sub("dvc.yaml", "    deps: [tree]", "    deps: [tree, lines.txt]"))
    x.case("anchors", lambda: put("dvc.yaml", get("dvc.yaml").replace(b"    deps: [tree]\n", b"    deps: &d [tree]\n") + b"  other:\n    cmd: x\n    deps: *d\n"))
    x.case("file in a folder that git ignores", write("tree/a/y.pyc", b"\0more"))
    x.case("code in a folder with what git ignores", append("tree/a/x.py", "y\n"))
    x.case("nested ignore file in a folder", write("tree/.dvcignore", "*.pyc\n"))
    x.case("metrics edited", write("work/made.json", '{"a":2}\n'))

    g = r("flags", flags)
    g.case("input edited", append("in.txt", "2\n"))
    g.case("parameter edited", write("params.yaml", "p: 2\n"))
    g.case("output of a frozen stage edited", write("c.txt", "x\n"))
    g.case("command of a frozen stage edited", sub("dvc.yaml", "echo c >", "echo d >"))
    g.case("output of an always changed stage edited", write("h.txt", "x\n"))
    g.case("plot edited", write("p.csv", "y\n"))
    return everything


PATTERNS = [
    ["*.log", "!keep.log"], ["build/"], ["/top"], ["a/b"], ["a/**"], ["**/x"], ["a/**/z"], ["foo*"], ["[ab].txt"],
    ["[!ab].txt"], ["\\!x"], ["#c", "\\#c"], ["*"], ["*/"], ["**"], ["**/"], ["dir/*.py"], ["!a", "a"], ["a", "!a"],
    ["te?t"], ["a[.txt"], ["x ", "y\\ "], ["/"], ["a//b"], ["**/foo/**"], ["*.[oa]"], ["[]a]"], ["[^a]"], ["[a-c]x"], ["é*"],
    ["/build/", "!/build/x"], ["*.txt", "!/a.txt", "a.*"],
]
PATHS = """a.log keep.log d/keep.log build/ build build/x s/build/x top s/top a/b a/b/ a/b/c s/a/b a/ a a/z a/q/z x q/x/ food
a.txt c.txt !x #c dir/p.py dir/q/p.py test te/t y foo/bar q/foo/bar/baz m.o ] b bx éa a[.txt""".split()


def rules(out):
    """What DVC's reader of .dvcignore leaves out."""
    from dvc.ignore import DvcIgnorePatterns

    found = []
    for patterns in PATTERNS:
        reader = DvcIgnorePatterns(patterns, "/r", "/")
        ignored = []
        for path in PATHS:
            head, _, base = path.rstrip("/").rpartition("/")
            if reader.matches(("/r/" + head).rstrip("/"), base, path.endswith("/")):
                ignored.append(path)
        found.append({"patterns": patterns, "ignored": ignored})
    put(os.path.join(out, "parts/ignore.json"), json.dumps({"paths": PATHS, "rules": found}, indent=1, ensure_ascii=False) + "\n")


SCALARS = """10 -10 +10 1_000 0b101 -0b1 0xff 0xFF 0o17 010 017 089 0 -0 00 1e3 1e-3 1E5 .5 -.5 5. 1.5e+3 1.e5 .5e3 .5e+3 +.inf -.INF .inf .nan .NaN
1__0 1_0.5_0 _1 - -- + . .. 1.2.3 1:30 1:30.5 190:20:30 yes Yes no on Off y true True TRUE tRue false null Null NULL ~ nul
0b 0b2 0x 0xg 0o8 0b1_0 0x_f 123456789012345678901234567890 1e400 -1e400 1e16 1e15 123456789012345680.0 1e22 1e21 0.0001 0.00001 1e-5 0.1 100.0 1.0e-10
12e03 08.5 -0.0 3.14159265358979 2.5e-324 a 1a a1 =a 1,000 1-2 0777 1e5_0 1_e5""".split()


def scalars(out):
    """What ruamel.yaml makes of plain scalars, and how DVC prints it into a text."""
    from dvc.parsing.interpolate import to_str
    from dvc.utils.serialize import parse_yaml

    found = []
    for head in ("", "%YAML 1.1\n---\n"):
        for text in SCALARS:
            try:
                v = parse_yaml(head + "k: " + text, "x.yaml")["k"]
            except Exception:
                found.append({"text": text, "old": bool(head), "refused": True})
                continue
            found.append({"text": text, "old": bool(head), "type": type(v).__name__, "printed": to_str(v)})
    put(os.path.join(out, "parts/scalars.json"), json.dumps(found, indent=None, ensure_ascii=False).replace("}, {", "},\n{") + "\n")


def hashes(out):
    found = {}
    for name, data in (
        ("empty", b""), ("lf", b"a\nb\n"), ("crlf", b"a\r\nb\r\n"), ("nul", b"\0\r\n"), ("odd30", b"\xff" * 30 + b"x" * 68 + b"\r\n"),
        ("odd31", b"\xff" * 31 + b"x" * 67 + b"\r\n"), ("pair", b"x" * (2**20 - 1) + b"\r\n"), ("later", b"\0" * (2**20) + b"a\r\n"), ("late", b"x" * 512 + b"\0\r\n"),
    ):
        with tempfile.NamedTemporaryFile() as f:
            f.write(data)
            f.flush()
            found[name] = {n: file_md5(f.name, name=n) for n in ("md5", "md5-dos2unix")}
    put(os.path.join(out, "parts/hashes.json"), json.dumps(found, indent=1) + "\n")


def get_text(_name, extra):
    return "# comment\n*.log\n!important.log\nbuild/\n/src/none\n" + extra


if __name__ == "__main__":
    if dvc.__version__ != VERSION:
        sys.exit(f"this needs dvc=={VERSION}, and {dvc.__version__} is installed")
    out = os.path.abspath(sys.argv[1])
    os.makedirs(out, exist_ok=True)
    only = sys.argv[2:]
    rules(out)
    scalars(out)
    hashes(out)
    for repository in all_repositories(out):
        if not only or repository.name in only:
            repository.run()
