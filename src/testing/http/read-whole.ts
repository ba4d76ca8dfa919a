import type { IncomingMessage } from "node:http";

/** The body of a request; undefined where its sender went away before the end, which is no fault of the test. */
export async function readWhole(incoming: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
  } catch {
    return undefined;
  }
  return Buffer.concat(chunks);
}
