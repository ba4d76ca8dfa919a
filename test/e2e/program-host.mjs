// The built program in a process that runs one command after the other, as `bin/tillgate.mjs` runs one.
import { fileURLToPath } from "node:url";
import { main } from "../../dist/program/main.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const said = { stdout: "", stderr: "" };

for (const name of ["stdout", "stderr"]) {
  process[name].write = (text) => {
    said[name] += text;
    return true;
  };
}

process.on("message", async (words) => {
  const status = await main(words, "./tillgate", ROOT);
  process.send({ status, stdout: said.stdout, stderr: said.stderr });
  said.stdout = "";
  said.stderr = "";
  // Each command listens for a reader that went away; the next command listens for itself.
  process.stdout.removeAllListeners("error");
});
