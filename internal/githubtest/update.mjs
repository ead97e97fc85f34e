// Makes the checked-in files of this folder from two npm packages (MIT):
//
//   npm install --ignore-scripts @octokit/openapi@23.0.2 @octokit/webhooks-examples@7.6.1
//   node internal/githubtest/update.mjs node_modules
//
// openapi/slice.json   the operations that the gate calls, cut out of GitHub's
//                      description of its REST API
// events/*.json        webhook payloads, changed to the cases that the examples lack
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const modules = join(process.argv[2], "@octokit");
const read = (name) => JSON.parse(readFileSync(join(modules, name)));
const write = (name, value) => writeFileSync(join(here, name), JSON.stringify(value, null, 1) + "\n");

// --- the slice

const operations = {
  "/repos/{owner}/{repo}/check-runs": ["post"],
  "/repos/{owner}/{repo}/check-runs/{check_run_id}": ["patch"],
  "/repos/{owner}/{repo}/issues/{issue_number}/comments": ["get", "post"],
  "/repos/{owner}/{repo}/issues/comments/{comment_id}": ["patch", "delete"],
};

const source = read("openapi/generated/api.github.com.json");
const slice = { openapi: source.openapi, info: source.info, paths: {}, components: {} };
delete slice.info.description;

// prose and examples are nine tenths of the text, and validate nothing
function bare(value, isMap = false) {
  if (Array.isArray(value)) return value.map((v) => bare(v));
  if (value === null || typeof value !== "object") return value;
  const out = {};
  for (const [k, v] of Object.entries(value)) {
    if (!isMap && (k === "example" || k === "examples" || k === "externalDocs" || k.startsWith("x-"))) continue;
    if (!isMap && (k === "description" || k === "title") && typeof v === "string") {
      if (k === "description") out[k] = "";
      continue;
    }
    out[k] = bare(v, ["properties", "schemas", "parameters", "responses", "headers", "content"].includes(k) && !Array.isArray(v));
  }
  return out;
}

function take(value) {
  if (Array.isArray(value)) return value.forEach(take);
  if (value === null || typeof value !== "object") return;
  if (typeof value.$ref === "string") {
    const [, , kind, name] = value.$ref.split("/");
    const kept = (slice.components[kind] ??= {});
    if (!(name in kept)) {
      kept[name] = bare(source.components[kind][name]);
      take(kept[name]);
    }
  }
  Object.values(value).forEach(take);
}

for (const [path, methods] of Object.entries(operations)) {
  slice.paths[path] = {};
  for (const m of methods) {
    slice.paths[path][m] = bare(source.paths[path][m]);
    take(slice.paths[path][m]);
  }
}
write("openapi/slice.json", slice);

// --- the events

const examples = read("webhooks-examples/api.github.com/index.json");
const example = (name, pick = () => true) =>
  withoutLinks(structuredClone(examples.find((e) => e.name === name).examples.find(pick)));

// the addresses of every object are half of each payload; the gate reads none
function withoutLinks(value) {
  if (Array.isArray(value)) return value.map(withoutLinks);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([k]) => k !== "_links" && !k.endsWith("_url") && k !== "url")
      .map(([k, v]) => [k, withoutLinks(v)]),
  );
}

const pull = () => {
  const e = example("pull_request", (x) => x.action === "opened");
  e.pull_request.changed_files = 2;
  return e;
};
write("events/pull_request.json", pull());

const fork = pull();
fork.pull_request.head.repo.full_name = "mona/Hello-World";
fork.pull_request.head.repo.fork = true;
fork.pull_request.head.repo.owner.login = "mona";
fork.pull_request.head.user.login = "mona";
fork.pull_request.head.label = "mona:changes";
fork.pull_request.user.login = "mona";
fork.sender.login = "mona";
write("events/fork.json", fork);

const gone = structuredClone(fork);
gone.pull_request.head.repo = null;
gone.pull_request.head.label = "unknown repository";
write("events/fork-deleted.json", gone);

const dependabot = pull();
dependabot.sender.login = dependabot.pull_request.user.login = "dependabot[bot]";
dependabot.sender.type = dependabot.pull_request.user.type = "Bot";
dependabot.pull_request.head.ref = "dependabot/npm_and_yarn/yaml-2.4.0";
write("events/dependabot.json", dependabot);

write("events/merge_group.json", example("merge_group"));

const commit = (n) => n.toString(16).repeat(40).slice(0, 40);
const push = example("push", (x) => x.commits.length > 0) ?? example("push");
Object.assign(push, { before: commit(0xb), after: commit(0xa), created: false, deleted: false, forced: false });
write("events/push.json", push);
write("events/push-created.json", { ...push, before: commit(0), created: true });
write("events/push-deleted.json", { ...push, after: commit(0), deleted: true });

const run = example("workflow_run", (x) => x.action === "completed" && x.workflow_run.pull_requests.length > 0);
// the example's run is not on the head of its own pull request
run.workflow_run.head_sha = run.workflow_run.pull_requests[0].head.sha;
run.workflow_run.head_branch = run.workflow_run.pull_requests[0].head.ref;
write("events/workflow_run.json", run);
write("events/workflow_dispatch.json", example("workflow_dispatch"));
write("events/schedule.json", { schedule: "30 5 * * 1" });
