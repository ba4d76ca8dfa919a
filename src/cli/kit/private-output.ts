import { closeSync, openSync, rmSync, writeFileSync } from "node:fs";
import { CliFault } from "./command.ts";
import { reasonOf } from "./input-file.ts";

/** A new file that only its owner can read. It is opened before the secret is made, so that none is lost for want of it. */
export type PrivateOutput = {
  readonly path: string;
  readonly write: (text: string) => void;
  /** Removes it again: nothing came of what it was for. */
  readonly discard: () => void;
};

const OWNER_ONLY = 0o600;

export function openPrivateOutput(path: string): PrivateOutput {
  let file: number;
  try {
    // x: never over a file that is there, which may be the only copy of another key.
    file = openSync(path, "wx", OWNER_ONLY);
  } catch (error) {
    throw new CliFault(`${path} cannot be made: ${reasonOf(error)}.`);
  }
  return {
    path,
    write: (text) => {
      writeFileSync(file, text);
      closeSync(file);
    },
    discard: () => rmSync(path, { force: true }),
  };
}
