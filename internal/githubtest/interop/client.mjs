// Uses GitHub's own client: node client.mjs upload NAME FILE | download NAME FOLDER
import { DefaultArtifactClient } from "@actions/artifact";
import { dirname } from "node:path";

const [what, name, path] = process.argv.slice(2);
const client = new DefaultArtifactClient();
if (what === "upload") {
  console.log(JSON.stringify(await client.uploadArtifact(name, [path], dirname(path), { retentionDays: 5 })));
} else {
  const { artifact } = await client.getArtifact(name);
  const { downloadPath, digestMismatch } = await client.downloadArtifact(artifact.id, { path, expectedHash: artifact.digest });
  if (digestMismatch) throw new Error("the digest is not that of the content");
  console.log(JSON.stringify({ ...artifact, downloadPath }));
}
