import type { Operation } from "./operations.ts";

export type JsonObject = { readonly [name: string]: unknown };

/** The contract's first example shows everything that may be sent. A program to start from sends what must be sent. */
export function requiredBody(operation: Operation): JsonObject | undefined {
  const example = operation.examples[0]?.body;
  return isObject(example) ? requiredOf(example, operation, "") : undefined;
}

/**
 * An optional member is left out, unless its object has no required ones, because then one of them is needed. Of some
 * calls one plain member at the top is needed as well.
 */
function requiredOf(value: JsonObject, operation: Operation, prefix: string): JsonObject {
  const isRequired = (name: string) =>
    operation.fields.some((field) => field.name === `${prefix}${name}` && field.isRequired);
  const names = Object.keys(value);
  const isPlain = (name: string) => prefix === "" && !isObject(value[name]);
  const kept = names.some(isRequired) ? names.filter((name) => isRequired(name) || isPlain(name)) : names;
  return Object.fromEntries(
    kept.map((name) => {
      const member = value[name];
      return [name, isObject(member) ? requiredOf(member, operation, `${prefix}${name}.`) : member];
    }),
  );
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
