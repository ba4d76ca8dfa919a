import { openLog } from "../../platform/log.ts";
import { Secret } from "../../platform/secret.ts";
import { startSandbox } from "../start-sandbox.ts";
import { type SandboxReport, type SandboxStart, STOP } from "./messages.ts";

/**
 * The program of the sandbox's own process. It ends with its parent, however that ends: when the channel is closed without
 * a word, the parent was killed, and so is this process, in the middle of whatever it does.
 */

const CLOSE_WITHIN_MS = 2_000;

// The service stops it. A terminal or a supervisor signals every process of the service at once.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => undefined);
process.title = "tillgate sandbox";

let close = async (): Promise<void> => undefined;
process.once("disconnect", () => process.exit(1));
process.on("message", (message: SandboxStart | typeof STOP) => {
  if (message !== STOP) return void run(message);
  setTimeout(() => process.exit(1), CLOSE_WITHIN_MS).unref();
  close().finally(() => process.exit());
});

async function run({ connection, port, secret, logLevel }: SandboxStart): Promise<void> {
  const log = openLog({ level: logLevel, destination: { write: (line) => report({ kind: "line", line }) } });
  try {
    const sandbox = await startSandbox({ connection, port, secret: new Secret(secret), log });
    close = sandbox.close;
    report({ kind: "listening", url: sandbox.url });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const code = error instanceof Error && "code" in error ? String(error.code) : undefined;
    report({ kind: "failed", message, code });
  }
}

function report(message: SandboxReport): void {
  // A parent that has ended reads nothing.
  if (process.connected) process.send?.(message);
}
