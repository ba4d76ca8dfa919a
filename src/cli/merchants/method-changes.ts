import type { MethodChanges } from "../../app/merchants/merchants.ts";
import { type Direction, findMethod, listMethodOffers, type MethodOffer } from "../../core/merchants/methods.ts";
import { ZERO } from "../../core/money.ts";
import type { CommandInput, OptionSpec } from "../kit/command.ts";
import { optional, quote, readAmount, readInteger, readMinor, wrongUsage } from "../kit/option-values.ts";

/** The part of `project set` that is about methods: which ones, and what is to change about all of them. */
export type MethodCommand = { readonly offers: readonly MethodOffer[]; readonly changes: MethodChanges };

const FEE_BP_MAX = 10_000;

export const METHOD_OPTIONS = {
  method: { type: "string", multiple: true, value: "METHOD", help: "which methods the options below are for" },
  enable: { type: "boolean", help: "switch them on" },
  disable: { type: "boolean", help: "switch them off" },
  min: { type: "string", value: "MINOR", help: "smallest amount, in minor units" },
  max: { type: "string", value: "MINOR", help: "largest amount, in minor units" },
  "fee-bp": { type: "string", value: "N", help: "fee in basis points: 250 is 2.5 %" },
  "fee-fixed": {
    type: "string",
    value: "MINOR",
    help: "fee for each payment, in minor units, beside the basis points",
  },
} as const satisfies Record<string, OptionSpec>;

export function readMethodCommand(input: CommandInput): MethodCommand | undefined {
  const selectors = input.texts("method");
  const changes = readChanges(input);
  const changed = Object.keys(changes).length > 0;
  if (selectors === undefined) {
    if (changed) throw wrongUsage("--method is missing: it says which methods to change.");
    return undefined;
  }
  const offers = selectOffers(selectors);
  if (!changed) {
    throw wrongUsage("--method needs what to change: --enable, --disable, --min, --max, --fee-bp or --fee-fixed.");
  }
  return { offers, changes };
}

function readChanges(input: CommandInput): MethodChanges {
  if (input.flag("enable") && input.flag("disable")) throw wrongUsage("--enable and --disable exclude each other.");
  const minAmount = optional(input, "min", readAmount);
  const maxAmount = optional(input, "max", readAmount);
  if (minAmount !== undefined && maxAmount !== undefined && minAmount > maxAmount) {
    throw wrongUsage("--min must not be larger than --max.");
  }
  const feeBp = optional(input, "fee-bp", (text, name) => readInteger(text, name, 0, FEE_BP_MAX));
  const feeFixed = optional(input, "fee-fixed", (text, name) => readMinor(text, name, ZERO));
  return {
    ...(input.flag("enable") ? { enabled: true } : {}),
    ...(input.flag("disable") ? { enabled: false } : {}),
    ...(minAmount === undefined ? {} : { minAmount }),
    ...(maxAmount === undefined ? {} : { maxAmount }),
    ...(feeBp === undefined ? {} : { feeBp }),
    ...(feeFixed === undefined ? {} : { feeFixed }),
  };
}

/** Each offer once, however many of the selectors name it. */
export function selectOffers(selectors: readonly string[]): readonly MethodOffer[] {
  const chosen = new Set(selectors.flatMap((selector) => offersOf(selector)));
  return [...chosen];
}

const OFFERS = listMethodOffers();
const DIRECTIONS: readonly Direction[] = ["payin", "payout"];

function offersOf(selector: string): readonly MethodOffer[] {
  if (selector === "all") return OFFERS;
  const [first = "", code = "", currency, ...rest] = selector.split(":");
  const direction = DIRECTIONS.find((each) => each === first);
  if (direction !== undefined && code === "all" && currency === undefined) {
    return OFFERS.filter((offer) => offer.direction === direction);
  }
  if (direction === undefined || currency === undefined || rest.length > 0) {
    const forms = "payin:card-p2p:RUB, payin:all, payout:all or all";
    throw wrongUsage(`--method must be like ${forms}. It is ${quote(selector)}.`);
  }
  const method = findMethod(code);
  if (method === undefined) {
    const known = [...new Set(OFFERS.map((offer) => offer.method))].join(", ");
    throw wrongUsage(`There is no method ${quote(code)}. The methods are ${known}.`);
  }
  const offers = OFFERS.filter((offer) => offer.method === method);
  const offer = offers.find((each) => each.direction === direction && each.currency === currency);
  if (offer === undefined) {
    const forms = offers.map((each) => `${each.direction}:${method}:${each.currency}`).join(", ");
    throw wrongUsage(`${selector} is not offered. ${method} has these: ${forms}.`);
  }
  return [offer];
}
