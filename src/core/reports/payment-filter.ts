import type { Currency } from "../currency.ts";
import { type Fault, validationFault } from "../errors.ts";
import { findId, type Id } from "../ids.ts";
import { type Direction, findMethod, type Method } from "../merchants/methods.ts";
import type { Minor } from "../money.ts";
import type { PaymentState } from "../payments/states.ts";
import { fail, ok, type Result } from "../result.ts";
import { type Period, readPeriod } from "./period.ts";
import { openQuery, type ReportQuery } from "./query-values.ts";

/** Which payments a person asked for. A list, its totals and its CSV file are made from the same one. */
export type PaymentFilter = Period & {
  readonly direction: Direction | undefined;
  /** Any id of a payment: ours, the merchant's, the provider's reference, or the id of one of its callbacks. */
  readonly search: string | undefined;
  readonly states: readonly PaymentState[] | undefined;
  readonly method: Method | undefined;
  readonly currency: Currency | undefined;
  readonly min: Minor | undefined;
  readonly max: Minor | undefined;
  readonly projectId: Id | undefined;
  readonly customerId: string | undefined;
};

export type PaymentSort = { readonly by: "created" | "amount"; readonly order: "desc" | "asc" };

/** The last row of a page: the next page begins behind it. */
export type PagePlace = { readonly requestId: Id; readonly amount: Minor };

export type PaymentQuestion = {
  readonly filter: PaymentFilter;
  readonly sort: PaymentSort;
  readonly after: PagePlace | undefined;
};

/** Every state, so that one that is added does not compile until it can be asked for. */
const IS_STATE: Readonly<Record<PaymentState, true>> = {
  "processing:new": true,
  "processing:requisites": true,
  "processing:awaiting_confirm": true,
  "processing:awaiting_3ds_result": true,
  "processing:awaiting_redirect_result": true,
  "processing:paid": true,
  "processing:payout_process": true,
  "dispute:no_payment": true,
  "dispute:different_amount": true,
  "dispute:confirm_timeout": true,
  "dispute:incorrect_requisites": true,
  "dispute:payout_failed": true,
  "dispute:payout_timeout": true,
  success: true,
  decline: true,
};

const STATES = Object.keys(IS_STATE) as PaymentState[];

/** `dispute`, `dispute:no_payment`, or several of them with commas between. */
function readStates(text: string): readonly PaymentState[] | undefined {
  const found = new Set<PaymentState>();
  for (const word of text.split(",")) {
    const states = STATES.filter((state) => state === word || state.startsWith(`${word}:`));
    if (word === "" || states.length === 0) return undefined;
    for (const state of states) found.add(state);
  }
  return [...found];
}

const FILTERS = ["direction", "q", "status", "method", "currency", "min", "max", "from", "to", "project", "customer"];
const DIRECTIONS = ["payin", "payout"] as const;
const SORTS = ["created", "amount"] as const;
const ORDERS = ["desc", "asc"] as const;
const PLACE = /^([0-9a-f]{32})\.([0-9]{1,14})$/;

/** Reads the parameters of a list of payments, or of its CSV file. One that is not known is refused. */
export function readPaymentQuestion(parameters: ReportQuery): Result<PaymentQuestion, Fault> {
  const query = openQuery(parameters, [...FILTERS, "sort", "order", "cursor"]);
  const filter: PaymentFilter = {
    direction: query.oneOf("direction", DIRECTIONS),
    search: query.text("q"),
    states: query.read("status", readStates, "must be success, decline, processing, dispute, or one of their states"),
    method: query.read("method", findMethod, "must be a method, such as card-p2p"),
    currency: query.currency("currency"),
    min: query.amount("min"),
    max: query.amount("max"),
    projectId: query.id("project"),
    customerId: query.text("customer"),
    ...readPeriod(query),
  };
  const { min, max } = filter;
  if (min !== undefined && max !== undefined && min > max) query.refuse("max", "must be at least min");
  const sort = { by: query.oneOf("sort", SORTS) ?? "created", order: query.oneOf("order", ORDERS) ?? "desc" };
  const after = query.read("cursor", readPlace, "is not one that this list answered");
  if (query.faults.length > 0) return fail(validationFault(query.faults));
  return ok({ filter, sort, after });
}

export function writePlace({ requestId, amount }: PagePlace): string {
  return `${requestId}.${amount}`;
}

function readPlace(text: string): PagePlace | undefined {
  const [, id = "", amount = ""] = PLACE.exec(text) ?? [];
  const requestId = findId(id);
  return requestId === undefined ? undefined : { requestId, amount: BigInt(amount) as Minor };
}
