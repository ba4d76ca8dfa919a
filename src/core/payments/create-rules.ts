import { findPanFault } from "../cards/card.ts";
import { describeCardFault } from "../cards/card-rules.ts";
import type { CardsTaken } from "../cards/cards-taken.ts";
import { findTestCardBehaviour } from "../cards/test-cards.ts";
import type { PayoutReceiver } from "../connector.ts";
import { type ErrorCode, type Fault, fault } from "../errors.ts";
import type { Book } from "../merchants/book.ts";
import { countryOf, type Direction, findMethod, isOffered, type MethodOffer } from "../merchants/methods.ts";
import { AMOUNT_MAX, type Minor } from "../money.ts";
import { fail, ok, type Result } from "../result.ts";
import { type FeeRates, feeOf, feeReachesAmount, payoutCost } from "./fees.ts";

/** What a create asks for, after its body was found right. */
export type CreateRequest = {
  readonly direction: Direction;
  readonly method: string;
  readonly currency: string;
  readonly amount: Minor;
  /** The symbol in sender.bank of a pay-in, or in receiver.bank of a payout. */
  readonly bank: string | undefined;
  readonly receiver: PayoutReceiver | undefined;
};

/** What a project may do with a method in one direction and currency, and what it costs. */
export type MethodTerms = MethodOffer & {
  readonly enabled: boolean;
  readonly minAmount: Minor;
  readonly maxAmount: Minor;
  readonly feeBp: number;
  readonly feeFixed: Minor;
};

/** All that can be otherwise the next moment. */
export type CreateSituation<Terms extends MethodTerms> = {
  readonly project: {
    readonly status: "active" | "paused";
    readonly book: Book;
    readonly methods: readonly Terms[];
  };
  /** Those that may be named: a disabled bank is not among them. */
  readonly banks: readonly NameableBank[];
  /** Methods that an operator paused for all projects. */
  readonly pausedMethods: ReadonlySet<string>;
  /** Which cards may be paid out to. Absent: those of the project's book. */
  readonly cardsOf?: (terms: Terms) => CardsTaken;
};

type NameableBank = { readonly symbol: string; readonly isSbpBank: boolean; readonly countryCode: string };

/**
 * The rules of a create that time can change, so they are asked only after the payment_id was found to be new. The
 * answer is the project's row for the method, with the rates of this moment, or the first rule that refuses.
 */
export function checkCreate<Terms extends MethodTerms>(
  request: CreateRequest,
  situation: CreateSituation<Terms>,
): Result<Terms, Fault> {
  const { project } = situation;
  if (project.status === "paused") return refuse("project_inactive", "the project is paused: it takes no new payments");
  const found = findTerms(request, situation);
  if (!found.ok) return found;
  const refused =
    findAmountFault(request, found.value) ??
    findBankFault(request, found.value, situation.banks) ??
    findReceiverCardFault(request.receiver, situation.cardsOf?.(found.value) ?? project.book);
  return refused === undefined ? found : fail(refused);
}

export function ratesOf({ feeBp, feeFixed }: Pick<MethodTerms, "feeBp" | "feeFixed">): FeeRates {
  return { basisPoints: feeBp, fixed: feeFixed };
}

function findTerms<Terms extends MethodTerms>(
  { direction, method, currency }: CreateRequest,
  { project, pausedMethods }: CreateSituation<Terms>,
): Result<Terms, Fault> {
  const pair = `${method} ${direction}s in ${currency}`;
  const known = findMethod(method);
  if (known === undefined || !isOffered(direction, known, currency)) {
    return refuse("method_not_enabled", `there are no ${pair}`);
  }
  const terms = project.methods.find(
    (each) => each.direction === direction && each.method === method && each.currency === currency,
  );
  if (!terms?.enabled) return refuse("method_not_enabled", `${pair} are not enabled for this project`);
  if (pausedMethods.has(method)) return refuse("method_not_enabled", `${method} is paused for the time being`);
  return ok(terms);
}

function findAmountFault({ direction, amount }: CreateRequest, terms: MethodTerms): Fault | undefined {
  const { minAmount, maxAmount, method, currency } = terms;
  const place = `the limit of this project for ${method} ${direction}s in ${currency}`;
  if (amount < minAmount) return outOfLimits(`payment.amount must be at least ${minAmount}, ${place}`);
  if (amount > maxAmount) return outOfLimits(`payment.amount must be at most ${maxAmount}, ${place}`);
  const rates = ratesOf(terms);
  if (direction === "payin" && feeReachesAmount(amount, rates)) {
    return outOfLimits(`payment.amount must be more than its fee, which is ${feeOf(amount, rates)}`);
  }
  if (direction === "payout" && payoutCost(amount, rates) === undefined) {
    return outOfLimits(
      `payment.amount and its fee, which is ${feeOf(amount, rates)}, must be at most ${AMOUNT_MAX} together`,
    );
  }
  return undefined;
}

function findBankFault(request: CreateRequest, offer: MethodOffer, banks: readonly NameableBank[]): Fault | undefined {
  if (request.bank === undefined) return undefined;
  const field = request.direction === "payin" ? "sender.bank" : "receiver.bank";
  const bank = banks.find(({ symbol }) => symbol === request.bank);
  if (bank === undefined) return fault("bank_unknown", `${field} must be the symbol of a bank that bank/all lists`);
  switch (findMismatch(offer, bank)) {
    case undefined:
      return undefined;
    case "not_sbp":
      return fault("bank_not_sbp", `${field} must be a bank whose is_sbp_bank is true, since the method is sbp-p2p`);
    case "other_country": {
      const country = countryOf(offer.method, offer.currency);
      return fault("bank_unknown", `${field} must be a bank of ${country} for ${offer.method} in ${offer.currency}`);
    }
  }
}

type BankedOffer = Pick<MethodOffer, "method" | "currency">;
type BankTraits = Pick<NameableBank, "isSbpBank" | "countryCode">;

/** The fast payments system takes its own members only, and money of a country stays with that country's banks. */
function findMismatch({ method, currency }: BankedOffer, bank: BankTraits): "not_sbp" | "other_country" | undefined {
  if (method === "sbp-p2p" && !bank.isSbpBank) return "not_sbp";
  const country = countryOf(method, currency);
  return country === null || bank.countryCode === country ? undefined : "other_country";
}

/** Whether a payment by this method in this currency can come from the bank, or go to it. */
export function takesBank(offer: BankedOffer, bank: BankTraits): boolean {
  return findMismatch(offer, bank) === undefined;
}

/** The sentences never repeat the number. */
function findReceiverCardFault(receiver: PayoutReceiver | undefined, taken: CardsTaken): Fault | undefined {
  if (receiver?.type !== "card") return undefined;
  const { pan } = receiver;
  const found = findPanFault(pan);
  if (found !== undefined) return fault("card_invalid", describeCardFault(found, "receiver"));
  const isTestCard = findTestCardBehaviour(pan) !== undefined;
  if (taken === "test" && !isTestCard) {
    return fault("card_invalid", "receiver.pan must be one of the sandbox's cards, since this is a test project");
  }
  if (taken === "live" && isTestCard) {
    return fault("test_card_on_live_project", "receiver.pan is a card of the sandbox, and this is a live project");
  }
  return undefined;
}

function outOfLimits(description: string): Fault {
  return fault("amount_out_of_limits", description);
}

function refuse(code: ErrorCode, description: string): Result<never, Fault> {
  return fail(fault(code, description));
}
