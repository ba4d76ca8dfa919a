import { headerOfKey, publicKeyPem, revealCallbackSecret } from "../../app/callbacks/callback-keys.ts";
import type { Keyring } from "../../platform/secrets.ts";
import type { CallbackKey, CallbackKeyKind } from "../../store/callbacks/callback-keys.ts";
import type { Project } from "../../store/merchants/projects.ts";
import { renderPairs, showInstant } from "../kit/output.ts";

/** How the keys of callbacks are shown. Here their secrets are opened, for the merchant whose they are. */

const NAMES = {
  rsa: "The service's public key, for the x-access-signature of callbacks signed by RSA-SHA256:",
  hmac: "The project's callback secret, for the x-access-signature of callbacks signed by HMAC-SHA512:",
  webhook: "The project's webhook secret, for the webhook-signature:",
} as const satisfies Record<CallbackKeyKind, string>;

const WARNING =
  "These are secrets: a person who has one can forge callbacks. Give them to the project's merchant only.";

export function renderCallbackKeys(
  keyring: Keyring,
  project: Project | undefined,
  keys: readonly CallbackKey[],
): string {
  const head =
    project === undefined
      ? []
      : [
          renderPairs([
            ["project", `${project.id} (${project.name})`],
            ["signed by", signedBy(project)],
          ]),
        ];
  const blocks = keys.map((key, index) => {
    const title = keys[index - 1]?.kind === key.kind ? [] : [NAMES[key.kind]];
    return [...title, `${validity(key)} ${signsSentence(key, keys)}\n${keyText(keyring, key)}`].join("\n\n");
  });
  const warning = keys.some((key) => key.kind !== "rsa") ? [WARNING] : [];
  return [...head, ...blocks, ...warning].join("\n\n");
}

function signedBy({ callbackSigning }: Project): string {
  return callbackSigning === "rsa" ? "RSA-SHA256, with the service's key" : "HMAC-SHA512, with the project's secret";
}

function validity({ createdAt, retiresAt }: CallbackKey): string {
  const made = `Made ${showInstant(createdAt)}`;
  return retiresAt === null ? `${made}.` : `${made}; it retires ${showInstant(retiresAt)}.`;
}

function signsSentence(key: CallbackKey, keys: readonly CallbackKey[]): string {
  return `It makes ${headerOfKey(key, keys) ?? "no header"}.`;
}

function keyText(keyring: Keyring, key: CallbackKey): string {
  return key.publicKey === null ? revealCallbackSecret(keyring, key) : publicKeyPem(key.publicKey).trimEnd();
}

/** `keys` are all that are shown, in the order in which they were made. */
export function callbackKeyJson(keyring: Keyring, key: CallbackKey, keys: readonly CallbackKey[]) {
  return {
    key_id: key.id,
    kind: key.kind,
    ...(key.publicKey === null
      ? { secret: revealCallbackSecret(keyring, key) }
      : { token: key.publicKey, public_key_pem: publicKeyPem(key.publicKey) }),
    signs: headerOfKey(key, keys) ?? null,
    created_at: key.createdAt.toISOString(),
    promoted_at: key.promotedAt?.toISOString() ?? null,
    retires_at: key.retiresAt?.toISOString() ?? null,
  };
}
