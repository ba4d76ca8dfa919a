// Stands in for src/sandbox/start-sandbox.ts in a service under measurement: the sandbox in a process of its own.
import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";

export async function startSandbox({ connection, secret, publicUrl }) {
  const program = fileURLToPath(new URL("../programs/sandbox-process.mjs", import.meta.url));
  const child = fork(program, { execArgv: [] });
  child.send({ connection, secret: secret.reveal() });
  const answer = await new Promise((resolve, reject) => {
    child.once("message", resolve);
    child.once("exit", () => reject(new Error("the sandbox did not start")));
  });
  // The service learns its address after this; what the sandbox asks for it is answered from the latest.
  const telling = setInterval(() => child.connected && child.send({ publicUrl: publicUrl() }), 500);
  telling.unref();
  return {
    url: answer.url,
    close: async () => {
      clearInterval(telling);
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.disconnect();
      await ended;
    },
  };
}
