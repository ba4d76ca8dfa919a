import type { Currency } from "../../core/currency.ts";
import { type Direction, isOffered, METHODS, type Method } from "../../core/merchants/methods.ts";
import { type Minor, minorToJson } from "../../core/money.ts";
import { newId } from "../../platform/new-id.ts";
import type { JsonObject } from "../../platform/strict-json.ts";
import { CliFault, type CommandInput, EXIT } from "../kit/command.ts";
import { optional, positional, quote, readCurrency, readPaymentId, wrongUsage } from "../kit/option-values.ts";
import { readMajorAmount } from "./major-amount.ts";

/** What the person asked for, read from the words of `payin` and `payout`. */
export type NewPayment = {
  readonly paymentId: string;
  readonly amount: Minor;
  readonly currency: Currency;
  readonly method: Method;
};

export function readNewPayment(input: CommandInput, direction: Direction): NewPayment {
  const currency = readCurrency(positional(input, 1), "CURRENCY");
  const amount = readMajorAmount(positional(input, 0), currency);
  const method = readMethod(input.text("method"), direction, currency);
  const paymentId = optional(input, "payment-id", readPaymentId) ?? newPaymentId(direction);
  return { paymentId, amount, currency, method };
}

/** Every method that goes in this direction. */
export function methodsOf(direction: Direction): readonly Method[] {
  const methods = Object.keys(METHODS) as Method[];
  return methods.filter((method) => currenciesOf(direction, method).length > 0);
}

/** Every currency that some method takes in this direction. */
export function currenciesFor(direction: Direction): readonly string[] {
  return [...new Set(methodsOf(direction).flatMap((method) => currenciesOf(direction, method)))];
}

function currenciesOf(direction: Direction, method: Method): string[] {
  return Object.keys(METHODS[method].currencies).filter((currency) => isOffered(direction, method, currency));
}

function readMethod(text: string | undefined, direction: Direction, currency: Currency): Method {
  const offered = methodsOf(direction).filter((method) => isOffered(direction, method, currency));
  const [first] = offered;
  if (first === undefined) {
    throw wrongUsage(
      `There are no ${direction === "payin" ? "pay-in" : direction}s in ${currency}, but in: ${currenciesFor(direction).join(", ")}.`,
    );
  }
  if (text === undefined) return first;
  const method = offered.find((each) => each === text);
  if (method === undefined) {
    throw wrongUsage(`--method must be one of ${offered.join(", ")} in ${currency}. It is ${quote(text)}.`);
  }
  return method;
}

const TAIL_CHARACTERS = 6;

/** `payin-20260131-100000-4f2a1b`: to be told apart at a glance, and never made twice. */
export function newPaymentId(prefix: string, now: Date = new Date()): string {
  const [day = "", time = ""] = now
    .toISOString()
    .replaceAll(/[-:]|\.\d+Z$/g, "")
    .split("T");
  return `${prefix}-${day}-${time}-${newId().slice(-TAIL_CHARACTERS)}`;
}

/** An address for documentation: no payer has it. */
const CUSTOMER_ADDRESS = "192.0.2.1";

/** The members that every create has. Each payment is of a customer of its own, so that no limit of one customer adds up. */
export function commonBody({ paymentId, amount, currency, method }: NewPayment, callbackUrl?: string): JsonObject {
  return {
    ...(callbackUrl === undefined ? {} : { general: { merchant_callback_url: callbackUrl } }),
    payment: { method, amount: minorToJson(amount), currency },
    customer: { id: paymentId, ip_address: CUSTOMER_ADDRESS },
  };
}

/** The same on the hosted page, where the payer chooses the method. */
export function onThePage({ payment, ...others }: JsonObject): JsonObject {
  const { method: _chosenByThePayer, ...terms } = payment as JsonObject;
  return { ...others, payment: terms };
}

/** After silence the payment may exist: its id is what makes a repeat safe. */
export async function keepingTheId<T>(paymentId: string, create: () => Promise<T>): Promise<T> {
  try {
    return await create();
  } catch (error) {
    if (!(error instanceof CliFault) || error.exitCode !== EXIT.unavailable) throw error;
    const advice = `To repeat it without a second payment, use the same command with --payment-id ${paymentId}.`;
    throw new CliFault(`${error.message}\n${advice}`, EXIT.unavailable);
  }
}

/** A card of the sandbox, whole: any name, date and code go with it. */
export function testCard(pan: string): JsonObject {
  return { pan, cvv: "123", card_holder: "TEST PAYER", expiry_month: 12, expiry_year: EXPIRY_YEAR };
}

const EXPIRY_YEAR = 2039;
