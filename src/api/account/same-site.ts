import type { FastifyRequest } from "fastify";
import { type AccountFault, accountFault } from "../../core/people/account-fault.ts";
import { isLoopback } from "./session-cookie.ts";

/** No other site's page can set it: its browser would ask us first, and is told nothing. */
const ACCOUNT_HEADER = "x-tillgate-account";

const FOREIGN = accountFault("cross_site", "this request does not come from the account's own pages");

export type OriginRules = { readonly publicUrl: () => string; readonly mode: "development" | "production" };

/**
 * Refuses what another site's page may have sent. Any one of these would do in a browser of today: SameSite keeps the cookie
 * home, Fetch metadata and Origin name the sender, and the header needs a script of ours.
 */
export function findForeignFault({ method, headers }: FastifyRequest, rules: OriginRules): AccountFault | undefined {
  const site = headers["sec-fetch-site"];
  if (method === "GET") return site === undefined || site === "same-origin" || site === "none" ? undefined : FOREIGN;
  if (site !== undefined && site !== "same-origin") return FOREIGN;
  if (headers[ACCOUNT_HEADER] !== "1") return FOREIGN;
  return isOwnOrigin(headers.origin, headers.host, rules) ? undefined : FOREIGN;
}

/** Whether a page of our own sent it. */
export function isOwnOrigin(
  origin: string | undefined,
  host: string | undefined,
  { publicUrl, mode }: OriginRules,
): boolean {
  if (origin === undefined || !URL.canParse(origin)) return false;
  if (origin === new URL(publicUrl()).origin) return true;
  // A developer also says localhost for 127.0.0.1.
  return mode === "development" && origin === `http://${host}` && isLoopback(new URL(origin).hostname);
}
