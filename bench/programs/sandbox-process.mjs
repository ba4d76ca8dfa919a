// The built sandbox as a process of its own. It ends with the service that started it.
import { openLog } from "../../dist/platform/log.js";
import { Secret } from "../../dist/platform/secret.js";
import { startSandbox } from "../../dist/sandbox/start-sandbox.js";

let publicUrl = "";
let sandbox;

process.on("message", async (message) => {
  if (message.publicUrl !== undefined) publicUrl = message.publicUrl;
  if (message.connection === undefined) return;
  const log = openLog({ level: "error", destination: process.stderr });
  const secret = new Secret(message.secret);
  sandbox = await startSandbox({ connection: message.connection, secret, log, publicUrl: () => publicUrl });
  process.send({ url: sandbox.url });
});
process.on("disconnect", async () => {
  await sandbox?.close();
  process.exit(0);
});
