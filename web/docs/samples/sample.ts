import type { Operation } from "../operations.ts";

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
  const example = operation.examples[0]?.body;
  if (!operation.isSigned || !isObject(example)) return undefined;
  const given = isObject(example.general) ? example.general.payment_id : undefined;
  const isNew = /\/(payin|payout)$/.test(operation.path);
  const text = String(given).replace(/-\d+$/, "");
  return {
    title: operation.title,
    path: operation.path,
    body: marked(requiredOf(example, operation, "")),
    paymentId: given === undefined ? undefined : { isNew, text: isNew ? text : String(given) },
  };
}

/**
 * The contract's first example shows everything that may be sent. A program to start from sends what must be sent: an
 * optional member is left out, unless its object has no required ones, because then one of them is needed.
 */
function requiredOf(value: JsonObject, operation: Operation, prefix: string): JsonObject {
  const isRequired = (name: string) =>
    operation.fields.some((field) => field.name === `${prefix}${name}` && field.isRequired);
  const names = Object.keys(value);
  const kept = names.some(isRequired) ? names.filter(isRequired) : names;
  return Object.fromEntries(
    kept.map((name) => {
      const member = value[name];
      return [name, isObject(member) ? requiredOf(member, operation, `${prefix}${name}.`) : member];
    }),
  );
}

type JsonObject = { readonly [name: string]: unknown };

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
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
