import { createHmac } from "node:crypto";
import type { Id } from "../../core/ids.ts";
import type { Keyring } from "../../platform/secrets.ts";
import { type Algorithm, makeSignatureInThread, signedBody } from "../../platform/signing.ts";
import type { JsonValue } from "../../platform/strict-json.ts";
import type { CallbackKeyKind } from "../../store/callbacks/callback-keys.ts";
import type { Database } from "../../store/db.ts";
import type { Directory, DirectoryProject } from "../merchants/directory.ts";
import {
  callbackKeyName,
  ensureCallbackKey,
  inSigningOrder,
  type OpenCallbackKey,
  openCallbackKey,
} from "./callback-keys.ts";

/** `text` is what is sent, and so what is signed: a receiver reads nothing else. It is the JSON of `body`. */
type CallbackToSign = { readonly eventId: string; readonly text: string; readonly body: object };

/** Makes both signatures of a callback: by the protocol's own scheme, and by Standard Webhooks. Each attempt is signed again. */
export type SignCallback = (project: DirectoryProject, callback: CallbackToSign) => Promise<Record<string, string>>;

type Deps = {
  readonly db: Database;
  readonly keyring: Keyring;
  readonly nowMs: () => number;
  readonly currentDirectory: () => Directory | Promise<Directory>;
};

export function openCallbackSigner(deps: Deps): SignCallback {
  /** Keys that were made just now and have not reached the directory yet. */
  const fresh = new Map<string, Promise<OpenCallbackKey>>();

  /** At once, but for the first callback of a project. */
  function listKeys(
    { callbackKeys }: Directory,
    kind: CallbackKeyKind,
    projectId: Id | null,
  ): readonly OpenCallbackKey[] | Promise<readonly OpenCallbackKey[]> {
    const nowMs = deps.nowMs();
    const name = callbackKeyName(kind, projectId);
    const known = callbackKeys.get(name)?.filter((key) => key.retiresAtMs > nowMs) ?? [];
    return known.length > 0 ? known : listFresh(name, kind, projectId);
  }

  async function listFresh(name: string, kind: CallbackKeyKind, projectId: Id | null): Promise<OpenCallbackKey[]> {
    const making = fresh.get(name) ?? makeFirst(kind, projectId).finally(() => fresh.delete(name));
    fresh.set(name, making);
    return [await making];
  }

  async function makeFirst(kind: CallbackKeyKind, projectId: Id | null): Promise<OpenCallbackKey> {
    return openCallbackKey(deps.keyring, await ensureCallbackKey(deps, kind, projectId));
  }

  return async (project, callback) => {
    const timestamp = String(Math.floor(deps.nowMs() / 1000));
    const directory = await deps.currentDirectory();
    const schemeKeys = await (project.callbackSigning === "rsa"
      ? listKeys(directory, "rsa", null)
      : listKeys(directory, "hmac", project.id));
    const webhookKeys = await listKeys(directory, "webhook", project.id);
    return {
      "content-type": "application/json",
      "x-access-timestamp": timestamp,
      "x-access-merchant-id": project.id,
      ...(await schemeHeaders(schemeKeys, callback, timestamp)),
      "webhook-id": callback.eventId,
      "webhook-timestamp": timestamp,
      "webhook-signature": webhookKeys.map((key) => webhookSignature(key, callback, timestamp)).join(" "),
    };
  };
}

/** While a key is replaced, both sign: the second under names of its own. The operator says when they change places. */
async function schemeHeaders(
  keys: readonly OpenCallbackKey[],
  { body }: CallbackToSign,
  timestamp: string,
): Promise<Record<string, string>> {
  const [current, next] = inSigningOrder(keys);
  if (current === undefined) throw new Error("there is no key to sign callbacks with");
  const algorithm: Algorithm = current.kind === "rsa" ? "RSA-SHA256" : "HMAC-SHA512";
  const message = signedBody(body as JsonValue, timestamp);
  return {
    "x-access-token": current.token,
    "x-access-merchant-algorithm": algorithm,
    "x-access-signature": await makeSignatureInThread(algorithm, current.key, message),
    ...(next === undefined
      ? {}
      : {
          "x-access-token-next": next.token,
          "x-access-signature-next": await makeSignatureInThread(algorithm, next.key, message),
        }),
  };
}

function webhookSignature({ key }: OpenCallbackKey, { eventId, text }: CallbackToSign, timestamp: string): string {
  return `v1,${createHmac("sha256", key).update(`${eventId}.${timestamp}.${text}`).digest("base64")}`;
}
