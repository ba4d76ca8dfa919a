import {
  generateHmacKey,
  generateRsaKey,
  type KeyFault,
  type KeyScope,
  type RegisteredKey,
  RSA_BITS_MAX,
  RSA_BITS_MIN,
  registerRsaKey,
} from "../../app/merchants/api-keys.ts";
import type { Result } from "../../core/result.ts";
import { systemClock } from "../../platform/clock.ts";
import type { Secret } from "../../platform/secret.ts";
import type { Database } from "../../store/db.ts";
import { revokeApiKey } from "../../store/merchants/api-keys.ts";
import { findProject } from "../../store/merchants/projects.ts";
import { type CliContext, CliFault, type Command, EXIT } from "../kit/command.ts";
import { readInputFile, reasonOf } from "../kit/input-file.ts";
import { openPrivateOutput, type PrivateOutput } from "../kit/private-output.ts";
import { KEY_OPTIONS, type KeyCommand, readKeyCommand } from "./key-command.ts";
import { type AddedKey, printAddedKey } from "./key-view.ts";
import { requireMerchant } from "./merchant.ts";
import { projectUnknown } from "./project-view.ts";

export const keyAdd: Command = {
  name: "key add",
  summary: "Register a key that requests are signed with.",
  arguments: [],
  options: { ...KEY_OPTIONS, json: { type: "boolean", help: "print the key as JSON" } },
  notes: [
    "Several keys may be valid at once, so that a new one can take over before the old one is revoked.",
    "TIME is like 2026-01-31 or 2026-01-31T10:00:00Z.",
    "Example: {program} key add --project 0192d3c0a1b27c3d8e4f5a6b7c8d9e0f --public-key shop.pub.pem --label web-1",
    "Example: {program} key add --project 0192d3c0a1b27c3d8e4f5a6b7c8d9e0f --generate rsa --out shop.key.pem",
  ],
  run: async (context, input) => {
    const command = readKeyCommand(input, systemClock.nowMs());
    const makeKey = await keyMaker(context, command);
    await context.withDatabase(async (db) => {
      const scope = await scopeOf(db, command);
      const out = command.out === undefined ? undefined : openPrivateOutput(command.out);
      const key = await addKey(() => makeKey(db, scope), out);
      if (out !== undefined) await writeSecret(db, out, key);
      printAddedKey(context, { ...key, scope, out: out?.path, json: input.flag("json") });
    });
    return EXIT.done;
  },
};

type MakeKey = (db: Database, scope: KeyScope) => Promise<Result<AddedKey, KeyFault>>;

/** Reads what has to be read first; what it returns only has to be called. */
async function keyMaker(context: CliContext, command: KeyCommand): Promise<MakeKey> {
  const { source } = command;
  if (source.kind === "given") {
    const pem = await readInputFile(context, source.file);
    refuseOtherPem(source.file, pem);
    return async (db, scope) => added("rsa", await registerRsaKey(db, scope, pem), () => undefined);
  }
  if (source.what === "rsa") {
    return async (db, scope) => added("rsa", await generateRsaKey(db, scope), (key) => key.privateKeyPem);
  }
  return async (db, scope) => {
    return added("hmac", await generateHmacKey(db, await context.openKeyring(db), scope), (key) => key.secret);
  };
}

function added<K extends RegisteredKey>(
  kind: AddedKey["kind"],
  made: Result<K, KeyFault>,
  secretOf: (key: K) => Secret<string> | undefined,
): Result<AddedKey, KeyFault> {
  if (!made.ok) return made;
  const { id, token } = made.value;
  return { ok: true, value: { id, token, kind, secret: secretOf(made.value) } };
}

/** The two files that are taken for a public key most often. */
function refuseOtherPem(file: string, pem: string): void {
  const name = file === "-" ? "The input" : file;
  if (pem.includes("PRIVATE KEY-----")) {
    throw new CliFault(
      `${name} is a private key, which only its owner should see. Give its public half: openssl pkey -in KEY -pubout`,
    );
  }
  if (pem.includes("-----BEGIN CERTIFICATE-----")) {
    throw new CliFault(`${name} is a certificate. Give its public key: openssl x509 -in CERTIFICATE -noout -pubkey`);
  }
}

async function scopeOf(db: Database, { owner, label, notBefore, notAfter }: KeyCommand): Promise<KeyScope> {
  if (owner.projectId === undefined) {
    await requireMerchant(db, owner.merchantId);
    return { ...owner, projectId: null, label, notBefore, notAfter };
  }
  const project = await findProject(db, owner.projectId);
  if (project === undefined) throw projectUnknown(owner.projectId);
  const { id: projectId, merchantId, book } = project;
  if (owner.merchantId !== undefined && owner.merchantId !== merchantId) {
    throw new CliFault(`Project ${projectId} is not of merchant ${owner.merchantId} but of ${merchantId}.`);
  }
  if (owner.book !== undefined && owner.book !== book) throw new CliFault(`Project ${projectId} is a ${book} project.`);
  return { merchantId, projectId, book, label, notBefore, notAfter };
}

const SENTENCES: Readonly<Record<KeyFault, string>> = {
  merchant_unknown: "There is no such merchant.",
  project_unknown: "There is no such project.",
  book_differs: "The project is of the other book.",
  key_unreadable: "This is not a public key in PEM, which begins with -----BEGIN PUBLIC KEY-----.",
  key_not_rsa: "The key must be an RSA key.",
  key_exponent: "The key's public exponent must be from 65537 to 2^32.",
  key_size: `The key must have ${RSA_BITS_MIN} to ${RSA_BITS_MAX} bits.`,
  key_known: "This key is registered already. A key is registered once for all; even revoked, it does not come back.",
};

async function addKey(make: () => Promise<Result<AddedKey, KeyFault>>, out: PrivateOutput | undefined) {
  try {
    const made = await make();
    if (!made.ok) throw new CliFault(SENTENCES[made.error]);
    return made.value;
  } catch (error) {
    out?.discard();
    throw error;
  }
}

/** A key whose secret is lost has no use, so it is revoked. */
async function writeSecret(db: Database, out: PrivateOutput, key: AddedKey): Promise<void> {
  try {
    out.write(`${key.secret?.reveal().trimEnd() ?? ""}\n`);
  } catch (error) {
    out.discard();
    await revokeApiKey(db, key.id);
    throw new CliFault(`${out.path} cannot be written: ${reasonOf(error)}. Key ${key.id} was revoked again.`);
  }
}
