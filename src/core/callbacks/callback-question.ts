import { type Fault, validationFault } from "../errors.ts";
import { findId, type Id } from "../ids.ts";
import { MERCHANT_URL_MAX } from "../merchants/merchant-url.ts";
import { type Period, readPeriod } from "../reports/period.ts";
import { openQuery, type ReportQuery } from "../reports/query-values.ts";
import { fail, ok, type Result } from "../result.ts";

/**
 * Where a callback stands, as a merchant's people see it. A pending one is failing once an attempt of its schedule has failed, and
 * waiting before that; it is held while its URL is disabled.
 */
export const SHOWN_STATES = ["dead", "failing", "waiting", "held", "delivered", "dismissed"] as const;
export type ShownState = (typeof SHOWN_STATES)[number];

/** Which callbacks a person asked for. The list, and what is done with all that match, are made from the same one. */
export type CallbackQuestion = Period & {
  readonly projectId: Id | undefined;
  readonly state: ShownState;
  /** How the URL begins; scheme, host and port alone mean that endpoint, and no other whose name only begins like it. */
  readonly url: string | undefined;
};

const FILTERS = ["project", "state", "url", "from", "to"];

export function readCallbackQuestion(
  parameters: ReportQuery,
): Result<{ readonly question: CallbackQuestion; readonly after: Id | undefined }, Fault> {
  const query = openQuery(parameters, [...FILTERS, "cursor"]);
  const question = {
    projectId: query.id("project"),
    state: query.oneOf("state", SHOWN_STATES) ?? "dead",
    url: query.read("url", readUrl, `must be the beginning of a URL, of at most ${MERCHANT_URL_MAX} characters`),
    ...readPeriod(query),
  };
  const after = query.read("cursor", findId, "is not one that this list answered");
  return query.faults.length > 0 ? fail(validationFault(query.faults)) : ok({ question, after });
}

function readUrl(text: string): string | undefined {
  const trimmed = text.trim();
  return trimmed !== "" && trimmed.length <= MERCHANT_URL_MAX && !/[\p{Cc}\p{Cs}]/u.test(trimmed) ? trimmed : undefined;
}

/** The same text as an endpoint: `https://shop.example`. Undefined where it is more or less than that. */
export function findOrigin(text: string): string | undefined {
  return URL.canParse(text) && new URL(text).origin === text ? text : undefined;
}
