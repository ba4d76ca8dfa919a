import type {
  AuthenticationResult,
  ChargeDeclineReason,
  ChargeOutcome,
  ChargeRequest,
  ThreeDsChallenge,
} from "../../core/card-acquirer.ts";
import { type Minor, minorToJson } from "../../core/money.ts";
import { lookUp } from "./translate.ts";
import type { WireCharge, WireThreeDs } from "./wire.ts";

/** The part of the map that is about cards. A word that is not in it is "unknown". */
const UNKNOWN = { kind: "unknown" } as const;

const STATES: Readonly<Record<string, (charge: WireCharge) => ChargeOutcome>> = {
  approved: (charge) => withAmount("approved", charge.approved_amount),
  reversed: (charge) => withAmount("reversed", charge.approved_amount),
  declined: (charge) => ({ kind: "declined", reason: lookUp(DECLINE_REASONS, charge.reason ?? "") ?? "other" }),
  pending: () => ({ kind: "pending" }),
  challenge: (charge) => {
    const challenge = charge.three_ds && toChallenge(charge.three_ds);
    return challenge === undefined ? UNKNOWN : { kind: "challenge", challenge };
  },
  redirect: ({ redirect_url: url }) => (isWebAddress(url) ? { kind: "redirect", url } : UNKNOWN),
};

/** Why a charge was declined does not change that it was: a reason not listed is "other". */
const DECLINE_REASONS: Readonly<Record<string, ChargeDeclineReason>> = {
  card_declined: "card_declined",
  insufficient_funds: "insufficient_funds",
  card_expired: "card_expired",
  processing_error: "processing_error",
  authentication_failed: "authentication_failed",
  cancelled: "cancelled",
  expired: "expired",
} satisfies Record<Exclude<ChargeDeclineReason, "other">, ChargeDeclineReason>;

export function toChargeOutcome(charge: WireCharge): ChargeOutcome {
  return lookUp(STATES, charge.status)?.(charge) ?? UNKNOWN;
}

/** An approval without its amount is no answer: the amount to credit is unknown. */
function withAmount(kind: "approved" | "reversed", amount: number | undefined): ChargeOutcome {
  return amount === undefined ? UNKNOWN : { kind, amount: BigInt(amount) as Minor };
}

function toChallenge(wire: WireThreeDs): ThreeDsChallenge | undefined {
  const { acs_url: acsUrl, creq, three_ds_session_data: sessionData, pa_req: paReq, md, term_url: termUrl } = wire;
  if (!isWebAddress(acsUrl)) return undefined;
  if (wire.version === "2.2.0" && creq !== undefined && sessionData !== undefined)
    return { version: wire.version, acsUrl, creq, sessionData, method: toMethod(wire) };
  if (wire.version === "1.0.2" && paReq !== undefined && md !== undefined && isWebAddress(termUrl))
    return { version: wire.version, acsUrl, paReq, md, termUrl };
  return undefined;
}

/** The step is a courtesy to the issuer: one that is not understood is left out. */
function toMethod(wire: WireThreeDs): { url: string; serverTransactionId: string } | undefined {
  const { method_url: url, method_transaction_id: serverTransactionId } = wire;
  return isWebAddress(url) && serverTransactionId !== undefined ? { url, serverTransactionId } : undefined;
}

/** A browser will be sent there, so it must be an address that cannot carry a program. */
function isWebAddress(text: string | undefined): text is string {
  return text !== undefined && /^https?:\/\//.test(text) && URL.canParse(text);
}

export function fromChargeRequest(request: ChargeRequest): Record<string, unknown> {
  const { card, browser } = request;
  return {
    reference: request.reference,
    project_id: request.projectId,
    merchant_name: shortened(request.merchantName),
    amount: minorToJson(request.amount),
    currency: request.currency,
    card: {
      pan: card.pan,
      cvv: card.cvv,
      card_holder: card.holder,
      expiry_month: card.expiryMonth,
      expiry_year: card.expiryYear,
    },
    return_url: request.returnUrl,
    browser: browser && {
      accept_header: browser.acceptHeader,
      user_agent: browser.userAgent,
      language: browser.language,
      color_depth: browser.colorDepth,
      screen_width: browser.screenWidth,
      screen_height: browser.screenHeight,
      timezone_offset: browser.timezoneOffset,
      java_enabled: browser.javaEnabled,
    },
    expires_at: request.expiresAt.toISOString(),
  };
}

/** The longest name that the sandbox shows; a project's may be longer, and that is no reason to refuse its charges. */
const MERCHANT_NAME_MAX = 64;

function shortened(name: string | undefined): string | undefined {
  const characters = [...(name ?? "").replace(/\p{Cc}/gu, " ")];
  return name === undefined ? undefined : characters.slice(0, MERCHANT_NAME_MAX).join("");
}

export function fromAuthenticationResult(result: AuthenticationResult): Record<string, unknown> {
  return "cres" in result ? { cres: result.cres } : { pa_res: result.paRes, md: result.md };
}
