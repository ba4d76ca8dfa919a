import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import { inspect } from "node:util";
import { decodeBase64url } from "./base64.ts";
import { TillgateError } from "./errors.ts";
import { accessTokenOf, readRsaKey } from "./rsa-key.ts";
import { findMisfit } from "./shape.ts";

type Identity = {
  /** The merchant's id; a project's id is also taken where existing clients send it. */
  readonly merchantId: string;
  readonly projectId: string;
};

export type RsaCredentials = Identity & {
  readonly kind: "rsa";
  readonly privateKeyPem: string;
  /** The public key as it was registered. Left out, it is derived from the private key. */
  readonly accessToken?: string | undefined;
};

export type HmacCredentials = Identity & { readonly kind: "hmac"; readonly keyId: string; readonly secret: string };

export type Credentials = RsaCredentials | HmacCredentials;

/** The content of `.tillgate/sandbox.json`, which a development server writes when it first starts. */
export type SandboxFile = {
  readonly base_url: string;
  readonly merchant_id: string;
  readonly project_id: string;
  readonly rsa_private_key_pem: string;
  readonly rsa_access_token: string;
  readonly hmac_key_id: string;
  readonly hmac_secret: string;
  /** What callbacks are verified with, in files of services that send them: `verifyCallback`, `verifyStandardWebhook`. */
  readonly callback_public_key_pem?: string;
  readonly webhook_secret?: string;
};

const SANDBOX_FILE_SHAPE = {
  base_url: "string",
  merchant_id: "string",
  project_id: "string",
  rsa_private_key_pem: "string",
  rsa_access_token: "string",
  hmac_key_id: "string",
  hmac_secret: "string",
  "callback_public_key_pem?": "string",
  "webhook_secret?": "string",
} as const;

/** Takes the parsed content of the file. What it returns can be logged: the secrets do not show. */
export function credentialsFromSandboxFile(json: unknown, kind: Credentials["kind"] = "rsa"): Credentials {
  const misfit = findMisfit(json, SANDBOX_FILE_SHAPE);
  if (misfit !== undefined) throw new TillgateError(`not the content of a sandbox file: ${misfit} is missing or wrong`);
  const file = json as SandboxFile;
  const identity = { merchantId: file.merchant_id, projectId: file.project_id };
  return hidingSecrets(
    kind === "rsa"
      ? { ...identity, kind, privateKeyPem: file.rsa_private_key_pem, accessToken: file.rsa_access_token }
      : { ...identity, kind, keyId: file.hmac_key_id, secret: file.hmac_secret },
  );
}

export type SigningKey = { readonly accessToken: string; readonly key: KeyObject | string };

/** Measured: signing from the PEM takes 1.9 ms, from a parsed key 0.7 ms. So each credentials object is parsed once. */
const signingKeys = new WeakMap<Credentials, SigningKey>();

export function signingKeyOf(credentials: Credentials): SigningKey {
  const known = signingKeys.get(credentials);
  if (known !== undefined) return known;
  requireWord("merchantId", credentials.merchantId);
  requireWord("projectId", credentials.projectId);
  const made = credentials.kind === "rsa" ? rsaSigningKey(credentials) : hmacSigningKey(credentials);
  signingKeys.set(credentials, made);
  return made;
}

function rsaSigningKey({ privateKeyPem, accessToken }: RsaCredentials): SigningKey {
  const key = readRsaKey(() => createPrivateKey(privateKeyPem), "privateKeyPem");
  const publicKey = createPublicKey(key);
  if (accessToken === undefined) return { accessToken: accessTokenOf(publicKey), key };
  // The service answers a wrong token and a wrong signature alike, so a mix-up is told here or nowhere.
  const der = decodeBase64url(accessToken);
  const registered = readRsaKey(() => createPublicKey({ key: der ?? "", format: "der", type: "spki" }), "accessToken");
  if (!registered.equals(publicKey)) throw new TillgateError("accessToken is not the public half of privateKeyPem");
  return { accessToken, key };
}

function hmacSigningKey({ keyId, secret }: HmacCredentials): SigningKey {
  requireWord("keyId", keyId);
  if (typeof secret !== "string" || secret === "") throw new TillgateError("secret is missing");
  return { accessToken: keyId, key: secret };
}

/** Ids go into headers and come from settings, where they are easily missing or carry a line end. */
function requireWord(name: string, value: string): void {
  if (typeof value !== "string" || !/^[!-~]+$/.test(value)) throw new TillgateError(`${name} is missing or not an id`);
}

function hidingSecrets(credentials: Credentials): Credentials {
  const { merchantId, projectId, kind } = credentials;
  const shown = () => ({ merchantId, projectId, kind, secrets: "[hidden]" });
  return Object.freeze(
    Object.defineProperties(credentials, { toJSON: { value: shown }, [inspect.custom]: { value: shown } }),
  );
}
