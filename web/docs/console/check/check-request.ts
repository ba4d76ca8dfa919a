import { ALGORITHM_NAMES, ALGORITHM_WHEN_ABSENT, ALGORITHMS, findAlgorithm } from "../signing/algorithms.ts";
import { base64urlOf, digest, hexOf, utf8 } from "../signing/bytes.ts";
import { readRsaPublicKey } from "../signing/keys.ts";
import { bodyFault } from "../signing/message.ts";
import { findMistakes, type Suspects } from "./find-mistake.ts";
import { checkHeaders, checkTimestamp, valuesOf } from "./headers.ts";
import { type Header, pathOf } from "./read-request.ts";
import { fits, type Key, macOf, messageOf, type Recipe, rightRecipe } from "./recipe.ts";
import { faultStep, noteStep, okStep, type Report, type Step, type Value } from "./report.ts";
import { readSignature } from "./signature-text.ts";

export type RequestToCheck = {
  readonly method: string;
  /** As it was sent, with or without a host. */
  readonly target: string;
  readonly headers: readonly Header[];
  readonly body: string;
  /** The public key (PEM or `x-access-token`), or the HMAC secret. */
  readonly key: string;
  readonly nowMs: number;
  readonly paths: readonly string[];
};

const REQUIRED = [
  "content-type",
  "x-access-timestamp",
  "x-access-merchant-id",
  "x-access-token",
  "x-access-signature",
] as const;

const HMAC_BYTES = 64;

/** The steps of the service, in its order, up to the first one that differs. */
export async function checkRequest(request: RequestToCheck): Promise<Report> {
  const headers = valuesOf(request.headers);
  const outside = checkOutside(request, headers);
  if (outside.some(({ state }) => state === "fault")) return { steps: outside, values: [] };
  const algorithm = findAlgorithm(headers.get("x-access-merchant-algorithm") ?? ALGORITHM_WHEN_ABSENT);
  if (algorithm === undefined) return { steps: outside, values: [] };
  const { scheme, kind } = ALGORITHMS[algorithm];
  const key = await readKey(request.key, kind, headers.get("x-access-token") ?? "");
  if (key.key === undefined) return { steps: [...outside, key.step], values: [] };
  const recipe = rightRecipe({
    scheme,
    method: request.method,
    path: pathOf(request.target),
    timestamp: headers.get("x-access-timestamp") ?? "",
    rawBody: request.body,
  });
  const inside = await checkSignature(recipe, key.key, headers.get("x-access-signature") ?? "", {
    headers,
    target: request.target,
    paths: request.paths,
  });
  return { steps: [...outside, key.step, ...inside], values: await valuesOnTheWay(recipe, key.key) };
}

function checkOutside(request: RequestToCheck, headers: ReadonlyMap<string, string>): Step[] {
  const present = checkHeaders(request.headers, REQUIRED);
  if (present.state === "fault") return [present];
  const timestamp = checkTimestamp("x-access-timestamp", headers.get("x-access-timestamp") ?? "", request.nowMs);
  if (timestamp.state === "fault") return [present, timestamp];
  const body = bodyFault(request.body);
  if (body !== undefined) return [present, timestamp, faultStep("Body", body)];
  const bytes = utf8(request.body).length;
  const steps = [present, timestamp, okStep("Body", `A JSON object, ${bytes} bytes.`), checkAlgorithm(headers)];
  return request.method === "POST" ? steps : [...steps, faultStep("Method", `Send POST, not ${request.method}.`)];
}

function checkAlgorithm(headers: ReadonlyMap<string, string>): Step {
  const name = "Algorithm";
  const given = headers.get("x-access-merchant-algorithm");
  if (given === undefined) {
    return noteStep(name, `The header is absent, which means ${ALGORITHM_WHEN_ABSENT}: scheme 1 with an RSA key.`);
  }
  return findAlgorithm(given) === undefined
    ? faultStep(name, `“${given}” is not an algorithm. Use one of ${ALGORITHM_NAMES.join(", ")}, in capitals.`)
    : okStep(name, given);
}

type ReadKey = { readonly step: Step; readonly key?: Key };

async function readKey(text: string, kind: "rsa" | "hmac", token: string): Promise<ReadKey> {
  const name = "Key";
  const looksRsa = text.includes("-----BEGIN") || text.trim().startsWith("MII");
  if (text.trim() === "") return { step: faultStep(name, "Enter the public key or the secret to check with.") };
  if (kind === "hmac") {
    if (looksRsa) return { step: faultStep(name, "The algorithm is HMAC, but this is an RSA key. Enter the secret.") };
    if (text.trim() === token && token.startsWith("ak_")) {
      return { step: faultStep(name, "This is the key's id. The secret begins with sk_.") };
    }
    const step = token.startsWith("ak_")
      ? okStep(name, `The secret of ${token}, as its ${utf8(text.trim()).length} bytes of text.`)
      : faultStep(
          name,
          `x-access-token must be the id of the HMAC key: ak_ and 32 hex characters, not “${cut(token)}”.`,
        );
    return { step, key: { kind, secret: text.trim() } };
  }
  const read = looksRsa ? await readRsaPublicKey(text) : { fault: "The algorithm is RSA, but this is not an RSA key." };
  if ("fault" in read) return { step: faultStep(name, read.fault) };
  const key: Key = { kind, publicKey: read.value };
  if (read.value.token === token) return { key, step: okStep(name, "x-access-token is this public key.") };
  return { key, step: faultStep(name, tokenAdvice(token, read.value.token)) };
}

function tokenAdvice(token: string, expected: string): string {
  const plain = token.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  if (plain === expected)
    return "x-access-token is in padded or standard base64. Write it as base64url without padding.";
  if (token.startsWith("ak_")) return "x-access-token is the id of an HMAC key, but the algorithm is RSA.";
  return "x-access-token is another key than the one you entered. It must be the public half of the key that signs: SPKI DER in base64url.";
}

function cut(text: string): string {
  return text.length > 20 ? `${text.slice(0, 20)}…` : text;
}

async function checkSignature(recipe: Recipe, key: Key, text: string, suspects: Suspects): Promise<Step[]> {
  const name = "Signature";
  const { step, bytes } = readSignature(text, key.kind === "rsa" ? key.publicKey.signatureBytes : HMAC_BYTES);
  if (bytes === undefined) return [step];
  if (await fits(recipe, key, bytes)) {
    return [
      step,
      okStep(name, step.state === "fault" ? "Apart from its form, it fits." : "It fits. The service accepts it."),
    ];
  }
  const mistakes = await findMistakes(recipe, key, bytes, suspects);
  // What made the signature also explains its length.
  const before = step.state === "fault" && mistakes !== undefined ? [] : [step];
  if (mistakes === undefined) return [...before, faultStep(name, WITHOUT_CAUSE)];
  return [
    ...before,
    faultStep(name, `Your signature was made with ${mistakes.map(({ says }) => says).join(" Also with ")}`),
  ];
}

const WITHOUT_CAUSE =
  "It does not fit, and none of the usual mistakes explains it. Compare the values below with those of your program, " +
  "from the top: the first that differs is the cause. If all are the same, the signature was made with another key.";

async function valuesOnTheWay(recipe: Recipe, key: Key): Promise<Value[]> {
  const message = await messageOf(recipe);
  const first: Value =
    recipe.scheme === 1
      ? { name: "Normalised body", text: recipe.normalise(JSON.parse(recipe.rawBody)) }
      : { name: "SHA-256 of the body", text: await recipe.bodyLine(recipe.rawBody) };
  const values = [first, { name: "Message", text: message }];
  if (key.kind === "rsa") {
    const hash = hexOf(await digest(utf8(message)));
    return [...values, { name: "SHA-256 of the message", text: hash }];
  }
  const mac = await macOf(utf8(key.secret), "SHA-512", utf8(message));
  return [...values, { name: "Signature as it should be", text: base64urlOf(mac) }];
}
