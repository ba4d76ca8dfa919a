import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  RegistrationResponseJSON,
} from "@simplewebauthn/server";
import type { Id } from "../../core/ids.ts";
import { type AccountFault, accountFault } from "../../core/people/account-fault.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import { decodeBase64url } from "../../platform/base64url.ts";
import { newId } from "../../platform/new-id.ts";
import type { Transaction } from "../../store/db.ts";
import {
  insertPasskey,
  listPasskeys,
  type Passkey,
  removePasskey,
  savePasskeyUse,
} from "../../store/people/passkeys.ts";
import { lockPerson } from "../../store/people/people.ts";
import { countFactors } from "../../store/people/second-factors.ts";
import { type SessionInUse, saveChallenge, takeChallenge } from "../../store/people/sessions.ts";
import { auditPerson } from "./audit.ts";
import type { Owner } from "./manage-factors.ts";
import type { PeopleDeps } from "./people-deps.ts";
import { renewRecoveryCodes } from "./second-factors.ts";

/** Passkeys by WebAuthn: a device signs our challenge for our origin, so no other site can ask for it. */

const CHALLENGE_LASTS_MS = 5 * 60 * 1000;
const PASSKEYS_MAX = 20;
const REFUSED = accountFault("code_wrong", "the passkey could not be verified");

/** Takes half a second of processor time to load, measured, and most processes never need it. */
const webauthn = async () => {
  // The library's certificates need it first; the bundled program would load it after them.
  await import("reflect-metadata");
  return import("@simplewebauthn/server");
};

/** The page's own origin, which the door has checked: in development it may be localhost. */
export type PasskeyPlace = { readonly origin: string };
const relyingPartyOf = ({ origin }: PasskeyPlace) => new URL(origin).hostname;

const encoded = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64url");
const named = ({ credentialId, transports }: Passkey) => ({
  id: encoded(credentialId),
  transports: transports as AuthenticatorTransport[],
});

export async function beginPasskey(deps: PeopleDeps, session: SessionInUse, place: PasskeyPlace) {
  const known = await listPasskeys(deps.db, session.personId);
  const options = await (await webauthn()).generateRegistrationOptions({
    rpName: "Tillgate",
    rpID: relyingPartyOf(place),
    userID: new Uint8Array(Buffer.from(session.personId, "hex")),
    userName: session.email,
    userDisplayName: session.name,
    attestationType: "none",
    excludeCredentials: known.map(named),
    authenticatorSelection: { residentKey: "discouraged", userVerification: "preferred" },
  });
  await keepChallenge(deps, session, options.challenge);
  return options;
}

type NewPasskey = { readonly name: string; readonly response: unknown; readonly owner: Owner };
type AddedPasskey = { readonly id: Id; readonly recoveryCodes: readonly string[] | undefined };

export async function addPasskey(
  deps: PeopleDeps,
  session: SessionInUse,
  place: PasskeyPlace,
  { name, response, owner }: NewPasskey,
): Promise<Result<AddedPasskey, AccountFault>> {
  const challenge = await usedChallenge(deps, session);
  const credential = challenge === undefined ? undefined : await readCredential(place, challenge, response);
  if (credential === undefined) return fail(REFUSED);
  const id = newId();
  return deps.db.transaction(async (tx) => {
    await lockPerson(tx, owner.id);
    const before = await countFactors(tx, owner.id);
    if (before.passkeys >= PASSKEYS_MAX) return fail(accountFault("wrong_state", "remove a passkey first"));
    if (!(await insertPasskey(tx, owner.id, { ...credential, id, name }))) return fail(REFUSED);
    await auditPerson(tx, owner, { actor: owner.actor, action: "second_factor.passkey_add", after: { name } });
    const recoveryCodes = before.recoveryCodes === 0 ? await renewRecoveryCodes(tx, owner.id) : undefined;
    return ok({ id, recoveryCodes });
  });
}

export function dropPasskey({ db }: PeopleDeps, owner: Owner, id: Id): Promise<Result<null, AccountFault>> {
  return db.transaction(async (tx) => {
    await lockPerson(tx, owner.id);
    const name = await removePasskey(tx, owner.id, id);
    if (name === undefined) return fail(accountFault("not_found", "there is no such passkey"));
    await auditPerson(tx, owner, { actor: owner.actor, action: "second_factor.passkey_remove", before: { name } });
    return ok(null);
  });
}

/** What the browser is to sign, with one of the person's own passkeys. */
export async function askForPasskey(deps: PeopleDeps, session: SessionInUse, place: PasskeyPlace) {
  const known = await listPasskeys(deps.db, session.personId);
  const options = await (await webauthn()).generateAuthenticationOptions({
    rpID: relyingPartyOf(place),
    allowCredentials: known.map(named),
    userVerification: "preferred",
  });
  await keepChallenge(deps, session, options.challenge);
  return options;
}

/** Whether one of the person's passkeys signed the session's challenge. */
export async function provePasskey(
  deps: PeopleDeps,
  session: SessionInUse,
  place: PasskeyPlace,
  response: unknown,
): Promise<boolean> {
  const challenge = await usedChallenge(deps, session);
  const given = response as AuthenticationResponseJSON;
  const passkey = (await listPasskeys(deps.db, session.personId)).find(
    (each) => encoded(each.credentialId) === given.id,
  );
  if (challenge === undefined || passkey === undefined) return false;
  const { verifyAuthenticationResponse } = await webauthn();
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: given,
      expectedChallenge: challenge,
      expectedOrigin: place.origin,
      expectedRPID: relyingPartyOf(place),
      credential: {
        ...named(passkey),
        publicKey: new Uint8Array(passkey.publicKey),
        counter: Number(passkey.signCount),
      },
      // It is the second factor: the password was the first.
      requireUserVerification: false,
    });
    if (verified) await savePasskeyUse(deps.db, passkey.id, authenticationInfo.newCounter);
    return verified;
  } catch {
    // The library throws for whatever does not fit.
    return false;
  }
}

async function keepChallenge({ db, clock }: PeopleDeps, { id }: SessionInUse, challenge: string): Promise<void> {
  await saveChallenge(db, id, Buffer.from(challenge, "base64url"), new Date(clock.nowMs()));
}

async function usedChallenge({ db, clock }: PeopleDeps, { id }: SessionInUse): Promise<string | undefined> {
  const since = new Date(clock.nowMs() - CHALLENGE_LASTS_MS);
  const challenge = await db.transaction((tx: Transaction) => takeChallenge(tx, id, since));
  return challenge === undefined ? undefined : encoded(challenge);
}

type Credential = Pick<Passkey, "credentialId" | "publicKey" | "signCount" | "transports">;

async function readCredential(place: PasskeyPlace, challenge: string, given: unknown): Promise<Credential | undefined> {
  const { verifyRegistrationResponse } = await webauthn();
  const { decodeAttestationObject } = await import("@simplewebauthn/server/helpers");
  const response = given as RegistrationResponseJSON;
  try {
    // We ask for no attestation. Others name certificates, for whose revocation lists the library would ask the network.
    const attestation = decodeBase64url(response.response.attestationObject) ?? Buffer.alloc(0);
    if (decodeAttestationObject(new Uint8Array(attestation)).get("fmt") !== "none") return undefined;
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: place.origin,
      expectedRPID: relyingPartyOf(place),
      requireUserVerification: false,
    });
    if (!verified) return undefined;
    const { id, publicKey, counter, transports = [] } = registrationInfo.credential;
    const credentialId = Buffer.from(id, "base64url");
    return {
      credentialId,
      publicKey: Buffer.from(publicKey),
      signCount: BigInt(counter),
      transports: kept(transports),
    };
  } catch {
    return undefined;
  }
}

const TRANSPORTS = ["ble", "cable", "hybrid", "internal", "nfc", "smart-card", "usb"];

/** They come from the browser unsigned. */
function kept(transports: readonly string[]): readonly string[] {
  return TRANSPORTS.filter((each) => transports.includes(each));
}
