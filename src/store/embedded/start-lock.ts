import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { open, stat } from "node:fs/promises";
import net from "node:net";
import path from "node:path";
import { hasCode } from "./faults.ts";

/**
 * One process at a time makes the data directory and starts the server. PostgreSQL's own lock file does not do here: of two
 * servers that find a stale one at once, the second may remove the file that the first has just written. The lock must also
 * end with its holder, however that dies, so it is nothing that is left on the disk.
 */
export type StartLock = { readonly unlock: () => Promise<void> };

export async function tryStartLock(directory: string): Promise<StartLock | undefined> {
  return process.platform === "linux" ? tryAbstractSocket(directory) : tryLockedFile(directory);
}

/** Linux: a name in the abstract socket namespace has one owner, and the kernel takes it back when the owner dies. */
async function tryAbstractSocket(directory: string): Promise<StartLock | undefined> {
  const { dev, ino } = await stat(directory);
  const name = createHash("sha256").update(`${dev}:${ino}`).digest("hex").slice(0, 32);
  const server = net.createServer((socket) => socket.destroy());
  return new Promise((resolve, reject) => {
    server.once("error", (error) => (hasCode(error, "EADDRINUSE") ? resolve(undefined) : reject(error)));
    server.listen({ path: `\0tillgate-start-${name}`, exclusive: true }, () => {
      server.unref();
      resolve({ unlock: () => new Promise((done) => server.close(() => done())) });
    });
  });
}

/** macOS: open(2) itself can take the lock. Node has no name for O_EXLOCK, whose value has been 0x20 in every BSD. */
const O_EXLOCK = 0x20;

async function tryLockedFile(directory: string): Promise<StartLock | undefined> {
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_NONBLOCK | O_EXLOCK;
  try {
    const file = await open(path.join(directory, "start.lock"), flags, 0o600);
    return { unlock: () => file.close() };
  } catch (error) {
    if (hasCode(error, "EAGAIN", "EWOULDBLOCK")) return undefined;
    throw error;
  }
}
