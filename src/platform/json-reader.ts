import type { Static, TSchema } from "typebox";
// The same checks as `typebox/compile`, with 146 fewer files to load.
import { Compile } from "typebox/schema";

/** Reads bytes as JSON of one shape. Undefined for anything else: garbage, a proxy's page, half an answer. */
export function jsonReader<S extends TSchema>(schema: S): (bytes: Buffer) => Static<S> | undefined {
  const compiled = Compile(schema);
  return (bytes) => {
    const value = parseJson(bytes);
    return compiled.Check(value) ? (value as Static<S>) : undefined;
  };
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    return undefined;
  }
}
