import { createPublicKey, createSecretKey, hash, type KeyObject } from "node:crypto";
import { decodeBase64url } from "../../platform/base64url.ts";
import {
  ALGORITHMS,
  type Algorithm,
  findAlgorithm,
  normalise,
  signedMessage,
  verifySignature,
} from "../../platform/signing.ts";
import { isObject, parseStrictJson } from "../../platform/strict-json.ts";

/** The form of docs/signing-vectors.json, and of what a merchant's program writes in the same form. */
type Entry = Readonly<Record<string, unknown>>;
export type VectorFile = { readonly keys: Keys; readonly vectors: readonly Entry[] };
type Keys = Partial<Record<"rsa" | "hmac", KeyObject>>;

/** A sentence that says what is wrong with the file as a whole; else the file. */
export function readVectorFile(text: string): VectorFile | string {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return "it is not JSON";
  }
  if (!isObject(parsed) || !Array.isArray(parsed.vectors)) return 'it has no list "vectors"';
  if (!parsed.vectors.every(isObject)) return "a vector must be a JSON object";
  const { rsa, hmac } = parsed;
  const pem = isObject(rsa) ? rsa.public_key_pem : undefined;
  const secret = isObject(hmac) ? hmac.secret : undefined;
  const keys: Keys = {};
  try {
    if (typeof pem === "string") keys.rsa = createPublicKey(pem);
  } catch {
    return "rsa.public_key_pem is not a public key in PEM";
  }
  if (typeof secret === "string" && secret !== "") keys.hmac = createSecretKey(secret, "utf8");
  return { keys, vectors: parsed.vectors };
}

/** Where a program differs: the first step that does, what it made, and what is right. */
type Difference = { readonly step: string; readonly made: string; readonly right: string };

export type Verdict =
  | { readonly kind: "right" }
  | { readonly kind: "differs"; readonly difference: Difference }
  /** It cannot be judged, for this reason. */
  | { readonly kind: "unusable"; readonly reason: string };

/** The vector of the reference that has this name and algorithm. */
export function findReference({ vectors }: VectorFile, entry: Entry): Entry | undefined {
  return vectors.find(({ name, algorithm }) => name === entry.name && algorithm === entry.algorithm);
}

/** The vector of the contract that has the same name, and the keys that belong to it. */
export type Reference = { readonly entry: Entry | undefined; readonly keys: Keys };

/** Checks what an entry says, in the order in which a signature is made. Members that it leaves out are those of the reference. */
export async function checkVector(entry: Entry, given: Keys, reference: Reference): Promise<Verdict> {
  const whole = { ...inputsOf(reference.entry), ...entry };
  const read = readInputs(whole);
  if (typeof read === "string") return { kind: "unusable", reason: read };
  const { algorithm, message, normalised } = read;
  const { scheme, kind } = ALGORITHMS[algorithm];
  const steps: [string, string][] = [
    ...(scheme === 1 ? [["normalised", normalised] satisfies [string, string]] : []),
    ["message", message],
    ...(scheme === 1 ? [["sha256_of_message", hash("sha256", message, "hex")] satisfies [string, string]] : []),
  ];
  for (const [step, right] of steps) {
    const made = whole[step];
    if (made !== undefined && made !== right) return differs(step, made, right);
  }
  const isVerdict = whole.signature === undefined && whole.valid !== undefined;
  // A program that verifies says of the contract's signature whether it is valid.
  const signature = isVerdict ? reference.entry?.signature : whole.signature;
  const keys = isVerdict ? reference.keys : { ...reference.keys, ...given };
  if (typeof signature !== "string") {
    const checked = steps.some(([step]) => whole[step] !== undefined);
    return checked
      ? { kind: "right" }
      : { kind: "unusable", reason: "it has no normalised, message or signature to check" };
  }
  const key = keys[kind];
  if (key === undefined) return { kind: "unusable", reason: `the file has no ${kind} key` };
  return judgeSignature(signature, whole.valid ?? true, await verifies(algorithm, key, message, signature));
}

/** What goes into a signature: not what comes out of it, which must be the program's own. */
function inputsOf(reference: Entry | undefined): Entry {
  if (reference === undefined) return {};
  const { method, path, timestamp, body } = reference;
  return { method, path, timestamp, body };
}

function readInputs(entry: Entry): { algorithm: Algorithm; message: string; normalised: string } | string {
  const { algorithm: name, method = "POST", path, timestamp, body } = entry;
  const algorithm = typeof name === "string" ? findAlgorithm(name) : undefined;
  if (algorithm === undefined) return `algorithm must be one of ${Object.keys(ALGORITHMS).join(", ")}`;
  if (typeof method !== "string" || typeof path !== "string") return "path is missing, or not a text";
  if (!/^[0-9]{10}$/.test(String(timestamp))) return "timestamp must be ten digits";
  if (typeof body !== "string") return "body is missing: the raw body as a text, not as JSON in JSON";
  const rawBody = Buffer.from(body, "utf8");
  const parsed = parseStrictJson(rawBody);
  if (!parsed.ok) return "body is not JSON as the contract describes it";
  const parts = { method, path, timestamp: String(timestamp), rawBody, body: parsed.value };
  return {
    algorithm,
    message: signedMessage(ALGORITHMS[algorithm].scheme, parts),
    normalised: normalise(parsed.value),
  };
}

async function verifies(algorithm: Algorithm, key: KeyObject, message: string, signature: string): Promise<boolean> {
  const bytes = decodeBase64url(signature);
  return bytes !== undefined && (await verifySignature(algorithm, key, message, bytes));
}

function judgeSignature(signature: string, valid: unknown, verified: boolean): Verdict {
  if (typeof valid !== "boolean") return { kind: "unusable", reason: "valid must be true or false" };
  if (valid === verified) return { kind: "right" };
  return valid
    ? differs(
        "signature",
        signature,
        "a signature of this message by the key of the file, in base64url without padding",
      )
    : differs("valid", "false", "true, since this is the signature of this message");
}

function differs(step: string, made: unknown, right: string): Verdict {
  return { kind: "differs", difference: { step, made: typeof made === "string" ? made : JSON.stringify(made), right } };
}
