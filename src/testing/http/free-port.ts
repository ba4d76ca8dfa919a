import { once } from "node:events";
import { createServer } from "node:net";

/** Below the ports that a system gives to those who ask for any: what is free here is not taken by such a one a moment later. */
const FIRST = 20_000;
const COUNT = 10_000;
const TRIES_MAX = 50;

/** For a program that must be told its port, or be found at the same one when it is started again. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const port = FIRST + Math.floor(Math.random() * COUNT);
    if (await isFree(port)) return port;
  }
  throw new Error("no free port was found");
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    await once(server.listen(port, "127.0.0.1"), "listening");
  } catch {
    return false;
  }
  server.close();
  await once(server, "close");
  return true;
}
