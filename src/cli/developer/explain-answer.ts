import { findNearest } from "../kit/nearest.ts";
import { API_PATHS } from "./api-paths.ts";

export type RefusedCall = {
  readonly path: string;
  /** The answer's body; whatever it is. */
  readonly text: string;
  /** The answer's Date header: the service's clock. */
  readonly date: string | undefined;
  readonly sentAtMs: number;
};

/** What to do about a refusal, in a sentence for a person who has not seen it before; undefined where its own words are enough. */
export function explainRefusal(refused: RefusedCall): string | undefined {
  const code = errorMember(refused.text, "code");
  if (code === undefined) {
    return "This is not an answer of Tillgate's API. Does the address lead to the service? See --base-url.";
  }
  switch (code) {
    case "not_found":
      return explainPath(refused.path);
    case "method_not_allowed":
      return "This path is not a merchant's call, which is always a POST.";
    case "timestamp_out_of_window":
      return explainClock(refused);
    default:
      return HINTS[code];
  }
}

/** A member of the error body; undefined when the answer is no error body. */
export function errorMember(text: string, name: "code" | "status_description"): string | undefined {
  try {
    const value: unknown = JSON.parse(text)?.[name];
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}

const HINTS: Readonly<Record<string, string>> = {
  signature_invalid:
    "Either the service does not know merchant_id or the key of these credentials (is it the service that they were " +
    "issued by?), or the secret part does not belong to it. call --verbose shows what is signed; vectors check tests the signing.",
  project_forbidden:
    "general.project_id must be a project of this merchant and of this key: leave it out, and it is taken from the credentials.",
  payment_not_found:
    "The id is right only together with the path that created it: a payout is not found under payin/info, a card not under p2p.",
  payment_id_conflict:
    "This payment_id exists with another body. Choose another --payment-id, or repeat the same body.",
  method_not_enabled: "The operator enables methods one by one, each with a currency.",
  card_invalid: "A test project takes the sandbox's cards only: see Sandbox in the contract.",
  rate_limited: "Wait for the seconds of the header retry-after, then repeat the same call.",
  internal_error: "The result is unknown: repeat the same call with the same payment_id.",
  unavailable: "The result is unknown: repeat the same call with the same payment_id.",
};

function explainPath(path: string): string {
  const [bare = ""] = path.split("?");
  const ending = API_PATHS.find((known) => known.endsWith(bare.startsWith("/") ? bare : `/${bare}`));
  const nearest =
    ending ?? API_PATHS.find((known) => known === bare.replace(/\/+$/, "")) ?? findNearest(bare, API_PATHS);
  return nearest === undefined
    ? `The calls of merchants are below /api/v1, such as ${API_PATHS[0]}: the contract lists them, at /docs of the service.`
    : `Did you mean ${nearest}?`;
}

const MS_PER_S = 1000;

function explainClock({ date, sentAtMs }: RefusedCall): string {
  const there = date === undefined ? Number.NaN : Date.parse(date);
  if (Number.isNaN(there)) return "Set this machine's clock.";
  const seconds = Math.round((sentAtMs - there) / MS_PER_S);
  return `This machine's clock is ${Math.abs(seconds)} s ${seconds < 0 ? "behind" : "ahead of"} the service's. Set it.`;
}
