import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fail, ok, type Result } from "../../core/result.ts";
import { createPrivateFile } from "../../platform/private-file.ts";
import type { Secret } from "../../platform/secret.ts";
import { masterKey } from "../../platform/secrets.ts";
import type { MasterKeys } from "./open-keyring.ts";

const KEY_FILE_NAME = "master.key";

const KEY_HEX = /^[0-9a-f]{64}$/;

/** The configured master keys; in development, where none is configured, one made at the first start. */
export function resolveMasterKeys(config: {
  readonly masterKey: Secret<Buffer> | undefined;
  readonly previousMasterKey: Secret<Buffer> | undefined;
  readonly stateDir: string;
}): Result<MasterKeys, string> {
  const current = config.masterKey === undefined ? developmentKey(config.stateDir) : ok(config.masterKey.reveal());
  if (!current.ok) return current;
  const previous = config.previousMasterKey?.reveal();
  return ok({ current: masterKey(current.value), previous: previous === undefined ? undefined : masterKey(previous) });
}

function developmentKey(stateDir: string): Result<Buffer, string> {
  const path = join(stateDir, KEY_FILE_NAME);
  if (!existsSync(path)) {
    // Of two first starts at once, the one that comes second takes the key of the first.
    createPrivateFile(path, `${randomBytes(32).toString("hex")}\n`);
  }
  const text = readFileSync(path, "utf8").trim();
  return KEY_HEX.test(text)
    ? ok(Buffer.from(text, "hex"))
    : fail(
        `${path} is damaged: it should hold 64 hex characters. Put the right key back, or remove ${stateDir} to start from scratch.`,
      );
}
