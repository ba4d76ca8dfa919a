import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { TestSandbox } from "./test-sandbox.ts";

/** The built sandbox as a process of its own, on the test's database, to be killed. */
export async function startSandboxProcess(sandbox: TestSandbox): Promise<{ child: ChildProcess; url: string }> {
  const dist = new URL("../../dist/", import.meta.url);
  const program = `
    const { startSandbox } = await import(${JSON.stringify(new URL("sandbox/start-sandbox.js", dist).href)});
    const { Secret } = await import(${JSON.stringify(new URL("platform/secret.js", dist).href)});
    const { openLog } = await import(${JSON.stringify(new URL("platform/log.js", dist).href)});
    const log = openLog({ level: "error", destination: process.stderr });
    const secret = new Secret(${JSON.stringify(sandbox.secret.reveal())});
    const { url } = await startSandbox({ connection: ${JSON.stringify(sandbox.connection)}, secret, log });
    process.stdout.write(url);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [url] = await once(child.stdout, "data");
  return { child, url: String(url) };
}
