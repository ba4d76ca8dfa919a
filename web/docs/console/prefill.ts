import type { Operation } from "../operations.ts";
import { requiredBody } from "../required-body.ts";

/** The payments that this page created, by the path of the call that creates them. */
const created = new Map<string, string>();
let lastCreated: string | undefined;

export function creates(path: string): boolean {
  return /\/(payin|payout)$/.test(path);
}

export function noteCreated(path: string, paymentId: string): void {
  created.set(path, paymentId);
  lastCreated = paymentId;
}

export type NamedBody = { readonly name: string; readonly summary: string; readonly body: unknown };

/** What a reader can start from: first the shortest body that works, then the contract's examples. */
export function listBodies(operation: Operation): readonly NamedBody[] {
  const body = requiredBody(operation);
  const isShorter = JSON.stringify(body) !== JSON.stringify(operation.examples[0]?.body);
  return isShorter ? [{ name: "", summary: "Only what is required", body }, ...operation.examples] : operation.examples;
}

/** The body with ids that work: the project of the key, and a payment that is new or was created here. */
export function prefilled({ path }: Operation, from: NamedBody | undefined, projectId: string): string {
  if (from === undefined) return "";
  const body = JSON.parse(JSON.stringify(from.body, withoutCallbackUrls)) as Body;
  const general = body.general;
  if (general === undefined) return JSON.stringify(body, null, 2);
  if ("project_id" in general) general.project_id = projectId;
  if ("payment_id" in general) general.payment_id = paymentIdFor(path, String(general.payment_id));
  return JSON.stringify(body, null, 2);
}

type Body = { general?: Record<string, unknown> };

/** The example's shop does not exist. Without these the service calls the address that the project has. */
function withoutCallbackUrls(name: string, value: unknown): unknown {
  return /_callback_url$/.test(name) ? undefined : value;
}

function paymentIdFor(path: string, ofExample: string): string {
  if (creates(path)) return freshPaymentId(ofExample);
  if (path.startsWith("/sandbox/")) return lastCreated ?? ofExample;
  return created.get(path.replace(/\/(info|confirm|cancel|confirm-3ds-result)$/, "")) ?? ofExample;
}

function freshPaymentId(ofExample: string): string {
  const random = crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
  return `${ofExample.replace(/-\d+$/, "")}-${random.toString(36)}`;
}

/** The same text with a new payment_id; undefined where it has none. */
export function withFreshPaymentId(text: string): string | undefined {
  const [, id] = /"payment_id":\s*"([^"]*)"/.exec(text) ?? [];
  return id === undefined ? undefined : text.replace(/("payment_id":\s*)"[^"]*"/, `$1"${freshPaymentId(cut(id))}"`);
}

function cut(id: string): string {
  return `${id.replace(/-[a-z0-9]+$/, "")}-0`;
}
