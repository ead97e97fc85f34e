#!/usr/bin/env node
// Oracle for the YAML -> canonical JSON -> sha256 hash.
//
//   node oracle.mjs FILE...                 one JSON line per file
//   node oracle.mjs --tree DIR              every file below DIR, sorted, one JSON line each
//   node oracle.mjs --serve                 persistent server on stdin/stdout (see below)
//   node oracle.mjs --bench FILE [SECONDS]  in-process throughput
//   node oracle.mjs --version               version of the yaml package in use
//
// The `yaml` package is looked up from $YAML_ORACLE_MODULES (a folder that has
// node_modules/yaml), else from the current directory.
//
// Server protocol (length-prefixed, no escaping, safe for any bytes):
//   request : uint32be N, then N bytes = the raw file
//   response: uint32be M, then M bytes = UTF-8 JSON, the same object as below
//
// Object: {ok:true, raw, sha256, canonical, warnings} or {ok:false, raw, error}
//   raw      sha256 of the file read as utf8 text and encoded again
//   sha256   sha256 of the canonical JSON text
import { createHash } from "node:crypto";
import { readFileSync, readdirSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { join, relative, resolve } from "node:path";
import process from "node:process";

const home = resolve(process.env.YAML_ORACLE_MODULES ?? process.cwd());
const require = createRequire(join(home, "noop.js"));
const YAML = require("yaml");

let warnings = 0;
process.emitWarning = () => {
  warnings += 1;
};

const sha = (text) => "sha256:" + createHash("sha256").update(text).digest("hex");

// Sorted copy into fresh plain objects, by ordinary assignment (so `__proto__`
// behaves as it does for any code that writes out[key] = value).
function sorted(v) {
  if (v === null || typeof v !== "object") return v;
  if (Array.isArray(v)) return v.map(sorted);
  const out = {};
  for (const key of Object.keys(v).sort()) {
    if (v[key] !== undefined) out[key] = sorted(v[key]);
  }
  return out;
}

export function canonical(text) {
  return JSON.stringify(sorted(YAML.parse(text)));
}

export function judge(bytes) {
  const text = bytes.toString("utf8"); // what readFileSync(path, "utf8") gives
  const raw = sha(text);
  warnings = 0;
  try {
    const c = canonical(text);
    return { ok: true, raw, sha256: sha(c), canonical: c, warnings };
  } catch (e) {
    const msg = e instanceof Error ? e.message.split("\n")[0] : String(e);
    return { ok: false, raw, error: (e?.code ? e.code + ": " : e?.name + ": ") + msg };
  }
}

function* walk(dir) {
  for (const name of readdirSync(dir).sort()) {
    const p = join(dir, name);
    if (statSync(p).isDirectory()) yield* walk(p);
    else yield p;
  }
}

async function serve() {
  let chunks = [];
  let size = 0;
  for await (const chunk of process.stdin) {
    chunks.push(chunk);
    size += chunk.length;
    if (size < 4) continue;
    let buf = Buffer.concat(chunks);
    const replies = [];
    let at = 0;
    while (buf.length - at >= 4) {
      const n = buf.readUInt32BE(at);
      if (buf.length - at - 4 < n) break;
      const body = Buffer.from(JSON.stringify(judge(buf.subarray(at + 4, at + 4 + n))));
      const head = Buffer.alloc(4);
      head.writeUInt32BE(body.length);
      replies.push(head, body);
      at += 4 + n;
    }
    if (replies.length > 0) process.stdout.write(Buffer.concat(replies));
    buf = buf.subarray(at);
    chunks = [buf];
    size = buf.length;
  }
}

function bench(file, seconds) {
  const bytes = readFileSync(file);
  const text = bytes.toString("utf8");
  for (const [name, fn] of [
    ["parse", () => YAML.parse(text)],
    ["full", () => sha(canonical(bytes.toString("utf8")))],
  ]) {
    const warm = process.hrtime.bigint();
    while (process.hrtime.bigint() - warm < 500_000_000n) fn();
    const t0 = process.hrtime.bigint();
    let n = 0;
    while (process.hrtime.bigint() - t0 < BigInt(Math.round(seconds * 1e9))) {
      fn();
      n += 1;
    }
    const ns = Number(process.hrtime.bigint() - t0) / n;
    console.log(
      `node ${name} ${file} bytes=${bytes.length} n=${n} ns/op=${ns.toFixed(0)} MB/s=${((bytes.length / ns) * 1e3).toFixed(2)}`,
    );
  }
}

const args = process.argv.slice(2);
if (args[0] === "--version") console.log(require("yaml/package.json").version);
else if (args[0] === "--serve") await serve();
else if (args[0] === "--bench") bench(args[1], Number(args[2] ?? 3));
else {
  const tree = args[0] === "--tree";
  const files = tree ? [...walk(args[1])] : args;
  for (const f of files) {
    const name = tree ? relative(args[1], f) : f;
    console.log(JSON.stringify({ file: name, ...judge(readFileSync(f)) }));
  }
}
