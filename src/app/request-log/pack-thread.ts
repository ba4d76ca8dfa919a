import { parentPort } from "node:worker_threads";
import { packCalls } from "./pack-calls.ts";

/** The thread that masks and compresses calls. One question and one answer for each chunk, by its number. */
export type PackQuestion = { readonly number: number; readonly bytes: Uint8Array; readonly linesLength: number };
export type PackAnswer = { readonly number: number } & (
  | { readonly heads: Uint8Array; readonly bodies: Uint8Array }
  | { readonly fault: string }
);

parentPort?.on("message", ({ number, bytes, linesLength }: PackQuestion) => {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  parentPort?.postMessage(answer(number, all.subarray(0, linesLength), all.subarray(linesLength)));
  all.fill(0);
});

function answer(number: number, lines: Buffer, bodies: Buffer): PackAnswer {
  try {
    return { number, ...packCalls(lines, bodies) };
  } catch (error) {
    // Its message might quote a body.
    return { number, fault: error instanceof Error ? error.name : "unknown" };
  }
}
