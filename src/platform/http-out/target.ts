import { isIP } from "node:net";
import {
  CALLBACK_PORTS,
  holdsFragment,
  holdsUser,
  MERCHANT_URL_MAX,
  parseMerchantUrl,
} from "../../core/merchants/merchant-url.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import type { RefusedReason } from "./answer.ts";
import { remembering } from "./remembering.ts";

export type EgressMode = "development" | "production";

/** Where a request goes, as read from its URL. Nothing is resolved yet. */
export type Target = {
  /** Scheme, host and port: the text that the Host header is made of. */
  readonly origin: string;
  readonly secure: boolean;
  /** A name, or an address without brackets. */
  readonly hostname: string;
  readonly port: number;
  readonly path: string;
  /** The name that the certificate must carry. An address has none: its certificate must carry the address itself. */
  readonly serverName: string | undefined;
};

const HTTPS_PORT = 443;
const HTTP_PORT = 80;
const NAME_MAX = 253;
/** What the parser leaves of a host name, less the odd characters (`!`, `$`, `*` …) that no name on the internet has. */
const NAME = /^[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*\.?$/;

/** Most callbacks go where others went a moment ago. */
const TARGETS_KEPT_MAX = 1_024;

/** Reads URLs, and remembers the latest. */
export function openTargets(mode: EgressMode): (text: string) => Result<Target, RefusedReason> {
  return remembering(TARGETS_KEPT_MAX, (text) => parseTarget(text, mode));
}

export function parseTarget(text: string, mode: EgressMode): Result<Target, RefusedReason> {
  if (text.length > MERCHANT_URL_MAX) return fail("bad_url");
  const url = parseMerchantUrl(text);
  if (url === undefined) return fail(hasForeignScheme(text) ? "scheme" : "bad_url");
  if (url.protocol === "http:" && mode === "production") return fail("scheme");
  if (holdsUser(text)) return fail("userinfo");
  if (holdsFragment(text)) return fail("fragment");
  // Port 0 leads nowhere, but some systems read it as "any".
  if (url.port === "0" || (mode === "production" && !CALLBACK_PORTS.includes(url.port))) return fail("port");
  const hostname = url.hostname.replace(/^\[|\]$/g, "");
  const isAddress = isIP(hostname) !== 0;
  if (!isAddress && (hostname.length > NAME_MAX || !NAME.test(hostname))) return fail("bad_url");
  const secure = url.protocol === "https:";
  return ok({
    origin: url.origin,
    secure,
    hostname,
    port: url.port === "" ? (secure ? HTTPS_PORT : HTTP_PORT) : Number(url.port),
    path: url.pathname + url.search,
    // The dot that makes a name absolute is for resolvers; certificates and SNI know names without it.
    serverName: isAddress ? undefined : hostname.replace(/\.$/, ""),
  });
}

function hasForeignScheme(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:/i.test(text) && !/^https?:/i.test(text);
}
