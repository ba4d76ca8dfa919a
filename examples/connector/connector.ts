import type { Connector } from "../../src/core/connector.ts";
import { fail, ok } from "../../src/core/result.ts";
import { type Clock, systemClock } from "../../src/platform/clock.ts";
import { type Answer, type ChannelOptions, isRefused, openChannel, readAnswer } from "./channel.ts";
import { isAuthentic } from "./sign.ts";
import {
  fromPayin,
  fromPayout,
  toPayinState,
  toPayoutOutcome,
  toPayoutState,
  toRequisitesAnswer,
  toSubject,
} from "./translate.ts";
import { readDeposit, readEvent, readWithdrawal, type WireDeposit, type WireWithdrawal } from "./wire.ts";

export type AcmeOptions = ChannelOptions & { readonly code: string; readonly clock?: Clock };
export type AcmeConnector = Connector & { readonly close: () => Promise<void> };

const UNKNOWN = { kind: "unknown" } as const;
const NEVER_SEEN = { kind: "never_seen" } as const;
const DONE = { kind: "done" } as const;

/** Speaks to Acme Pay. Only a request that Acme Pay shows gives a result; every other answer is unknown. */
export function openAcmeConnector({ code, clock = systemClock, ...options }: AcmeOptions): AcmeConnector {
  const { ask, close } = openChannel(options);

  return {
    code,
    offers: (_direction, method, currency) => method === "card-p2p" && currency === "RUB",

    askForRequisites: async (request) => {
      const deposit = depositOf(await ask("POST", "/deposits", fromPayin(request)), request.reference);
      return deposit === undefined ? UNKNOWN : toRequisitesAnswer(deposit);
    },
    reportConfirm: async (reference) => {
      const deposit = depositOf(await ask("POST", `/deposits/${reference}/sent`), reference);
      return deposit === undefined ? UNKNOWN : { kind: "done", state: toPayinState(deposit) };
    },
    releaseRequisites: async (reference) => {
      const answer = await ask("POST", `/deposits/${reference}/close`);
      // Where there is no deposit there is nothing to release.
      return isUnknownReference(answer) || depositOf(answer, reference) !== undefined ? DONE : UNKNOWN;
    },
    askPayinState: async (reference) => {
      const answer = await ask("GET", `/deposits/${reference}`);
      if (isUnknownReference(answer)) return NEVER_SEEN;
      const deposit = depositOf(answer, reference);
      return deposit === undefined ? UNKNOWN : toPayinState(deposit);
    },

    sendPayout: async (request) => {
      const body = fromPayout(request);
      // Nothing was sent, so this refusal is certain.
      if (body === undefined) return { kind: "declined", reason: "other" };
      const answer = await ask("POST", "/withdrawals", body);
      if (isRefused(answer, 409, "reference_used")) return { kind: "conflict" };
      const withdrawal = withdrawalOf(answer, request.reference);
      return withdrawal === undefined ? UNKNOWN : toPayoutOutcome(withdrawal);
    },
    askPayoutState: async (reference) => {
      const answer = await ask("GET", `/withdrawals/${reference}`);
      if (isUnknownReference(answer)) return NEVER_SEEN;
      const withdrawal = withdrawalOf(answer, reference);
      return withdrawal === undefined ? UNKNOWN : toPayoutState(withdrawal);
    },

    readNotification: (notification) => {
      if (!isAuthentic(options.secret, notification, clock.nowMs())) return fail("not_authentic");
      const event = readEvent(notification.rawBody);
      const subject = event && toSubject(event);
      return subject === undefined ? fail("not_understood") : ok([subject]);
    },
    close,
  };
}

function isUnknownReference(answer: Answer): boolean {
  return isRefused(answer, 404, "no_such_reference");
}

/** The request, if the answer shows the one that was asked about: a cache or a proxy may answer with another. */
function depositOf(answer: Answer, reference: string): WireDeposit | undefined {
  const deposit = readAnswer(answer, readDeposit);
  return deposit?.reference === reference ? deposit : undefined;
}

function withdrawalOf(answer: Answer, reference: string): WireWithdrawal | undefined {
  const withdrawal = readAnswer(answer, readWithdrawal);
  return withdrawal?.reference === reference ? withdrawal : undefined;
}
