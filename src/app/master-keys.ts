import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { writePrivateFile } from "../platform/private-file.ts";
import type { Secret } from "../platform/secret.ts";
import { masterKey } from "../platform/secrets.ts";
import type { MasterKeys } from "./open-keyring.ts";

const KEY_FILE_NAME = "master.key";

/** The configured master keys; in development, where none is configured, one made at the first start. */
export function resolveMasterKeys(config: {
  readonly masterKey: Secret<Buffer> | undefined;
  readonly previousMasterKey: Secret<Buffer> | undefined;
  readonly stateDir: string;
}): MasterKeys {
  const current = config.masterKey?.reveal() ?? developmentKey(config.stateDir);
  const previous = config.previousMasterKey?.reveal();
  return { current: masterKey(current), previous: previous === undefined ? undefined : masterKey(previous) };
}

function developmentKey(stateDir: string): Buffer {
  const path = join(stateDir, KEY_FILE_NAME);
  try {
    return Buffer.from(readFileSync(path, "utf8").trim(), "hex");
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
    const key = randomBytes(32);
    writePrivateFile(path, `${key.toString("hex")}\n`);
    return key;
  }
}
