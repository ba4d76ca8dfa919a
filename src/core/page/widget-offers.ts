import { type Fault, fault } from "../errors.ts";
import { countryOf, METHODS, type Method, type Product } from "../merchants/methods.ts";
import type { Minor } from "../money.ts";
import type { MethodTerms } from "../payments/create-rules.ts";
import { feeReachesAmount } from "../payments/fees.ts";
import { fail, ok, type Result } from "../result.ts";

/** One way in which the payer of a hosted page can pay. */
export type WidgetOffer<Terms extends MethodTerms = MethodTerms> = {
  /** What merchants call it: `payin-p2p-card`. */
  readonly code: string;
  readonly method: Method;
  readonly product: Product;
  /** The payer says which bank the transfer comes from. */
  readonly needsBank: boolean;
  readonly terms: Terms;
};

export type WidgetWish = {
  readonly currency: string;
  readonly amount: Minor;
  /** Methods of other countries are not offered. */
  readonly country: string | undefined;
};

type Situation<Terms> = { readonly methods: readonly Terms[]; readonly pausedMethods: ReadonlySet<string> };

/** Those that are enabled for the project, the currency and the country, whatever the amount. */
export function listEnabledOffers<Terms extends MethodTerms>(
  wish: Pick<WidgetWish, "currency" | "country">,
  { methods, pausedMethods }: Situation<Terms>,
): WidgetOffer<Terms>[] {
  return methods.flatMap((terms): WidgetOffer<Terms>[] => {
    const { method, direction, currency, enabled } = terms;
    const { widgetCode, product, requisite } = METHODS[method];
    const country = countryOf(method, currency);
    const fits =
      enabled &&
      direction === "payin" &&
      currency === wish.currency &&
      !pausedMethods.has(method) &&
      (wish.country === undefined || country === null || country === wish.country);
    if (widgetCode === null || !fits) return [];
    return [{ code: widgetCode, method, product, needsBank: requisite === "phone_and_bank", terms }];
  });
}

/** Those of them whose limits and fee the amount meets; the fault says why none is left. */
export function listOffers<Terms extends MethodTerms>(
  wish: WidgetWish,
  situation: Situation<Terms>,
): Result<readonly WidgetOffer<Terms>[], Fault> {
  const enabled = listEnabledOffers(wish, situation);
  if (enabled.length === 0) {
    return fail(fault("method_not_enabled", `no method of the payment page is enabled in ${wish.currency}`));
  }
  const offers = enabled.filter(({ terms }) => isWithin(wish.amount, terms));
  return offers.length > 0
    ? ok(offers)
    : fail(
        fault("amount_out_of_limits", `no enabled method takes a payment.amount of ${wish.amount} ${wish.currency}`),
      );
}

function isWithin(amount: Minor, { minAmount, maxAmount, feeBp, feeFixed }: MethodTerms): boolean {
  const rates = { basisPoints: feeBp, fixed: feeFixed };
  return amount >= minAmount && amount <= maxAmount && !feeReachesAmount(amount, rates);
}

export const WIDGET_CODES: readonly string[] = Object.values(METHODS).flatMap(({ widgetCode }) =>
  widgetCode === null ? [] : [widgetCode],
);
