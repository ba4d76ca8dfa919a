import {
  browserSupportsWebAuthn,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from "@simplewebauthn/browser";
import type { Answer } from "./server.ts";

type Ask = <Value>(path: string, body?: object) => Promise<Answer<Value>>;

/** The browser made or used no passkey: it was cancelled, or there is none for this site. */
type NotUsed = { readonly kind: "not_used" };

export const hasPasskeys = browserSupportsWebAuthn();

/** Proves who it is by a passkey: at the sign-in, or again before a change. */
export async function provePasskey(ask: Ask, path: "sign-in/passkey" | "step-up/passkey") {
  const begun = await ask<PublicKeyCredentialRequestOptionsJSON>(`${path}/options`);
  if (begun.kind !== "ok") return begun;
  const response = await orNotUsed(startAuthentication({ optionsJSON: begun.value }));
  return "kind" in response ? response : ask(path, { response });
}

export async function addPasskey(ask: Ask, name: string) {
  const begun = await ask<PublicKeyCredentialCreationOptionsJSON>("second-factor/passkeys/begin");
  if (begun.kind !== "ok") return begun;
  const response = await orNotUsed(startRegistration({ optionsJSON: begun.value }));
  return "kind" in response
    ? response
    : ask<{ recovery_codes?: readonly string[] }>("second-factor/passkeys/finish", { name, response });
}

async function orNotUsed<Value>(asked: Promise<Value>): Promise<Value | NotUsed> {
  try {
    return await asked;
  } catch {
    return { kind: "not_used" };
  }
}
