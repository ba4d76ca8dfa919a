import { TillgateSignatureError } from "./errors.ts";

/** What a web framework gives: Node's `req.headers`, any plain record, or a `Headers` object. */
export type IncomingHeaders =
  | { readonly get: (name: string) => string | null }
  | { readonly [name: string]: string | readonly string[] | undefined };

/** The one value of a header whatever the case of its name; two are refused, since two readers may pick differently. */
export function getHeader(headers: IncomingHeaders, name: string): string {
  const value = findHeader(headers, name);
  if (value === undefined) throw new TillgateSignatureError("header_missing", `the header ${name} is missing`);
  return value;
}

export function findHeader(headers: IncomingHeaders, name: string): string | undefined {
  if (typeof headers.get === "function") return headers.get(name) ?? undefined;
  const values = Object.entries(headers)
    .filter(([key]) => key.toLowerCase() === name)
    .flatMap(([, value]) => value ?? []);
  if (values.length > 1) throw new TillgateSignatureError("header_doubled", `the header ${name} is there twice`);
  return values[0];
}
