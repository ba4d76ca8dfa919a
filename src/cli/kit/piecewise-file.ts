import { createReadStream, statSync } from "node:fs";
import { type CliContext, CliFault } from "./command.ts";
import { reasonOf } from "./input-file.ts";

/** A file that is read piece by piece, however long it is; `-` is the standard input. */
export type PiecewiseFile = {
  readonly bytes: AsyncIterable<Uint8Array>;
  /** How much of it was read: from 0 to 1. */
  readonly share: () => number;
};

export function openPiecewiseFile(context: Pick<CliContext, "readInput">, path: string): PiecewiseFile {
  const sizeBytes = path === "-" ? 0 : sizeOf(path);
  let readBytes = 0;
  async function* bytes(): AsyncGenerator<Uint8Array> {
    if (path === "-") {
      yield Buffer.from(await context.readInput());
      return;
    }
    try {
      for await (const piece of createReadStream(path)) {
        readBytes += (piece as Buffer).length;
        yield piece as Buffer;
      }
    } catch (error) {
      throw unreadable(path, error);
    }
  }
  return { bytes: bytes(), share: () => (sizeBytes === 0 ? 0 : readBytes / sizeBytes) };
}

function sizeOf(path: string): number {
  try {
    return statSync(path).size;
  } catch (error) {
    throw unreadable(path, error);
  }
}

function unreadable(path: string, error: unknown): CliFault {
  return new CliFault(`${path} cannot be read: ${reasonOf(error)}.`);
}
