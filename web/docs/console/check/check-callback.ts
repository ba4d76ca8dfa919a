import { type Bytes, base64Of, base64urlOf, digest, findAnyBase64, hexOf, utf8 } from "../signing/bytes.ts";
import { readRsaPublicKey } from "../signing/keys.ts";
import { bodyFault } from "../signing/message.ts";
import { BODY_MISTAKES } from "./body-mistakes.ts";
import { checkHeaders, checkTimestamp, valuesOf } from "./headers.ts";
import type { Mistake } from "./mistake.ts";
import type { Header } from "./read-request.ts";
import { fits, type Key, macOf, messageOf, rightRecipe } from "./recipe.ts";
import { faultStep, okStep, type Report, type Step } from "./report.ts";
import { readSignature } from "./signature-text.ts";

export type CallbackToCheck = {
  readonly headers: readonly Header[];
  readonly body: string;
  /** The service's public key, the project's `whsec_…`, or the project's callback secret. */
  readonly key: string;
  readonly nowMs: number;
};

const WEBHOOK_HEADERS = ["webhook-id", "webhook-timestamp", "webhook-signature"] as const;
const ACCESS_HEADERS = ["x-access-timestamp", "x-access-signature"] as const;
const WEBHOOK_BYTES = 32;
const HMAC_BYTES = 64;

/** Which of a callback's two signatures is checked follows from the key. */
export async function checkCallback(callback: CallbackToCheck): Promise<Report> {
  const key = callback.key.trim();
  if (key === "")
    return only(faultStep("Key", "Enter the service's public key, or the webhook secret of your project."));
  return key.startsWith("whsec_") ? checkWebhook(callback, key) : checkAccess(callback, key);
}

function only(...steps: readonly Step[]): Report {
  return { steps, values: [] };
}

function checkOutside(callback: CallbackToCheck, required: readonly string[], timeHeader: string): Step[] {
  const present = checkHeaders(callback.headers, required);
  if (present.state === "fault") return [present];
  const timestamp = checkTimestamp(timeHeader, valuesOf(callback.headers).get(timeHeader) ?? "", callback.nowMs);
  const fault = bodyFault(callback.body);
  const bytes = utf8(callback.body).length;
  return [
    present,
    timestamp,
    fault === undefined ? okStep("Body", `A JSON object, ${bytes} bytes.`) : faultStep("Body", fault),
  ];
}

/** Standard Webhooks: HMAC-SHA256 over `id.timestamp.body`. */
async function checkWebhook(callback: CallbackToCheck, secret: string): Promise<Report> {
  const headers = valuesOf(callback.headers);
  const outside = checkOutside(callback, WEBHOOK_HEADERS, "webhook-timestamp");
  if (outside.some(({ state }) => state === "fault")) return only(...outside);
  const key = findAnyBase64(secret.slice("whsec_".length));
  if (key === undefined) return only(...outside, faultStep("Key", "Behind whsec_ there is base64, and this is none."));
  const keyStep = okStep("Key", `The ${key.length} bytes that the base64 behind whsec_ stands for.`);
  const start = `${headers.get("webhook-id")}.${headers.get("webhook-timestamp")}.`;
  const signatures = (headers.get("webhook-signature") ?? "")
    .split(" ")
    .filter((entry) => entry.startsWith("v1,"))
    .flatMap((entry) => findAnyBase64(entry.slice(3)) ?? [])
    .filter(({ length }) => length === WEBHOOK_BYTES);
  if (signatures.length === 0) {
    return only(
      ...outside,
      keyStep,
      faultStep("Form of the signature", "webhook-signature has no entry of the form v1,base64."),
    );
  }
  const isFitting = async (body: string) => {
    const expected = base64Of(await macOf(key, "SHA-256", utf8(start + body)));
    return signatures.some((signature) => base64Of(signature) === expected);
  };
  const values = [
    { name: "Message", text: start + callback.body },
    {
      name: "Signature as it should be",
      text: `v1,${base64Of(await macOf(key, "SHA-256", utf8(start + callback.body)))}`,
    },
  ];
  return { steps: [...outside, keyStep, await judge(callback.body, isFitting, REFORMATTED)], values };
}

/** `x-access-signature`: scheme 1, by the service's RSA key or the project's callback secret. */
async function checkAccess(callback: CallbackToCheck, text: string): Promise<Report> {
  const headers = valuesOf(callback.headers);
  const outside = checkOutside(callback, ACCESS_HEADERS, "x-access-timestamp");
  if (outside.some(({ state }) => state === "fault")) return only(...outside);
  const key = await readKey(text);
  if (!("kind" in key)) return only(...outside, faultStep("Key", key.fault));
  const algorithm = headers.get("x-access-merchant-algorithm") ?? "RSA-SHA256";
  const expected = key.kind === "rsa" ? "RSA-SHA256" : "HMAC-SHA512";
  if (algorithm !== expected) {
    const wanted = algorithm === "RSA-SHA256" ? "the service's public key" : "the callback secret of your project";
    return only(...outside, faultStep("Key", `The callback is signed with ${algorithm}: check it with ${wanted}.`));
  }
  const keyStep = okStep("Key", key.kind === "rsa" ? "An RSA public key." : "A secret, as its bytes of text.");
  const length = key.kind === "rsa" ? key.publicKey.signatureBytes : HMAC_BYTES;
  const given = ["x-access-signature", "x-access-signature-next"].flatMap((name) => headers.get(name) ?? []);
  const read = given.map((each) => readSignature(each, length));
  const form = read.find(({ step }) => step.state === "fault")?.step ?? read[0]?.step;
  const bytes = read.flatMap((each): Bytes[] => (each.bytes === undefined ? [] : [each.bytes]));
  const recipe = rightRecipe({
    scheme: 1,
    method: "POST",
    path: "/",
    timestamp: headers.get("x-access-timestamp") ?? "",
    rawBody: callback.body,
  });
  const isFitting = async (body: string) => {
    for (const signature of bytes) if (await fits({ ...recipe, rawBody: body }, key, signature)) return true;
    return false;
  };
  const message = await messageOf(recipe);
  const last =
    key.kind === "rsa"
      ? { name: "SHA-256 of the message", text: hexOf(await digest(utf8(message))) }
      : {
          name: "Signature as it should be",
          text: base64urlOf(await macOf(utf8(key.secret), "SHA-512", utf8(message))),
        };
  const values = [
    { name: "Normalised body", text: recipe.normalise(JSON.parse(callback.body)) },
    { name: "Message", text: message },
    last,
  ];
  const steps = [...outside, keyStep, ...(form === undefined ? [] : [form]), await judge(callback.body, isFitting, [])];
  return { steps, values };
}

async function readKey(text: string): Promise<Key | { readonly fault: string }> {
  if (!text.includes("-----BEGIN") && !text.startsWith("MII")) return { kind: "hmac", secret: text };
  const read = await readRsaPublicKey(text);
  return "fault" in read ? read : { kind: "rsa", publicKey: read.value };
}

/** A body that a log or a framework has written again is the usual cause. Scheme 1 reads the JSON and does not mind. */
const REFORMATTED = BODY_MISTAKES.filter(({ part }) => part === "body");

async function judge(
  body: string,
  isFitting: (body: string) => Promise<boolean>,
  formats: readonly Mistake[],
): Promise<Step> {
  const name = "Signature";
  if (await isFitting(body)) return okStep(name, "It fits: the callback is genuine.");
  const recipe = rightRecipe({ scheme: 2, method: "", path: "", timestamp: "", rawBody: body });
  for (const { says, change } of formats) {
    const changed = change(recipe)?.rawBody;
    if (changed !== undefined && (await isFitting(changed))) {
      return faultStep(name, `It fits ${says.split(". ")[0]}. Verify the raw bytes, before any parser touches them.`);
    }
  }
  return faultStep(name, WITHOUT_CAUSE);
}

const WITHOUT_CAUSE =
  "It does not fit. Either the body or a header is not what was sent (copy the raw bytes, before any parser), or the " +
  "key is another one: each project has its own secrets, and the service's public key is at /.well-known/tillgate-keys.json.";
