import { createPrivateKey, createPublicKey, createSecretKey, type KeyObject } from "node:crypto";
import { ALGORITHMS, type Algorithm, type KeyKind, type Scheme } from "../../platform/signing.ts";
import type { CallKey, UpstreamKey, VerifyKey } from "./options.ts";

export type SigningKey = { readonly token: string; readonly algorithm: Algorithm; readonly key: KeyObject };

/** Undefined: there is none, or it cannot be read, and no call can be made. */
export function openSigningKey(callKeys: readonly CallKey[], scheme: Scheme): SigningKey | undefined {
  const newest = callKeys.at(-1);
  const key = newest && readKey(newest, readPrivate);
  return newest && key && { token: newest.token, algorithm: algorithmOf(newest.kind, scheme), key };
}

export type VerifyingKey = { readonly kind: KeyKind; readonly key: KeyObject };

/** One that cannot be read verifies nothing. */
export function openVerifyingKeys(callbackKeys: readonly VerifyKey[]): readonly VerifyingKey[] {
  return callbackKeys.flatMap((given) => {
    const key = readKey(given, readPublic);
    return key === undefined ? [] : [{ kind: given.kind, key }];
  });
}

function algorithmOf(kind: KeyKind, scheme: Scheme): Algorithm {
  const names = Object.keys(ALGORITHMS) as Algorithm[];
  const found = names.find((name) => ALGORITHMS[name].kind === kind && ALGORITHMS[name].scheme === scheme);
  if (found === undefined) throw new Error("every kind of key signs under every scheme");
  return found;
}

/** What Node says of a key that it cannot read may repeat a part of it, so it goes no further. */
function readKey(key: UpstreamKey, readRsa: (key: UpstreamKey) => KeyObject | undefined): KeyObject | undefined {
  try {
    return key.kind === "rsa" ? readRsa(key) : key.secret && createSecretKey(key.secret.reveal());
  } catch {
    return undefined;
  }
}

const PEM = "-----BEGIN";

function readPrivate({ secret }: UpstreamKey): KeyObject | undefined {
  const bytes = secret?.reveal();
  if (bytes === undefined) return undefined;
  return bytes.subarray(0, PEM.length).toString("latin1") === PEM
    ? createPrivateKey(bytes)
    : createPrivateKey({ key: bytes, format: "der", type: "pkcs8" });
}

function readPublic({ token }: UpstreamKey): KeyObject {
  return createPublicKey({ key: Buffer.from(token, "base64url"), format: "der", type: "spki" });
}
