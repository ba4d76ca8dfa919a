import type {
  AuthenticationResult,
  Browser,
  ChargeDeclineReason,
  ChargedCard,
  ChargeOutcome,
  ChargeRequest,
  ThreeDsChallenge,
} from "../../core/card-acquirer.ts";
import type { Currency } from "../../core/currency.ts";
import { CARD_LIFETIME_S } from "../../core/payments/timers.ts";
import type { UpstreamSettings } from "../../core/upstream-settings.ts";
import type { EgressMode } from "../../platform/http-out/target.ts";
import { isMessage, isWebAddress } from "./foreign-text.ts";
import { lookUp, standingOf } from "./statuses.ts";
import { feeOf, fromCustomer, fromReference, fromTerms, type Situation, toMinor, within } from "./translate.ts";
import type { WirePayment, WireThreeDs } from "./wire.ts";

/** The part of the translation that is about cards. A word that is not known is "unknown". */
const UNKNOWN = { kind: "unknown" } as const;

/** The browser comes back to us, with the issuer's result or without it, and never to the merchant at once. */
export function fromChargeRequest(situation: Situation, request: ChargeRequest): object {
  return {
    general: { ...fromReference(situation, request.reference), redirect_url: request.returnUrl },
    payment: {
      ...fromTerms({ method: "card-ecom", amount: request.amount, currency: request.currency }),
      lifetime: within(CARD_LIFETIME_S, request.lifetimeS),
    },
    card: fromCard(request.card),
    customer: { ...fromCustomer(request.customer), browser: request.browser && fromBrowser(request.browser) },
  };
}

function fromCard(card: ChargedCard): object {
  return {
    pan: card.pan,
    cvv: card.cvv,
    card_holder: card.holder,
    expiry_month: card.expiryMonth,
    expiry_year: card.expiryYear,
  };
}

function fromBrowser(browser: Browser): object {
  return {
    accept_header: browser.acceptHeader,
    user_agent: browser.userAgent,
    language: browser.language,
    color_depth: browser.colorDepth,
    screen_width: browser.screenWidth,
    screen_height: browser.screenHeight,
    timezone_offset: browser.timezoneOffset,
    java_enabled: browser.javaEnabled,
  };
}

export function fromAuthenticationResult(result: AuthenticationResult): object {
  return "cres" in result ? { cres: result.cres } : { pa_res: result.paRes, md: result.md };
}

/** `mode`: whether an address of this machine may be one that the browser goes to. */
export function toChargeOutcome(
  payment: WirePayment,
  { threeDs }: Pick<UpstreamSettings, "threeDs">,
  mode: EgressMode = "production",
): ChargeOutcome {
  const { amount, received_amount: received } = payment.payment;
  const currency = payment.payment.currency as Currency;
  switch (standingOf(payment, "charge")) {
    case "pending":
      return { kind: "pending" };
    case "challenge":
      return threeDs === "challenge" ? toChallengeOutcome(payment, mode) : toRedirect(payment, mode);
    case "redirect":
      return toRedirect(payment, mode);
    case "credited":
      return { kind: "approved", amount: toMinor(amount), currency, ...feeOf(payment) };
    // An approval without its amount is no answer: the amount to credit is unknown.
    case "received":
      return received === undefined ? UNKNOWN : { kind: "approved", amount: toMinor(received), currency };
    case "declined":
      return toDeclinedCharge(payment.decline_code ?? "");
    default:
      return UNKNOWN;
  }
}

/** Why a charge was declined or refused does not change that it was: a code that is not listed is "other". */
const DECLINE_REASONS: Readonly<Record<string, ChargeDeclineReason>> = {
  provider_declined: "card_declined",
  card_invalid: "card_declined",
  insufficient_funds: "insufficient_funds",
  card_expired: "card_expired",
  three_ds_failed: "authentication_failed",
  cancelled: "cancelled",
  expired: "expired",
};

export function toDeclinedCharge(code: string): ChargeOutcome {
  return { kind: "declined", reason: lookUp(DECLINE_REASONS, code) ?? "other" };
}

/** A gateway may keep the terms of the challenge to itself, and take the payer there on its own page. */
function toChallengeOutcome(payment: WirePayment, mode: EgressMode): ChargeOutcome {
  const wire = payment.integration?.three_ds;
  if (wire === undefined) return toRedirect(payment, mode);
  const challenge = toChallenge(wire, mode);
  return challenge === undefined ? UNKNOWN : { kind: "challenge", challenge };
}

function toRedirect({ integration }: WirePayment, mode: EgressMode): ChargeOutcome {
  const url = integration?.redirect_url;
  return isWebAddress(url, mode) ? { kind: "redirect", url } : UNKNOWN;
}

/** The protocol does not pass the hidden step on: the gateway's own page makes it. */
function toChallenge(wire: WireThreeDs, mode: EgressMode): ThreeDsChallenge | undefined {
  const { acs_url: acsUrl, creq, three_ds_session_data: sessionData, pa_req: paReq, md, term_url: termUrl } = wire;
  if (!isWebAddress(acsUrl, mode)) return undefined;
  if (wire.version === "2.2.0" && isMessage(creq) && isMessage(sessionData))
    return { version: wire.version, acsUrl, creq, sessionData, method: undefined };
  if (wire.version === "1.0.2" && isMessage(paReq) && isMessage(md) && isWebAddress(termUrl, mode))
    return { version: wire.version, acsUrl, paReq, md, termUrl };
  return undefined;
}
