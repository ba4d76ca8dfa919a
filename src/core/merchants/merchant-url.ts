import { domainToUnicode } from "node:url";
import ipaddr from "ipaddr.js";
import type { FieldFault } from "../errors.ts";
import { isGlobalAddress } from "./global-address.ts";

/** The rule for the URLs that merchants give us: where we send callbacks, and where the payer's browser returns. */
export type MerchantUrlUse = "callback" | "redirect";

export const MERCHANT_URL_MAX = 2048;
/** No longer name is ever resolved. A name in other letters grows when it is written in ASCII, to thousands of them. */
const HOST_MAX = 253;
/** The port of https is the empty one: the parser leaves out what the scheme implies. */
export const CALLBACK_PORTS: readonly string[] = ["", "8443"];

type UrlFault = Pick<FieldFault, "code" | "message">;

/**
 * What is wrong with the URL, as the end of a sentence that begins with the field's name; undefined when nothing is.
 * Development mode also takes http, loopback and any port, so that a program on the same machine can be called.
 */
export function findMerchantUrlFault(
  text: string,
  use: MerchantUrlUse,
  mode: "development" | "production",
): UrlFault | undefined {
  if (text.length > MERCHANT_URL_MAX) {
    return { code: "too_long", message: `must have at most ${MERCHANT_URL_MAX} characters` };
  }
  const schemes = mode === "development" ? "http:// or https://" : "https://";
  const url = parseMerchantUrl(text);
  if (url === undefined || (url.protocol === "http:" && mode === "production")) {
    return { code: "bad_format", message: `must be a URL that begins with ${schemes}` };
  }
  if (url.hostname.length > HOST_MAX) {
    return { code: "too_long", message: `must name a host of at most ${HOST_MAX} characters` };
  }
  if (holdsUser(text)) return { code: "bad_format", message: "must not hold a user name or a password" };
  if (holdsFragment(text))
    return { code: "bad_format", message: "must not hold a fragment, which is # and what follows" };
  return mode === "development" ? undefined : findProductionFault(url, use);
}

/**
 * The platform's parser is lenient: it drops line breaks, reads `\` as `/`, and takes `https:host`. Another reader may
 * see another host in such a text, so only what every reader sees alike goes on to it.
 */
export function parseMerchantUrl(text: string): URL | undefined {
  if (!/^https?:\/\/[^/?#]/i.test(text) || /[\s\p{Cc}\\]/u.test(text)) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url === undefined || holdsBrokenName(url.hostname) ? undefined : url;
}

/** From Node 24 on the parser takes encoded labels that decode to nothing (`xn--a`), and leaves them as they are. */
function holdsBrokenName(hostname: string): boolean {
  return hostname.split(".").some((label) => label.startsWith("xn--") && domainToUnicode(label) === label);
}

/** The parser forgets an empty user (`https://@shop.example/`) and an empty fragment, so the text itself is asked. */
export function holdsUser(text: string): boolean {
  return /^[^/]*\/\/[^/?#]*@/.test(text);
}

export function holdsFragment(text: string): boolean {
  return text.includes("#");
}

function findProductionFault(url: URL, use: MerchantUrlUse): UrlFault | undefined {
  const range = rangeOf(url.hostname);
  if (range === "loopback") return { code: "not_allowed", message: "must not lead back to the service's own machine" };
  if (use === "redirect") return undefined;
  // Callbacks go to global addresses only, whatever a name resolves to; for an address it can be said at once.
  if (range !== "unicast") return { code: "not_allowed", message: "must not lead to an address that is not public" };
  if (!CALLBACK_PORTS.includes(url.port)) return { code: "not_allowed", message: "must use port 443 or 8443" };
  return undefined;
}

/** Whether a host's name or address is this machine's, whatever a resolver says of other names. */
export function isOwnMachine(hostname: string): boolean {
  return rangeOf(hostname) === "loopback";
}

/** Digits of an address in any of its forms. `ipaddr.js` throws and catches an error for each name that is none. */
const LIKE_AN_ADDRESS = /^[\da-fx.]+$|:/i;

/** Of a name nothing is known yet, except that `localhost` is this machine. */
function rangeOf(hostname: string): "loopback" | "unicast" | "special" {
  const host = hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  if (LIKE_AN_ADDRESS.test(host) && ipaddr.isValid(host)) {
    const range = ipaddr.process(host).range();
    if (range === "loopback" || range === "unspecified") return "loopback";
    return isGlobalAddress(host) ? "unicast" : "special";
  }
  return host === "localhost" || host.endsWith(".localhost") ? "loopback" : "unicast";
}
