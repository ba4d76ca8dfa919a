import type { Operation } from "../operations.ts";
import { isObject, type JsonObject, requiredBody } from "../required-body.ts";

/** The project's id from the credentials, and the payment's id from the top of the program. */
export const PROJECT_ID = Symbol("project_id");
export const PAYMENT_ID = Symbol("payment_id");

export type SampleValue =
  | string
  | number
  | boolean
  | null
  | typeof PROJECT_ID
  | typeof PAYMENT_ID
  | readonly SampleValue[]
  | SampleObject;
export type SampleObject = { readonly [name: string]: SampleValue };

/** One call, ready to be written in any language. */
export type SampleCall = {
  readonly title: string;
  readonly path: string;
  readonly body: SampleObject;
  /** A fresh one for calls that create a payment, the example's for calls about one; undefined where there is none. */
  readonly paymentId: { readonly isNew: boolean; readonly text: string } | undefined;
};

export function sampleCallOf(operation: Operation): SampleCall | undefined {
  const body = requiredBody(operation);
  if (!operation.isSigned || body === undefined) return undefined;
  const given = isObject(body.general) ? body.general.payment_id : undefined;
  const isNew = /\/(payin|payout)$/.test(operation.path);
  const text = String(given).replace(/-\d+$/, "");
  return {
    title: operation.title,
    path: operation.path,
    body: marked(body),
    paymentId: given === undefined ? undefined : { isNew, text: isNew ? text : String(given) },
  };
}

function marked(body: JsonObject): SampleObject {
  const { general } = body;
  if (!isObject(general)) return body as SampleObject;
  const ids = {
    ...("project_id" in general ? { project_id: PROJECT_ID } : {}),
    ...("payment_id" in general ? { payment_id: PAYMENT_ID } : {}),
  };
  return { ...(body as SampleObject), general: { ...(general as SampleObject), ...ids } as SampleObject };
}
