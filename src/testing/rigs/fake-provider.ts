import type {
  Acknowledgement,
  Connector,
  PayinState,
  PayoutOutcome,
  ReportedReceipt,
  Requisites,
  RequisitesAnswer,
} from "../../core/connector.ts";
import { ok } from "../../core/result.ts";
import { minor } from "../builders/projects.ts";

/**
 * A provider that answers as a test tells it to, and remembers what it was asked. It stands where no real provider can be
 * run: several of them behind one payment, answers that are pending, answers that a test holds back.
 */
export type FakeProvider = Connector & {
  readonly answers: FakeAnswers;
  /** Everything that it was asked, in order: `send 3f9c…`. */
  readonly asked: string[];
  /** The references of one kind of call, each once. */
  readonly referencesOf: (call: keyof FakeAnswers) => readonly string[];
  readonly countOf: (call: keyof FakeAnswers) => number;
};

/** What it answers next; a test may change each at any time. */
export type FakeAnswers = {
  ask: (reference: string) => Answer<RequisitesAnswer>;
  confirm: (reference: string) => ReturnType<Connector["reportConfirm"]> | Acknowledgement;
  release: (reference: string) => Answer<Acknowledgement>;
  payin: (reference: string) => Answer<PayinState>;
  send: (reference: string) => Answer<PayoutOutcome>;
  payout: (reference: string) => Answer<PayoutOutcome | { readonly kind: "never_seen" }>;
};

type Answer<T> = T | Promise<T>;

const REQUISITES: Requisites = {
  type: "card",
  value: "2200000000000004",
  holder: "IVAN I.",
  bank: "sberbank",
  bankName: undefined,
};

export const UNKNOWN = { kind: "unknown" } as const;
export const NEVER_SEEN = { kind: "never_seen" } as const;
export const PENDING = { kind: "pending" } as const;
export const NONE = { kind: "none" } as const;
export const DONE = { kind: "done" } as const;
export const APPROVED = { kind: "approved" } as const;
export const REFUSED = { kind: "declined", reason: "other" } as const;
export const ISSUED = { kind: "issued", requisites: REQUISITES } as const;

/** A request that is open at the provider, with the money that arrived for it. */
export function open(...receipts: readonly ReportedReceipt[]): PayinState {
  return { kind: "open", requisites: REQUISITES, receipts };
}

export function receipt(receiptReference: string, amount: bigint | number): ReportedReceipt {
  return { receiptReference, amount: minor(amount), receivedAt: new Date() };
}

export function aFakeProvider(code: string, answers: Partial<FakeAnswers> = {}): FakeProvider {
  const given: FakeAnswers = {
    ask: () => ISSUED,
    confirm: () => DONE,
    release: () => DONE,
    payin: () => open(),
    send: () => PENDING,
    payout: () => PENDING,
    ...answers,
  };
  const asked: string[] = [];
  const note = (call: keyof FakeAnswers, reference: string): string => {
    asked.push(`${call} ${reference}`);
    return reference;
  };
  const listOf = (call: keyof FakeAnswers) =>
    asked.filter((each) => each.startsWith(`${call} `)).map((each) => each.slice(call.length + 1));
  return {
    code,
    answers: given,
    asked,
    referencesOf: (call) => [...new Set(listOf(call))],
    countOf: (call) => listOf(call).length,
    offers: () => true,
    askForRequisites: async ({ reference }) => given.ask(note("ask", reference)),
    reportConfirm: async (reference) => given.confirm(note("confirm", reference)),
    releaseRequisites: async (reference) => given.release(note("release", reference)),
    askPayinState: async (reference) => given.payin(note("payin", reference)),
    sendPayout: async ({ reference }) => given.send(note("send", reference)),
    askPayoutState: async (reference) => given.payout(note("payout", reference)),
    readNotification: ({ rawBody }) => ok([{ direction: "payin", reference: rawBody.toString("utf8") }]),
  };
}
