import { type FileHandle, open } from "node:fs/promises";
import { CliFault } from "./command.ts";
import { reasonOf } from "./input-file.ts";

/** The bytes of a file that may be large, piece by piece. The file is opened at once, so that a wrong path is told first. */
export async function openStatementFile(path: string): Promise<AsyncIterable<Uint8Array>> {
  let file: FileHandle | undefined;
  try {
    file = await open(path);
    if ((await file.stat()).isDirectory()) throw Object.assign(new Error(), { code: "EISDIR" });
  } catch (error) {
    await file?.close();
    throw new CliFault(`${path} cannot be read: ${reasonOf(error)}.`);
  }
  return file.createReadStream();
}
