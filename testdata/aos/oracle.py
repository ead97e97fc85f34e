"""Writes oracle.json: what CPython makes of values that are easy to get wrong.

Run as: python3 oracle.py > oracle.json
The hashing rules are written down here a second time, from the description in
README.md, so that the Go code is held against Python itself.
"""
import hashlib
import json
import random
import struct
import sys

VOLATILE = set("timestamp ts created_at updated_at started_at ended_at duration_ms latency_ms "
               "request_id trace_id span_id correlation_id".split())


def sha(text):
    return hashlib.sha256(text.encode()).hexdigest()


def compact(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def rounded(value):
    if isinstance(value, float):
        return round(value, 6)
    if isinstance(value, dict):
        return {k: rounded(v) for k, v in value.items()}
    if isinstance(value, list):
        return [rounded(v) for v in value]
    return value


def golden(value):
    if isinstance(value, float):
        return round(value, 6)
    if isinstance(value, list):
        return [golden(v) for v in value]
    if not isinstance(value, dict):
        return value
    out = {}
    for k in sorted(value):
        low = k.lower()
        if low not in VOLATILE and value[k] is not None and low not in out:
            out[low] = golden(value[k])
    return out


texts = [
    "null", "true", "[]", "{}", "0", "-0", "-0.0", "0.0", "1.0", "1E5", "1e-5", "0.0001", "0.00001", "1e15", "1e16", "1e17",
    "9999999999999998.0", "123456789012345678901234567890", "-9223372036854775809", "1e400", "-1e400", "5e-324", "1e-400",
    "2.5e-7", "0.0000005", "0.0000015", "0.0078125", "0.0234375", "-0.0000001", "1.0000005", "1e22", "123456.7890125",
    "1.7976931348623157e308", "0.1", "3.14159265", "100000000000000000000.5",
    r'"\u00e9 \u20ac \ud83d\ude00 \u2028 \u007f \u0000 \b\f\n\r\t\"\\\/"', '"é€😀\u007f/"', r'"\ud800"', r'"a\udc00b\ud83d"',
    r'"\ud83d\ud83d\ude00"', '"\ufffd"', r'"\ufffd \\ud800 \n"',
    '{"b":1,"a":2,"B":3,"":4}', '{"a":1,"a":2}', r'{"\u20ac":1,"\ud83d\ude00":2,"\uffee":3}', '{"é":1,"z":2,"e":3}',
    '{"A":1,"a":2}', '{"a":null,"A":2}', '{"Timestamp":1,"TS":2,"x":{"Trace_ID":3,"y":[null,{"n":null}]}}',
    json.dumps({name: {name.upper(): 1, "kept": name} for name in sorted(VOLATILE)} | {"x_" + name: 1 for name in sorted(VOLATILE)}),
    '{"İ":1,"ΑΣ":2,"ΣΑ":3,"Α.Σ":4,"ΑΣ.":5,"Σ":6,"ß":7,"Ǆ":8}', '{"K":1,"k":2,"Å":3}', '[1.0000004,{"x":[0.1234565,0.12345650000000001]}]',
    '{"a_1":1,"aB":2,"a-":3,"a":4}', '{"10":1,"9":2,"é":1.0}', '["<>&",{"x":1e0}]',
]
rng = random.Random(2)
for _ in range(300):
    f = struct.unpack("<d", rng.getrandbits(64).to_bytes(8, "little"))[0]
    if f == f and abs(f) != float("inf"):
        texts.append(repr(f))
for _ in range(300):
    texts.append(repr(rng.uniform(-1000, 1000) * 10 ** rng.randint(-9, 3)))
for _ in range(100):
    texts.append("%d.%06d5" % (rng.randint(0, 9999), rng.randint(0, 999999)))
for _ in range(100):
    texts.append(repr(rng.getrandbits(20) / 2 ** rng.randint(5, 20)))

out = {"python": sys.version.split()[0], "dumps": [], "lower": [], "seeds": [], "traces": [], "records": []}
for t in texts:
    v = json.loads(t)
    out["dumps"].append({"json": t, "compact": compact(v), "rounded": json.dumps(rounded(v), sort_keys=True), "output": compact(golden(v))})
for s in ["ABC", "İSTANBUL", "ΟΔΥΣΣΕΥΣ", "ΟΔΥΣΣΕΥΣ ΣΑΣ", "Σ", "ΑΣ'Α", "ΑΣ' ", "À", "ẞ", "ⰀⰁ", "𐐀", "Ⅷ", "ΑΣ\u0301", "ʰΣ", "1Σ", "Α1Σ", "1ΑΣ", "Ꭰ"]:
    out["lower"].append([s, s.lower()])
for seed in [0, 42, -7, 12345, 2 ** 80]:
    for i in [0, 1, 99]:
        out["seeds"].append([str(seed), i, str(int(sha("%s:%s" % (seed, i))[:16], 16))])


def trace(seed, timestamp, tenant, steps):
    h = sha("%s:%s:%s" % (seed, timestamp, tenant))
    for s in steps:
        h = sha(h + ":" + sha(compact(s)))
    return {"version": "1.1.0", "seed": seed, "timestamp": timestamp, "tenant_id": tenant, "plan": [], "steps": steps,
            "root_hash": h, "finalized": True, "metadata": {}}


def step(i, **more):
    s = {"step_index": i, "skill_id": "s", "input_hash": "0" * 16, "output_hash": "1" * 16, "rng_state_before": "2" * 16,
         "outcome": "success", "idempotency_key": None, "replay_behavior": "execute"}
    s.update(more)
    return s


for args in [
    (2 ** 70, "2025-12-06T12:00:00+00:00", "münchen-😀", [step(0, skill_id="größe\u007f\u2028"), step(1, idempotency_key="münchen-😀:k\"\\\n")]),
    (-3, "t", "", [step(i) for i in range(12)]),
]:
    out["traces"].append(compact(trace(*args)))


# A loader takes a step without its two optional members for one with the defaults.
bare = trace(1, "t", "", [step(0)])
del bare["steps"][0]["idempotency_key"], bare["steps"][0]["replay_behavior"]
out["traces"].append(compact(bare))


def record(steps):
    hashes = []
    for s in steps:
        d = rounded({k: s[k] for k in ("step_index", "skill_name", "params", "status", "outcome_category", "outcome_code", "retry_count")})
        d["params"] = json.dumps(d["params"], sort_keys=True)
        hashes.append(sha(json.dumps(d, sort_keys=True))[:16])
    return {"schema_version": "1.0.0", "run_id": "r", "correlation_id": "c", "plan": [{"skill": s["skill_name"], "params": s["params"]} for s in steps],
            "steps": steps, "status": "completed", "checksum": sha(":".join(hashes))[:32]}


def call(i, params, **more):
    s = {"step_index": i, "skill_name": "naïve", "params": params, "status": "success", "outcome_category": "SUCCESS", "outcome_code": None,
         "cost_cents": 1.0, "duration_ms": 1.0, "retry_count": 0}
    s.update(more)
    return s


out["records"].append(json.dumps(record([])))
out["records"].append(json.dumps(record([
    call(0, {"q\"uote": "é\\n\u2028", "n": 12345678901234567890, "f": [1e-7, 0.0000005, 2.5e-7, 1e300, -0.0, 1e16]}),
    call(1, {}, outcome_code="ERR_X", retry_count=3), call(2, {"z": {"b": 1, "a": None}, "é": True})])))
json.dump(out, sys.stdout, indent=1)
print()
