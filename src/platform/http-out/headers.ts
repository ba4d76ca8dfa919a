import { remembering } from "./remembering.ts";

/** Headers that decide how the message is framed, where it goes or what comes back. They are this module's own. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  "host",
  "connection",
  "keep-alive",
  "content-length",
  "transfer-encoding",
  "te",
  "trailer",
  "upgrade",
  "expect",
  "accept-encoding",
  "proxy-authorization",
  "proxy-connection",
]);

const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Printable ASCII and tabs: no line break can end the header, and no byte means different things to two readers. */
const VALUE = /^[\t\x20-\x7e]*$/;

/** Names are few, and the same in every request. */
const NAMES_KEPT_MAX = 256;

/** The name as it is sent; null where it may not be. */
const safeName = remembering(NAMES_KEPT_MAX, (name): string | null => {
  const lower = name.toLowerCase();
  return NAME.test(name) && !OWN_HEADERS.has(lower) ? lower : null;
});

/** The headers as they are sent, each name followed by its value, or undefined when one could be read as more than a header. */
export function findSafeHeaders(headers: Readonly<Record<string, string>>): string[] | undefined {
  const seen = new Set<string>();
  // Answers are kept as they come and never inflated, so none should come compressed.
  const safe = ["accept-encoding", "identity"];
  for (const name of Object.keys(headers)) {
    const lower = safeName(name);
    const value = headers[name] as string;
    if (lower === null || !VALUE.test(value) || seen.has(lower)) return undefined;
    seen.add(lower);
    safe.push(lower, value);
  }
  return safe;
}
