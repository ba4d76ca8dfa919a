import { readFileSync } from "node:fs";
import { join } from "node:path";
import { writePrivateFile } from "../../platform/private-file.ts";
import type { Keyring } from "../../platform/secrets.ts";
import type { Database } from "../../store/db.ts";
import { listApiKeys } from "../../store/merchants/api-keys.ts";
import { ensureCallbackKey, ensureSigningKey, publicKeyPem, revealCallbackSecret } from "../callbacks/callback-keys.ts";
import { generateHmacKey, generateRsaKey, type KeyScope } from "../merchants/api-keys.ts";
import { ensureSandboxLogin, type SandboxLogin } from "./sandbox-login.ts";
import type { Sandbox } from "./seed-sandbox.ts";

/** What `.tillgate/sandbox.json` holds. Members are added over time and never renamed: scripts read this file. */
export type SandboxFile = {
  readonly base_url: string;
  readonly merchant_id: string;
  readonly project_id: string;
  readonly rsa_private_key_pem: string;
  readonly rsa_access_token: string;
  readonly hmac_key_id: string;
  readonly hmac_secret: string;
  /** What callbacks are verified with: the service's key, and the project's secret of Standard Webhooks. */
  readonly callback_public_key_pem: string;
  readonly webhook_secret: string;
  /** For callbacks signed by HMAC, where the project chose that. */
  readonly callback_hmac_secret?: string;
  /** For the account, at `/account`. */
  readonly account_login?: string;
  readonly account_password?: string;
};

export const SANDBOX_FILE_NAME = "sandbox.json";

/** The sandbox's keys: those of an earlier start if they still work, else new ones. */
export async function ensureSandboxKeys(
  deps: { readonly db: Database; readonly keyring: Keyring; readonly stateDir: string },
  sandbox: Sandbox,
): Promise<SandboxKeys> {
  const path = join(deps.stateDir, SANDBOX_FILE_NAME);
  const keys = (await findWorkingKeys(deps.db, path, sandbox)) ?? (await makeKeys(deps.db, deps.keyring, sandbox));
  // Programs that read the file look at x-access-signature alone, so it names the keys that make that header.
  const serviceKey = await ensureSigningKey(deps, "rsa", null);
  const hmacKey = await ensureSigningKey(deps, "hmac", sandbox.projectId);
  const webhookKey = await ensureCallbackKey(deps, "webhook", sandbox.projectId);
  return {
    ...keys,
    ...(await ensureSandboxLogin(deps.db, sandbox.merchantId, readSandboxFile(path))),
    callback_public_key_pem: publicKeyPem(serviceKey.publicKey ?? ""),
    webhook_secret: revealCallbackSecret(deps.keyring, webhookKey),
    callback_hmac_secret: revealCallbackSecret(deps.keyring, hmacKey),
  };
}

export function writeSandboxFile(stateDir: string, sandbox: Sandbox, keys: SandboxKeys, baseUrl: string): string {
  const file: SandboxFile = {
    base_url: baseUrl,
    merchant_id: sandbox.merchantId,
    project_id: sandbox.projectId,
    ...keys,
  };
  const path = join(stateDir, SANDBOX_FILE_NAME);
  writePrivateFile(path, `${JSON.stringify(file, null, 2)}\n`);
  return path;
}

type RequestKeys = Pick<SandboxFile, "rsa_private_key_pem" | "rsa_access_token" | "hmac_key_id" | "hmac_secret">;

export type SandboxKeys = RequestKeys &
  SandboxLogin &
  Pick<SandboxFile, "callback_public_key_pem" | "webhook_secret" | "callback_hmac_secret">;

async function findWorkingKeys(db: Database, path: string, sandbox: Sandbox): Promise<RequestKeys | undefined> {
  const file = readSandboxFile(path);
  if (file === undefined) return undefined;
  const usable = (await listApiKeys(db))
    .filter((key) => key.projectId === sandbox.projectId && key.revokedAt === null)
    .map((key) => key.token);
  if (!usable.includes(file.rsa_access_token) || !usable.includes(file.hmac_key_id)) return undefined;
  const { rsa_private_key_pem, rsa_access_token, hmac_key_id, hmac_secret } = file;
  return { rsa_private_key_pem, rsa_access_token, hmac_key_id, hmac_secret };
}

async function makeKeys(db: Database, keyring: Keyring, sandbox: Sandbox): Promise<RequestKeys> {
  const scope: KeyScope = { ...sandbox, book: "test", label: "sandbox.json", notBefore: new Date(0), notAfter: null };
  const rsa = await generateRsaKey(db, scope);
  if (!rsa.ok) throw new Error(`the sandbox's RSA key could not be made: ${rsa.error}`);
  const hmac = await generateHmacKey(db, keyring, scope);
  if (!hmac.ok) throw new Error(`the sandbox's HMAC key could not be made: ${hmac.error}`);
  return {
    rsa_private_key_pem: rsa.value.privateKeyPem.reveal(),
    rsa_access_token: rsa.value.token,
    hmac_key_id: hmac.value.token,
    hmac_secret: hmac.value.secret.reveal(),
  };
}

const NAMES = ["base_url", "merchant_id", "project_id"] as const satisfies readonly (keyof SandboxFile)[];
const KEYS = [
  ["rsa_access_token", "rsa_private_key_pem"],
  ["hmac_key_id", "hmac_secret"],
] as const satisfies readonly (readonly (keyof SandboxFile)[])[];
const NO_KEYS = { rsa_private_key_pem: "", rsa_access_token: "", hmac_key_id: "", hmac_secret: "" } as const;

/** Undefined when there is no such file, or it is not what we wrote. A file that a person wrote may have keys of one kind only. */
export function readSandboxFile(path: string): SandboxFile | undefined {
  try {
    const parsed: unknown = JSON.parse(readFileSync(path, "utf8"));
    if (typeof parsed !== "object" || parsed === null) return undefined;
    const file = { ...NO_KEYS, ...parsed } as Readonly<Record<string, unknown>>;
    const isText = (member: string) => typeof file[member] === "string";
    const isThere = (member: string) => isText(member) && file[member] !== "";
    const whole = NAMES.every(isText) && KEYS.flat().every(isText) && KEYS.some((pair) => pair.every(isThere));
    return whole ? (file as unknown as SandboxFile) : undefined;
  } catch {
    return undefined;
  }
}
