import { timingSafeEqual } from "node:crypto";
import { findId, type Id } from "../../../core/ids.ts";
import type { Keyring } from "../../../platform/secrets.ts";

/** Below the public URL. */
export const ECHO_PATH = "/sandbox/echo";

const MARK_BYTES = 16;
const TOKEN = /^([0-9a-f]{32})-([0-9a-f]{32})$/;

/** Where a test project's echo endpoint is. Only a process that knows the keys can make the second half. */
export function echoUrlOf(keyring: Keyring, publicUrl: string, projectId: Id): string {
  return `${publicUrl}${ECHO_PATH}/${projectId}-${markOf(keyring, projectId).toString("hex")}`;
}

/** The project whose endpoint it is; undefined for a token that we did not make. */
export function findEchoProject(keyring: Keyring, token: string): Id | undefined {
  const [, named = "", mark = ""] = TOKEN.exec(token) ?? [];
  const projectId = findId(named);
  if (projectId === undefined) return undefined;
  return timingSafeEqual(Buffer.from(mark, "hex"), markOf(keyring, projectId)) ? projectId : undefined;
}

function markOf(keyring: Keyring, projectId: Id): Buffer {
  return keyring.lookupHash("echo_endpoints.token", projectId).subarray(0, MARK_BYTES);
}
